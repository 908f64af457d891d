import Geodesy

/// An error in an archive of tiles.
public enum PMTilesError: CodedError, Hashable {
  /// The bytes do not begin like a PMTiles archive.
  case notAnArchive
  /// A version other than 3.
  case version(UInt8)
  /// The file is cut off; holds the part that is incomplete.
  case cutOff(String)
  /// A directory or the metadata cannot be unpacked; holds which, and what is damaged.
  case damaged(String, String)
  /// A directory or the metadata exceeds its unpacked limit; holds which, and the limit in bytes.
  case tooLarge(String, limit: Int)
  /// A directory breaks the rules of the format; holds how.
  case directory(String)
  /// An unsupported compression; holds the header's number for it.
  case compression(UInt8)
  /// The file could not be read; holds the system's message.
  case unreadable(String)

  /// The code: `pmtiles-format`, `pmtiles-version`, `pmtiles-damaged`, `pmtiles-size`,
  /// `pmtiles-compression` or `read-failed`.
  public var code: String {
    switch self {
    case .notAnArchive: "pmtiles-format"
    case .version: "pmtiles-version"
    case .cutOff, .damaged, .directory: "pmtiles-damaged"
    case .tooLarge: "pmtiles-size"
    case .compression: "pmtiles-compression"
    case .unreadable: "read-failed"
    }
  }

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .notAnArchive: "the file does not begin as a PMTiles archive; name one"
    case .version(let version): "it is PMTiles of version \(version), not 3; convert it"
    case .cutOff(let part): "the archive ends before \(part) does; fetch it again"
    case .damaged(let part, let detail): "\(part) cannot be unpacked, \(detail); fetch it again"
    case .tooLarge(let part, let limit):
      "\(part) unpacks to more than \(limit) bytes; do not trust the archive"
    case .directory(let fault): "a directory has \(fault); fetch the archive again"
    case .compression(let number):
      "its compression is number \(number), not none (1) or gzip (2); convert it"
    case .unreadable(let message): "the archive cannot be read: \(message); check the file"
    }
  }
}
