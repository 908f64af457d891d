import Geodesy
import NearbyTestSupport
import Testing

/// Positions as people copy them.
@Suite struct `Written positions` {
  struct Written: CustomTestStringConvertible, Sendable {
    let text: String
    let latitude: Double
    let longitude: Double
    var testDescription: String { text }

    init(_ text: String, _ latitude: Double, _ longitude: Double) {
      self.text = text
      self.latitude = latitude
      self.longitude = longitude
    }
  }

  /// Expected values are fractions of 60 and 3600 rounded once, by Python's `fractions`.
  static let accepted: [Written] = [
    // Decimal degrees
    Written("37.57,126.97", 37.57, 126.97), Written("37.57, 126.97", 37.57, 126.97),
    Written("  37.57 ,\t126.97 ", 37.57, 126.97), Written("37.57 126.97", 37.57, 126.97),
    Written("37.57;126.97", 37.57, 126.97), Written("(37.57, 126.97)", 37.57, 126.97),
    Written("-33.86,151.21", -33.86, 151.21), Written("−33.86, 151.21", -33.86, 151.21),
    Written("+37.57,+126.97", 37.57, 126.97), Written("-33.86 -70.67", -33.86, -70.67),
    Written(".5,-.25", 0.5, -0.25), Written("37,127", 37, 127), Written("90,180", 90, -180),
    Written("3.757e1,1.2697e2", 37.57, 126.97),
    // Maps
    Written("37.5665° N, 126.9780° E", 37.5665, 126.978),
    Written("37.5665°N 126.9780°E", 37.5665, 126.978),
    Written("33.8568° S, 151.2153° E", -33.8568, 151.2153),
    Written("N37.57 E126.97", 37.57, 126.97), Written("37.57N126.97E", 37.57, 126.97),
    Written("37.57N, 126.97", 37.57, 126.97), Written("37.57°, 126.97°", 37.57, 126.97),
    Written("37.57° -126.97°", 37.57, -126.97), Written("37.57°126.97°", 37.57, 126.97),
    Written("126.97° E, 37.57° N", 37.57, 126.97), Written("E126.97 N37.57", 37.57, 126.97),
    Written("\u{202A}37.57, 126.97\u{202C}", 37.57, 126.97),
    // Minutes
    Written("37°34.2'N 126°58.2'E", 37.57, 126.97),
    Written("N 37° 34.2' E 126° 58.2'", 37.57, 126.97),
    Written("41 24.2028, 2 10.4418", 41.40338, 2.17403),
    Written("41 24.2028 2 10.4418", 41.40338, 2.17403),
    // Seconds
    Written("37°34'12\"N 126°58'12\"E", 37.57, 126.97),
    Written("37°34'12\"N,126°58'12\"E", 37.57, 126.97),
    Written("37°34'12\"N126°58'12\"E", 37.57, 126.97),
    Written("37°34'46\"N 126°58'37\"E", 37.57944444444445, 126.97694444444444),
    Written("41°24'12.2\"N 2°10'26.5\"E", 41.40338888888889, 2.174027777777778),
    Written("33°51'24.48\"S 151°12'55.08\"E", -33.8568, 151.2153),
    Written("37º34′12″N 126º58′12″E", 37.57, 126.97),
    Written("37˚34’12”n, 126˚58’12”e", 37.57, 126.97),
    Written("37° 34' 12'' N, 126° 58' 12'' E", 37.57, 126.97),
    Written("37°34'12\" 126°58'12\"", 37.57, 126.97),
    Written("-37°34'12\" -126°58'12\"", -37.57, -126.97),
    Written("-37°34'12\"-126°58'12\"", -37.57, -126.97),
    Written("37 34 12 126 58 12", 37.57, 126.97), Written("37 34 12 N 126 58 12 W", 37.57, -126.97),
    Written("37:34:12 126:58:12", 37.57, 126.97), Written("37:34:12N 126:58:12E", 37.57, 126.97),
    Written("N37.34.12 E126.58.12", 37.57, 126.97), Written("37.34.12,126.58.12", 37.57, 126.97),
    Written("126°58'12\"E 37°34'12\"N", 37.57, 126.97),
    // Korea and Japan
    Written("북위 37도 34분 12초, 동경 126도 58분 12초", 37.57, 126.97),
    Written("북위37.57도 동경126.97도", 37.57, 126.97),
    Written("北緯37度34分12秒 東経126度58分12秒", 37.57, 126.97),
    Written("東経126度58分12秒、北緯37度34分12秒", 37.57, 126.97),
    Written("３７．５７，１２６．９７", 37.57, 126.97), Written("37.57、126.97", 37.57, 126.97),
    Written("３７．５７\u{3000}１２６．９７", 37.57, 126.97),
    Written("\u{200B}−37.57\u{2060},\u{A0}126.97\u{200B}", -37.57, 126.97),
    // Addresses
    Written("geo:37.57,126.97", 37.57, 126.97), Written("GEO:-33.86,151.21", -33.86, 151.21),
    Written("geo:37.57,126.97,38.5", 37.57, 126.97),
    Written("geo:37.57,126.97;crs=wgs84;u=35", 37.57, 126.97),
    Written("geo:37.57,126.97?z=12", 37.57, 126.97),
    // Code and data
    Written("[37.57, 126.97]", 37.57, 126.97), Written("{lat: 37.57, lng: 126.97}", 37.57, 126.97),
    Written("lat: 37.57, lon: 126.97", 37.57, 126.97),
    Written("lat=-33.86;lon=-70.67", -33.86, -70.67),
    Written(#"{"longitude": 126.97, "latitude": 37.57}"#, 37.57, 126.97),
    Written("위도: 37.57, 경도: 126.97", 37.57, 126.97),
    Written("위도: 37.57 경도: 126.97", 37.57, 126.97),
    Written("경도 126.97, 위도 37.57", 37.57, 126.97),
    Written("緯度37.57 経度126.97", 37.57, 126.97), Written("lat37.57, lon-126.97", 37.57, -126.97),
    Written("lat 37.57 lon 126.97", 37.57, 126.97), Written("lat=37.57 lng=126.97", 37.57, 126.97),
    Written("Latitude: 37°34'12\"N, Longitude: 126°58'12\"E", 37.57, 126.97),
    // Links
    Written("https://www.google.com/maps/@37.57,126.97,15z", 37.57, 126.97),
    Written(
      "HTTPS://www.google.co.kr/maps/@-33.86,-70.67,3a,75y,90h,90t/data=!3m1", -33.86, -70.67),
    Written(
      "https://www.google.com/maps/place/7+11/@37.5,126.9,17z/data=!3m1!4b1!4m6!3m5!1s0x35!8m2!3d37.57!4d126.97!16s",
      37.57, 126.97),
    Written(
      "https://www.google.com/maps/place/37%C2%B034'12.0%22N+126%C2%B058'12.0%22E/@37.5,126.9,17z",
      37.57, 126.97),
    Written("https://www.google.com/maps/search/37.57,+126.97?sa=X", 37.57, 126.97),
    Written("https://www.google.com/maps/search/?api=1&query=37.57%2C126.97", 37.57, 126.97),
    Written("https://maps.google.com/?q=37.57,126.97", 37.57, 126.97),
    Written("https://maps.apple.com/?ll=37.57,126.97&q=Home", 37.57, 126.97),
    Written("https://www.openstreetmap.org/#map=15/37.57/126.97&layers=N", 37.57, 126.97),
    Written(
      "https://www.openstreetmap.org/?mlat=37.57&mlon=126.97#map=9/37.1/126.2", 37.57, 126.97),
    Written("https://map.kakao.com/link/map/%EC%97%AD,37.57,126.97", 37.57, 126.97),
    Written("https://map.naver.com/?lng=126.97&lat=37.57", 37.57, 126.97),
    Written("google.com/maps/@37.57,126.97,15z", 37.57, 126.97),
    Written("www.openstreetmap.org/#map=15/37.57/126.97", 37.57, 126.97),
    Written("https://maps.google.com/maps?q=loc:37.57,126.97", 37.57, 126.97),
    Written("https://www.google.com/maps/@?api=1&viewpoint=37.57%2C126.97", 37.57, 126.97),
    Written("https://maps.apple.com/?sll=37.57,126.97&q=coffee", 37.57, 126.97),
    Written(
      "https://www.openstreetmap.org/export/embed.html?bbox=126%2C37%2C127%2C38&marker=37.57%2C126.97",
      37.57, 126.97),
    // A route with one end
    Written("https://www.google.com/maps/dir//37.57,126.97/@37.53,126.93,13z", 37.57, 126.97),
    Written("https://www.google.com/maps/dir/?api=1&destination=37.57,126.97", 37.57, 126.97),
    Written("https://maps.apple.com/?daddr=37.57,126.97", 37.57, 126.97),
    Written("https://maps.apple.com/directions?destination=37.57,126.97", 37.57, 126.97),
  ]

  @Test(arguments: accepted)
  func `are read as people copy them`(written: Written) throws {
    let position = try Coordinate(parsing: written.text)
    // One unit in the last place: decimals of seconds are rounded before they are added.
    #expect(abs(position.latitude - written.latitude) <= written.latitude.ulp)
    #expect(abs(position.longitude - written.longitude) <= written.longitude.ulp)
  }

  @Test(arguments: [
    "", " ", ",", "37.57", "37.57,", ",126.97", "37.57,,126.97", "1,2,3", "126.9,37.4,127.1,37.6",
    "37,57 126,97", "37,57;126,97", "seoul", "shops.csv", "37.57,east", "a,b", "1-2", "12-30",
    "2026-11-22", "2026-11-22 10:00", "12:30", "3 4 5", "37 34 12", "37.57N", "37°34'12\"N",
    "37.57N 38N", "37N, 38N", "126E, 127E", "37.57, 126.97N", "126.97E, 37.57", "N37S 127E",
    "37°34'60\"N 126°58'12\"E", "37°60'N 126°58'E", "37.5°34'N 126°58'E",
    "N 37 127 E x",
    "-37°S 127°E", "37°34'12\"N 126°58'12\"E 5", "[37.57, 126.97)", "POINT(126.97 37.57)",
    "lat 37.57 lat 126.97", "lat 37.57", "a lat: 37.57 lng: 126.97", "0x10,1", "1e400,2",
    "geo:37.57", "geo:a,b", "geo:1,2,3,4",
    "geo:37.57,126.97;crs=epsg5179", "geo:", "(37.57, 126.97", "37.57 / 126.97", "wydm9rb18b",
    "lat: 37.57, lat: 37.58", "lat: 126.97E, lon: 37.57", "lon: 126.97",
    // A point too many
    "37.5.7,126.97", "37.57 126.9.7", "N37.5.7 E126.97", "lat: 37.5.7, lon: 126.97",
    // Some write the longitude first.
    "https://yandex.com/maps/?ll=37.62,55.75&z=10", "https://x.org/@37.57,126.97",
    // Files and folders
    "google.csv/maps", "https://drive.google.com/file/x.csv",
  ])
  func `that have another form are refused with the text`(text: String) {
    let error = #expect(throws: CoordinateError.self) { try Coordinate(parsing: text) }
    #expect(error == .notAPosition(text))
    #expect(error?.code == "not-a-position")
    #expect(
      error?.description
        == "\"\(text)\" is not a position; write latitude,longitude as 37.57,126.97 or "
        + "37°34'12\"N 126°58'12\"E")
  }

  @Test(arguments: [
    "https://www.google.com/maps/",
    "https://www.google.com/maps/dir/37.5,127.1/37.6,127.2/@37.55,127.15,9z",
    "https://www.google.com/maps/dir/37.50,126.90/Seoul+Station/@37.53,126.93,13z",
    "https://www.google.com/maps/dir/Home/Seoul+Station/@37.53,126.93,13z/data=!4m2!4m1!3e0",
    "https://www.google.com/maps/dir/?api=1&origin=37.50,126.90&destination=37.57,126.97",
    "https://maps.apple.com/?daddr=37.57,126.97&saddr=37.5,126.9",
    "https://www.openstreetmap.org/directions?route=37.50%2C126.90%3B37.57%2C126.97#map=13/37.53/126.93",
    "https://maps.app.goo.gl/x", "https://naver.me/x", "https://kko.to/x", "osm.org/go/5H~Q",
  ])
  func `are not in links of routes and in short ones, which says so`(text: String) {
    let error = #expect(throws: CoordinateError.self) { try Coordinate(parsing: text) }
    #expect(
      error?.description
        == "the link \(text) does not contain exactly one position; open it in a browser, and copy the "
        + "coordinates or the long address")
  }

  @Test func `that are not on the Earth are refused as numbers are`() {
    for (text, error) in [
      ("126.97,37.57", CoordinateError.looksSwapped(latitude: 126.97, longitude: 37.57)),
      ("[126.97, 37.57]", .looksSwapped(latitude: 126.97, longitude: 37.57)),
      (
        "https://maps.google.com/?ll=126.97,37.57",
        .looksSwapped(latitude: 126.97, longitude: 37.57)
      ),
      ("126°30'N 37°30'E", .looksSwapped(latitude: 126.5, longitude: 37.5)),
      ("95,200", .latitudeOutOfRange(95)), ("37,181", .longitudeOutOfRange(181)),
      ("200 10", .latitudeOutOfRange(200)), ("nan,1", .notANumber("nan")),
      ("lat: nan, lng: 1", .notANumber("lat: nan")),
      ("1, -inf", .notANumber("-inf")), ("geo:91,181", .latitudeOutOfRange(91)),
    ] {
      #expect(throws: error, "\(text)") { try Coordinate(parsing: text) }
    }
  }

  @Test func `of any length end`() {
    let long = String(repeating: "37.57,126.97 ", count: 10_000)
    #expect(throws: CoordinateError.notAPosition(long)) { try Coordinate(parsing: long) }
  }

  /// How far a text of degrees with so many decimals of seconds may be off, in degrees.
  private static let tolerance = 1e-13

  @Test(arguments: UInt64(0)..<10)
  func `come back from degrees, minutes and seconds`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      // Thousandths of a second, so that the text says exactly one number.
      let north = Int.random(in: -90 * 3_600_000...90 * 3_600_000, using: &random)
      let east = Int.random(in: -180 * 3_600_000..<180 * 3_600_000, using: &random)
      let expected = (Double(north) / 3_600_000, Double(east) / 3_600_000)
      func parts(_ angle: Int) -> (Int, Int, String) {
        let size = abs(angle)
        let thousandths = String(1_000 + size % 1_000).dropFirst()
        return (size / 3_600_000, size / 60_000 % 60, "\(size / 1_000 % 60).\(thousandths)")
      }
      let (a, b) = (parts(north), parts(east))
      let letters = (north < 0 ? "S" : "N", east < 0 ? "W" : "E")
      let signs = (north < 0 ? "-" : "", east < 0 ? "-" : "")
      let forms = [
        "\(a.0)°\(a.1)'\(a.2)\"\(letters.0) \(b.0)°\(b.1)'\(b.2)\"\(letters.1)",
        "\(letters.0)\(a.0)° \(a.1)′ \(a.2)″, \(letters.1)\(b.0)° \(b.1)′ \(b.2)″",
        "\(b.0)º\(b.1)’\(b.2)”\(letters.1) \(a.0)º\(a.1)’\(a.2)”\(letters.0)",
        "\(signs.0)\(a.0)°\(a.1)'\(a.2)\" \(signs.1)\(b.0)°\(b.1)'\(b.2)\"",
        "\(signs.0)\(a.0) \(a.1) \(a.2), \(signs.1)\(b.0) \(b.1) \(b.2)",
      ]
      for text in forms {
        let position = try Coordinate(parsing: text)
        #expect(abs(position.latitude - expected.0) <= Self.tolerance, "\(text)")
        #expect(abs(position.longitude - expected.1) <= Self.tolerance, "\(text)")
      }
    }
  }

  @Test(arguments: UInt64(0)..<4)
  func `come back from their description, bit for bit`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      let position = try Coordinate(
        latitude: Double.random(in: -90...90, using: &random),
        longitude: Double.random(in: -180...180, using: &random))
      #expect(try Coordinate(parsing: position.description) == position)
    }
  }
}
