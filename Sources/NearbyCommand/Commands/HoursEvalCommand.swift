#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import BusinessHours
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// `nearby hours eval`: JSON Lines in, JSON Lines out.
  struct HoursEvalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "eval",
      abstract:
        "Evaluate opening_hours values from JSON Lines on standard input, one answer per line.",
      discussion: """
        {"id","value","from","to","tz","country"?,"region"?,"lat"?,"lon"?} with local times \
        yyyy-MM-ddTHH:mm gives {"id","intervals":[[start,end,state,comment?]…]}. A state is open or \
        unknown; all other times are closed. A value that cannot be read gives \
        {"id","error":{"code","message","column"}}, and the exit status is 65. A value that is not \
        to the letter is answered as it is read, with a warning on standard error.
        """)

    func run() throws {
      var writer = JSONWriter()
      var failures = 0
      try Files.lines(of: FileName("-")) { (lines) throws(ReportedError) in
        for (line, number) in lines {
          guard line.contains(where: { $0 > 0x20 }) else { continue }
          let row = HoursRow(line)
          do throws(ReportedError) {
            let intervals = try row.intervals {
              Console.remark("warning: hours: line \(number): \($0)")
            }
            writer.value(
              .object(["id": row.id, "intervals": .array(intervals.map { .array($0) })]))
          } catch {
            failures += 1
            let members: Properties = [
              "code": .string(error.code), "message": .string(error.description),
              "column": error.column.map { .integer($0) } ?? .null,
            ]
            writer.value(.object(["id": row.id, "error": .object(members)]))
            Console.remark("error: \(error.code): line \(number): \(error.description)")
          }
          writer.endLine()
          if writer.bytes.count > OutputSink.chunk {
            try Console.write(writer.bytes)
            writer.removeAll()
          }
        }
        // Nobody is to wait for an answer until there are more.
        try Console.write(writer.bytes)
        writer.removeAll()
      }
      if failures > 0 { Console.exit(.badData) }
    }
  }

  /// A question as a line holds it.
  private struct HoursRow {
    private let members: Properties?
    /// What the answer repeats.
    var id: PropertyValue { members?["id"] ?? .null }

    init(_ line: [UInt8]) {
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
        utcOffset: try Zones.ofTheMachine.named(members?["tz"]?.text ?? "UTC").rules.utcOffset)
      if let country = members?["country"]?.text {
        setting.publicHolidays = HolidayCalendar.country(country, region: members?["region"]?.text)
      }
      if let latitude = members?["lat"]?.text, let longitude = members?["lon"]?.text {
        setting.sun = .position(try parsePosition(latitude: latitude, longitude: longitude))
      }
      return setting
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

    func intervals(_ warn: (HoursWarning) -> Void) throws(ReportedError) -> [[PropertyValue]] {
      let value = try text("value")
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
      let setting = try setting()
      let hours: OpeningHours
      do throws(HoursError) {
        hours = try OpeningHours(value)
        // School holidays are unknown everywhere, which the answer says.
        try hours.requirePublicHolidays(of: setting)
      } catch {
        let message =
          HoursPage.isWritten(value)
          ? "the value is in Korean or Japanese, and eval reads only the opening_hours language; nearby hours TEXT reads it"
          : error.description
        throw ReportedError(error.code, message, fault: .badData, column: error.column)
      }
      if hours.usesPublicHolidays, let calendar = setting.publicHolidays,
        !calendar.knows(day: from.day) || !calendar.knows(day: max(from.day, to.day - 1))
      {
        throw ReportedError(
          "holidays-unknown",
          "the public holidays from \(ClockText.day(from)) to \(ClockText.day(to)) are not all known; ask about other years",
          fault: .badData, column: 1)
      }
      hours.warnings.forEach(warn)
      return HoursPage.intervals(of: hours, from: from, to: to, setting)
        .map(HoursPage.members)
    }
  }
#endif
