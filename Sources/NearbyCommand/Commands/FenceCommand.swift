#if CommandLine
  import AnnotationSources
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
          nearby fence walk.gpx parking.csv --fences-crs EPSG:5179 --radius 50m
          gpspipe -r | nearby fence - home.geojson --max-speed 50m/s
        """)

    @Argument(
      help: .usual("The track, or - for standard input.", valueName: "track"), completion: .file())
    var track: String

    @Argument(
      help: .usual("Polygons, or points with a radius.", valueName: "fences"), completion: .file())
    var fences: String

    @OptionGroup(title: "Fences") var fenceOptions: FenceOptions

    @OptionGroup(title: "Gate") var gate: GateOptions

    @OptionGroup(title: "Input for TRACK") var reading: TrackReadingOptions

    @OptionGroup(title: "Input for FENCES", visibility: .rare)
    var fenceReading: SourceOptions<FenceSide>

    @Flag(help: "After the track, print which regions a phone should watch from there.")
    var plan = false

    @Option(
      help: .rare("With --plan: how many regions a phone watches (default: 20).", valueName: "n"))
    var regions: Int?

    @OptionGroup var written: WrittenOutput<FenceOutputFormat>

    @Flag(
      help: "Write a web page with the track, the fences and the events, as --format html does.")
    var html = false

    @Flag(help: "Print all reasons, and which fixes were ignored and why.")
    var explain = false

    func run() throws {
      // Rejected fences are written before the track is read, and events meanwhile.
      ReadFiles.note(FileName(argument: track))
      let (output, asked) = try written.claim(html: html)
      let format = asked ?? .table
      if let regions { try requireNumber(regions, in: 2...1_000, option: "--regions") }
      if !plan { try refuse(["--regions": regions != nil], without: "--plan") }
      if plan, format != .table, format != .json {
        throw ReportedError(
          "bad-format", "--plan is part of table and json; say --format json", fault: .usage)
      }
      let gatePolicy = try gate.policy()
      let clock = try gate.clock()
      let accuracy = try gate.usualAccuracy()
      let rules = try fenceOptions.rules()
      let options = try reading.options()
      let index = FenceIndex(
        try fenceOptions.fences(
          of: FileName(argument: fences), fenceReading, unpacking: options.unpackingLimit,
          allowsNullIsland: gate.allowNullIsland))
      let sink = try OutputSink(output)
      var run = FenceRun(
        session: FenceSession(FenceMonitor(index, rules), gate: LocationGate(gatePolicy)),
        review: TrackReview(
          gatePolicy, hasHindsight: gate.hindsight, usualAccuracy: accuracy, now: clock),
        format: format, explains: explain, sink: sink,
        width: Console.width(onTerminal: Console.showsOnTerminal(output)), remark: Console.remark)
      run.title = FileName(argument: track).title
      try TrackInput.read(
        FileName(argument: track), options, remark: Console.remark
      ) { (points, _) throws(ReportedError) in try run.take(points) }
      try run.finish(regions: plan ? regions ?? 20 : nil)
      try sink.finish()
    }
  }
#endif
