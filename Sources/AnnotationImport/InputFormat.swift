import GeoJSONCoding
import Geodesy

/// The text formats for annotations, each also packed with gzip.
public enum InputFormat: String, CaseIterable, Hashable, Sendable {
  /// Comma-separated values with a header (RFC 4180).
  case csv
  /// Tab-separated values with a header; quotes are ordinary characters.
  case tsv
  /// One GeoJSON object (RFC 7946).
  case geojson
  /// One GeoJSON feature on each line, or each after a record separator (RFC 8142); or one plain
  /// JSON object on each line.
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

  /// Detects the format of unpacked bytes: XML and JSON by their beginning, and otherwise TSV if the
  /// first line has tabs and no comma, or CSV.
  ///
  /// Lines of JSON are found even if the first or the second one is damaged, so that only that one
  /// is lost. A single line of JSON is a row if it has a position, whatever arrays it has.
  ///
  /// - Parameter hasRowsField: Whether an option names a member with the rows, so that a single line
  ///   is no row.
  package init(sniffedFrom bytes: UnsafeBufferPointer<UInt8>, hasRowsField: Bool = false) {
    let whole = bytes
    let bytes = bytes.withoutByteOrderMark
    guard let first = bytes.firstIndex(where: { !$0.isASCIIWhitespace }) else {
      self = .csv
      return
    }
    let lineEnd = bytes[first...].firstIndex(of: .lineFeed) ?? bytes.endIndex
    let line = bytes[first..<lineEnd]
    let next = bytes[lineEnd...].drop(while: \.isASCIIWhitespace).prefix { $0 != .lineFeed }
    switch bytes[first] {
    case 0x1E:
      self = .geojsonseq
    case UInt8(ascii: "<") where OtherFormat.xmlRoot(of: bytes) != nil:
      self = .gpx
    case UInt8(ascii: "["):
      self = .json
    case UInt8(ascii: "{"):
      // In one JSON text, nothing follows a whole object, and an object only what announces a value.
      let last = line.last { !$0.isASCIIWhitespace } ?? 0
      let isSequence =
        if next.isEmpty {
          !hasRowsField
            && PositionFinder.findsPosition(inRow: UnsafeBufferPointer(rebasing: line))
        } else {
          next.first == UInt8(ascii: "{") ? !"[,:".utf8.contains(last) : closesBraces(line)
        }
      self =
        isSequence
        ? .geojsonseq
        : JSONRowReader.areRows(whole, areNamed: hasRowsField) ? .json : .geojson
    default:
      if next.first == UInt8(ascii: "{"),
        next.last(where: { !$0.isASCIIWhitespace }) == UInt8(ascii: "}")
      {
        self = .geojsonseq
        return
      }
      let header = line.prefix { $0 != .carriageReturn }
      self = header.contains(.tab) && !header.contains(.comma) ? .tsv : .csv
    }
  }
}
