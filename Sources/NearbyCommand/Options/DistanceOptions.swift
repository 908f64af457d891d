#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import NearbySearch
  import SpatialIndexing

  /// How far and which kinds: what a search and a join ask alike.
  struct DistanceOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp("Only results within this distance: 300m, 2km, 1.5mi.", valueName: "dist"))
    var within: String?

    @Option(
      help: ArgumentHelp(
        "Only results beyond this distance.", valueName: "dist", visibility: .rare))
    var beyond: String?

    @Option(
      name: .customLong("kind"),
      help: ArgumentHelp("Only this kind; repeatable.", valueName: "kind"))
    var kinds: [String] = []

    /// The distances between which results lie; `--beyond` must leave room below `--within`.
    func distances() throws(ReportedError) -> DistanceRange {
      var distances = DistanceRange()
      if let within { distances.within = try parseDistance(within, option: "--within") }
      if let beyond { distances.beyond = try parseDistance(beyond, option: "--beyond") }
      if let inner = distances.beyond, inner >= distances.within {
        throw ReportedError(
          "empty-ring",
          "--beyond \(beyond ?? "") must be smaller than --within \(within ?? ""); swap or change them",
          fault: .usage)
      }
      return distances
    }

    /// `--within` where it was given without a unit; nil where it has one.
    var bareWithin: String? {
      let text = within.map { trimmed(ArgumentPreparation.restored($0)) }
      return text?.last?.isLetter == true ? nil : text
    }

    /// Says which unit a bare number has, where nothing lies so near; 0 is 0 in every unit.
    static func remarkOnUnit(_ bareWithin: String?) {
      guard let bareWithin else { return }
      // In kilometers it may be longer than any distance on the Earth.
      let isFar = (Double(bareWithin) ?? 0) * 1_000 > WGS84.longestDistance
      Console.remark(
        Double(bareWithin) == 0
          ? "note: --within \(bareWithin) finds only what is exactly there; write a distance, such as 300m"
          : "note: looked within \(bareWithin) m"
            + (isFar ? "" : "; write \(bareWithin)km for kilometers"))
    }
  }
#endif
