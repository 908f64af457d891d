#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import ViewportClustering

  /// `nearby cluster`: what a map shows, and what changes from one view to another.
  struct ClusterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "cluster",
      abstract: "Print what a map shows at a zoom: clusters and single annotations, as GeoJSON.",
      subcommands: [ClusterViewCommand.self, ClusterDiffCommand.self],
      defaultSubcommand: ClusterViewCommand.self)
  }

  /// `nearby cluster --bbox W,S,E,N --zoom Z`.
  struct ClusterViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "view",
      abstract: "Print what a map shows in a box at a zoom, as GeoJSON.",
      discussion: """
        The box is widened to whole cells of its zoom. The collection's bbox is the widened box, \
        and the counts add up to the annotations in it. A line or an area that stands alone is \
        drawn whole, even if most of it is outside the box. Zooms are numbered as in MapLibre, \
        where the world is 512 · 2^zoom pixels wide. In Leaflet and Google Maps the same zoom is \
        one higher.

          nearby cluster --bbox 126.9,37.4,127.1,37.6 --zoom 12 shops.csv
        """)

    @Option(
      help: .usual(
        "The box: west,south,east,north; west > east crosses ±180°.", valueName: "w,s,e,n"))
    var bbox: String?

    @Option(help: .usual("The zoom, 0…24.", valueName: "zoom"))
    var zoom: String?

    @OptionGroup(title: "Clusters") var clusters: ClusterOptions
    @OptionGroup var input: InputOptions

    @Option(
      help: .usual(
        "Add to each cluster: kind for counts by kind, or a field for its minimum, maximum and sum.",
        valueName: "a,b"))
    var aggregate: String?

    @Option(
      help: .usual(
        "Only what is valid on a date: today, tomorrow, this-month, all, 2026-11-22 or 2026-11-22/2026-11-28.",
        valueName: "segment"))
    var segment: String?

    @OptionGroup var written: WrittenOutput<ClusterFormat>

    @Option(help: .usual("Show only these of the source's own columns.", valueName: "a,b"))
    var fields: String?

    func run() throws {
      guard let bbox else {
        throw ReportedError(
          "missing-bbox",
          "say which box: nearby cluster --bbox 126.9,37.4,127.1,37.6 --zoom 12 shops.csv",
          fault: .usage)
      }
      guard let zoom else {
        throw ReportedError("missing-zoom", "say at which zoom: --zoom 12", fault: .usage)
      }
      let viewport = MapViewport(try parseBox(bbox), zoom: try parseZoom(zoom))
      let (file, format) = try written.claim()
      let rule = try clusters.drawing.rule()
      var question = try Question(clusters.choice, clusters.open)
      let days = try parseSegment(self.segment, option: "--segment")
      let clocks = try clusters.open.zone.clocks()
      let aggregates = ClusterAggregates(named: aggregate)

      let annotations = try Source.annotations(input)
      try annotations.sumRemarks(aggregates.properties, of: "--aggregate").forEach(Console.remark)
      let fields = try OutputOptions.columns(self.fields, of: annotations)
      if days != .all {
        question.query.dates = QueryDates(
          .segment(days), today: clocks.today(at: nil, orAmong: annotations, now: Console.now))
      }
      let index = ClusterIndex(
        try question.chosen(of: annotations, remark: Console.remark), rule: rule,
        aggregates: aggregates)
      let sink = try OutputSink(file)
      try ClusterViewCommand.write(
        index.view(of: viewport), of: index, keeping: fields, as: (format ?? .geojson).writing,
        to: sink)
      try sink.finish()
    }

    private static func write(
      _ view: ClusterView, of index: ClusterIndex<ImportedAnnotations>, keeping fields: [String]?,
      as format: GeoJSONWriter.Format, to sink: OutputSink
    ) throws(ReportedError) {
      var writer = GeoJSONWriter(format)
      writer.begin(bbox: view.box, members: ["zoom": .integer(view.zoom)])
      for cluster in view.clusters {
        var feature = cluster.feature
        if index.aggregates != ClusterAggregates(), let summary = index.summary(of: cluster.id) {
          feature.properties?.entries += summary.featureProperties.entries
        }
        writer.write(feature)
      }
      for offset in view.annotations {
        writer.write(index.annotation(at: offset).drawnFeature(keeping: fields))
        if writer.bytes.count > OutputSink.chunk { try sink.write(writer.takeBytes()) }
      }
      writer.end()
      try sink.write(writer.takeBytes())
    }
  }

  /// What a view is written as; `json` and `jsonl` are read as what they are made of.
  enum ClusterFormat: String, WrittenFormat {
    case geojson, geojsonseq, json, jsonl

    var writing: GeoJSONWriter.Format {
      switch self {
      case .geojson, .json: .featureCollection
      case .geojsonseq, .jsonl: .sequence(recordSeparators: false)
      }
    }
  }

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

    @Option(help: .usual("The view shown now: west,south,east,north,zoom.", valueName: "w,s,e,n,z"))
    var fromView: String?

    @Option(help: .usual("The view to show next.", valueName: "w,s,e,n,z"))
    var toView: String?

    @Option(
      help: .usual(
        "What the second view shows: today, tomorrow, this-month, all, 2026-11-22 or 2026-11-22/2026-11-28.",
        valueName: "segment"))
    var segment: String?

    @Option(help: .usual("What the first view shows.", valueName: "segment"))
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
      let session = MapSession(
        try question.chosen(of: annotations, remark: Console.remark), rule: rule)
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
