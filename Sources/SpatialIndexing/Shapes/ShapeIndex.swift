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
/// - Complexity: O(*v* log *v*) to build for *v* vertices, some 0.08 µs each; some 60 bytes a vertex beside the
///   shapes themselves, however long their edges are.
public struct ShapeIndex: Sendable {
  /// The shapes, in the order they were given: a shape's number is its place here.
  public let shapes: [GroundShape]

  /// Latitudes and unrolled longitudes of the vertices, one part of a shape after the other.
  ///
  /// Edges are kept whole: a search halves those that are long.
  let vertices: [SIMD2<Double>]
  /// The edges by eights that follow each other; those of one shape are of no other.
  let groups: [EdgePieceGroup]
  /// By group, the vertex where it begins; then how many there are.
  let starts: [Int32]
  /// By group, the shape that it is of.
  let owners: [Int32]
  /// Balls around the groups.
  let tree: BallTree
  /// The areas of the shapes, by their numbers.
  private let areas: AreaIndex
  /// Whether what is at no distance is what contains the position.
  let hasAreasAlone: Bool
  /// By shape, the box around it, which may reach over ±180°.
  private let boxes: [ShapeBox]

  /// Builds an index.
  ///
  /// - Parameter shapes: In any order; one that is nowhere is never found.
  /// - Precondition: fewer than 2³¹ edges.
  public init(_ shapes: [GroundShape]) {
    var edges = ShapeEdges(for: shapes)
    for shape in shapes { edges.add(shape) }
    self.shapes = shapes
    vertices = edges.vertices
    groups = edges.groups
    starts = edges.starts + [Int32(edges.vertices.count)]
    owners = edges.owners
    boxes = edges.boxes
    tree = BallTree(
      groups.enumerated().map { number, group in
        BallTree.Ball(number: Int32(number), place: group.place, radius: group.radius)
      })
    areas = AreaIndex(shapes.map(\.area), isMeasured: false)
    hasAreasAlone = shapes.allSatisfy { $0.points.isEmpty && $0.lines.isEmpty }
  }

  /// An edge of a group.
  func edge(_ group: Int32, _ number: Int) -> EdgePiece {
    let first = Int(starts[Int(group)]) + number
    return EdgePiece(
      start: (vertices[first].x, vertices[first].y),
      end: (vertices[first + 1].x, vertices[first + 1].y))
  }

  /// A place of a group, about the middle of it.
  func middle(_ group: Int) -> Coordinate {
    let vertex = vertices[Int((starts[group] + starts[group + 1]) / 2)]
    return Coordinate(unchecked: vertex.x, Coordinate.wrappedLongitude(vertex.y))
  }
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
  public func containing(_ position: Coordinate) -> [Int] { areas.areas(containing: position) }

  /// The numbers of the shapes that have a place in common with a box, ascending; borders belong to both.
  ///
  /// - Complexity: O(*n* + *v*) for *n* shapes and the *v* vertices of those whose boxes meet it.
  public func meeting(_ box: BoundingBox) -> [Int] {
    shapes.indices.filter { boxes[$0].mayMeet(box) && shapes[$0].meets(box) }
  }

  /// The numbers of the shapes that have a place in common with an area, ascending; borders belong to both.
  ///
  /// - Complexity: O(*n* + *v m*/16) for *n* shapes, the *v* vertices of those whose boxes meet that of the area, and
  ///   the area's *m* vertices; mostly far less, as edges that are far from each other cost a comparison.
  public func meeting(_ area: MultiPolygon) -> [Int] {
    let around = area.boundingBoxes
    return shapes.indices.filter { number in
      around.contains(where: boxes[number].mayMeet) && shapes[number].meets(area)
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

/// The edges of shapes while an index is built.
private struct ShapeEdges {
  var vertices: [SIMD2<Double>] = []
  var groups: [EdgePieceGroup] = []
  var starts: [Int32] = []
  var owners: [Int32] = []
  var boxes: [ShapeBox] = []

  init(for shapes: [GroundShape]) {
    var edges = 0, chains = 0
    for shape in shapes {
      let count = shape.edgeCount
      edges += count.edges
      chains += count.chains
    }
    vertices.reserveCapacity(edges + chains)
    let groupCount = edges / EdgePieceGroup.size + chains
    groups.reserveCapacity(groupCount)
    starts.reserveCapacity(groupCount + 1)
    owners.reserveCapacity(groupCount)
    boxes.reserveCapacity(shapes.count)
  }

  mutating func add(_ shape: GroundShape) {
    var box = ShapeBox()
    // Edges that follow each other make a chain.
    var first = vertices.count
    var last = SIMD2<Double>(repeating: .nan)
    shape.forEachEdge { start, end in
      let start = SIMD2(start.latitude, start.longitude)
      if start != last {
        addGroups(from: first)
        first = vertices.count
        vertices.append(start)
        box.extend(over: start)
      }
      last = SIMD2(end.latitude, end.longitude)
      vertices.append(last)
      box.extend(over: last)
    }
    precondition(vertices.count < Int(Int32.max), "\(vertices.count) vertices are too many")
    addGroups(from: first)
    boxes.append(box)
  }

  /// Adds the groups of the last chain, by the vertex where it begins.
  private mutating func addGroups(from first: Int) {
    EightEdges.forEachEight(of: vertices[first...]) { edges, start in
      groups.append(EdgePieceGroup(edges))
      starts.append(Int32(first + start))
      owners.append(Int32(boxes.count))
    }
  }
}

/// The box around a shape in the plane, where longitudes are unrolled.
private struct ShapeBox: Sendable {
  private var west = Double.infinity, east = -Double.infinity
  private var south = Double.infinity, north = -Double.infinity

  mutating func extend(over place: SIMD2<Double>) {
    south = min(south, place.x)
    north = max(north, place.x)
    west = min(west, place.y)
    east = max(east, place.y)
  }

  /// Whether a box may have a place in common with this; errs on the side of yes.
  func mayMeet(_ box: BoundingBox) -> Bool {
    // More than a longitude that was unrolled is wrong by.
    let slack = 1e-9
    guard box.south <= north, box.north >= south else { return false }
    let first = ((west - slack - box.west - box.width) / 360).rounded(.up)
    return first * 360 <= east + slack - box.west
  }
}
