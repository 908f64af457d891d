#if CommandLine
  import AnnotationImport
  import ArgumentParser
  import GPXCoding
  import Geodesy
  import LocationFiltering
  import TrackImport

  /// Which fixes a gate lets through.
  struct GateOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        """
        How far a fix must have moved: 300m, 0.0005deg, none, or a preset: cinema300m, \
        mart0.0005deg, martAsBuilt, careful.
        """, valueName: "threshold"))
    var gate = "300m"

    @Flag(help: "Exactly the threshold counts; of degrees it does anyway.")
    var inclusive = false

    @Option(
      help: ArgumentHelp("With degrees: on any axis, or on all.", valueName: "any|all"),
      completion: .words(of: AxesWord.self))
    var axes = "any"

    @Option(
      help: ArgumentHelp(
        "Moves are measured from the last accepted or the last seen fix.",
        valueName: "accepted|seen"),
      completion: .words(of: ReferenceWord.self))
    var reference: String?

    @Option(
      help: ArgumentHelp(
        "Where fixes must lie: KR, JP, kr-mart-box, a box W,S,E,N or a GeoJSON file.",
        valueName: "region"))
    var region: String?

    @Option(help: ArgumentHelp("Reject fixes that are less accurate.", valueName: "dist"))
    var maxAccuracy: String?

    @Option(
      help: ArgumentHelp("How accurate fixes are that do not say it.", valueName: "dist"))
    var assumeAccuracy: String?

    @Flag(help: "Hold moves that are no longer than the two accuracies together.")
    var beyondAccuracy = false

    @Option(
      help: ArgumentHelp(
        "Reject what would be faster: 12m/s, 50km/h; auto learns it from the track.",
        valueName: "speed|auto"))
    var maxSpeed: String?

    @Option(
      help: ArgumentHelp("Reject longer steps, however long they took.", valueName: "dist"))
    var maxJump: String?

    @Flag(help: "Reject fixes that are older than the last good one.")
    var inOrder = false

    @Option(
      help: ArgumentHelp("Hold fixes that come sooner after an accepted one.", valueName: "time"))
    var minInterval: String?

    @Option(
      help: ArgumentHelp("Reject fixes that are older: 30s, 5min, 1h.", valueName: "time"))
    var maxAge: String?

    @Option(
      help: ArgumentHelp("Reject fixes that are farther in the future.", valueName: "time"))
    var maxLead: String?

    @Option(
      help: ArgumentHelp(
        "What time it is for these two; the clock's when nothing is said.", valueName: "time"))
    var now: String?

    @Flag(help: "Reject fixes that a program made up.")
    var rejectSimulated = false

    @Flag(help: "Take positions at 0,0 for real.")
    var allowNullIsland = false

    @Option(
      help: ArgumentHelp(
        "Believe rejected fixes after so many that agree with each other; 0 for never.",
        valueName: "n"))
    var reanchor: Int?

    @Option(
      help: ArgumentHelp("How many first fixes must agree.", valueName: "n"))
    var first: Int?

    @Flag(
      help: """
        Judge each fix with hindsight, when eight more have come, and reject what those before and \
        after it contradict.
        """)
    var hindsight = false

    enum AxesWord: String, CaseIterable { case any, all }
    enum ReferenceWord: String, CaseIterable { case accepted, seen }

    /// The options understood.
    func policy() throws(CommandError) -> GatePolicy {
      let axes: AxesWord = try parseWord(axes, option: "--axes")
      var policy = try parseGate(
        gate, axes: axes == .any ? .any : .all, countsExactly: inclusive ? true : nil)
      if let reference {
        let word: ReferenceWord = try parseWord(reference, option: "--reference")
        policy.reference = word == .accepted ? .lastAccepted : .lastSeen
      }
      if let region {
        policy.region = try RegionOption.region(ArgumentPreparation.restored(region))
      }
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
      if let reanchor { policy.reanchorCount = try count(reanchor, "--reanchor", least: 0) }
      if let first { policy.firstFixCount = try count(first, "--first", least: 1) }
      // What motion makes likely is known with hindsight.
      if hindsight { policy.learnsMotion = false }
      return policy
    }

    private func count(_ number: Int, _ option: String, least: Int) throws(CommandError) -> Int {
      guard (least...1_000).contains(number) else {
        throw CommandError(
          "bad-count", "\(option) \(number) is outside \(least)…1000; write a number in it",
          status: .usage)
      }
      return number
    }

    /// How accurate a fix counts as that does not say it, in meters.
    func usualAccuracy() throws(CommandError) -> Double? {
      try assumeAccuracy.map { (text) throws(CommandError) in
        try parseDistance(text, option: "--assume-accuracy").meters
      }
    }

    /// What time it is, in seconds since 1970; nil where no rule asks.
    func clock() throws(CommandError) -> (() -> Double)? {
      guard maxAge != nil || maxLead != nil else { return nil }
      guard let now else { return { Double(Console.now.milliseconds) / 1_000 } }
      let text = ArgumentPreparation.restored(now)
      guard let seconds = GPXTime.seconds(text) else {
        throw CommandError(
          "bad-time", "--now \(text) is no time; write one such as 2026-11-22T09:00:00Z",
          status: .usage)
      }
      return { seconds }
    }
  }

  /// How a track is read.
  struct TrackReadingOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "gpx, nmea, csv, geojson or geojsonseq; otherwise it is told by what is in it.",
        valueName: "format"),
      completion: .words(of: TrackFormat.self))
    var inputFormat: String?

    @Option(help: ArgumentHelp("The column that holds latitudes.", valueName: "column"))
    var latField: String?

    @Option(help: ArgumentHelp("The column that holds longitudes.", valueName: "column"))
    var lonField: String?

    @Option(help: ArgumentHelp("The column that holds times.", valueName: "column"))
    var timeField: String?

    @Option(
      help: ArgumentHelp("The column that holds accuracies in meters.", valueName: "column"))
    var accuracyField: String?

    @Flag(help: "The first row is data; columns are named 1, 2, ….")
    var noHeader = false

    @Option(help: UnpackingLimit.help)
    var maxUnpacked: String?

    /// The options understood.
    func options() throws(CommandError) -> TrackOptions {
      var options = TrackOptions()
      options.unpackingLimit = try UnpackingLimit(option: maxUnpacked)
      if let inputFormat { options.format = try parseWord(inputFormat, option: "--input-format") }
      options.latitudeField = latField.map(ArgumentPreparation.restored)
      options.longitudeField = lonField.map(ArgumentPreparation.restored)
      options.timeField = timeField.map(ArgumentPreparation.restored)
      options.accuracyField = accuracyField.map(ArgumentPreparation.restored)
      options.hasHeader = !noHeader
      return options
    }
  }
#endif
