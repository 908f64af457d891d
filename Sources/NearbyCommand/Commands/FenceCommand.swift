#if CommandLine
  import ArgumentParser
  import Geodesy
  import Geofencing
  import LocationFiltering
  import TrackImport

  /// `nearby fence TRACK FENCES`: what happens at fences along a track.
  struct FenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "fence",
      abstract: "Report which fences a track enters, leaves, crosses and dwells in, and why.",
      discussion: """
        FENCES are polygons, or points with a radius: from a column or property named radius, or \
        --radius for all. TRACK is GPX, NMEA, rows of a log or GeoJSON; - is standard input, \
        answered fix by fix as it arrives. A gate judges each fix first. Fixes that it rejects are \
        ignored, and so are late fixes.

          nearby fence walk.gpx shops.csv --radius 100m --dwell 5min
          nearby fence walk.gpx districts.geojson --policy phone --format jsonl
          nearby fence walk.gpx parks.geojson --html -o walk.html
          nearby fence walk.gpx parking.csv --fences-crs EPSG:5179 --fences-y Y --fences-x X --radius 50m
          gpspipe -r | nearby fence - home.geojson --max-speed 50m/s
        """)

    @Argument(
      help: ArgumentHelp("The track, or - for standard input.", valueName: "track"),
      completion: .file())
    var track: String

    @Argument(
      help: ArgumentHelp("Polygons, or points with a radius.", valueName: "fences"),
      completion: .file())
    var fences: String

    @OptionGroup(title: "Fences") var fenceOptions: FenceOptions

    @OptionGroup(title: "Gate") var gate: GateOptions

    @OptionGroup(title: "Input for TRACK") var reading: TrackReadingOptions

    @OptionGroup(title: "Input for FENCES") var fenceReading: FenceReadingOptions

    @Flag(help: "After the track, print which regions a phone should watch from there.")
    var plan = false

    @Option(help: ArgumentHelp("For --plan: how many regions a phone watches.", valueName: "n"))
    var regions = 20

    @Option(
      help: ArgumentHelp("table, jsonl, json, csv, geojson or html.", valueName: "format"),
      completion: .words(of: FenceOutputFormat.self))
    var format: String?

    @Option(
      name: [.short, .long],
      help: ArgumentHelp("Write to this file; its extension sets the format.", valueName: "file"),
      completion: .file())
    var output: String?

    @Flag(
      help: "Write a web page with the track, the fences and the events, as --format html does.")
    var html = false

    @Flag(help: "Print all reasons, and which fixes were ignored and why.")
    var explain = false

    func run() throws {
      // Rejected fences are written before the track is read, and events meanwhile.
      ReadFiles.note(FileName(argument: track))
      let output = try OutputFiles.claim(output)
      let format =
        html ? .html : try FenceOutputFormat.asked(format, for: output) ?? .table
      guard (2...1_000).contains(regions) else {
        throw CommandError(
          "bad-count", "--regions \(regions) is outside 2…1000; write a number in that range",
          status: .usage)
      }
      if plan, format != .table, format != .json {
        throw CommandError(
          "bad-format", "--plan is part of table and json; say --format json", status: .usage)
      }
      let gatePolicy = try gate.policy(), clock = try gate.clock()
      let accuracy = try gate.usualAccuracy()
      let rules = try fenceOptions.rules()
      let options = try reading.options()
      let index = FenceIndex(
        try fenceOptions.fences(
          of: FileName(argument: fences), fenceReading, unpacking: options.unpackingLimit))
      let sink = try OutputSink(output)
      var run = FenceRun(
        session: FenceSession(FenceMonitor(index, rules), gate: LocationGate(gatePolicy)),
        review: TrackReview(
          gatePolicy, hasHindsight: gate.hindsight, usualAccuracy: accuracy, now: clock),
        format: format, explains: explain, sink: sink,
        width: Console.width(onTerminal: Console.showsOnTerminal(output)))
      run.title = FileName(argument: track).title
      try TrackInput.read(FileName(argument: track), options) { (points) throws(CommandError) in
        try run.take(points)
      }
      try run.finish(regions: plan ? regions : nil)
      try sink.finish()
    }
  }

  /// How events are written.
  enum FenceOutputFormat: String, WrittenFormat { case table, jsonl, json, csv, geojson, html }

  /// One track on its way past fences.
  private struct FenceRun {
    var session: FenceSession
    private var review: TrackReview
    let format: FenceOutputFormat
    let explains: Bool
    let sink: OutputSink
    let text: FenceText
    private var data: FenceData
    private var page = TrackPage()
    /// What a page is called.
    var title = ""
    private var tally = FenceTally()
    private var part = 0
    private var hasBegun = false

    init(
      session: FenceSession, review: TrackReview, format: FenceOutputFormat, explains: Bool,
      sink: OutputSink, width: Int
    ) {
      self.session = session
      self.review = review
      self.format = format
      self.explains = explains
      self.sink = sink
      text = FenceText(width: width, explains: explains)
      data = FenceData(fences: session.monitor.index.fences)
      if format == .html { page.add(session.monitor.index.fences) }
    }

    /// Takes fixes and writes at once what happened at those whose turn it is.
    mutating func take(_ points: [TrackPoint]) throws(CommandError) {
      try write(points.compactMap { review.take($0) })
    }

    private mutating func write(_ points: [ReviewedPoint]) throws(CommandError) {
      var bytes: [UInt8] = []
      for reviewed in points {
        tally.fixes += 1
        tally.unreadTimes.add(reviewed.point)
        bytes += bytesOf(reviewed, number: tally.fixes)
        if bytes.count > OutputSink.chunk {
          try sink.write(bytes)
          bytes = []
        }
      }
      if !bytes.isEmpty { try sink.write(bytes) }
    }

    /// What is written of one fix.
    private mutating func bytesOf(_ reviewed: ReviewedPoint, number: Int) -> [UInt8] {
      let point = reviewed.point
      if let why = point.problem?.description ?? reviewed.fix.objection?.description {
        tally.rejected += 1
        if format == .html { page.add(rejected: point, number: number, why: why) }
        guard explains, format == .table else { return [] }
        return Array((begin() + text.remark(number, point, "rejected", why)).utf8)
      }
      let update = session.take(
        reviewed.fix.fix, now: reviewed.fix.now, isContinuous: point.part == part)
      part = point.part
      tally.add(update)
      if format == .html {
        add(update, number: number, point)
        return []
      }
      var bytes: [UInt8] = []
      guard format == .table else {
        for event in update.events {
          bytes += data.bytes(of: event, fix: number, point, in: format, isFirst: !hasBegun)
          hasBegun = true
        }
        return bytes
      }
      if explains {
        if update.verdict.isRejected || update.isWaiting {
          let why = update.verdict.reasons.map(\.description).joined(separator: ", ")
          bytes += (begin() + text.remark(number, point, update.verdict.name, why)).utf8
        } else if let lateness = update.lateness {
          let why = "\(text.number(lateness)) s before the last fix"
          bytes += (begin() + text.remark(number, point, "late", why)).utf8
        }
      }
      for event in update.events {
        let fence = session.monitor.index.fences[event.fence]
        bytes += (begin() + text.lines(number, point, event, fence)).utf8
      }
      return bytes
    }

    private mutating func add(_ update: FenceSession.Update, number: Int, _ point: TrackPoint) {
      if update.verdict.isRejected {
        let why = update.verdict.reasons.map(\.description).joined(separator: ", ")
        page.add(rejected: point, number: number, why: why)
      } else if update.lateness == nil {
        page.add(believed: point)
      }
      for event in update.events {
        page.add(event, at: session.monitor.index.fences[event.fence], number: number, point)
      }
    }

    private mutating func begin() -> String {
      defer { hasBegun = true }
      return hasBegun ? "" : text.header
    }

    mutating func finish(regions: Int?) throws(CommandError) {
      try write(review.finish())
      let monitor = session.monitor
      let plan = regions.flatMap { regions -> RegionPlan? in
        var limits = RegionPlan.Limits()
        limits.count = regions
        return monitor.lastPosition.map { monitor.index.regionPlan(at: $0, limits: limits) }
      }
      switch format {
      case .table:
        var ending = (hasBegun ? "\n" : "") + text.summary(tally, monitor)
        if regions != nil { ending += text.plan(plan, monitor.index.fences) }
        try sink.write(Array(ending.utf8))
      case .html: try sink.write(page.bytes(titled: title))
      default:
        try sink.write(
          data.ending(
            of: tally, monitor, plan, asksForPlan: regions != nil, in: format, isFirst: !hasBegun))
        if tally.rejected + tally.late > 0, format != .json {
          Console.remark(
            "note: \(grouped(tally.rejected)) of \(grouped(tally.fixes)) fixes rejected, "
              + "\(grouped(tally.late)) late; they changed nothing")
        }
      }
      if let unread = tally.unreadTimes.remark(of: tally.fixes) { Console.remark(unread) }
    }
  }
#endif
