#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import BusinessHours
  import Geodesy
  import NearbySearch

  /// By whose clock hours are read.
  struct ZoneOptions: ParsableArguments {
    @Option(
      name: [.customLong("tz"), .customLong("zone")],
      help: .usual(
        "The places' time zone: Asia/Seoul, UTC, +09:00. The default is the zone of Korea or Japan for places there and for hours in Korean or Japanese without a position, and otherwise the machine's. \"Today\" and \"14:00\" are local time at your position, or, without one, where most records are.",
        valueName: "zone"))
    var zone: String?

    @Option(
      help: .rare("Additional public holidays, one per line: yyyy-MM-dd,name.", valueName: "file"),
      completion: .file())
    var holidays: String?

    /// The clocks understood, that of the machine too.
    func clocks() throws(ReportedError) -> PlaceClocks {
      let clocks = try placeClocks()
      try clocks.check()
      return clocks
    }

    /// Refuses a zone that is not known and holidays that cannot be read where no hours are asked for; without
    /// these options, nothing is read.
    func check() throws(ReportedError) {
      if zone != nil || holidays != nil { _ = try placeClocks() }
    }

    /// The clocks understood; of the machine's, what is wrong with it is said where it is needed.
    func placeClocks() throws(ReportedError) -> PlaceClocks {
      let holidays =
        try holidays.map { (name) throws(ReportedError) in
          try HolidayFile.holidays(of: FileName(argument: name))
        } ?? []
      if let zone {
        return PlaceClocks(of: try Zones.ofTheMachine.named(zone.asTyped), holidays: holidays)
      }
      do throws(ReportedError) {
        return PlaceClocks(elsewhere: try Zones.ofTheMachine.system(), holidays: holidays)
      } catch {
        return PlaceClocks(elsewhere: error, holidays: holidays)
      }
    }
  }

  /// When annotations must be open.
  struct OpenOptions: ParsableArguments {
    @Option(
      help: .usual(
        "Only what is open: now (--open alone), at a time (--open 14:00, --open 2026-11-22T14:00) or when you arrive (--open arrival).",
        valueName: "now|time|arrival"), completion: .list(["now", "arrival"]))
    var open: String?

    @Option(
      help: .rare(
        "With --open: show or hide what may or may not be open, because its hours are missing or unclear.",
        valueName: "show|hide"))
    var hoursUnknown: String?

    @Option(help: .rare("With --open=arrival: when you leave.", valueName: "time"))
    var depart: String?

    @Option(
      name: [.customLong("travel"), .customLong("speed")],
      help: .rare(
        "With --open=arrival: how you travel: walk, bike, car, 4.5km/h or 1.2m/s.",
        valueName: "speed"))
    var travel: String?

    @Option(
      help: .rare(
        "With --open=arrival: the length of the way divided by the straight line, 1 to 100 (default: 1.4).",
        valueName: "factor"))
    var detour: String?

    @Option(help: .rare("With --open: how long it must stay open.", valueName: "20m"))
    var stay: String?

    @OptionGroup(visibility: .rare) var zone: ZoneOptions

    /// What is asked of the hours; nil where nothing is.
    ///
    /// - Parameters:
    ///   - origin: Where journeys begin; nil if it is not known.
    ///   - beginsAtEach: Whether they begin at each of the annotations for which neighbors are sought.
    func plan(
      from origin: Coordinate?, beginsAtEach: Bool = false
    ) throws(ReportedError) -> OpenPlan? {
      let moment = open?.asTyped
      let isArrival = moment?.lowercased() == "arrival"
      if !isArrival { try refuseJourney() }
      guard let moment else {
        try refuse(
          ["--hours-unknown": hoursUnknown != nil, "--stay": stay != nil], without: "--open")
        try zone.check()
        return nil
      }
      let clocks = try zone.placeClocks()
      if let origin { try clocks.check(at: origin) }
      let own = clocks.setting(at: origin)
      let showsUnknown = try showsUnknown()
      let stay = try stay.map { text throws(ReportedError) in
        Int64(try parseSeconds(text, option: "--stay", needsUnit: true).rounded())
      }
      let now = Console.now
      let condition: OpenCondition
      let time: WrittenMoment?
      if isArrival {
        guard origin != nil || beginsAtEach else {
          throw ReportedError(
            "missing-position",
            "--open=arrival needs to know where you leave from; give --lat and --lon",
            fault: .usage)
        }
        time = depart.map { WrittenMoment($0.asTyped, named: "--depart", now: now) }
        condition = OpenCondition(
          arriving: try journey(from: try time?.instant(by: own) ?? now), stay: stay ?? 0,
          showsUnknown: showsUnknown)
      } else {
        let written = WrittenMoment(moment, named: "--open", now: now)
        if written.isDay {
          Console.remark(
            "note: --open \(moment) asks about its midnight, 00:00; write \(moment)T12:00 for noon")
        }
        time = written
        condition = OpenCondition(
          at: try written.instant(by: own), stay: stay ?? 0, showsUnknown: showsUnknown)
      }
      // Without an origin, a time is read by the clock of the source, which is not known yet.
      let unsettled = origin == nil ? time.flatMap { $0.isNow ? nil : $0 } : nil
      return OpenPlan(condition: condition, clocks: clocks, own: own, time: unsettled)
    }

    private func refuseJourney() throws(ReportedError) {
      let given = [("--depart", depart), ("--travel", travel), ("--detour", detour)]
      guard let (name, _) = given.first(where: { $0.1 != nil }) else { return }
      throw ReportedError(
        "missing-open", "\(name) is about the way there; say --open=arrival", fault: .usage)
    }

    private func journey(from departure: Instant) throws(ReportedError) -> Journey {
      var journey = Journey(departure: departure)
      if let travel { journey.speed = try parseSpeed(travel, option: "--travel") }
      if let detour {
        let text = detour.asTyped
        guard let factor = finiteNumber(text), Journey.detours.contains(factor) else {
          throw ReportedError(
            "bad-detour",
            "--detour \(text) is not a detour factor; write 1 to 100, such as 1.4",
            fault: .usage)
        }
        journey.detour = factor
      }
      return journey
    }

    private func showsUnknown() throws(ReportedError) -> Bool {
      guard let hoursUnknown else { return true }
      let word: UnknownHours = try parseWord(hoursUnknown, option: "--hours-unknown")
      return word == .show
    }
  }

  /// What is done with places of unknown hours.
  private enum UnknownHours: String, CaseIterable {
    case show, hide
  }
#endif
