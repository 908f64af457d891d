import Geodesy

/// An index over bare positions: the queries that ``KDTreeIndex`` and ``GeohashIndex`` both answer
/// exactly.
///
/// Answers have the same order and the same `validRadius`.
///
/// The choice of index changes only the time a query takes. A position is named by its offset in the
/// input. ``KDTreeIndex`` documents what each query means, returns and costs.
public protocol PositionIndex: Sendable {
  /// The tree that answers.
  var packed: KDTreeIndex { get }
}

extension KDTreeIndex: PositionIndex {
  /// The index itself.
  @inlinable public var packed: KDTreeIndex { self }
}

// Inlinable, so that a call goes straight to the tree. A list of geohashes costs what a tree costs, plus some
// more leaves: a run of the sorted list is not a compact patch of ground where it steps from one large cell
// into the next.

extension PositionIndex {
  /// The number of positions in the index.
  @inlinable public var count: Int { packed.count }

  /// The total number of bytes the index takes.
  @inlinable public var byteCount: Int { packed.byteCount }

  /// The damage found in the pages of a file read so far; nil if there is none.
  @inlinable public var damage: IndexFileError? { packed.damage }

  /// Returns the positions nearest to an origin that a predicate includes, nearest first.
  @inlinable
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, categories: CategorySet = .any,
    where isIncluded: (Int) -> Bool
  ) -> NearestAnswer {
    packed.nearest(
      limit, to: origin, within: outer, beyond: inner, categories: categories, where: isIncluded)
  }

  /// Returns the positions nearest to an origin, nearest first.
  @inlinable
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, categories: CategorySet = .any
  ) -> NearestAnswer {
    packed.nearest(limit, to: origin, within: outer, beyond: inner, categories: categories)
  }

  /// All positions, nearest first, found lazily.
  @inlinable
  public func neighborsByDistance(from origin: Coordinate) -> NeighborSequence {
    packed.neighborsByDistance(from: origin)
  }

  /// Returns every position within a distance (inclusive), nearest first.
  @inlinable
  public func neighbors(
    within radius: Distance, of origin: Coordinate, categories: CategorySet = .any,
    where isIncluded: (Int) -> Bool = { _ in true }
  ) -> [Neighbor] {
    packed.neighbors(within: radius, of: origin, categories: categories, where: isIncluded)
  }

  /// Returns the number of positions within a distance (inclusive).
  @inlinable
  public func count(within radius: Distance, of origin: Coordinate) -> Int {
    packed.count(within: radius, of: origin)
  }

  /// Returns the positions inside a box, its edges included, in ascending order.
  @inlinable
  public func positions(in box: BoundingBox, categories: CategorySet = .any) -> [Int] {
    packed.positions(in: box, categories: categories)
  }

  /// Returns the number of positions inside a box, without listing them.
  @inlinable public func count(in box: BoundingBox) -> Int { packed.count(in: box) }

  /// Returns the positions inside an area, its border included, in ascending order.
  @inlinable
  public func positions(in area: some Area, categories: CategorySet = .any) -> [Int] {
    packed.positions(in: area, categories: categories)
  }

  /// Finds the positions nearest to an origin, nearest first, without measuring their distances.
  @inlinable
  public func findNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    packed.findNearest(limit, to: origin, categories: categories, into: &buffer)
  }

  /// Finds the positions nearest to an origin, nearest first, and their distances.
  @inlinable
  public func measureNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    packed.measureNearest(limit, to: origin, categories: categories, into: &buffer)
  }

  /// Finds the positions in a box, in no particular order.
  @inlinable
  public func find(
    in box: BoundingBox, categories: CategorySet = .any, into buffer: inout QueryBuffer
  ) {
    packed.find(in: box, categories: categories, into: &buffer)
  }

  /// Finds the positions within a distance (inclusive), in no particular order.
  @inlinable
  public func find(
    within radius: Distance, of origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    packed.find(within: radius, of: origin, categories: categories, into: &buffer)
  }

  /// Finds the nearest positions for each of many origins, nearest first.
  @inlinable
  public func findNearest(
    _ limit: Int, toEach origins: [Coordinate], categories: CategorySet = .any
  ) -> NearestBatch {
    packed.findNearest(limit, toEach: origins, categories: categories)
  }

  /// Finds the nearest positions for each of many origins in several tasks at once.
  @inlinable
  public func findNearest(
    _ limit: Int, toEach origins: [Coordinate], categories: CategorySet = .any,
    maximumTasks: Int?
  ) async -> NearestBatch {
    await packed.findNearest(
      limit, toEach: origins, categories: categories, maximumTasks: maximumTasks)
  }
}

/// The two kinds of ``PositionIndex``, where one can be chosen.
public enum PositionIndexKind: String, CaseIterable, Sendable {
  /// ``KDTreeIndex``: the fastest to query.
  case tree
  /// ``GeohashIndex``: one list in geohash order.
  case geohash
}
