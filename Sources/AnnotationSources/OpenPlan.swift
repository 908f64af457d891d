import AnnotationImport
import BusinessHours
import Geodesy
import MapAnnotations
import NearbySearch
import SpatialIndexing

/// What is asked of the hours, and how times are told.
package struct OpenPlan: Sendable {
  package let condition: OpenCondition
  package let clocks: PlaceClocks
  /// The clock of where the question stands.
  package let own: HoursSetting
  /// The time that was asked about, where its clock is that of the source and not known yet; nil otherwise.
  package let time: WrittenMoment?

  package init(
    condition: OpenCondition, clocks: PlaceClocks, own: HoursSetting, time: WrittenMoment? = nil
  ) {
    self.condition = condition
    self.clocks = clocks
    self.own = own
    self.time = time
  }

  /// The same plan by the clock of the source that is asked.
  package func settled(
    in source: some RandomAccessCollection<ImportedAnnotation>
  ) throws(ReportedError) -> OpenPlan {
    guard let time else { return self }
    try clocks.check(among: source)
    let own = clocks.setting(at: nil, orAmong: source)
    return OpenPlan(
      condition: condition.asked(at: try time.instant(by: own)), clocks: clocks, own: own)
  }

  /// The same plan for a join: left annotations are where journeys begin, and right ones are open then.
  package func settled(
    from lefts: ImportedAnnotations, to rights: ImportedAnnotations
  ) throws(ReportedError) -> OpenPlan {
    try clocks.check(hoursOf: rights)
    guard case .arrival = condition.moment else { return try settled(in: rights) }
    return try settled(in: lefts)
  }
}

extension OpenPlan {
  /// The question, as JSON repeats it.
  package var members: Properties {
    var members: Properties = ["at": .string(ClockText.iso(condition.instant, own))]
    if case .arrival(let journey) = condition.moment {
      members.append("arrival", true)
      members.append("speed", .double(journey.speed))
      members.append("detour", .double(journey.detour))
    }
    members.append("stay", .number(String(condition.stay)))
    members.append("unknown", condition.showsUnknown ? "show" : "hide")
    return members
  }

  /// What is told of an annotation, as JSON and GeoJSON have it.
  package func members(of status: OpenStatus, of item: ImportedAnnotation) -> Properties {
    let setting = clocks.setting(of: item)
    var members: Properties = [
      "openState": .string("\(status.state)"),
      "nextChange": .moment(status.nextChange, by: setting),
    ]
    if let opens = status.opens { members.append("opensAt", .moment(opens, by: setting)) }
    if case .arrival = condition.moment {
      members.append("arrival", .moment(status.instant, by: setting))
    }
    if let comment = status.comment { members.append("openComment", .string(comment)) }
    members.entries += status.business.members.entries
    return members
  }

  /// An annotation's opening state as a table shows it: `open until 18:00`.
  package func words(_ status: OpenStatus, of item: ImportedAnnotation) -> String {
    if let words = status.business.words { return words }
    let setting = clocks.setting(of: item)
    func time(_ instant: Instant) -> String {
      ClockText.brief(instant, seenFrom: condition.instant, setting)
    }
    let comment = status.comment.map { " (\($0))" } ?? ""
    switch status.state {
    case .open:
      if let opens = status.opens, let end = status.nextChange {
        return "closes \(time(end)), opens \(time(opens))\(comment)"
      }
      return (status.nextChange.map { "open until \(time($0))" } ?? "open") + comment
    case .closed:
      if let opens = status.opens { return "opens \(time(opens))\(comment)" }
      guard let next = status.nextChange, state(of: item, at: next) == .unknown else {
        return "closed" + comment
      }
      return "closed\(comment), hours unknown from \(time(next))"
    case .unknown: return "hours unknown" + comment
    }
  }

  /// What the hours of an annotation say of another moment.
  private func state(of item: ImportedAnnotation, at instant: Instant) -> OpenState {
    OpenFilter(OpenCondition(at: instant), reader: clocks.reader, from: nil).status(of: item).state
  }
}

/// A moment as somebody wrote it: an instant once it is known whose clock is meant.
package struct WrittenMoment: Sendable {
  private let text: String
  private let name: String
  private let now: Instant

  /// - Parameters:
  ///   - text: `now`; `14:00`, today; `2026-11-22`, its midnight; `2026-11-22T14:00`, with seconds,
  ///     `Z` or an offset if need be.
  ///   - name: What the text is called where it is mistaken.
  ///   - now: What `now` and *today* are.
  package init(_ text: String, named name: String, now: Instant) {
    self.text = text
    self.name = name
    self.now = now
  }

  /// Whether it is the same by every clock.
  package var isNow: Bool { text.lowercased() == "now" }

  /// Whether it is a day without a time of day, so that its midnight counts.
  package var isDay: Bool {
    do throws(ISOTime.Fault) { return try ISOTime(text).secondOfDay == nil } catch { return false }
  }

  /// The instant by a clock, which counts only where the text has no offset; with one, today is the day at that
  /// offset.
  package func instant(by setting: HoursSetting) throws(ReportedError) -> Instant {
    if isNow { return now }
    do throws(ISOTime.Fault) {
      return try ISOTime(text).instant(by: setting, now: now)
    } catch {
      let fault = error == .date ? "is neither a time nor a date" : error.rawValue
      throw ReportedError(
        "bad-time",
        "\(name) \"\(text)\" \(fault); write now, 14:00 or 2026-11-22T14:00, with +09:00 if needed",
        fault: .usage)
    }
  }
}

extension ClockText {
  /// For a person who reads it at another instant: the time alone on the same day, `tomorrow`, the
  /// weekday within a week, and else the date.
  static func brief(_ instant: Instant, seenFrom now: Instant, _ setting: HoursSetting) -> String {
    let (time, today) = (setting.localTime(at: instant), setting.localTime(at: now))
    switch time.day - today.day {
    case 0: return clock(time)
    case 1: return "tomorrow \(clock(time))"
    case 2...6:
      let weekday = CivilDay.weekdayNames[CivilDay.weekday(time.day)]
      return "\(weekday.prefix(3)) \(clock(time))"
    default: return "\(day(time)) \(clock(time))"
    }
  }
}
