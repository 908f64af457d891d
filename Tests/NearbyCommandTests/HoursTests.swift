import AnnotationSources
import Foundation
import NearbyTestSupport
import Testing

@Suite struct HoursTests {
  private static let shops = """
    id,name,kind,lat,lon,opening_hours
    1,Early,mart,37.5700,126.9700,Mo-Fr 06:00-10:00
    2,Second Sundays,mart,37.5710,126.9710,"10:00-23:00; Su[2,4] off"
    3,Night,bar,37.5720,126.9720,22:00-04:00
    4,Always,mart,37.5730,126.9730,24/7
    5,Silent,mart,37.5740,126.9740,
    6,한국마트,mart,37.5750,126.9750,10:00~23:00 매월 둘째·넷째 일요일 휴무
    7,"Odd; name, \\x",mart,37.5760,126.9760,Su off

    """
  private static let here = ["--lat", "37.57", "--lon", "126.97"]

  private func run(_ arguments: [String], input: String = "") throws -> Program.Outcome {
    let folder = try Folder()
    _ = try folder.write(Array(Self.shops.utf8), to: "shops.csv")
    return try Program.run(
      arguments, input: Array(input.utf8), environment: ["TZ": "Asia/Seoul"], in: folder)
  }

  private func names(_ outcome: Program.Outcome, _ member: String = "results") throws -> [String] {
    (try outcome.json[member] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
  }

  @Test(arguments: [
    ("Mo 10:00 \"평일\"", false), ("Mo 10:00 \"\u{301}평일\"", false),
    ("Mo \u{600}\"평일\u{301}\"", false),
    ("월 10:00", true), ("Mo \"x\u{301}\" 월", true), ("\"x\"\u{301} 월", true),
  ])
  func `a language in comments alone is not that of the hours`(text: String, isWritten: Bool) {
    #expect(HoursPage.isWritten(text) == isWritten)
  }

  @Test func `what is closed makes room for what is open`() throws {
    // The fourth Sunday of November.
    let sunday = try run(
      Self.here + ["-k", "3", "--open=2026-11-22T12:00", "shops.csv", "--json"])
    #expect(try names(sunday) == ["Always", "Silent"])
    #expect(try sunday.json["validUntil"] as? String == "2026-11-22T22:00+09:00")
    let monday = try run(
      Self.here + [
        "-k", "3", "--open=2026-11-23T12:00+09:00", "--hours-unknown", "hide", "shops.csv",
        "--json",
      ])
    #expect(try names(monday) == ["Second Sundays", "Always", "한국마트"])
    let first = try (monday.json["results"] as? [[String: Any]])?.first
    #expect(first?["openState"] as? String == "open")
    #expect(first?["nextChange"] as? String == "2026-11-23T23:00+09:00")
  }

  @Test(arguments: [
    ("Su 02:15-02:45", "closed"), ("Su 01:30-02:45", "01:30-03:00"),
    ("Su 02:30-04:00", "03:00-04:00"), ("24/7", "00:00-24:00"),
  ])
  func `a day lists no times that its clocks skip`(hours: String, said: String) throws {
    // Clocks in New York go from 02:00 to 03:00.
    let outcome = try run([
      "hours", hours, "--at", "2026-03-08T00:00", "--tz", "America/New_York", "--days", "1",
    ])
    #expect(outcome.lines.last == "Su 2026-03-08  \(said)")
  }

  @Test func `a table says until when`() throws {
    let outcome = try run(
      Self.here + ["-k", "2", "--open=2026-11-23T12:00", "shops.csv", "--no-map", "--fields", ""])
    #expect(
      outcome.lines.map { $0.replacing(#/ +/#, with: " ") }.suffix(2) == [
        "2 Always mart 426 m ↗ open", "valid until 22:00",
      ])
    #expect(outcome.text.contains("open until 23:00"))
  }

  @Test func `who arrives late is told what opens when`() throws {
    let outcome = try run(
      Self.here + [
        "-k", "1", "--open=arrival", "--depart", "2026-11-23T09:55", "--stay", "20m", "--travel",
        "walk", "--detour", "1", "--hours-unknown", "hide", "shops.csv", "--json",
      ])
    #expect(try names(outcome) == ["Always"])
    #expect(try names(outcome, "passedOver") == ["Early"])
    let passed = try (outcome.json["passedOver"] as? [[String: Any]])?.first
    // Open for five minutes more, which is too short.
    #expect(passed?["openState"] as? String == "open")
    #expect(passed?["opensAt"] as? String == "2026-11-24T06:00+09:00")
  }

  @Test(arguments: [
    (["-k", "1", "--kind", "mart"], "nearer, but not open on arrival:", ["Early"]),
    (
      ["-k", "all", "--kind", "bar", "--kind", "mart"], "not open on arrival:", ["Early", "Night"]
    ),
    (["-k", "1", "--kind", "bar"], "not open on arrival:", ["Night"]),
  ])
  func `what is not open on arrival is called nearer only where it is`(
    arguments: [String], heading: String, names: [String]
  ) throws {
    let outcome = try run(
      Self.here + arguments + [
        "--open=arrival", "--depart", "2026-11-23T10:30", "--travel", "walk", "--hours-unknown",
        "hide", "--no-map", "shops.csv",
      ])
    let lines = outcome.lines.map { String($0) }
    let place = try #require(lines.firstIndex(of: heading), "\(lines)")
    let told = lines[(place + 1)...].prefix { $0.hasPrefix("  ") }
    #expect(told.count >= names.count)
    for name in names { #expect(told.contains { $0.hasPrefix("  \(name), ") }, "\(lines)") }
  }

  @Test func `boxes, areas and maps ask for hours, too`() throws {
    let box = ["bbox", "126,37,128,38", "shops.csv", "--open=2026-11-22T12:00"]
    #expect(try run(box + ["--count"]).text == "2\n")
    #expect(try run(box + ["--format", "ids"]).lines == ["4", "5"])
    let geojson = try run(box + ["--format", "geojson"]).json
    #expect(geojson["validUntil"] as? String == "2026-11-22T22:00+09:00")
    let features = geojson["features"] as? [[String: Any]] ?? []
    let states = features.compactMap {
      ($0["properties"] as? [String: Any])?["openState"] as? String
    }
    #expect(states == ["open", "unknown"])
  }

  @Test(arguments: [
    "list shops.csv --open=2026-11-22T12:00 --json",
    "bbox 126,37,128,38 shops.csv --open=2026-11-22T12:00 --json",
    "bbox --boxes boxes.csv shops.csv --open=2026-11-22T12:00 --hours-unknown hide",
    "within area.geojson shops.csv --open=2026-11-22T12:00 --json",
    "convert shops.csv --open=2026-11-22T12:00 --format csv",
    "cluster --bbox 126,37,128,38 --zoom 22 shops.csv --open=2026-11-22T12:00",
    "join shops.csv shops.csv -k 2 --open=2026-11-22T12:00",
    "join shops.csv shops.csv -k 2 --open=arrival --depart 2026-11-22T12:00 --hours-unknown hide",
    "hours shops.csv --at 2026-11-22T12:00",
  ])
  func `a time without an offset is that of the source, wherever the program runs`(
    command: String
  ) throws {
    let folder = try Folder()
    try folder.write(Self.shops, to: "shops.csv")
    try folder.write("west,south,east,north\n126,37,128,38\n", to: "boxes.csv")
    try folder.write(
      #"{"type":"Polygon","coordinates":[[[126,37],[128,37],[128,38],[126,38],[126,37]]]}"#,
      to: "area.geojson")
    func answer(_ zone: String) throws -> String {
      let outcome = try Program.run(
        command.split(separator: " ").map(String.init), environment: ["TZ": zone], in: folder)
      #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(outcome.errors)")
      return outcome.text
    }
    #expect(try answer("UTC") == answer("Asia/Seoul"))
  }

  @Test(arguments: [
    "37.57,126.97 shops.csv --open=2026-11-22T12:00", "list shops.csv --open=2026-11-22T12:00",
    "list shops.csv --on today", "join shops.csv shops.csv -k 2 --open=2026-11-22T12:00",
    "48.85,2.35 shops.csv --open=2026-11-22T12:00", "48.85,2.35 shops.csv --on today",
    "37.57,126.97 paris.csv --open=2026-11-22T12:00+09:00", "list paris.csv --on today",
    "join shops.csv paris.csv -k 2 --open=now", "hours paris.csv",
  ])
  func `a machine's zone that is none is told of where it is needed`(command: String) throws {
    let folder = try Folder()
    try folder.write(Self.shops, to: "shops.csv")
    try folder.write("id,lat,lon,opening_hours\n1,48.85,2.35,24/7\n", to: "paris.csv")
    func answer(_ zone: String) throws -> Program.Outcome {
      try Program.run(
        command.split(separator: " ").map(String.init), environment: ["TZ": zone], in: folder)
    }
    let outcome = try answer("Nope/Zone")
    guard command.contains("paris.csv") || command.hasPrefix("48") else {
      let note = command.contains("--on") ? "note: no column is known to hold days" : ""
      #expect(outcome.status == 0 && outcome.errors.hasPrefix(note))
      #expect(outcome.errors.isEmpty == note.isEmpty)
      #expect(try outcome.text == answer("Asia/Seoul").text)
      return
    }
    #expect((outcome.status, outcome.text) == (64, ""))
    #expect(
      outcome.errors.hasPrefix(
        "error: zone-unknown: TZ names Nope/Zone, but there is no time zone"),
      "\(outcome.errors)")
  }

  @Test func `a time without an offset is that of most of the source, even around the sea`() throws
  {
    let folder = try Folder()
    try folder.write(
      """
      id,lat,lon,openingHours
      sapporo,43.06,141.35,13:30-14:30
      fukuoka,33.59,130.40,13:30-14:30
      paris,48.85,2.35,off

      """, to: "shops.csv")
    let shown = try Program.run(
      ["list", "shops.csv", "--open=14:00", "--hours-unknown", "hide", "--format", "ids"],
      environment: ["TZ": "UTC"], in: folder)
    #expect(shown.text == "fukuoka\nsapporo\n")
  }

  @Test func `a journey of a join begins by the clock of its left side`() throws {
    let folder = try Folder()
    try folder.write("id,lat,lon\nbusan,35.10,129.04\n", to: "left.csv")
    try folder.write(
      "id,lat,lon,openingHours\nbusan,35.10,129.04,09:00-10:00\nparis,48.85,2.35,off\nrome,41.9,12.5,off\n",
      to: "right.csv")
    let join = try Program.run(
      [
        "join", "left.csv", "right.csv", "-k", "1", "--open=arrival", "--depart",
        "2026-11-23T09:10", "--hours-unknown", "hide",
      ], environment: ["TZ": "UTC"], in: folder)
    #expect(join.lines == ["left_id,right_id,rank,distance", "busan,busan,1,0.0000"])
  }

  @Test func `joins, clusters and pages for a browser ask for hours, too`() throws {
    let monday = ["--open=2026-11-23T12:00", "--hours-unknown", "hide"]
    let sunday = ["--open=2026-11-22T12:00", "--hours-unknown", "hide"]
    func join(_ options: [String]) throws -> [String] {
      try run(
        ["join", "-", "shops.csv", "-k", "3"] + options, input: "id,lat,lon\na,37.57,126.97\n"
      ).lines.dropFirst().map { $0.split(separator: ",")[1] }.map(String.init)
    }
    #expect(try join([]) == ["1", "2", "3"])
    #expect(try join(monday) == ["2", "4", "6"])
    #expect(try join(sunday) == ["4"])
    // Whoever leaves at five to ten finds the first one closed on arrival.
    let leaving = [
      "--open=arrival", "--depart", "2026-11-23T09:55", "--stay", "20m", "--detour", "1",
      "--hours-unknown", "hide",
    ]
    #expect(try join(leaving).first == "4")

    func clustered(_ options: [String]) throws -> [String] {
      let view = ["cluster", "--bbox", "126,37,128,38", "--zoom", "22", "shops.csv"]
      let features = try run(view + options).json["features"] as? [[String: Any]] ?? []
      return features.compactMap { $0["id"] as? String }.sorted()
    }
    #expect(try clustered([]).count == 7)
    #expect(try clustered(sunday) == ["4"])

    func exported(_ options: [String]) throws -> String {
      try run(["export", "--html", "shops.csv"] + options).text
    }
    let page = try exported(sunday)
    #expect(page.contains("Always") && !page.contains("Second Sundays"))
    #expect(try exported([]).contains("Second Sundays"))
    for command in [["cluster", "--bbox", "126,37,128,38", "--zoom", "3"], ["export", "--html"]] {
      let refused = try run(command + ["shops.csv", "--open=arrival"])
      #expect(refused.status == 64 && refused.errors.contains("missing-position"))
    }
  }

  @Test func `pages and kinds hold until what would be on them opens`() throws {
    func end(_ options: [String]) throws -> String? {
      let answer = try run(
        Self.here
          + [
            "--open=2026-11-22T12:00", "--hours-unknown", "hide", "shops.csv", "--json", "-k", "1",
          ]
          + options
      ).json
      return answer["validUntil"] as? String
    }
    // "Always" is the first by name, whatever opens.
    #expect(try end(["--sort", "name"]) == nil)
    // By name downwards all others come before it.
    #expect(try end(["--sort", "name:desc"]) == "2026-11-22T22:00+09:00")
    #expect(try end(["--sort", "name:desc", "--kind", "mart"]) == "2026-11-23T06:00+09:00")
    // Nearer than it lie 1 and 2; the bar has a row of its own as soon as it opens.
    #expect(try end(["--kind", "mart", "--per-kind"]) == "2026-11-23T06:00+09:00")
    #expect(try end(["--per-kind"]) == "2026-11-22T22:00+09:00")
  }

  @Test func `the zone that is named says which day is today`() throws {
    func today(_ zone: String) throws -> String? {
      let answer = try run(Self.here + ["--on", "today", "--tz", zone, "shops.csv", "--json"]).json
      return (answer["query"] as? [String: Any])?["on"] as? String
    }
    func date(_ hours: Int) -> String {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = TimeZone(secondsFromGMT: hours * 3600)!
      let parts = calendar.dateComponents([.year, .month, .day], from: Date())
      return String(format: "%04d-%02d-%02d", parts.year!, parts.month!, parts.day!)
    }
    for hours in [-12, 0, 9, 14] {
      let zone = (hours < 0 ? "-" : "+") + String(format: "%02d:00", abs(hours))
      // A day may end while the program runs.
      let before = date(hours)
      let told = try today(zone)
      let after = date(hours)
      #expect(told == before || told == after, "\(zone)")
    }
    #expect(try today("-12:00") != today("+14:00"))
  }

  @Test func `a check names hours and dates that cannot be read`() throws {
    let rows = """
      id,name,lat,lon,opening_hours,dates
      1,good,37.5,127,Mo-Fr 09:00-18:00,2026-11-22
      2,nights,37.5,127.1,9:00-6:00,2026-11-23
      3,when,37.5,127.2,,someday
      4,nights too,37.5,127.3,9:00-6:00,
      5,in words,37.5,127.4,10:00~23:00 매월 둘째·넷째 일요일 휴무,

      """
    let report = try run(["check", "-", "--json"], input: rows).json
    let warnings = report["warnings"] as? [String: Int] ?? [:]
    #expect(warnings["hours-unread"] == 2 && warnings["dates-unread"] == 1)
    let text = try run(["check", "-"], input: rows).text
    #expect(text.contains("record 2: hours \"9:00-6:00\""))
    #expect(text.contains("record 3: \"someday\" is not a day"))
    let utc = try run(
      ["check", "-"], input: "id,lat,lon,valid_until\n1,37.5,127,2026-11-29T14:59:59Z\n"
    ).text
    #expect(
      utc.contains(
        ": the time is in UTC; write the local day; it may begin or end on the day before or after"),
      "\(utc)")
  }

  @Test(arguments: [
    ("RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;BYDAY=4TU;COUNT=34", "COUNT=34 takes more than 50000"),
    (
      "RRULE:FREQ=DAILY;BYMONTH=1,2,3,4,5,6,7,8,9;BYHOUR=10,11;COUNT=0",
      "COUNT holds \"0\"; write a number of 1 to 1000000000;"
    ),
    ("EXRULE:FREQ=DAILY", "the recurrence has \"EXRULE\", which is unknown"),
    ("RDATE;VALUE=PERIOD:20260101T100000/PT1H", "RDATE holds \"20260101T100000/PT1H\"; write"),
    ("RRULE:FREQ=DAILY;UNTIL=20260305T000000Z", "UNTIL is in UTC; write a time of the place;"),
  ])
  func `a check says why a recurrence is not read`(rule: String, mistake: String) throws {
    for text in ["DTSTART:20260224T090000 \(rule)", "DTSTART:20260224T090000|\(rule)"] {
      let rows = "id,lat,lon,dates\n1,37.5,127,\"\(text)\"\n"
      let report = try run(["check", "-"], input: rows).text
      #expect(report.contains("\": \(mistake)"), "\(report)")
    }
    let free = "id,lat,lon,dates\n1,37.5,127,RRULE:FREQ=DAILY;INTERVAL=2\n"
    #expect(
      try run(["check", "-"], input: free).text.contains("no DTSTART; begin with one, such as"))
  }

  @Test(
    arguments: [
      ("Mo-Fr 9-25", "column 9 holds 25; write an hour of 0 to 24", nil),
      ("Mo-Fr 09:00-18:00; blah", "column 20 holds \"blah\"", nil),
      ("by phone", "column 1: \"by phone\" was not understood", "by phone"),
      ("매일 9-25", "column 4: \"9\" was not understood", "9"),
    ] as [(String, String, String?)])
  func
    `hours that are not read are told of in the language they are in, and have no comment of others`(
      hours: String, mistake: String, comment: String?
    ) throws
  {
    let rows = "id,lat,lon,opening_hours\n1,37.5,127,\(hours)\n"
    #expect(try run(["check", "-"], input: rows).text.contains("hours \"\(hours)\": \(mistake)"))
    let answer = try run(
      ["list", "-", "--open=2026-11-24T14:00", "--format", "jsonl"], input: rows
    ).json
    #expect(answer["openState"] as? String == "unknown")
    #expect(answer["openComment"] as? String == comment)
  }

  @Test func `a text is explained`() throws {
    let outcome = try run(
      ["hours", "Mo-Fr 9:00-18:00; Su[2,4] off", "--at", "2026-11-22T12:00", "--days", "2"])
    #expect(
      outcome.text == """
        Mo-Fr 09:00-18:00; Su[2,4] off
        closed at 2026-11-22T12:00+09:00, open from tomorrow 09:00
        Su 2026-11-22  closed
        Mo 2026-11-23  09:00-18:00

        """)
    #expect(outcome.errors.contains("column 7: an hour of one digit\n  Mo-Fr 9:00-18:00"))
    #expect(outcome.errors.hasSuffix("\n        ^\n"))
    let json = try run(["hours", "24/7", "--json", "--days", "1"]).json
    #expect(json["state"] as? String == "open" && json["nextChange"] is NSNull)
    #expect(json["rule"] as? String == "24/7")
    let rule = try run([
      "hours", "Mo-Fr 9:00-18:00; Su[2,4] off \"회의\"", "--json", "--at", "2026-11-22T12:00",
    ]).json["rule"]
    #expect(rule as? String == "Su[2,4] off \"회의\"")
    #expect(try run(["hours", "off", "--next"]).text == "never\n")
  }

  @Test func `holidays of a file close their days in any zone`() throws {
    let folder = try Folder()
    try folder.write("day,name\n2026-11-30,Fest\n", to: "h.csv")
    func lines(_ zone: String) throws -> [String] {
      let outcome = try Program.run(
        [
          "hours", "Mo-Fr 09:00-18:00; PH off", "--holidays", "h.csv", "--tz", zone, "--at",
          "2026-11-30T10:00", "--days", "2",
        ], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.lines
    }
    #expect(
      try lines("Asia/Seoul").suffix(2) == ["Mo 2026-11-30  closed", "Tu 2026-12-01  09:00-18:00"])
    // Of Tuesday it is not known there whether it is a holiday.
    #expect(
      try lines("Europe/Paris").suffix(2)
        == ["Mo 2026-11-30  closed", "Tu 2026-12-01  09:00-18:00 unknown"])
  }

  @Test func `who is closed on a day is listed`() throws {
    let outcome = try run(["hours", "--closed", "2026-11-22", "shops.csv"])
    #expect(
      outcome.lines == [
        "Early: closed Su 2026-11-22", "Second Sundays: closed Su 2026-11-22",
        "한국마트: closed Su 2026-11-22", "Odd; name, \\x: closed Su 2026-11-22",
      ])
    #expect(outcome.errors == "1 other may be closed: its hours do not say\n")
    let none = try run(["hours", "--closed", "2026-11-24", "shops.csv", "--id", "1", "--id", "5"])
    #expect(
      none.errors
        == "none of the 2 is known to be closed then\n1 may be closed: its hours do not say\n")
    #expect(try run(["hours", "--closed", "20261122", "shops.csv"]).lines == outcome.lines)
    let json = try run([
      "hours", "--closed", "tomorrow", "--at", "2026-11-21T23:30", "shops.csv", "--kind", "mart",
      "--where", "name contains '마트'", "--json",
    ]).json
    let places = json["closed"] as? [[String: Any]] ?? []
    #expect(places.map { $0["id"] as? String } == ["6"])
    #expect(places.first?["opensAt"] as? String == "2026-11-23T10:00+09:00")
  }

  @Test func `a place whose hours are not known tomorrow is not said to open then`() throws {
    let folder = try Folder()
    try folder.write("name,lat,lon,휴무일\nC,37.5,127,월요일\n", to: "c.csv")
    let noon = "2026-12-14T12:00"
    let text = try Program.run(["hours", "c.csv", "--at", noon], in: folder)
    #expect(text.lines == ["C: closed, hours unknown from tomorrow 00:00"])
    let json = try Program.run(["hours", "c.csv", "--at", noon, "--json"], in: folder).json
    let place = try #require((json["results"] as? [[String: Any]])?.first)
    #expect(place["openState"] as? String == "closed" && place["opensAt"] == nil)
    #expect(place["nextChange"] as? String == "2026-12-15T00:00+09:00")
    let arrival = ["--open=arrival", "--depart", noon, "--travel", "walk", "--no-map"]
    let passed = try Program.run(["37.5,127", "c.csv"] + arrival, in: folder)
    #expect(
      passed.lines.contains("  C, 0 m: closed, hours unknown from tomorrow 00:00"),
      "\(passed.lines)")
  }

  @Test func `distances of what is not open on arrival are those of the table`() throws {
    let folder = try Folder()
    try folder.write(
      """
      name,lat,lon,영업시간
      near,37.5225,127,18:00~20:00
      far,37.5228,127,10:00~22:00

      """, to: "n.csv")
    let arrival = [
      "--open=arrival", "--depart", "2026-12-14T12:00", "--travel", "walk", "--no-map",
    ]
    let passed = try Program.run(["37.5,127", "n.csv"] + arrival, in: folder)
    #expect(passed.lines.contains("  near, 2.50 km: opens 18:00"), "\(passed.lines)")
  }

  @Test func `calendars have lines of RFC 5545 and the same UIDs in every run`() throws {
    let arguments = [
      "hours", "shops.csv", "--days", "40", "--at", "2026-11-20T10:00", "--format", "ics",
    ]
    let first = try run(arguments)
    func stamps(_ outcome: Program.Outcome) -> [Substring] {
      outcome.text.split(separator: "\r\n").filter { $0.hasPrefix("DTSTAMP:") }
    }
    // When it was written, not the time that is asked about.
    #expect(!stamps(first).contains { $0.hasPrefix("DTSTAMP:20261120T0") })
    let later = try run(
      ["hours", "shops.csv", "--days", "40", "--at", "2026-11-21T10:00", "--format", "ics"])
    func uids(_ outcome: Program.Outcome) -> Set<Substring> {
      Set(outcome.text.split(separator: "\r\n").filter { $0.hasPrefix("UID:") })
    }
    // What both cover has the same names.
    #expect(uids(first).intersection(uids(later)).count > 20)
    #expect(uids(first) == uids(try run(arguments)))
    #expect(uids(first).contains { $0.hasPrefix("UID:closed-20261122-6-") })
    #expect(first.text.contains("SUMMARY:Odd\\; name\\, \\\\x: closed\r\n"))
    for line in first.text.split(separator: "\r\n", omittingEmptySubsequences: false) {
      #expect(line.utf8.count <= 75 && !line.contains("\n"))
    }
    // Texts have no ids, and yet their days may be in one calendar.
    func closed(_ text: String) throws -> Set<Substring> {
      uids(try run(["hours", text, "--at", "2026-11-20T10:00", "--format", "ics"]))
    }
    let sundays = try closed("Mo-Sa 10:00-20:00")
    #expect(sundays.count == 1)
    #expect(try sundays == closed("Mo-Sa 10:00-20:00"))
    #expect(try sundays.isDisjoint(with: closed("Mo-Sa 11:00-20:00")))
    let never = try run(["hours", "24/7", "--at", "2026-11-20T10:00", "--format", "ics"])
    #expect(never.errors == "not known to be closed in these 7 days; --days looks further ahead\n")
  }
}
