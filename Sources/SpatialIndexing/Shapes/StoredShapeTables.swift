import Geodesy

/// The tables of a shape index as stored in an index file, read on demand.
///
/// Sixteen numbers of eight bytes (a mark, the layout version, and the number of elements of each table), then the
/// tables as they lie in memory, each aligned to 64. The shapes themselves are not included: most queries need
/// none, and the others read the few they need from the rows.
package struct StoredShapeTables: Sendable {
  let tables: ShapeTables
  /// By shape, its owner's number for it, ascending.
  private let labels: PlainTable<UInt32>

  private static let mark: UInt64 = 0x5345_5041_4853_424e  // NBSHAPES
  /// Increases with every change to the contents of the tables.
  private static let layout: UInt64 = 1
  private static let headerSize = 128

  /// The number of shapes.
  package var count: Int { labels.count }

  /// The owner's number for a shape.
  package func label(_ shape: Int) -> Int { Int(labels[shape]) }

  /// The tables of an index as bytes.
  ///
  /// - Parameter labels: By shape, its owner's number for it; ascending.
  package static func bytes(of index: ShapeIndex, labels: [UInt32]) -> [UInt8] {
    let tables = index.tables
    precondition(labels.count == index.count, "\(labels.count) labels for \(index.count) shapes")
    let stored = StoredShapeTables(tables: tables, labels: PlainTable(labels))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headerSize + Sizes(stored.counts).byteCount)
    var header = [mark, layout, tables.hasAreasAlone ? 1 : 0] + stored.counts.map(UInt64.init)
    header += repeatElement(0, count: headerSize / 8 - header.count)
    for number in header { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    tables.vertices.append(to: &bytes)
    tables.groups.append(to: &bytes)
    tables.starts.append(to: &bytes)
    tables.owners.append(to: &bytes)
    tables.tree.groups.append(to: &bytes)
    tables.tree.numbers.append(to: &bytes)
    tables.boxes.append(to: &bytes)
    tables.areas.members.append(to: &bytes)
    tables.areas.eights.append(to: &bytes)
    tables.polygons.append(to: &bytes)
    stored.labels.append(to: &bytes)
    return bytes
  }

  private init(tables: ShapeTables, labels: PlainTable<UInt32>) {
    (self.tables, self.labels) = (tables, labels)
  }

  /// The number of elements in each table, in order.
  private var counts: [Int] {
    [
      tables.vertices.count, tables.groups.count, tables.starts.count, tables.owners.count,
      tables.tree.groups.count, tables.tree.numbers.count,
      tables.boxes.count, tables.areas.members.count, tables.areas.eights.count,
      tables.polygons.count, labels.count,
    ]
  }

  /// The number of bytes each table takes.
  private struct Sizes {
    private(set) var offsets: [Int] = []
    private(set) var byteCount = 0

    init(_ counts: [Int]) {
      let sizes: [(Int) -> Int] = [
        PlainTable<SIMD2<Double>>.byteCount, PlainTable<EdgePieceGroup>.byteCount,
        PlainTable<Int32>.byteCount, PlainTable<Int32>.byteCount,
        PlainTable<EightBalls>.byteCount, PlainTable<Int32>.byteCount,
        PlainTable<ShapeBox>.byteCount, PlainTable<Int32>.byteCount,
        PlainTable<BoxTree.EightBoxes>.byteCount,
        PlainTable<SIMD2<Int32>>.byteCount, PlainTable<UInt32>.byteCount,
      ]
      for (count, size) in zip(counts, sizes) {
        offsets.append(byteCount)
        byteCount += size(count)
      }
    }
  }

  /// Opens the tables in some bytes of a file.
  ///
  /// - Throws: What is impossible. Forged contents may still pass; then answers are wrong, but nothing outside is
  ///   read.
  init(_ memory: TreeMemory, _ checks: PageChecks) throws(IndexFileError) {
    let bytes = memory.bytes
    guard bytes.count >= StoredShapeTables.headerSize else {
      throw .invalid("its shapes have \(bytes.count) bytes")
    }
    checks.check(bytes.baseAddress.unsafelyUnwrapped, count: StoredShapeTables.headerSize)
    if let damage = checks.damage { throw damage }
    let header = (0..<StoredShapeTables.headerSize / 8).map { place in
      UInt64(littleEndian: bytes.load(fromByteOffset: place * 8, as: UInt64.self))
    }
    guard header[0] == StoredShapeTables.mark, header[1] == StoredShapeTables.layout else {
      throw .invalid("its shapes have a layout that is not known")
    }
    // No table is longer than the file, so no sum overflows.
    guard header[3...].allSatisfy({ $0 <= UInt64(bytes.count) }) else {
      throw .invalid("its shapes claim more tables than there are bytes")
    }
    let counts = header[3..<14].map { Int($0) }
    let sizes = Sizes(counts)
    let (groups, shapes) = (counts[1], counts[6])
    let levels = BoxTree.levels(ofParts: counts[7])
    guard sizes.byteCount == bytes.count - StoredShapeTables.headerSize,
      counts[2] == groups + 1, counts[3] == groups, counts[5] == groups,
      counts[4] == BallTree.levelSizes(ofBalls: groups).reduce(0, +),
      counts[8] == levels.count, counts[10] == shapes,
      groups == 0 || counts[0] > 1 && shapes > 0,
      counts[7] == 0 || counts[9] > 0 && shapes > 0
    else { throw .invalid("the tables of its shapes do not go together") }
    func table<Element>(_ number: Int, _: Element.Type) -> PlainTable<Element> {
      PlainTable(
        counts[number], at: StoredShapeTables.headerSize + sizes.offsets[number], of: memory, checks
      )
    }
    tables = ShapeTables(
      vertices: table(0, SIMD2<Double>.self), groups: table(1, EdgePieceGroup.self),
      starts: table(2, Int32.self), owners: table(3, Int32.self),
      tree: BallTree(groups: table(4, EightBalls.self), numbers: table(5, Int32.self)),
      boxes: table(6, ShapeBox.self),
      areas: BoxTree(
        members: table(7, Int32.self), eights: table(8, BoxTree.EightBoxes.self)),
      polygons: table(9, SIMD2<Int32>.self), hasAreasAlone: header[2] == 1)
    labels = table(10, UInt32.self)
  }
}

extension IndexBytes {
  /// The tables of a shape index among the attached bytes, which are not copied.
  ///
  /// - Throws: What is wrong with them, or with the range. No input makes this crash.
  /// - Complexity: O(1).
  package func shapeTables(in range: Range<Int>) throws(IndexFileError) -> StoredShapeTables {
    let (memory, checks) = try attachedBytes(in: range)
    return try StoredShapeTables(memory, checks)
  }
}
