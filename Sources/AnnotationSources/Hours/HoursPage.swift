import AnnotationImport
import BusinessHours
import GeoJSONCoding
import Geodesy
import MapAnnotations
import TextMaps

/// What a text of hours means: its value, the state at a moment, the days that follow.
package struct HoursPage {
  package let hours: OpeningHours
  package let instant: Instant
  /// What was read although it is not to the letter, and what was not understood, for standard error.
  package let remarks: [String]
  private let setting: HoursSetting
  private let days: [(day: Int, intervals: [HoursInterval])]
  private let warnings: [Properties]

  /// Reads a text.
  ///
  /// - Throws: Where nothing of it is understood, with a caret under the place; `no-such-file` for what was meant for
  ///   the name of a file.
  package init(
    _ text: String, setting: HoursSetting, at instant: Instant, days count: Int
  ) throws(ReportedError) {
    let written = WrittenHours(text)
    if written.extent == .none || WrittenHours.isBlank(text) {
      try HoursPage.refuseMistypedName(text)
      throw ReportedError(unreadable: text, as: written)
    }
    hours = written.hours
    self.setting = setting
    self.instant = instant
    let spellings = hours.warnings.map { (column: $0.column, sentence: "\($0)") }
    let doubts = written.doubts.map { (column: $0.column, sentence: "\($0)") }
    var remarks = (spellings + doubts).map {
      "warning: hours: \($0.sentence)\n\(Caret.lines(under: $0.column, of: text))"
    }
    if hours.usesSun, setting.sun == nil {
      remarks.append(
        "note: sunrise and sunset are unknown without a position; nearby hours eval takes lat and lon"
      )
    }
    self.remarks = remarks
    warnings = (spellings + doubts).map {
      ["column": .integer($0.column), "message": .string($0.sentence)]
    }
    let hours = hours
    let today = setting.localTime(at: instant).day
    days = (today..<today + count).map { day in
      let start = LocalTime(day: day, secondOfDay: 0)
      let end = LocalTime(day: day + 1, secondOfDay: 0)
      return (day, HoursPage.intervals(of: hours, from: start, to: end, setting))
    }
  }

  /// Refuses a text that ends as files do, or is almost the name of one.
  private static func refuseMistypedName(_ text: String) throws(ReportedError) {
    let file = FileName(text)
    guard
      InputFormat(nameEndingIn: text) != nil
        || text.utf8.count < 256 && !SimilarNames.names(like: file).isEmpty
    else { return }
    _ = try Files.bytes(of: file)
  }

  private var answer: HoursAnswer { hours.answer(at: instant, setting: setting) }

  /// The next change by the place's clock; nil when there is none.
  package var nextChange: String? {
    hours.nextChange(after: instant, setting: setting).map { ClockText.iso($0, setting) }
  }

  /// The days on which the place does not open.
  package var closedDays: [Int] {
    days.filter { hours.isClosed(on: $0.day, setting: setting) == true }.map(\.day)
  }

  package func text(width: Int) -> String {
    let answer = answer
    var text = "\(hours)\n"
    let comment = answer.comment.map { " (\($0))" } ?? ""
    text += "\(answer.state)\(comment) at \(ClockText.iso(instant, setting))"
    if let next = hours.nextChange(after: instant, setting: setting) {
      let then = hours.state(at: next, setting: setting)
      text += ", \(then) from \(ClockText.brief(next, seenFrom: instant, setting))\n"
    } else {
      text += ", and does not change\n"
    }
    for (day, intervals) in days {
      let spans = intervals.map { interval in
        let end = interval.end.day > day ? "24:00" : ClockText.clock(interval.end)
        let state = interval.answer.state == .unknown ? " unknown" : ""
        let comment = interval.answer.comment.map { " (\($0))" } ?? ""
        return "\(ClockText.clock(interval.start))-\(end)\(state)\(comment)"
      }
      let line =
        "\(Self.weekday(day)) \(ClockText.day(day))  "
        + (spans.isEmpty ? "closed" : spans.joined(separator: ", "))
      text += TerminalText.truncated(TerminalText.sanitized(line), to: max(1, width)) + "\n"
    }
    return text
  }

  /// `Mo` to `Su`.
  static func weekday(_ day: Int) -> String {
    String(CivilDay.weekdayNames[CivilDay.weekday(day)].prefix(2))
  }

  package func json() -> [UInt8] {
    let answer = answer
    return PropertyValue.object([
      "value": .string("\(hours)"), "at": .string(ClockText.iso(instant, setting)),
      "state": .string("\(answer.state)"),
      "comment": .text(answer.comment),
      "rule": answer.rule.map { .string("\(hours.rules[$0])") } ?? .null,
      "nextChange": .text(nextChange),
      "warnings": .array(warnings.map { .object($0) }),
      "days": .array(
        days.map { day, intervals in
          .object([
            "date": .string(ClockText.day(day)),
            "intervals": .array(intervals.map { .array(HoursPage.members(of: $0)) }),
          ])
        }),
    ]).jsonLine
  }

  /// Whether a text is in Korean or Japanese, and not only its comments.
  package static func isWritten(_ text: String) -> Bool {
    let parts = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().contains { place, part in
      place.isMultiple(of: 2) && WrittenLanguage(of: String(part)) != nil
    }
  }

  /// The intervals between two local times in which it is not closed.
  ///
  /// Times that clocks skip are in none of them; those that clocks repeat are in one.
  static func intervals(
    of hours: OpeningHours, from start: LocalTime, to end: LocalTime, _ setting: HoursSetting
  ) -> [HoursInterval] {
    var intervals: [HoursInterval] = []
    for span in hours.intervals(
      from: setting.instant(of: start), to: setting.instant(of: end), setting: setting)
    where span.answer.state != .closed {
      let interval = HoursInterval(
        start: setting.localTime(at: span.start), end: setting.localTime(at: span.end),
        answer: span.answer)
      if let last = intervals.last, last.end == interval.start,
        last.answer.isSame(as: interval.answer)
      {
        intervals[intervals.count - 1].end = interval.end
      } else {
        intervals.append(interval)
      }
    }
    return intervals
  }

  /// Start, end, state and comment, if there is one.
  static func members(of interval: HoursInterval) -> [PropertyValue] {
    [
      .string(ClockText.iso(interval.start)), .string(ClockText.iso(interval.end)),
      .string("\(interval.answer.state)"),
    ] + (interval.answer.comment.map { [.string($0)] } ?? [])
  }
}

extension ReportedError {
  /// Nothing of a text of hours is understood: in the words of the language in which it is written, with a caret
  /// under what was not read.
  package init(unreadable text: String, as written: WrittenHours) {
    var (code, column, sentence) = ("hours-unread", 1, "")
    do throws(HoursError) {
      _ = try OpeningHours(text)
    } catch {
      (code, column, sentence) = (error.code, error.column, error.description)
    }
    // It has no advice on English that the language reads as something else. For `5:00~9:00` it would advise
    // `5:00-9:00`, which is in the morning. After hours that the other reader understands, it blames their `~`.
    let isBetterKnown =
      written.doubts.first.map { $0.column > column || $0.kind == .halfOfDay } ?? false
    if HoursPage.isWritten(text) || sentence.isEmpty || isBetterKnown {
      code = "hours-unread"
      if let doubt = written.doubts.first {
        column = doubt.column
        sentence = "\(doubt); write it otherwise, or in the opening_hours language of OpenStreetMap"
      } else {
        column = 1
        sentence = "no hours and no closing days are given; write both as in 10:00~22:00, 매주 월요일 휴무"
      }
    }
    self.init(code, "\(sentence)\n\(Caret.lines(under: column, of: text))", fault: .usage)
  }
}
