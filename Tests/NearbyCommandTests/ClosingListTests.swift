import Foundation
import NearbyTestSupport
import Testing

/// `nearby hours --next-closing` and `--alarm`, over files, stores and favorites.
@Suite struct ClosingListTests {
  private static let marts = """
    id,name,lat,lon,opening_hours
    3,Sundays,37.57,126.97,Mo-Sa 10:00-23:00
    1,Second Sundays,37.571,126.971,"10:00-23:00; Su[2,4] off"
    2,Never,37.572,126.972,24/7
    4,Silent,37.573,126.973,
    5,Perhaps,37.574,126.974,"10:00-23:00; Mo unknown; Dec 1 off"
    6,Today,37.575,126.975,"Mo 10:00-20:00"
    7,Once,37.576,126.976,"10:00-23:00; 2027 Mar 2 off"

    """
  // A Thursday.
  private static let at = ["--at", "2026-11-26T21:00", "--tz", "Asia/Seoul"]

  private func folder() throws -> Folder {
    let folder = try Folder()
    try folder.write(Self.marts, to: "marts.csv")
    return folder
  }

  @Test func `each place has one row, the soonest first, and today counts`() throws {
    let outcome = try Program.run(["hours", "--next-closing", "marts.csv"] + Self.at, in: folder())
    #expect(
      outcome.lines == [
        "Today: closed Th 2026-11-26", "Sundays: closed Su 2026-11-29",
        "Perhaps: closed Tu 2026-12-01; whether it is closed on Mo 2026-11-30 is not known",
        "Second Sundays: closed Su 2026-12-13", "Once: closed Tu 2027-03-02",
      ])
    #expect(outcome.errors == "1 other may be closed: its hours do not say\n")
    #expect(outcome.status == 0)
  }

  @Test func `the next closing day is the first on which --closed lists the place`() throws {
    let folder = try folder()
    let days = 40
    let json = try Program.run(
      ["hours", "--next-closing", "--days", "\(days)", "marts.csv", "--json"] + Self.at, in: folder
    ).json
    let rows = try #require(json["closed"] as? [[String: Any]])
    var next: [String: String] = [:]
    for row in rows { next[row["id"] as? String ?? ""] = (row["days"] as? [String])?.joined() }
    #expect(rows.first { $0["id"] as? String == "5" }?["unsaid"] as? String == "2026-11-30")
    var expected: [String: String] = [:]
    let start = Date(timeIntervalSince1970: 1_795_651_200)  // 2026-11-26
    for day in 0..<days {
      let date = start.addingTimeInterval(Double(day) * 86_400).formatted(
        .iso8601.year().month().day())
      let outcome = try Program.run(
        ["hours", "--closed", date, "marts.csv", "--json"] + Self.at, in: folder)
      for place in try outcome.json["closed"] as? [[String: Any]] ?? [] {
        guard let id = place["id"] as? String, expected[id] == nil else { continue }
        expected[id] = date
      }
    }
    #expect(next == expected)
    #expect(expected.count == 4)
  }

  @Test func `stores and their favorites are told about`() throws {
    let folder = try folder()
    let made = try Program.run(["import", "marts.csv", "--store", "s.gpkg"], in: folder)
    #expect(made.status == 0)
    for id in ["1", "3"] {
      let marked = try Program.run(["favorite", "add", id, "--store", "s.gpkg"], in: folder)
      #expect(marked.status == 0, "\(marked.errors)")
    }
    func ids(_ arguments: String...) throws -> [String] {
      let outcome = try Program.run(
        ["hours", "--next-closing", "--json"] + arguments + Self.at, in: folder)
      return (try outcome.json["closed"] as? [[String: Any]] ?? []).compactMap {
        $0["id"] as? String
      }
    }
    let all = ["6", "3", "5", "1", "7"]
    #expect(try ids("marts.csv") == all)
    #expect(try ids("--store", "s.gpkg") == all)
    #expect(try ids("s.gpkg") == all)
    #expect(try ids("--store", "s.gpkg", "--favorites") == ["3", "1"])
    #expect(try ids("s.gpkg", "--favorites") == ["3", "1"])
    #expect(try ids("marts.csv", "--store", "s.gpkg", "--favorites") == ["3", "1"])
  }

  @Test func `a calendar may remind of closed days`() throws {
    func triggers(_ alarm: String...) throws -> Set<Substring> {
      let outcome = try Program.run(
        ["hours", "--next-closing", "marts.csv", "--format", "ics"] + alarm + Self.at, in: folder())
      let lines = outcome.text.split(separator: "\r\n")
      #expect(lines.count { $0 == "BEGIN:VEVENT" } == 5)
      #expect(lines.count { $0 == "BEGIN:VALARM" } == (alarm.isEmpty ? 0 : 5))
      return Set(lines.filter { $0.hasPrefix("TRIGGER") })
    }
    #expect(try triggers() == [])
    #expect(try triggers("--alarm", "13h") == ["TRIGGER:-PT13H"])
    #expect(try triggers("--alarm", "1d90m") == ["TRIGGER:-P1DT1H30M"])
    #expect(try triggers("--alarm", "2d") == ["TRIGGER:-P2D"])
    #expect(try triggers("--alarm", "1h5s") == ["TRIGGER:-PT1H0M5S"])
    #expect(try triggers("--alarm", "0s") == ["TRIGGER:-PT0S"])
    for (arguments, code) in [
      (["--alarm", "13h"], "bad-alarm"), (["--alarm", "soon", "--format", "ics"], "bad-duration"),
      (["--closed", "today"], "bad-closing"),
    ] {
      let outcome = try Program.run(
        ["hours", "--next-closing", "marts.csv"] + arguments, in: folder())
      #expect(outcome.status == 64)
      #expect(outcome.errors.hasPrefix("error: \(code): "))
    }
  }

  @Test func `closing days in a column of their own count beside hours that are not understood`()
    throws
  {
    let folder = try Folder()
    try folder.write(
      """
      name,lat,lon,영업시간,휴무일,주소
      A,37.5,127,전화문의,월요일,"서울시 중구 1, 2층"
      B,37.5,127,10:00~20:00 (15:00~17:00),월요일,

      """, to: "h.csv")
    let monday = try Program.run(["hours", "h.csv", "--closed", "2026-12-14"], in: folder)
    #expect(monday.lines == ["A: closed Mo 2026-12-14", "B: closed Mo 2026-12-14"])
    #expect(monday.errors == "")
    let calendar = try Program.run(
      ["hours", "h.csv", "--closed", "2026-12-14", "--format", "ics"], in: folder)
    let lines = calendar.text.split(separator: "\r\n")
    #expect(lines.contains("DESCRIPTION:전화문의\\; closed: 월요일"), "\(calendar.text)")
    #expect(lines.filter { $0.hasPrefix("LOCATION") } == ["LOCATION:서울시 중구 1\\, 2층"])
    let tuesday = try Program.run(["hours", "h.csv", "--at", "2026-12-15T12:00"], in: folder)
    #expect(tuesday.lines == ["A: hours unknown (전화문의)", "B: hours unknown (15:00~17:00)"])
  }
}
