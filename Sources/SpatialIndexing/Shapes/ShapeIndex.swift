import Geodesy

/// An index of points, lines and areas that finds them by their shape.
///
/// Examples are the nearest park, the bus lines within 300 m, the district that contains a position, and the trails in
/// a map window.
///
///     let index = ShapeIndex(parks)
///     for park in index.nearest(3, to: here) {
///       print(parks[park.shape], park.distance, park.nearestPoint)  // 0 m inside
///     }
///
/// A shape's distance is that of its nearest point on WGS 84, 0 inside an area; ties come in the order in which the
/// shapes were given. Distances are right to a millimeter, compared with very many points of every edge; tests for
/// containing a position and meeting a box or an area are exact despite rounding.
///
/// Groups of eight consecutive edges form a tree of balls in space, so ±180° and the poles are not special. The search
/// for the nearest edge starts at the top, nearest ball first; a long edge is halved until its parts span a quarter of
/// a degree, and only those that may be nearer than the best are measured on the ground.
///
/// - Complexity: O(*v* log *v*) to build for *v* vertices, about 0.06 µs each; about 40 bytes per vertex besides the
///   shapes themselves, however long their edges are.
public struct ShapeIndex: Sendable {
  /// The precomputed search tables.
  let tables: ShapeTables
  /// The shapes themselves.
  private let source: ShapeSource

  /// The number of shapes, which are numbered from 0 in the order they were given.
  public var count: Int { tables.boxes.count }

  /// Builds an index.
  ///
  /// - Parameter shapes: In any order; an empty shape is never found.
  /// - Precondition: fewer than 2³¹ edges.
  public init(_ shapes: [GroundShape]) {
    tables = ShapeTables(shapes)
    source = ShapeSource(shapes)
  }

  /// Makes an index whose tables lie in a file.
  ///
  /// - Parameter shape: Returns the shape with a number; called at most once for each.
  package init(
    _ stored: StoredShapeTables, shape: @escaping @Sendable (_ number: Int) -> GroundShape
  ) {
    tables = stored.tables
    source = ShapeSource(reading: shape)
  }

  /// The shape with a number.
  ///
  /// - Complexity: O(1); for an index in a file, the time to read the shape, once.
  public func shape(_ number: Int) -> GroundShape { source.shape(number) }
}

/// A shape found by a search.
public struct ShapeNeighbor: Hashable, Sendable {
  /// The number of the shape: its offset in the list that the index was built from.
  public let shape: Int
  /// The distance to its nearest point, on WGS 84; 0 if the shape contains the origin.
  public let distance: Distance
  /// The point of the shape nearest to the origin; the origin itself if the shape contains it.
  public let nearestPoint: Coordinate

  /// Makes a result from a shape, its distance and its nearest point.
  public init(shape: Int, distance: Distance, nearestPoint: Coordinate) {
    self.shape = shape
    self.distance = distance
    self.nearestPoint = nearestPoint
  }
}

extension ShapeIndex {
  /// The numbers of the shapes whose areas contain a position, ascending; borders belong to them.
  ///
  /// - Complexity: O(log *n* + *r*) expected for *r* polygons whose boxes contain the position.
  public func containing(_ position: Coordinate) -> [Int] {
    var numbers: [Int] = []
    tables.areas.forEachMember(holding: position) { member in
      let place = tables.polygons[member]
      let number = Int(place.x)
      guard number >= 0, number < count, source.polygon(member, place, contains: position),
        // If parts of an area touch, several may contain the position.
        !numbers.contains(number)
      else { return }
      numbers.append(number)
    }
    if numbers.count > 1 { numbers.sort() }
    return numbers
  }

  /// The numbers of the shapes that share a point with a box, ascending; borders belong to both.
  ///
  /// - Complexity: O(*n* + *v*) for *n* shapes and the *v* vertices of those whose bounding boxes meet
  ///   it.
  public func meeting(_ box: BoundingBox) -> [Int] {
    (0..<count).filter { tables.boxes[$0].mayMeet(box) && shape($0).meets(box) }
  }

  /// The numbers of the shapes that share a point with an area, ascending; borders belong to both.
  ///
  /// - Complexity: O(*n* + *v m*/16) for *n* shapes, the *v* vertices of those whose boxes meet that of the area, and
  ///   the area's *m* vertices; mostly far less, as edges far from each other cost one comparison.
  public func meeting(_ area: MultiPolygon) -> [Int] {
    let around = area.boundingBoxes
    return (0..<count).filter { number in
      around.contains(where: tables.boxes[number].mayMeet) && shape(number).meets(area)
    }
  }

  /// The nearest shapes, nearest first, ties by number.
  ///
  /// - Parameters:
  ///   - count: The maximum number of shapes to return.
  ///   - origin: Where distances are measured from.
  ///   - distance: The maximum distance.
  /// - Complexity: O(log *v* + *k*) expected: a few microseconds.
  public func nearest(
    _ count: Int, to origin: Coordinate, within distance: Distance = .infinity
  ) -> [ShapeNeighbor] {
    guard count > 0 else { return [] }
    var found: [ShapeNeighbor] = []
    forEachNearest(to: origin, within: distance) { neighbor in
      guard neighbor.distance <= distance else { return false }
      found.append(neighbor)
      return found.count < count
    }
    return found
  }

  /// The shapes within a distance, nearest first, ties by number.
  ///
  /// - Complexity: O(log *v* + *p*) expected for *p* pieces of edges within the distance.
  public func within(_ distance: Distance, of origin: Coordinate) -> [ShapeNeighbor] {
    nearest(.max, to: origin, within: distance)
  }
}

/// The source of an index's shapes.
private struct ShapeSource: Sendable {
  private let shapes: [GroundShape]
  private let polygons: [Polygon]
  /// Reads shapes on demand; nil if all are in memory.
  private let reading: Reading?

  private final class Reading: Sendable {
    let shape: @Sendable (Int) -> GroundShape
    let known = SharedValue<[Int: GroundShape]>([:])

    init(_ shape: @escaping @Sendable (Int) -> GroundShape) { self.shape = shape }
  }

  init(_ shapes: [GroundShape]) {
    self.shapes = shapes
    polygons = shapes.flatMap(\.area.polygons)
    reading = nil
  }

  init(reading shape: @escaping @Sendable (Int) -> GroundShape) {
    (shapes, polygons) = ([], [])
    reading = Reading(shape)
  }

  func shape(_ number: Int) -> GroundShape {
    guard let reading else { return shapes[number] }
    return reading.known.withLock { known in
      if let shape = known[number] { return shape }
      let shape = reading.shape(number)
      known[number] = shape
      return shape
    }
  }

  /// Whether the polygon with a number contains a position; false if a file names one that does not
  /// exist.
  ///
  /// - Parameter place: Its shape, and its offset among the shape's polygons.
  @inline(__always)
  func polygon(
    _ number: Int, _ place: SIMD2<Int32>, contains position: Coordinate
  ) -> Bool {
    // By index, since copying a polygon counts a reference.
    if reading == nil { return polygons[number].contains(position) }
    let polygons = shape(Int(place.x)).area.polygons
    return polygons.indices.contains(Int(place.y)) && polygons[Int(place.y)].contains(position)
  }
}

extension ShapeIndex {
  /// Calls `body` with the shapes one after the other, nearest first, ties by number, until it returns false.
  ///
  /// Shapes beyond the maximum distance need not be given; a few that were measured may be.
  ///
  /// The queue is ordered by least possible distance. A shape is returned once its distance is below that of everything
  /// in the queue.
  ///
  /// The chord bounds the geodesic to less than a millimeter nearby, but only to a few percent far away, which might
  /// admit thousands of edges. There a ball is bounded by the ground distance to the point under its center, less the
  /// ball's extent.
  package func forEachNearest(
    to origin: Coordinate, within distance: Distance = .infinity, _ body: (ShapeNeighbor) -> Bool
  ) {
    var walk = ShapeWalk(self, origin, end: distance.meters)
    while let neighbor = walk.next() {
      guard body(neighbor) else { return }
    }
  }
}

/// A search for the nearest shapes that continues on demand.
private struct ShapeWalk {
  private let index: ShapeIndex
  private let position: Coordinate
  private let origin: LineOrigin
  private let place: ECEFPosition
  private let ground: GroundBalls
  /// Where the search ends, in meters.
  private let end: Double
  private var waiting = Heap<Waiting>()
  /// Shapes measured but not returned yet, some of them more than once.
  private var measured = Heap<Measured>()
  /// Parts of long edges.
  private var parts: [EdgePiece] = []
  /// The shapes already returned.
  private var isGiven: Set<Int32> = []

  /// An item still to be examined, and its least possible distance, in meters on the ground.
  private struct Waiting: Comparable {
    var least: Double
    var what: What
    /// Whether the bound cannot be improved without opening the item.
    var isFinal = false

    enum What {
      /// Eight balls of the tree.
      case balls(Int32)
      /// A group of edges.
      case group(Int32)
      /// An edge of a group.
      case edge(Int32, number: Int8)
      /// A part of a long edge, by its offset in `parts`.
      case part(Int, shape: Int32)
    }

    static func < (a: Waiting, b: Waiting) -> Bool { a.least < b.least }
    static func == (a: Waiting, b: Waiting) -> Bool { a.least == b.least }
  }

  private struct Measured: Comparable {
    var distance: Double
    var shape: Int32
    /// The nearest point; nil for a shape that contains the origin.
    var point: Coordinate?

    static func < (a: Measured, b: Measured) -> Bool {
      (a.distance, a.shape) < (b.distance, b.shape)
    }
  }

  init(_ index: ShapeIndex, _ position: Coordinate, end: Double) {
    self.index = index
    self.end = end
    self.position = position
    origin = LineOrigin(position)
    place = ECEFPosition(position)
    ground = GroundBalls(from: place)
    for shape in index.containing(position) {
      measured.insert(Measured(distance: 0, shape: Int32(shape)))
    }
    if !index.tables.tree.groups.isEmpty { waiting.insert(Waiting(least: 0, what: .balls(0))) }
  }

  mutating func next() -> ShapeNeighbor? {
    // Else it would open all that is left of the last shape, to find nothing.
    guard isGiven.count < index.count else { return nil }
    while true {
      if let best = measured.first {
        if isGiven.contains(best.shape) {
          _ = measured.removeFirst()
          continue
        }
        let isInside = best.point == nil && index.tables.hasAreasAlone
        if isInside || waiting.first.map({ $0.least > best.distance }) ?? true {
          _ = measured.removeFirst()
          isGiven.insert(best.shape)
          return neighbor(best)
        }
      }
      guard let first = waiting.removeFirst(), first.least <= end else { return nil }
      lookAt(first)
    }
  }

  private func neighbor(_ found: Measured) -> ShapeNeighbor {
    ShapeNeighbor(
      shape: Int(found.shape), distance: .meters(found.distance),
      nearestPoint: found.point ?? position)
  }

  /// The distance in meters beyond which the geodesic gives better bounds than the chord.
  private static let far = 200_000.0

  private func way(_ chord: Double) -> Double {
    chord <= 0 ? 0 : ChordBracket.geodesics(chord: chord).shortest
  }

  /// Puts an item back in the queue if a closer look has shown it to be farther; returns whether it
  /// did.
  private mutating func postpones(_ first: Waiting, until least: Double) -> Bool {
    guard let next = waiting.first, least > next.least else { return false }
    waiting.insert(Waiting(least: max(least, first.least), what: first.what, isFinal: true))
    return true
  }

  private mutating func lookAt(_ first: Waiting) {
    switch first.what {
    case .balls(let number):
      let balls = Int(number)
      if !first.isFinal, first.least > ShapeWalk.far {
        let around = index.tables.tree.groups[balls].ballAround
        let least = ground.least(around.place, radius: around.radius + BallTree.slack)
        if postpones(first, until: least) { return }
      }
      let child = index.tables.tree.child(of: balls)
      let isInner = balls < index.tables.tree.leaves
      let least = index.tables.tree.groups[balls].leastChords(to: place, slack: BallTree.slack)
      for place in 0..<8 where !least[place].isNaN {
        let inner = child &+ place
        let what: Waiting.What =
          isInner ? .balls(Int32(inner)) : .group(index.tables.tree.numbers[inner])
        waiting.insert(Waiting(least: max(first.least, way(Double(least[place]))), what: what))
      }
    case .group(let number):
      let group = Int(number)
      let shape = index.tables.owners[group]
      // The nearest edge of a returned shape is already known. (A file may name a shape that does not exist.)
      guard shape >= 0, shape < index.count, !isGiven.contains(shape) else { return }
      if !first.isFinal, first.least > ShapeWalk.far {
        let around = index.tables.groups[group]
        let least = ground.least(around.place, radius: around.radius)
        if postpones(first, until: least) { return }
      }
      let least = index.tables.groups[group].leastChords(to: place)
      for edge in 0..<8 where !least[edge].isNaN {
        waiting.insert(
          Waiting(
            least: max(first.least, way(Double(least[edge]))),
            what: .edge(number, number: Int8(edge))))
      }
    case .edge(let group, let number):
      let edge = index.tables.edge(group, Int(number)), shape = index.tables.owners[Int(group)]
      // The nearest point of an edge is rounded, so a position on the edge would be some nanometers away from it.
      if first.least == 0, !isGiven.contains(shape), edge.contains(position) {
        measured.insert(Measured(distance: 0, shape: shape, point: position))
      } else {
        lookAt(edge, of: shape, first)
      }
    case .part(let number, let shape): lookAt(parts[number], of: shape, first)
    }
  }

  private mutating func lookAt(_ piece: EdgePiece, of shape: Int32, _ first: Waiting) {
    guard !isGiven.contains(shape) else { return }
    if !first.isFinal {
      let isFar = first.least > ShapeWalk.far && !piece.isLong
      let least =
        isFar
        ? ground.least(piece.ball.middle, radius: piece.ball.reach)
        : way(piece.chordDistance(to: place) - piece.sag)
      if postpones(first, until: least) { return }
    }
    guard !piece.isLong else {
      let halves = piece.halves
      for half in [halves.0, halves.1] {
        let least = max(first.least, way(half.chordDistance(to: place) - half.sag))
        waiting.insert(Waiting(least: least, what: .part(parts.count, shape: shape)))
        parts.append(half)
      }
      return
    }
    let nearest = piece.nearest(from: origin, at: place, ground)
    measured.insert(
      Measured(
        distance: nearest.distance, shape: shape, point: piece.position(at: nearest.fraction)))
  }

}

extension GroundShape {
  /// The point of the shape nearest to an origin, and its distance on WGS 84.
  ///
  /// That is the origin itself and 0 inside an area, and nil for an empty shape.
  ///
  /// Bit for bit the answer of ``ShapeIndex``, which searches many shapes in far less time.
  ///
  /// - Complexity: O(*n* log *n*) in the vertices: an index of this one shape is built.
  public func nearest(to origin: Coordinate) -> (point: Coordinate, distance: Distance)? {
    if area.contains(origin) { return (origin, .zero) }
    return ShapeIndex([self]).nearest(1, to: origin).first.map { ($0.nearestPoint, $0.distance) }
  }
}
