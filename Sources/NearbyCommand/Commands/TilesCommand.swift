#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import ViewportClustering
  import WebMaps

  /// `nearby tiles SOURCE -o FILE.pmtiles`: vector tiles for web maps.
  struct TilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tiles",
      abstract: "Write vector tiles for web maps: one PMTiles archive, or a folder of z/x/y.mvt.",
      discussion: """
        The tiles of every zoom contain every annotation unless you set a limit. What a limit \
        leaves out is counted in its tile, in layer NAME_dropped. Lines and polygons are clipped \
        and simplified. Those smaller than 3 of a tile's 4096 units are counted but not drawn \
        until a deeper zoom. Only points are clustered.

          nearby tiles deals.geojson -z 0-14 --cluster -o deals.pmtiles
          nearby tiles shops.csv -z 0-10 -o tiles/ --style tiles.json
        """)

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Tiles") var tiles: TileOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions
    @OptionGroup(title: "Clusters", visibility: .rare) var clusters: ClusterRuleOptions

    @Option(
      help: .rare(
        "Add to each cluster: kind for counts by kind, or a field for its minimum, maximum and sum.",
        valueName: "a,b"))
    var aggregate: String?

    @Option(help: .usual("Show only these of the source's own columns.", valueName: "a,b"))
    var fields: String?

    @Option(
      name: [.short, .long],
      help: .usual("The archive, ending in .pmtiles, or a folder, ending in /.", valueName: "file"),
      completion: .file())
    var output: String?

    @Option(
      help: .usual("Write a MapLibre style for the tiles as well.", valueName: "file"),
      completion: .file())
    var style: String?

    @Option(
      help: .rare(
        "For --style: where a server will have the tiles (default: http://localhost:8000/ and -o).",
        valueName: "address"))
    var servedAt: String?

    @Flag(name: [.short, .long], help: .rare("Show no progress and no summary, only warnings."))
    var quiet = false

    func run() throws {
      if !tiles.cluster {
        try refuse(
          [
            "--cell-size": clusters.cellSize != nil, "--max-zoom": clusters.maxZoom != nil,
            "--min-count": clusters.minCount != nil, "--aggregate": aggregate != nil,
          ], without: "--cluster")
      }
      if self.style == nil { try refuse(["--served-at": servedAt != nil], without: "--style") }
      let target = try TileTarget(output, servedAt: servedAt)
      let style = try OutputFiles.claim(style, option: "--style").map {
        (file) throws(ReportedError) in try TileStyle(file, of: target)
      }
      var input = input
      let question = try Question(filter, &input)
      let rules = try tiles.rules(
        layer: TilesCommand.layerName(of: input), isCompressed: target.isCompressed)
      let clusterRule =
        tiles.cluster ? try tiles.clusterRule(clusters, in: rules.zooms) : nil
      let aggregates = ClusterAggregates(named: aggregate)
      let (annotations, source) = try question.chosen(of: input)
      try source.sumRemarks(aggregates.properties, of: "--aggregate").forEach(Console.remark)
      let fields = try OutputOptions.columns(self.fields, of: source)
      let features = TilesCommand.features(of: annotations, keeping: fields, rules)
      let pyramid = TilesCommand.pyramid(of: features, annotations, rules, clusterRule, aggregates)
      TileRemarks.warnOfMany(in: pyramid)
      let progress = ProgressReport(mode: try input.reading.progressMode(), name: "")
      try style?.open()
      let output = try target.output(style: style?.file)
      let zooms = try output.write(pyramid, quiet ? nil : progress)
      try style?.write(
        for: pyramid,
        kinds: annotations.lazy.filter { $0.coordinate != nil }.kindCounts.map(\.name))
      TileRemarks.warn(of: pyramid, zooms, features, isClustered: tiles.cluster)
      if !quiet {
        TileRemarks.sum(up: pyramid, zooms, byteCount: output.byteCount, in: target.file)
      }
    }

    /// The one layer that is read, or the source's name without folder and ending; `annotations` for several sources
    /// and for none.
    private static func layerName(of input: InputOptions) -> String {
      guard input.files.count == 1, !input.files[0].isStandardInput else { return "annotations" }
      return input.reading.source.layer?.asTyped ?? input.files[0].stem
    }

    private static func features(
      of annotations: ImportedAnnotations, keeping fields: [String]?, _ rules: TileRules
    ) -> TileFeatures {
      var features = TileFeatures(keeping: fields, shapes: rules.shapeTiling)
      features.reserve(annotations.count)
      var refused: (count: Int, first: String) = (0, "")
      annotations.forEachWithRow { annotation, row in
        guard row == nil, let shape = annotation.geometry else {
          return features.append(annotation, row: row, isIncluded: true)
        }
        do throws(CoordinateError) {
          try features.append(annotation, shape: shape)
        } catch {
          // The importer looks at the positions that stand for a feature, tiles at all of them.
          if refused.count == 0 { refused.first = "\(annotation.id): \(error)" }
          refused.count += 1
          features.append(annotation, isIncluded: false)
        }
      }
      if refused.count > 0 {
        Console.remark(
          "warning: shape-position: \(grouped(refused.count)) "
            + (refused.count == 1
              ? "feature is in no tile, because it has "
              : "features are in no tile, because they have ")
            + "positions that are not on the Earth: \(refused.first)")
      }
      return features
    }

    private static func pyramid(
      of features: TileFeatures, _ annotations: ImportedAnnotations, _ rules: TileRules,
      _ clusterRule: ClusterRule?, _ aggregates: ClusterAggregates
    ) -> TilePyramid {
      guard let clusterRule else { return TilePyramid(features, rules: rules) }
      let index = ClusterIndex(annotations, rule: clusterRule, aggregates: aggregates)
      // Lines and polygons are in the tiles as what they are.
      let points = features.shapeCount == 0 ? nil : index.selection { $0.geometry == nil }
      return TilePyramid(features, clusters: index, selection: points, rules: rules)
    }
  }

  /// What is to become of the tiles, as `-o` says.
  private struct TileTarget {
    let file: FileName
    private let isFolder: Bool
    private let servedAt: String?

    /// Files of a folder are not packed: servers of files do not say that they are.
    var isCompressed: Bool { !isFolder }

    init(_ output: String?, servedAt: String?) throws(ReportedError) {
      guard let output else {
        throw ReportedError(
          "missing-output", "say where the tiles go: -o tiles.pmtiles, or a folder -o tiles/",
          fault: .usage)
      }
      file = FileName(argument: output)
      try OutputFiles.claim(file, option: "-o")
      let name = file.lastComponent.text.lowercased()
      isFolder = file.bytes.last == UInt8(ascii: "/") || Files.isFolder(file)
      guard isFolder || name.hasSuffix(".pmtiles") else {
        throw ReportedError(
          "bad-format",
          "\(file.text) is not a place for tiles; name a file ending in .pmtiles, or a folder ending in /",
          fault: .usage)
      }
      let takesQuery = !isFolder
      self.servedAt = try servedAt.map { (text) throws(ReportedError) in
        try parseServerAddress(text, option: "--served-at", takesQuery: takesQuery)
      }
    }

    /// Where a style finds the tiles.
    var address: TilesAddress {
      var own = "http://localhost:8000/" + file.text
      while own.last == "/" { own.removeLast() }
      return isFolder ? .folder(servedAt ?? own) : .archive(servedAt ?? own)
    }

    /// Whether a style will be in the folder of tiles; refuses one in the place of a tile.
    func holds(style: FileName) throws(ReportedError) -> Bool {
      isFolder ? try TileFolder.holds(style, in: file) : false
    }

    func output(style: FileName?) throws(ReportedError) -> any TileOutput {
      isFolder
        ? try TileFolder(file, style: style, servedAt: servedAt) : try TileArchive(file)
    }
  }

  /// The style that is written beside tiles, or among them.
  private final class TileStyle {
    let file: FileName
    private let address: TilesAddress
    private let isAmongTiles: Bool
    private var sink: OutputSink?

    init(_ file: FileName, of target: TileTarget) throws(ReportedError) {
      self.file = file
      address = target.address
      isAmongTiles = try target.holds(style: file)
    }

    /// Opens the file before the work; among the tiles it can be opened only after it, once their folder is there.
    func open() throws(ReportedError) {
      if !isAmongTiles { sink = try OutputSink(file) }
    }

    func write(for pyramid: TilePyramid, kinds: [String]) throws {
      let sink = try sink ?? OutputSink(file)
      try sink.write(pyramid.style(address, kinds: kinds))
      try sink.finish()
    }
  }

  /// What is said of tiles on standard error.
  enum TileRemarks {
    /// Beyond this size maps load a tile slowly; the limit of others.
    private static let largeTile = 500_000

    /// A pyramid with at least this number of tiles is remarked on before it is made.
    private static let manyTiles = 10_000_000

    /// Warns of more tiles than most people would wait for.
    static func warnOfMany(in pyramid: TilePyramid) {
      let count = pyramid.leastTileCount
      guard count >= manyTiles else { return }
      Console.remark(
        "warning: many-tiles: a polygon alone is in at least \(grouped(count)) tiles of the zooms to "
          + "\(pyramid.rules.zooms.upperBound); maps enlarge the deepest tiles beyond that, so end -z at a "
          + "lower one")
    }

    /// What tiles do not show as it is.
    static func warn(
      of pyramid: TilePyramid, _ zooms: [PyramidZoom], _ features: TileFeatures, isClustered: Bool
    ) {
      if features.movedCount > 0 {
        Console.remark(
          "warning: beyond-edge: drawn at the edge because web maps end at ±85.0511°: "
            + "\(grouped(features.movedCount))")
      }
      for zoom in zooms where zoom.droppedCount > 0 {
        Console.remark(
          "warning: tile-limit: zoom \(zoom.zoom) is without \(grouped(zoom.droppedCount)) of "
            + grouped(pyramid.annotationCount, "annotation"))
      }
      sayOfSmallShapes(zooms, features)
      if pyramid.rules.byteLimit == nil {
        sayOfLargeTiles(zooms, isPacked: pyramid.rules.isCompressed, isClustered: isClustered)
      }
    }

    /// What was made.
    static func sum(
      up pyramid: TilePyramid, _ zooms: [PyramidZoom], byteCount: Int, in file: FileName
    ) {
      let tiles = zooms.reduce(0) { $0 + $1.tileCount }
      let (first, last) = (pyramid.rules.zooms.lowerBound, pyramid.rules.zooms.upperBound)
      Console.remark(
        "\(file.text): \(grouped(pyramid.annotationCount, "annotation")) in \(grouped(tiles, "tile")) of "
          + "zoom \(first == last ? "\(first)" : "\(first) to \(last)"), "
          + "\(grouped((byteCount + 999) / 1000)) kB")
    }

    private static func sayOfSmallShapes(_ zooms: [PyramidZoom], _ features: TileFeatures) {
      let counts = zooms.filter { $0.tooSmallCount > 0 }
      if !counts.isEmpty {
        Console.remark(
          "too small to be drawn: "
            + counts.map { "\(grouped($0.tooSmallCount)) at zoom \($0.zoom)" }.joined(
              separator: ", ")
            + "; deeper zooms draw them")
      }
      if features.partsWithoutExtent > 0 {
        Console.remark(
          "warning: shape-empty: \(grouped(features.partsWithoutExtent)) "
            + (features.partsWithoutExtent == 1
              ? "line without length or polygon without area is in no tile"
              : "lines without length or polygons without area are in no tile"))
      }
    }

    private static func sayOfLargeTiles(_ zooms: [PyramidZoom], isPacked: Bool, isClustered: Bool) {
      let large = zooms.filter { $0.largest?.byteCount ?? 0 > largeTile }
      guard let worst = large.compactMap(\.largest).max(by: { $0.byteCount < $1.byteCount }) else {
        return
      }
      Console.remark(
        "warning: large-tiles: tile \(worst.address) has \(grouped(worst.byteCount / 1000)) kB"
          + "\(isPacked ? " packed" : ""), and \(large.count == 1 ? "zoom" : "zooms") "
          + "\(large.map { String($0.zoom) }.joined(separator: ", ")) \(large.count == 1 ? "has" : "have") "
          + "tiles over 500 kB, which maps load slowly; try \(isClustered ? "" : "--cluster, ")"
          + "--max-bytes 500k, --fields, or \(isClustered ? "end" : "begin") at a deeper zoom")
    }
  }
#endif
