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
    switch operation {
    case .nearest(let k):
      return .each { query, ids in
        copy(index.nearest(k, to: origins[query]).neighbors, to: ids)
      }
    case .nearestMeters(let k):
      precondition(k <= NearbyPeer.meterCapacity, "no room for \(k) distances")
      return .each { query, ids in
        let neighbors = index.nearest(k, to: origins[query]).neighbors
        for (place, neighbor) in neighbors.enumerated() {
          meters[place] = neighbor.distance.meters
        }
        return copy(neighbors, to: ids)
      }
    case .nearestBatch:
      return nil
    case .box(let size):
      guard let boxes = data.boundingBoxes[size] else { return nil }
      return .each { query, ids in
        let positions = index.positions(in: boxes[query])
        for (place, position) in positions.enumerated() { ids[place] = UInt32(position) }
        return positions.count
      }
    case .radius(let meters):
      let radius = Distance.meters(meters)
      return .each { query, ids in
        copy(index.neighbors(within: radius, of: origins[query]), to: ids)
      }
    case .nearestOfThird, .nearestRare:
      let sets = (0..<4).map { CategorySet(category: $0) }
      let isRare = operation == .nearestRare
      return .each { query, ids in
        copy(
          index.nearest(
            10, to: origins[query], categories: sets[isRare ? 3 : query % 3]
          ).neighbors, to: ids)
      }
    }
  }
}

private func copy(_ neighbors: [Neighbor], to ids: UnsafeMutablePointer<UInt32>) -> Int {
  for (place, neighbor) in neighbors.enumerated() { ids[place] = UInt32(neighbor.position) }
  return neighbors.count
}
