import CNearbyKernels
import Geodesy

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

  /// Whether bytes begin like an index file of this or another version.
  public static func isMark(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: mark) || bytes.starts(with: textMark)
  }

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

/// Why bytes are not a usable index file.
public enum IndexFileError: CodedError, Hashable {
  /// The bytes do not begin as an index file does.
  case notAnIndex
  /// The index file has another format version.
  case version(Int)
  /// The file was written in the other byte order, or this machine uses it.
  case byteOrder
  /// There are fewer bytes than expected.
  case truncated(byteCount: Int, expected: Int)
  /// A page does not match its checksum; holds the offset where the page begins.
  case checksum(offset: Int)
  /// There are more positions than an index can hold.
  case tooManyPositions(UInt64)
  /// The contents are impossible although checksums match or were not checked; holds the problem.
  case invalid(String)

  /// The error's name, for programs.
  public var code: String {
    switch self {
    case .notAnIndex: "index-not-nbx"
    case .version: "index-version"
    case .byteOrder: "index-byte-order"
    case .truncated: "index-truncated"
    case .checksum: "index-checksum"
    case .tooManyPositions: "index-limit"
    case .invalid: "index-invalid"
    }
  }

  /// One sentence that names the value and says what to do.
  public var description: String {
    switch self {
    case .notAnIndex:
      "this is not an index file; build one from its source"
    case .version(let version):
      """
      index format \(version) is not format \(IndexFileFormat.version); build it again
      """
    case .byteOrder:
      "the index is in another byte order than this machine's; build it again here"
    case .truncated(let byteCount, let expected):
      "\(byteCount) of \(expected) bytes are there; copy or build it again"
    case .checksum(let offset):
      "the page at byte \(offset) does not match its checksum; copy or build it again"
    case .tooManyPositions(let count):
      """
      the index says it holds \(count) positions; the limit is \
      \(IndexFileFormat.mostPositions) = 2³² − 2, so divide them among several
      """
    case .invalid(let what):
      "\(what); build it again"
    }
  }
}

/// There are more positions than one index can hold.
public struct IndexLimitError: CodedError, Hashable {
  /// The number of positions.
  public let count: Int
  /// The maximum number: ``IndexFileFormat/mostPositions``.
  public let limit: Int

  /// The error's name, for programs.
  public var code: String { "index-limit" }

  /// One sentence that names the value and says what to do.
  public var description: String {
    """
    there are \(count) positions; the limit of an index is \
    \(limit)\(limit == IndexFileFormat.mostPositions ? " = 2³² − 2" : ""), so divide them among \
    several
    """
  }
}
