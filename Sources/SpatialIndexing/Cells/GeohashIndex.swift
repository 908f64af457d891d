import Geodesy

/// Positions in geohash order: one sorted list that answers every query of ``PositionIndex`` exactly,
/// and tells which positions lie in a cell.
///
/// Cells with a common prefix lie together, so a cell of any precision is one run of the list. The
/// list can be joined with another, takes changes in place, and can be made from the
/// geohashes that a database keeps in order.
///
///     let index = GeohashIndex(shops.map(\.coordinate))
///     let three = index.nearest(3, to: cityHall)
///     index.count(in: try Geohash("wydm9"))
///     for entry in index.cells(in: viewport, precision: 6) { print(entry.cell, entry.count) }
///
/// Use a ``KDTreeIndex`` if the same positions are queried often and never change, and this index if
/// cells matter, positions change by the thousand, or building must be quick; <doc:Cells> has the
/// figures.
///
/// A position on ±180° is kept at −180 and lies in the first column of cells, once.
///
/// - Complexity: O(*n*) to build; 13.6 bytes per position if all coordinates are multiples of 10⁻⁷
///   degrees, 21.6 otherwise; more with categories, as for a ``KDTreeIndex``.
public struct GeohashIndex: PositionIndex {
  /// The positions in the order of their 64-bit geohashes, sixteen to a leaf.
  ///
  /// Positions with one geohash are in input order. The boxes above the leaves are a sixteenth of the
  /// size and follow from the leaves; they serve all queries but those about cells.
  @usableFromInline var tree: KDTreeIndex

  /// Sorts positions by their 64-bit geohashes.
  ///
  /// - Parameters:
  ///   - coordinates: In the order in which ties are to be broken.
  ///   - categories: The categories of each position; empty if no position has any.
  /// - Precondition: There are as many `categories` as `coordinates`, or none; at most
  ///   ``IndexFileFormat/mostPositions``.
  /// - Complexity: O(*n*) time, a radix sort, or no sort if they are in order; 12 bytes per position
  ///   besides the list while it runs.
  public init(_ coordinates: some Collection<Coordinate>, categories: [CategorySet] = []) {
    tree = KDTreeIndex(coordinates, categories: categories, leafOrder: .geohash)
  }

  /// Sorts positions off the caller's actor: see
  /// ``KDTreeIndex/init(building:categories:leafOrder:ownTrees:maximumTasks:progress:)``.
  public init(
    building coordinates: [Coordinate], categories: [CategorySet] = [], maximumTasks: Int? = nil,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    tree = try await KDTreeIndex(
      building: coordinates, categories: categories, leafOrder: .geohash,
      maximumTasks: maximumTasks, progress: progress)
  }

  /// Builds an index over the centers of cells, as a database stores them.
  ///
  /// A cell of 52 bits is 60 × 30 cm or less, so its center is at most 34 cm from the original
  /// position.
  ///
  /// - Parameter cells: In the order in which ties are to be broken; if they ascend, nothing is
  ///   sorted.
  public init(middlesOf cells: some Collection<BinaryGeohash>) {
    self.init(cells.map(\.middle))
  }

  /// Makes an index from one opened from a file; nil if its positions are not in geohash order,
  /// because it was built as a tree.
  ///
  /// Nothing is read before it is needed.
  public init?(_ index: KDTreeIndex) {
    guard index.shape.isInGeohashOrder else { return nil }
    tree = index
  }

  /// The positions as a tree with boxes, which can be written to a file and turned back by
  /// ``init(_:)``.
  @inlinable
  public var packed: KDTreeIndex { tree }

  /// The number of positions in a cell.
  ///
  /// - Complexity: O(log *n*).
  public func count(in cell: Geohash) -> Int { count(in: cell.binary) }

  /// The number of positions in a cell of any number of bits.
  ///
  /// - Complexity: O(log *n*).
  public func count(in cell: BinaryGeohash) -> Int { withCodes { $0.slots(of: cell).count } }

  /// The offsets in the input of the positions in a cell.
  ///
  /// - Returns: Offsets by ascending 64-bit geohash, ties by ascending offset; empty if the cell
  ///   is.
  /// - Complexity: O(log *n* + *m*), *m* being the positions in the cell.
  public func offsets(in cell: Geohash) -> [Int] { offsets(in: cell.binary) }

  /// The offsets in the input of the positions in a cell of any number of bits, in the same order.
  ///
  /// - Complexity: O(log *n* + *m*), *m* being the positions in the cell.
  public func offsets(in cell: BinaryGeohash) -> [Int] {
    withCodes { codes in codes.slots(of: cell).map { Int(codes.position($0)) } }
  }

  /// Runs `body` over the sorted list.
  func withCodes<Result>(_ body: (SortedCodes) -> Result) -> Result {
    tree.withTree { body(SortedCodes(tree: $0)) }
  }
}
