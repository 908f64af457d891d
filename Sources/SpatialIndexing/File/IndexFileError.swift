import Geodesy

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
