import GeoJSONCoding

/// The text formats that annotations are read from, each also packed with gzip.
public enum InputFormat: String, CaseIterable, Hashable, Sendable {
  /// Comma-separated values with a header (RFC 4180).
  case csv
  /// Tab-separated values with a header; quotes are ordinary characters.
  case tsv
  /// One GeoJSON object (RFC 7946).
  case geojson
  /// One GeoJSON feature a line, or each behind a record separator (RFC 8142).
  case geojsonseq
  /// A plain JSON array of objects, or an object that holds one.
  case json
  /// Waypoints, and points of routes and tracks where they are asked for (GPX 1.0 and 1.1).
  case gpx

  /// The format that a file's name ends in, a last `.gz` left out; nil when the ending says
  /// nothing, as `.json`, which may be GeoJSON or not.
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

  /// The format that unpacked bytes look like: JSON by its first byte, and otherwise tab-separated
  /// if the first line has tabs and no comma, or comma-separated.
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
      // A line that ends an object before another begins is a line of its own.
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
