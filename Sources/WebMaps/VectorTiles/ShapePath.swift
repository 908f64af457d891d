/// A vertex of a line or ring in the unit square of the world, with its weight in simplification.
struct ShapeVertex: Hashable, Sendable {
  /// Eastward, 0…1 across the world; beyond that in the copies to the left and right.
  var x: Double
  /// Southward, 0…1.
  var y: Double
  /// The squared distance to the line simplified without this vertex; infinite for ends and for cut
  /// points.
  var weight = Double.infinity

  /// Whether the vertices have the same position.
  @inline(__always)
  func isAt(_ other: ShapeVertex) -> Bool { x == other.x && y == other.y }
}

extension [ShapeVertex] {
  /// Appends a vertex to the part that begins at an index; one where the part ends already only adds its weight.
  @inline(__always)
  mutating func append(_ vertex: ShapeVertex, toPartFrom start: Int) {
    if let last, count > start, last.isAt(vertex) {
      self[count - 1].weight = Swift.max(last.weight, vertex.weight)
    } else {
      append(vertex)
    }
  }
}

/// A rectangle in the unit square of the world; initially empty.
struct PlaneBox: Hashable, Sendable {
  var minX = Double.infinity
  var minY = Double.infinity
  var maxX = -Double.infinity
  var maxY = -Double.infinity

  @inline(__always)
  mutating func include(_ other: PlaneBox) {
    minX = min(minX, other.minX)
    maxX = max(maxX, other.maxX)
    minY = min(minY, other.minY)
    maxY = max(maxY, other.maxY)
  }
}

extension PlaneBox {
  @inline(__always)
  init(at vertex: ShapeVertex) {
    self.init(minX: vertex.x, minY: vertex.y, maxX: vertex.x, maxY: vertex.y)
  }
}

/// A line, or a ring without its closing vertex.
///
/// Tiles that contain all of it share its vertices: only paths that a border crosses are copied.
struct ShapePath: Sendable {
  let vertices: [ShapeVertex]
  let box: PlaneBox
  /// The length of the whole line in world widths, or the area of the whole ring in their square,
  /// before it was cut.
  let size: Double

  init(_ vertices: [ShapeVertex], size: Double) {
    self.vertices = vertices
    self.size = size
    var box = PlaneBox()
    for vertex in vertices { box.include(PlaneBox(at: vertex)) }
    self.box = box
  }

  /// The path moved by whole worlds.
  func shifted(by worlds: Double) -> ShapePath {
    guard worlds != 0 else { return self }
    return ShapePath(
      vertices.map { ShapeVertex(x: $0.x + worlds, y: $0.y, weight: $0.weight) }, size: size)
  }

  /// The middle between the first two vertices, moved to the right as one goes along the path.
  ///
  /// - Parameter distance: How far, in world widths.
  func middleOfFirstSide(movedBy distance: Double) -> ShapeVertex {
    let first = vertices[0], second = vertices[min(1, vertices.count - 1)]
    let east = second.x - first.x, south = second.y - first.y
    let length = (east * east + south * south).squareRoot()
    let step = length > 0 ? distance / length : 0
    return ShapeVertex(
      x: (first.x + second.x) / 2 - south * step, y: (first.y + second.y) / 2 + east * step)
  }

  /// The length of a line.
  static func length(of vertices: [ShapeVertex]) -> Double {
    var length = 0.0
    for (a, b) in zip(vertices, vertices.dropFirst()) {
      length += ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
    }
    return length
  }

  /// The area of a ring by the surveyor's formula: positive if it runs clockwise on a map, as
  /// exteriors in tiles do.
  static func area(of ring: [ShapeVertex]) -> Double {
    guard let origin = ring.first, var last = ring.last else { return 0 }
    var sum = 0.0
    for vertex in ring {
      // Relative to the ring's first vertex, since a small ring far from the corner of the world would lose digits.
      sum +=
        (last.x - origin.x) * (vertex.y - origin.y) - (vertex.x - origin.x) * (last.y - origin.y)
      last = vertex
    }
    return sum / 2
  }
}

/// A polygon: an exterior with positive area, and holes with negative area.
struct ShapePolygon: Sendable {
  var exterior: ShapePath
  var holes: [ShapePath]
}

/// The part of one feature, or of one member of its geometry collection, in a tile.
struct TileShape: Sendable {
  enum Parts: Sendable {
    case points([ShapeVertex])
    case lines([ShapePath])
    case polygons([ShapePolygon])
  }

  /// The number of the feature, chosen by the caller.
  let feature: Int
  var parts: Parts
  /// A point of the feature's largest part: the tile in which it lies counts the feature.
  ///
  /// The largest part is drawn at each zoom that draws any part.
  var home = ShapeVertex(x: 0, y: 0)

  var isEmpty: Bool {
    switch parts {
    case .points(let points): points.isEmpty
    case .lines(let lines): lines.isEmpty
    case .polygons(let polygons): polygons.isEmpty
    }
  }

  /// The box around the shape.
  var box: PlaneBox { boxes.reduce(into: PlaneBox()) { $0.include($1) } }

  /// The box around each part.
  var boxes: [PlaneBox] {
    switch parts {
    case .points(let points):
      points.map { PlaneBox(at: $0) }
    case .lines(let lines): lines.map(\.box)
    case .polygons(let polygons): polygons.map(\.exterior.box)
    }
  }

  /// The size of the largest part, for polygons the root of it, and a point of that part.
  var largestPart: (size: Double, place: ShapeVertex)? {
    switch parts {
    case .points(let points):
      // Points are always drawn.
      return points.first.map { (size: .infinity, place: $0) }
    case .lines(let lines):
      return lines.max { $0.size < $1.size }.map {
        (size: $0.size, place: $0.middleOfFirstSide(movedBy: 0))
      }
    case .polygons(let polygons):
      // An exterior has its inside on the right. A point of the border itself may lie on that of a
      // tile, on the side that does not have the polygon.
      return polygons.max { $0.exterior.size < $1.exterior.size }.map {
        (
          size: $0.exterior.size.squareRoot(),
          place: $0.exterior.middleOfFirstSide(movedBy: 1e-13)
        )
      }
    }
  }
}
