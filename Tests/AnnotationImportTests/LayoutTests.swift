import AnnotationImport
import MapAnnotations
import Testing

/// Where the coordinates stand, in files that do not say so plainly.
@Suite struct LayoutTests {
  // MARK: Names

  @Test(arguments: [
    "Y좌표,X좌표", "y_coord,x_coord", "lat_dd,lon_dd", "위도(WGS84),경도(WGS84)", "GPS위도,GPS경도",
    "緯度(世界測地系),経度(世界測地系)", "北緯,東経", "Y 좌표,X 좌표", "좌표Y,좌표X", "LAT_DEG,LNG_DEG",
    "緯度（10進）,経度（10進）", "緯度_10進,経度_10進", "ＬＡＴ,ＬＯＮ", "map_y,map_x", "시설위도,시설경도",
    "주차장위도,주차장경도", "店舗緯度,店舗経度", "store_latitude,store_longitude", "mapy,mapx",
    "decimalLatitude,decimalLongitude", "좌표정보y(epsg5174),좌표정보x(epsg5174)", "업소_Y좌표,업소_X좌표",
    "緯度（日本測地系２０１１）,経度（日本測地系２０１１）", "日本測地系2011緯度,日本測地系2011経度",
    "REFINE_WGS84_LAT,REFINE_WGS84_LOGT", "緯度（北緯）,経度（東経）", "ycoord,xcoord", "LA,LO",
  ])
  func `columns are known by an axis among words that say no more`(header: String) throws {
    let result = try importing("\(header)\n37.5,127\n")
    #expect(result.annotations.first?.coordinate?.latitude == 37.5)
    #expect(result.annotations.first?.coordinate?.longitude == 127)
  }

  @Test(arguments: [
    "yield,expert", "latency,long_name", "platform,lonely", "도로명,경도로", "이름,내용", "so_lat_long,x_ray",
    "relay,halo", "y_axis_label,tax", "valley,box",
    // Tokyo Datum.
    "緯度（日本測地系）,経度（日本測地系）", "日本測地系緯度,日本測地系経度", "緯度(日本測地系)10進,経度(日本測地系)10進",
  ])
  func `other words are no coordinates`(header: String) {
    #expect(importError("\(header)\nb,c\n")?.code == "no-coordinate-fields")
  }

  @Test func `a plain name goes before one in the wider sense`() throws {
    let result = try importing("Y좌표,X좌표,위도,경도\n450000,200000,37.5,127\n")
    #expect(result.annotations.first?.coordinate?.latitude == 37.5)
    for header in ["lat_dd,lat_deg,lon", "출발지위도,도착지위도,경도", "y_coord,ymap,x"] {
      #expect(importError("\(header)\n1,2,3\n")?.code == "ambiguous-coordinate-fields")
    }
  }

  @Test func `names that a second header row leaves empty stand in the first`() throws {
    let result = try importing("번호,이름,위치,\n,,위도,경도\n1,강남,37.5,127\n")
    #expect(result.annotations.first?.name == "강남")
    #expect(result.annotations.columns == ["번호", "이름"])
    #expect(result.report.records == 1)
  }

  @Test func `units under the names are no record`() throws {
    #expect(try importing("name,lat,lon\ntext,degrees,degrees\na,1,2\n").report.records == 1)
  }

  // MARK: One cell

  @Test(arguments: [
    "37.5, 127.25", "37.5,127.25", "(37.5, 127.25)", "[37.5;127.25]", "37.5 127.25", "37.5/127.25",
    " 37.5 ,  127.25 ",
  ])
  func `two numbers in one cell are latitude and longitude`(cell: String) throws {
    let result = try importing("name,position\na,\"\(cell)\"\nb,\n")
    #expect(result.annotations.first?.coordinate?.latitude == 37.5)
    #expect(result.annotations.first?.coordinate?.longitude == 127.25)
    #expect(result.annotations.columns == ["name"])
    #expect(result.report.unplaced == 1)
    #expect(
      result.report.remarks == ["shops.csv: column position is read as latitude and longitude"])
  }

  @Test(arguments: ["position", "좌표", "位置座標", "geo"])
  func `numbers that pass 90 tell the longitude where no name does`(name: String) throws {
    let result = try importing("name,\(name)\na,\"127.0276, 37.4979\"\nb,\"88.1234, 22.5678\"\n")
    #expect(result.annotations.map { $0.coordinate?.longitude } == [127.0276, 88.1234])
    #expect(
      result.report.remarks == ["shops.csv: column \(name) is read as longitude and latitude"])
    let named = try importing(
      "name,\(name)\na,\"127.0276, 37.4979\"\nb,\"126.9780, 37.5665\"\n"
    ) { options in (options.latitudeField, options.longitudeField) = (name, name) }
    #expect(named.report.placed == 2)
  }

  @Test func `a name that says the order is believed, whatever the numbers`() throws {
    let error = importError("name,latlng\na,\"127.0276, 37.4979\"\n")
    #expect(error?.code == "lat-lon-swapped")
    let unnamed = try importing("a,\"127.0276, 37.4979\"\nb,\"126.9780, 37.5665\"\n") {
      $0.hasHeader = false
    }
    #expect(unnamed.annotations[1].coordinate?.latitude == 37.5665)
    #expect(
      unnamed.report.remarks.last?.hasSuffix("column 2 is read as longitude and latitude") == true)
  }

  @Test(arguments: ["lonlat", "경도,위도", "lng/lat", "経度緯度", "coordonneesXY", "lonlat_wgs84", "좌표XY"])
  func `a column whose name has the longitude first holds it first`(name: String) throws {
    let result = try importing("name,\"\(name)\"\na,\"127.25, 37.5\"\n")
    #expect(result.annotations.first?.coordinate?.latitude == 37.5)
  }

  @Test(arguments: [
    "POINT(127.25 37.5)", "POINT (127.25 37.5)", "point z(127.25 37.5 12.5)",
    "POINTZ(127.25 37.5 1)",
    "POINT ZM (127.25 37.5 1 2)", "SRID=4326;POINT(127.25 37.5)", "Point M ( 127.25  37.5 3 )",
  ])
  func `a point of well-known text has the longitude first`(cell: String) throws {
    let result = try importing("name,geom\na,\(cell)\nb,POINT EMPTY\n")
    #expect(result.annotations.first?.coordinate?.latitude == 37.5)
    #expect(result.annotations.first?.coordinate?.longitude == 127.25)
    #expect(result.report.unplaced == 1)
  }

  @Test func `a cell that is no position is rejected like any other`() throws {
    let report = try importing(
      """
      name,geom
      a,POINT(127.25 37.5)
      b,POINT(37.5 127.25)
      c,POINT(0 0)
      d,SRID=5174;POINT(127 37)
      """
    ).report
    #expect(report.placed == 1)
    #expect(
      report.rejected == ["lat-lon-swapped": 1, "null-island": 1, "crs-unsupported": 1])
  }

  @Test(arguments: [
    ("LINESTRING(127 37,128 38)", "LINESTRING"), ("LINESTRING(127 37)", "LINESTRING"),
    ("polygon z ((127 37 1,128 38 1,127 38 1,127 37 1))", "POLYGON"),
    ("SRID=4326; MULTIPOINT ((127 37), (128 38))", "MULTIPOINT"),
    ("GeometryCollection(POINT(127 37))", "GEOMETRYCOLLECTION"), ("POLYGON EMPTY", "POLYGON"),
    ("multipoint zm empty", "MULTIPOINT"), ("SRID=4326;TinEmpty", "TIN"),
    ("CIRCULARSTRING(1 2,3 4,5 6)", "CIRCULARSTRING"),
    ("CompoundCurve((1 2,3 4),CIRCULARSTRING(3 4,5 6,7 8))", "COMPOUNDCURVE"),
    ("CURVEPOLYGON((1 2))", "CURVEPOLYGON"), ("MULTICURVE((1 2,3 4))", "MULTICURVE"),
    ("MULTISURFACE(((1 2,3 4,5 6,1 2)))", "MULTISURFACE"),
    ("POLYHEDRALSURFACE Z (((1 2 3)))", "POLYHEDRALSURFACE"),
    ("TRIANGLE((1 2,3 4,5 6,1 2))", "TRIANGLE"),
  ])
  func `a line or an area in a column of points is rejected as such`(cell: String, type: String)
    throws
  {
    let points = (1...8).map { "\($0),POINT(127.\($0) 37)\n" }.joined()
    let report = try importing("id,geom\n\(points)9,\"\(cell)\"\n").report
    #expect(report.placed == 8)
    #expect(report.rejected == ["geometry-type": 1])
    #expect(
      report.examples["geometry-type"]
        == "shops.csv:10: only points are read from tables, and this is a \(type); write it as GeoJSON"
    )
  }

  @Test func `lines and areas alone, or as many as points, are rejected as such`() throws {
    let area = "\"POLYGON((127 37,128 38,127 38,127 37))\"", line = "\"LINESTRING(127 37,128 38)\""
    let mixed = "id,extent\n1,POINT(127.5 37)\n2,\(line)\n"
    let report = try importing(mixed).report
    #expect(report.placed == 1)
    #expect(report.rejected == ["geometry-type": 1])
    let areas = "id,extent\n1,\(area)\n2,\(area)\n"
    #expect(importError(areas)?.report?.rejected == ["geometry-type": 2])
    // Where positions are optional, their rows are kept without one.
    for (text, placed) in [(areas, 0), (mixed, 1)] {
      let listed = try importing(text) { $0.requiresPositions = false }.report
      #expect(listed.rejected == [:] && listed.placed == placed)
      #expect(listed.unplaced == 2 - placed)
    }
    let both = try importing("id,extent,middle\n1,\(area),POINT(127.5 37.5)\n")
    #expect(both.annotations.first?.coordinate?.latitude == 37.5)
  }

  @Test func `pairs of sizes are no positions`() throws {
    let text = "name,size,place\na,10.5/20.5,\"37.5665, 126.978\"\nb,30.5/41.2,\"37.51, 127.0\"\n"
    #expect(importError(text)?.code == "no-coordinate-fields")
    let precise = text.replacing("37.51, 127.0", with: "37.5101, 127.001")
    #expect(try importing(precise).annotations.first?.coordinate?.latitude == 37.5665)
  }

  @Test func `two columns of positions are an error`() {
    let error = importError("name,from,to\na,\"37.5001,127.1001\",\"37.6001,127.2001\"\n")
    #expect(error?.code == "ambiguous-coordinate-fields")
  }

  @Test func `a column of whole positions may be named`() throws {
    let result = try importing("name,from,to\na,\"37.5001,127.1001\",\"37.6001,127.2001\"\n") {
      ($0.latitudeField, $0.longitudeField) = ("to", "to")
    }
    #expect(result.annotations.first?.coordinate?.latitude == 37.6001)
  }

  @Test(arguments: ["lat\n37.5\n", #"[{"lat":37.5}]"#])
  func `a lone number is no position, though a name is given for both coordinates`(text: String) {
    let error = importError(text, named: "-") {
      ($0.latitudeField, $0.longitudeField) = ("lat", "lat")
    }
    #expect(error?.code == "not-a-position", "\(String(describing: error))")
  }

  // MARK: No header

  @Test func `without a header two columns of degrees are certain where one passes 90`() throws {
    let text = "1,서울,37.5665,126.9780,38\n2,부산,35.1796,129.0756,12\n3,제주,,,20\n"
    for hasHeader in [true, false] {
      let result = try importing(text) { $0.hasHeader = hasHeader }
      #expect(result.report.placed == 2)
      #expect(result.report.unplaced == 1)
      #expect(result.annotations.first?.coordinate?.latitude == 37.5665)
      #expect(
        result.report.remarks == [
          "shops.csv: there is no header; by its numbers, columns 3 and 4 are read as latitude and "
            + "longitude"
        ])
    }
    let turned = try importing("126.9780,37.5665\n129.0756,35.1796\n")
    #expect(turned.annotations.first?.coordinate?.latitude == 37.5665)
  }

  @Test(arguments: ["48.8584,2.2945\n", "1,2,3\n4,5,6\n", "37.5665,126.9780,37.5123,127.1234\n"])
  func `columns that could be either are not guessed`(text: String) {
    #expect(importError(text)?.code == "no-coordinate-fields")
  }

  // MARK: Nothing

  @Test(arguments: [
    "\\N", "NULL", "null", "-", "N/A", "n/a", "#N/A", "NA", "None", "--", "없음", "不明",
  ])
  func `a word for nothing leaves a row unplaced`(word: String) throws {
    let result = try importing("name,lat,lon\n-,\(word),\(word)\n")
    #expect(result.report.unplaced == 1)
    #expect(result.annotations.first?.name == nil)
  }

  @Test func `a decimal comma between commas is refused with a hint`() {
    let error = importError("name,lat,lon\na,\"37,5\",\"127,1\"\n")
    #expect(error?.code == "not-a-number")
    #expect(error?.description.contains("\"37,5\" is not a number; use a dot") == true)
  }
}
