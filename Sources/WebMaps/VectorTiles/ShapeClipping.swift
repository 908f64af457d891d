/// The direction across a band: x for columns, y for rows.
protocol ShapeAxis {
  /// The coordinate of a vertex across the band.
  static func across(_ vertex: ShapeVertex) -> Double
  /// The coordinate of a vertex along the band.
  static func along(_ vertex: ShapeVertex) -> Double
  static func bounds(of box: PlaneBox) -> (lower: Double, upper: Double)
  /// The vertex with these coordinates.
  static func vertex(across: Double, along: Double) -> ShapeVertex
}

extension ShapeAxis {
  /// The point where a segment crosses a border of the band.
  @inline(__always)
  static func crossing(_ a: ShapeVertex, _ b: ShapeVertex, at border: Double) -> ShapeVertex {
    // Always from the end with the smaller number, so that neighboring polygons, which run along a
    // shared edge in opposite directions, cross at the same point.
    let (low, high) = across(a) < across(b) ? (a, b) : (b, a)
    let part = (border - across(low)) / (across(high) - across(low))
    return vertex(across: border, along: along(low) + (along(high) - along(low)) * part)
  }
}

enum ColumnAxis: ShapeAxis {
  @inline(__always) static func across(_ vertex: ShapeVertex) -> Double { vertex.x }
  @inline(__always) static func along(_ vertex: ShapeVertex) -> Double { vertex.y }
  @inline(__always)
  static func bounds(of box: PlaneBox) -> (lower: Double, upper: Double) { (box.minX, box.maxX) }
  @inline(__always)
  static func vertex(across: Double, along: Double) -> ShapeVertex {
    ShapeVertex(x: across, y: along)
  }
}

enum RowAxis: ShapeAxis {
  @inline(__always) static func across(_ vertex: ShapeVertex) -> Double { vertex.y }
  @inline(__always) static func along(_ vertex: ShapeVertex) -> Double { vertex.x }
  @inline(__always)
  static func bounds(of box: PlaneBox) -> (lower: Double, upper: Double) { (box.minY, box.maxY) }
  @inline(__always)
  static func vertex(across: Double, along: Double) -> ShapeVertex {
    ShapeVertex(x: along, y: across)
  }
}

/// A column or a row of the world between two borders, both included.
struct ShapeBand<Axis: ShapeAxis> {
  let lower: Double
  let upper: Double

  enum Reach {
    case none, part, whole
  }

  /// How much of a box lies in the band; a box that only touches it from outside is not in it.
  @inline(__always)
  func reach(of box: PlaneBox) -> Reach {
    let bounds = Axis.bounds(of: box)
    if bounds.lower >= lower, bounds.upper <= upper { return .whole }
    return bounds.upper <= lower || bounds.lower >= upper ? .none : .part
  }

  /// −1 below the band, 0 in it, 1 above it.
  @inline(__always)
  func side(of vertex: ShapeVertex) -> Int {
    let place = Axis.across(vertex)
    return place < lower ? -1 : place > upper ? 1 : 0
  }

  @inline(__always)
  func border(on side: Int) -> Double { side < 0 ? lower : upper }

  /// The parts of shapes inside the band.
  ///
  /// - Complexity: O(shapes, their parts, and the vertices of the parts that a border crosses).
  func clip(_ shapes: [TileShape]) -> [TileShape] {
    var result: [TileShape] = []
    var cutter = RingCutter<Axis>(band: self)
    for shape in shapes {
      var clipped = shape
      switch shape.parts {
      case .points(let points):
        // Half-open, so that a point on a border between tiles without a buffer is in only one of them.
        clipped.parts = .points(
          points.filter { (lower..<upper).contains(Axis.across($0)) })
      case .lines(let lines):
        var kept: [ShapePath] = []
        for line in lines {
          switch reach(of: line.box) {
          case .none:
            // A line along the border is in the band; a polygon that only touches the border is not.
            let bounds = Axis.bounds(of: line.box)
            if bounds.lower == bounds.upper, lower...upper ~= bounds.lower { kept.append(line) }
          case .whole: kept.append(line)
          case .part: clip(line, into: &kept)
          }
        }
        clipped.parts = .lines(kept)
      case .polygons(let polygons):
        var kept: [ShapePolygon] = []
        for polygon in polygons {
          switch reach(of: polygon.exterior.box) {
          case .none: break
          case .whole: kept.append(polygon)
          case .part: cutter.cut(polygon, into: &kept)
          }
        }
        clipped.parts = .polygons(kept)
      }
      if !clipped.isEmpty { result.append(clipped) }
    }
    return result
  }

  /// Cuts a line into the parts inside the band.
  private func clip(_ line: ShapePath, into parts: inout [ShapePath]) {
    var part: [ShapeVertex] = []
    // A vertex on the border is its own crossing.
    func append(_ vertex: ShapeVertex) { part.append(vertex, toPartFrom: 0) }
    func endPart() {
      if part.count > 1 { parts.append(ShapePath(part, size: line.size)) }
      part.removeAll()
    }
    var last = line.vertices[0]
    var lastSide = side(of: last)
    if lastSide == 0 { append(last) }
    for vertex in line.vertices.dropFirst() {
      let side = side(of: vertex)
      if side != lastSide {
        if lastSide != 0 { append(Axis.crossing(last, vertex, at: border(on: lastSide))) }
        if side != 0 {
          append(Axis.crossing(last, vertex, at: border(on: side)))
          endPart()
        }
      }
      if side == 0 { append(vertex) }
      last = vertex
      lastSide = side
    }
    endPart()
  }
}
