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
        "What the second view shows: today, tomorrow, month, all, or a date such as 2026-11-22.",
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

      let sink = try OutputSink(file)
      let bytes =
        format == .geojson ? change.geoJSON { $0.drawnFeature(keeping: nil) } : change.json
      try sink.write(bytes + [UInt8(ascii: "\n")])
      try sink.finish()
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
      json.name("bbox")
      json.beginArray()
      for edge in [box.west, box.south, box.east, box.north] { json.number(edge) }
      json.endArray()
      json.name("annotations")
      json.beginObject()
      json.list("added", pins.added) { $0.feature($1.drawnFeature(keeping: nil)) }
      json.list("removed", pins.removed) { $0.string($1.id.text) }
      json.list("updated", pins.updated) { $0.feature($1.drawnFeature(keeping: nil)) }
      json.list("kept", pins.kept) { $0.string($1.id.text) }
      json.endObject()
      json.name("clusters")
      json.beginObject()
      json.list("added", clusters.added) { $0.feature($1.feature) }
      json.list("removed", clusters.removed) { $0.number($1.id.number) }
      json.list("updated", clusters.updated) { $0.feature($1.feature) }
      json.list("kept", clusters.kept) { $0.number($1.id.number) }
      json.list("births", clusters.births) { $0.number($1.number) }
      json.list("deaths", clusters.deaths) { $0.number($1.number) }
      json.list("splits", clusters.splits) { json, split in
        json.beginObject()
        json.member("parent", .integer(split.parent.number))
        json.list("clusters", split.clusters) { $0.number($1.number) }
        json.list("annotations", split.annotations) { $0.string($1.text) }
        json.endObject()
      }
      json.list("merges", clusters.merges) { json, merge in
        json.beginObject()
        json.member("cluster", .integer(merge.cluster.number))
        json.list("clusters", merge.clusters) { $0.number($1.number) }
        json.list("annotations", merge.annotations) { $0.string($1.text) }
        json.endObject()
      }
      json.endObject()
      json.endObject()
      return json.bytes
    }
  }

  extension JSONWriter {
    /// Writes a member that is a list.
    fileprivate mutating func list<Element>(
      _ name: String, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
      self.name(name)
      beginArray()
      for element in elements { write(&self, element) }
      endArray()
    }
  }
#endif
