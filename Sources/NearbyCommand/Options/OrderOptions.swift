#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import NearbySearch

  /// In which order annotations come, from where on, and what is counted.
  struct OrderOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Order by id, fields or distance (if measured), such as brand,name:desc; :desc reverses a field.",
        valueName: "field[:desc],…"))
    var sort: String?

    @Option(
      help: ArgumentHelp(
        "With --sort FIELD: sort within each distance band of this width.", valueName: "dist",
        visibility: .rare))
    var bucket: String?

    @Option(
      help: ArgumentHelp(
        "Print the page after this cursor, which the previous page gives; '' for the first page.",
        valueName: "cursor", visibility: .rare))
    var after: String?

    @Option(
      help: ArgumentHelp(
        "Count all matches by the values of these fields (table and json).", valueName: "a,b",
        visibility: .rare))
    var facets: String?

    /// Asks for the order, the page and the counts.
    func apply(to query: inout NearbyQuery) throws(ReportedError) {
      if let sort {
        query.order = try OrderOptions.order(ArgumentPreparation.restored(sort), bucket)
      } else if bucket != nil {
        throw ReportedError(
          "missing-sort", "--bucket orders each band by a field; say --sort FIELD", fault: .usage)
      }
      query.after = after.map(ArgumentPreparation.restored)
      if let facets {
        for field in OutputOptions.fieldNames(facets).map(Condition.Field.init(named:))
        where !query.facets.contains(field) { query.facets.append(field) }
      }
      if query.isPerKind, query.order != nil || query.after != nil {
        throw ReportedError(
          "grouped-order", "--per-kind has an order of its own; leave out --sort and --after",
          fault: .usage)
      }
    }

    private static func order(
      _ text: String, _ bucket: String?
    ) throws(ReportedError) -> ResultOrder {
      let keys = try OutputOptions.names(in: text).map { (name) throws(ReportedError) in
        try sortKey(name, of: text)
      }
      guard let first = keys.first else { throw nameless(text) }
      let key = ResultOrder.Key(first.field)
      var band: Distance?
      if let bucket {
        let width = try parseDistance(bucket, option: "--bucket")
        guard key != .distance, width >= ResultOrder.leastBand else {
          throw ReportedError(
            "bad-bucket",
            "--bucket \(ArgumentPreparation.restored(bucket)) makes bands, each ordered by a field; "
              + "give a width of at least 0.001 m and a --sort FIELD other than distance",
            fault: .usage)
        }
        band = width
      }
      return ResultOrder(
        key, isDescending: first.isDescending, band: band, ties: Array(keys.dropFirst()))
    }

    /// A field, and whether it is turned round.
    private static func sortKey(
      _ text: String, of all: String
    ) throws(ReportedError) -> ResultOrder.Tie {
      var name = text[...]
      var isDescending = false
      for (ending, descends) in [(":asc", false), (":desc", true)]
      where text.lowercased().hasSuffix(ending) {
        name = text.dropLast(ending.count)
        isDescending = descends
      }
      guard !name.isEmpty else { throw nameless(all) }
      return ResultOrder.Tie(Condition.Field(named: String(name)), isDescending: isDescending)
    }

    private static func nameless(_ text: String) -> ReportedError {
      ReportedError(
        "bad-sort",
        "--sort \"\(text)\" names no field; write distance, id or a field, or several with commas "
          + "between them", fault: .usage)
    }
  }
#endif
