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
    forEachNearest(to: origin) { neighbor in
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
