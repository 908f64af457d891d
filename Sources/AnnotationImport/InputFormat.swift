import GeoJSONCoding
import Geodesy
import SpatialIndexing

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

/// A format that is not read here, recognized by its first bytes, and how to convert it.
package struct OtherFormat: Sendable {
  /// What it is, with an article if it has one.
  private let name: String
  /// What to do, as a command to the reader.
  private let remedy: String

  private init(_ name: String, _ remedy: String) {
    self.name = name
    self.remedy = remedy
  }

  /// Throws if unpacked bytes are in one of these formats.
  ///
  /// - Parameter isNamed: Whether a name or an option says what they are; then XML is refused only
  ///   if its outermost element is a known one, since a table may begin with `<`, too.
  package static func refuse(
    _ bytes: [UInt8], named source: String, isNamed: Bool
  ) throws(ImportError) {
    guard let other = OtherFormat(of: bytes, isNamed: isNamed) else { return }
    throw ImportError(source, .format(other.name, remedy: other.remedy))
  }

  /// nil for bytes that may be read.
  private init?(of bytes: [UInt8], isNamed: Bool) {
    if let row = OtherFormat.marks.first(where: {
      bytes.dropFirst($0.offset).starts(with: $0.mark)
        && ($0.offset == 0 || OtherFormat.mayPrecedeMark(bytes.prefix($0.offset)))
    }) {
      self = row.format
    } else if OtherFormat.isDBase(bytes) {
      self = OtherFormat.shapefile
    } else if let root = OtherFormat.xmlRoot(of: bytes), root != "gpx" {
      guard let format = OtherFormat.elements[root] ?? (isNamed ? nil : OtherFormat.xml) else {
        return nil
      }
      self = format
    } else {
      return nil
    }
  }

  // MARK: First bytes

  /// Archives first say what they are, then only that they are archives.
  private static let marks: [(offset: Int, mark: [UInt8], format: OtherFormat)] = [
    (257, Array("ustar".utf8), OtherFormat("a tar archive", "unpack it, for example with tar xf")),
    (30, Array("[Content_Types].xml".utf8), spreadsheet("an Excel file")),
    (30, Array("mimetypeapplication/vnd.oasis".utf8), spreadsheet("a LibreOffice file")),
    (30, Array("doc.kml".utf8), kml),
    (
      0, Array("PK\u{3}\u{4}".utf8),
      OtherFormat(
        "a ZIP archive or an Excel file",
        "unpack it, for example with unzip, or save the spreadsheet as CSV")
    ),
    (0, [0xD0, 0xCF, 0x11, 0xE0], spreadsheet("an Excel 97–2003 file")),
    (
      0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C],
      OtherFormat("a 7z archive", "unpack it, for example with 7z x")
    ),
    // After the level of compression.
    (4, Array("1AY&SY".utf8), OtherFormat("bzip2", "unpack it, for example with bunzip2")),
    (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], OtherFormat("xz", "unpack it, for example with unxz")),
    (0, [0x28, 0xB5, 0x2F, 0xFD], OtherFormat("zstd", "unpack it, for example with unzstd")),
    (
      0, Array("SQLite format 3\0".utf8),
      OtherFormat(
        "an SQLite database or a GeoPackage",
        "if it was piped or packed, save or unpack it to a file of its own, such as places.gpkg")
    ),
    (
      0, Array(IndexFileFormat.mark.prefix(4)),
      OtherFormat(
        "an index file",
        "if it was piped or packed, save or unpack it to a file of its own, for example with gunzip"
      )
    ),
    // .shp and .shx.
    (0, [0, 0, 0x27, 0x0A], shapefile),
    (0, Array("fgb\u{3}".utf8), layer("FlatGeobuf", "fgb")),
    (0, Array("PAR1\u{15}".utf8), layer("Parquet", "parquet")),
    // After the length of the header.
    (4, Array("\n\tOSMHeader".utf8), layer("OpenStreetMap data", "osm.pbf", " points")),
    (4, Array("Standard Jet DB".utf8), layer("an Access database", "mdb")),
    (4, Array("Standard ACE DB".utf8), layer("an Access database", "accdb")),
    (8, Array(".FIT".utf8), track("FIT", "garmin_fit", "fit")),
    (0, Array("%PDF".utf8), OtherFormat("PDF", "copy its table into a CSV file")),
    (0, [0x89, 0x50, 0x4E, 0x47], picture),
    (0, [0xFF, 0xD8, 0xFF], picture),
    (
      0, Array("PMTiles\u{3}".utf8),
      OtherFormat("an archive of map tiles (PMTiles)", "give the data that it was made from")
    ),
  ]

  /// The outermost elements of XML, in lower case.
  private static let elements: [String: OtherFormat] = [
    "kml": kml,
    "trainingcenterdatabase": track("TCX", "gtrnctr", "tcx"),
    "osm": layer("OpenStreetMap data", "osm", " points"),
    "featurecollection": layer("GML", "gml"),
    "html": OtherFormat(
      "a web page", "open the address in a browser, sign in if it asks, and save the data itself"),
  ]

  private static let xml = OtherFormat("XML", formats)
  private static let picture = OtherFormat("a picture", formats)
  private static let formats = "give csv, tsv, geojson, geojsonseq, json or gpx"
  private static let shapefile = OtherFormat(
    "a part of a shapefile",
    "convert all of it to a GeoPackage, for example with ogr2ogr places.gpkg places.shp")
  private static let kml = OtherFormat(
    "KML",
    "convert places to a GeoPackage, for example with ogr2ogr places.gpkg places.kml, and tracks to GPX, for "
      + "example with gpsbabel -i kml -f track.kml -o gpx -F track.gpx")

  private static func spreadsheet(_ name: String) -> OtherFormat {
    OtherFormat(name, "save it as CSV, for example with soffice --convert-to csv")
  }

  private static func layer(
    _ name: String, _ ending: String, _ layer: String = ""
  ) -> OtherFormat {
    OtherFormat(
      name,
      "convert it to a GeoPackage, for example with ogr2ogr places.gpkg places.\(ending)\(layer)")
  }

  private static func track(_ name: String, _ format: String, _ ending: String) -> OtherFormat {
    OtherFormat(
      name,
      "convert it to GPX, for example with gpsbabel -i \(format) -f track.\(ending) -o gpx -F track.gpx"
    )
  }

  /// Whether bytes have a control character that no text has, or begin bzip2.
  ///
  /// Behind text, a mark is a part of the text, such as `ustar` in "Mustard".
  private static func mayPrecedeMark(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.starts(with: "BZh".utf8)
      || bytes.contains { $0 < 0x10 && ![.tab, .lineFeed, .carriageReturn].contains($0) }
  }

  /// Whether bytes are a dBase III table, as in shapefiles: the header states its own length and
  /// ends with a carriage return.
  private static func isDBase(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 32, bytes[0] == 3 else { return false }
    let length = Int(bytes[8]) | Int(bytes[9]) << 8
    return 33...bytes.count ~= length && bytes[length - 1] == .carriageReturn
  }

  /// The name of the outermost element, in lower case and without a prefix; empty if it is not near
  /// the beginning, and nil if the bytes do not begin as XML, but perhaps as a table: `<5 km,lat` or
  /// `<kml>,lat`.
  package static func xmlRoot(of bytes: some Collection<UInt8>) -> String? {
    let start = bytes.withoutByteOrderMark.prefix(4_096).drop { $0 <= 0x20 }
    guard start.first == UInt8(ascii: "<") else { return nil }
    let tags = String(decoding: start, as: UTF8.self).lowercased().split(separator: "<")
    if let first = tags.first?.first, !first.isLetter, !"!?".contains(first) { return nil }
    var isComment = false
    for tag in tags {
      // An element behind which a comment ends is in the comment, too.
      let isInComment = isComment || tag.hasPrefix("!--")
      isComment = isInComment && !tag.contains("-->")
      if isInComment { continue }
      if tag.hasPrefix("!doctype html") { return "html" }
      guard tag.first?.isLetter == true else { continue }
      let text = tag.drop { $0 != ">" }.dropFirst()
      if let mark = text.first, ",;|\t".contains(mark), !text.allSatisfy(\.isWhitespace) {
        return nil
      }
      let name = tag.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
      return String(name.split(separator: ":").last ?? name)
    }
    return ""
  }
}
