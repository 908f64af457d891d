#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import ViewportClustering

  /// What is drawn as one.
  struct ClusterRuleOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The width of a cluster's cell: 32, 64, 128, 256 or 512 pixels.", valueName: "pixels"))
    var cellSize = 64

    @Option(
      help: ArgumentHelp(
        "The highest zoom with clusters, 0…22.", valueName: "zoom"))
    var maxZoom = 16

    @Option(
      help: ArgumentHelp(
        "The fewest annotations in a cluster, at least 2.", valueName: "n"))
    var minCount = 2

    /// The rule in the options.
    func rule() throws(ReportedError) -> ClusterRule {
      guard (32...512).contains(cellSize), cellSize.nonzeroBitCount == 1 else {
        throw ReportedError(
          "bad-cell-size",
          "--cell-size \(cellSize) is not 32, 64, 128, 256 or 512; use one of them",
          fault: .usage)
      }
      guard (0...22).contains(maxZoom) else {
        throw ReportedError(
          "bad-zoom", "--max-zoom \(maxZoom) is outside 0…22; give a zoom in between",
          fault: .usage)
      }
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

    @Option(
      name: .customLong("kind"),
      help: ArgumentHelp("Only this kind; repeatable.", valueName: "kind"))
    var kinds: [String] = []

    @Option(
      name: .customLong("where"),
      help: ArgumentHelp("Only what matches this condition: \"rating >= 4.5\".", valueName: "expr"))
    var condition: String?

    @OptionGroup var open: OpenOptions

    /// The condition, parsed before any source is read.
    func written() throws(ReportedError) -> WrittenCondition? {
      try condition.map { (text) throws(ReportedError) in
        try WrittenCondition(ArgumentPreparation.restored(text))
      }
    }

    /// Whether an annotation counts, by kind and condition; nil where all do.
    func filter(
      _ condition: WrittenCondition?, _ open: OpenPlan?, for annotations: ImportedAnnotations
    ) throws(ReportedError) -> (@Sendable (ImportedAnnotation) -> Bool)? {
      KindRemarks.say(kinds, shown: [], among: annotations)
      let filter = try condition?.filter(for: annotations, from: nil)
      let kinds = Nearby.kindSet(kinds)
      guard filter != nil || kinds != nil || open != nil else { return nil }
      // Reads each different text once, for whoever asks.
      let hours = try open.map { (open) throws(ReportedError) in
        OpenAdmission(try open.settled(in: annotations))
      }
      return { item in
        if let kinds, !(item.kind.map(kinds.contains) ?? false) { return false }
        return filter?.includes(item) ?? true && hours?.includes(item) ?? true
      }
    }
  }

  /// A zoom of a map, 0…24; of a fraction the whole part counts.
  func parseZoom(_ text: String) throws(ReportedError) -> Int {
    let zoom = try parseNumber(text)
    guard (0..<25).contains(zoom) else {
      throw ReportedError(
        "bad-zoom",
        "a zoom of \(ArgumentPreparation.restored(text)) is outside 0…24; give one in between",
        fault: .usage)
    }
    return Int(zoom)
  }

  /// A segment as `--segment` says it: `today`, `tomorrow`, `month`, `all` or a day.
  func parseSegment(_ text: String?, option: String) throws(ReportedError) -> DateSegment {
    guard let text = text.map(ArgumentPreparation.restored) else { return .all }
    switch text.lowercased() {
    case "all": return .all
    case "today": return .today
    case "tomorrow": return .tomorrow
    case "month", "this-month": return .thisMonth
    default:
      guard let day = CalendarDate(text) else {
        throw ReportedError(
          "bad-segment",
          "\(option) \(text) is not a segment; write today, tomorrow, month, all, or a day as 2026-11-22",
          fault: .usage)
      }
      return .on(day)
    }
  }

  /// A view as `west,south,east,north,zoom`.
  func parseView(_ text: String, option: String) throws(ReportedError) -> MapViewport {
    let text = ArgumentPreparation.restored(text)
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 5 else {
      throw ReportedError(
        "bad-view",
        "\(option) \"\(text)\" is not a view; write west,south,east,north,zoom as 126.9,37.4,127.1,37.6,12",
        fault: .usage)
    }
    return MapViewport(
      try parseBox(parts.prefix(4).joined(separator: ",")), zoom: try parseZoom(String(parts[4])))
  }
#endif
