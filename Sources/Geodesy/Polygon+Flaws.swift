/// A departure of a polygon's ring from Simple Features and RFC 7946 that leaves its area unambiguous.
public enum PolygonFlaw: Hashable, Sendable {
  /// The ring runs the wrong way round: an outer one clockwise, a hole counterclockwise (RFC 7946 §3.1.6).
  case winding(ring: Int)
  /// A vertex is repeated at once: the first such vertex, and how many there are.
  case repeated(PolygonVertex, count: Int, ring: Int)
  /// The ring turns back on itself: the first such vertex, and how many there are.
  case spike(PolygonVertex, count: Int, ring: Int)
  /// Two edges that are not neighbors meet; holds one such position.
  case crossing(PolygonVertex, ring: Int)
  /// Too many edges lie close together, so not all pairs were checked for crossings.
  case unchecked(ring: Int)

  /// The flaw's code, for programs.
  public var code: String {
    switch self {
    case .winding: "polygon-winding"
    case .repeated: "polygon-repeated"
    case .spike: "polygon-spike"
    case .crossing: "polygon-crossing"
    case .unchecked: "polygon-unchecked"
    }
  }

  /// One sentence that says where the flaw is and how the ring was understood.
  public var description: String {
    func times(_ count: Int) -> String { count == 1 ? "" : ", and at \(count - 1) more" }
    func place(_ vertex: PolygonVertex) -> String {
      "\(plainDecimal(vertex.latitude)),\(plainDecimal(vertex.longitude))"
    }
    return switch self {
    case .winding(let ring):
      "\(PolygonError.name(ofRing: ring)) runs \(ring == 0 ? "clockwise" : "counterclockwise"), "
        + "the wrong way round; its area is the same either way"
    case .repeated(let vertex, let count, let ring):
      "\(PolygonError.name(ofRing: ring)) repeats its vertex at \(place(vertex))\(times(count)); read once"
    case .spike(let vertex, let count, let ring):
      "\(PolygonError.name(ofRing: ring)) turns back on itself at \(place(vertex))\(times(count)); "
        + "such a spike is a border and encloses nothing"
    case .crossing(let vertex, let ring):
      "\(PolygonError.name(ofRing: ring)) meets itself at \(place(vertex)); "
        + "inside is what it surrounds an odd number of times"
    case .unchecked(let ring):
      "\(PolygonError.name(ofRing: ring)) has too many long edges beside each other to find all places "
        + "where it meets itself; inside is what it surrounds an odd number of times"
    }
  }
}

extension Polygon {
  /// The flaws of the rings, outer ring first; each kind at most once for each ring.
  ///
  /// Exact: rounding never decides whether a ring touches itself.
  ///
  /// - Complexity: O(*n*) expected; O(64 *n*) at most in the vertices, when the result may contain `unchecked`.
  public var flaws: [PolygonFlaw] {
    ([outer] + holes).enumerated().flatMap { number, ring in ring.flaws(number) }
  }
}

extension PolygonRing {
  fileprivate func flaws(_ number: Int) -> [PolygonFlaw] {
    var flaws: [PolygonFlaw] = []
    var corners: [UnrolledPoint] = []
    corners.reserveCapacity(vertices.count)
    var repeats: (first: UnrolledPoint, count: Int)?
    for vertex in vertices {
      if let last = corners.last, last.coincides(with: vertex) {
        repeats = (repeats?.first ?? vertex, (repeats?.count ?? 0) + 1)
      } else {
        corners.append(vertex)
      }
    }
    if let first = corners.first, let last = corners.last, corners.count > 1,
      last.coincides(with: first)
    {
      corners.removeLast()
      repeats = (repeats?.first ?? first, (repeats?.count ?? 0) + 1)
    }
    var spikes: (first: UnrolledPoint, count: Int)?
    var area = 0.0
    for place in corners.indices {
      let here = corners[place]
      let before = corners[place == 0 ? corners.count - 1 : place - 1]
      let after = corners[place + 1 == corners.count ? 0 : place + 1]
      // Relative to the first vertex, to avoid cancellation.
      let (x, y) = (here.x - corners[0].x, here.latitude - corners[0].latitude)
      area += x * (after.latitude - corners[0].latitude) - (after.x - corners[0].x) * y
      let goesBack =
        (here.x - before.x) * (after.x - here.x)
        + (here.latitude - before.latitude) * (after.latitude - here.latitude) < 0
      if goesBack, orientation(before, here, after) == 0 {
        spikes = (spikes?.first ?? here, (spikes?.count ?? 0) + 1)
      }
    }
    if number == 0 ? area < 0 : area > 0 { flaws.append(.winding(ring: number)) }
    if let repeats {
      flaws.append(.repeated(repeats.first.vertex, count: repeats.count, ring: number))
    }
    if let spikes {
      flaws.append(.spike(spikes.first.vertex, count: spikes.count, ring: number))
    }
    if let flaw = crossing(of: corners, number) { flaws.append(flaw) }
    return flaws
  }

  /// A crossing of edges that are not neighbors, or `unchecked` if the search was stopped.
  ///
  /// - Parameter corners: The vertices, without consecutive duplicates.
  private func crossing(of corners: [UnrolledPoint], _ number: Int) -> PolygonFlaw? {
    guard corners.count > 3 else { return nil }
    func edge(_ end: Int) -> (UnrolledPoint, UnrolledPoint) {
      (corners[end == 0 ? corners.count - 1 : end - 1], corners[end])
    }
    func place(_ first: Int, _ second: Int) -> PolygonFlaw? {
      let gap = abs(first - second)
      guard gap > 1, gap < corners.count - 1 else { return nil }
      let (a, b) = edge(first), (c, d) = edge(second)
      guard edgesMeet(a, b, c, d) else { return nil }
      return .crossing(meetingPlace(a, b, c, d), ring: number)
    }
    // The number of comparisons allowed; half of 16 × 8 pairs in each band is expected.
    var left = 64 * corners.count + 100_000
    func search(_ edges: some RandomAccessCollection<Int32>) -> PolygonFlaw? {
      for (offset, first) in edges.enumerated() {
        for second in edges.dropFirst(offset + 1) {
          left -= 1
          if left < 0 { return .unchecked(ring: number) }
          if let found = place(Int(first), Int(second)) { return found }
        }
      }
      return nil
    }
    let vertices = UnrolledVertices(corners.map(\.vertex), count: corners.count)
    guard let bands = PolygonBands(vertices, latitudes) else {
      return search(Array(0..<Int32(corners.count)))
    }
    for band in 0..<bands.count {
      if let found = bands.withEdges(inBand: band, search) { return found }
    }
    return nil
  }
}

/// The approximate intersection of two edges that meet.
private func meetingPlace(
  _ a: UnrolledPoint, _ b: UnrolledPoint, _ c: UnrolledPoint, _ d: UnrolledPoint
) -> PolygonVertex {
  let (px, py) = (b.x - a.x, b.latitude - a.latitude)
  let (qx, qy) = (d.x - c.x, d.latitude - c.latitude)
  let cross = px * qy - py * qx
  // Edges on one line meet at an end of one of them.
  for end in [a, b] where orientation(c, d, end) == 0 && edgesMeet(end, end, c, d) {
    return end.vertex
  }
  for end in [c, d] where orientation(a, b, end) == 0 && edgesMeet(end, end, a, b) {
    return end.vertex
  }
  let along = ((c.x - a.x) * qy - (c.latitude - a.latitude) * qx) / cross
  let fraction = min(max(along, 0), 1)
  return PolygonVertex(
    unchecked: a.latitude + fraction * py, Coordinate.wrappedLongitude(a.x + fraction * px))
}
