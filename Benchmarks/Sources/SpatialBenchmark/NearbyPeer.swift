import NearbyKit

/// This package's index: every call into it that the suite makes stands in this file.
struct NearbyKind: PeerKind {
  let name = NearbyKind.rowName
  let version = "this package"
  let settings = "KDTreeIndex, categories given"
  let measure = Measure.wgs84

  /// Its rows are what all others are compared with.
  static let rowName = "nearby"

  func build(_ data: DataSet, threads: Int) throws -> any Peer {
    precondition(threads == 1, "the index is not built by \(threads) threads yet")
    return try NearbyPeer(data)
  }
}

private final class NearbyPeer: Peer {
  private let data: DataSet
  private let index: KDTreeIndex
  /// Where `knn10_meters` puts the distances.
  private let meters: UnsafeMutablePointer<Double>
  private static let meterCapacity = 1_000

  /// Checking the positions and making them `Coordinate`s is part of building.
  init(_ data: DataSet) throws {
    self.data = data
    let points = data.points
    let coordinates = try (0..<data.count).map {
      try Coordinate(latitude: points[2 * $0 + 1], longitude: points[2 * $0])
    }
    index = KDTreeIndex(
      coordinates, categories: data.categories.map { CategorySet(category: Int($0)) })
    meters = .allocate(capacity: NearbyPeer.meterCapacity)
  }

  deinit { meters.deallocate() }

  func answering(_ operation: Operation) -> Answering? {
    let index = index, origins = data.origins, meters = meters
    let answers = AnswerMemory()
    switch operation {
    case .nearest(let k):
      return .each { query, ids in
        index.findNearest(k, to: origins[query], into: &answers.buffer)
        return answers.copy(to: ids)
      }
    case .nearestMeters(let k):
      precondition(k <= NearbyPeer.meterCapacity, "no room for \(k) distances")
      return .each { query, ids in
        index.measureNearest(k, to: origins[query], into: &answers.buffer)
        for (place, distance) in answers.buffer.distances.enumerated() { meters[place] = distance }
        return answers.copy(to: ids)
      }
    case .nearestBatch:
      return nil
    case .box(let size):
      guard let boxes = data.boundingBoxes[size] else { return nil }
      return .each { query, ids in
        index.find(in: boxes[query], into: &answers.buffer)
        return answers.copy(to: ids)
      }
    case .radius(let meters):
      let radius = Distance.meters(meters)
      return .each { query, ids in
        index.find(within: radius, of: origins[query], into: &answers.buffer)
        return answers.copy(to: ids)
      }
    case .nearestOfThird, .nearestRare:
      let sets = (0..<4).map { CategorySet(category: $0) }
      let isRare = operation == .nearestRare
      return .each { query, ids in
        index.findNearest(
          10, to: origins[query], categories: sets[isRare ? 3 : query % 3],
          into: &answers.buffer)
        return answers.copy(to: ids)
      }
    }
  }
}

/// The memory that one operation's answers come in.
private final class AnswerMemory {
  var buffer = QueryBuffer()

  func copy(to ids: UnsafeMutablePointer<UInt32>) -> Int {
    let count = buffer.positions.count
    buffer.positions.copy(to: UnsafeMutableBufferPointer(start: ids, count: count))
    return count
  }
}
