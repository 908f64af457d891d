import Geodesy

/// A candidate for an answer: its location, and the number that breaks ties in distance.
struct MeasuredCandidate: BitwiseCopyable {
  let latitude, longitude: Double
  let number: UInt64
  /// The slot by which its index finds it.
  let slot: Int
  /// The distance in meters; NaN before it is measured.
  var distance = Double.nan

  fileprivate static func < (left: MeasuredCandidate, right: MeasuredCandidate) -> Bool {
    left.distance == right.distance ? left.number < right.number : left.distance < right.distance
  }
}

extension [MeasuredCandidate] {
  /// Measures the candidates and sorts them by (distance, number).
  ///
  /// Distances are those of `LineOrigin`, and geodesics where the order or `limit` needs them: geodesics decide
  /// which comes first, and which is within the limit.
  ///
  /// - Parameter limit: The maximum distance, inclusive; candidates beyond it are dropped.
  /// - Returns: The number of geodesics computed.
  @discardableResult
  mutating func measure(from origin: Coordinate, within limit: Distance = .infinity) -> Int {
    var geodesics = 0
    func geodesic(_ candidate: MeasuredCandidate) -> Double {
      geodesics += 1
      return Geodesic.distance(
        latitude1: origin.latitude, longitude1: origin.longitude,
        latitude2: candidate.latitude, longitude2: candidate.longitude)
    }
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 4 * count) { memory in
      guard let latitudes = memory.baseAddress else { return }
      let longitudes = latitudes + count
      let squaredChords = longitudes + count
      let distances = squaredChords + count
      for index in indices {
        latitudes[index] = self[index].latitude
        longitudes[index] = self[index].longitude
      }
      LineOrigin(origin).lines(
        latitudes: latitudes, longitudes: longitudes, count: count, squaredChords: squaredChords,
        distances: distances)
      for index in indices {
        let distance = distances[index]
        let isClear = abs(distance - limit.meters) > LineOrigin.tie
        self[index].distance = isClear ? distance : geodesic(self[index])
      }
    }
    sortByDistance()
    let runs = tiedRuns(count: count) { place in
      let meters = self[place].distance
      return (meters, meters + LineOrigin.tie)
    }
    for run in runs {
      let first = self[run.lowerBound]
      if run.allSatisfy({
        self[$0].latitude == first.latitude && self[$0].longitude == first.longitude
      }) {
        continue
      }
      for index in run { self[index].distance = geodesic(self[index]) }
      self[run].sort(by: <)
    }
    while let last, last.distance > limit.meters { removeLast() }
    return geodesics
  }
}

extension [MeasuredCandidate] {
  /// Sorts the measured candidates.
  ///
  /// Around an origin, squared distances are spread more or less evenly: distributed by them into as many buckets as
  /// there are candidates, few share a bucket.
  private mutating func sortByDistance() {
    let farthest = reduce(0) { Swift.max($0, $1.distance) }
    let scale = Double(count) / (farthest * farthest)
    // Infinite if all are at the origin, or so near that the square underflows.
    guard count > 32, scale < .infinity else { return sort(by: <) }
    let count = count
    func part(_ candidate: MeasuredCandidate) -> Int {
      Swift.min(Int(candidate.distance * candidate.distance * scale), count - 1)
    }
    let candidates = self
    withUnsafeTemporaryAllocation(of: Int.self, capacity: count) { ends in
      ends.initialize(repeating: 0)
      for candidate in candidates { ends[part(candidate)] += 1 }
      var sum = 0
      for part in 0..<count {
        let start = sum
        sum += ends[part]
        ends[part] = start
      }
      for candidate in candidates {
        self[ends[part(candidate)]] = candidate
        ends[part(candidate)] += 1
      }
      var start = 0
      for end in ends where end > start {
        if end > start + 1 { self[start..<end].sort(by: <) }
        start = end
      }
    }
  }
}

extension [Neighbor] {
  /// The same neighbors in the same order, with the distances of a search that finds no others.
  ///
  /// - Parameter coordinate: Returns the coordinate of a position.
  package func measuredAlone(
    from origin: Coordinate, _ coordinate: (_ position: Int) -> Coordinate
  ) -> [Neighbor] {
    var candidates = enumerated().map { rank, neighbor in
      let place = coordinate(neighbor.offset)
      return MeasuredCandidate(
        latitude: place.latitude, longitude: place.longitude, number: UInt64(rank),
        slot: neighbor.offset)
    }
    candidates.measure(from: origin)
    return candidates.map { Neighbor(offset: $0.slot, distance: .meters($0.distance)) }
  }
}

extension TreeView {
  /// The neighbors in some slots by (distance, offset), and the number of geodesics computed for
  /// that.
  func measuredNeighbors(of slots: [Int], from origin: Coordinate) -> ([Neighbor], geodesics: Int) {
    var candidates = slots.map { slot in
      MeasuredCandidate(
        latitude: latitude(slot), longitude: longitude(slot), number: UInt64(position(slot)),
        slot: slot)
    }
    let geodesics = candidates.measure(from: origin)
    return (
      candidates.map { Neighbor(offset: Int($0.number), distance: .meters($0.distance)) },
      geodesics
    )
  }
}

/// The runs of elements, sorted by least value, whose order is uncertain.
///
/// In a run, each next least value is no more than the greatest value of some element before it.
///
/// - Parameters:
///   - limit: Runs that begin at this offset or later do not matter.
///   - bounds: The bounds of the value at an offset.
/// - Returns: Runs of two or more.
@inline(__always)
func tiedRuns(
  count: Int, limit: Int = .max, _ bounds: (Int) -> (least: Double, greatest: Double)
) -> [Range<Int>] {
  var runs: [Range<Int>] = []
  var start = 0
  while start < min(limit, count) {
    var end = start + 1
    var greatest = bounds(start).greatest
    while end < count {
      let next = bounds(end)
      guard next.least <= greatest else { break }
      greatest = max(greatest, next.greatest)
      end += 1
    }
    if end - start > 1 { runs.append(start..<end) }
    start = end
  }
  return runs
}
