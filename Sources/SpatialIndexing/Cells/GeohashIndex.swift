import Geodesy

/// Positions in the order of their geohashes: one sorted list that answers every question of
/// ``PositionIndex``, exactly, and which positions lie in a cell, and how many.
///
/// Cells that begin alike lie together, so a cell of any precision is one run of the list. The list
/// merges with another as sorted lists do, takes changes in place, and is made from the geohashes that
/// a database keeps in order.
///
///     let index = GeohashIndex(shops.map(\.coordinate))
///     let three = index.nearest(3, to: cityHall)
///     index.count(in: try Geohash("wydm9"))
///     for entry in index.cells(in: viewport, precision: 6) { print(entry.cell, entry.count) }
///
/// Ask a ``KDTreeIndex`` where the same positions are asked often and never change, and this where
/// cells matter, where positions change by the thousand, or where building must be quick; <doc:Cells>
/// has the figures.
///
/// A position on ±180° is kept at −180 and lies in the first column of cells, once.
///
/// - Complexity: O(*n*) to build; 13.6 bytes a position when all coordinates are multiples of 10⁻⁷
///   degrees, 21.6 otherwise; more with categories, as a ``KDTreeIndex``.
public struct GeohashIndex: PositionIndex {
  /// The positions in the order of their geohashes of 64 bits, sixteen to a leaf.
  ///
  /// Those of one geohash stand in the order of the input. The boxes over the leaves are a sixteenth of
  /// it and follow from it; all questions but those about cells are theirs.
  var tree: KDTreeIndex

  /// Sorts positions by their geohashes of 64 bits.
  ///
  /// - Parameters:
  ///   - coordinates: In the order in which ties are to be broken.
  ///   - categories: For each position the categories it belongs to; empty where positions belong to
  ///     none at all.
  /// - Precondition: There are as many `categories` as `coordinates`, or none; at most
  ///   ``IndexFileFormat/mostPositions``.
  /// - Complexity: O(*n*) time, a radix sort, or none where they are in order; 12 bytes a position beside
  ///   the list while it runs.
  public init(_ coordinates: some Collection<Coordinate>, categories: [CategorySet] = []) {
    tree = KDTreeIndex(coordinates, categories: categories, leafOrder: .geohash)
  }

  /// The same off the caller's actor: see
  /// ``KDTreeIndex/init(building:categories:leafOrder:ownTrees:maximumTasks:progress:)``.
  public init(
    building coordinates: [Coordinate], categories: [CategorySet] = [], maximumTasks: Int? = nil,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    tree = try await KDTreeIndex(
      building: coordinates, categories: categories, leafOrder: .geohash,
      maximumTasks: maximumTasks, progress: progress)
  }

  /// An index over the middles of cells, as a database keeps them.
  ///
  /// A cell of 52 bits is 60 × 30 cm or less, so that its middle is at most 34 cm from what it was
  /// made of.
  ///
  /// - Parameter cells: In the order in which ties are to be broken; where they ascend, nothing is
  ///   sorted.
  public init(middlesOf cells: some Collection<BinaryGeohash>) {
    self.init(cells.map(\.middle))
  }

  /// An index that was opened from a file; nil where its positions do not stand in the order of their
  /// geohashes, because it was built as a tree.
  ///
  /// Nothing is read before it is asked for.
  public init?(_ index: KDTreeIndex) {
    guard index.shape.isInGeohashOrder else { return nil }
    tree = index
  }

  /// The positions as a tree with boxes: to be written to a file, from which
  /// ``init(_:)`` makes an index again.
  public var packed: KDTreeIndex { tree }

  /// How many positions lie in a cell.
  ///
  /// - Complexity: O(log *n*).
  public func count(in cell: Geohash) -> Int { count(in: cell.binary) }

  /// How many positions lie in a cell of any number of bits.
  ///
  /// - Complexity: O(log *n*).
  public func count(in cell: BinaryGeohash) -> Int { withCodes { $0.slots(of: cell).count } }

  /// The offsets in the input of the positions of a cell.
  ///
  /// - Returns: Offsets by ascending geohash of 64 bits, ties by ascending offset; empty when the
  ///   cell is.
  /// - Complexity: O(log *n* + *m*), *m* being the positions in the cell.
  public func offsets(in cell: Geohash) -> [Int] { offsets(in: cell.binary) }

  /// The offsets in the input of the positions of a cell of any number of bits.
  ///
  /// - Returns: Offsets by ascending geohash of 64 bits, ties by ascending offset; empty when the
  ///   cell is.
  /// - Complexity: O(log *n* + *m*), *m* being the positions in the cell.
  public func offsets(in cell: BinaryGeohash) -> [Int] {
    withCodes { codes in codes.slots(of: cell).map { Int(codes.position($0)) } }
  }

  /// Runs `body` over the sorted list.
  func withCodes<Result>(_ body: (SortedCodes) -> Result) -> Result {
    tree.withTree { body(SortedCodes(tree: $0)) }
  }
}
