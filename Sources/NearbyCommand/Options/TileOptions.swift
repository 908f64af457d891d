#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import ViewportClustering
  import WebMaps

  /// Which tiles are made, and what is in them.
  struct TileOptions: ParsableArguments {
    @Option(
      name: [.customShort("z"), .customLong("zoom")],
      help: .usual("The zooms, 0…24: 0-14, or a single one.", valueName: "a-b"))
    var zooms = "0-14"

    @Option(help: .usual("The layer's name (default: the source's name).", valueName: "name"))
    var layerName: String?

    @Option(
      help: .rare(
        "How far features reach into the next tile, in 4096ths of its side.", valueName: "n"))
    var buffer = 64

    @Option(
      help: .usual(
        "At most this many features per tile; those left out are counted.", valueName: "n"))
    var maxFeatures: Int?

    @Option(
      help: .rare(
        "At most this many bytes per tile, as stored: 500000, 500k or 1M.", valueName: "n"))
    var maxBytes: String?

    @Flag(help: "Draw annotations that are close together as one, except at the last zoom.")
    var cluster = false

    /// The rules in the options.
    ///
    /// - Parameter layer: The name of the layer unless there is one.
    func rules(layer: String, isCompressed: Bool) throws(ReportedError) -> TileRules {
      try requireNumber(
        buffer, in: 0...TileRules.extent, option: "--buffer", code: "bad-buffer",
        "give a number in between, such as 64")
      if let maxFeatures, maxFeatures < 1 {
        throw ReportedError(
          "bad-limit", "--max-features \(maxFeatures) leaves nothing; give 1 or more",
          fault: .usage)
      }
      let name = layerName?.asTyped ?? layer
      guard !name.isEmpty else {
        throw ReportedError(
          "bad-layer", "--layer-name is empty; give the layer a name, such as shops", fault: .usage)
      }
      return TileRules(
        zooms: try TileOptions.zooms(zooms), buffer: buffer, layer: name,
        featureLimit: maxFeatures,
        byteLimit: try maxBytes.map { (text) throws(ReportedError) in
          try parseByteCount(text, option: "--max-bytes")
        },
        isCompressed: isCompressed)
    }

    /// The zooms of `0-14` or `7`.
    static func zooms(_ text: String) throws(ReportedError) -> ClosedRange<Int> {
      let text = text.asTyped
      // An en dash and two dots are what people write, too.
      let parts = ["–", "…", ".."].reduce(text) { $0.replacing($1, with: "-") }
        .split(separator: "-", omittingEmptySubsequences: false).map { Int(trimmed($0)) }
      guard parts.count <= 2, let first = parts[0], let last = parts[parts.count - 1] else {
        throw ReportedError(
          "bad-zoom", "-z \(text) names no zooms; write the first and the last, such as 0-14",
          fault: .usage)
      }
      for zoom in [first, last] where !(0...TileRules.lastZoom).contains(zoom) {
        throw ReportedError(
          "bad-zoom",
          "-z \(text): zoom \(zoom) is outside 0…\(TileRules.lastZoom); maps enlarge the "
            + "deepest tiles beyond that, so 0-14 is enough for most", fault: .usage)
      }
      guard first <= last else {
        throw ReportedError(
          "bad-zoom", "-z \(text) ends before it begins; write -z \(last)-\(first)", fault: .usage)
      }
      return first...last
    }

    /// The rule for clusters: aligned with tiles, and none at the last zoom, so that maps which zoom on
    /// from it show all; unless it is the only one.
    func clusterRule(
      _ options: ClusterRuleOptions, in zooms: ClosedRange<Int>
    ) throws(ReportedError) -> ClusterRule {
      let rule = try options.rule()
      let last = zooms.count == 1 ? zooms.upperBound : zooms.upperBound - 1
      return ClusterRule(
        cellSize: rule.cellSize, maxZoom: min(rule.maxZoom, last, 22), minCount: rule.minCount,
        alignment: .tiles)
    }
  }
#endif
