import Foundation
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import AnnotationImport

@Suite struct SourceTests {
  private static let shops = Array("id,lat,lon\n1,37.5,127\n2,35.1,129\n".utf8)

  // MARK: Packing

  @Test func `gzip is known by its first bytes, and members follow one another`() throws {
    let half = SourceTests.shops.count / 2
    let packed =
      gzipMember(Array(SourceTests.shops[..<half])) + gzipMember([])
      + gzipMember(Array(SourceTests.shops[half...])) + [0, 0, 0]
    for name in ["shops.csv.gz", "shops.csv", "-"] {
      #expect(try importing(packed, named: name).report.placed == 2)
    }
  }

  @Test func `a large source packed in many members comes out whole`() throws {
    let rows = (1...40_000).map { "\($0),37.5,127.\($0)\n" }.joined()
    let packed = gzipMember(Array("id,lat,lon\n".utf8)) + gzipMember(Array(rows.utf8))
    let result = try importing(packed)
    #expect(result.report.placed == 40_000)
    #expect(result.annotations.last?.id == 40_000)
  }

  @Test func `packed bytes that are cut off anywhere are damaged`() {
    let packed = gzipMember(SourceTests.shops)
    for length in 2..<packed.count {
      #expect(importError(Array(packed[..<length]))?.code == "gzip-damaged", "\(length) bytes")
    }
  }

  @Test func `packed bytes with a wrong checksum, length or end are damaged`() {
    var wrongChecksum = gzipMember(SourceTests.shops)
    wrongChecksum[20] ^= 1
    #expect(importError(wrongChecksum)?.code == "gzip-damaged")
    // The stated length is no reason to allocate 4 GiB, and is checked at the end.
    let wrongLength = gzipMember(SourceTests.shops, statedLength: .max)
    #expect(importError(wrongLength)?.code == "gzip-damaged")
    let trailing = gzipMember(SourceTests.shops) + Array("and more".utf8)
    #expect(
      importError(trailing)?.description
        == "shops.csv: the gzip packing is damaged after 33 unpacked bytes (something else "
        + "follows); fetch or pack it again")
  }

  // MARK: Formats

  @Test(arguments: [
    ("a/b.csv", InputFormat.csv), ("b.CSV.gz", .csv), ("b.tsv.gz", .tsv), ("b.json", nil),
    ("b.geojson", .geojson), ("b.geojsonl.gz", .geojsonseq), ("-", nil), ("b.gz", nil),
    ("csv", nil), (".csv/b", nil), ("airports.dat", nil),
  ])
  func `a name tells the format by its ending`(name: String, format: InputFormat?) {
    #expect(InputFormat(nameEndingIn: name) == format)
  }

  @Test(arguments: [
    ("id,lat,lon\n", InputFormat.csv), ("id\tlat\tlon\n", .tsv), ("id\tname, kind\n", .csv),
    ("  {\"type\":\"FeatureCollection\"}", .geojson), ("{\n\"type\":1}", .geojson),
    ("{\"a\":1}\n{\"a\":2}\n", .geojsonseq), ("{\"a\":1}\n", .geojson), ("\u{1E}{}\n", .geojsonseq),
    ("", .csv), ("\u{FEFF}{\"type\":\"FeatureCollection\"}", .geojson),
    // One damaged line leaves lines.
    ("{\"a\":1}\nbad\n{\"a\":2}", .geojsonseq), ("{\"a\":1\n{\"a\":2}\n", .geojsonseq),
    ("bad\n{\"a\":1}\r\n", .geojsonseq), ("{\"}\\\"\":{}}\nbad\n", .geojsonseq),
    ("{\"type\":\"FeatureCollection\",\"features\":[\n{\"a\":1}\n]}", .geojson),
    ("{\"a\":\n{\"b\":1}}\n", .geojson), ("{\"a\":{}\n,\"b\":1}\n", .geojson),
    ("{\"a\":\"{}\",\n\"b\":1}\n", .geojson), ("a\n{b\n", .csv),
  ])
  func `first bytes tell the format`(text: String, format: InputFormat) {
    let sniffed = Array(text.utf8).withUnsafeBufferPointer { InputFormat(sniffedFrom: $0) }
    #expect(sniffed == format)
  }

  @Test func `other formats are named and refused`() {
    #expect(importError("<?xml version=\"1.0\"?><kml/>", named: "-")?.code == "format-unknown")
    #expect(
      importError("SQLite format 3\0", named: "shops.gpkg")?.description
        == "shops.gpkg: this looks like an SQLite database or a GeoPackage, which cannot be "
        + "read; if it was piped or packed, save or unpack it to a file of its own, such as "
        + "places.gpkg")
    #expect(
      importError([0x89, 0x4E, 0x42, 0x58], named: "shops.nbx.gz")?.description
        == "shops.nbx.gz: this looks like an index file, which cannot be read; if it was piped or "
        + "packed, save or unpack it to a file of its own, for example with gunzip")
    #expect(
      importError("%PDF-1.7", named: "-")?.description
        == "-: this looks like PDF, which cannot be read; copy its table into a CSV file")
    #expect(
      importError("PMTiles\u{3}\u{7F}", named: "shops.pmtiles")?.description
        == "shops.pmtiles: this looks like an archive of map tiles (PMTiles), which cannot be read; "
        + "give the data that it was made from")
    #expect(importError("PMTiles,lat,lon\na,1,2\n", named: "-") == nil)
    // The first bytes of .shp and .shx, and a .dbf with one field and no record.
    let shape: [UInt8] = [0, 0, 0x27, 0x0A, 0, 0, 0, 0]
    var table = [UInt8](repeating: 0, count: 66)
    table.replaceSubrange(0..<12, with: [3, 126, 11, 29, 0, 0, 0, 0, 65, 0, 11, 0])
    table.replaceSubrange(32..<34, with: "id".utf8)
    table[43] = UInt8(ascii: "N")
    table[64] = 0x0D
    for (name, bytes) in [("shops.shp", shape), ("shops.dbf", table)] {
      #expect(
        importError(bytes, named: name)?.description
          == "\(name): this looks like a part of a shapefile, which cannot be read; convert all of it "
          + "to a GeoPackage, for example with ogr2ogr places.gpkg places.shp")
    }
  }

  @Test(arguments: ["a.csv", "a.tsv"])
  func `JSON that is called a table is told what it is`(name: String) {
    for (text, format) in [
      (#"{"type":"FeatureCollection","features":[]}"#, "geojson"), ("[{\"lat\":1}]", "json"),
      ("{\"type\":\"Feature\"}\n{\"type\":\"Feature\"}\n", "geojsonseq"),
    ] {
      let error = importError(text, named: name)
      #expect(error?.code == "other-format" && error?.blame == .usage)
      #expect(
        error?.description
          == "\(name): this looks like JSON, not like a table; say `format` \(format)")
    }
    #expect(importError("a,b\n1,2\n", named: name)?.code == "no-coordinate-fields")
  }

  @Test(arguments: ["a.geojson", "a.jsonl", "a.gpx"])
  func `a table that is called JSON or GPX is told what it is`(name: String) {
    for (text, format) in [
      ("id,lat,lon\n1,37,127\n", "csv"), ("id\tlat\tlon\n1\t37\t127\n", "tsv"),
    ] {
      let error = importError(text, named: name)
      #expect(error?.code == "other-format" && error?.blame == .usage)
      #expect(
        error?.description
          == "\(name): this looks like a table, not like JSON or GPX; say `format` \(format)")
    }
    let other = importError("data = {\"type\": 1, \"a\": 2}\n", named: name)
    #expect(other != nil && other?.code != "other-format")
  }

  @Test(arguments: ["a.csv", "a.geojson", "a.gpx", "a.xlsx"])
  func `an Excel file is told what it is, whatever it is called`(name: String) {
    let error = importError([0x50, 0x4B, 3, 4, 0x14, 0, 0x84, 0xFF], named: name)
    #expect(
      error?.description
        == "\(name): this looks like a ZIP archive or an Excel file, which cannot be read; "
        + "unpack it, for example with unzip, or save the spreadsheet as CSV")
  }

  /// Some first bytes, what they are the beginning of, and the program that converts it.
  private static let others: [(start: [UInt8], name: String, program: String)] = [
    ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1], "an Excel 97–2003 file", "soffice"),
    (Array("PK\u{3}\u{4}".utf8) + padding(26) + "[Content_Types].xml".utf8, "an Excel", "soffice"),
    (Array("PK\u{3}\u{4}".utf8) + padding(26) + "doc.kml".utf8, "KML", "My Maps as CSV"),
    (Array("a.csv".utf8) + padding(252) + "ustar\0".utf8 + "00id,lat\n".utf8, "tar", "tar xf"),
    (Array("BZh91AY&SY".utf8), "bzip2", "bunzip2"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd", "unzstd"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz", "unxz"),
    (Array("fgb\u{3}fgb\0".utf8), "FlatGeobuf", "ogr2ogr places.gpkg places.fgb"),
    (Array("PAR1\u{15}\u{4}".utf8), "Parquet", "ogr2ogr"),
    ([0, 0, 0, 13] + "\n\tOSMHeader".utf8, "OpenStreetMap data", "places.osm.pbf points"),
    ([14, 16, 0xD9, 7, 0, 0, 0, 0x2E] + ".FIT".utf8, "FIT", "gpsbabel -i garmin_fit"),
    (Array("<?xml version='1.0'?>\n<kml xmlns='x'>".utf8), "KML", "gpsbabel -i kml"),
    (Array("<?xml?><!-- <gpx> --><TrainingCenterDatabase>".utf8), "TCX", "gpsbabel -i gtrnctr"),
    (Array("\n<!DOCTYPE HTML><html><table>".utf8), "a web page", "browser"),
    (Array("<TABLE border=1><TR><td>".utf8), "a table of a web page", "soffice"),
  ]

  private static func padding(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  @Test(arguments: 0..<others.count)
  func `a file of another program is named with the program that converts it`(row: Int) {
    let (start, name, program) = Self.others[row]
    for source in ["-", "a.csv", "a.geojson", "a.gpx"] {
      let error = importError(start, named: source)
      #expect(error?.code == "format-unknown", "\(name) as \(source)")
      let text = error?.description ?? ""
      #expect(text.contains(name) && text.contains(program), "\(text)")
    }
  }

  @Test func `a web page named as a sheet is saved as CSV if it has a table`() {
    for (text, program) in [("<html><TABLE><tr>", "soffice"), ("<html>sign in", "browser")] {
      let error = importError(Array(text.utf8), named: "list.XLS")
      #expect(error?.description.contains(program) == true, "\(error?.description ?? "none")")
    }
  }

  @Test func `GPX behind a comment with an element is GPX`() throws {
    let gpx = "<!-- <b>mine</b> --><gpx version='1.1'><wpt lat='37.5' lon='127'/></gpx>"
    #expect(try importing(gpx, named: "-").annotations.count == 1)
    for comment in ["<!-- from <kml> by me -->", "<!--\n<kml/>\n<!doctype html>\n<osm> -->\n"] {
      let gpx = comment + "<gpx version='1.1'><wpt lat='37.5' lon='127'/></gpx>"
      for name in ["-", "a.gpx"] {
        #expect(try importing(gpx, named: name).annotations.count == 1, "\(comment) in \(name)")
      }
    }
  }

  @Test func `a table with another format's mark among its texts is a table`() throws {
    let start = "name,lat,lon\n"
    for (offset, mark) in [(257, "ustard"), (30, "doc.kml"), (30, "[Content_Types].xml")] {
      let padding = String(repeating: "m", count: offset - start.utf8.count)
      let table = "\(start)\(padding)\(mark),37.5,127\n"
      #expect(try importing(table, named: "a.csv").annotations.count == 1, "\(mark)")
    }
    for header in [
      "activity.FIT,lat,lon", "<kml>,lat,lon", "<osm>,lat,lon,<kml>", "<5km,<osm>,lat,lon",
      "<5 km,lat,lon",
    ] {
      let row = header.split(separator: ",").map { ["lat": "37.5", "lon": "127"][$0] ?? "a" }
      let table = "\(header)\n\(row.joined(separator: ","))\n"
      for name in ["a.csv", "-"] {
        #expect(try importing(table, named: name).annotations.count == 1, "\(header) in \(name)")
      }
    }
    // XML of which a part is missing is none.
    for text in ["</trkpt>\n</gpx>\n", "< gpx version=\"1.1\">\n", "</a, b>\n"] {
      #expect(importError(text, named: "-")?.code == "xml-syntax", "\(text)")
    }
  }

  @Test func `TopoJSON is named with the program that converts it`() {
    let error = importError(#"{"type":"Topology","objects":{},"arcs":[]}"#, named: "-")
    #expect(error?.description.contains("this is TopoJSON; convert it to GeoJSON") == true)
  }

  @Test func `a column whose name begins as XML does is a column`() throws {
    #expect(try importing("<b>,lat,lon\nx,37.5,127\n", named: "a.csv").annotations.count == 1)
  }

  @Test func `tab-separated cells have no quotes unless they are asked for`() throws {
    let text = "name\tlat\tlon\n\"a\t37.5\t127\n"
    #expect(try importing(text, named: "a.tsv").annotations.first?.name == "\"a")
    #expect(
      importError(text, named: "a.tsv") { $0.quoting = .character(.doubleQuote) }?.code
        == "row-quote")
    let plain = try importing("name,lat,lon\n\"a,1,2\n") { $0.quoting = .none }
    #expect(plain.annotations.first?.name == "\"a")
  }

  @Test(arguments: [(";", "a semicolon"), ("\t", "a tab"), ("|", "a vertical bar")])
  func `a delimiter that is no comma is found and remarked`(delimiter: String, name: String) throws
  {
    let text = "id,name,lat,lon\n1,\"a,b\",37.5,127\n2,c,38,128\n"
      .replacingOccurrences(of: ",", with: delimiter)
    let result = try importing(text)
    #expect(result.report.placed == 2)
    #expect(
      result.report.remarks == ["shops.csv: cells are separated by \(name), not by a comma"])
  }

  @Test func `a table called TSV is read as CSV if its header is parted by commas`() throws {
    let result = try importing("id,name,lat,lon\n1,\"a,b\",37.5,127\n", named: "a.tsv")
    #expect(result.annotations.map(\.name) == ["a,b"])
    #expect(result.report.remarks == ["a.tsv: cells are separated by a comma, not by a tab"])
    // A tab decides, whatever commas are in a cell.
    let tabs = importError("name\tlat,lon\na\t1,2\n", named: "a.tsv")
    #expect(tabs?.code == "no-coordinate-fields")
  }

  @Test func `a header parted by commas decides, however regular other marks are in its cells`()
    throws
  {
    var text = "id,name,lat,lon,hours\n"
    for row in 1...19 {
      let stray = row <= 2 ? "," : ""
      text += "\(row),a\(stray),37.\(row),127,Mo-Fr 9-18; Sa 10-14\n"
    }
    let result = try importing(text)
    #expect(result.report.placed == 17)
    #expect(result.report.rejected == ["row-fields": 2])
  }

  @Test(arguments: [";", "\t", "|"], ["x,y", "lat,lon", "緯度,経度"])
  func `a cell that reads like a header split by commas decides nothing`(
    delimiter: String, cell: String
  ) throws {
    let text = "id;note;lat;lon\n1;A;37.5;127\n2;\(cell);37.6;127.1\n3;B;37.7;127.2\n"
      .replacing(";", with: delimiter)
    for name in ["shops.csv", "shops.tsv", "-"] where name != "shops.tsv" || delimiter == "\t" {
      let result = try importing(text, named: name)
      #expect(result.report.placed == 3)
      #expect(result.annotations.map { $0.properties["note"]?.text } == ["A", cell, "B"])
    }
    // Above another header, one split by commas is the first.
    let title = "Shops\nid,lat,lon\n1,37.5,127\nlat;lon\n" + String(repeating: "1;2\n", count: 8)
    #expect(try importing(title).report.placed == 1)
  }

  // MARK: Texts

  @Test(arguments: UInt64(0)..<20)
  func `well-formed UTF-8 is what the standard library takes for it`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces: [[UInt8]] = [
      Array("abcdefgh".utf8), Array("é서🏙\u{FFFF}".utf8), [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xE2, 0x82], [0xF5],
    ]
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 0...6, using: &generator)).flatMap { _ in
        pieces[
          Int.random(in: 0..<5, using: &generator) * Int.random(in: 0...2, using: &generator)
            % pieces.count]
      }
      let isValid =
        bytes.withUnsafeBufferPointer { UTF8Validation.firstInvalidOffset(in: $0) } == nil
      #expect(isValid == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
  }

  @Test(arguments: ["", "\u{FEFF}", "\n\n", "\r\n"])
  func `a source with nothing in it is an error`(text: String) {
    #expect(importError(text)?.code == "empty-input")
    #expect(importError(text)?.blame == .data)
    #expect(importError(text) { $0.hasHeader = false }?.code == "empty-input")
  }

  @Test func `a header alone is a warning`() throws {
    let result = try importing("id,lat,lon\n")
    #expect(result.report.warnings == ["empty-input": 1])
    #expect(result.report.records == 0)
    #expect(result.annotations.isEmpty)
  }

  // MARK: Collections

  @Test func `sources are joined in order`() throws {
    let first = try importing("id,lat,lon\n1,1,1\n2,2,2\n", named: "a.csv")
    let none = try importing("id,lat,lon,empty\n", named: "b.csv")
    let last = try importing("lat,lon,memo\n3,3,x\n", named: "c.csv")
    let joined = ImportedAnnotations(
      joining: [first, none, last].map(\.annotations))
    #expect(joined.map { $0.coordinate?.latitude } == [1, 2, 3])
    #expect(joined.map { $0.origin?.source } == ["a.csv", "a.csv", "c.csv"])
    #expect(joined.columns == ["id", "empty", "memo"])
    #expect(joined.sources == ["a.csv", "b.csv", "c.csv"])
    #expect(!joined.idsAscend)
    for parts in [[none, first], [first, none], [none, first, none], [none, none]] {
      let joined = ImportedAnnotations(joining: parts.map(\.annotations))
      #expect(joined.idsAscend && joined.columns == ["id", "empty"])
      let latitudes: [Double?] = joined.isEmpty ? [] : [1, 2]
      #expect(joined.map { $0.coordinate?.latitude } == latitudes)
    }
    let report = ImportReport(joining: [first, none, last].map(\.report))
    #expect(report.records == 3 && report.placed == 3 && report.warnings == ["empty-input": 1])
  }

  @Test func `progress reaches the end`() throws {
    var steps: [Int] = []
    let text = "lat,lon\n" + String(repeating: "37.5,127.00000000\n", count: 200_000)
    _ = try AnnotationImporter().read(
      Array(text.utf8), named: "a.csv", onProgress: { done, _ in steps.append(done) })
    #expect(steps.count == 4)
    #expect(steps == steps.sorted() && steps.last == text.utf8.count)
  }

  @Test func `offsets beyond four gigabytes are kept`() {
    let offsets = [0, 5, 1 << 32, 1 << 32 + 7, 5 << 32, 5 << 32 + 1]
    var kept = RowOffsets()
    for offset in offsets { kept.append(offset) }
    #expect((0..<offsets.count).map { kept[$0] } == offsets)
  }

  // MARK: Properties

  @Test(arguments: UInt64(0)..<300)
  func `a damaged source is read or refused, and every record is counted once`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var bytes = Array(
      """
      id,name,lat,lon,valid_from
      1,"서울, 중구",37.5,127,2026-01-01
      2,"a ""b""
      c",35.1,129.05,
      3,,\\N,\\N,x
      4,d,127,37,
      5,e,1.5e1,-0.1e2,

      """.utf8)
    let palette = Array("\",\n\r\t;.-e09\0aN\\".utf8) + [0xEC, 0xFF]
    for _ in 0..<Int.random(in: 1...8, using: &generator) {
      let at = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: bytes[at] = palette.randomElement(using: &generator) ?? 0
      case 1: bytes.insert(palette.randomElement(using: &generator) ?? 0, at: at)
      default: bytes.remove(at: at)
      }
    }
    for name in ["a.csv", "a.tsv", "-"] {
      var report: ImportReport?
      do throws(ImportError) {
        let result = try importing(bytes, named: name)
        report = result.report
        #expect(result.annotations.count == result.report.placed + result.report.unplaced)
        for annotation in result.annotations {
          let copy = BasicAnnotation(copying: annotation)
          #expect(copy.origin?.source == name)
        }
      } catch {
        report = error.report
        #expect(!error.code.isEmpty && error.description.hasPrefix(name))
      }
      if let report {
        #expect(
          report.records == report.placed + report.unplaced + report.rejectedCount, "seed \(seed)")
      }
    }
  }

  @Test(arguments: UInt64(0)..<10)
  func `repeated ids are counted as a set counts them`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let ids = (0..<3_000).map { _ in
      let number = Int.random(in: 0..<2_000, using: &generator)
      return Bool.random(using: &generator) ? "\(number)" : "p\(number)"
    }
    let result = try importing("id,lat,lon\n" + ids.map { "\($0),1,2\n" }.joined())
    #expect(
      result.report.warnings["duplicate-id"] == ids.count - Set(ids).count, "seed \(seed)")
  }
}
