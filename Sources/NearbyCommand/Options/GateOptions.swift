#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import BusinessHours
  import Geodesy
  import LocationFiltering
  import TrackImport

  /// Which fixes a gate lets through.
  struct GateOptions: ParsableArguments {
    @Option(
      help: .usual(
        """
        How far a fix must move to be accepted: 300m, 0.0005deg, none, or a preset: cinema300m, \
        mart0.0005deg, martAsBuilt, careful.
        """, valueName: "threshold"),
      completion: .list(GatePolicy.presets.map(\.name) + ["none"]))
    var gate = "300m"

    @Flag(help: .rare("Accept a move of exactly the threshold; with degrees this is always so."))
    var inclusive = false

    @Option(
      help: .rare(
        "With degrees: move that far on any axis (the default), or on all.", valueName: "any|all"),
      completion: .words(of: AxesWord.self))
    var axes: String?

    @Option(
      help: .rare(
        "Measure moves from the last accepted or the last seen fix.", valueName: "accepted|seen"),
      completion: .words(of: ReferenceWord.self))
    var reference: String?

    @Option(
      help: .usual(
        "Reject fixes outside this region: KR, JP, kr-mart-box, a box W,S,E,N or a GeoJSON file.",
        valueName: "region"))
    var region: String?

    @Option(help: .usual("Reject fixes that are less accurate than this.", valueName: "dist"))
    var maxAccuracy: String?

    @Option(help: .rare("The accuracy of fixes that do not give one.", valueName: "dist"))
    var assumeAccuracy: String?

    @Flag(help: .rare("Hold a fix that moved no farther than the two accuracies added up."))
    var beyondAccuracy = false

    @Option(
      help: .usual(
        """
        Reject moves faster than this: 12m/s, 50km/h; auto learns the limit from the track. Each \
        move counts as one second longer than its times say, because times in whole seconds can \
        be that much off.
        """, valueName: "speed|auto"))
    var maxSpeed: String?

    @Option(
      help: .rare("Reject steps longer than this, however long they took.", valueName: "dist"))
    var maxJump: String?

    @Flag(help: .rare("Reject fixes that are older than the last good one."))
    var inOrder = false

    @Option(
      help: .rare("Hold fixes that come sooner than this after an accepted one.", valueName: "time")
    )
    var minInterval: String?

    @Option(help: .rare("Reject fixes older than this: 30s, 5min, 1h.", valueName: "time"))
    var maxAge: String?

    @Option(help: .rare("Reject fixes farther in the future than this.", valueName: "time"))
    var maxLead: String?

    @Option(
      help: .rare(
        "The current time for --max-age and --max-lead (default: the clock's); UTC without an offset.",
        valueName: "time"))
    var now: String?

    @Flag(help: .rare("Reject simulated fixes."))
    var rejectSimulated = false

    @Flag(help: .rare("Accept 0,0 as a position."))
    var allowNullIsland = false

    @Option(
      help: .rare(
        "Trust rejected fixes once this many agree with each other; 0 for never.", valueName: "n"))
    var reanchor: Int?

    @Option(
      help: .rare("How many fixes must agree before the first one is accepted.", valueName: "n"))
    var first: Int?

    @Flag(
      help: """
        Judge each fix only after eight more have come, and reject it if those before and after \
        contradict it.
        """)
    var hindsight = false

    enum AxesWord: String, CaseIterable { case any, all }
    enum ReferenceWord: String, CaseIterable { case accepted, seen }

    /// The options understood.
    func policy() throws(ReportedError) -> GatePolicy {
      let axes = try axes.map { (text) throws(ReportedError) -> MovementRule.Axes in
        let word: AxesWord = try parseWord(text, option: "--axes")
        return word == .any ? .any : .all
      }
      var policy = try parseGate(gate, axes: axes, countsExactly: inclusive)
      if let note = gateNote(gate) { Console.remark(note) }
      if let reference {
        let word: ReferenceWord = try parseWord(reference, option: "--reference")
        policy.reference = word == .accepted ? .lastAccepted : .lastSeen
      }
      if let region { policy.region = try parseRegion(region) }
      if let maxAccuracy {
        policy.worstAccuracy = try parseDistance(maxAccuracy, option: "--max-accuracy").meters
      }
      if beyondAccuracy { policy.needsMoreThanAccuracy = true }
      if let maxSpeed {
        policy.learnsMotion = maxSpeed.lowercased() == "auto"
        policy.greatestSpeed =
          try policy.learnsMotion
          ? GatePolicy.careful.greatestSpeed : parseSpeed(maxSpeed, option: "--max-speed")
      }
      if let maxJump {
        policy.greatestJump = try parseDistance(maxJump, option: "--max-jump").meters
      }
      if inOrder { policy.rejectsOutOfOrder = true }
      if let minInterval {
        policy.leastInterval = try parseSeconds(minInterval, option: "--min-interval")
      }
      if let maxAge { policy.greatestAge = try parseSeconds(maxAge, option: "--max-age") }
      if let maxLead { policy.greatestLead = try parseSeconds(maxLead, option: "--max-lead") }
      if rejectSimulated { policy.rejectsSimulated = true }
      if allowNullIsland { policy.allowsNullIsland = true }
      if let reanchor {
        try requireNumber(reanchor, in: 0...1_000, option: "--reanchor")
        policy.reanchorCount = reanchor
      }
      if let first {
        try requireNumber(first, in: 1...1_000, option: "--first")
        policy.firstFixCount = first
      }
      // What motion makes likely is known with hindsight.
      if hindsight { policy.learnsMotion = false }
      return policy
    }

    /// What to change in these options, so that a fix gets the other verdict.
    func words(_ otherwise: JudgedPoint.Otherwise) -> [String] {
      let name = gate.asTyped
      return otherwise.words(
        preset: GatePolicy(named: name) == nil ? nil : name, hasRegion: region != nil,
        hasSpeed: maxSpeed != nil, isInOrder: inOrder)
    }

    /// How accurate a fix counts as that does not say it, in meters.
    func usualAccuracy() throws(ReportedError) -> Double? {
      try assumeAccuracy.map { (text) throws(ReportedError) in
        try parseDistance(text, option: "--assume-accuracy").meters
      }
    }

    /// What time it is, in seconds since 1970; nil where no rule asks.
    func clock() throws(ReportedError) -> (() -> Double)? {
      // Read even if no rule needs it, so that a typo is reported.
      let said = try now.map { (text) throws(ReportedError) -> Double in
        // As a track may have it, and as other options take it.
        if let time = TrackTime.read(text.asTyped) { return time.seconds }
        let instant = try parseInstant(
          text, option: "--now", setting: HoursSetting(), now: Console.now)
        return Double(instant.seconds)
      }
      guard maxAge != nil || maxLead != nil else { return nil }
      return { said ?? Double(Console.now.milliseconds) / 1_000 }
    }
  }

  /// How a track is read.
  struct TrackReadingOptions: ParsableArguments {
    @Option(
      help: .usual(
        "gpx, nmea, csv, geojson or geojsonseq (default: detected).", valueName: "format"),
      completion: .words(of: TrackFormat.self))
    var inputFormat: String?

    @Option(help: .usual("The column with latitudes.", valueName: "column"))
    var latField: String?

    @Option(help: .usual("The column with longitudes.", valueName: "column"))
    var lonField: String?

    @Option(help: .usual("The column with times.", valueName: "column"))
    var timeField: String?

    @Option(help: .usual("The column with accuracies in meters.", valueName: "column"))
    var accuracyField: String?

    @Option(
      name: [.customLong("tz"), .customLong("zone")],
      help: .usual(
        "The time zone of times without one: Asia/Seoul, +09:00 (default: UTC, as in all GPX and NMEA).",
        valueName: "zone"))
    var zone: String?

    @Flag(help: .rare("There is no header; columns are named 1, 2, …."))
    var noHeader = false

    @Option(help: UnpackingLimit.help)
    var maxUnpacked: String?

    /// The options understood.
    func options() throws(ReportedError) -> TrackOptions {
      var options = TrackOptions()
      options.unpackingLimit = try UnpackingLimit(option: maxUnpacked)
      if let inputFormat { options.format = try parseWord(inputFormat, option: "--input-format") }
      options.latitudeField = latField?.asTyped
      options.longitudeField = lonField?.asTyped
      options.timeField = timeField?.asTyped
      options.accuracyField = accuracyField?.asTyped
      options.zone = try zone.map { (text) throws(ReportedError) in
        try Zones.ofTheMachine.named(text.asTyped).rules
      }
      options.hasHeader = !noHeader
      return options
    }
  }

  // Rules of a gate from the command line.

  /// The policy that `--gate` names: a preset, a length (`300m`), degrees (`0.0005deg`), or `none`.
  ///
  /// - Parameters:
  ///   - axes: Which axes a threshold in degrees is about; nil where that was not said.
  ///   - countsExactly: Whether a move of exactly the threshold counts.
  func parseGate(
    _ text: String, axes: MovementRule.Axes?, countsExactly: Bool
  ) throws(ReportedError) -> GatePolicy {
    let text = text.asTyped
    let lowered = text.lowercased()
    let known = lowered == "none" ? GatePolicy() : GatePolicy(named: text)
    let endings = known == nil ? ["deg", "°"].filter { lowered.hasSuffix($0) } : []
    let idle: (option: String, remedy: String)? =
      axes != nil && endings.isEmpty
      ? ("--axes", "0.0005deg") : countsExactly && known != nil ? ("--inclusive", "300m") : nil
    if let idle {
      throw ReportedError(
        "missing-gate",
        "\(idle.option) does nothing with --gate \(text); say --gate \(idle.remedy)",
        fault: .usage)
    }
    if let known { return known }
    var policy = GatePolicy()
    for ending in endings {
      guard let degrees = finiteNumber(trimmed(text.dropLast(ending.count))), degrees >= 0 else {
        throw ReportedError(
          "bad-gate",
          "--gate \(text) is not a threshold in degrees; write one of 0 or more, such as 0.0005deg",
          fault: .usage)
      }
      // As the mart app's rule has it, unlike a length.
      policy.movement = .degrees(degrees, axes: axes ?? .any, .inclusive)
      return policy
    }
    guard text.utf8.first.map({ "+-.0123456789".utf8.contains($0) }) ?? false else {
      let names = GatePolicy.presets.map(\.name).joined(separator: ", ")
      throw ReportedError(
        "bad-gate",
        "--gate \(text) is neither a length such as 300m, nor degrees such as 0.0005deg, nor one of "
          + "\(names), none; write one of them", fault: .usage)
    }
    let meters = try parseDistance(text, option: "--gate").meters
    policy.movement = .meters(meters, countsExactly ? .inclusive : .exclusive)
    return policy
  }

  /// What to say of a bare number below 1, which is meters and looks like degrees; nil for any other gate.
  func gateNote(_ text: String) -> String? {
    let text = trimmed(text.asTyped)
    guard let meters = finiteNumber(text), meters > 0, meters < 1 else { return nil }
    return "note: --gate \(text) is \(text) m; write \(text)deg for degrees"
  }

  extension JudgedPoint.Otherwise {
    /// The settings as options of `nearby track`, and what to leave out of a line of them.
    ///
    /// - Parameters:
    ///   - preset: The preset that `--gate` names on the line; nil for none.
    ///   - hasRegion: Whether `--region` stands there, too.
    ///   - hasSpeed: Whether `--max-speed` does.
    ///   - isInOrder: Whether `--in-order` does.
    func words(preset: String?, hasRegion: Bool, hasSpeed: Bool, isInOrder: Bool) -> [String] {
      let policy = preset.flatMap { GatePolicy(named: $0) }
      let setsSpeed = settings.contains { if case .greatestSpeed = $0 { true } else { false } }
      let namesGate = settings.contains { $0.words(loosens: loosens).hasPrefix("--gate ") }
      var words = endsHindsight ? ["no --hindsight"] : []
      // A rule may come from the preset, from an option beside it, or from both.
      func leaveOut(_ setting: GateSetting, isOnLine: Bool, isInPreset: Bool) {
        let other = "another --gate than \(preset ?? "")"
        if preset != nil, isInPreset, !namesGate, !words.contains(other) { words.append(other) }
        if isOnLine { words.append(setting.words(loosens: loosens)) }
      }
      for setting in settings {
        switch setting {
        case .anyRegion:
          leaveOut(setting, isOnLine: hasRegion, isInPreset: policy?.region != nil)
        case .rejectsOutOfOrder:
          leaveOut(setting, isOnLine: isInOrder, isInPreset: policy?.rejectsOutOfOrder ?? false)
        // Faster than `--max-speed` can say.
        case .greatestSpeed(let speed) where speed > WrittenMeasure.greatestSpeed:
          leaveOut(setting, isOnLine: hasSpeed, isInPreset: policy?.greatestSpeed != nil)
        // A limit takes the place of one that is learned.
        case .learnsMotion where setsSpeed: break
        default: words.append(setting.words(loosens: loosens))
        }
      }
      return words
    }
  }

  extension GateSetting {
    /// The setting as an option of `nearby track`, its number rounded to the side that still flips
    /// the verdict.
    ///
    /// - Parameter loosens: Whether a fix is to pass that did not.
    fileprivate func words(loosens: Bool) -> String {
      switch self {
      case .movement(let rule): return GateSetting.words(rule, loosens: loosens)
      case .needsMoreThanAccuracy(let value):
        return value ? "--beyond-accuracy" : "no --beyond-accuracy"
      case .leastInterval(let seconds):
        // A fix from before the last accepted one: no interval is short enough.
        return seconds < 0
          ? "no --min-interval" : "--min-interval \(GateSetting.number(seconds, up: false))s"
      case .anyRegion: return "no --region"
      case .worstAccuracy(let meters):
        return "--max-accuracy \(GateSetting.number(meters, up: true))m"
      case .rejectsSimulated(let value):
        return value ? "--reject-simulated" : "no --reject-simulated"
      case .allowsNullIsland: return "--allow-null-island"
      case .greatestAge(let seconds): return "--max-age \(GateSetting.number(seconds, up: true))s"
      case .greatestLead(let seconds): return "--max-lead \(GateSetting.number(seconds, up: true))s"
      case .greatestSpeed(let speed):
        return speed > WrittenMeasure.greatestSpeed
          ? "no --max-speed" : "--max-speed \(GateSetting.number(speed, up: true))m/s"
      case .greatestJump(let meters): return "--max-jump \(GateSetting.number(meters, up: true))m"
      case .learnsMotion(let value):
        // The limit that `auto` and `careful` have beside what they learn.
        let limit = GateSetting.greatestSpeed(GatePolicy.careful.greatestSpeed ?? .infinity)
        return value ? "--max-speed auto" : limit.words(loosens: loosens)
      case .rejectsOutOfOrder(let value): return value ? "--in-order" : "no --in-order"
      case .reanchorCount(let count): return "--reanchor \(count)"
      case .firstFixCount(let count): return "--first \(count)"
      }
    }

    private static func words(_ rule: MovementRule, loosens: Bool) -> String {
      switch rule {
      case .meters(let meters, _):
        let threshold = threshold(beside: meters, up: !loosens, steps: abs(meters) < 1 ? 1e3 : 10)
        return threshold < 0 ? "--gate none" : "--gate \(plainDecimal(threshold))m"
      case .degrees(let degrees, _, _):
        let threshold = threshold(beside: degrees, up: !loosens, steps: 1e7)
        return threshold < 0 ? "--gate none" : "--gate \(plainDecimal(threshold))deg"
      case .degreesSouthOrWest(let degrees):
        let threshold = threshold(beside: degrees, up: !loosens, steps: 1e7)
        return "a threshold of \(plainDecimal(threshold))°"
      }
    }

    /// The next threshold above or below a move, rounded to a part of a unit: a tenth if there are ten steps.
    ///
    /// Never the move itself, nor what a gate takes for it: whether that much counts is another setting.
    private static func threshold(beside move: Double, up: Bool, steps: Double) -> Double {
      var count = (move * steps).rounded(up ? .up : .down)
      if abs(count / steps - move) * steps < 1e-2 { count += up ? 1 : -1 }
      return count / steps
    }

    /// A number to a tenth, or to a thousandth below 1, rounded up or down.
    private static func number(_ value: Double, up: Bool) -> String {
      let steps: Double = abs(value) < 1 ? 1e3 : 10
      return plainDecimal((value * steps).rounded(up ? .up : .down) / steps)
    }
  }
#endif
