/// Rings that cross themselves, as a bow tie.
///
/// The sign of a ring's area says whether it is an exterior, and readers of tiles leave out a ring whose area is 0. In a
/// ring that crosses itself parts cancel each other, so it is split where it does.
extension ShapePath {
  /// The parts of a ring.
  struct Lobes {
    /// The closed rings that enclose the parts.
    var outlines: [[ShapeVertex]] = []
    /// The closed rings within outlines that run the other way round, and leave a part out.
    var gaps: [[ShapeVertex]] = []
  }

  /// The parts of a closed ring, those without area left out.
  ///
  /// A ring stays whole unless more than half of its area is cancelled, and if it is a scribble: most rings cross
  /// themselves nowhere, and then this takes one pass.
  ///
  /// - Complexity: O(*n*), and for a ring that may have to be split O(*n* log *n* + *k*) for *k* pairs of edges that are
  ///   above each other; O(*n*²) worst.
  static func lobes(of ring: [ShapeVertex]) -> Lobes {
    guard let origin = ring.first, ring.count > 3 else { return Lobes() }
    // Along the ring, the area first grows and then shrinks where parts cancel each other.
    var (area, least, most) = (0.0, 0.0, 0.0)
    for (a, b) in zip(ring, ring.dropFirst()) {
      area += (a.x - origin.x) * (b.y - origin.y) - (b.x - origin.x) * (a.y - origin.y)
      least = min(least, area)
      most = max(most, area)
    }
    guard 2 * abs(area) < most - least else {
      return Lobes(outlines: area == 0 ? [] : [ring])
    }
    guard let met = withMeetings(ring) else { return Lobes(outlines: [ring]) }
    let loops = simpleLoops(of: met.dropLast()) { SIMD2($0.x, $0.y) }.map { ring in
      let area = Self.area(of: ring)
      return (path: ShapePath(ring, size: abs(area)), isClockwise: area > 0)
    }.filter { $0.path.size > 0 }
    var lobes = Lobes()
    for loop in loops {
      let isGap = loops.contains {
        $0.isClockwise != loop.isClockwise && $0.path.encloses(loop.path)
      }
      let closed = loop.path.vertices + loop.path.vertices.prefix(1)
      if isGap { lobes.gaps.append(closed) } else { lobes.outlines.append(closed) }
    }
    return lobes
  }

  /// How many meetings a ring may have for each edge: one with more is no outline, but a scribble.
  private static let mostMeetings = 16

  /// A closed ring with a vertex wherever two of its edges meet; nil for a scribble.
  private static func withMeetings(_ ring: [ShapeVertex]) -> [ShapeVertex]? {
    guard let meetings = meetings(ofEdges: ring) else { return nil }
    var met: [ShapeVertex] = []
    for edge in 0..<(ring.count - 1) {
      let (start, end) = (ring[edge], ring[edge + 1])
      func along(_ vertex: ShapeVertex) -> Double {
        (vertex.x - start.x) * (end.x - start.x) + (vertex.y - start.y) * (end.y - start.y)
      }
      let between = (meetings[edge] ?? []).sorted { along($0) < along($1) }
      for vertex in [start] + between where met.last?.isAt(vertex) != true { met.append(vertex) }
    }
    return met + ring.suffix(1)
  }

  /// The vertices, unordered, where each edge of a closed ring meets others; nil for a scribble.
  private static func meetings(ofEdges ring: [ShapeVertex]) -> [Int: [ShapeVertex]]? {
    let edges = 0..<(ring.count - 1)
    func west(_ edge: Int) -> Double { min(ring[edge].x, ring[edge + 1].x) }
    let order = edges.sorted { west($0) < west($1) }
    var meetings: [Int: [ShapeVertex]] = [:]
    var count = 0
    for (place, first) in order.enumerated() {
      let (a, b) = (ring[first], ring[first + 1])
      for second in order[(place + 1)...] {
        // All edges that follow begin further east.
        if west(second) > max(a.x, b.x) { break }
        let (c, d) = (ring[second], ring[second + 1])
        guard min(c.y, d.y) <= max(a.y, b.y), min(a.y, b.y) <= max(c.y, d.y) else { continue }
        let (sideOfA, sideOfB) = (turn(c, d, a), turn(c, d, b))
        let (sideOfC, sideOfD) = (turn(a, b, c), turn(a, b, d))
        if sideOfA * sideOfB < 0, sideOfC * sideOfD < 0 {
          let share = sideOfA / (sideOfA - sideOfB)
          // One vertex for both, so that the loops are found by it.
          let meeting = ShapeVertex(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y))
          meetings[first, default: []].append(meeting)
          meetings[second, default: []].append(meeting)
          count += 1
          if count > mostMeetings * edges.count { return nil }
        } else {
          for (end, side) in [(a, sideOfA), (b, sideOfB)] where side == 0 && isInside(end, c, d) {
            meetings[second, default: []].append(end)
          }
          for (end, side) in [(c, sideOfC), (d, sideOfD)] where side == 0 && isInside(end, a, b) {
            meetings[first, default: []].append(end)
          }
        }
      }
    }
    return meetings
  }

  /// On which side of a line a vertex lies: twice the area of the triangle, 0 on the line.
  static func turn(_ a: ShapeVertex, _ b: ShapeVertex, _ c: ShapeVertex) -> Double {
    (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
  }

  /// Whether a vertex on the line through two others lies between them, and at neither.
  static func isInside(
    _ vertex: ShapeVertex, _ start: ShapeVertex, _ end: ShapeVertex
  ) -> Bool {
    !vertex.isAt(start) && !vertex.isAt(end)
      && min(start.x, end.x) <= vertex.x && vertex.x <= max(start.x, end.x)
      && min(start.y, end.y) <= vertex.y && vertex.y <= max(start.y, end.y)
  }
}

/// The loops of a ring in which no position repeats; neither the ring nor the loops repeat their first vertex.
///
/// - Parameter position: Equal for vertices at one position.
/// - Complexity: O(*n*) expected.
func simpleLoops<Vertex, Key: Hashable>(
  of ring: some Sequence<Vertex>, by position: (Vertex) -> Key
) -> [[Vertex]] {
  var loops: [[Vertex]] = []
  var open: [Vertex] = []
  var places: [Key: Int] = [:]
  for vertex in ring {
    guard let place = places[position(vertex)] else {
      places[position(vertex)] = open.count
      open.append(vertex)
      continue
    }
    loops.append(Array(open[place...]))
    for passed in open[(place + 1)...] { places[position(passed)] = nil }
    open.removeSubrange((place + 1)...)
  }
  loops.append(open)
  return loops
}
