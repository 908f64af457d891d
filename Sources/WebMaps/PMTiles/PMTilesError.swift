import Geodesy

/// Why an archive of tiles cannot be read.
public enum PMTilesError: CodedError, Hashable {
  /// The bytes do not begin as a PMTiles archive does.
  case notAnArchive
  /// Another version than 3.
  case version(UInt8)
  /// The file ends before something of it does; holds what.
  case cutOff(String)
  /// A directory or the metadata cannot be unpacked; holds which, and how it is damaged.
  case damaged(String, String)
  /// A directory or the metadata unpacks to more bytes than is allowed; holds which, and the limit.
  case tooLarge(String, limit: Int)
  /// A directory that breaks the rules of the format; holds how.
  case directory(String)
  /// Bytes that are packed in a way that cannot be unpacked here; holds the header's number for it.
  case compression(UInt8)
  /// The file could not be read; holds what the system says.
  case unreadable(String)

  /// The mistake's name: `pmtiles-format`, `pmtiles-version`, `pmtiles-damaged`, `pmtiles-size`,
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
