/// What the bytes of an index file look like; <doc:IndexFiles> says it in words.
public enum IndexFileFormat {
  /// The version that is written and read.
  public static let version = 4
  /// The first eight bytes: as PNG's, they show when a file went through a text conversion.
  public static let mark: [UInt8] = [0x89, 0x4e, 0x42, 0x58, 0x0d, 0x0a, 0x1a, 0x0a]
  /// The same as a little-endian number.
  static let markNumber: UInt64 = 0x0a1a_0a0d_5842_4e89
  /// The size of a page in bytes: each has a checksum, and sections begin at multiples of it.
  public static let pageSize = 4_096
  /// More positions than this do not go into one index.
  public static let mostPositions = Int(UInt32.max) - 1

  /// Format 1, which kept sources and no tree, began with this text and its number.
  static let textMark = Array("nearby-index ".utf8)
  /// Reads differently in the other byte order.
  static let orderMark: UInt32 = 0x0102_0304

  /// So many bytes, rounded up to whole pages.
  static func wholePages(_ byteCount: Int) -> Int {
    (byteCount + pageSize - 1) / pageSize * pageSize
  }
}

/// What a source was when an index was built from it.
public struct SourceStamp: Hashable, Sendable {
  /// How long it was.
  public let byteCount: Int
  /// When it was last changed, in nanoseconds since 1970, or a number that a store counts up.
  public let modified: Int
  /// A checksum of its contents; CRC-32C for files.
  public let checksum: UInt32

  /// Takes the values as they are.
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

/// Where the sections of an index file lie; all of it follows from their lengths.
struct IndexFileSections: Hashable {
  let tree: Range<Int>
  let rows: Range<Int>
  let rowOffsets: Range<Int>
  let attachment: Range<Int>
  /// A checksum for each page of those before.
  let pageChecksums: Range<Int>
  /// A checksum for each page of the page checksums.
  let tableChecksums: Range<Int>
  /// Whole pages.
  let byteCount: Int

  /// - Precondition: The sum of all is far below 2⁶³.
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

  /// How many pages stand between the header's and the checksums.
  var pageCount: Int { pageChecksums.count / 4 }

  /// How many sections there are.
  static let count = 6

  /// A section by its number, from 0.
  ///
  /// Not an array: for one of ranges a program's first look makes sure that integers can be compared,
  /// which takes four times as long as opening the file.
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
