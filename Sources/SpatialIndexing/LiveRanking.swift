import Geodesy

/// Puts candidates in the order of the geodesics to them, measuring only those whose chords do not
/// tell which is nearer.
struct LiveRanking {
  private let origin: Coordinate
  private let lineOrigin: LineOrigin

  init(_ origin: Coordinate) {
    self.origin = origin
    lineOrigin = LineOrigin(origin)
  }

  /// Calls `body` with candidates by ascending (geodesic, id).
  func rank(_ candidates: [LiveCandidate], _ body: (RankedCandidates) -> Void) {
    let count = candidates.count
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 3 * count) { numbers in
      withUnsafeTemporaryAllocation(of: Int.self, capacity: count) { order in
        guard let latitudes = numbers.baseAddress else { return }
        let longitudes = latitudes + count, chords = longitudes + count
        for index in 0..<count {
          let candidate = candidates[index]
          latitudes[index] = candidate.leaf.latitude(candidate.slot)
          longitudes[index] = candidate.leaf.longitude(candidate.slot)
          order[index] = index
        }
        lineOrigin.squaredChords(
          latitudes: latitudes, longitudes: longitudes, count: count, into: chords)
        sort(order, by: chords)
        settleTies(order, chords, candidates)
        body(RankedCandidates(candidates: candidates, order: UnsafeBufferPointer(order)))
      }
    }
  }

  private func sort(_ order: UnsafeMutableBufferPointer<Int>, by chords: UnsafePointer<Double>) {
    guard order.count <= 24 else {
      var order = order
      return order.sort { chords[$0] < chords[$1] }
    }
    for index in order.indices.dropFirst() {
      let item = order[index]
      let chord = chords[item]
      var place = index
      while place > 0, chords[order[place - 1]] > chord {
        order[place] = order[place - 1]
        place -= 1
      }
      order[place] = item
    }
  }

  /// Orders runs of candidates whose chords are too close to tell them apart by geodesic and id.
  private func settleTies(
    _ order: UnsafeMutableBufferPointer<Int>, _ chords: UnsafePointer<Double>,
    _ candidates: [LiveCandidate]
  ) {
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count,
        chords[order[end]] <= ChordBracket.squaredReach(past: chords[order[end - 1]])
      { end += 1 }
      if end - start > 1 {
        let settled = order[start..<end].map { index in
          let candidate = candidates[index]
          return (
            meters: candidate.meters(from: origin), id: candidate.leaf.id(candidate.slot),
            index: index
          )
        }.sorted { ($0.meters, $0.id) < ($1.meters, $1.id) }
        for (place, entry) in settled.enumerated() { order[start + place] = entry.index }
      }
      start = end
    }
  }
}

/// Candidates in an order of their own.
struct RankedCandidates: RandomAccessCollection {
  let candidates: [LiveCandidate]
  let order: UnsafeBufferPointer<Int>

  var startIndex: Int { 0 }
  var endIndex: Int { order.count }
  subscript(rank: Int) -> LiveCandidate { candidates[order[rank]] }
}
