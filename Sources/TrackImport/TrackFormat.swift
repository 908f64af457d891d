import AnnotationImport
import GeoJSONCoding
import Geodesy

/// The supported formats of tracks.
public enum TrackFormat: String, CaseIterable, Hashable, Sendable {
  /// The track points of GPX 1.0 and 1.1.
  case gpx
  /// NMEA 0183 sentences, as receivers send them.
  case nmea
  /// Rows with a header that names the position columns, separated by comma, tab, semicolon or bar.
  case csv
  /// One GeoJSON text (RFC 7946).
  case geojson
  /// One GeoJSON feature on each line, or each after a record separator (RFC 8142); or one plain
  /// JSON object on each line, with the members of a row.
  case geojsonseq

  /// Detects the format from the beginning of a text; nil if more of it is needed.
  ///
  /// XML is GPX, a line with `$` or `!` and an address is NMEA, a brace is GeoJSON: a sequence if
  /// the first line has balanced braces. Anything else is rows, unless a sentence with its checksum
  /// follows: a receiver's log may begin with gpsd's greeting, with the receiver's own sentences, with
  /// half a sentence or with a title.
  ///
  /// - Parameter isWhole: Whether the text ends here.
  static func sniffed(from bytes: [UInt8], isWhole: Bool) -> TrackFormat? {
    // UTF-16 is allowed only for GPX; rows in UTF-16 get an error later.
    if TextEncoding.marked(in: bytes) != nil {
      guard isWhole || bytes.count > 3 else { return nil }
      return bytes.dropFirst(2).prefix(2).contains(UInt8(ascii: "<")) ? .gpx : .csv
    }
    // XML in UTF-16 may do without a mark, and begins with `<` then: XML 1.0, appendix F.
    if bytes.starts(with: [0, UInt8(ascii: "<")]) { return .gpx }
    let content = bytes.withoutByteOrderMark
    guard let first = content.firstIndex(where: { !$0.isASCIIWhitespace }) else {
      return isWhole ? .csv : nil
    }
    switch bytes[first] {
    case UInt8(ascii: "<") where OtherFormat.xmlRoot(of: content) != nil: return .gpx
    case 0x1E: return .geojsonseq
    default: break
    }
    guard let lineEnd = content[first...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
      // A log never has so long a first line.
      guard isWhole || content.count > 1 << 20 else { return nil }
      return sniffed(fromFirstLine: content[first...], isWhole: true)
    }
    let line = content[first..<lineEnd]
    let isOnlyLine = isWhole && content[lineEnd...].allSatisfy(\.isASCIIWhitespace)
    let format = sniffed(fromFirstLine: line, isWhole: isOnlyLine)
    guard format == .csv || isGreeting(line) else { return format }
    let isEnough = isWhole || content.count > mostPrologue
    var lines = content[lineEnd...].prefix(mostPrologue).split { $0 == 0x0A || $0 == 0x0D }
    if lines.contains(where: { $0.startsSentence && NMEASentence($0)?.checksum == .right }) {
      return .nmea
    }
    if content.last != 0x0A, content.last != 0x0D { lines = lines.dropLast() }
    // Waiting for the second line holds no fix back: the first one of a table is a header.
    let isPrologue = lines.allSatisfy { $0.startsSentence || isGreeting($0) }
    return isPrologue && !isEnough ? nil : format
  }

  /// The number of bytes in which the first sentence of a receiver's log must begin.
  private static let mostPrologue = 8_192

  /// Whether a line is of those that gpsd sends to each client before anything else.
  private static func isGreeting(_ line: ArraySlice<UInt8>) -> Bool {
    ["VERSION", "DEVICES", "WATCH"].contains {
      line.starts(with: "{\"class\":\"\($0)\"".utf8)
    }
  }

  private static func sniffed(
    fromFirstLine line: ArraySlice<UInt8>, isWhole: Bool
  ) -> TrackFormat {
    switch line.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      closesBraces(line, countingBrackets: true) && !isWhole ? .geojsonseq : .geojson
    default:
      NMEASentence(line) != nil ? .nmea : .csv
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether a line begins as sentences do, also those of one maker's receivers.
  fileprivate var startsSentence: Bool { first == UInt8(ascii: "$") || first == UInt8(ascii: "!") }
}
