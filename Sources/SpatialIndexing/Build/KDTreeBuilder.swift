import Geodesy

/// A tree as the builder returns it: its bytes, and what is needed to read them.
struct BuiltTree: Sendable {
  let memory: TreeMemory
  let shape: TreeShape
  let encoding: LeafEncoding
  let categoryEncoding: CategoryEncoding

  /// The number of bytes of memory the tree takes.
  var byteCount: Int {
    TreeSections(shape: shape, leaves: encoding, categories: categoryEncoding).byteCount
  }
}

/// Packs positions into the memory of a `KDTreeIndex`.
///
/// Each range of positions is split at the median of its longer side on the ground, at a multiple
/// of the leaf capacity, down to single leaves. The left part always takes a power of two of
/// leaves, so sixteen consecutive leaves form one node, without any pointers. The bytes depend on
/// the positions, not on the number of tasks.
enum KDTreeBuilder {
  /// Builds a tree on the caller's thread.
  ///
  /// - Parameters:
  ///   - coordinates: In the order in which ties are to be broken.
  ///   - categories: One set for each position, or none at all.
  ///   - leafOrder: How positions are laid out.
  ///   - mayBeDecimal: Whether leaves may hold integers where coordinates allow it.
  ///   - space: Holds what does not fit into memory; nil to keep everything in memory.
  /// - Precondition: At most 2³² − 2 positions, and as many `categories`, or none.
  /// - Complexity: O(*n* log *n*) time. While it runs it takes 12 bytes per position besides the
  ///   tree, 24 if the leaves hold doubles; 1 more for coded categories, about 2 more from two
  ///   million positions on.
  static func build(
    _ coordinates: UnsafeBufferPointer<Coordinate>, categories: UnsafeBufferPointer<CategorySet>,
    leafOrder: KDTreeIndex.LeafOrder, mayBeDecimal: Bool = true, space: (any BuildingSpace)? = nil
  ) -> BuiltTree {
    let input = TreeInput(coordinates: coordinates, categories: categories)
    let construction = TreeConstruction(
      count: coordinates.count, categoryCount: categories.count, leafOrder: leafOrder,
      pieceCount: 1, mayBeCancelled: false, mayBeDecimal: mayBeDecimal, space: space)
    while construction.beginPhase() {
      while let piece = construction.nextPiece() {
        construction.take(construction.run(piece, input))
      }
    }
    return construction.finished()
  }

  /// Builds a tree in several tasks, byte for byte the same as the build on one thread.
  ///
  /// - Parameters:
  ///   - maximumTasks: The maximum number of tasks at once; nil leaves that to the executor.
  ///   - progress: Called now and then with the fraction of the work done, from 0 to 1, never
  ///     decreasing. Called from this task alone.
  /// - Throws: `CancellationError` if the task was canceled; checked between pieces of about ten
  ///   thousand positions.
  @concurrent
  static func build(
    _ coordinates: [Coordinate], categories: [CategorySet], leafOrder: KDTreeIndex.LeafOrder,
    maximumTasks: Int? = nil, mayBeDecimal: Bool = true,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(CancellationError) -> BuiltTree {
    precondition(maximumTasks ?? 1 > 0, "\(maximumTasks ?? 1) tasks build nothing")
    let construction = TreeConstruction(
      count: coordinates.count, categoryCount: categories.count, leafOrder: leafOrder,
      pieceCount: 32, mayBeCancelled: true, mayBeDecimal: mayBeDecimal)
    progress?(0)
    while construction.beginPhase() {
      await withTaskGroup(of: TreeConstruction.Outcome.self) { group in
        var running = 0
        while true {
          while running < maximumTasks ?? .max, !Task.isCancelled,
            let piece = construction.nextPiece()
          {
            running += 1
            group.addTask {
              coordinates.withUnsafeBufferPointer { coordinates in
                categories.withUnsafeBufferPointer { categories in
                  construction.run(
                    piece, TreeInput(coordinates: coordinates, categories: categories))
                }
              }
            }
          }
          guard let outcome = await group.next() else { break }
          running -= 1
          construction.take(outcome)
          progress?(construction.progress)
        }
      }
      if Task.isCancelled { throw CancellationError() }
    }
    progress?(1)
    return construction.finished()
  }
}

/// Turns coordinates into sites, and detects whether that loses precision.
enum SiteReading {
  /// Reads a range of positions into the same number of sites.
  ///
  /// - Returns: Whether every coordinate is the double nearest to its multiple of 10⁻⁷ degrees.
  static func read(
    _ coordinates: UnsafeBufferPointer<Coordinate>, _ range: Range<Int>, into sites: Sites
  ) -> Bool {
    guard let start = coordinates.baseAddress else { return true }
    let words = UnsafeRawPointer(start)
    // Added to a number below 2⁵¹, it leaves the nearest integer in the lowest bits.
    let rounding = SIMD2<Double>(repeating: 0x1.8p52)
    let grain = SIMD2<Double>(repeating: 1e7)
    var isDecimal = SIMD2<Int64>(repeating: -1)
    for position in range {
      // A coordinate is two doubles: latitude, longitude.
      let degrees = words.loadUnaligned(
        fromByteOffset: position &* MemoryLayout<Coordinate>.stride, as: SIMD2<Double>.self)
      let shifted = degrees * grain + rounding
      let whole = shifted - rounding
      isDecimal &= unsafeBitCast(whole / grain .== degrees, to: SIMD2<Int64>.self)
      let integers = unsafeBitCast(shifted, to: SIMD4<Int32>.self)
      let site = sites + position &* KDOrder.siteWords
      site[0] = integers[0]
      site[1] = integers[2]
      site[2] = Int32(truncatingIfNeeded: position)
    }
    return isDecimal[0] & isDecimal[1] == -1
  }
}
