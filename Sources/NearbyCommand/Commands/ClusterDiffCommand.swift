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

          nearby cluster diff --from-view 126.9,37.4,127.1,37.6,12 \
        --to-view 126.95,37.4,127.15,37.6,12 shops.csv
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

      let bytes =
        format == .geojson ? change.geoJSON { $0.drawnFeature(keeping: nil) } : change.json
      try Files.write(bytes + [UInt8(ascii: "\n")], to: file)
    }
  }

  /// What a change is written as.
  enum DiffFormat: String, WrittenFormat { case json, geojson }

  extension MapChange<ImportedAnnotation> {
    /// The whole change: features of what is added and updated, ids of what is removed and kept.
    fileprivate var json: [UInt8] {
      var json = JSONWriter()
      json.beginObject()
      json.member("zoom", .integer(zoom))
      json.member("bbox", each: [box.west, box.south, box.east, box.north]) { $0.number($1) }
      json.name("annotations")
      json.beginObject()
      json.member("added", each: pins.added) { $0.feature($1.drawnFeature(keeping: nil)) }
      json.member("removed", each: pins.removed) { $0.string($1.id.text) }
      json.member("updated", each: pins.updated) { $0.feature($1.drawnFeature(keeping: nil)) }
      json.member("kept", each: pins.kept) { $0.string($1.id.text) }
      json.endObject()
      json.name("clusters")
      json.beginObject()
      json.member("added", each: clusters.added) { $0.feature($1.feature) }
      json.member("removed", each: clusters.removed) { $0.number($1.id.number) }
      json.member("updated", each: clusters.updated) { $0.feature($1.feature) }
      json.member("kept", each: clusters.kept) { $0.number($1.id.number) }
      json.member("births", each: clusters.births) { $0.number($1.number) }
      json.member("deaths", each: clusters.deaths) { $0.number($1.number) }
      json.member("splits", each: clusters.splits) { json, split in
        json.beginObject()
        json.member("parent", .integer(split.parent.number))
        json.member("clusters", each: split.clusters) { $0.number($1.number) }
        json.member("annotations", each: split.annotations) { $0.string($1.text) }
        json.endObject()
      }
      json.member("merges", each: clusters.merges) { json, merge in
        json.beginObject()
        json.member("cluster", .integer(merge.cluster.number))
        json.member("clusters", each: merge.clusters) { $0.number($1.number) }
        json.member("annotations", each: merge.annotations) { $0.string($1.text) }
        json.endObject()
      }
      json.endObject()
      json.endObject()
      return json.bytes
    }
  }
#endif
