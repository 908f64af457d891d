import Foundation
import GPXCoding
import Geodesy
import NearbyTestSupport
import Testing

@Suite struct GPXReaderTests {
  private func read(_ text: String) throws -> (GPXDocument, [GPXPoint]) {
    var points: [GPXPoint] = []
    let document = try GPXReader().read(Array(text.utf8)) { points.append($0) }
    return (document, points)
  }

  private func counts(_ document: GPXDocument) -> [Int] {
    [
      document.tracks, document.segments, document.trackPoints, document.routes,
      document.routePoints, document.waypoints,
    ]
  }

  @Test func `points come in order, with what they belong to and what they say`() throws {
    let (document, points) = try read(
      """
      <?xml version="1.0"?>
      <g:gpx xmlns:g="http://www.topografix.com/GPX/1/1" version="1.1" creator="x">
        <g:metadata><g:name>not a point's</g:name></g:metadata>
        <g:wpt lat=" 37.5 " lon="127">
          <g:ele>12.5</g:ele><g:name> A &amp; B </g:name>
          <g:link href="https://example.org/"><g:text>t</g:text><g:type>u</g:type></g:link>
          <g:extensions><x:a xmlns:x="y"><x:hr>90</x:hr><x:empty/></x:a></g:extensions>
        </g:wpt>
        <g:rte><g:name>R</g:name><g:rtept lat="1" lon="2"/></g:rte>
        <g:trk><g:name><![CDATA[T <1>]]></g:name>
          <g:trkseg><g:trkpt lat="1" lon="2"><g:time>2026-11-22T01:10:00.25Z</g:time></g:trkpt></g:trkseg>
          <g:trkseg/><g:trkseg><g:trkpt lat="91" lon="x"/></g:trkseg>
        </g:trk>
        <g:trk><g:trkseg><g:trkpt/></g:trkseg></g:trk>
      </g:gpx>
      """)
    #expect(
      points.map(\.role) == [
        .waypoint, .routePoint(route: 1), .trackPoint(track: 1, segment: 1),
        .trackPoint(track: 1, segment: 3), .trackPoint(track: 2, segment: 1),
      ])
    #expect(points.map(\.groupName) == [nil, "R", "T <1>", "T <1>", nil])
    #expect(
      points[0].fields == [
        .init(name: "ele", text: "12.5"), .init(name: "name", text: "A & B"),
        .init(name: "link", text: "https://example.org/"), .init(name: "hr", text: "90"),
      ])
    #expect(try points[0].coordinate() == Coordinate(latitude: 37.5, longitude: 127))
    #expect(points[0].elevation == 12.5)
    #expect(points[0].line == 4)
    #expect(points[2].time == 1_795_309_800.25)
    #expect(points[3].latitude == 91)
    #expect(points[3].longitude == nil)
    #expect(points[3].longitudeText == "x")
    #expect(points[4].latitudeText == nil)
    #expect(throws: CoordinateError.self) { try points[3].coordinate() }
    #expect(throws: CoordinateError.self) { try points[4].coordinate() }
    #expect(document.version == "1.1")
    #expect(counts(document) == [2, 4, 3, 1, 1, 1] as [Int])
  }

  @Test
  func
    `a time, elevation or name of another namespace or within extensions is not the point's own`()
    throws
  {
    let (_, points) = try read(
      """
      <g:gpx xmlns:g="http://www.topografix.com/GPX/1/1" xmlns:gh="urn:gh" xmlns:q="urn:nearby:properties">
      <g:wpt lat="1" lon="2"><gh:time>2020-01-01T00:00:00Z</gh:time><gh:a><ele>4</ele></gh:a>
        <g:extensions><gh:name>n</gh:name><gh:property name="time">1</gh:property><gh:speed>3</gh:speed>
          </g:extensions></g:wpt>
      <g:wpt lat="1" lon="2"><ele>5</ele><g:name>N</g:name><g:extensions>
        <q:property name="time">2020-01-01T00:00:00Z</q:property></g:extensions></g:wpt>
      <g:wpt lat="1" lon="2"><g:extensions><property xmlns="urn:nearby:properties" name="ele">6</property>
        </g:extensions></g:wpt>
      </g:gpx>
      """)
    #expect(points.map(\.time) == [nil, 1_577_836_800, nil])
    #expect(points.map(\.elevation) == [nil, 5, 6])
    #expect(points.map { $0.text("name") } == [nil, "N", nil])
    #expect(
      points[0].fields.map(\.name)
        == ["gh:time", "extensions:ele", "gh:name", "gh:time", "speed"])
  }

  @Test func `another prefix of the namespace of GPX does not matter`() throws {
    let (_, points) = try read(
      """
      <gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:g="http://www.topografix.com/GPX/1/1">
      <wpt lat="1" lon="2"><g:ele>7</g:ele><g:name>B</g:name><extensions><g:ele>8</g:ele></extensions></wpt>
      </gpx>
      """)
    #expect(points[0].elevation == 7)
    #expect(points[0].fields.map(\.name) == ["ele", "name", "g:ele"])
  }

  @Test(arguments: [
    ("", "empty-input", 1), ("   ", "xml-syntax", 1), ("lat,lon\n1,2", "xml-syntax", 1),
    ("<gpx>\n<wpt lat='1' lon='2'>", "xml-cut-off", 2), ("<gpx>\n\n</gpz>", "xml-syntax", 3),
    ("<gpx>&unknown;</gpx>", "xml-syntax", 1), ("<kml/>", "gpx-root", 1),
    ("<!DOCTYPE gpx>\n<gpx/>", "xml-doctype", 1),
    ("<!DOCTYPE gpx SYSTEM 'file:///etc/passwd'><gpx/>", "xml-doctype", 1),
    ("<!DOCTYPE g [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><gpx>&b;</gpx>", "xml-doctype", 1),
    ("<gpx a='1' a='2'/>", "xml-syntax", 1), ("<gpx/><gpx/>", "xml-syntax", 1),
    ("<?xml version='1.0' encoding='EUC-KR'?><gpx/>", "encoding", 1),
  ]) func `what is no GPX is an error with its line`(text: String, code: String, line: Int) {
    #expect {
      _ = try read(text)
    } throws: { error in
      let error = error as? GPXError
      #expect(error?.code == code, "\(error?.description ?? "no error")")
      #expect(error?.line == line, "\(error?.description ?? "no error")")
      return true
    }
  }

  @Test func `bytes that are not in their encoding are an error, and UTF-16 and Latin-1 are read`()
    throws
  {
    #expect(throws: GPXError.self) {
      try GPXReader().read(
        Array("<gpx><wpt><name>".utf8) + [0xFF] + Array("</name></wpt></gpx>".utf8)
      ) { _ in }
    }
    for (name, encoding) in [("UTF-16", String.Encoding.utf16), ("ISO-8859-1", .isoLatin1)] {
      let text = "<?xml version='1.0' encoding='\(name)'?><gpx><wpt><name>é</name></wpt></gpx>"
      let data = try #require(text.data(using: encoding))
      var names: [String?] = []
      try GPXReader().read(Array(data)) { names.append($0.text("name")) }
      #expect(names == ["é"])
    }
  }

  @Test func `nesting to any depth is read without a deep stack`() throws {
    let depth = 200_000
    let text =
      "<gpx>" + String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
      + "<wpt lat='1' lon='2'/></gpx>"
    #expect(try read(text).0.waypoints == 1)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2026-11-22T01:10:00Z", 1_795_309_800),
    ("2026-11-22T10:10:00+09:00", 1_795_309_800), ("2026-11-21T20:10:00-0500", 1_795_309_800),
    ("2026-11-22T01:10:00", 1_795_309_800), ("2000-02-29T23:59:60Z", 951_868_800),
    ("1901-12-13T20:45:52.5Z", -2_147_483_647.5), ("2026-11-22T01:10:00.123Z", 1_795_309_800.123),
  ]) func `times are seconds since 1970`(text: String, seconds: Double) throws {
    let point = try #require(
      try read("<gpx><wpt lat='1' lon='2'><time>\(text)</time></wpt></gpx>").1.first)
    #expect(point.time == seconds)
  }

  @Test(arguments: [
    "2026-13-01T00:00:00Z", "2025-02-29T00:00:00Z", "2026-11-22", "noon", "2026-11-22T25:00:00Z",
    "2026-11-22T01:10:00.Z", "2026-11-22T01:10:00Zx",
  ])
  func `what is no time has none`(text: String) throws {
    let point = try #require(
      try read("<gpx><wpt lat='1' lon='2'><time>\(text)</time></wpt></gpx>").1.first)
    #expect(point.time == nil)
    #expect(point.text("time") == text)
  }

  private struct Row: Decodable {
    var file: String
    var points_with_bad_coordinates, points_out_of_range: Int
  }

  /// `TrackImportTests` compare all else that is known of these files.
  @Test(.enabled(if: try SharedFiles.arePresent, "\(SharedFiles.reason)"))
  func `real files hold as many bad positions as a plain walk of their XML finds`() throws {
    let rows: [Row] = try SharedFiles.values("conformance/gpx/index.jsonl")
    #expect(rows.count == 24)
    for row in rows {
      var points: [GPXPoint] = []
      try GPXReader().read(
        try SharedFiles.bytes("conformance/gpx/\(row.file)")
      ) { points.append($0) }
      #expect(
        points.count { $0.latitude == nil || $0.longitude == nil }
          == row.points_with_bad_coordinates, "\(row.file)")
      let placed = points.compactMap { try? $0.coordinate() }
      #expect(points.count - placed.count == row.points_out_of_range, "\(row.file)")
    }
  }
}
