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
    precondition(labels.count == index.count, "\(labels.count) labels for \(index.count) shapes")
    let hasAreasAlone: UInt64 = index.tables.hasAreasAlone ? 1 : 0
    let all = StoredShapeTables(tables: index.tables, labels: PlainTable(labels)).all
    var bytes: [UInt8] = []
    bytes.reserveCapacity(all.reduce(headerSize) { $0 + type(of: $1).byteCount(of: $1.count) })
    var header = [mark, layout, hasAreasAlone] + all.map { UInt64($0.count) }
    header += repeatElement(0, count: headerSize / 8 - header.count)
    for number in header { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    for table in all { table.append(to: &bytes) }
    return bytes
  }

  private init(tables: ShapeTables, labels: PlainTable<UInt32>) {
    (self.tables, self.labels) = (tables, labels)
  }

  /// The tables in the order in which they are stored.
  private var all: [any ElementTable] {
    [
      tables.vertices, tables.groups, tables.starts, tables.owners, tables.tree.groups,
      tables.tree.numbers, tables.boxes, tables.areas.members, tables.areas.eights,
      tables.polygons, labels,
    ]
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
    var number = 0, end = StoredShapeTables.headerSize
    func next<Element>(_: Element.Type) -> PlainTable<Element> {
      defer {
        end += PlainTable<Element>.byteCount(of: counts[number])
        number += 1
      }
      return PlainTable(counts[number], at: end, of: memory, checks)
    }
    tables = ShapeTables(
      vertices: next(SIMD2<Double>.self), groups: next(EdgePieceGroup.self),
      starts: next(Int32.self), owners: next(Int32.self),
      tree: BallTree(groups: next(EightBalls.self), numbers: next(Int32.self)),
      boxes: next(ShapeBox.self),
      areas: BoxTree(members: next(Int32.self), eights: next(BoxTree.EightBoxes.self)),
      polygons: next(SIMD2<Int32>.self), hasAreasAlone: header[2] == 1)
    labels = next(UInt32.self)
    let groups = tables.groups.count, shapes = tables.boxes.count
    let parts = tables.areas.members.count
    guard end == bytes.count, tables.starts.count == groups + 1, tables.owners.count == groups,
      tables.tree.numbers.count == groups,
      tables.tree.groups.count == BallTree.levelSizes(ofBalls: groups).reduce(0, +),
      tables.areas.eights.count == BoxTree.levels(ofParts: parts).count, labels.count == shapes,
      groups == 0 || tables.vertices.count > 1 && shapes > 0,
      parts == 0 || tables.polygons.count > 0 && shapes > 0
    else { throw .invalid("the tables of its shapes do not go together") }
  }
}

/// A table of any kind of elements.
private protocol ElementTable {
  var count: Int { get }
  static func byteCount(of count: Int) -> Int
  func append(to bytes: inout [UInt8])
}

extension PlainTable: ElementTable {}

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
