import Geodesy
import MapProjections

/// Positions sorted by the cells of the finest grid, each of which is inside one cell of every zoom: a
/// cluster of any zoom is a run of this order, and there is no tree to build.
///
/// 15 bytes a position: its cell, which is its position to 9 mm, its offset in the input, sums over
/// blocks of eight, and a directory that says where the cells of one coarse level begin.
struct ClusterOrder: Sendable {
  let grid: MercatorGrid
  /// The cell of each position, ascending.
  let codes: [UInt64]
  /// The offset in the input of each, ascending by id where codes are equal.
  let places: [UInt32]
  /// Sums of columns and rows of all positions before each block.
  private let sums: [SIMD2<UInt64>]
  /// Where each cell of `directoryLevel` begins, and the end.
  private let directory: [UInt32]
  private let directoryLevel: Int

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
    var sum = SIMD2<UInt64>.zero
    codes.withUnsafeBufferPointer { codes in
      for (rank, code) in codes.enumerated() {
        if rank % ClusterOrder.blockSize == 0 { sums.append(sum) }
        sum &+= SIMD2(columnBits(code), rowBits(code))
      }
    }
    if codes.count % ClusterOrder.blockSize == 0 { sums.append(sum) }
    self.sums = sums
    // A cell for every other position, which costs two bytes for each at most.
    directoryLevel = max(0, (Int.bitWidth - (codes.count / 2).leadingZeroBitCount - 1) / 2)
    directory = ClusterOrder.directory(of: codes, level: directoryLevel)
  }

  private static func directory(of codes: [UInt64], level: Int) -> [UInt32] {
    let cellCount = 1 << (2 * level)
    let shift = UInt64(64 - 2 * level)
    return [UInt32](unsafeUninitializedCapacity: cellCount + 1) { directory, count in
      var cell = 0
      for (rank, code) in codes.enumerated() {
        // A shift by 64 gives 0, as the one cell of level 0 wants.
        let last = Int(code >> shift)
        while cell <= last {
          directory[cell] = UInt32(rank)
          cell += 1
        }
      }
      while cell <= cellCount {
        directory[cell] = UInt32(codes.count)
        cell += 1
      }
      count = cellCount + 1
    }
  }

  // MARK: Runs

  /// The positions in a cell of a level.
  func run(ofCell cell: UInt64, level: Int) -> Range<Int> {
    start(ofCell: cell, level: level)..<start(ofCell: cell + 1, level: level)
  }

  /// Where the positions of a cell of a level below 32 begin; for the number after the last one, the end.
  func start(ofCell cell: UInt64, level: Int) -> Int {
    if level <= directoryLevel {
      return Int(directory[Int(cell << UInt64(2 * (directoryLevel - level)))])
    }
    guard cell < 1 << UInt64(2 * level) else { return count }
    let coarse = Int(cell >> UInt64(2 * (level - directoryLevel)))
    let lower = Int(directory[coarse]), upper = Int(directory[coarse + 1])
    let bound = cell << UInt64(64 - 2 * level)
    return codes.withUnsafeBufferPointer {
      ClusterOrder.firstAtLeast(bound, in: $0, lower: lower, upper: upper)
    }
  }

  /// The first of `lower..<upper` that is not below a bound, or `upper`; halves what is left.
  @inline(__always)
  static func firstAtLeast(
    _ bound: UInt64, in codes: UnsafeBufferPointer<UInt64>, lower: Int, upper: Int
  ) -> Int {
    var lower = lower, upper = upper
    while lower < upper {
      let middle = (lower + upper) / 2
      if codes[middle] < bound { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }

  /// The first of `start..<end` that is not below a bound, or `end`; doubles its steps from the start,
  /// for runs are short.
  @inline(__always)
  static func gallop(
    to bound: UInt64, in codes: UnsafeBufferPointer<UInt64>, from start: Int, end: Int
  ) -> Int {
    var lower = start, step = 1
    while lower + step < end, codes[lower + step] < bound {
      lower += step
      step *= 2
    }
    return firstAtLeast(bound, in: codes, lower: lower, upper: min(lower + step, end))
  }

  /// Calls `body` for each cell of a block of cells that holds positions, in the order of the cells.
  ///
  /// The block is halved until a part is inside it whole, which is one run of the order. An edge of *e*
  /// cells costs O(*e*) parts, a cell that holds anything one search of O(log *m*) for its *m*
  /// positions, or a look into the directory.
  @inline(__always)
  func forEachRun(
    in cells: CellBlock, _ body: (_ cell: UInt64, _ run: Range<Int>) -> Void
  ) {
    guard count > 0 else { return }
    codes.withUnsafeBufferPointer { codes in
      for columns in cells.columnRanges {
        visit(cells.level, columns, cells.rows, codes, body)
      }
    }
  }

  /// A cell of some level, with the positions it holds.
  private struct Part {
    let level: Int
    let x: UInt64, y: UInt64
    let run: Range<Int>
  }

  @inline(__always)
  private func visit(
    _ level: Int, _ columns: ClosedRange<UInt64>, _ rows: ClosedRange<UInt64>,
    _ codes: UnsafeBufferPointer<UInt64>, _ body: (_ cell: UInt64, _ run: Range<Int>) -> Void
  ) {
    // The smallest cell that holds the whole block.
    let apart = (columns.lowerBound ^ columns.upperBound) | (rows.lowerBound ^ rows.upperBound)
    let depth = UInt64.bitWidth - apart.leadingZeroBitCount
    let root = Part(
      level: level - depth, x: columns.lowerBound >> UInt64(depth),
      y: rows.lowerBound >> UInt64(depth),
      run: run(
        ofCell: interleaved(
          x: UInt32(truncatingIfNeeded: columns.lowerBound >> UInt64(depth)),
          y: UInt32(truncatingIfNeeded: rows.lowerBound >> UInt64(depth))),
        level: level - depth))
    withUnsafeTemporaryAllocation(of: Part.self, capacity: 4 * (depth + 1)) { stack in
      stack.initializeElement(at: 0, to: root)
      var top = 1
      while top > 0 {
        top -= 1
        let part = stack[top]
        guard !part.run.isEmpty else { continue }
        let below = UInt64(level - part.level)
        let west = part.x << below, east = west + (1 << below) - 1
        let north = part.y << below, south = north + (1 << below) - 1
        guard west <= columns.upperBound, columns.lowerBound <= east, north <= rows.upperBound,
          rows.lowerBound <= south
        else { continue }
        if columns.lowerBound <= west, east <= columns.upperBound, rows.lowerBound <= north,
          south <= rows.upperBound
        {
          walk(part.run, level, codes, body)
          continue
        }
        let starts = quarters(of: part, codes)
        // Pushed from the last to the first, which is taken first.
        for quarter in stride(from: 3, through: 0, by: -1)
        where starts[quarter] < starts[quarter + 1] {
          stack.initializeElement(
            at: top,
            to: Part(
              level: part.level + 1, x: part.x << 1 | UInt64(quarter & 1),
              y: part.y << 1 | UInt64(quarter >> 1), run: starts[quarter]..<starts[quarter + 1]))
          top += 1
        }
      }
    }
  }

  /// Where the four parts of a cell begin, and the end.
  @inline(__always)
  private func quarters(
    of part: Part, _ codes: UnsafeBufferPointer<UInt64>
  ) -> (SIMD8<Int>) {
    let first =
      interleaved(
        x: UInt32(truncatingIfNeeded: part.x), y: UInt32(truncatingIfNeeded: part.y)) << 2
    let level = part.level + 1
    var starts = SIMD8<Int>.zero
    starts[0] = part.run.lowerBound
    starts[4] = part.run.upperBound
    for quarter in 1...3 {
      starts[quarter] =
        level <= directoryLevel
        ? start(ofCell: first + UInt64(quarter), level: level)
        : ClusterOrder.firstAtLeast(
          (first + UInt64(quarter)) << UInt64(64 - 2 * level), in: codes,
          lower: starts[quarter - 1], upper: starts[4])
    }
    return starts
  }

  /// Calls `body` for each cell of a run.
  @inline(__always)
  private func walk(
    _ run: Range<Int>, _ level: Int, _ codes: UnsafeBufferPointer<UInt64>,
    _ body: (_ cell: UInt64, _ run: Range<Int>) -> Void
  ) {
    let shift = UInt64(64 - 2 * level)
    var start = run.lowerBound
    while start < run.upperBound {
      let cell = level == 0 ? 0 : codes[start] >> shift
      let end: Int
      if level <= directoryLevel {
        end = self.start(ofCell: cell + 1, level: level)
      } else {
        // The cell after the last one of the world has no code.
        let bound = (cell + 1) << shift
        end =
          bound == 0
          ? run.upperBound
          : ClusterOrder.gallop(to: bound, in: codes, from: start, end: run.upperBound)
      }
      body(cell, start..<end)
      start = end
    }
  }

  // MARK: Sums

  /// The sums of the columns and rows of a run.
  @inline(__always)
  func sum(of run: Range<Int>) -> SIMD2<UInt64> {
    if run.count <= 2 * ClusterOrder.blockSize { return sumOneByOne(run) }
    let first = (run.lowerBound + ClusterOrder.blockSize - 1) / ClusterOrder.blockSize
    let last = run.upperBound / ClusterOrder.blockSize
    return sums[last] &- sums[first]
      &+ sumOneByOne(run.lowerBound..<first * ClusterOrder.blockSize)
      &+ sumOneByOne(last * ClusterOrder.blockSize..<run.upperBound)
  }

  @inline(__always)
  private func sumOneByOne(_ run: Range<Int>) -> SIMD2<UInt64> {
    codes.withUnsafeBufferPointer { codes in
      var sum = SIMD2<UInt64>.zero
      for rank in run { sum &+= SIMD2(columnBits(codes[rank]), rowBits(codes[rank])) }
      return sum
    }
  }

  /// What the order keeps, in bytes.
  var byteCount: Int {
    codes.count * 12 + sums.count * MemoryLayout<SIMD2<UInt64>>.stride + directory.count * 4
  }
}

/// Cells of one level side by side, perhaps round the Earth.
struct CellBlock: Hashable, Sendable {
  /// How often the world is halved to become one of these cells.
  let level: Int
  /// The first column.
  let west: UInt64
  /// How many columns, at most all of them.
  let width: UInt64
  let rows: ClosedRange<UInt64>

  /// The columns in ranges that do not run round the Earth, ascending.
  var columnRanges: [ClosedRange<UInt64>] {
    let world = 1 << UInt64(level) as UInt64
    guard west + width > world else { return [west...(west + width - 1)] }
    return [0...(west + width - 1 - world), west...(world - 1)]
  }

  /// The block of one cell.
  init(cell: UInt64, level: Int) {
    self.level = level
    west = columnBits(cell)
    width = 1
    rows = rowBits(cell)...rowBits(cell)
  }

  /// A box, widened to whole cells.
  init(covering box: BoundingBox, level: Int, grid: MercatorGrid) {
    let shift = UInt64(MercatorGrid.levels - level)
    let world = 1 << UInt64(level) as UInt64
    let first = UInt64(grid.column(box.west)) >> shift
    let last = UInt64(grid.column(box.east)) >> shift
    let width = (last &- first) & (world - 1) + 1
    self.level = level
    // More than half the world is not in one column, unless the box has come back to its first one.
    if width == world || (width == 1 && box.width > 180) {
      west = 0
      self.width = world
    } else {
      west = first
      self.width = width
    }
    rows =
      UInt64(MercatorGrid.row(box.north)) >> shift...UInt64(MercatorGrid.row(box.south)) >> shift
  }

  /// The box of all positions in these cells: its edges are the last positions inside.
  func box(in grid: MercatorGrid) -> BoundingBox {
    let shift = UInt64(MercatorGrid.levels - level)
    func first(_ cell: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: cell << shift) }
    func last(_ cell: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: (cell + 1) << shift &- 1) }
    let south = MercatorGrid.south(ofRow: last(rows.upperBound))
    let north = MercatorGrid.north(ofRow: first(rows.lowerBound))
    if width == 1 << UInt64(level) { return BoundingBox(unchecked: south, -180, north, 180) }
    return BoundingBox(
      unchecked: south, grid.west(ofColumn: first(west)), north,
      grid.east(ofColumn: last(west + width - 1)))
  }
}
