/// A rectangle in the square of the world; empty when made.
struct ShapeBox: Hashable, Sendable {
  var minX = Double.infinity
  var minY = Double.infinity
  var maxX = -Double.infinity
  var maxY = -Double.infinity

  @inline(__always)
  mutating func include(_ vertex: ShapeVertex) {
    minX = min(minX, vertex.x)
    maxX = max(maxX, vertex.x)
    minY = min(minY, vertex.y)
    maxY = max(maxY, vertex.y)
  }

  @inline(__always)
  mutating func include(_ other: ShapeBox) {
    minX = min(minX, other.minX)
    maxX = max(maxX, other.maxX)
    minY = min(minY, other.minY)
    maxY = max(maxY, other.maxY)
  }
}

/// A line, or a ring without its closing vertex.
///
/// Its vertices are shared by all the tiles that hold it whole: only what a border crosses is copied.
struct ShapePath: Sendable {
  let vertices: [ShapeVertex]
  let box: ShapeBox
  /// The length of the whole line, or the area of the whole ring, before it was cut; of the world's
  /// side, or of its square.
  let size: Double

  init(_ vertices: [ShapeVertex], size: Double) {
    self.vertices = vertices
    self.size = size
    var box = ShapeBox()
    for vertex in vertices { box.include(vertex) }
    self.box = box
  }

  /// Moves it by whole worlds.
  func shifted(by worlds: Double) -> ShapePath {
    guard worlds != 0 else { return self }
    return ShapePath(
      vertices.map { ShapeVertex(x: $0.x + worlds, y: $0.y, weight: $0.weight) }, size: size)
  }

  /// The length of a line.
  static func length(of vertices: [ShapeVertex]) -> Double {
    var length = 0.0
    for (a, b) in zip(vertices, vertices.dropFirst()) {
      length += ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
    }
    return length
  }

  /// The area of a ring by the surveyor's formula: positive where it runs clockwise as seen on a map,
  /// as exteriors do in tiles.
  static func area(of ring: [ShapeVertex]) -> Double {
    guard let origin = ring.first, var last = ring.last else { return 0 }
    var sum = 0.0
    for vertex in ring {
      // From its own first vertex: a small ring far from the corner of the world would lose its digits.
      sum +=
        (last.x - origin.x) * (vertex.y - origin.y) - (vertex.x - origin.x) * (last.y - origin.y)
      last = vertex
    }
    return sum / 2
  }
}

/// A polygon: its exterior, of positive area, and its holes, of negative.
struct ShapePolygon: Sendable {
  var exterior: ShapePath
  var holes: [ShapePath]
}

/// What one feature, or one member of its collection, has in a tile.
struct TileShape: Sendable {
  enum Parts: Sendable {
    case points([ShapeVertex])
    case lines([ShapePath])
    case polygons([ShapePolygon])
  }

  /// The number of the feature, given by whoever added it.
  let feature: Int
  var parts: Parts

  var isEmpty: Bool {
    switch parts {
    case .points(let points): points.isEmpty
    case .lines(let lines): lines.isEmpty
    case .polygons(let polygons): polygons.isEmpty
    }
  }

  /// Where it lies.
  var box: ShapeBox {
    var box = ShapeBox()
    switch parts {
    case .points(let points): for point in points { box.include(point) }
    case .lines(let lines): for line in lines { box.include(line.box) }
    case .polygons(let polygons):
      for polygon in polygons { box.include(polygon.exterior.box) }
    }
    return box
  }

  /// How many vertices it has before any are left out; rings count their closing vertex.
  var vertexCount: Int {
    switch parts {
    case .points(let points): points.count
    case .lines(let lines): lines.reduce(0) { $0 + $1.vertices.count }
    case .polygons(let polygons):
      polygons.reduce(0) { sum, polygon in
        polygon.holes.reduce(sum + polygon.exterior.vertices.count + 1) {
          $0 + $1.vertices.count + 1
        }
      }
    }
  }
}
