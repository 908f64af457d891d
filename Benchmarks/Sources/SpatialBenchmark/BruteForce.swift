import Foundation
import NearbyKit

/// The judge where no sum is known: looks at every point for every question.
///
/// Neither trees nor boxes of the index under test take part. On WGS 84 the order is that of
/// `Coordinate.distance(to:)`, Karney's geodesic; a chord through the earth is never longer than
/// the geodesic, so points beyond a distance by their chord are beyond it indeed.
struct BruteForce {
  private let data: DataSet
  private let measure: Measure
  /// The points, as `Measure.place` has them.
  private let x: [Double], y: [Double], z: [Double]

  /// - Precondition: `measure` is not `geographic`, which only its engine knows.
  init(_ data: DataSet, measure: Measure) {
    precondition(measure != .geographic, "an engine's own approximation has no other judge")
    self.data = data
    self.measure = measure
    let places = (0..<data.count).map {
      measure.place(longitude: data.points[2 * $0], latitude: data.points[2 * $0 + 1])
    }
    x = places.map(\.x)
    y = places.map(\.y)
    z = places.map(\.z)
  }

  /// Answers the first questions of operations, all of one question while its chords are at hand.
  ///
  /// Of far questions the geodesic answers few: their chords leave most points open.
  func digests(of operations: [Operation], queries: Int) -> [Operation: AnswerDigest] {
    var digests = Dictionary(uniqueKeysWithValues: operations.map { ($0, AnswerDigest()) })
    var squaredChords = [Double](repeating: 0, count: data.count)
    for (first, operations) in Dictionary(grouping: operations, by: { $0.firstQuery(in: data) }) {
      let isFar = first > 0
      for query in 0..<(isFar && measure == .wgs84 ? min(queries, 20) : queries) {
        measureAll(to: first + query, &squaredChords)
        for operation in operations where query < operation.queryCount(in: data) {
          let ids = answer(operation, first + query, squaredChords)
          ids.withUnsafeBufferPointer { digests[operation]?.append($0, of: data) }
        }
      }
    }
    return digests
  }

  private func answer(_ operation: Operation, _ query: Int, _ squaredChords: [Double]) -> [UInt32] {
    if case .box(let size) = operation { return inside(size, query) }
    if case .radius(let meters) = operation { return within(meters, query, squaredChords) }
    guard let limit = operation.limit else { return [] }
    return nearest(limit, query, squaredChords, category: operation.category(query: query))
  }

  // MARK: Nearest

  private func nearest(
    _ limit: Int, _ query: Int, _ squaredChords: [Double], category: UInt32?
  ) -> [UInt32] {
    let byChord = leastChords(limit, squaredChords, category: category)
    guard measure == .wgs84, let last = byChord.last else { return byChord }
    guard byChord.count == limit else { return byChord }
    // So many points lie within this geodesic, so the answer does, and its chords.
    let farthest = byChord.map { measure.distance(from: query, to: Int($0), in: data) }.max() ?? 0
    let reach = max((farthest + 1e-6) * (farthest + 1e-6), squaredChords[Int(last)])
    return ids(squaredChords, upTo: reach, category: category)
      .map { (meters: measure.distance(from: query, to: Int($0), in: data), id: $0) }
      .sorted { ($0.meters, $0.id) < ($1.meters, $1.id) }
      .prefix(limit).map(\.id)
  }

  private func leastChords(
    _ limit: Int, _ squaredChords: [Double], category: UInt32?
  ) -> [UInt32] {
    var best: [(squaredChord: Double, id: UInt32)] = []
    var bound = Double.infinity
    squaredChords.withUnsafeBufferPointer { squaredChords in
      for id in 0..<squaredChords.count where squaredChords[id] < bound {
        if let category, data.categories[id] != category { continue }
        let place = best.firstIndex { $0.squaredChord > squaredChords[id] } ?? best.count
        best.insert((squaredChords[id], UInt32(id)), at: place)
        if best.count > limit { best.removeLast() }
        if best.count == limit { bound = best[limit - 1].squaredChord }
      }
    }
    return best.map(\.id)
  }

  // MARK: Circles and boxes

  private func within(_ radius: Double, _ query: Int, _ squaredChords: [Double]) -> [UInt32] {
    switch measure {
    case .wgs84:
      return ids(squaredChords, upTo: (radius + 1e-6) * (radius + 1e-6), category: nil)
        .filter { measure.distance(from: query, to: Int($0), in: data) <= radius }
    default:
      let chord = 2 * sin(radius / Measure.sphereRadius / 2)
      return ids(squaredChords, upTo: chord * chord, category: nil)
    }
  }

  private func ids(
    _ squaredChords: [Double], upTo limit: Double, category: UInt32?
  ) -> [UInt32] {
    var ids: [UInt32] = []
    squaredChords.withUnsafeBufferPointer { squaredChords in
      for id in 0..<squaredChords.count where squaredChords[id] <= limit {
        if let category, data.categories[id] != category { continue }
        ids.append(UInt32(id))
      }
    }
    return ids
  }

  private func inside(_ size: Int, _ query: Int) -> [UInt32] {
    guard let boxes = data.boxes[size] else { return [] }
    let west = boxes[4 * query], south = boxes[4 * query + 1]
    let east = boxes[4 * query + 2], north = boxes[4 * query + 3]
    // 180 and −180 are one meridian to an engine on the earth, two numbers on the plane.
    let isFolded = measure == .wgs84 && (west == -180 || east == 180)
    return (0..<data.count).compactMap { id in
      let longitude = data.points[2 * id], latitude = data.points[2 * id + 1]
      guard latitude >= south, latitude <= north else { return nil }
      let isBetween = longitude >= west && longitude <= east
      return isBetween || (isFolded && abs(longitude) == 180) ? UInt32(id) : nil
    }
  }

  // MARK: Measuring

  private func measureAll(to query: Int, _ squaredChords: inout [Double]) {
    let origin = measure.place(
      longitude: data.queries[2 * query], latitude: data.queries[2 * query + 1])
    squaredChords.withUnsafeMutableBufferPointer { squaredChords in
      x.withUnsafeBufferPointer { x in
        y.withUnsafeBufferPointer { y in
          z.withUnsafeBufferPointer { z in
            for id in 0..<squaredChords.count {
              let dx = x[id] - origin.x, dy = y[id] - origin.y, dz = z[id] - origin.z
              squaredChords[id] = dx * dx + dy * dy + dz * dz
            }
          }
        }
      }
    }
  }
}
