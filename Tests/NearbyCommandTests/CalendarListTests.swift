import Foundation
import NearbyTestSupport
import Testing

/// `--on` with a month or a run of days, as JSON and as a calendar, and a day's showings by film.
@Suite struct CalendarListTests {
  private static let deals = """
    id,name,lat,lon,dates
    a,Fifth,34.70,135.50,05
    b,Mondays,34.70,135.51,"月曜日, !2026-12-14"

    """
  // Without dates, an empty cell of sessions would say that nothing is on.
  private static let cinemas = """
    id,name,lat,lon,sessions
    c,씨네큐브,37.57,126.97,2026-12-05 14:00 하얼빈; 2026-12-05 19:00 하얼빈; 2026-12-06 09:00 가타카
    d,필름포럼,37.56,126.94,2026-12-05 10:30-12:40 가타카; 2026-12-05 14:00 하얼빈

    """

  private func run(_ arguments: String...) throws -> Program.Outcome {
    let folder = try Folder()
    try folder.write(Self.deals, to: "deals.csv")
    try folder.write(Self.cinemas, to: "cinemas.csv")
    return try Program.run(
      arguments + ["deals.csv", "cinemas.csv"], environment: ["TZ": "Asia/Seoul"], in: folder)
  }

  private func calendar(_ json: [String: Any]) -> [String: [String]] {
    var days: [String: [String]] = [:]
    for entry in json["calendar"] as? [[String: Any]] ?? [] {
      days[entry["day"] as? String ?? ""] = entry["ids"] as? [String]
    }
    return days
  }

  @Test func `a month says which hold on each of its days`() throws {
    let json = try run("list", "--on", "2026-12", "--json").json
    #expect(
      calendar(json) == [
        "2026-12-05": ["a", "c", "d"], "2026-12-06": ["c"], "2026-12-07": ["b"],
        "2026-12-21": ["b"], "2026-12-28": ["b"],
      ])
    let results = json["results"] as? [[String: Any]] ?? []
    #expect(results.map { $0["id"] as? String } == ["a", "b", "c", "d"])
    #expect(results.first?["days"] as? [String] == ["2026-12-05"])
    #expect((json["query"] as? [String: Any])?["on"] as? String == "2026-12-01/2026-12-31")
  }

  @Test func `a run of days has its ends, and leaves out what holds on none`() throws {
    let json = try run("list", "--on", "2026-12-06/2026-12-07", "--json").json
    #expect(calendar(json) == ["2026-12-06": ["c"], "2026-12-07": ["b"]])
    #expect(
      try run("list", "--on", "2026-12-06/2026-12-07", "--format", "ids").lines == ["b", "c"])
    #expect(
      try run(
        "find", "--lat", "37.57", "--lon", "126.97", "-k", "all", "--on", "2026-12", "--format",
        "ids"
      )
      .lines == ["c", "d", "a", "b"])
  }

  @Test func `the showings of a day come film by film`() throws {
    let json = try run("list", "--on", "2026-12-05", "--json").json
    #expect(json["calendar"] == nil)
    let titles = json["titles"] as? [[String: Any]] ?? []
    #expect(titles.map { $0["title"] as? String } == ["가타카", "하얼빈"])
    let showings = titles.map { title in
      (title["sessions"] as? [[String: Any]] ?? []).map {
        "\($0["id"] as? String ?? "") \($0["start"] as? String ?? "")"
      }
    }
    #expect(
      showings == [
        ["d 2026-12-05T10:30"], ["c 2026-12-05T14:00", "d 2026-12-05T14:00", "c 2026-12-05T19:00"],
      ])
  }

  @Test func `the sessions of a month come day by day, and film by film`() throws {
    let json = try run("list", "--on", "2026-12", "--json").json
    func starts(_ object: [String: Any]) -> [String] {
      (object["sessions"] as? [[String: Any]] ?? []).map { $0["start"] as? String ?? "" }
    }
    let results = json["results"] as? [[String: Any]] ?? []
    #expect(
      results.map(starts) == [
        [], [], ["2026-12-05T14:00", "2026-12-05T19:00", "2026-12-06T09:00"],
        ["2026-12-05T10:30", "2026-12-05T14:00"],
      ])
    let titles = json["titles"] as? [[String: Any]] ?? []
    #expect(titles.map { $0["title"] as? String } == ["가타카", "하얼빈"])
    #expect(titles.first.map(starts) == ["2026-12-05T10:30", "2026-12-06T09:00"])
  }

  @Test func `a table of several days has the sessions of the first, and how many follow`() throws {
    let lines = try run("list", "--on", "2026-12-05/2026-12-06", "--no-map").lines
    #expect(
      lines.contains { $0.hasSuffix("2026-12-05 14:00 하얼빈 · 19:00 하얼빈 · 1 more") }, "\(lines)")
    #expect(lines.last?.hasSuffix("2026-12-05 10:30–12:40 가타카 · 14:00 하얼빈") == true, "\(lines)")
  }

  @Test func `a calendar has an event for each day or session, named alike whatever was asked`()
    throws
  {
    func uids(_ days: String) throws -> [String] {
      let outcome = try run("list", "--on", days, "--format", "ics")
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.text.split(separator: "\r\n").filter { $0.hasPrefix("UID:") }.map(String.init)
    }
    let month = try uids("2026-12")
    #expect(
      month.map(Self.withoutDigest) == [
        "UID:on-20261205-a", "UID:on-20261207-b", "UID:on-20261221-b",
        "UID:on-20261228-b", "UID:session-20261205T140000-c",
        "UID:session-20261205T190000-c", "UID:session-20261206T090000-c",
        "UID:session-20261205T103000-d", "UID:session-20261205T140000-d",
      ])
    #expect(Set(try uids("2026-12-05")).isSubset(of: month))
    #expect(Set(try uids("2026-12-20/2026-12-28")) == Set(month[2...3]))
  }

  private static func withoutDigest(_ uid: String) -> String {
    String(uid.dropLast("-0123456789abcdef@nearby".count))
  }

  @Test func `annotations of several sources have UIDs of their own, whatever was asked`() throws {
    let folder = try Folder()
    let header = "id,name,lat,lon,dates\n"
    try folder.write(
      header + "1,Mart,37.5,127,2026-12-31\n1,Mart,37.6,127,2026-12-31\n", to: "marts.csv")
    try folder.write(header + "1,Library,37.5,127,2026-12-31\n", to: "libraries.csv")
    func uids(_ arguments: String...) throws -> [Substring] {
      let outcome = try Program.run(
        ["list", "--on", "2026-12-31", "--format", "ics"] + arguments, in: folder)
      return outcome.text.split(separator: "\r\n").filter { $0.hasPrefix("UID:") }
    }
    let all = try uids("marts.csv", "libraries.csv")
    #expect(all.count == 3 && Set(all).count == 3)
    let marts = try uids("marts.csv")
    #expect(try Set(marts + uids("libraries.csv")) == Set(all))
    #expect(try uids("marts.csv", "--where", "latitude > 37.55") == [marts[1]])
  }

  @Test func `the last day of the year 9999 has no end in a calendar`() throws {
    let outcome = try Program.run(
      ["hours", "Mo-Th 10:00-20:00", "--at", "9999-12-30T10:00", "--days", "2", "--format", "ics"],
      in: try Folder())
    let days = outcome.text.split(separator: "\r\n").filter { $0.contains("VALUE=DATE") }
    #expect(days == ["DTSTART;VALUE=DATE:99991231"], "\(outcome.errors)")
  }

  @Test func `days are asked for in the notations of columns`() throws {
    for (days, ids) in [
      ("2026.12.05", ["a", "c", "d"]), ("2026/12/7", ["b"]), ("2026年12月6日", ["c"]),
      ("2026-12-06~2026-12-07", ["b", "c"]), ("2026", ["a", "b", "c", "d"]),
      ("2026-12-06 ~ 2026-12-07", ["b", "c"]),
    ] {
      #expect(try run("list", "--on", days, "--format", "ids").lines == ids)
    }
    for days in ["2026-12-05T10:00", "2026.12.05 10", "2026-12-05T15:00Z", "~2026-12-07"] {
      #expect(try run("list", "--on", days).errors.hasPrefix("error: bad-date: "), "\(days)")
    }
  }

  @Test func `a late show and an early one at the same hour keep their names, whatever was asked`()
    throws
  {
    let folder = try Folder()
    try folder.write(
      """
      id,lat,lon,sessions
      1,37.57,126.97,2026-11-29 24:30 D; 2026-11-30 00:30 E

      """, to: "late.csv")
    func events(_ days: String) throws -> [String: String] {
      let text = try Program.run(
        ["list", "late.csv", "--on", days, "--format", "ics"], in: folder
      ).text
      func values(_ name: String) -> [String] {
        text.split(separator: "\r\n").filter { $0.hasPrefix(name) }.map {
          String($0.dropFirst(name.count))
        }
      }
      #expect(Set(values("DTSTART:")) == ["20261130T003000"])
      let uids = values("UID:").map(Self.withoutDigest)
      return Dictionary(zip(values("SUMMARY:"), uids)) { first, _ in first }
    }
    let month = [
      "D\\, 1": "session-20261129T243000-1", "E\\, 1": "session-20261130T003000-1",
    ]
    #expect(try events("2026-11") == month)
    for (day, title) in [("2026-11-29", "D\\, 1"), ("2026-11-30", "E\\, 1")] {
      #expect(try events(day) == [title: try #require(month[title])])
    }
  }

  @Test func `an event that ends when it starts has no end in a calendar`() throws {
    let folder = try Folder()
    try folder.write(
      "id,lat,lon,sessions\nz,37.5,127,2026-12-05 10:30-10:30 A; 2026-12-05 14:00-16:00 B\n",
      to: "s.csv")
    let outcome = try Program.run(
      ["list", "s.csv", "--on", "2026-12-05", "--format", "ics"], in: folder)
    let times = outcome.text.split(separator: "\r\n").filter {
      $0.hasPrefix("DTSTART") || $0.hasPrefix("DTEND")
    }
    #expect(
      times == ["DTSTART:20261205T103000", "DTSTART:20261205T140000", "DTEND:20261205T160000"])
  }

  @Test func `days that are none, or without end, are told`() throws {
    for (arguments, says) in [
      (["--on", "2026-13"], "error: bad-date: "),
      (
        ["--on", "2026-12-07/2026-12-06"],
        "error: bad-date: --on \"2026-12-07/2026-12-06\" ends before it begins"
      ),
      (
        ["--on", "2026-01-01/2036-01-02"],
        "error: bad-date: --on \"2026-01-01/2036-01-02\" has more than 3,653 days"
      ),
      (["--format", "ics"], "error: bad-format: --format ics needs a date"),
      (["--on", "all", "--format", "ics"], "error: bad-format: --on all has no last day"),
    ] {
      let folder = try Folder()
      try folder.write(Self.deals, to: "deals.csv")
      let outcome = try Program.run(["list"] + arguments + ["deals.csv"], in: folder)
      #expect(outcome.status == 64)
      #expect(outcome.errors.hasPrefix(says), "\(outcome.errors)")
    }
  }
}
