import Geodesy
import MapProjections

/// Positions sorted by the cells of the finest grid, each of which is inside one cell of every
/// zoom: a cluster of any zoom is a run of this order, without a tree.
///
/// About 17 bytes for each position: its cell, which is its position to 9 mm, its offset in the
/// input, sums over blocks of eight, and the cells of the coarse levels.
struct ClusterOrder: Sendable {
  let grid: MercatorGrid
  /// The cell of each position, ascending.
  let codes: [UInt64]
  /// The offset of each in the input, ascending by id if codes are equal.
  let places: [UInt32]
  /// Sums of columns and rows of all positions before each block.
  private let sums: [SIMD2<UInt64>]
  private let coarse: CoarseCells

  var count: Int { codes.count }

  private static var blockSize: Int { 8 }

  /// - Parameters:
  ///   - codes: Ascending.
  ///   - places: Their offsets.
  init(grid: MercatorGrid, codes: [UInt64], places: [UInt32]) {
    self.grid = grid
    self.codes = codes
    self.places = places
    var sums: [SIMD2<UInt64>] = []
    sums.reserveCapacity(codes.count / ClusterOrder.blockSize + 1)
    // The level at which each position separates from the previous one.
    var partings = [Int](repeating: 0, count: MercatorGrid.levels + 2)
    let coarse = codes.withUnsafeBufferPointer { codes in
      var sum = SIMD2<UInt64>.zero
      var last = codes.first ?? 0
      for (rank, code) in codes.enumerated() {
        if rank % ClusterOrder.blockSize == 0 { sums.append(sum) }
        sum &+= gridPlace(code)
        partings[(code ^ last).leadingZeroBitCount / 2 + 1] += 1
        last = code
      }
      if codes.count % ClusterOrder.blockSize == 0 { sums.append(sum) }
      var cellCounts: [Int] = []
      for level in 0...MercatorGrid.levels {
        cellCounts.append((cellCounts.last ?? 1) + partings[level])
      }
      return sums.withUnsafeBufferPointer { sums in
        CoarseCells(codes, cellCounts: cellCounts) { ClusterOrder.sum(of: $0, codes, sums) }
      }
    }
    self.sums = sums
    self.coarse = coarse
  }

  /// Sorts positions by their cells.
  ///
  /// A radix sort by the 44 upper bits, which are cells of 9 m. The positions in such a cell are few or equal, and
  /// are sorted by comparisons.
  ///
  /// - Parameters:
  ///   - coordinates: The positions.
  ///   - places: The offset of each in the input.
  ///   - comesBefore: Whether the input at the first offset has the lower id.
  init(
    _ coordinates: [Coordinate], places: [UInt32], grid: MercatorGrid,
    comesBefore: (UInt32, UInt32) -> Bool
  ) {
    var entries = zip(coordinates, places).map { CurveEntry(key: grid.code($0), number: $1) }
    entries.sortStably(fromBit: ClusterOrder.unsortedBits)
    entries.withUnsafeMutableBufferPointer {
      ClusterOrder.sortTies($0, comesBefore: comesBefore)
    }
    self.init(grid: grid, codes: entries.map(\.key), places: entries.map(\.number))
  }

  /// The number of lower bits that the radix sort ignores.
  private static var unsortedBits: Int { 20 }

  /// Sorts entries that the radix sort considers equal.
  private static func sortTies(
    _ entries: UnsafeMutableBufferPointer<CurveEntry>, comesBefore: (UInt32, UInt32) -> Bool
  ) {
    func precedes(_ left: CurveEntry, _ right: CurveEntry) -> Bool {
      left.key != right.key ? left.key < right.key : comesBefore(left.number, right.number)
    }
    var start = 0
    while start < entries.count {
      let upper = entries[start].key >> unsortedBits
      var end = start + 1
      var isSorted = true
      while end < entries.count, entries[end].key >> unsortedBits == upper {
        if isSorted, precedes(entries[end], entries[end - 1]) { isSorted = false }
        end += 1
      }
      if !isSorted {
        var tied = UnsafeMutableBufferPointer(rebasing: entries[start..<end])
        tied.sort(by: precedes)
      }
      start = end
    }
  }

  /// The order with some positions replaced by others.
  ///
  /// - Parameters:
  ///   - isDropped: Whether the position at an offset is removed; called once for each.
  ///   - coordinates: The added positions.
  ///   - places: Their offsets.
  /// - Complexity: O(*n* + *m* log *m*) for *m* added positions.
  func replacing(
    where isDropped: (UInt32) -> Bool, by coordinates: [Coordinate], places: [UInt32],
    comesBefore: (UInt32, UInt32) -> Bool
  ) -> ClusterOrder {
    let new = ClusterOrder(coordinates, places: places, grid: grid, comesBefore: comesBefore)
    var codes: [UInt64] = []
    var merged: [UInt32] = []
    codes.reserveCapacity(count + new.count)
    merged.reserveCapacity(count + new.count)
    var next = 0
    func take() {
      codes.append(new.codes[next])
      merged.append(new.places[next])
      next += 1
    }
    for rank in 0..<count where !isDropped(self.places[rank]) {
      let code = self.codes[rank], place = self.places[rank]
      while next < new.count,
        new.codes[next] < code
          || (new.codes[next] == code && comesBefore(new.places[next], place))
      {
        take()
      }
      codes.append(code)
      merged.append(place)
    }
    while next < new.count { take() }
    return ClusterOrder(grid: grid, codes: codes, places: merged)
  }

  // MARK: Runs

  /// The positions in a cell of a level below 32.
  func run(ofCell cell: UInt64, level: Int) -> Range<Int> {
    guard level > coarse.level else { return coarse.run(ofCell: cell, level: level) }
    let around = coarse.run(
      ofCell: cell >> UInt64(2 * (level - coarse.level)), level: coarse.level)
    let shift = UInt64(64 - 2 * level)
    return codes.withUnsafeBufferPointer { codes in
      let start = ClusterOrder.firstAtLeast(
        cell << shift, in: codes, lower: around.lowerBound, upper: around.upperBound)
      let end = ClusterOrder.end(
        ofCell: cell, shift: shift, in: codes, from: start, limit: around.upperBound)
      return start..<end
    }
  }

  /// The first of `lower..<upper` that is not below a bound, or `upper`; by bisection.
  @inline(__always)
  static func firstAtLeast(
    _ bound: UInt64, in codes: UnsafeBufferPointer<UInt64>, lower: Int, upper: Int
  ) -> Int {
    lower + codes[lower..<upper].partitioningCount { $0 < bound }
  }

  /// The end of a cell's run that begins at `start`, at most `limit`; by galloping search, because
  /// runs are short.
  ///
  /// - Parameter shift: The number of a code's bits below its cell; all 64 for the cell of the world.
  @inline(__always)
  static func end(
    ofCell cell: UInt64, shift: UInt64, in codes: UnsafeBufferPointer<UInt64>, from start: Int,
    limit: Int
  ) -> Int {
    let bound = (cell + 1) << shift
    // The cell after the last one of the world has no code.
    guard bound != 0 else { return limit }
    var lower = start, step = 1
    while lower + step < limit, codes[lower + step] < bound {
      lower += step
      step *= 2
    }
    return firstAtLeast(bound, in: codes, lower: lower, upper: min(lower + step, limit))
  }

  /// Calls `body` for each nonempty cell of a block, in the order of the cells, with the sums of
  /// its columns and rows if they are known.
  ///
  /// The world is quartered until a part is completely inside the block, or has so few cells that
  /// each can be tested: first in the coarse cells, whose quarters are adjacent, and then in the
  /// order. An edge of *e* cells costs O(*e*) parts, a nonempty fine cell one search of O(log *m*)
  /// for its *m* positions.
  @inline(__always)
  func forEachRun(
    in cells: CellBlock,
    _ body: (_ cell: UInt64, _ run: Range<Int>, _ sum: SIMD2<UInt64>?) -> Void
  ) {
    guard count > 0 else { return }
    codes.withUnsafeBufferPointer { codes in
      coarse.nodes.withUnsafeBufferPointer { nodes in
        coarse.sums.withUnsafeBufferPointer { sums in
          // On each level at most three parts wait while the fourth is processed.
          withUnsafeTemporaryAllocation(of: Part.self, capacity: 3 * cells.level + 4) { stack in
            let ranges = cells.columnRanges
            visit(cells, ranges.first, stack, codes, nodes, sums, body)
            if let second = ranges.second {
              visit(cells, second, stack, codes, nodes, sums, body)
            }
          }
        }
      }
    }
  }

  /// A part of at most this many levels, which are 64 cells, is not divided further: its cells are
  /// adjacent, and intermediate parts are not.
  private static var fewLevels: UInt64 { 3 }

  /// A cell of some level on the way to a finer one.
  private struct Part {
    let x: UInt32, y: UInt32
    /// At a coarse level its node; otherwise the first of its positions.
    let start: UInt32
    /// The end of its positions at a fine level.
    let end: UInt32
    let level: Int32

    /// One of its quarters, 0…3 from the northwest, row by row.
    @inline(__always)
    func quarter(_ number: UInt32, start: Int, end: Int) -> Part {
      Part(
        x: x << 1 | number & 1, y: y << 1 | number >> 1, start: UInt32(start), end: UInt32(end),
        level: level + 1)
    }
  }

  @inline(__always)
  private func visit(
    _ cells: CellBlock, _ columns: ClosedRange<UInt64>,
    _ stack: UnsafeMutableBufferPointer<Part>, _ codes: UnsafeBufferPointer<UInt64>,
    _ nodes: UnsafeBufferPointer<CoarseCells.Node>, _ sums: UnsafeBufferPointer<SIMD2<UInt64>>,
    _ body: (_ cell: UInt64, _ run: Range<Int>, _ sum: SIMD2<UInt64>?) -> Void
  ) {
    let level = cells.level, rows = cells.rows, coarseLevel = coarse.level
    let block = CodedBlock(columns, rows)
    stack.initializeElement(at: 0, to: Part(x: 0, y: 0, start: 0, end: 0, level: 0))
    var top = 1
    while top > 0 {
      top -= 1
      let part = stack[top]
      let partLevel = Int(part.level)
      let below = UInt64(level - partLevel)
      let west = UInt64(part.x) << below, east = west + (1 << below) - 1
      let north = UInt64(part.y) << below, south = north + (1 << below) - 1
      guard west <= columns.upperBound, columns.lowerBound <= east, north <= rows.upperBound,
        rows.lowerBound <= south
      else { continue }
      let isInside =
        columns.lowerBound <= west && east <= columns.upperBound && rows.lowerBound <= north
        && south <= rows.upperBound
      let isFew = below <= ClusterOrder.fewLevels
      var start = Int(part.start), end = Int(part.end)
      if partLevel <= coarseLevel {
        if isInside || isFew, level <= coarseLevel {
          // The quarters of all of them are adjacent on each level.
          var first = start, last = start + 1
          for _ in partLevel..<level {
            first = Int(nodes[first].first)
            last = Int(nodes[last].first)
          }
          for place in first..<last {
            let node = nodes[place]
            guard isInside || block.holds(UInt64(node.cell)) else { continue }
            body(
              UInt64(node.cell), Int(node.start)..<Int(nodes[place + 1].start), sums[place])
          }
          continue
        }
        if !isInside, partLevel < coarseLevel {
          // Pushed in reverse order, so that the first is taken first.
          var quarter = Int(nodes[start + 1].first)
          while quarter > Int(nodes[start].first) {
            quarter -= 1
            stack.initializeElement(
              at: top, to: part.quarter(nodes[quarter].cell & 3, start: quarter, end: 0))
            top += 1
          }
          continue
        }
        (start, end) = (Int(nodes[start].start), Int(nodes[start + 1].start))
      }
      if isInside || isFew {
        walk(start..<end, level, codes) { cell, run, sum in
          if isInside || block.holds(cell) { body(cell, run, sum) }
        }
        continue
      }
      let first = interleaved(x: part.x, y: part.y) << 2
      let shift = UInt64(64 - 2 * (partLevel + 1))
      var quarter = 4
      while quarter > 0 {
        quarter -= 1
        // In reverse order: the start of a quarter is the end of the previous one.
        let begin =
          quarter == 0
          ? start
          : ClusterOrder.firstAtLeast(
            (first + UInt64(quarter)) << shift, in: codes, lower: start, upper: end)
        if begin < end {
          stack.initializeElement(
            at: top, to: part.quarter(UInt32(quarter), start: begin, end: end))
          top += 1
        }
        end = begin
      }
    }
  }

  /// A block of cells tested by their numbers: the bits of a column alone, and those of a row, are
  /// ordered like columns and rows.
  private struct CodedBlock {
    private let west: UInt64, east: UInt64, north: UInt64, south: UInt64

    init(_ columns: ClosedRange<UInt64>, _ rows: ClosedRange<UInt64>) {
      func code(x: UInt64, y: UInt64) -> UInt64 {
        interleaved(x: UInt32(truncatingIfNeeded: x), y: UInt32(truncatingIfNeeded: y))
      }
      west = code(x: columns.lowerBound, y: 0)
      east = code(x: columns.upperBound, y: 0)
      north = code(x: 0, y: rows.lowerBound)
      south = code(x: 0, y: rows.upperBound)
    }

    @inline(__always)
    func holds(_ cell: UInt64) -> Bool {
      let x = cell & 0x5555_5555_5555_5555, y = cell & 0xAAAA_AAAA_AAAA_AAAA
      return west <= x && x <= east && north <= y && y <= south
    }
  }

  /// Calls `body` for each cell of a run.
  @inline(__always)
  private func walk(
    _ run: Range<Int>, _ level: Int, _ codes: UnsafeBufferPointer<UInt64>,
    _ body: (_ cell: UInt64, _ run: Range<Int>, _ sum: SIMD2<UInt64>?) -> Void
  ) {
    let shift = UInt64(64 - 2 * level)
    var start = run.lowerBound
    while start < run.upperBound {
      let cell = codes[start] >> shift
      let end = ClusterOrder.end(
        ofCell: cell, shift: shift, in: codes, from: start, limit: run.upperBound)
      body(cell, start..<end, nil)
      start = end
    }
  }

  // MARK: Sums

  /// The sums of the columns and rows of a run.
  @inline(__always)
  func sum(of run: Range<Int>) -> SIMD2<UInt64> {
    codes.withUnsafeBufferPointer { codes in
      sums.withUnsafeBufferPointer { ClusterOrder.sum(of: run, codes, $0) }
    }
  }

  @inline(__always)
  private static func sum(
    of run: Range<Int>, _ codes: UnsafeBufferPointer<UInt64>,
    _ sums: UnsafeBufferPointer<SIMD2<UInt64>>
  ) -> SIMD2<UInt64> {
    if run.count <= 2 * blockSize { return sumOneByOne(run, codes) }
    let first = (run.lowerBound + blockSize - 1) / blockSize
    let last = run.upperBound / blockSize
    return sums[last] &- sums[first]
      &+ sumOneByOne(run.lowerBound..<first * blockSize, codes)
      &+ sumOneByOne(last * blockSize..<run.upperBound, codes)
  }

  @inline(__always)
  private static func sumOneByOne(
    _ run: Range<Int>, _ codes: UnsafeBufferPointer<UInt64>
  ) -> SIMD2<UInt64> {
    var sum = SIMD2<UInt64>.zero
    for rank in run { sum &+= gridPlace(codes[rank]) }
    return sum
  }

  /// The size of the order in bytes.
  var byteCount: Int {
    codes.count * 12 + sums.count * MemoryLayout<SIMD2<UInt64>>.stride + coarse.byteCount
  }
}
