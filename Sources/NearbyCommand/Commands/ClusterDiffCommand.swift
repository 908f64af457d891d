#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import ViewportClustering

  /// `nearby cluster diff`: what a map has to change from one view to another.
  struct ClusterDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Print what a map adds, removes, updates and keeps between two views.",
      discussion: """
        Prints JSON, or with --format geojson the diff that MapLibre's updateData takes. \
        Annotations are matched by id; if several have the same id, the last counts.

          nearby cluster diff --from-view 126,37,127,38,9 --to-view 127,37,128,38,9
        """)

    @Option(
      help: ArgumentHelp("The view shown now: west,south,east,north,zoom.", valueName: "w,s,e,n,z"))
    var fromView: String?

    @Option(help: ArgumentHelp("The view to show next.", valueName: "w,s,e,n,z"))
    var toView: String?

    @Option(
      help: ArgumentHelp(
        "What the second view shows: today, tomorrow, this-month, all, 2026-11-22 or 2026-11-22/2026-11-28.",
        valueName: "segment"))
    var segment: String?

    @Option(help: ArgumentHelp("What the first view shows.", valueName: "segment"))
    var fromSegment: String?

    @OptionGroup(title: "Clusters") var clusters: ClusterOptions
    @OptionGroup var input: InputOptions

    @OptionGroup var written: WrittenOutput<DiffFormat>

    func run() throws {
      guard let fromView, let toView else {
        throw ReportedError(
          "missing-view",
          "say from which view to which: --from-view W,S,E,N,Z --to-view W,S,E,N,Z",
          fault: .usage)
      }
      let views = (
        from: try parseView(fromView, option: "--from-view"),
        to: try parseView(toView, option: "--to-view")
      )
      let segments = (
        from: try parseSegment(fromSegment, option: "--from-segment"),
        to: try parseSegment(segment, option: "--segment")
      )
      let clocks = try clusters.open.zone.clocks()
      let (file, format) = try written.claim()
      let rule = try clusters.drawing.rule()
      let question = try Question(clusters.choice, clusters.open)
      let annotations = try Source.annotations(input)
      let today = clocks.today(at: nil, orAmong: annotations, now: Console.now)
      let session = MapSession(try question.chosen(of: annotations), rule: rule)
      _ = session.setSegment(.days(segments.from, today: today))
      _ = session.move(to: views.from)
      let change = session.change(to: views.to, .days(segments.to, today: today))

      func drawn(_ annotation: ImportedAnnotation) -> Feature {
        annotation.drawnFeature(keeping: nil)
      }
      let bytes =
        format == .geojson ? change.geoJSON(drawing: drawn) : change.json(drawing: drawn)
      try Files.write(bytes + [UInt8(ascii: "\n")], to: file)
    }
  }

  /// What a change is written as.
  enum DiffFormat: String, WrittenFormat { case json, geojson }
#endif
