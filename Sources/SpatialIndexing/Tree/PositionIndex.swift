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

// The shortest queries are inlinable, so that a call goes straight to the tree; the others are written for both
// kinds at once. A list of geohashes costs what a tree costs, plus some more leaves: a run of the sorted list is
// not a compact patch of ground where it steps from one large cell into the next.

extension PositionIndex {
  /// The number of positions in the index.
  @inlinable public var count: Int { packed.count }

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

  /// Returns the number of positions inside a box, without listing them.
  @inlinable public func count(in box: BoundingBox) -> Int { packed.count(in: box) }

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
}

/// The two kinds of ``PositionIndex``, where one can be chosen.
public enum PositionIndexKind: String, CaseIterable, Sendable {
  /// ``KDTreeIndex``: the fastest to query.
  case tree
  /// ``GeohashIndex``: one list in geohash order.
  case geohash
}
