import Geodesy

/// An index over bare positions: what ``KDTreeIndex`` and ``GeohashIndex`` both answer, exactly, in the
/// same order and with the same `validRadius`.
///
/// Which of them answers changes nothing but how long it takes. A position is named by its offset in
/// the input. What each question means, returns and costs is said at ``KDTreeIndex``.
public protocol PositionIndex: Sendable {
  /// How many positions the index holds.
  var count: Int { get }

  /// How many bytes the index keeps, all it holds included.
  var byteCount: Int { get }

  /// What was wrong with the pages of a file that were read so far; nil when nothing was.
  var damage: IndexFileError? { get }

  /// The positions nearest to an origin, of those that a predicate includes.
  func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance, beyond inner: Distance?,
    categories: CategorySet, where isIncluded: (Int) -> Bool
  ) -> NearestAnswer

  /// The positions nearest to an origin.
  func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance, beyond inner: Distance?,
    categories: CategorySet
  ) -> NearestAnswer

  /// All positions, nearest first, found only as far as they are asked for.
  func neighborsByDistance(from origin: Coordinate) -> NeighborSequence

  /// Every position within a distance, nearest first.
  func neighbors(
    within radius: Distance, of origin: Coordinate, categories: CategorySet,
    where isIncluded: (Int) -> Bool
  ) -> [Neighbor]

  /// How many positions lie within a distance.
  func count(within radius: Distance, of origin: Coordinate) -> Int

  /// The positions inside a box, ascending.
  func positions(in box: BoundingBox, categories: CategorySet) -> [Int]

  /// How many positions a box holds.
  func count(in box: BoundingBox) -> Int

  /// The positions inside an area, ascending.
  func positions(in area: some Area, categories: CategorySet) -> [Int]

  /// Finds the positions nearest to an origin without measuring how far they are.
  func findNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet, into buffer: inout QueryBuffer)

  /// Finds the positions nearest to an origin, and how far they are.
  func measureNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet, into buffer: inout QueryBuffer)

  /// Finds the positions in a box, in no particular order.
  func find(in box: BoundingBox, categories: CategorySet, into buffer: inout QueryBuffer)

  /// Finds the positions within a distance, in no particular order.
  func find(
    within radius: Distance, of origin: Coordinate, categories: CategorySet,
    into buffer: inout QueryBuffer)

  /// Finds for each of many origins the nearest positions.
  func findNearest(
    _ limit: Int, toEach origins: [Coordinate], categories: CategorySet
  ) -> NearestBatch

  /// The same in several tasks at once.
  func findNearest(
    _ limit: Int, toEach origins: [Coordinate], categories: CategorySet, maximumTasks: Int?
  ) async -> NearestBatch
}

extension KDTreeIndex: PositionIndex {}

/// The two kinds of ``PositionIndex``, where one can be chosen.
public enum PositionIndexKind: String, CaseIterable, Sendable {
  /// ``KDTreeIndex``: the fastest to ask.
  case tree
  /// ``GeohashIndex``: one list in the order of geohashes.
  case geohash
}
