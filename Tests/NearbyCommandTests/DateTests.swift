import Foundation
import Testing

/// `--on`, as a person types it.
@Suite struct DateTests {
  private static let places = """
    id,name,kind,lat,lon,dates,sessions
    1,씨네큐브,cinema,37.501,127,,2026-11-22 10:30-12:40 어쩔수가없다; 2026-11-22 25:10 심야; 2026-11-23 19:00 하얼빈
    2,에무시네마,cinema,37.502,127,,2026-11-23 14:00 하얼빈
    3,라이카시네마,cinema,37.503,127,,
    4,필름포럼,cinema,37.504,127,,soon
    5,Deal,deal,37.505,127,"22, 月曜日, !2026-11-30",
    6,Always,deal,37.506,127,,

    """
  private static let deals = """
    id,name,lat,lon,dates
    1,A,37.501,127,22
    2,B,37.502,127,2026-11-23
    3,C,37.503,127,

    """

  private func run(
    _ arguments: [String], _ text: String = places
  ) throws -> Program.Outcome {
    let folder = try Folder()
    try folder.write(text, to: "s.csv")
    return try Program.run(arguments + ["s.csv"], in: folder)
  }

  private static let here = ["--lat", "37.5", "--lon", "127"]

  @Test(arguments: [
    ("2026-11-22", ["1", "4"]), ("20261123", ["1", "2", "4"]), ("2026-11-24", ["4"]),
  ])
  func `the nearest cinemas are those with sessions on the day, or that may have some`(
    day: String, ids: [String]
  ) throws {
    let question = ["--kind", "cinema", "-k", "3", "--on", day, "--format", "ids"]
    #expect(try run(Self.here + question).lines == ids)
    #expect(
      try run(["bbox", "126,37,128,38", "--kind", "cinema", "--on", day, "--format", "ids"]).lines
        == ids)
    #expect(
      try run(["bbox", "126,37,128,38", "--kind", "cinema", "--on", day, "--count"]).lines
        == ["\(ids.count)"])
  }

  @Test func `what may be on is told of with a count, too`() throws {
    let remark =
      "1 of these has days or times that were not understood, and may not be valid then: \"soon\"\n"
    let question = ["--kind", "cinema", "--on", "2026-11-22"]
    for command in [["list"], ["bbox", "126,37,128,38"]] {
      let ids = try run(command + question + ["--format", "ids"])
      #expect((ids.lines, ids.errors) == (["1", "4"], remark))
      let count = try run(command + question + ["--count"])
      #expect((count.text, count.errors) == ("2\n", remark))
      #expect(try run(command + question + ["--count", "-q"]).errors.isEmpty)
    }
  }

  @Test(arguments: ["2026-11-22", "2026-11-22/2026-11-23"])
  func `what may be on is told from what is certain in the list and in JSON`(days: String) throws {
    let question = ["list", "--kind", "cinema", "--on", days]
    let list = try run(question + ["--no-map"]).lines
    #expect(list[0].contains("Days"))
    #expect(list[1...].map { $0.contains("unknown") }.last == true)
    #expect(list.filter { $0.contains("unknown") }.count == 1)
    for format in ["jsonl", "geojsonseq"] {
      let states = try run(question + ["--format", format]).lines.map {
        $0.contains(#""onState":"unknown""#)
      }
      #expect(states.last == true && states.count { $0 } == 1, "\(format)")
    }
    let certain = try run(["list", "--where", "id = 1", "--on", days, "--format", "json"])
    #expect(!certain.text.contains("onState"))
  }

  @Test(arguments: [
    ("2026-11-28", ""), ("2026-11", ""), ("2026-12-06", "not be valid"),
    ("2026-12-01/2026-12-31", "have more days or sessions"),
  ])
  func `what is certain on the days asked for is not called uncertain`(
    days: String, may: String
  ) throws {
    let outcome = try run(
      ["list", "--on", days, "--count"],
      """
      id,lat,lon,valid_from,valid_until
      1,37.5,127,2026-11-01,2026-12-05T15:00:00Z

      """)
    #expect(outcome.text == "1\n")
    #expect(
      outcome.errors
        == (may.isEmpty
          ? ""
          : "1 of these has days or times that were not understood, and may \(may) then: "
            + "\"2026-12-05T15:00:00Z\"\n"))
  }

  @Test(arguments: [
    ("募集締切", "2020-05-30", true), ("終了日", "2020-05-30", false), ("有効期限", "", false),
  ])
  func `a source without a known column of days says that all are valid`(
    column: String, value: String, isTold: Bool
  ) throws {
    let outcome = try run(
      ["list", "--on", "2020-05-17"], "id,lat,lon,\(column)\n1,37.5,127,\(value)\n")
    let note = "note: no column is known to hold days or sessions, so all are valid then"
    #expect(outcome.status == 0 && outcome.errors.contains(note) == isTold, "\(outcome.errors)")
  }

  @Test(arguments: [
    ("영업", "10:00-20:00", [], true), ("영업", "10:00-20:00", ["--hours-field", "영업"], false),
    ("hours", "", [], false), ("관람소요시간", "", [], true), ("평일운영시작시각", "", [], false),
    ("정기휴무일", "월요일", [], false), ("영업", "x", ["--hours-unknown", "hide"], true),
  ])
  func `a source without a known column of hours says that they are unknown`(
    column: String, value: String, options: [String], isTold: Bool
  ) throws {
    let outcome = try run(
      ["list", "--open=2020-05-17T12:00"] + options, "id,lat,lon,\(column)\n1,37.5,127,\(value)\n")
    let note = "note: no column is known to hold opening hours, so they are unknown"
    #expect(outcome.status == 0 && outcome.errors.contains(note) == isTold, "\(outcome.errors)")
    #expect(!outcome.errors.contains("midnight"))
  }

  @Test func `a day is told to be its midnight where hours are asked for`() throws {
    let outcome = try run(
      ["list", "--open=2020-05-17"], "id,lat,lon,hours\n1,37.5,127,Mo-Su 00:00-01:00\n")
    #expect(outcome.text.contains("open until 01:00"))
    #expect(
      outcome.errors
        == "note: --open 2020-05-17 asks about its midnight, 00:00; write 2020-05-17T12:00 for noon\n"
    )
  }

  @Test func `a check says which run of days ends before it begins`() throws {
    for (columns, row, says) in [
      ("start_date,end_date", "2022-07-16,2022.05.30", "the last day is before the first"),
      ("dates,name", "2022-05-30 through 2022-07-16,a", "is not a day, a rule or a session"),
      ("start_date,end_date", "5/16/2020,5/18/2020", "the year last are not read; write them as"),
      ("start_date,name", "5/16/2020T19:00,a", "the year last are not read; write them as"),
      ("start_date,name", "5/16/2020(Sat),a", "the year last are not read; write them as"),
    ] {
      let table = "id,lat,lon,\(columns)\n1,37.5,127,\(row)\n"
      let text = try run(["check"], table).text
      #expect(text.contains(says), "\(text)")
      guard says.contains("the year last") else { continue }
      #expect(try run(["list", "--on", "2020-05-17", "--count"], table).errors.contains(says))
    }
  }

  @Test func `the table lists the day's sessions, a late show on its business day`() throws {
    let outcome = try run(
      Self.here + ["--kind", "cinema", "-k", "1", "--on", "2026-11-22", "--no-map"])
    #expect(outcome.lines[0].contains("on 2026-11-22"))
    #expect(outcome.lines[1].contains("10:30–12:40 어쩔수가없다 · 25:10"))
  }

  @Test func `JSON has the sessions with their instants on the clock`() throws {
    let outcome = try run(
      Self.here + ["--kind", "cinema", "-k", "1", "--on", "2026-11-22", "--format", "json"])
    let text = outcome.text
    #expect(text.contains("\"on\":\"2026-11-22\"") || text.contains("\"on\": \"2026-11-22\""))
    #expect(text.contains("2026-11-23T01:10") && text.contains("2026-11-22T10:30"))
  }

  @Test func `deals hold on the days that they name, and without any always`() throws {
    func ids(_ day: String) throws -> [String] {
      try run(Self.here + ["--on", day, "--format", "ids"], Self.deals).lines
    }
    #expect(try ids("2026-11-22") == ["1", "3"])
    #expect(try ids("2026-11-23") == ["2", "3"])
    #expect(try ids("all") == ["1", "2", "3"])
    #expect(try ids("2026-12-22") == ["1", "3"])
  }

  @Test(arguments: ["s.csv", "s.geojson", "s.nbx", "s.gpkg"])
  func `a last day without a first one is enough, and the other way round, in every format`(
    file: String
  ) throws {
    let folder = try Folder()
    try folder.write(
      """
      id,lat,lon,valid_from,valid_until,start_date,end_date
      1,37.5,127,,2020-01-01,,
      2,37.5,127,2027-01-01,,,
      3,37.5,127,,,,2020-01-01
      4,37.5,127,,,2027-01-01,
      5,37.5,127,,,2020-01-01,
      6,37.5,127,,,,2027-01-01
      7,37.5,127,2020-01-01,,,
      8,37.5,127,,2027-01-01,,

      """, to: "s.csv")
    if file == "s.nbx" {
      _ = try Program.run(["index", "build", "s.csv", "-o", file], in: folder)
    } else if file != "s.csv" {
      _ = try Program.run(["convert", "s.csv", "-o", file], in: folder)
    }
    let outcome = try Program.run(
      ["list", file, "--on", "2026-11-25", "--format", "ids"], in: folder)
    #expect(outcome.lines == ["5", "6", "7", "8"], "\(outcome.errors)")
  }

  @Test(arguments: ["s.csv", "s.geojson", "s.nbx", "s.gpkg"])
  func `a last day that cannot be read may not be claimed, in every format`(file: String) throws {
    let folder = try Folder()
    try folder.write(
      """
      id,lat,lon,valid_from,valid_until
      1,37.5,127,2026-01-01,until sold out
      2,37.5,127,2026-01-01,-

      """, to: "s.csv")
    if file == "s.nbx" {
      _ = try Program.run(["index", "build", "s.csv", "-o", file], in: folder)
    } else if file != "s.csv" {
      _ = try Program.run(["convert", "s.csv", "-o", file], in: folder)
    }
    func listed(_ day: String) throws -> Program.Outcome {
      try Program.run(["list", file, "--on", day, "--format", "ids"], in: folder)
    }
    let outcome = try listed("2030-01-01")
    #expect(outcome.lines == ["1", "2"])
    #expect(
      outcome.errors.contains("1 of these has days or times that were not understood")
        && outcome.errors.contains("until sold out"), "\(outcome.errors)")
    #expect(try listed("2025-01-01").lines.isEmpty)
  }

  @Test(arguments: [
    "list s.csv --on today --json",
    "bbox 126,37,128,38 s.csv --on tomorrow --format ids",
    "convert s.csv --on today --format csv",
    "cluster --bbox 126,37,128,38 --zoom 22 s.csv --segment today",
    "cluster diff --from-view 126,37,128,38,22 --to-view 126,37,128,38,22 --segment today s.csv",
  ])
  func `today is the date where most of the source is, wherever the program runs`(
    command: String
  ) throws {
    let folder = try Folder()
    let rows = (-2...2).map { day in
      let date = Date(timeIntervalSinceNow: Double(day) * 86_400)
      return "\(day),37.5,127,\(date.formatted(.iso8601.year().month().day()))\n"
    }
    try folder.write("id,lat,lon,dates\n" + rows.joined(), to: "s.csv")
    // In one of these places it is never the day that it is in Seoul.
    let answers = try ["Pacific/Kiritimati", "Etc/GMT+12", "Asia/Seoul"].map { zone in
      let outcome = try Program.run(
        command.split(separator: " ").map(String.init), environment: ["TZ": zone], in: folder)
      #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(outcome.errors)")
      return outcome.text
    }
    #expect(Set(answers).count == 1)
  }

  @Test func `what was not understood is said`() throws {
    let outcome = try run(Self.here + ["--kind", "cinema", "--on", "2026-11-24"])
    #expect(outcome.errors.contains("not understood") && outcome.errors.contains("soon"))
  }

  @Test(arguments: ["2026-02-30", "tomorow", "", "20261301", "11-22"])
  func `a day that is none is refused with what to write`(day: String) throws {
    let outcome = try run(Self.here + ["--on", day])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("bad-date") && outcome.errors.contains("2026-11-22"))
  }
}
