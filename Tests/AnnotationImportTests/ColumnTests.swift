import AnnotationImport
import MapAnnotations
import Testing

@Suite struct ColumnTests {
  @Test(arguments: [
    "lat,lon", "LATITUDE,Longitude", "위도,경도", "緯度,経度", "y,x", "Lat,LNG", "lat,long",
    " lat ,\"lon\"", "좌표정보(Y),좌표정보(X)", "\u{FEFF}lat,lon",
  ])
  func `columns are known by their names in three languages`(header: String) throws {
    let result = try importing("\(header)\n37.5,127\n")
    #expect(result.annotations.first?.coordinate?.latitude == 37.5)
    #expect(result.annotations.first?.coordinate?.longitude == 127)
  }

  @Test func `longitude may stand before latitude`() throws {
    let result = try importing("経度,緯度,店舗名,業種\n138.3,34.8,愛清館,小売業\n")
    let shop = try #require(result.annotations.first)
    #expect(shop.coordinate?.latitude == 34.8)
    #expect(shop.name == "愛清館")
    #expect(shop.kind == "小売業")
    #expect(shop.id == 1)
  }

  @Test func `columns whose names are only spelled otherwise are two, and one is found`() throws {
    let (one, two) = ("caf\u{E9}", "cafe\u{301}")
    let text = "\(one),\(two),lat,lon\nA,B,1,2\n"
    let row = try #require(try importing(text).annotations.first)
    #expect(row.property(one) == "A" && row.property(two) == "B")
    #expect(try importing(text) { $0.nameField = two }.annotations.first?.name == "B")
    #expect(try importing(text) { $0.nameField = "{\(two)}" }.annotations.first?.name == "B")
    let single = try importing("\(two),lat,lon\nB,1,2\n") { $0.nameField = one }
    #expect(single.annotations.first?.name == "B")
    #expect(single.annotations.first?.property(one) == "B")
  }

  @Test func `two candidates for one coordinate are an error of usage`() {
    let error = importError("lat,y,lon\n1,2,3\n")
    #expect(error?.code == "ambiguous-coordinate-fields")
    #expect(error?.blame == .usage)
    #expect(
      error?.description
        == "shops.csv: lat,y may each be the latitude; say which with `latitudeField`")
    #expect(importError("lat,y,lon\n1,2,3\n") { $0.latitudeField = "Y" } == nil)
  }

  @Test func `no candidates are an error that lists the columns`() {
    let error = importError("a,b,c\n1,2,3\n")
    #expect(error?.code == "no-coordinate-fields")
    #expect(error?.blame == .data)
    #expect(
      error?.description
        == "shops.csv: no columns for latitude and longitude; columns are a,b,c; say `latitudeField` … "
        + "`longitudeField` … (known names: lat/latitude/위도/緯度/y …), and `hasHeader = false` if none are named"
    )
  }

  @Test func `a table without columns for coordinates is kept where positions are not required`()
    throws
  {
    let result = try importing("My films,,\n\nid,title,year\n7,Ran,1985\n3,밀양,2007\n") {
      $0.requiresPositions = false
    }
    #expect(result.report.records == 2 && result.report.unplaced == 2)
    #expect(result.annotations.map(\.id) == [7, 3])
    #expect(result.annotations.map(\.name) == ["Ran", "밀양"])
    #expect(result.annotations.allSatisfy { $0.coordinate == nil })
    #expect(result.annotations[1].properties["year"]?.text == "2007")
    #expect(
      result.report.examples["row-no-coordinate"]
        == "shops.csv:4: there are no columns for coordinates")
    // Where there are columns they are read as ever.
    let placed = try importing("id,lat,lon\n1,37.5,127\n2,,\n3,95,127\n") {
      $0.requiresPositions = false
    }
    #expect(placed.report.placed == 1 && placed.report.unplaced == 1)
    #expect(placed.report.rejectedCount == 1)
    let ambiguous = importError("lat,y,lon\n1,2,3\n") { $0.requiresPositions = false }
    #expect(ambiguous?.code == "ambiguous-coordinate-fields")
    let numbered = try importing("a,b\nc,d\n") {
      $0.requiresPositions = false
      $0.hasHeader = false
    }
    #expect(numbered.report.unplaced == 2)
  }

  @Test(arguments: [
    ("위도(도),위도(분),위도(초),경도(도),경도(분),경도(초)\n37,30,15,127,6,20", "위도(도),위도(분),위도(초)"),
    ("lat_deg,lat_min,lat_s,lon_deg,lon_min,lon_s\n37,30,15,127,6,20", "lat_deg,lat_min"),
    ("緯度(度),緯度(分),経度(度),経度(分)\n35,40,139,45", "緯度(度),緯度(分)"),
  ]) func `a coordinate that is spread over several columns is refused`(
    table: String, columns: String
  ) throws {
    let error = importError(table + "\n")
    #expect(error?.code == "split-coordinate")
    #expect(error?.description.contains("the columns \(columns); write it into one") == true)
  }

  @Test(arguments: [
    "lat,lon,lat_min,lat_max,lon_min,lon_max\n37,127,36,38,126,128",
    "lat,lat_min,lon,lon_min\n37.5,30,127.1,6",
  ]) func `columns beside whole coordinates do not matter`(table: String) throws {
    #expect(try importing(table + "\n").report.placed == 1)
  }

  @Test(arguments: [
    "lat,NS,lon,EW", "LATITUDE,N/S,LONGITUDE,E/W", "lat,lat_dir,lon,lon_dir",
    "GPSLatitude,GPSLatitudeRef,GPSLongitude,GPSLongitudeRef", "위도,남북,경도,동서",
    "lat,latRef,lon,lonRef", "lat,latdir,lng,lngdir",
    "lat,LatitudeHemisphere,lon,LongitudeHemisphere",
    "latitude,gpslatituderef,longitude,gpslongituderef",
  ])
  func `letters of hemispheres in columns of their own are signs`(header: String) throws {
    let rows = """
      37.5,N,127,E\n33.8,S,151.2,E\n28.6,n,17.9,west\n-33.8,S,70,W
      1,WGS84,2,\n1°30',S,2°,E\n95,S,1,E

      """
    let result = try importing("\(header)\n\(rows)")
    #expect(
      result.annotations.map { $0.coordinate?.description } == [
        "37.5,127.0", "-33.8,151.2", "28.6,-17.9", "-33.8,-70.0", "1.0,2.0", "-1.5,2.0",
      ])
    #expect(result.report.rejectedCount == 1)
  }

  @Test func `points in a column with lines among them are read where positions are optional, too`()
    throws
  {
    let table = "fid,geom\n1,POINT (127.1 37.5)\n2,\"LINESTRING (127 37, 128 38)\"\n"
    let result = try importing(table) { $0.requiresPositions = false }
    #expect(result.report.placed == 1 && result.report.unplaced == 1)
    let lines = try importing("fid,geom\n2,\"LINESTRING (127 37, 128 38)\"\n") {
      $0.requiresPositions = false
    }
    #expect(lines.report.unplaced == 1)
  }

  @Test func `columns of one name are named as they are shown, with a number`() throws {
    let result = try importing("id,name,name,v,v,v_2,lat,lon\n1,a,b,c,d,e,37.5,127\n") {
      $0.nameField = "name_2"
      $0.idField = "v_3"
    }
    let annotation = result.annotations[0]
    #expect(annotation.name == "b" && annotation.id == "d")
    #expect(
      ["name", "name_2", "v", "v_2", "v_3", "v_4"].map { annotation.property($0)?.text }
        == ["a", "b", "c", "e", "d", nil])
    let unnamed = try importing("id,,,lat,lon\n1,a,b,37.5,127\n").annotations[0]
    #expect(["", "_2"].map { unnamed.property($0)?.text } == ["a", "b"])
    let twice = "name,lat,lon,lat,lon\nA,37.5,127.03,37.6,127.1\n"
    #expect(
      importError(twice)?.description.contains(
        "lat,lat_2 may each be the latitude; say which with `latitudeField`") == true)
    let second = try importing(twice) {
      $0.latitudeField = "lat_2"
      $0.longitudeField = "lon_2"
    }
    let place = try #require(second.annotations.first?.coordinate)
    #expect(place.latitude == 37.6 && place.longitude == 127.1)
    // Their case and the spaces around them do not matter either, and a name that is none is told with all that are.
    let shouted = try importing(twice) {
      $0.latitudeField = " LAT_2"
      $0.longitudeField = "Lon_2"
    }
    #expect(shouted.annotations.first?.coordinate == place)
    #expect(
      importError(twice) { $0.latitudeField = "lat_3" }?.description.contains(
        "columns are name,lat,lon,lat_2,lon_2; correct `latitudeField`") == true)
  }

  /// Ten rows of a table without coordinates, the fifth and the last with a cell too many.
  private static let wideRows: String =
    (1...10).reduce(into: "id,title,kind\n") { text, row in
      text += "\(row),t\(row),k"
      text += row.isMultiple(of: 5) ? ",extra\n" : "\n"
    }

  @Test(arguments: [
    (ColumnTests.wideRows, ["id", "title", "kind"], 8, 2),
    ("id,title,kind\n1,x,k\n2,y,k,extra\n", ["id", "title", "kind"], 1, 1),
    ("id,name\n1,\"Kim, A\"\n2,Lee, B\n3,Park, C\n", ["id", "name"], 1, 2),
    ("code,who\n1,\"Kim, A\"\n2,Lee, B\n3,Park, C\n", ["code", "who"], 1, 2),
    ("who\nKim, A\nLee\nPark\n", ["who"], 2, 1),
    ("a,b,c\nd,e\nf,g,h\n", ["a", "b", "c"], 1, 1),
    // A preamble is narrower, or has no known name.
    ("1\n2\n3\n4\n5\n6\ncode,color\n1,a\n", ["code", "color"], 1, 0),
    ("By,us\nOn,Monday\ncode,color,size\n1,a,5\n2,b,6,7\n", ["code", "color", "size"], 1, 1),
    ("Made by us, in 2026, for you\nid,name\n1,a\n2,b\n", ["id", "name"], 2, 0),
    ("만든 곳,서울시\n연번,구분,인원\n1,a,5\n", ["연번", "구분", "인원"], 1, 0),
    // Columns that only a row calls x and y.
    ("id,a,b\n1,q,r\n2,x,y\n3,s,t\n", ["id", "a", "b"], 3, 0),
    ("id,a,b\n2,x,y\n3,s,t\n", ["id", "a", "b"], 2, 0),
    ("code,a,b\nk,5,6\nl,x,y\nm,7,8\n", ["code", "a", "b"], 3, 0),
  ])
  func `a row is never taken for the header of a table without coordinates`(
    text: String, columns: [String], kept: Int, rejected: Int
  ) throws {
    let result = try importing(text) { $0.requiresPositions = false }
    #expect(result.annotations.columns == columns)
    #expect(result.annotations.count == kept)
    #expect(result.report.rejected == (rejected == 0 ? [:] : ["row-fields": rejected]))
    let error = importError(text)
    #expect(
      error?.description.contains("columns are \(columns.joined(separator: ","));") == true,
      "\(String(describing: error))")
  }

  @Test func `a header that may be a row is said to be one`() throws {
    func remarks(_ text: String) throws -> [String] {
      try importing(text) { $0.requiresPositions = false }.report.remarks
    }
    #expect(
      try remarks("a,51.5,-0.12\nb,51.6,-0.13\n") == [
        "shops.csv:1: read as the names of the columns: a, 51.5, -0.12; if it is a record, "
          + "say `hasHeader = false`"
      ])
    #expect(
      try remarks("My table\n\na,b,c,d,5,e\nf,g,h,i,6,j\n").first?
        .hasPrefix("shops.csv:3: read as the names of the columns: a, b, c, d, 5, …;") == true)
    for text in ["name,2024,2025\na,1,2\n", "shop,sales\na,1\n"] {
      #expect(try remarks(text).isEmpty, "\(text)")
    }
    let unnamed = try importing("a,51.5,-0.12\nb,51.6,-0.13\n") {
      $0.requiresPositions = false
      $0.hasHeader = false
    }
    #expect(unnamed.report.records == 2 && unnamed.report.remarks.isEmpty)
  }

  @Test(arguments: [
    "id;hours\n1;Mo 9-10; Tu 9-10\n2;We 9-10; Th 9-10\n", "id,name\n1,a,\n2,b,\n3,c,\n",
  ])
  func `rows that all have a cell too many are all rejected`(text: String) {
    let error = importError(text) { $0.requiresPositions = false }
    #expect(error?.code == "row-fields")
    #expect(error?.report?.rejectedCount == error?.report?.records)
  }

  @Test func `names of coordinates below a title are the header, whatever follows`() throws {
    for text in [
      "Title,,\nname,lat,lon\na,,\n", "Title,,\nname,lat,lon\n이름,위도,경도\n",
      "Title,,\nname,lat,lon\ntext,degrees,degrees\n", "Title,,\nname,lat,lon\n",
      "1,2,3\nname,lat,lon\na,37.5,127\n", "Title,2026,11\n,,\n1,2,3\nname,경도,위도\na,127,37\n",
    ] {
      let result = try importing(text)
      #expect(result.annotations.columns == ["name"], "\(text)")
    }
  }

  @Test func `an option that names no column says which there are`() {
    let error = importError("id,lat,lon\n1,2,3\n") { $0.nameField = "title" }
    #expect(error?.code == "unknown-field")
    #expect(error?.blame == .usage)
    #expect(
      error?.description
        == "shops.csv: no column is named \"title\"; columns are id,lat,lon; correct `nameField`")
    #expect(
      importError("id,lat,lon\n1,2,3\n") { $0.latitudeField = "north" }?.code == "unknown-field")
  }

  @Test func `a header is found behind a preamble and across several rows`() throws {
    let result = try importing(
      """
      #LINK,,
      "made by us","2026",
      place,position,
      name,lat,lon
      이름,위도,경도
      강남,37.5,127
      """)
    #expect(result.report.records == 1)
    #expect(result.annotations.first?.name == "강남")
    #expect(result.annotations.first?.id == 1)
    #expect(result.annotations.columns == ["name"])
  }

  @Test func `without a header columns are numbers and rows may be ragged`() throws {
    let result = try importing("7,서울,37.5,127\n8,부산\n9,대구,35.9,128.6,more\n") {
      $0.hasHeader = false
      $0.idField = "1"
      $0.nameField = "2"
      $0.latitudeField = "3"
      $0.longitudeField = "4"
    }
    #expect(result.report.placed == 2)
    #expect(result.report.unplaced == 1)
    #expect(result.annotations.map(\.id) == [7, 8, 9])
    #expect(result.annotations.map(\.name) == ["서울", "부산", "대구"])
    #expect(
      result.annotations.last?.properties == ["1": "9", "2": "대구", "5": "more"])
  }

  @Test(arguments: [
    ("a.csv", "name,lat,lon\na,37,127\n,38,128\n", false),
    ("a.csv", "name,2,lat,lon\na,b,37,127\n", false),
    ("a.csv", "name,name,lat,lon\na,b,37,127\n", true),
    ("unnamed.csv", "37.5,127.1\n37.6,127.2,more\n", true),
    (
      "a.geojson",
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[127,37]},"properties":{"a":1}}"#,
      true
    ),
  ])
  func `a row says whether it may have names that are no columns`(
    file: String, text: String, mayHaveOthers: Bool
  ) throws {
    let annotations = try importing(text, named: file) {
      guard file == "unnamed.csv" else { return }
      $0.hasHeader = false
      ($0.latitudeField, $0.longitudeField) = ("1", "2")
    }.annotations
    #expect(annotations.contains(where: \.mayHaveOtherColumns) == mayHaveOthers)
    for annotation in annotations where !annotation.mayHaveOtherColumns {
      let names = annotation.properties.withDistinctNames.entries.map(\.name)
      #expect(names.allSatisfy(annotations.columns.contains), "\(names)")
    }
  }

  @Test func `ids are the record numbers when there is no id column, or when asked`() throws {
    let text = "id,lat,lon\nb,1,2\nx,,3\na,3,4\n"
    #expect(try importing(text).annotations.map(\.id) == ["b", "a"])
    let numbered = try importing(text) { $0.idField = "#" }.annotations
    #expect(numbered.map(\.id) == [1, 3])
    #expect(numbered.idsAscend)
  }

  @Test(arguments: [
    (["1", "2", "10", "a", "b"], true), (["2", "10", "9"], false), (["a", "1"], false),
    (["-5", "0", "3"], true), (["1", "1"], true), (["007", "07", "7x"], true),
    (["07", "7"], false),
    (["99999999999999999999", "5"], false),
  ])
  func `a collection knows whether its ids ascend`(ids: [String], ascend: Bool) throws {
    let annotations = try importing(
      "id,lat,lon\n" + ids.map { "\($0),1,2\n" }.joined()
    ).annotations
    #expect(annotations.idsAscend == ascend)
    #expect(annotations.map(\.id.text) == ids)
  }

  @Test func `properties are the source's own columns in order without the coordinates`() throws {
    let shop = try #require(
      try importing("id,lat,name,lon,memo,opening_hours\n1,37.50,\"a \"\"b\"\"\",127, c ,24/7\n")
        .annotations.first)
    #expect(shop.properties.entries.map(\.name) == ["id", "name", "memo", "opening_hours"])
    #expect(shop.properties.entries.map(\.value) == ["1", "a \"b\"", " c ", "24/7"])
    #expect(shop.openingHours == "24/7")
    #expect(shop.kind == nil)
    #expect(shop.featureID == nil)
  }

  @Test func `annotations of one place say so`() throws {
    let annotations = try importing("id,place_id,lat,lon\n1,p,1,2\n2,p,1,2\n3,,1,2\n").annotations
    #expect(annotations.map(\.placeID) == ["p", "p", nil])
  }

  @Test func `a kind for all is that of rows which name none`() throws {
    let annotations = try importing("kind,lat,lon\ncinema,1,2\n,1,2\n") { $0.defaultKind = .mart }
      .annotations
    #expect(annotations.map(\.kind) == [.cinema, .mart])
  }
}
