import Geodesy
import LocationFiltering
import NearbyTestSupport
import Testing
import TrackImport

/// A sentence of NMEA with the checksum that belongs to it.
func sentence(_ content: String) -> String {
  let sum = content.utf8.reduce(0, ^)
  return "$\(content)*\(zeroPadded(sum, radix: 16).uppercased())\r\n"
}

/// What the formats of tracks have of their own.
@Suite struct TrackReaderTests {
  private static func points(
    _ text: String, _ options: TrackOptions = TrackOptions()
  ) throws -> [TrackPoint] {
    try TrackReader.points(in: Array(text.utf8), options).points
  }

  private static func code(_ text: String, _ options: TrackOptions = TrackOptions()) -> String? {
    do {
      _ = try TrackReader.points(in: Array(text.utf8), options)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `times of day take their date from the last RMC, over midnight and back`() throws {
    let text =
      sentence("GPGGA,235957.00,3730.0000,N,12700.0000,E,1,08,0.9,10,M,46.9,M,,")
      + sentence("GPRMC,235958.00,A,3730.0000,N,12700.0000,E,1.0,,311226,,,A")
      + sentence("GPGGA,235959.00,3730.0000,N,12700.0000,E,1,08,0.9,10,M,46.9,M,,")
      + sentence("GPGGA,000000.00,3730.0000,N,12700.0000,E,1,08,0.9,10,M,46.9,M,,")
      + sentence("GPGLL,3730.0000,N,12700.0000,E,235959.50,A,A")
      + sentence("GPGGA,000001.00,3730.0000,N,12700.0000,E,1,08,0.9,10,M,46.9,M,,")
      + sentence("GPRMC,000002.00,A,3730.0000,N,12700.0000,E,1.0,,010127,,,A")
    let points = try Self.points(text)
    // 2026-12-31T23:59:58Z
    let start = 1_798_761_598.0
    #expect(points.map(\.isDated) == [false, true, true, true, true, true, true])
    #expect(
      points.dropFirst().map { ($0.fix.time ?? .nan) - start } == [0, 1, 2, 1.5, 3, 4])
    #expect(points[0].fix.time == 86_397)
  }

  @Test func `a year of two digits is one of GPS`() throws {
    for (date, time) in [
      ("060180", 315_964_800.0), ("311299", 946_598_400), ("010100", 946_684_800),
      ("290224", 1_709_164_800), ("311279", 3_471_206_400),
    ] {
      let points = try Self.points(
        sentence("GNRMC,000000,A,3730.0,N,12700.0,E,,,\(date),,,A"))
      #expect(points[0].fix.time == time, "\(date)")
    }
  }

  @Test func `a simulated position says so, and none is none`() throws {
    let points = try Self.points(
      sentence("GPRMC,000000,A,3730.0,N,12700.0,E,,,010126,,,S")
        + sentence("GPGGA,000000,3730.0,N,12700.0,E,8,8,1,1,M,1,M,,")
        + sentence("GNGNS,000000,3730.0,N,12700.0,E,NN,8,1,1,1,,,")
        + sentence("GNGNS,000000,3730.0,N,12700.0,E,AN,8,1,55.5,1,,,")
        + sentence("GPRMC,000000,A,3730.0,N,12700.0,E,,,010126,,,N")
        + sentence("GPGGA,000000,0000.0,N,00000.0,E,0,0,,,M,,M,,"))
    #expect(points.map(\.fix.isSimulated) == [true, true, false, false, false, false])
    #expect(points.map { $0.fix.latitude == nil } == [false, false, true, false, true, true])
    #expect(points[3].elevation == 55.5)
  }

  @Test func `what a field cannot hold is named, and other lines are passed over`() throws {
    let text =
      "hello\n" + sentence("GPGSV,1,1,0")
      + sentence("GPRMC,000000,A,3760.0,N,12700.0,E,,,010126,,,A")
      + sentence("GPRMC,250000,A,3730.0,N,12700.0,E,,,010126,,,A")
      + sentence("GPRMC,000000,A,3730.0,N,12700.0,E,,,300226,,,A")
      + sentence("GPRMC,000000,A,3730.0,X,12700.0,E,,,010126,,,A")
      + "2026-01-01 00:00:00 " + sentence("GPRMC,000000,A,9130.0,N,12700.0,E,,,010126,,,A")
      + "$GPRMC,000000,A,3730.0,N,12700.0,E,,,010126,,,A\n" + "$PGRME,15.0,M,45.0,M,25.0,M*1C\n"
    var options = TrackOptions()
    options.format = .nmea
    let (points, counts) = try TrackReader.points(in: Array(text.utf8), options)
    #expect(
      points.map { $0.problem?.code }
        == ["nmea-field", "nmea-field", "nmea-field", "nmea-field", nil, nil])
    #expect(points.map(\.line) == [3, 4, 5, 6, 7, 8])
    // Off the Earth, which is for a gate to say.
    #expect(points[4].fix.latitude == 91.5)
    #expect(points[5].fix.latitude == 37.5)
    #expect(counts.otherRecords == 3)
    #expect(counts.broken == 4 && counts.fixes == 6)
  }

  @Test func `columns of a log are found by name, in Korean and Japanese too`() throws {
    let korean = try Self.points(
      "시각,위도,경도,정확도(m),고도\n2026-11-22T10:00:00+09:00,37.5,127.0,12.5,30\n")
    #expect(korean[0].fix.time == 1_795_309_200)
    #expect(korean[0].fix.latitude == 37.5 && korean[0].fix.accuracy == 12.5)
    #expect(korean[0].elevation == 30)
    let japanese = try Self.points("日時;緯度;経度;精度\n2026/11/22 01:00:00;35.6;139.7;5\n")
    #expect(japanese[0].fix.time == 1_795_309_200)
    #expect(japanese[0].fix.longitude == 139.7)
    let apart = try Self.points(
      "# made by a logger\ndate,time,lat,lon,speed\n2026-11-22,01:00:00,35.6,139.7,1.5\n")
    #expect(apart[0].fix.time == 1_795_309_200 && apart[0].speed == 1.5)
  }

  @Test func `times since 1970 are told by their size`() throws {
    let points = try Self.points(
      """
      t,lat,lon,timestamp
      a,1,2,1795309200
      b,1,2,1795309200.25
      c,1,2,1795309200250
      d,1,2,1795309200250000
      e,1,2,1795309200250000000
      f,1,2,soon

      """)
    #expect(points.prefix(1).map(\.fix.time) == [1_795_309_200])
    #expect(points[1..<5].allSatisfy { abs(($0.fix.time ?? 0) - 1_795_309_200.25) < 1e-6 })
    #expect(points[5].fix.time == nil)
  }

  @Test(arguments: [
    "2026-11-22 10:00:00+09:00", "2026-11-22T01:00:00", "2026/11/22 1:00", "2026-11-22 1:0:0 UTC",
    "2026.11.22 01:00:00", "2026. 11. 22. 오전 1:00:00", "2026-11-22 오전 1:00", "20261122010000",
    "202611220100", "20261122010000000", "20261122T010000Z", "2026年11月22日 1時0分",
    "2026年11月22日(日) 01時00分00秒", "2026/11/22(日) 10:00 JST", "2026년 11월 22일 10시 0분 0초 KST",
    "2026-11-22 午前1:00", "2026-11-22 1:00:00.000 AM", "2026-11-22 10:00:00 GMT+0900",
    "2026-11-22 10:00:00 UTC+9", "2026-11-21 16:00 -9", "1795309200", "1795309200000",
  ])
  func `one instant is read however it is written, the year first`(text: String) throws {
    let points = try Self.points("일시,위도,경도\n\"\(text)\",37.5,127\n")
    #expect(points.map(\.fix.time) == [1_795_309_200])
    #expect(points[0].unreadTime == nil)
  }

  @Test func `noon, midnight and the afternoon are read in halves of a day`() throws {
    for (text, hour) in [
      ("오전 12:30", 0.5), ("오후 12:30", 12.5), ("午後 0:30", 12.5), ("오후 11:30", 23.5),
      ("12:30 AM", 0.5), ("12:30 pm", 12.5), ("0:30", 0.5), ("23:30", 23.5), ("24:00", 24),
      ("2400", 24),
    ] {
      let points = try Self.points("time,lat,lon\n2026-11-22 \(text),1,2\n")
      #expect(points[0].fix.time == 1_795_305_600 + hour * 3_600, "\(text)")
    }
  }

  @Test(arguments: [
    "01/02/2026 09:00", "soon", "2026-13-01 00:00:00", "2026-02-30 00:00", "2026-11-22",
    "2026-11-22 25:00", "2026-11-22 24:01", "오후 13:00", "2026-11-22 오후 13:00", "2026-11-22 9:60",
    "9:00", "nan", "2026-11-22 09:00 EST", "2026-11-22 09:00 x", "26-11-22 09:00", "2026-11-22 9",
    "20261122", "0x10", "2026-11-22T09:00:00+99:00", "2026-11-22T09:00:00-15:00",
  ])
  func `what is no such time is kept as it stands, and never guessed`(text: String) throws {
    let points = try Self.points("time,lat,lon\n\(text),37.5,127\n")
    #expect(points.map(\.fix.time) == [nil])
    #expect(points.map(\.unreadTime) == [text])
  }

  @Test func `a day and a time of day may stand apart, or both in the column of days`() throws {
    for (header, cells) in [
      ("date,time", "2026-11-22,01:00:00"), ("date,time", "20261122,010000"),
      ("날짜,시간", "2026.11.22,오전 1:00"), ("日付,時刻", "2026/11/22,1:00:00"),
      ("date,time", "2026-11-22,2026-11-22T01:00:00Z"), ("date,time", "2026-11-22,1795309200"),
      ("date,time", "20261122,10000"),
      ("date,note", "2026-11-22 01:00:00,x"),
    ] {
      let points = try Self.points("\(header),lat,lon\n\(cells),37.5,127\n")
      #expect(points.map(\.fix.time) == [1_795_309_200], "\(header) \(cells)")
    }
    let geojson = try Self.points(
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[127,37.5]},"properties":{"time":"noon"}}"#
    )
    #expect(geojson.map(\.unreadTime) == ["noon"])
    let gpx = try Self.points(
      "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><time>noon</time></trkpt></trkseg></trk></gpx>")
    #expect(gpx.map(\.unreadTime) == ["noon"])
  }

  @Test func `a number of a time of day is read without its zeros once one before it has none`()
    throws
  {
    let rows = [
      "20261122,1234", "20261122,235958", "20261123,0", "20261123,5", "20261123,959",
      "20261123,1234", "20261123,10000", "20261123,12:34", "20261123,9959",
    ]
    let points = try Self.points(
      "date,time,lat,lon\n" + rows.map { $0 + ",37.5,127\n" }.joined())
    // From 2026-11-23T00:00:00Z; the first, with none before it, has hours and minutes.
    let seconds = points.map { point in point.fix.time.map { $0 - 1_795_392_000 } }
    #expect(seconds == [-41_160, -2, 0, 5, 599, 754, 3_600, 45_240, nil])
    #expect(points.compactMap(\.unreadTime) == ["20261123 9959"])
  }

  @Test(
    arguments: [
      ("12.5", 12.5), ("12.5m", 12.5), ("12.5 M", 12.5), ("0.5 km", 500), ("1mi", 1_609.344),
      ("inf", Double.infinity), ("Infinity", Double.infinity), ("-1", -1), ("", nil),
      ("1,500", nil), ("12 mm", nil), ("good", nil), ("nan", nil), ("0x10", nil),
    ] as [(String, Double?)])
  func `an accuracy is read with its unit, or kept as it stands`(
    text: String, meters: Double?
  ) throws {
    let gpx = """
      <gpx><trk><trkseg><trkpt lat="1" lon="2"><extensions><accuracy>\(text)</accuracy></extensions>\
      </trkpt></trkseg></trk></gpx>
      """
    let feature = """
      {"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},\
      "properties":{"accuracy":"\(text)"}}
      """
    for log in ["lat,lon,accuracy\n1,2,\"\(text)\"\n", feature, gpx] {
      let points = try Self.points(log)
      #expect(points.map(\.fix.accuracy) == [meters], "\(log)")
      #expect(points.map(\.unreadAccuracy) == [meters == nil && text != "" ? text : nil], "\(log)")
    }
  }

  @Test(arguments: [
    // Seconds since midnight, or half past three? Hours and minutes, or minutes and seconds?
    ("2026-11-22", "34200"), ("20261122", "958"), ("20261122", "96000"), ("2026-11-22", "0x10"),
    ("2026-11-22", "0.395"), ("20261122", "20261122"),
    // A time of day, and a day of which nobody knows whether the month comes first.
    ("01/02/2026", "9:00:00 AM"),
  ])
  func `a day and a time of day that cannot both be read are kept as they stand`(
    day: String, time: String
  ) throws {
    let points = try Self.points("date,time,lat,lon\n\(day),\(time),37.5,127\n")
    #expect(points.map(\.fix.time) == [nil])
    #expect(points.map(\.unreadTime) == ["\(day) \(time)"])
  }

  @Test func `a log in another encoding is told so, and which`() throws {
    func message(_ bytes: [UInt8]) -> String? {
      var options = TrackOptions()
      options.source = "walk"
      do {
        _ = try TrackReader.points(in: bytes, options)
        return nil
      } catch {
        return "\(error.code): \(error)"
      }
    }
    let rows = "lat,lon\n37.5,127\n", gpx = "<gpx><trk><trkseg/></trk></gpx>"
    func utf16(_ text: String, isBig: Bool) -> [UInt8] {
      ("\u{FEFF}" + text).utf16.flatMap { unit in
        let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        return isBig ? bytes : bytes.reversed()
      }
    }
    for isBig in [false, true] {
      #expect(
        message(utf16(rows, isBig: isBig))
          == "encoding: walk:1: line 1 is not UTF-8; save the track as UTF-8 (iconv -f utf-16 -t utf-8)"
      )
      #expect(message(utf16(gpx, isBig: isBig)) == nil)
      #expect(message(Array(utf16(gpx, isBig: isBig).dropFirst(2))) == nil)
    }
    // UTF-32 is not read, also where it is GPX.
    for text in [rows, gpx] {
      let units = ("\u{FEFF}" + text).unicodeScalars.map(\.value)
      for isBig in [false, true] {
        let bytes = units.flatMap { unit -> [UInt8] in
          let places: [UInt32] = isBig ? [24, 16, 8, 0] : [0, 8, 16, 24]
          return places.map { UInt8(unit >> $0 & 0xFF) }
        }
        #expect(message(bytes)?.hasSuffix("(iconv -f utf-32 -t utf-8)") == true)
      }
    }
    // 위도,경도 in CP949.
    let korean: [UInt8] = [0xC0, 0xA7, 0xB5, 0xB5, 0x2C, 0xB0, 0xE6, 0xB5, 0xB5, 0x0A]
    #expect(
      message(korean + Array("37.5,127\n".utf8))
        == "encoding: walk:1: line 1 is not UTF-8; save the track as UTF-8 (iconv -f cp949 -t utf-8)"
    )
  }

  @Test(arguments: [
    ("", "walk: there is nothing here"), ("a,b\n1,2\n", "walk: no columns"),
    ("<gpx>\n<trk></gpx>", "walk: line 2, column "), ("<gpx>\n<trk>", "walk: line 2, column "),
    (#"{"type":"Feature","#, "walk: line 1, column "),
  ])
  func `an error in the whole text names the file, and where it knows it the line`(
    text: String, start: String
  ) {
    var options = TrackOptions()
    options.source = "walk"
    let error = #expect(throws: TrackError.self) {
      try TrackReader.points(in: Array(text.utf8), options)
    }
    #expect(error?.description.hasPrefix(start) == true, "\(error!)")
  }

  @Test func `rows without a header, and columns that are named`() throws {
    var options = TrackOptions()
    options.hasHeader = false
    options.latitudeField = "2"
    options.longitudeField = "3"
    options.timeField = "1"
    let bare = try Self.points("1795309200,37.5,127.0\n1795309201,37.6,127.1\n", options)
    #expect(bare.map(\.fix.latitude) == [37.5, 37.6])
    #expect(bare.map(\.fix.time) == [1_795_309_200, 1_795_309_201])
    var named = TrackOptions()
    named.latitudeField = "a"
    named.longitudeField = "b"
    named.accuracyField = "c"
    let points = try Self.points("a,b,c\n1,2,3\n", named)
    #expect(points[0].fix == Fix(latitude: 1, longitude: 2, accuracy: 3))
    named.accuracyField = "d"
    #expect(Self.code("a,b,c\n1,2,3\n", named) == "unknown-field")
  }

  @Test func `a broken row is a fix without a position, and the rest goes on`() throws {
    let points = try Self.points(
      "lat,lon,note\n37.5,127,\"a\nb\"\n37.5\n,,x\n37.5,x,\n0,0,\n37.5,127,\"\n")
    #expect(
      points.map { $0.problem?.code }
        == [nil, "row-fields", nil, nil, nil, "row-quote"])
    #expect(points.map(\.line) == [2, 4, 5, 6, 7, 8])
    #expect(points[2].fix.latitude == nil)
    #expect(points[3].fix.longitude?.isNaN == true)
    #expect(points[4].fix.latitude == 0)
  }

  @Test func `a row whose cells are all empty is no fix`() throws {
    let points = try Self.points("lat,lon,note\n,,\n37.5,127,\n,\n , ,\n\"\",,\n37.6,127,\n,,,,\n")
    #expect(points.map(\.line) == [3, 7])
  }

  @Test func `GeoJSON lines take their times from beside them, points from within`() throws {
    let line = #"""
      {"type":"Feature","properties":{"coordTimes":["2026-11-22T01:00:00Z","2026-11-22T01:00:05Z"]},
       "geometry":{"type":"LineString","coordinates":[[127,37.5,20],[127.1,37.5]]}}
      """#
    let points = try Self.points(line)
    #expect(points.map(\.fix.time) == [1_795_309_200, 1_795_309_205])
    #expect(points[0].elevation == 20 && points[0].fix.longitude == 127)
    let lines = #"""
      {"type":"Feature","properties":{"coordinateProperties":{"times":[[1,2],[3,4]]}},
       "geometry":{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]}}
      """#
    let parts = try Self.points(lines)
    #expect(parts.map(\.part) == [1, 1, 2, 2])
    #expect(parts.map(\.fix.time) == [1, 2, 3, 4])
    let sequence = #"""
      {"type":"Feature","geometry":{"type":"Point","coordinates":[127,37.5]},"properties":{"time":1795309200,"accuracy":5,"speed":1.5}}
      {"type":"Feature","geometry":null,"properties":{"time":1795309201}}
      {"type":"Feature","geometry":{"type":"Point"},"properties":null}
      {"type":"Point","coordinates":[127,97]}

      """#
    let (fixes, counts) = try TrackReader.points(in: Array(sequence.utf8))
    #expect(counts.format == .geojsonseq && counts.parts == 1)
    #expect(fixes.map { $0.problem?.code } == [nil, nil, "bad-feature", nil])
    #expect(fixes[0].fix.accuracy == 5 && fixes[0].speed == 1.5)
    #expect(fixes[1].fix.latitude == nil && fixes[1].fix.time == 1_795_309_201)
    #expect(fixes[3].fix.latitude == 97)
    #expect(fixes.map(\.line) == [1, 2, 3, 4])
  }

  @Test func `a line past ±180° gives the fixes of the same line within, a point past it its own`()
    throws
  {
    // Each way of writing the antimeridian, beside the longitudes on the Earth.
    for (written, meant) in [
      ([178, 179.5, 180.5, 182], [178, 179.5, -179.5, -178]),
      ([-178, -179.5, -180.5, -182], [-178, -179.5, 179.5, 178]),
      ([179, 181, 0, 182, 240, 183], [179, -179, 0, 182, 240, 183]),
      ([190, 191, 359, 360], [-170, -169, -1, 0]), ([180, 180.0000000001, 181], [180, 180, -179]),
      // A slip, two pieces, too far round, or within: as they are.
      ([127, 200, 127], [127, 200, 127]), ([170, -175, 190], [170, -175, 190]),
      ([500, 501], [500, 501]), ([179, -179], [179, -179]),
    ] as [([Double], [Double])] {
      let line = written.map { "[\($0),-17]" }.joined(separator: ",")
      for (text, count) in [
        (#"{"type":"LineString","coordinates":[\#(line)]}"#, 1),
        (#"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[\#(line)]]}"#, 1),
        (
          #"{"type":"Feature","properties":null,"geometry":{"type":"LineString","coordinates":[\#(line)]}}"#
            + "\n" + #"{"type":"Feature","properties":null,"geometry":null}"#, 1
        ),
        (#"{"type":"MultiPoint","coordinates":[\#(line)]}"#, 0),
      ] {
        let (points, counts) = try TrackReader.points(in: Array(text.utf8))
        let longitudes = points.compactMap(\.fix.longitude).filter { ![1, 3].contains($0) }
        let isRead = count > 0 && written != meant
        #expect(longitudes == (isRead ? meant : written), "\(text)")
        #expect(counts.wrappedFeatures == (isRead ? count : 0), "\(text)")
      }
    }
    // Past it by rounding alone, which is nothing to report.
    let line = #"{"type":"LineString","coordinates":[[0,1],[180.00000000000014,1]]}"#
    let (points, counts) = try TrackReader.points(in: Array(line.utf8))
    #expect(points.compactMap(\.fix.longitude) == [0, 180] && counts.wrappedFeatures == 0)
  }

  @Test func `formats are told by what is in the text`() throws {
    for (text, format) in [
      ("\u{FEFF}<?xml version=\"1.0\"?><gpx></gpx>", TrackFormat.gpx), ("  \n<gpx/>", .gpx),
      ("$GPGGA,,,,,,0,00,99.99,,,,,,*48\n", .nmea), ("lat,lon\n1,2", .csv),
      ("lat\tlon\n1\t2", .csv), ("<5 km,lat,lon\n1,37.5,127\n", .csv),
      ("{\"type\":\"Point\",\"coordinates\":[1,2]}", .geojson),
      ("{\"type\":\n\"Point\",\"coordinates\":[1,2]}", .geojson),
      (
        "{\"type\":\"Point\",\"coordinates\":[1,2]}\n{\"type\":\"Point\",\"coordinates\":[1,2]}\n",
        .geojsonseq
      ),
      ("\u{1E}{\"type\":\"Point\",\"coordinates\":[1,2]}\n", .geojsonseq),
      // One line is one text, also with its end.
      ("{\"type\":\"FeatureCollection\",\"features\":[]}\n", .geojson),
      ("\u{FEFF}{\"type\":\"Point\",\"coordinates\":[1,2]}\r\n\n", .geojson),
      ("{\"type\":\"Point\",\"coordinates\":[1,2]}\n{}\n", .geojsonseq),
    ] {
      #expect(try TrackReader.points(in: Array(text.utf8)).counts.format == format, "\(text)")
    }
  }

  @Test func `what is no track is refused, and says why`() {
    #expect(Self.code("") == "empty-input")
    #expect(Self.code(" \n\n") == "empty-input")
    #expect(Self.code("\u{FEFF}") == "empty-input")
    #expect(Self.code("\u{FEFF} \n") == "empty-input")
    #expect(Self.code("a,b\n1,2\n") == "no-coordinate-fields")
    #expect(Self.code("lat,latitude,lon\n1,2,3\n") == "ambiguous-coordinate-fields")
    #expect(Self.code("<gpx><trk></gpx>") == "xml-syntax")
    #expect(Self.code("<kml></kml>") == "format-unknown")
    #expect(Self.code("<rss></rss>") == "gpx-root")
    #expect(Self.code("{\"type\":\"FeatureCollection\"}") != nil)
    #expect(Self.code("lat,lon\n") == nil)
    #expect(throws: TrackError.self) { try TrackReader.points(in: [0x1F, 0x8B, 8, 0]) }
    #expect(throws: TrackError.self) { try TrackReader.points(in: [0xC0, 0xA7, 0x2C, 0x31]) }
  }

  @Test func `GPX that was cut off behind a fix is read up to there`() throws {
    let text = "<gpx><trk><trkseg>\n<trkpt lat='1' lon='2'/>\n<trkpt lat='3' lon="
    let (points, counts) = try TrackReader.points(in: Array(text.utf8))
    #expect(points.count == 1 && counts.fixes == 1 && counts.cut?.line == 3)
    #expect(Self.code("<gpx><trk><trkseg><trkpt lat='3' lon=") == "xml-cut-off")
    let wide = Array(text.utf16).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    #expect(throws: TrackError.self) { try TrackReader.points(in: [0xFF, 0xFE] + wide) }
  }

  @Test(arguments: UInt64(0)..<40)
  func `no bytes make a reader fail but with an error`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let seeds = [
      sentence("GPRMC,123205.00,A,5106.94085,N,01701.51689,E,0.016,,280214,,,A"),
      "lat,lon,time\n1,2,2026-11-22T01:00:00Z\n\"1\",2,3\n",
      "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><time>2026-11-22T01:00:00Z</time></trkpt></trkseg></trk></gpx>",
      "{\"type\":\"Point\",\"coordinates\":[1,2]}\n{\"type\":\"Point\",\"coordinates\":[1,2]}\n",
    ]
    for _ in 0..<50 {
      var bytes = Array((seeds.randomElement(using: &generator) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      // A result or a typed error; a trap would end the tests.
      do {
        let (points, counts) = try TrackReader.points(in: bytes)
        #expect(points.count == counts.fixes)
      } catch {
        #expect(!error.code.isEmpty && !error.description.isEmpty)
      }
    }
  }
}
