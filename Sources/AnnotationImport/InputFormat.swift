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

// MARK: - Formats that are not read

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
    guard var other = OtherFormat(of: bytes, isNamed: isNamed) else { return }
    // Many programs export a web page with a table as a file for Excel.
    if other.name == page.name, source.lowercased().hasSuffix(".xls"), holds("<table", bytes) {
      other = spreadsheet("a web page with a table")
    }
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
      // Other XML may have a table, too, but no rows of a web page.
      let isKnown = root != "table" || OtherFormat.holds("<tr", bytes)
      let known = isKnown ? OtherFormat.elements[root] : nil
      guard let format = known ?? (isNamed ? nil : OtherFormat.xml) else {
        return nil
      }
      self = format
    } else {
      return nil
    }
  }

  /// Whether bytes hold the beginning of a tag, which is in lower case, in either case.
  private static func holds(_ tag: String, _ bytes: [UInt8]) -> Bool {
    bytes.lazy.map { $0 | 0x20 }.firstRange(of: tag.utf8) != nil
  }

  // MARK: First bytes

  /// Archives first say what they are, then only that they are archives.
  private static let marks = [
    mark("ustar", at: 257, OtherFormat("a tar archive", "unpack it, for example with tar xf")),
    mark("[Content_Types].xml", at: 30, spreadsheet("an Excel file")),
    mark("mimetypeapplication/vnd.oasis", at: 30, spreadsheet("a LibreOffice file")),
    mark("doc.kml", at: 30, kml),
    mark(
      "PK\u{3}\u{4}",
      OtherFormat(
        "a ZIP archive or an Excel file",
        "unpack it, for example with unzip, or save the spreadsheet as CSV")),
    mark("\u{D0}\u{CF}\u{11}\u{E0}", spreadsheet("an Excel 97–2003 file")),
    mark(
      "7z\u{BC}\u{AF}\u{27}\u{1C}", OtherFormat("a 7z archive", "unpack it, for example with 7z x")),
    // After the level of compression.
    mark("1AY&SY", at: 4, OtherFormat("bzip2", "unpack it, for example with bunzip2")),
    mark("\u{FD}7zXZ\0", OtherFormat("xz", "unpack it, for example with unxz")),
    mark("(\u{B5}/\u{FD}", OtherFormat("zstd", "unpack it, for example with unzstd")),
    mark(
      "SQLite format 3\0",
      OtherFormat(
        "an SQLite database or a GeoPackage",
        "if it was piped or packed, save or unpack it to a file of its own, such as places.gpkg")),
    mark(
      String(IndexFileFormat.mark.prefix(4).map { Character(Unicode.Scalar($0)) }),
      OtherFormat(
        "an index file",
        "if it was piped or packed, save or unpack it to a file of its own, for example with gunzip"
      )),
    // .shp and .shx.
    mark("\0\0\u{27}\u{A}", shapefile),
    mark("fgb\u{3}", layer("FlatGeobuf", "fgb")),
    mark("PAR1\u{15}", layer("Parquet", "parquet")),
    // After the length of the header.
    mark("\n\tOSMHeader", at: 4, layer("OpenStreetMap data", "osm.pbf", " points")),
    mark("Standard Jet DB", at: 4, layer("an Access database", "mdb")),
    mark("Standard ACE DB", at: 4, layer("an Access database", "accdb")),
    mark(".FIT", at: 8, track("FIT", "garmin_fit", "fit")),
    mark("%PDF", OtherFormat("PDF", "copy its table into a CSV file")),
    mark("\u{89}PNG", picture),
    mark("\u{FF}\u{D8}\u{FF}", picture),
    mark(
      "PMTiles\u{3}",
      OtherFormat("an archive of map tiles (PMTiles)", "give the data that it was made from")),
  ]

  /// - Parameter text: Bytes, each as the character with that code.
  private static func mark(
    _ text: String, at offset: Int = 0, _ format: OtherFormat
  ) -> (offset: Int, mark: [UInt8], format: OtherFormat) {
    (offset, text.unicodeScalars.map { UInt8($0.value) }, format)
  }

  /// The outermost elements of XML, in lower case.
  private static let elements: [String: OtherFormat] = [
    "kml": kml,
    "trainingcenterdatabase": track("TCX", "gtrnctr", "tcx"),
    "osm": layer("OpenStreetMap data", "osm", " points"),
    "featurecollection": layer("GML", "gml"),
    "html": page,
    "table": spreadsheet("a table of a web page"),
  ]

  private static let page = OtherFormat(
    "a web page", "open the address in a browser, sign in if it asks, and save the data itself")
  private static let xml = OtherFormat("XML", formats)
  private static let picture = OtherFormat("a picture", formats)
  private static let formats = "give csv, tsv, geojson, geojsonseq, json or gpx"
  private static let shapefile = OtherFormat(
    "a part of a shapefile",
    "convert all of it to a GeoPackage, for example with ogr2ogr places.gpkg places.shp")
  private static let kml = OtherFormat(
    "KML",
    "save the layers of Google's My Maps as CSV; convert other places to a GeoPackage, for example with ogr2ogr "
      + "places.gpkg places.kml, which makes _ of Korean letters in names of columns, and tracks to GPX, for example "
      + "with gpsbabel -i kml -f track.kml -o gpx -F track.gpx")

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
  /// the beginning, and nil if the bytes do not begin as XML, but as a table: `<5 km,lat` or
  /// `<kml>,lat`.
  ///
  /// If the first tag is none, it is `gpx`: the reader of GPX says what is wrong.
  package static func xmlRoot(of bytes: some Collection<UInt8>) -> String? {
    let start = bytes.withoutByteOrderMark.prefix(4_096).drop { $0 <= 0x20 }
    guard start.first == UInt8(ascii: "<") else { return nil }
    let tags = String(decoding: start, as: UTF8.self).lowercased().split(separator: "<")
    if let first = tags.first?.first, !first.isLetter, !"!?".contains(first) {
      // XML in UTF-16 has a 0 there, and XML that is cut off may have a slash.
      let line = start.prefix { $0 >= 0x20 || $0 == .tab }
      let isTable = !"/\0".contains(first) && line.contains { ",;|\t".utf8.contains($0) }
      return isTable ? nil : "gpx"
    }
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
