import CNearbyKernels
import Geodesy

/// The first 512 bytes of an index file, and the zeros that fill its first page.
struct IndexFileHeader {
  static let byteCount = 512

  /// The offset of each field.
  private enum Place {
    static let version = 8
    static let orderMark = 12
    static let checksum = 16
    static let pageSize = 20
    static let byteCount = 24
    static let count = 32
    static let rowCount = 40
    static let leafEncoding = 48
    static let categoryEncoding = 49
    static let leafCapacity = 50
    static let fanOut = 51
    static let flags = 52
    static let equatorialRadius = 56
    static let flattening = 64
    static let sourceByteCount = 72
    static let sourceModified = 80
    static let sourceChecksum = 88
    static let tableChecksum = 92
    static let sections = 96
    static let owners = 192
    static let categoryCounts = 256
  }

  /// The flag bits.
  private enum Flag {
    static let hasSourceStamp: UInt32 = 1 << 0
    static let isInGeohashOrder: UInt32 = 1 << 1
    static let all = hasSourceStamp | isInGeohashOrder
  }

  let shape: TreeShape
  let encoding: LeafEncoding
  let categoryEncoding: CategoryEncoding
  /// The number of positions in each category, and the categories with a tree of their own.
  let counts: CategoryCounts
  let owners: CategorySet
  /// The number of rows; the first `shape.count` of them belong to positions, unless there are
  /// none.
  let rowCount: Int
  let source: SourceStamp?
  let sections: IndexFileSections
  /// The checksum of the table of checksums of checksum pages.
  let tableChecksum: UInt32

  // MARK: Writing

  /// The first page.
  var page: [UInt8] {
    var page = [UInt8](repeating: 0, count: IndexFileFormat.pageSize)
    page.replaceSubrange(0..<8, with: IndexFileFormat.mark)
    page.withUnsafeMutableBytes { page in
      func put(_ value: some FixedWidthInteger, at place: Int) {
        page.storeBytes(of: value.littleEndian, toByteOffset: place, as: type(of: value))
      }
      put(UInt32(IndexFileFormat.version), at: Place.version)
      put(IndexFileFormat.orderMark, at: Place.orderMark)
      put(UInt32(IndexFileFormat.pageSize), at: Place.pageSize)
      put(UInt64(sections.byteCount), at: Place.byteCount)
      put(UInt64(shape.count), at: Place.count)
      put(UInt64(rowCount), at: Place.rowCount)
      put(encoding.rawValue, at: Place.leafEncoding)
      put(categoryEncoding.rawValue, at: Place.categoryEncoding)
      put(UInt8(TreeShape.fanOut), at: Place.leafCapacity)
      put(UInt8(TreeShape.fanOut), at: Place.fanOut)
      put(
        (source == nil ? 0 : Flag.hasSourceStamp)
          | (shape.isInGeohashOrder ? Flag.isInGeohashOrder : 0), at: Place.flags)
      put(WGS84.equatorialRadius.bitPattern, at: Place.equatorialRadius)
      put(WGS84.flattening.bitPattern, at: Place.flattening)
      put(Int64(source?.byteCount ?? 0), at: Place.sourceByteCount)
      put(Int64(source?.modified ?? 0), at: Place.sourceModified)
      put(source?.checksum ?? 0, at: Place.sourceChecksum)
      put(tableChecksum, at: Place.tableChecksum)
      for number in 0..<IndexFileSections.count {
        let section = sections[number]
        put(UInt64(section.lowerBound), at: Place.sections + 16 * number)
        put(UInt64(section.count), at: Place.sections + 16 * number + 8)
      }
      put(owners.rawValue, at: Place.owners)
      for category in 0..<CategoryCounts.categoryCount {
        put(UInt32(counts[category]), at: Place.categoryCounts + 4 * category)
      }
      put(CRC32C.checksum(of: UnsafeRawBufferPointer(page)), at: Place.checksum)
    }
    return page
  }
}

extension IndexFileHeader {
  /// Reads the header of a file, and verifies that its sections are where they must be.
  ///
  /// - Complexity: O(1); only the first page is read.
  init(_ file: UnsafeRawBufferPointer) throws(IndexFileError) {
    let fields = Fields(file: file)
    try fields.recognize()
    let (encoding, categoryEncoding) = try fields.encodings()
    let (count, rowCount) = try fields.counts()
    let counts = CategoryCounts { category in
      fields.integer(Place.categoryCounts + 4 * category, UInt32.self)
    }
    let owners = CategorySet(rawValue: fields.integer(Place.owners, UInt64.self))
    guard counts.categories(where: { $0 > count }).isEmpty, counts.held.isSuperset(of: owners),
      categoryEncoding != .none || counts.held.isEmpty
    else { throw .invalid("its header contradicts itself about categories") }

    let flags = fields.integer(Place.flags, UInt32.self)
    let shape = TreeShape(count: count, isInGeohashOrder: flags & Flag.isInGeohashOrder != 0)
    var treeByteCount =
      TreeSections(shape: shape, leaves: encoding, categories: categoryEncoding).byteCount
    counts.forEach(of: owners) { number in
      let own = TreeShape(count: number, isInGeohashOrder: shape.isInGeohashOrder)
      treeByteCount += TreeSections(shape: own, leaves: encoding, categories: .none).byteCount
    }
    let sections = try fields.sections(treeByteCount: treeByteCount, rowCount: rowCount)
    self.init(
      shape: shape, encoding: encoding, categoryEncoding: categoryEncoding,
      counts: counts, owners: owners, rowCount: rowCount,
      source: flags & Flag.hasSourceStamp == 0
        ? nil
        : SourceStamp(
          byteCount: Int(fields.integer(Place.sourceByteCount, Int64.self)),
          modified: Int(fields.integer(Place.sourceModified, Int64.self)),
          checksum: fields.integer(Place.sourceChecksum, UInt32.self)),
      sections: sections, tableChecksum: fields.integer(Place.tableChecksum, UInt32.self))
  }

  /// What stands at the offsets of a header, and whether it can be.
  private struct Fields {
    let file: UnsafeRawBufferPointer

    func integer<Value: FixedWidthInteger>(_ place: Int, _: Value.Type) -> Value {
      Value(littleEndian: file.loadUnaligned(fromByteOffset: place, as: Value.self))
    }

    /// Throws unless the file is an index of this version, with an intact first page.
    func recognize() throws(IndexFileError) {
      // As far as there are bytes: a file that is cut off says so.
      guard IndexFileFormat.mark.starts(with: file.prefix(IndexFileFormat.mark.count)) else {
        throw IndexFileHeader.versionInText(file).map { .version($0) } ?? .notAnIndex
      }
      guard file.count >= IndexFileHeader.byteCount else {
        throw .truncated(byteCount: file.count, expected: IndexFileFormat.pageSize)
      }
      // In native byte order, since the tree is used in place.
      guard
        file.loadUnaligned(fromByteOffset: Place.orderMark, as: UInt32.self)
          != IndexFileFormat.orderMark.byteSwapped
      else { throw .byteOrder }
      let version = integer(Place.version, UInt32.self)
      guard version == IndexFileFormat.version else { throw .version(Int(version)) }
      guard file.count >= IndexFileFormat.pageSize else {
        throw .truncated(byteCount: file.count, expected: IndexFileFormat.pageSize)
      }
      guard IndexFileHeader.checksum(ofPage: file) == integer(Place.checksum, UInt32.self) else {
        throw .checksum(offset: 0)
      }
    }

    /// How leaves and categories are stored, on the only ellipsoid.
    func encodings() throws(IndexFileError) -> (LeafEncoding, CategoryEncoding) {
      guard let encoding = LeafEncoding(rawValue: integer(Place.leafEncoding, UInt8.self)),
        let categoryEncoding = CategoryEncoding(
          rawValue: integer(Place.categoryEncoding, UInt8.self)),
        integer(Place.orderMark, UInt32.self) == IndexFileFormat.orderMark,
        integer(Place.pageSize, UInt32.self) == IndexFileFormat.pageSize,
        integer(Place.leafCapacity, UInt8.self) == TreeShape.fanOut,
        integer(Place.fanOut, UInt8.self) == TreeShape.fanOut,
        integer(Place.flags, UInt32.self) & ~Flag.all == 0
      else { throw .invalid("its header names an encoding that is not known") }
      guard integer(Place.equatorialRadius, UInt64.self) == WGS84.equatorialRadius.bitPattern,
        integer(Place.flattening, UInt64.self) == WGS84.flattening.bitPattern
      else { throw .invalid("its header names another ellipsoid than WGS 84") }
      return (encoding, categoryEncoding)
    }

    /// The numbers of positions and of rows; those that exceed the file's length never enter a sum.
    func counts() throws(IndexFileError) -> (positions: Int, rows: Int) {
      let count = integer(Place.count, UInt64.self)
      guard count <= UInt64(IndexFileFormat.mostPositions) else { throw .tooManyPositions(count) }
      let expected = integer(Place.byteCount, UInt64.self)
      guard expected <= UInt64(Int.max) else { throw .invalid("its header says \(expected) bytes") }
      guard expected <= UInt64(file.count) else {
        throw .truncated(byteCount: file.count, expected: Int(expected))
      }
      guard expected == UInt64(file.count) else {
        throw .invalid("there are \(UInt64(file.count) - expected) bytes too many")
      }
      let rowCount = integer(Place.rowCount, UInt64.self)
      guard rowCount <= expected / 8, rowCount == 0 || rowCount >= count else {
        throw .invalid("its header says \(rowCount) rows for \(count) positions")
      }
      return (Int(count), Int(rowCount))
    }

    /// The sections, which must be where these numbers of bytes put them, and fill the file.
    func sections(treeByteCount: Int, rowCount: Int) throws(IndexFileError) -> IndexFileSections {
      let places = (0..<IndexFileSections.count).map { Place.sections + 16 * $0 }
      let lengths = places.map { integer($0 + 8, UInt64.self) }
      for (number, length) in lengths.enumerated() where length > UInt64(file.count) {
        throw .invalid("its section \(number + 1) says it has \(length) bytes")
      }
      let sections = IndexFileSections(
        treeByteCount: treeByteCount, rowsByteCount: Int(lengths[1]), rowCount: rowCount,
        attachmentByteCount: Int(lengths[3]))
      for (number, place) in places.enumerated() {
        let section = sections[number]
        guard integer(place, UInt64.self) == UInt64(section.lowerBound),
          lengths[number] == UInt64(section.count)
        else { throw .invalid("its section \(number + 1) is not where it belongs") }
      }
      guard sections.byteCount == file.count else {
        throw .invalid("its sections take \(sections.byteCount) of \(file.count) bytes")
      }
      return sections
    }
  }

  /// The trees of a file, stored one after another: that of all positions, and those of single
  /// categories.
  func built(
    _ file: UnsafeRawBufferPointer, lentBy owner: AnyObject, checks: PageChecks, isTrusted: Bool
  ) -> IndexTrees {
    var start = sections.tree.lowerBound
    func next(_ shape: TreeShape, _ categories: CategoryEncoding) -> BuiltTree {
      let end =
        start + TreeSections(shape: shape, leaves: encoding, categories: categories).byteCount
      defer { start = end }
      return BuiltTree(
        memory: TreeMemory(lent: UnsafeRawBufferPointer(rebasing: file[start..<end]), by: owner),
        shape: shape, encoding: encoding, categoryEncoding: categories)
    }
    let whole = next(shape, categoryEncoding)
    var others: [BuiltTree] = []
    counts.forEach(of: owners) {
      others.append(
        next(TreeShape(count: $0, isInGeohashOrder: shape.isInGeohashOrder), .none))
    }
    return IndexTrees(
      whole, counts: counts, owners: owners, ofCategories: others, checks: checks,
      isTrusted: isTrusted)
  }

  /// Requests, all at once, the pages of a mapped file that opening it and every answer read.
  ///
  /// A disk takes a tenth of a millisecond for each page requested alone.
  ///
  /// They are the checksums, the upper levels of the tree, and the ends of the other levels.
  func willReadWhatOpeningReads(of file: UnsafeRawPointer) {
    let most = 1 << 18
    let checksums = sections.pageChecksums
    // 1.3 MB for 10⁸ positions; otherwise each page that an answer reads would wait for a checksum
    // page, too.
    if checksums.count <= 1 << 21 { nearby_will_read(file + checksums.lowerBound, checksums.count) }
    nearby_will_read(file + sections.tableChecksums.lowerBound, sections.tableChecksums.count)
    let tree = TreeSections(shape: shape, leaves: encoding, categories: categoryEncoding)
    let groups = file + sections.tree.lowerBound + tree.groups
    let leaves = file + sections.tree.lowerBound + tree.leaves
    for level in 0..<shape.levelCount {
      let above = shape.groupOffset(level: level) * TreeSections.groupSize
      let last = above + (shape.nodeCount(level: level) - 1) >> 4 * TreeSections.groupSize
      nearby_will_read(groups + last, TreeSections.groupSize)
      guard above > most else {
        nearby_will_read(groups, above)
        break
      }
    }
    if shape.count > 0 {
      nearby_will_read(leaves + (shape.leafCount - 1) * encoding.leafSize, encoding.leafSize)
    }
  }

  /// The version of a format that begins with text, as format 1 did.
  private static func versionInText(_ file: UnsafeRawBufferPointer) -> Int? {
    guard file.starts(with: IndexFileFormat.textMark) else { return nil }
    let digits = file.dropFirst(IndexFileFormat.textMark.count).prefix(9)
      .prefix { (48...57).contains($0) }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// The checksum of the first page, with zeros in place of the checksum itself.
  static func checksum(ofPage file: UnsafeRawBufferPointer) -> UInt32 {
    var checksum = CRC32C()
    checksum.add(UnsafeRawBufferPointer(rebasing: file[..<Place.checksum]))
    withUnsafeBytes(of: UInt32(0)) { checksum.add($0) }
    checksum.add(
      UnsafeRawBufferPointer(rebasing: file[Place.checksum + 4..<IndexFileFormat.pageSize]))
    return checksum.value
  }
}
