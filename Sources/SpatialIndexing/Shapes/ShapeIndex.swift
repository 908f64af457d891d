import Geodesy

/// Places, lines and areas, found by their shape: the nearest park, the bus lines within 300 m, the district that
/// holds a position, the trails in a map window.
///
///     let index = ShapeIndex(parks)
///     for park in index.nearest(3, to: here) {
///       print(parks[park.shape], park.distance, park.nearestPoint)  // 0 m inside
///     }
///
/// A shape's distance is that of its nearest place on WGS 84, 0 inside of an area; ties come in the order in which the
/// shapes were given. Distances are right to a millimeter, as those of the nearest of very many places of every edge
/// are; what contains a position and what meets a box or an area is exact, whatever is rounded.
///
/// Eights of edges that follow each other stand in a tree of balls in space, so that ±180° and the poles are places
/// like any other. The nearest edge is looked for from the top, nearest ball first; a long one is halved until its parts
/// span a quarter of a degree, and only what may be nearer than the best is measured on the ground.
///
/// - Complexity: O(*v* log *v*) to build for *v* vertices, some 0.06 µs each; some 40 bytes a vertex beside the
///   shapes themselves, however long their edges are.
public struct ShapeIndex: Sendable {
  /// What was computed, to be found quickly.
  let tables: ShapeTables
  /// The shapes themselves.
  private let source: ShapeSource

  /// How many shapes there are, by number from 0 in the order they were given.
  public var count: Int { tables.boxes.count }

  /// Builds an index.
  ///
  /// - Parameter shapes: In any order; one that is nowhere is never found.
  /// - Precondition: fewer than 2³¹ edges.
  public init(_ shapes: [GroundShape]) {
    tables = ShapeTables(shapes)
    source = ShapeSource(shapes)
  }

  /// An index whose tables stand in a file.
  ///
  /// - Parameter shape: Gives a shape by its number; asked at most once for each.
  package init(
    _ stored: StoredShapeTables, shape: @escaping @Sendable (_ number: Int) -> GroundShape
  ) {
    tables = stored.tables
    source = ShapeSource(reading: shape)
  }

  /// The shape of a number.
  ///
  /// - Complexity: O(1); of an index in a file, what reading it takes, once.
  public func shape(_ number: Int) -> GroundShape { source.shape(number) }
}

/// A shape that a search has found.
public struct ShapeNeighbor: Hashable, Sendable {
  /// The number of the shape: its offset in the list that the index was built from.
  public let shape: Int
  /// How far its nearest place is, on WGS 84; 0 where the shape holds the origin.
  public let distance: Distance
  /// Its place that is nearest to the origin; the origin itself where the shape holds that.
  public let nearestPoint: Coordinate

  /// A shape, how far it is and where.
  public init(shape: Int, distance: Distance, nearestPoint: Coordinate) {
    self.shape = shape
    self.distance = distance
    self.nearestPoint = nearestPoint
  }
}

extension ShapeIndex {
  /// The numbers of the shapes whose areas hold a position, ascending; borders belong to them.
  ///
  /// - Complexity: O(log *n* + *r*) expected for *r* polygons whose boxes hold the position.
  public func containing(_ position: Coordinate) -> [Int] {
    var numbers: [Int] = []
    tables.areas.forEachMember(holding: position) { member in
      let place = tables.polygons[member]
      let number = Int(place.x)
      guard number >= 0, number < count, source.polygon(member, place, contains: position),
        // Of an area whose parts touch, several may hold one position.
        !numbers.contains(number)
      else { return }
      numbers.append(number)
    }
    if numbers.count > 1 { numbers.sort() }
    return numbers
  }

  /// The numbers of the shapes that have a place in common with a box, ascending; borders belong to both.
  ///
  /// - Complexity: O(*n* + *v*) for *n* shapes and the *v* vertices of those whose boxes meet it.
  public func meeting(_ box: BoundingBox) -> [Int] {
    (0..<count).filter { tables.boxes[$0].mayMeet(box) && shape($0).meets(box) }
  }

  /// The numbers of the shapes that have a place in common with an area, ascending; borders belong to both.
  ///
  /// - Complexity: O(*n* + *v m*/16) for *n* shapes, the *v* vertices of those whose boxes meet that of the area, and
  ///   the area's *m* vertices; mostly far less, as edges that are far from each other cost a comparison.
  public func meeting(_ area: MultiPolygon) -> [Int] {
    let around = area.boundingBoxes
    return (0..<count).filter { number in
      around.contains(where: tables.boxes[number].mayMeet) && shape(number).meets(area)
    }
  }

  /// The nearest shapes, nearest first, ties by number.
  ///
  /// - Parameters:
  ///   - count: How many; fewer are found where there are fewer.
  ///   - origin: Where to look from.
  ///   - distance: Only shapes that come this near.
  /// - Complexity: O(log *v* + *k*) expected: some microseconds.
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

  /// The shapes that come within a distance, nearest first, ties by number.
  ///
  /// - Complexity: O(log *v* + *p*) expected for *p* pieces of edges as near.
  public func within(_ distance: Distance, of origin: Coordinate) -> [ShapeNeighbor] {
    nearest(.max, to: origin, within: distance)
  }
}

/// Where the shapes of an index are had from.
private struct ShapeSource: Sendable {
  private let shapes: [GroundShape]
  private let polygons: [Polygon]
  /// Reads what is asked for; nil where all are held.
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

  /// Whether the polygon of a number contains a position; no where a file tells of one that there is not.
  ///
  /// - Parameter place: Its shape, and its place among the polygons of that.
  @inline(__always)
  func polygon(
    _ number: Int, _ place: SIMD2<Int32>, contains position: Coordinate
  ) -> Bool {
    // By index, as a polygon that is copied counts its reference.
    if reading == nil { return polygons[number].contains(position) }
    let polygons = shape(Int(place.x)).area.polygons
    return polygons.indices.contains(Int(place.y)) && polygons[Int(place.y)].contains(position)
  }
}
