import BusinessHours
import Foundation
import Geodesy
import NearbyTestSupport
import Testing

/// The vectors of other programs: opening_hours.js, opening-hours-rs and opening-hours-evaluator.
@Suite(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
struct OpeningHoursConformanceTests {
  /// Rows in which opening-hours-rs takes a comment beside times, without a state, as open.
  ///
  /// opening_hours.js (`ohjs-o-072-0`, `Sa 10:00-12:00 "…"`) takes it as unknown; both cannot hold.
  private static let contradicted: Set<String> = ["rs-o-053", "rs-o-054"]

  /// The figures that `OpeningHoursLanguage.md` states; a change of any is a change of that page.
  private static let strictRows = ["eval_intervals": 221, "eval_kr_jp": 62, "eval_day": 52]
  private static let leftOut = [
    "eval_intervals": 0, "eval_kr_jp": 2, "eval_day": 2, "eval_point": 4,
  ]
  private static let refusedRows = ["eval_intervals": 50, "eval_kr_jp": 0, "eval_day": 0]

  /// Counts of one file; prints itself.
  private struct Tally {
    var file: String
    var rows = 0
    var strict = 0
    var wrong = 0
    var refused = 0
    var refusedStrict = 0
    var leftOut = 0
    var notes: [String] = []

    mutating func leaveOut(_ row: ConformanceRow, because reason: String) {
      leftOut += 1
      notes.append("left out, \(reason): \(row.id ?? row.at ?? "") \(row.value ?? "")")
    }

    func report() {
      print(
        "\(file): \(rows) rows (\(strict) strict), \(wrong) wrong, \(refused) refused,",
        "\(refusedStrict) of them strict, \(leftOut) left out")
      for note in notes { print("  \(note)") }
    }
  }

  @Test(arguments: ["eval_intervals", "eval_kr_jp"])
  func `intervals agree with other programs`(file: String) throws {
    var tally = Tally(file: file)
    for row in try ConformanceRow.all(file) {
      let value = try #require(row.value)
      if let reason = row.disputed {
        tally.leaveOut(row, because: reason)
        continue
      }
      let isStrict = row.strict ?? true
      tally.rows += 1
      if isStrict { tally.strict += 1 }
      let setting = try row.setting()
      let hours: OpeningHours
      do {
        hours = try OpeningHours(value)
        try hours.requireHolidays(of: setting)
      } catch {
        tally.refused += 1
        if isStrict {
          tally.refusedStrict += 1
          tally.notes.append("refused \(row.id ?? ""): \(value): \(error)")
        }
        continue
      }
      let start = setting.instant(of: localTime(row.from!))
      let end = setting.instant(of: localTime(row.to!))
      // Comments of the other program's own, on holidays and open ends, are not the mapper's.
      let areOwn = row.intervals!.allSatisfy { $0.count < 4 || value.contains("\"\($0[3])\"") }
      let answered = Stretch.merged(
        hours.intervals(from: start, to: end, setting: setting).map {
          Stretch(
            start: setting.localTime(at: $0.start), end: setting.localTime(at: $0.end),
            state: "\($0.answer.state)", comment: areOwn ? $0.answer.comment : nil)
        })
      let expected = Stretch.merged(
        row.intervals!.map {
          Stretch(
            start: localTime($0[0]), end: localTime($0[1]), state: $0[2],
            comment: areOwn && $0.count > 3 ? $0[3] : nil)
        })
      if !Stretch.agree(answered, expected, within: row.lat == nil ? 0 : 3) {
        tally.wrong += 1
        let (got, wanted) =
          zip(answered, expected).first { $0 != $1 }.map { ("\($0)", "\($1)") }
          ?? ("\(answered.count) intervals", "\(expected.count)")
        tally.notes.append("wrong \(row.id ?? ""): \(value): \(got), not \(wanted)")
      }
    }
    tally.report()
    #expect(tally.wrong == 0 && tally.refusedStrict == 0)
    #expect(tally.strict == Self.strictRows[file])
    #expect(tally.leftOut == Self.leftOut[file])
    #expect(tally.refused == Self.refusedRows[file])
  }

  @Test func `days agree with other programs`() throws {
    var tally = Tally(file: "eval_day")
    for row in try ConformanceRow.all("eval_day") {
      let value = try #require(row.value)
      if let id = row.id, Self.contradicted.contains(id) {
        tally.leaveOut(row, because: "contradicted by ohjs-o-072-0")
        // The reading that was chosen instead.
        let noon = LocalTime(seconds: localTime(row.date!).seconds + 11 * 3600)
        #expect(try OpeningHours(value).state(at: noon) == .unknown)
        continue
      }
      #expect(row.disputed == nil)
      tally.rows += 1
      tally.strict += row.strict == true ? 1 : 0
      guard let hours = try? OpeningHours(value) else {
        tally.refused += 1
        tally.refusedStrict += row.strict == true ? 1 : 0
        tally.notes.append("refused \(value)")
        continue
      }
      let day = localTime(row.date!).day
      let areCommented = row.schedule!.contains { $0.count > 3 }
      let answered = Stretch.merged(
        hours.intervals(
          from: LocalTime(day: day, secondOfDay: 0), to: LocalTime(day: day + 1, secondOfDay: 0),
          setting: try row.setting()
        ).map {
          Stretch(
            start: $0.start, end: $0.end, state: "\($0.answer.state)",
            comment: areCommented ? $0.answer.comment : nil)
        })
      func time(_ text: String) -> LocalTime {
        let parts = text.split(separator: ":").map { Int($0)! }
        return LocalTime(day: day, secondOfDay: parts[0] * 3600 + parts[1] * 60)
      }
      let expected = Stretch.merged(
        row.schedule!.map {
          Stretch(
            start: time($0[0]), end: time($0[1]), state: $0[2],
            comment: $0.count > 3 ? $0[3] : nil)
        })
      if !Stretch.agree(answered, expected, within: row.tolerance_minutes ?? 0) {
        tally.wrong += 1
        tally.notes.append("wrong \(row.date!) \(value): \(answered), not \(expected)")
      }
    }
    tally.report()
    #expect(tally.wrong == 0 && tally.refused == Self.refusedRows["eval_day"])
    #expect(tally.strict == Self.strictRows["eval_day"])
    #expect(tally.leftOut == Self.leftOut["eval_day"])
  }

  /// What a row of `eval_point` asks: the member that it has, whose answer may be null, for never.
  private enum PointQuestion: String, CaseIterable, CodingKey, Decodable {
    case state, open_next, open_until, was_last_open, next_change

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Self.self).allKeys
      try #require(members.count == 1)
      self = members[0]
    }

    static func all() throws -> [PointQuestion] {
      try SharedFiles.values("conformance/opening_hours/eval_point.jsonl")
    }
  }

  @Test func `states and changes at instants agree with other programs`() throws {
    var tally = Tally(file: "eval_point")
    // The programs without holidays take none for granted.
    let noHolidays = HolidayCalendar([], knownYears: 1900...2100)
    for (row, question) in zip(
      try ConformanceRow.all("eval_point"), try PointQuestion.all()
    ) {
      let value = try #require(row.value)
      if row.far_range == true {
        tally.leaveOut(row, because: "of the bounds of another program, 1900 and 10000")
        continue
      }
      tally.rows += 1
      guard let hours = try? OpeningHours(value) else {
        tally.refused += 1
        tally.notes.append("refused \(value)")
        continue
      }
      let at = localTime(row.at!)
      let setting = try row.setting(otherwise: noHolidays)
      let state = hours.state(at: at, setting: setting)
      let next = hours.nextChange(after: at, setting: setting)
      func check(_ what: String, _ answered: LocalTime?, _ expected: String?) {
        guard answered != expected.map(localTime) else { return }
        tally.wrong += 1
        let time = answered.map { ClockText.iso($0) } ?? "never"
        tally.notes.append(
          "wrong \(what) of \(value) at \(row.at!): \(time), not \(expected ?? "never")")
      }
      switch question {
      case .state:
        if "\(state)" != row.state {
          tally.wrong += 1
          tally.notes.append("wrong state of \(value) at \(row.at!): \(state)")
        }
      case .open_next: check("opening", state == .open ? at : next, row.open_next)
      case .open_until: check("closing", state == .open ? next : nil, row.open_until)
      case .was_last_open:
        let before = hours.intervals(
          from: LocalTime(seconds: at.seconds - 30 * 86_400), to: at, setting: setting)
        let last = before.last { $0.answer.state == .open }?.end
        check("last opening", state == .open ? at : last, row.was_last_open)
      case .next_change:
        check(
          "change", hours.nextChange(after: at, of: .stateOrComment, setting: setting),
          row.next_change)
      }
    }
    tally.report()
    #expect(tally.wrong == 0 && tally.refused == 0)
    #expect(tally.rows == 58 && tally.leftOut == Self.leftOut["eval_point"])
  }

  @Test func `equal values are open alike for a year`() throws {
    let rows = try ConformanceRow.all("equivalence")
    #expect(rows.count == 8)
    for row in rows {
      let one = try OpeningHours(row.a!)
      let other = try OpeningHours(row.b!)
      let (start, end) = (localTime("2026-01-05T00:00"), localTime("2027-01-05T00:00"))
      let areAlike =
        Stretch.all(of: one, from: start, to: end) == Stretch.all(of: other, from: start, to: end)
      #expect(areAlike == row.equal!, "\(row.a!) and \(row.b!)")
    }
  }

  @Test func `what is no value is refused or reported`() throws {
    var (ok, errors) = (0, 0)
    var silent: [String] = []
    // Of the rows that opening_hours.js or opening-hours-rs warns of.
    var (refused, reported) = (0, 0)
    var unreported: [String] = []
    for row in try ConformanceRow.all("syntax") {
      let value = try #require(row.value)
      let hours = try? OpeningHours(value)
      // Many rows have a second rule after the one they test. That it replaces the first is no report of the fault.
      let hasAppendix = value.contains("; 00:23-00:42 unknown ")
      let isSilent =
        hours?.warnings.allSatisfy { hasAppendix && $0.kind == .replacement } ?? false
      switch row.expect {
      case "ok":
        ok += 1
        #expect(hours != nil, "refused: \(value)")
      case "error":
        errors += 1
        if isSilent { silent.append(value) }
      case "warning":
        if hours == nil { refused += 1 } else if isSilent { unreported.append(value) }
        if hours != nil, !isSilent { reported += 1 }
      default: Issue.record("\(value) is \(row.expect ?? "nothing")")
      }
    }
    #expect(ok == 10 && errors == 94)
    print(
      "syntax: of the warnings \(refused) refused, \(reported) reported, \(unreported.count) silent"
    )
    #expect(refused == 16 && reported == 27)
    #expect(
      Set(unreported) == [
        // Nothing is doubtful: nights, holidays not named, a week of a month, and years and offsets that say nothing.
        "We 22:00-04:00, Fr 22:00-04:00; Sa 21:00-04:00, Mo 21:00-04:00",
        "Mo-Fr 08:00-16:00", "Mo-Fr 08:00-20:00", "Feb week 06",
        "sunrise-(sunset-00:00); 00:23-00:42 unknown \"warning at correct position?\"",
        "2012 Jan-Feb; 00:23-00:42 unknown \"warning at correct position?\"",
        "2012 Jan-Feb open; 00:23-00:42 unknown \"warning at correct position?\"",
        // Days of the past.
        "2024 00:00-24:00", "2024 Sep 06 - 2024 Oct 05 Fr-Sa 10:00-17:00; Su 12:00-17:00",
        "2025 May 01-22 00:00-24:00",
        // Holidays after other days, and a closed day after a comma.
        "Mo-Su 09:00-01:00; PH 08:00-02:00", "2015 Mo-Su 09:00-01:00; PH 08:00-02:00",
        "2015 Mo 09:00-01:00; PH Tu 08:00-02:00", "Mo-Su 09:00-01:00; 2014 PH 08:00-02:00",
        "Mo-Fr 10:00-20:00, We off",
      ])
    // Errors of the other program's setting (no country, no school holidays, points in time only), not of the text.
    #expect(
      Set(silent) == [
        "Mo 12:00-14:00", "Mo-Fr 10:00-20:00; PH off", "Mo-Fr 10:00-20:00; SH off",
        "Mo-Fr 12:00-18:00; We off; Sa,PH 12:00-17:00; Th[3],Th[-1] off",
      ])
  }

  @Test func `real values are read or refused, and the share is told`() throws {
    var tally: [String: (rows: Int, read: Int, count: Int, readCount: Int)] = [:]
    for row in try ConformanceRow.all("realworld") {
      var entry = tally[row.verdict!] ?? (0, 0, 0, 0)
      entry.rows += 1
      entry.count += row.count ?? 1
      do throws(HoursError) {
        let hours = try OpeningHours(row.value!)
        entry.read += 1
        entry.readCount += row.count ?? 1
        if row.verdict == "invalid" { #expect(!hours.warnings.isEmpty, "\(row.value!)") }
        _ = hours.intervals(
          from: localTime("2026-01-01T00:00"), to: localTime("2026-02-01T00:00"))
        _ = hours.nextChange(after: localTime("2026-01-01T00:00"))
        #expect(try OpeningHours(hours.description) == hours, "\(row.value!): \(hours)")
      } catch {
        #expect(error.column >= 1 && error.column <= row.value!.unicodeScalars.count + 1)
        if row.verdict == "valid" { print("  refused although valid: \(row.value!): \(error)") }
      }
      tally[row.verdict!] = entry
    }
    for (verdict, entry) in tally.sorted(by: { $0.key < $1.key }) {
      print(
        "realworld \(verdict): \(entry.read) of \(entry.rows) read (\(entry.readCount) of \(entry.count) by count)"
      )
    }

    func figures(_ verdict: String) -> [Int] {
      tally[verdict].map { [$0.read, $0.rows, $0.readCount, $0.count] } ?? []
    }
    #expect(figures("valid") == [100, 105, 100, 105])
    #expect(figures("lenient") == [1219, 1431, 14_702, 15_832])
    #expect(figures("invalid") == [35, 1241, 42, 4425])
  }
}
