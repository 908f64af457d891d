/// One ring of a polygon, unrolled: a closed line in the plane that may extend beyond ±180.
struct PolygonRing: Hashable, Sendable {
  /// The vertices in order; the last is joined to the first, which is not repeated.
  let vertices: UnrolledVertices
  /// The latitudes that the ring spans.
  let latitudes: ClosedRange<Double>
  /// The edges grouped by latitude; nil if there are few.
  private let bands: PolygonBands?
  /// A coarse picture of the ring, which tells nothing if there are few edges.
  private var fields: PolygonFields
  /// Whether a position, whose longitude is from −180 to below 180, may lie in the ring only after a turn.
  private let isAcross: Bool
  // Last, so that what a point test reads lies together.
  /// The westernmost and the easternmost vertex.
  let westernmost: UnrolledPoint, easternmost: UnrolledPoint

  /// - Parameter number: The number of the ring in its polygon, for errors; 0 is the outer one.
  init(_ corners: [PolygonVertex], number: Int) throws(PolygonError) {
    let isClosed = corners.count > 1 && corners.first == corners.last
    let count = isClosed ? corners.count - 1 : corners.count
    guard PolygonRing.hasThreeDifferent(corners.prefix(count)) else {
      throw .tooFewVertices(distinct: Set(corners).count, ring: number)
    }
    let vertices = UnrolledVertices(corners, count: count)
    let turns =
      vertices[count - 1].turns + UnrolledVertices.turns(from: corners[count - 1], to: corners[0])
    guard turns == 0 else { throw .windsRoundPole(ring: number) }

    var westernmost = vertices[0], easternmost = vertices[0]
    var south = westernmost.latitude, north = south
    vertices.withUnsafeVertices { vertices in
      for place in 1..<count {
        let vertex = vertices[place]
        if vertex.sideOfMeridian(of: westernmost) < 0 { westernmost = vertex }
        if vertex.sideOfMeridian(of: easternmost) > 0 { easternmost = vertex }
        south = min(south, vertex.latitude)
        north = max(north, vertex.latitude)
      }
    }
    let latitudes = south...north
    self.vertices = vertices
    self.westernmost = westernmost
    self.easternmost = easternmost
    self.latitudes = latitudes
    bands = PolygonBands(vertices, latitudes)
    isAcross = westernmost.x < -180 || easternmost.x >= 180
    fields = PolygonFields(west: westernmost.x, east: easternmost.x, latitudes: latitudes)
    guard let bands else { return }
    var drawn = fields
    drawn.draw(vertices) { side(of: $0, bands) == .inside }
    fields = drawn
  }

  /// Whether there are at least three different vertices; usually the first three decide.
  private static func hasThreeDifferent(_ corners: ArraySlice<PolygonVertex>) -> Bool {
    guard let first = corners.first, let second = corners.first(where: { $0 != first }) else {
      return false
    }
    return corners.contains { $0 != first && $0 != second }
  }

  /// The vertices as given, with the first repeated at the end.
  var closedVertices: [PolygonVertex] {
    (Array(vertices) + vertices.prefix(1)).map(\.vertex)
  }

  /// Calls `body` with both ends of each edge.
  @inline(__always)
  func forEachEdge(_ body: (UnrolledPoint, UnrolledPoint) -> Void) {
    guard var start = vertices.last else { return }
    vertices.withUnsafeVertices { vertices in
      for place in 0..<vertices.count {
        let end = vertices[place]
        body(start, end)
        start = end
      }
    }
  }
}

extension PolygonRing {
  enum Side { case inside, border, outside }

  /// Where a position lies: inside if any of its unrolled longitudes λ + 360 k is inside.
  func side(of position: Coordinate) -> Side {
    guard latitudes.contains(position.latitude) else { return .outside }
    guard isAcross else {
      return self.side(
        of: UnrolledPoint(
          longitude: position.longitude, latitude: position.latitude, turns: 0))
    }
    var side = Side.outside
    for turns in turns(reachedFrom: position.longitude, width: 0) {
      let point = UnrolledPoint(
        longitude: position.longitude, latitude: position.latitude, turns: turns)
      switch self.side(of: point) {
      case .inside: return .inside
      case .border: side = .border
      case .outside: continue
      }
    }
    return side
  }

  /// The turns k for which the span from `west` + 360 k, `width` degrees wide, may meet the ring.
  fileprivate func turns(reachedFrom west: Double, width: Double) -> ClosedRange<Int> {
    // Rounded outward: one turn too many costs a check and changes nothing.
    let slack = 1e-9
    let first = ((westernmost.x - west - width) / 360 - slack).rounded(.up)
    let last = ((easternmost.x - west) / 360 + slack).rounded(.down)
    return first <= last ? Int(first)...Int(last) : 0...0
  }

  /// Where a point of the plane lies, from the parity of the edges east of it; exact.
  ///
  /// An edge includes its southern end and not its northern, so a vertex on the parallel counts
  /// once where the ring passes through, and twice or never where it turns back.
  func side(of point: UnrolledPoint) -> Side {
    guard let bands else { return sideByAllEdges(of: point) }
    guard latitudes.contains(point.latitude) else { return .outside }
    if let isInside = fields.isInside(point) { return isInside ? .inside : .outside }
    return side(of: point, bands)
  }

  /// The same test, over the edges of one band.
  private func side(of point: UnrolledPoint, _ bands: PolygonBands) -> Side {
    // Through pointers: passing an array or a slice counts its reference, and threads that count
    // the same reference wait for each other.
    return vertices.withUnsafeVertices { vertices in
      bands.withEdges(at: point.latitude) { edges in
        var isInside = false
        for place in edges {
          let place = Int(place)
          let start = vertices[place == 0 ? vertices.count - 1 : place - 1]
          if meets(start, vertices[place], point, &isInside) { return .border }
        }
        return isInside ? .inside : .outside
      }
    }
  }

  /// The same test, over all edges.
  func sideByAllEdges(of point: UnrolledPoint) -> Side {
    var isInside = false
    var start = vertices[vertices.count - 1]
    for end in vertices {
      if meets(start, end, point, &isInside) { return .border }
      start = end
    }
    return isInside ? .inside : .outside
  }

  /// Whether a point lies on an edge; toggles `isInside` if the edge lies east of the point.
  @inline(__always)
  private func meets(
    _ start: UnrolledPoint, _ end: UnrolledPoint, _ point: UnrolledPoint, _ isInside: inout Bool
  ) -> Bool {
    if end.coincides(with: point) { return true }
    let endsAbove = end.latitude > point.latitude
    if (start.latitude > point.latitude) != endsAbove {
      let turn = orientation(start, end, point)
      if turn == 0 { return true }
      if (turn > 0) == endsAbove { isInside.toggle() }
    } else if start.latitude == point.latitude, end.latitude == point.latitude,
      point.sideOfMeridian(of: start) != point.sideOfMeridian(of: end)
    {
      return true
    }
    return false
  }
}

extension PolygonRing {
  /// Where a whole box lies: `border` if the ring may pass through it or touch it.
  func side(of box: BoundingBox) -> Side {
    let width = box.width
    var side = Side.outside
    for turns in turns(reachedFrom: box.west, width: width) {
      let corner = UnrolledPoint(longitude: box.west, latitude: box.south, turns: turns)
      let opposite = UnrolledPoint(
        longitude: box.east, latitude: box.north, turns: turns + (box.east < box.west ? 1 : 0))
      if let isInside = fields.isInside(from: corner, to: opposite) {
        if isInside { side = .inside }
        continue
      }
      guard !mayTouch(from: corner, width: width, height: box.north - box.south) else {
        return .border
      }
      // No edge is near, so the whole box lies on the same side as its corner.
      if self.side(of: corner) != .outside { side = .inside }
    }
    return side
  }

  /// Whether an edge may touch a rectangle; never false if it does.
  ///
  /// By the separating axis theorem, an edge and a rectangle are apart if their projections on the
  /// x axis, the y axis or the edge's normal are apart.
  private func mayTouch(from corner: UnrolledPoint, width: Double, height: Double) -> Bool {
    let margin = 1e-9
    let halfWidth = width / 2 + margin, halfHeight = height / 2 + margin
    let centerX = corner.x + width / 2, centerY = corner.latitude + height / 2
    var mayTouch = false
    forEachEdge { start, end in
      let startX = start.x - centerX, endX = end.x - centerX
      let startY = start.latitude - centerY, endY = end.latitude - centerY
      guard min(startX, endX) <= halfWidth, max(startX, endX) >= -halfWidth,
        min(startY, endY) <= halfHeight, max(startY, endY) >= -halfHeight
      else { return }
      let deltaX = endX - startX, deltaY = endY - startY
      let offset = abs(deltaX * startY - deltaY * startX)
      if offset <= abs(deltaX) * halfHeight + abs(deltaY) * halfWidth + margin { mayTouch = true }
    }
    return mayTouch
  }
}

/// A vertex of a polygon's ring, in degrees.
///
/// Unlike a `Coordinate`, it distinguishes 180 from −180: the edge from −180 to 180 along a
/// parallel goes once round the Earth, and a ring cut at ±180° says on which side it is.
public struct PolygonVertex: Hashable, Sendable {
  /// Degrees north of the equator, −90…90.
  public let latitude: Double
  /// Degrees east of Greenwich, −180…180.
  public let longitude: Double

  /// - Throws: `CoordinateError`, as `Coordinate(latitude:longitude:)` does.
  public init(latitude: Double, longitude: Double) throws(CoordinateError) {
    _ = try Coordinate(latitude: latitude, longitude: longitude)
    self.latitude = latitude + 0
    self.longitude = longitude + 0
  }

  /// For degrees already known to be valid.
  init(unchecked latitude: Double, _ longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The vertex at a position; at ±180° its longitude is −180.
  public init(_ position: Coordinate) {
    latitude = position.latitude
    longitude = position.longitude
  }
}

/// The vertices of a line or of a ring, unrolled: each is joined to the one before it the shorter way, also across ±180°.
///
/// They are kept as they were given, 16 bytes each, and beside them the turns of those that cross ±180°.
struct UnrolledVertices: RandomAccessCollection, Sendable {
  private let vertices: [PolygonVertex]
  /// By vertex, the whole turns from its longitude to where it is; none if there are none anywhere.
  private let turns: [Int32]
  /// The number of vertices; more may have been given.
  let endIndex: Int
  var startIndex: Int { 0 }

  /// - Parameter count: How many of the vertices to take, from the first.
  init(_ vertices: [PolygonVertex], count: Int) {
    // An array that has grown may have twice the room that it needs.
    self.vertices =
      vertices.capacity <= count + count / 4 + 4 ? vertices : Array(vertices.prefix(count))
    endIndex = count
    turns = UnrolledVertices.turns(of: vertices, count)
  }

  /// The whole turns that an edge adds: ±1 if it crosses ±180.
  ///
  /// An edge crosses ±180 if the other way is longer than half round the Earth. From −180 to 180 is
  /// one full turn, since nobody writes an edge of no length that way.
  static func turns(from start: PolygonVertex, to end: PolygonVertex) -> Int {
    let jump = end.longitude - start.longitude
    guard abs(jump) > 180, abs(jump) != 360 else { return 0 }
    return jump < 0 ? 1 : -1
  }

  private static func turns(of vertices: [PolygonVertex], _ count: Int) -> [Int32] {
    guard let first = vertices.first else { return [] }
    var all: [Int32] = []
    var turns = 0, previous = first
    for (place, vertex) in vertices.prefix(count).enumerated() {
      let step = self.turns(from: previous, to: vertex)
      previous = vertex
      if step != 0, all.isEmpty { all = Array(repeating: 0, count: place) }
      turns += step
      if turns != 0 || !all.isEmpty { all.append(Int32(clamping: turns)) }
    }
    return all
  }

  subscript(place: Int) -> UnrolledPoint {
    UnrolledPoint(vertices[place], turns: turns.isEmpty ? 0 : Int(turns[place]))
  }

  /// Calls `body` with the vertices as they lie in memory, which counts no reference: threads that count the same one
  /// wait for each other.
  @inline(__always)
  func withUnsafeVertices<Result>(_ body: (UnsafeVertices) -> Result) -> Result {
    vertices.withUnsafeBufferPointer { vertices in
      turns.withUnsafeBufferPointer { turns in
        body(UnsafeVertices(vertices: vertices, turns: turns, count: endIndex))
      }
    }
  }

  /// The vertices while they are read.
  struct UnsafeVertices {
    fileprivate let vertices: UnsafeBufferPointer<PolygonVertex>
    fileprivate let turns: UnsafeBufferPointer<Int32>
    let count: Int

    @inline(__always)
    subscript(place: Int) -> UnrolledPoint {
      UnrolledPoint(vertices[place], turns: turns.isEmpty ? 0 : Int(turns[place]))
    }
  }
}

extension UnrolledVertices: Hashable {
  static func == (a: Self, b: Self) -> Bool { a.count == b.count && a.elementsEqual(b) }

  func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for vertex in self { hasher.combine(vertex) }
  }
}
