#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import LocationFiltering
  import TrackImport

  /// `nearby track FILE`: what a gate says of each fix, and what is left of the track.
  struct TrackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "track",
      abstract: "Judge each fix of a track: accepted, held or rejected, and why.",
      discussion: """
        Reads GPX, NMEA, GeoJSON or the rows of a log (CSV, or a JSON object on each line), and \
        detects which. - is standard input, answered fix by fix as it arrives. Accepted fixes \
        count. A held fix is good, but too near the last accepted one, or too soon after it, to \
        search again. Rejected fixes are not trusted. With gpx or geojson, writes the cleaned \
        track: the fixes that are believed, which are neither rejected nor still in doubt. From \
        GPX to GPX everything else is kept, byte for byte.

          nearby track walk.gpx --gate 300m --max-speed 12m/s --explain
          nearby track walk.gpx --gate careful --hindsight -o clean.gpx
          nearby track walk.gpx --html -o walk.html
          gpspipe -r | nearby track - --gate 300m --region KR
        """)

    @Argument(
      help: .usual("The track, or - for standard input.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup(title: "Gate") var gate: GateOptions

    @OptionGroup(title: "Input") var reading: TrackReadingOptions

    @OptionGroup var written: WrittenOutput<TrackOutputFormat>

    @Flag(help: "Write a web page with the track and the rejected fixes, as --format html does.")
    var html = false

    @Flag(
      help: """
        Print all reasons, and which setting would have changed the verdict if all earlier \
        verdicts stay the same.
        """)
    var explain = false

    @Flag(help: "Show only the summary and the map; in json, the summary.")
    var summary = false

    @Flag(help: "Leave out the map below the table.")
    var noMap = false

    @Flag(help: "In gpx and geojson, write only accepted fixes.")
    var acceptedOnly = false

    @Option(
      help: .usual(
        "In gpx and geojson, move each fix toward where someone moving at this speed probably was.",
        valueName: "speed"))
    var smooth: String?

    @OptionGroup(title: "Map", visibility: .rare) var map: MapOptions

    func run() throws {
      let (output, asked) = try written.claim(html: html)
      let plan = try map.plan(onTerminal: Console.showsOnTerminal(output))
      let format = asked ?? .table
      if summary, format != .table, format != .json {
        throw ReportedError(
          "bad-format", "--summary has no form in \(format.rawValue); say --format table or json",
          fault: .usage)
      }
      let smoother = try smooth.map { (text) throws(ReportedError) in
        TrackSmoother(speed: try parseSpeed(text, option: "--smooth"))
      }
      if smoother != nil || acceptedOnly, format != .gpx, format != .geojson {
        throw ReportedError(
          "bad-format",
          "\(smoother != nil ? "--smooth" : "--accepted-only") is about the cleaned track; "
            + "say --format gpx or --format geojson", fault: .usage)
      }
      let judge = TrackJudge(
        try gate.policy(), hasHindsight: gate.hindsight,
        usualAccuracy: try gate.usualAccuracy(), explains: explain, now: try gate.clock())
      let options = try reading.options()
      // Verdicts are written while it is read.
      ReadFiles.note(FileName(argument: file))
      let sink = try OutputSink(output)
      var run = TrackRun(
        judge: judge, format: format, explains: explain, listsFixes: !summary,
        drawsMap: format == .table && !noMap, sink: sink,
        width: Console.width(onTerminal: Console.showsOnTerminal(output)), words: gate.words)
      run.title = FileName(argument: file).title
      run.clean = CleanTrack(keepsAcceptedOnly: acceptedOnly, smoother: smoother)
      let counts = try TrackInput.read(
        FileName(argument: file), options, keepsSource: format == .gpx, remark: Console.remark
      ) { (points, source) throws(ReportedError) in try run.take(points, source) }
      try run.finish(counts, map: noMap ? nil : plan)
      run.remarks.forEach(Console.remark)
      try sink.finish()
    }
  }
#endif
