import CNearbyKernels

/// The layout of an index file; <doc:IndexFiles> describes it in words.
public enum IndexFileFormat {
  /// The version read and written.
  public static let version = 4
  /// The first eight bytes: like PNG's, they reveal that a file went through a text conversion.
  public static let mark: [UInt8] = [0x89, 0x4e, 0x42, 0x58, 0x0d, 0x0a, 0x1a, 0x0a]
  /// The page size in bytes: each page has a checksum, and sections begin on page boundaries.
  public static let pageSize = 4_096
  /// The maximum number of positions in one index.
  public static let mostPositions = Int(UInt32.max) - 1

  /// Format 1, which stored sources and no tree, began with this text and its number.
  static let textMark = Array("nearby-index ".utf8)
  /// A number that reads differently in the other byte order.
  static let orderMark: UInt32 = 0x0102_0304

  /// A number of bytes, rounded up to whole pages.
  static func wholePages(_ byteCount: Int) -> Int {
    (byteCount + pageSize - 1) / pageSize * pageSize
  }
}

/// CRC-32C (Castagnoli), the checksum of iSCSI (RFC 3720, B.4), SCTP and ext4.
///
/// It detects every burst error of up to 32 bits, and in a page of 4 KiB any three single-bit
/// errors.
struct CRC32C {
  private var state = ~UInt32(0)

  /// The checksum of the bytes added so far.
  var value: UInt32 { ~state }

  /// The checksum of some bytes.
  static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    var checksum = CRC32C()
    checksum.add(bytes)
    return checksum.value
  }

  /// Adds bytes to the end.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    state = nearby_checksum(state, start, bytes.count)
  }
}

/// The state of a source when an index was built from it.
public struct SourceStamp: Hashable, Sendable {
  /// The length of the source.
  public let byteCount: Int
  /// When the source was last changed, in nanoseconds since 1970, or a number that a store
  /// increments.
  public let modified: Int
  /// A checksum of the contents; CRC-32C for files.
  public let checksum: UInt32

  /// Stores the values unchanged.
  public init(byteCount: Int, modified: Int, checksum: UInt32) {
    self.byteCount = byteCount
    self.modified = modified
    self.checksum = checksum
  }

  /// The CRC-32C of a source's contents.
  ///
  /// - Complexity: O(length).
  public static func checksum(of contents: UnsafeRawBufferPointer) -> UInt32 {
    CRC32C.checksum(of: contents)
  }
}

/// The ranges of the sections of an index file, which all follow from their lengths.
struct IndexFileSections: Hashable {
  let tree: Range<Int>
  let rows: Range<Int>
  let rowOffsets: Range<Int>
  let attachment: Range<Int>
  /// A checksum for each preceding page.
  let pageChecksums: Range<Int>
  /// A checksum for each page of `pageChecksums`.
  let tableChecksums: Range<Int>
  /// The length of the file, in whole pages.
  let byteCount: Int

  /// - Precondition: The sum of all arguments is far below 2⁶³.
  init(treeByteCount: Int, rowsByteCount: Int, rowCount: Int, attachmentByteCount: Int) {
    var end = IndexFileFormat.pageSize
    func place(_ byteCount: Int) -> Range<Int> {
      let start = end
      end += IndexFileFormat.wholePages(byteCount)
      return start..<start + byteCount
    }
    tree = place(treeByteCount)
    rows = place(rowsByteCount)
    rowOffsets = place(rowCount * 8)
    attachment = place(attachmentByteCount)
    let pageCount = end / IndexFileFormat.pageSize - 1
    pageChecksums = place(pageCount * 4)
    tableChecksums = place(
      IndexFileFormat.wholePages(pageChecksums.count) / IndexFileFormat.pageSize * 4)
    byteCount = end
  }

  /// The number of pages between the header's page and the checksums.
  var pageCount: Int { pageChecksums.count / 4 }

  /// The number of sections.
  static let count = 6

  /// A section by its number, from 0.
  ///
  /// Not an array: a program's first access to an array of ranges looks up that integers are
  /// comparable, which takes four times as long as opening the file.
  subscript(number: Int) -> Range<Int> {
    switch number {
    case 0: tree
    case 1: rows
    case 2: rowOffsets
    case 3: attachment
    case 4: pageChecksums
    case 5: tableChecksums
    default: preconditionFailure("there is no section \(number)")
    }
  }
}
