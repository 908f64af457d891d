import GeoJSONCoding

/// The text formats for annotations, each also packed with gzip.
public enum InputFormat: String, CaseIterable, Hashable, Sendable {
  /// Comma-separated values with a header (RFC 4180).
  case csv
  /// Tab-separated values with a header; quotes are ordinary characters.
  case tsv
  /// One GeoJSON object (RFC 7946).
  case geojson
  /// One GeoJSON feature on each line, or each after a record separator (RFC 8142).
  case geojsonseq
  /// A plain JSON array of objects, or an object that contains one.
  case json
  /// Waypoints, and optionally points of routes and tracks (GPX 1.0 and 1.1).
  case gpx

  /// The format from a file name's ending, ignoring a last `.gz`; nil if the ending does not
  /// decide, like `.json`, which may be GeoJSON or not.
  public init?(nameEndingIn name: String) {
    var parts = name.split(separator: "/").last?.split(separator: ".").map { $0.lowercased() } ?? []
    if parts.last == "gz" { parts.removeLast() }
    guard parts.count > 1, let ending = parts.last else { return nil }
    switch ending {
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "geojson": self = .geojson
    case "geojsonseq", "geojsons", "geojsonl", "ndjson", "jsonl": self = .geojsonseq
    case "gpx": self = .gpx
    default: return nil
    }
  }

  /// Detects the format of unpacked bytes: JSON by its first byte, and otherwise TSV if the first
  /// line has tabs and no comma, or CSV.
  package init(sniffedFrom bytes: UnsafeBufferPointer<UInt8>) {
    let isSpace: (UInt8) -> Bool = { $0 == .space || (0x09...0x0D).contains($0) }
    let whole = bytes
    let bytes = bytes[ByteOrderMark.length(bytes)...]
    guard let first = bytes.firstIndex(where: { !isSpace($0) }) else {
      self = .csv
      return
    }
    switch bytes[first] {
    case 0x1E:
      self = .geojsonseq
    case UInt8(ascii: "<"):
      self = .gpx
    case UInt8(ascii: "["):
      self = .json
    case UInt8(ascii: "{"):
      // If a line ends an object before another begins, this is a sequence of lines.
      let lineEnd = bytes[first...].firstIndex(of: .lineFeed) ?? bytes.endIndex
      let last = bytes[first..<lineEnd].last { !isSpace($0) }
      let next = bytes[lineEnd...].first { !isSpace($0) }
      let isSequence = last == UInt8(ascii: "}") && next == UInt8(ascii: "{")
      self = isSequence ? .geojsonseq : JSONRowReader.areRows(whole) ? .json : .geojson
    default:
      let line = bytes[first...].prefix { $0 != .lineFeed && $0 != .carriageReturn }
      self = line.contains(.tab) && !line.contains(.comma) ? .tsv : .csv
    }
  }
}
