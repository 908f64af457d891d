#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import ViewportClustering

  /// What is drawn as one.
  struct ClusterRuleOptions: ParsableArguments {
    @Option(
      help: .usual(
        "The width of a cluster's cell: 32, 64, 128, 256 or 512 pixels (default: 64).",
        valueName: "pixels"))
    var cellSize: Int?

    @Option(help: .usual("The highest zoom with clusters, 0…22 (default: 16).", valueName: "zoom"))
    var maxZoom: Int?

    @Option(
      help: .usual("The fewest annotations in a cluster, at least 2 (default: 2).", valueName: "n"))
    var minCount: Int?

    /// The rule in the options.
    func rule() throws(ReportedError) -> ClusterRule {
      let (cellSize, maxZoom, minCount) = (
        self.cellSize ?? 64, self.maxZoom ?? 16, self.minCount ?? 2
      )
      guard (32...512).contains(cellSize), cellSize.nonzeroBitCount == 1 else {
        throw ReportedError(
          "bad-cell-size",
          "--cell-size \(cellSize) is not 32, 64, 128, 256 or 512; use one of them",
          fault: .usage)
      }
      try requireNumber(
        maxZoom, in: 0...22, option: "--max-zoom", code: "bad-zoom", "give a zoom in between")
      guard minCount >= 2 else {
        throw ReportedError(
          "bad-count", "--min-count \(minCount) makes no cluster; give 2 or more", fault: .usage)
      }
      return ClusterRule(cellSize: cellSize, maxZoom: maxZoom, minCount: minCount)
    }
  }

  /// What is drawn as one, and which annotations count.
  struct ClusterOptions: ParsableArguments {
    @OptionGroup var drawing: ClusterRuleOptions

    @OptionGroup var choice: ChoiceOptions

    @OptionGroup var open: OpenOptions
  }

  extension ClusterAggregates {
    /// What `--aggregate` asks for: `kind`, and fields.
    init(named list: String?) {
      let names = list.map(OutputOptions.fieldNames) ?? []
      self.init(
        countsKinds: names.contains("kind"),
        properties: names.filter { $0 != "kind" }.map(OutputOptions.columnName))
    }
  }

  /// A zoom of a map, 0…24; of a fraction the whole part counts.
  func parseZoom(_ text: String) throws(ReportedError) -> Int {
    let text = text.asTyped
    guard let zoom = finiteNumber(text), (0..<25).contains(zoom) else {
      throw ReportedError(
        "bad-zoom", "\"\(text)\" is not a zoom; write one of 0…24", fault: .usage)
    }
    return Int(zoom)
  }

  /// A segment as `--segment` says it: `today`, `tomorrow`, `this-month` (or `month`), `all`, a day or a run of days.
  func parseSegment(_ text: String?, option: String) throws(ReportedError) -> DateSegment {
    guard let text = text?.asTyped else { return .all }
    let word = text.lowercased()
    guard let segment = DateSegment(word: word == "month" ? "this-month" : word) else {
      throw ReportedError(
        "bad-segment",
        "\(option) \"\(text)\" is not a segment; write today, tomorrow, this-month, all, a day as "
          + "2026-11-22, or a run of days as 2026-11-22/2026-11-28",
        fault: .usage)
    }
    return segment
  }

  /// A view as `west,south,east,north,zoom`.
  func parseView(_ text: String, option: String) throws(ReportedError) -> MapViewport {
    let text = text.asTyped
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 5 else {
      throw ReportedError(
        "bad-view",
        "\(option) \"\(text)\" is not a view; write west,south,east,north,zoom, such as 126.9,37.4,127.1,37.6,12",
        fault: .usage)
    }
    return MapViewport(
      try parseBox(parts.prefix(4).joined(separator: ",")), zoom: try parseZoom(String(parts[4])))
  }
#endif
