import BusinessHours
import GeoJSONCoding
import Geodesy
import MapAnnotations

/// A question about hours as a line of JSON holds it: when, between two local times, a place is open.
package struct HoursRow {
  private let members: Properties?
  private let zones: Zones
  /// What the answer repeats.
  private var id: PropertyValue { members?["id"] ?? .null }

  /// - Parameter zones: Where the zone is looked up that the line names.
  package init(_ line: [UInt8], zones: Zones) {
    self.zones = zones
    // A line that is no JSON has no members, and says so.
    let value = try? PropertyValue(json: line)
    members = if case .object(let members)? = value { members } else { nil }
  }

  private func text(_ name: String) throws(ReportedError) -> String {
    guard let text = members?[name]?.text else {
      throw ReportedError(
        "row-fields",
        (members == nil ? "the line is not a JSON object" : "\(name) is missing")
          + "; write {\"id\":1,\"value\":…,\"from\":…,\"to\":…,\"tz\":…}", fault: .badData)
    }
    return text
  }

  private func setting() throws(ReportedError) -> HoursSetting {
    var setting = HoursSetting(
      utcOffset: try zones.named(members?["tz"]?.text ?? "UTC").rules.utcOffset)
    if let country = members?["country"]?.text {
      setting.publicHolidays = HolidayCalendar.country(country, region: members?["region"]?.text)
    }
    if let latitude = members?["lat"]?.text, let longitude = members?["lon"]?.text {
      setting.sun = .position(
        try ReportedError.wrapping(.badData) { () throws(CoordinateError) in
          try Coordinate(
            latitude: try HoursRow.degrees(latitude), longitude: try HoursRow.degrees(longitude))
        })
    }
    return setting
  }

  private static func degrees(_ text: String) throws(CoordinateError) -> Double {
    guard let degrees = finiteNumber(text) else { throw .notANumber(text) }
    return degrees
  }

  private func time(_ name: String) throws(ReportedError) -> LocalTime {
    let text = try text(name)
    guard (try? ISOTime(text))?.utcOffset == nil else {
      throw ReportedError(
        "bad-time",
        "\(name) \"\(text)\" has a UTC offset, but is local time; leave the offset out",
        fault: .badData)
    }
    // As a reading of a clock, whatever the zone.
    return HoursSetting().localTime(
      at: try WrittenMoment(text, named: name, now: Instant(seconds: 0))
        .instant(by: HoursSetting()))
  }

  /// The longest span that is answered, in days.
  private static let mostDays = 40_000

  /// The intervals that are open or unknown.
  ///
  /// - Parameter warn: Takes what was read although it is not to the letter.
  package func answer(_ warn: (HoursWarning) -> Void) throws(ReportedError) -> Properties {
    let value = try text("value")
    let (from, to) = try span()
    let setting = try setting()
    let hours = try hours(value, in: setting)
    try requireHolidays(from: from, to: to, of: hours, in: setting)
    hours.warnings.forEach(warn)
    let intervals = HoursPage.intervals(of: hours, from: from, to: to, setting)
    return ["id": id, "intervals": .array(intervals.map { .array(HoursPage.members(of: $0)) })]
  }

  /// What is answered where there is no answer.
  package func answer(to error: ReportedError) -> Properties {
    let members: Properties = [
      "code": .string(error.code), "message": .string(error.description),
      "column": error.column.map { .integer($0) } ?? .null,
    ]
    return ["id": id, "error": .object(members)]
  }

  /// The two times, of which the first is no later.
  private func span() throws(ReportedError) -> (from: LocalTime, to: LocalTime) {
    let (from, to) = (try time("from"), try time("to"))
    guard from <= to else {
      throw ReportedError(
        "bad-time",
        "from \(ClockText.iso(from)) is later than to \(ClockText.iso(to)); swap them",
        fault: .badData)
    }
    guard to.day - from.day <= Self.mostDays else {
      throw ReportedError(
        "bad-time",
        "from and to are \(to.day - from.day) days apart; write a century at most",
        fault: .badData)
    }
    return (from, to)
  }

  private func hours(
    _ value: String, in setting: HoursSetting
  ) throws(ReportedError) -> OpeningHours {
    do throws(HoursError) {
      let hours = try OpeningHours(value)
      // School holidays are unknown everywhere, which the answer says.
      try hours.requirePublicHolidays(of: setting)
      return hours
    } catch {
      let message =
        HoursPage.isWritten(value)
        ? "the value is in Korean or Japanese, and eval reads only the opening_hours language; nearby hours TEXT reads it"
        : error.description
      throw ReportedError(error.code, message, fault: .badData, column: error.column)
    }
  }

  /// Refuses hours that depend on public holidays of years whose holidays are not known.
  private func requireHolidays(
    from: LocalTime, to: LocalTime, of hours: OpeningHours, in setting: HoursSetting
  ) throws(ReportedError) {
    guard hours.usesPublicHolidays, let calendar = setting.publicHolidays,
      !calendar.knows(day: from.day) || !calendar.knows(day: max(from.day, to.day - 1))
    else { return }
    throw ReportedError(
      "holidays-unknown",
      "the public holidays from \(ClockText.day(from)) to \(ClockText.day(to)) are not all known; ask about other years",
      fault: .badData, column: 1)
  }
}
