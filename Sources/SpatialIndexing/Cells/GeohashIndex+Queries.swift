import Geodesy

// The answers of the tree whose leaves hold the positions. They cost what the tree's cost, plus some
// more leaves: a run of the sorted list is not a compact patch of ground where it steps from one large
// cell into the next.

extension GeohashIndex {
  /// The number of positions in the index.
  public var count: Int { tree.count }

  /// The total number of bytes the index takes.
  public var byteCount: Int { tree.byteCount }

  /// The damage found in the pages of a file read so far; nil if there is none.
  public var damage: IndexFileError? { tree.damage }

  /// Returns the positions nearest to an origin that a predicate includes, nearest first: see
  /// ``KDTreeIndex/nearest(_:to:within:beyond:categories:where:)``.
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, categories: CategorySet = .any,
    where isIncluded: (Int) -> Bool
  ) -> NearestAnswer {
    tree.nearest(
      limit, to: origin, within: outer, beyond: inner, categories: categories, where: isIncluded)
  }

  /// Returns the positions nearest to an origin, nearest first: see
  /// ``KDTreeIndex/nearest(_:to:within:beyond:categories:)``.
  public func nearest(
    _ limit: Int, to origin: Coordinate, within outer: Distance = .infinity,
    beyond inner: Distance? = nil, categories: CategorySet = .any
  ) -> NearestAnswer {
    tree.nearest(limit, to: origin, within: outer, beyond: inner, categories: categories)
  }

  /// All positions, nearest first, found lazily.
  public func neighborsByDistance(from origin: Coordinate) -> NeighborSequence {
    tree.neighborsByDistance(from: origin)
  }

  /// Returns every position within a distance (inclusive), nearest first.
  public func neighbors(
    within radius: Distance, of origin: Coordinate, categories: CategorySet = .any,
    where isIncluded: (Int) -> Bool = { _ in true }
  ) -> [Neighbor] {
    tree.neighbors(within: radius, of: origin, categories: categories, where: isIncluded)
  }

  /// Returns the number of positions within a distance (inclusive).
  public func count(within radius: Distance, of origin: Coordinate) -> Int {
    tree.count(within: radius, of: origin)
  }

  /// Returns the positions inside a box, its edges included, in ascending order.
  public func positions(in box: BoundingBox, categories: CategorySet = .any) -> [Int] {
    tree.positions(in: box, categories: categories)
  }

  /// Returns the number of positions inside a box, without listing them.
  public func count(in box: BoundingBox) -> Int { tree.count(in: box) }

  /// Returns the positions inside an area, its border included, in ascending order.
  public func positions(in area: some Area, categories: CategorySet = .any) -> [Int] {
    tree.positions(in: area, categories: categories)
  }

  /// Finds the positions nearest to an origin, nearest first, without measuring their distances.
  public func findNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    tree.findNearest(limit, to: origin, categories: categories, into: &buffer)
  }

  /// Finds the positions nearest to an origin, nearest first, and their distances.
  public func measureNearest(
    _ limit: Int, to origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    tree.measureNearest(limit, to: origin, categories: categories, into: &buffer)
  }

  /// Finds the positions in a box, in no particular order.
  public func find(
    in box: BoundingBox, categories: CategorySet = .any, into buffer: inout QueryBuffer
  ) {
    tree.find(in: box, categories: categories, into: &buffer)
  }

  /// Finds the positions within a distance (inclusive), in no particular order.
  public func find(
    within radius: Distance, of origin: Coordinate, categories: CategorySet = .any,
    into buffer: inout QueryBuffer
  ) {
    tree.find(within: radius, of: origin, categories: categories, into: &buffer)
  }

  /// Finds the nearest positions for each of many origins, nearest first.
  public func findNearest(
    _ limit: Int, toEach origins: [Coordinate], categories: CategorySet = .any
  ) -> NearestBatch {
    tree.findNearest(limit, toEach: origins, categories: categories)
  }

  /// Finds the nearest positions for each of many origins in several tasks at once.
  public func findNearest(
    _ limit: Int, toEach origins: [Coordinate], categories: CategorySet = .any,
    maximumTasks: Int?
  ) async -> NearestBatch {
    await tree.findNearest(
      limit, toEach: origins, categories: categories, maximumTasks: maximumTasks)
  }
}
