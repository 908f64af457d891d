import Foundation
import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections
import NearbyTestSupport
import Testing

@testable import AnnotationImport

@Suite struct ProjectedSourceTests {
  private func options(_ code: Int, x: String? = nil, y: String? = nil) throws -> ImportOptions {
    var options = ImportOptions()
    options.crs = .transformed("EPSG:\(code)", try CRS(epsg: code).toWGS84)
    options.longitudeField = x
    options.latitudeField = y
    return options
  }

  private func read(
    _ text: String, named name: String = "a.csv", _ options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportResult {
    try AnnotationImporter(options: options).read(Array(text.utf8), named: name)
  }

  @Test(arguments: [
    ("530000", "180000", "British National Grid EPSG:27700 (27700 lands at 51.50"),
    ("325000,5", "674000,25", "British National Grid EPSG:27700 (27700 lands at 55.95"),
    ("715830", "734697", "Irish grids EPSG:2157 (2157 lands at 53.3498,-6.2602"),
    ("315904", "234671", "Irish grids EPSG:29902 (29902 lands at 53.34"),
  ])
  func `eastings and northings name the grids that fit them`(
    easting: String, northing: String, candidates: String
  ) {
    let error = importError("name;Easting;Northing\nA;\(easting);\(northing)\n")
    #expect(error?.code == "crs-unknown")
    #expect(error?.description.contains(candidates) == true, "\(error?.description ?? "")")
  }

  @Test func `numbers in meters are shown without the blanks around them`() {
    let error = importError("name,X,Y\na,198242.5  ,451580.1 \n")
    #expect(
      error?.description.contains("numbers like 198242.5,451580.1 are meters") == true,
      "\(error?.description ?? "")")
  }

  @Test func `a feed of JSON is read in its CRS, as a table is`() throws {
    let table = try read("id,x,y\n1,198242,451580\n", options(5174))
    let feed = try read(#"[{"id":1,"x":198242,"y":"451580"}]"#, named: "a.json", options(5174))
    #expect(feed.report.placed == 1)
    #expect(feed.annotations.map(\.coordinate) == table.annotations.map(\.coordinate))
    #expect(feed.annotations[0].feature?.geometry?.type == "Point")
  }

  // MARK: Decimal commas

  @Test func `decimal commas are read where something else parts the cells`() throws {
    for (delimiter, name) in [(";", "a.csv"), ("\t", "a.tsv"), ("|", "a.csv")] {
      let rows = ["name,lat,lon", "Seoul,37.51,-127.0276489", "Busan,35,+129.03"]
        .map { $0.replacing(",", with: delimiter).replacing(".", with: ",") }
      let result = try read(rows.joined(separator: "\n") + "\n", named: name)
      #expect(
        result.annotations.map(\.coordinate) == [
          Coordinate(unchecked: 37.51, -127.0276489), Coordinate(unchecked: 35, 129.03),
        ])
      #expect(
        result.report.remarks.contains(
          "\(name): coordinates are read with decimal commas: 37,51 is 37.51"))
    }
  }

  @Test func `a comma is not guessed to be a decimal mark`() throws {
    func rejected(_ text: String, _ options: ImportOptions = ImportOptions()) -> [String: Int] {
      do throws(ImportError) {
        return try read(text, named: "a.csv", options).report.rejected
      } catch {
        return error.report?.rejected ?? [:]
      }
    }
    // In quotes between commas, beside a point, and twice in a number.
    #expect(rejected("id,lat,lon\n1,\"37,5\",127\n") == ["not-a-number": 1])
    #expect(rejected("id;lat;lon\n1;37,5;127\n2;37.5;127\n") == ["not-a-number": 1])
    #expect(rejected("id;lat;lon\n1;37,5,1;127\n") == ["not-a-number": 1])
    // Thousands of metres: only another number of digits tells.
    let grid = try options(5174)
    #expect(rejected("id;x;y\n1;198,242;451,580\n", grid) == ["not-a-number": 1])
    #expect(rejected("id;x;y\n1;198242,5;451580,25\n", grid) == [:])
  }

  @Test(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
  func `Seoul's large stores land within half a metre`() throws {
    let expected = try SharedFiles.rows("data/kr-large-stores/expected-wgs84.csv")
    let text = expected.map { "\($0["row"] ?? ""),\($0["x"] ?? ""),\($0["y"] ?? "")\n" }
    let result = try read("id,좌표정보(X),좌표정보(Y)\n" + text.joined(), try options(5174))
    #expect(result.report.placed == 936 && expected.count == 936)
    for (annotation, row) in zip(result.annotations, expected) {
      let place = try Coordinate(
        latitude: try #require(row["lat"].flatMap { Double($0) }),
        longitude: try #require(row["lon"].flatMap { Double($0) }))
      #expect(try #require(annotation.coordinate).distance(to: place).meters < 0.5)
    }
    #expect(
      result.report.remarks == [
        "a.csv: read from EPSG:5174 by Inverse of Korea Modified Central Belt + Korean 1985 to "
          + "WGS 84 (1), accurate to 1 m in its area of use"
      ])
  }

  @Test func `a column X that holds northings is found out, and said`() throws {
    let rows = "a,451580,198242\nb,451000,199000\n"
    let found = try read("id,x,y\n" + rows, try options(5174))
    let named = try read(
      "id,easting,northing\n" + rows, try options(5174, x: "northing", y: "easting"))
    #expect(found.annotations.map(\.coordinate) == named.annotations.map(\.coordinate))
    #expect(found.report.remarks.count == 2)
    #expect(found.report.remarks[1].contains("holds northings: 2 of 2 rows land in KR so"))
    #expect(named.report.remarks.count == 1)
  }

  // Positions at sea by pyproj, most of which would be on Korean land the other way round.
  @Test(arguments: [
    (5173, 198_147.4, 451_581.0, 37.5665, 124.98), (5180, 191_006.5, 300_241.5, 36.2, 124.9),
    (5186, 242_571.9, 97_803.7, 33.473, 127.458), (5176, 279_847.3, 411_279.9, 37.2, 129.9),
    (5179, 781_123.3, 1_350_278.8, 32.12, 125.18),
  ])
  func `a buoy in a Korean grid stays where its columns say`(
    code: Int, x: Double, y: Double, latitude: Double, longitude: Double
  ) throws {
    let result = try read("name,X,Y\nbuoy,\(x),\(y)\n", options(code))
    let place = try #require(result.annotations.first?.coordinate)
    let buoy = try Coordinate(latitude: latitude, longitude: longitude)
    #expect(place.distance(to: buoy).meters < 10, "EPSG:\(code): \(place)")
    #expect(!result.report.remarks.contains { $0.contains("holds northings") })
  }

  @Test(arguments: [5178, 5179])
  func `exchanged columns of the unified belt are found on the south coast, too`(code: Int) throws {
    // Yeosu.
    let result = try read("name,X,Y\na,1637304.9,1018310.1\n", options(code))
    let place = try #require(result.annotations.first?.coordinate)
    let yeosu = try Coordinate(latitude: 34.73, longitude: 127.7)
    #expect(place.distance(to: yeosu).meters < 500)
    #expect(result.report.remarks.contains { $0.contains("holds northings") })
  }

  @Test func `what options name is never exchanged`() throws {
    let result = try read("id,x,y\na,451580,198242\n", try options(5174, x: "x", y: "y"))
    let place = try #require(result.annotations.first?.coordinate)
    // 358 km from Seoul, as the columns were said to be.
    let seoul = try Coordinate(latitude: 37.5665, longitude: 126.9809)
    #expect((355_000...360_000).contains(place.distance(to: seoul).meters))
  }

  @Test func `where both orders are possible the names decide, and that is said`() throws {
    let result = try read("id,x,y\n1,-6837.3,-33369.3\n", try options(6677))
    let place = try #require(result.annotations.first?.coordinate)
    #expect(abs(place.latitude - 35.6992) < 1e-3)
    #expect(
      result.report.remarks[1].contains("as the northing the first row would land in zone IX"))
  }

  @Test func `a Japanese column of X of a plane-rectangular zone holds northings`() throws {
    for header in ["施設名,X座標,Y座標", "施設名,座標Ｘ,座標Ｙ"] {
      let result = try read("\(header)\n東京駅,-35350.2,-5990.1\n", try options(6677))
      let place = try #require(result.annotations.first?.coordinate)
      #expect(abs(place.latitude - 35.6812) < 1e-3)
      #expect(abs(place.longitude - 139.7671) < 1e-3)
      #expect(
        result.report.remarks[1].contains("as the easting the first row would land in zone IX"))
    }
    let chosen = try read(
      "施設名,X座標,Y座標\n東京駅,-5990.1,-35350.2\n", try options(6677, x: "X座標", y: "Y座標"))
    #expect(abs(try #require(chosen.annotations.first?.coordinate).latitude - 35.6812) < 1e-3)
  }

  @Test func `degrees are refused where the CRS is in metres`() throws {
    let error = #expect(throws: ImportError.self) {
      try read("id,x,y\n1,127,37.5\n2,126.9,37.4\n", try options(5174))
    }
    #expect(error?.code == "crs-degrees")
    #expect(error?.blame == .usage)
  }

  @Test func `rows without a place in the plane are rejected, each with its reason`() throws {
    let result = try read(
      "id,x,y\n1,953901,1952032\n2,0,0\n3,,\n4,1,\n5,5e9,1\n6,x,1\n7,0,1952032\n", try options(5179)
    )
    #expect(result.report.placed == 2)
    #expect(result.report.unplaced == 1)
    #expect(
      result.report.rejected == [
        "null-island": 1, "row-half-coordinate": 1, "crs-domain": 1, "not-a-number": 1,
      ])
    // 0,1952032 lies 900 km west of Korea.
    #expect(result.report.warnings == ["crs-area": 1])
  }

  @Test func `0,0 of a plane is placed when it is asked for`() throws {
    var options = try options(6677)
    options.allowsNullIsland = true
    let result = try read("id,x,y\n1,0,0\n2,10000,10000\n", options)
    let origin = try #require(result.annotations.first?.coordinate)
    #expect(abs(origin.latitude - 36) < 1e-9)
  }

  @Test func `degrees of another datum are shifted, and swapped ones refused`() throws {
    let result = try read("id,lat,lon\n1,35.71004,139.8107\n2,139.8,35.7\n", try options(4301))
    let place = try #require(result.annotations.first?.coordinate)
    let unshifted = try Coordinate(latitude: 35.71004, longitude: 139.8107)
    #expect((400...500).contains(place.distance(to: unshifted).meters))
    #expect(result.report.rejected == ["lat-lon-swapped": 1])
  }

  @Test func `a region is asked with the position on WGS 84`() throws {
    var options = try options(5174)
    options.region = .japan
    let error = #expect(throws: ImportError.self) {
      try read("id,x,y\n1,198242,451580\n", options)
    }
    #expect(error?.code == "outside-region")
  }

  // MARK: Without a CRS

  @Test func `metres without a CRS name the candidates and how far apart they land`() throws {
    let error = #expect(throws: ImportError.self) {
      try read("id,x,y\n1,198622.89,446114.16\n")
    }
    #expect(error?.code == "crs-unknown")
    let text = error?.description ?? ""
    #expect(text.contains("numbers like 198622.89,446114.16 are meters, not degrees. Candidates:"))
    #expect(text.contains("Korean TM EPSG:5174, 5181, 5186, 2097"))
    #expect(text.contains("5174 lands at 37.5173,126.9852"))
    #expect(text.contains("255 m"))
    #expect(text.hasSuffix("pass the right one as `crs` EPSG:n"))
  }

  @Test func `degrees and minutes as NMEA writes them are told from meters`() {
    let minutes = "3730.15 for 37°30.15': then write 37°30.15'"
    let nmea = importError("lat,lon\n3730.15,12706.20\n3731.15,12707.20\n")
    #expect(nmea?.code == "crs-unknown" && nmea?.description.hasSuffix(minutes) == true)
    // 70 minutes, and whole meters.
    for rows in ["3730.15,12770.20", "3730,12706"] {
      #expect(importError("lat,lon\n\(rows)\n")?.description.contains(minutes) == false)
    }
  }

  // MARK: GeoJSON

  private static let crs =
    #""crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::5179"}}"#

  /// A point with further members.
  private static func point(_ members: String..., at coordinates: String = "953901,1952032")
    -> String
  {
    let written = [#""type":"Point""#] + members + [#""coordinates":[\#(coordinates)]"#]
    return "{\(written.joined(separator: ","))}"
  }

  private func collection(_ coordinates: String, type: String = "Point", crsLast: Bool = false)
    -> String
  {
    let features =
      #""features":[{"type":"Feature","id":7,"properties":{},"bbox":[1,2,3,4],"#
      + #""geometry":{"type":"\#(type)","coordinates":\#(coordinates)}}]"#
    let members = crsLast ? [features, Self.crs] : [Self.crs, features]
    return #"{"type":"FeatureCollection","name":"n","# + members.joined(separator: ",") + "}"
  }

  @Test(arguments: [false, true])
  func `a CRS that a collection declares is taken, before or behind its features`(
    crsLast: Bool
  ) throws {
    let result = try read(
      collection("[953901,1952032]", crsLast: crsLast), named: "a.geojson")
    let place = try #require(result.annotations.first?.coordinate)
    #expect(place.distance(to: try Coordinate(latitude: 37.5665, longitude: 126.9780)).meters < 5)
    #expect(result.report.remarks.count == 1)
    #expect(result.report.warnings.isEmpty)
  }

  @Test(arguments: [
    #"{"type":"Feature",\#(crs),"properties":{},"geometry":\#(point())}"#,
    // As PostGIS writes it.
    #"{"type":"Feature","properties":{},"geometry":\#(point(crs))}"#,
    point(crs),
    #"{"type":"FeatureCollection","crs":{"type":"EPSG","properties":{"code":5179}},"#
      + #""features":[{"type":"Feature","properties":{},"geometry":\#(point())}]}"#,
    #"{"type":"FeatureCollection","crs":{"type":"EPSG","properties":{"code":"EPSG:5179"}},"#
      + #""features":[{"type":"Feature","properties":{},"geometry":\#(point())}]}"#,
    #"{"type":"FeatureCollection","crs":"EPSG:5179","#
      + #""features":[{"type":"Feature","properties":{},"geometry":\#(point())}]}"#,
  ])
  func `a CRS that one feature, a geometry or a code declares is taken, and then left out`(
    text: String
  ) throws {
    let result = try read(text, named: "a.geojson")
    let place = try #require(result.annotations.first?.coordinate)
    #expect(place.distance(to: try Coordinate(latitude: 37.5665, longitude: 126.9780)).meters < 5)
    #expect(result.report.remarks.count == 1)
    #expect(result.report.warnings.isEmpty)
    #expect(result.annotations.first?.feature?.foreignMembers["crs"] == nil)
  }

  @Test(arguments: [
    ("5", "the CRS 5, which is not a name;"),
    (
      #"{"type":"link","properties":{"href":"a.prj"}}"#,
      #"the CRS {"type":"link","properties":{"href":"a.prj"}}, which is not a name;"#
    ),
    (#"{"type":"EPSG","properties":{"code":4326}}"#, nil), ("null", nil), ("{}", nil),
    (#""EPSG:4326""#, nil), (#""wgs84""#, nil),
    (#""Mars""#, "the CRS Mars, which is not supported ("),
  ])
  func `a CRS that is not a name is warned of, and a missing one is not`(
    crs: String, says: String?
  ) throws {
    let point = Self.point(at: "127,37.5")
    for text in [
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":\#(point)}],"crs":\#(crs)}"#,
      #"{"type":"Feature","properties":{},"geometry":\#(point),"crs":\#(crs)}"#,
    ] {
      let result = try read(text, named: "a.geojson")
      #expect(result.annotations.first?.coordinate?.longitude == 127)
      let warning = result.report.examples["crs-declared"]
      #expect((warning == nil) == (says == nil), "\(warning ?? "")")
      if let says { #expect(warning?.contains(says) == true, "\(warning ?? "")") }
    }
  }

  @Test func `a CRS that single features declare is warned of, in a sequence, too`() throws {
    let plain = #"{"type":"Feature","properties":{},"geometry":\#(Self.point(at: "127,37.5"))}"#
    let declaring = "\(plain.dropLast()),\(Self.crs)}"
    let gap = String(repeating: " ", count: 70_000)
    let texts = [
      #"{"type":"FeatureCollection","features":[\#(plain),\#(declaring)]}"#,
      "\(plain)\n\(declaring)\n",
      #"\#(plain)\#n{"type":"FeatureCollection",\#(Self.crs),"features":[\#(plain)]}"#,
      // Behind one that says nothing, one of WGS 84, and far from both ends.
      #"{"type":"FeatureCollection","crs":null,"features":[\#(plain),\#(declaring)]}"#,
      #"{"type":"FeatureCollection","features":[\#(plain.dropLast()),"crs":"CRS84"},\#(declaring)]}"#,
      #"{"type":"FeatureCollection","features":[\#(plain),\#(gap)\#(declaring)\#(gap)]}"#,
    ]
    for text in texts {
      let result = try read(text, named: "a.geojson")
      #expect(result.annotations.map(\.coordinate?.longitude) == [127, 127])
      #expect(result.report.warnings["crs-declared"] == 1)
      let warning = result.report.examples["crs-declared"] ?? ""
      #expect(warning.contains("5179, but in its features, not once for all of them;"))
    }
  }

  @Test(arguments: [
    ("[953901,1952032]", "Point"), ("[[953901,1952032],[953951,1952032]]", "LineString"),
  ])
  func `metres of features that declare nothing name the candidates, too`(
    coordinates: String, type: String
  ) {
    let text = collection(coordinates, type: type).replacingOccurrences(
      of: Self.crs + ",", with: "")
    let error = #expect(throws: ImportError.self) { try read(text, named: "a.geojson") }
    #expect(error?.code == "crs-unknown")
    #expect(error?.description.contains("Korean unified EPSG:5179, 5178") == true)
  }

  @Test func `a box in the old numbers is left out, also where there is no geometry`() throws {
    let features =
      #"{"type":"Feature","id":"none","properties":{},"bbox":[953901,1952032,953951,1952082],"#
      + #""geometry":null},"#
    let text = collection("[953901,1952032]").replacingOccurrences(
      of: #""features":["#, with: #""features":["# + features)
    let annotations = try read(text, named: "a.geojson").annotations
    #expect(annotations.count == 2)
    for annotation in annotations { #expect(try #require(annotation.feature).bbox == nil) }
  }

  @Test func `shapes are kept on WGS 84, and what was said of the old numbers is left out`() throws
  {
    let result = try read(
      collection("[[953901,1952032],[953951,1952032]]", type: "LineString"), named: "a.geojson")
    let feature = try #require(result.annotations.first?.feature)
    #expect(feature.bbox == nil)
    guard case .lineString(let line)? = feature.geometry else {
      Issue.record("no line: \(feature)")
      return
    }
    let length = try line[0].coordinate().distance(to: try line[1].coordinate())
    #expect((49.9...50.1).contains(length.meters))
    // An index file keeps it so.
    let packing = RecordPacking(result.annotations)
    let unpacking = try #require(RecordUnpacking(frame: packing.frame))
    var record: [UInt8] = []
    packing.append(0, to: &record)
    let again = try #require(unpacking.annotation(record))
    #expect(again.feature?.geometry == feature.geometry)
    #expect(again.coordinate == result.annotations.first?.coordinate)
  }

  @Test func `degrees stay degrees, whatever is declared, with a warning`() throws {
    let result = try read(collection("[127,37.5]"), named: "a.geojson")
    #expect(result.annotations.first?.coordinate?.longitude == 127)
    #expect(result.report.warnings == ["crs-declared": 1])
    var options = ImportOptions()
    options.crs = .wgs84
    #expect(try read(collection("[127,37.5]"), named: "a.geojson", options).report.warnings.isEmpty)
  }

  @Test
  func `a line past the antimeridian crosses it in every CRS, and a point past it is refused`()
    throws
  {
    func feature(_ geometry: String) -> String {
      #"{"type":"Feature","properties":{},"geometry":\#(geometry)}"#
    }
    let features = [
      feature(#"{"type":"LineString","coordinates":[[177,10],[182,12]]}"#),
      feature(#"{"type":"Point","coordinates":[182,12]}"#),
    ]
    let text =
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    let result = try read(text, named: "a.geojson", try options(4737))
    #expect(result.annotations.count == 1 && result.report.rejected == ["lon-range": 1])
    guard case .lineString(let line)? = result.annotations.first?.feature?.geometry else {
      Issue.record("the line is gone")
      return
    }
    #expect(line.map { $0.longitude.rounded() } == [177, -178])
  }

  @Test func `an option overrules what is declared`() throws {
    let result = try read(collection("[198242,451580]"), named: "a.geojson", try options(5174))
    let place = try #require(result.annotations.first?.coordinate)
    #expect(place.distance(to: try Coordinate(latitude: 37.5665, longitude: 126.9809)).meters < 5)
  }

  @Test func `a CRS that is not known is said, and records are rejected once`() throws {
    let text = collection("[953901,1952032]").replacingOccurrences(of: "5179", with: "59999")
    var rejected = 0
    let error = #expect(throws: ImportError.self) {
      let importer = AnnotationImporter()
      _ = try importer.read(
        Array(text.utf8), named: "a.geojson", onReject: { _ in rejected += 1 })
    }
    #expect(error?.code == "crs-unknown")
    #expect(rejected == 1)
    #expect(error?.report?.warnings == ["crs-declared": 1])
    #expect(error?.description.contains("EPSG::59999, which is not supported (") == true)
  }

  @Test func `metres of features that each declare a CRS name it beside the candidates`() {
    let feature =
      #"{"type":"Feature",\#(Self.crs),"properties":{},"geometry":\#(Self.point())}"#
    let error = #expect(throws: ImportError.self) {
      try read("\(feature)\n\(feature)\n", named: "a.geojson")
    }
    #expect(
      error?.description.contains(
        "not degrees; it declares the CRS urn:ogc:def:crs:EPSG::5179, but in its features, not "
          + "once for all of them. Candidates: Korean unified EPSG:5179") == true,
      "\(String(describing: error))")
  }
}
