import BusinessHours
import Geodesy
import NearbyTestSupport
import Testing

@testable import AnnotationSources
@testable import NearbyCommand

@Suite struct ValueParsingTests {
  @Test(
    arguments: [
      ("1", 1), ("-0.5", -0.5), ("+2", 2), ("1e3", 1_000), (".5", 0.5), ("-.5", -0.5),
      (" 1", 1), ("1 ", 1), ("１", 1), ("\u{2212}2", -2), ("\u{200E}3\u{A0}", 3),
    ] as [(String, Double)])
  func `a number has a dot, and blanks and signs that were copied with it`(
    text: String, value: Double
  ) throws {
    #expect(try parseNumber(text) == value)
  }

  @Test(arguments: [
    "", " ", "1,5", "1 2", "nan", "inf", "0x10", "1_000", "1e400", "e", ".", "-", "1e",
  ])
  func `what is no number is refused by its text`(text: String) throws {
    let error = #expect(throws: ReportedError.self) { try parseNumber(text) }
    #expect(error?.code == "not-a-number")
    #expect(error?.fault == .usage)
    #expect(error?.description.contains("\"\(text)\"") == true)
  }

  @Test(
    arguments: [
      ("300", 300), ("300m", 300), ("2km", 2_000), ("1.5mi", 2_414.016), ("1e3m", 1_000),
      ("0.5 km", 500), ("0", 0),
    ] as [(String, Double)])
  func `a distance takes a unit, and is in meters without`(text: String, meters: Double) throws {
    let distance = try parseDistance(text, option: "--within")
    // Miles are multiplied, so the last bit is not promised.
    #expect(abs(distance.meters - meters) <= 1e-9)
  }

  @Test(arguments: [
    ("5ft", "bad-distance"), ("-5km", "bad-distance"), ("5KM", "bad-distance"),
    ("km", "not-a-number"), ("", "not-a-number"), ("nan", "not-a-number"),
    ("inf", "not-a-number"), ("1,5km", "not-a-number"), ("1e400", "not-a-number"),
  ])
  func `what is no distance is refused by its text`(text: String, code: String) throws {
    let error = #expect(throws: ReportedError.self) {
      try parseDistance(text, option: "--within")
    }
    #expect(error?.code == code)
    #expect(error?.description.contains("--within") == true)
    #expect(error?.description.contains(text.isEmpty ? "\"\"" : text) == true)
  }

  @Test(
    arguments: [
      ("1", 1), ("all", .max), ("010", 10), ("9223372036854775807", .max),
      ("99999999999999999999999", .max),
    ] as [(String, Int)])
  func `a limit is a count or all`(text: String, limit: Int) throws {
    #expect(try parseLimit(text) == limit)
  }

  @Test(
    arguments: [
      ("Z", 0), ("+09:00", 32_400), ("-11:00", -39_600), ("-0330", -12_600), ("+14", 50_400),
    ] as [(String, Int64)])
  func `a time of day with an offset is one of today at that offset, wherever the place is`(
    text: String, offset: Int64
  ) throws {
    // Two days, in which every clock passes midnight.
    for minute in stride(from: Int64(0), to: 2 * 1_440, by: 37) {
      let now = Instant(seconds: 1_795_900_000 + minute * 60)
      let local = now.seconds + offset
      let midnight = local - local % 86_400 - offset
      for (clock, seconds) in [
        ("00:00", 0), ("08:00", 28_800), ("23:59", 86_340), ("24:00", 86_400),
      ] {
        for place in [-11, 0, 9] {
          let instant = try parseInstant(
            clock + text, option: "--at", setting: HoursSetting { _ in place * 3_600 }, now: now)
          #expect(instant.seconds == midnight + Int64(seconds), "\(clock)\(text), \(minute)")
        }
      }
    }
  }

  @Test func `a time of day without an offset is one of today at the place`() throws {
    let now = Instant(seconds: 1_795_938_900)  // 2026-11-29T07:55Z
    for (hours, seconds) in [(-11, 1_795_891_500), (0, 1_795_938_300), (9, 1_795_905_900)] {
      let instant = try parseInstant(
        "07:45", option: "--at", setting: HoursSetting { _ in hours * 3_600 }, now: now)
      #expect(instant.seconds == Int64(seconds))
    }
  }

  @Test(arguments: ISOTimes.read)
  func `a time with a day and an offset is one instant, however it is written`(
    text: String, seconds: Double
  ) throws {
    let instant = try parseInstant(text, option: "--at", setting: HoursSetting(), now: 0)
    #expect(instant.milliseconds == Int64(seconds * 1_000))
  }

  @Test(arguments: ISOTimes.refused)
  func `what is no time is refused by its text`(text: String) {
    let error = #expect(throws: ReportedError.self) {
      try parseInstant(text, option: "--at", setting: HoursSetting(), now: 0)
    }
    #expect(error?.code == "bad-time")
    #expect(error?.description.contains("--at \"\(text)\"") == true)
  }

  @Test(arguments: ["0", "-1", "1.5", "abc", "", "1e3", "00000000000000000000000"])
  func `a limit below one is refused`(text: String) throws {
    #expect(throws: ReportedError.self) { try parseLimit(text) }
  }

  @Test func `a box is west, south, east, north`() throws {
    let box = try parseBox("170, -20,-170,-10")
    #expect((box.west, box.south, box.east, box.north) == (170, -20, -170, -10))
    #expect(box.crossesAntimeridian)
    for (text, code) in [
      ("1,2,3", "bad-bbox"), ("1,2,3,4,5", "bad-bbox"), ("1,5,2,4", "bbox-order"),
      ("1,2,3,", "not-a-number"), ("1,2,3,91", "lat-range"), ("181,2,3,4", "lon-range"),
    ] {
      let error = #expect(throws: ReportedError.self) { try parseBox(text) }
      #expect(error?.code == code, "\(text)")
    }
  }

  @Test func `the address of a server has a host, and nothing behind its path`() throws {
    for (text, address) in [
      ("https://example.org/", "https://example.org"),
      ("HTTPS://Example.org/maps//", "https://Example.org/maps"),
      ("http://[::1]:8080", "http://[::1]:8080"), ("http://[::1]", "http://[::1]"),
      ("http://localhost/가게", "http://localhost/%EA%B0%80%EA%B2%8C"),
      ("https://x:443/a:b%20c", "https://x:443/a:b%20c"),
    ] {
      #expect(try parseServerAddress(text, option: "--served-at") == address)
    }
    for text in [
      "http://", "http:///maps", "http://:80", "https://x/?a=b", "https://x?a", "https://x/#f",
      "https://x y", "https://x/\n", "https://x:99999", "https://x:0/maps", "https://x:port",
      "http://[::1]:99999", "http://x:+80", "http://x:80:90", "http://[::1]:80:90", "http://::1",
      "http://[::1", "https://x:", "https://anna@x", "https://anna:secret@x:80/maps", "example.org",
      "ftp://x", "://x", "",
    ] {
      let error = #expect(throws: ReportedError.self) {
        try parseServerAddress(text, option: "--served-at")
      }
      #expect(error?.code == "bad-address", "\(text)")
      let saysUser = error?.description.hasSuffix("; leave out the user and password")
      #expect(saysUser == text.contains("@"), "\(text)")
    }
    // An @ of a path is none of a user.
    let scoped = "https://x/@maps"
    #expect(try parseServerAddress(scoped, option: "--served-at") == scoped)
    // A signed address of an archive.
    let signed = "https://x/shops.pmtiles?key=1"
    #expect(try parseServerAddress(signed, option: "--served-at", takesQuery: true) == signed)
  }

  @Test func `the first option given without the one it says more about is refused`() throws {
    try refuse([:], without: "--fences")
    try refuse(["--radius": false, "--dwell": false], without: "--fences")
    let error = #expect(throws: ReportedError.self) {
      try refuse(["--radius": false, "--dwell": true, "--policy": true], without: "--fences")
    }
    #expect(error?.code == "missing-fences")
    #expect(error?.description.contains("--dwell says more about --fences; give that too") == true)
  }

  @Test func `names like a missing one are those few edits away`() {
    func edits(_ left: String, _ right: String) -> Int {
      SimilarNames.edits(from: Array(left.utf8), to: Array(right.utf8))
    }
    #expect(edits("shop.csv", "shops.csv") == 1)
    #expect(edits("SHOPS.csv", "shops.csv") == 0)
    #expect(edits("", "abc") == 3)
    #expect(edits("kitten", "sitting") == 3)
  }
}
