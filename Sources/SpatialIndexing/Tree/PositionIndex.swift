import Geodesy

/// An index over bare positions: the queries that ``KDTreeIndex`` and ``GeohashIndex`` both answer
/// exactly.
///
/// Answers have the same order and the same `validRadius`.
///
/// The choice of index changes only the time a query takes. A position is named by its offset in the
/// input. ``KDTreeIndex`` documents what each query means, returns and costs.
public protocol PositionIndex: Sendable {
  /// The number of positions in the index.
  var count: Int { get }

  /// The total number of bytes the index takes.
  var byteCount: Int { get }

  /// The damage found in the pages of a file read so far; nil if there is none.
  var damage: IndexFileError? { get }

  /// The positions nearest to an origin that a predicate includes.
  func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance, beyond inner: Distance?,
    categories: CategorySet, where isIncluded: (Int) -> Bool
  ) -> NearestAnswer

  /// The positions nearest to an origin.
  func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance, beyond inner: Distance?,
    categories: CategorySet
  ) -> NearestAnswer

  /// All positions, nearest first, found lazily.
  func neighborsByDistance(from origin: Coordinate) -> NeighborSequence

  /// Every position within a distance, nearest first.
  func neighbors(
    within radius: Distance, of origin: Coordinate, categories: CategorySet,
    where isIncluded: (Int) -> Bool
  ) -> [Neighbor]

  /// The number of positions within a distance.
  func count(within radius: Distance, of origin: Coordinate) -> Int

  /// The positions inside a box, ascending.
  func positions(in box: BoundingBox, categories: CategorySet) -> [Int]

  /// The number of positions in a box.
  func count(in box: BoundingBox) -> Int

  /// The positions inside an area, ascending.
  func positions(in area: some Area, categories: CategorySet) -> [Int]

  /// Finds the positions nearest to an origin without measuring their distances.
  func findNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet, into buffer: inout QueryBuffer)

  /// Finds the positions nearest to an origin, and their distances.
  func measureNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet, into buffer: inout QueryBuffer)

  /// Finds the positions in a box, in no particular order.
  func find(in box: BoundingBox, categories: CategorySet, into buffer: inout QueryBuffer)

  /// Finds the positions within a distance, in no particular order.
  func find(
    within radius: Distance, of origin: Coordinate, categories: CategorySet,
    into buffer: inout QueryBuffer)

  /// Finds the nearest positions for each of many origins.
  func findNearest(
    _ limit: Int, toEach origins: [Coordinate], categories: CategorySet
  ) -> NearestBatch

  /// Finds the nearest positions for each of many origins in several tasks at once.
  func findNearest(
    _ limit: Int, toEach origins: [Coordinate], categories: CategorySet, maximumTasks: Int?
  ) async -> NearestBatch
}

extension KDTreeIndex: PositionIndex {}

/// The two kinds of ``PositionIndex``, where one can be chosen.
public enum PositionIndexKind: String, CaseIterable, Sendable {
  /// ``KDTreeIndex``: the fastest to query.
  case tree
  /// ``GeohashIndex``: one list in geohash order.
  case geohash
}
