import NearbyKit

/// This package's indexes: every call into them that the suite makes stands in this file.
struct NearbyKind: PeerKind {
  enum Variant {
    /// The tree as it is by default.
    case tree
    /// The tree as it can be had for twice the memory: asked only what that is for.
    case everyCategory
    /// The sorted list of geohashes.
    case geohash
  }

  let variant: Variant
  let version = "this package"
  let measure = Measure.wgs84

  static var all: [any PeerKind] {
    [Variant.tree, .everyCategory, .geohash].map { NearbyKind(variant: $0) }
  }

  var name: String {
    switch variant {
    case .tree: NearbyKind.rowName
    case .everyCategory: "nearby-every-category"
    case .geohash: "nearby-geohash"
    }
  }

  var settings: String {
    switch variant {
    case .tree: "KDTreeIndex, categories given"
    case .everyCategory: "KDTreeIndex, categories given, ownTrees: .everyCategory"
    case .geohash: "GeohashIndex, categories given"
    }
  }

  /// Its rows are what all others are compared with.
  static let rowName = "nearby"

  let buildThreads = [1, 2]

  /// Checking the positions and making them `Coordinate`s is part of building.
  func build(_ data: DataSet, threads: Int) async throws -> any Peer {
    let points = data.points
    let coordinates = try (0..<data.count).map {
      try Coordinate(latitude: points[2 * $0 + 1], longitude: points[2 * $0])
    }
    let categories = data.categories.map { CategorySet(category: Int($0)) }
    if variant == .geohash {
      let list =
        threads == 1
        ? GeohashIndex(coordinates, categories: categories)
        : try await GeohashIndex(
          building: coordinates, categories: categories, maximumTasks: threads)
      return NearbyPeer(data, list.packed)
    }
    let ownTrees: KDTreeIndex.OwnTrees =
      variant == .everyCategory ? .everyCategory : .rareCategories
    return NearbyPeer(
      data,
      threads == 1
        ? KDTreeIndex(coordinates, categories: categories, ownTrees: ownTrees)
        : try await KDTreeIndex(
          building: coordinates, categories: categories, ownTrees: ownTrees, maximumTasks: threads),
      onlyCategories: variant == .everyCategory)
  }
}

private final class NearbyPeer: Peer {
  private let data: DataSet
  private let index: KDTreeIndex
  private let onlyCategories: Bool
  /// Where `knn10_meters` puts the distances.
  private let meters: UnsafeMutablePointer<Double>
  private let meterCapacity = 1_000

  /// - Parameter onlyCategories: Whether it is asked only for positions of some category.
  init(_ data: DataSet, _ index: KDTreeIndex, onlyCategories: Bool = false) {
    self.data = data
    self.index = index
    self.onlyCategories = onlyCategories
    meters = .allocate(capacity: meterCapacity)
  }

  deinit { meters.deallocate() }

  /// What the index says itself: its memory may be pages that an earlier build has left.
  var ownBytes: Int? { index.byteCount }

  func answering(_ operation: Operation) -> Answering? {
    if onlyCategories, operation != .nearestOfThird, operation != .nearestRare { return nil }
    let index = index, origins = data.origins, meters = meters
    let answers = AnswerMemory()
    switch operation {
    case .nearest(let k):
      return .lent { query in
        index.findNearest(k, to: origins[query], categories: .any, into: &answers.buffer.pointee)
        return answers.ids
      }
    case .far(let k):
      let first = data.queryCount, origins = data.farOrigins
      return .lent { query in
        index.findNearest(
          k, to: origins[query - first], categories: .any, into: &answers.buffer.pointee)
        return answers.ids
      }
    case .nearestMeters(let k):
      precondition(k <= meterCapacity, "no room for \(k) distances")
      return .each { query, ids in
        index.measureNearest(
          k, to: origins[query], categories: .any, into: &answers.buffer.pointee)
        for (place, distance) in answers.buffer.pointee.distances.enumerated() {
          meters[place] = distance
        }
        return answers.copy(to: ids)
      }
    case .nearestBatch(let k, let threads):
      return .all { queries, ids in
        let asked = queries == origins.count ? origins : Array(origins[..<queries])
        let batch =
          threads == 1
          ? index.findNearest(k, toEach: asked, categories: .any)
          : await index.findNearest(
            k, toEach: asked, categories: .any, maximumTasks: threads)
        batch.withUnsafeBufferPointer { all in
          if let first = all.baseAddress { ids.update(from: first, count: all.count) }
        }
        return k
      }
    case .box(let size):
      guard let boxes = data.boundingBoxes[size] else { return nil }
      return .lent { query in
        index.find(in: boxes[query], categories: .any, into: &answers.buffer.pointee)
        return answers.ids
      }
    case .radius(let meters):
      let radius = Distance.meters(meters)
      return .lent { query in
        index.find(
          within: radius, of: origins[query], categories: .any, into: &answers.buffer.pointee)
        return answers.ids
      }
    case .nearestOfThird, .nearestRare:
      let sets = (0..<4).map { CategorySet(category: $0) }
      let isRare = operation == .nearestRare
      return .lent { query in
        index.findNearest(
          10, to: origins[query], categories: sets[isRare ? 3 : query % 3],
          into: &answers.buffer.pointee)
        return answers.ids
      }
    }
  }
}

/// The memory that one operation's answers come in.
private final class AnswerMemory {
  /// A pointer, because a class would check every access to a variable of its own.
  let buffer = UnsafeMutablePointer<QueryBuffer>.allocate(capacity: 1)

  init() { buffer.initialize(to: QueryBuffer()) }

  deinit {
    buffer.deinitialize(count: 1)
    buffer.deallocate()
  }

  /// The last answer, where the index put it: the buffer is the caller's array.
  var ids: UnsafeBufferPointer<UInt32> {
    buffer.pointee.positions.withUnsafeBufferPointer { $0 }
  }

  func copy(to ids: UnsafeMutablePointer<UInt32>) -> Int {
    let count = buffer.pointee.positions.count
    buffer.pointee.positions.copy(to: UnsafeMutableBufferPointer(start: ids, count: count))
    return count
  }
}
