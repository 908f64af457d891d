#if CommandLine
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import SpatialIndexing

  /// What to look for: which annotations, how many, in which order.
  struct QueryOptions: ParsableArguments {
    @OptionGroup var filter: FilterOptions

    @Option(
      name: .customShort("k", allowingJoined: true),
      help: .usual("How many results, or 'all'.", valueName: "n|all"))
    var limit: String?

    /// What `list` calls it, taken to say so: the parser would suggest `--lat`.
    @Option(name: .customLong("limit"), help: .private)
    var listLimit: String?

    @OptionGroup var order: OrderOptions

    @Flag(help: "Find the nearest of each kind, grouped.")
    var perKind = false

    @Option(help: indexHelp, completion: .words(of: PositionIndexKind.self))
    var index = "tree"

    static var indexHelp: ArgumentHelp {
      .rare(
        "The index to use: tree, or geohash for a sorted list; answers are the same.",
        valueName: "tree|geohash")
    }

    func indexKind() throws(ReportedError) -> PositionIndexKind {
      try parseWord(index, option: "--index")
    }

    /// How many results; nil where that is not said.
    func count() throws(ReportedError) -> Int? {
      if let listLimit {
        throw ReportedError(
          "bad-k", "--limit is an option of list; write -k \(listLimit.asTyped)", fault: .usage)
      }
      guard let limit else { return nil }
      return try parseLimit(limit)
    }
  }

  /// Which annotations count, asked alike by every command that finds, draws or writes them.
  struct FilterOptions: ParsableArguments {
    @Option(
      name: .customLong("lat"),
      help: .usual(
        "Latitude in degrees, north positive. Or, without --lat, a position as you copied it: 37.57,126.97.",
        valueName: "deg"))
    var latitude: String?

    @Option(
      name: .customLong("lon"),
      help: .usual("Longitude in degrees, east positive.", valueName: "deg"))
    var longitude: String?

    @OptionGroup var match: DistanceOptions

    @Option(
      help: .usual("Only what lies in this box: west,south,east,north.", valueName: "w,s,e,n"))
    var bbox: String?

    @OptionGroup var choice: ChoiceOptions

    @Option(help: ChoiceOptions.onHelp) var on: String?

    @OptionGroup var open: OpenOptions

    /// The position to measure from; nil when none was given.
    ///
    /// - Parameter input: Its operands may hold the position, which is taken out of them.
    func origin(_ input: inout InputOptions) throws(ReportedError) -> Coordinate? {
      let operand = try PositionOperand.take(from: &input.sources)
      guard let origin = try parsePosition(latitude, longitude) ?? operand else { return nil }
      if let operand, latitude != nil {
        throw ReportedError(
          "position-twice",
          "the operand \(operand) is a position, and --lat and --lon are given too; give only one",
          fault: .usage)
      }
      try input.reading.check(origin: origin)
      return origin
    }
  }

  /// Which kinds count, and what must be true of them.
  struct ChoiceOptions: ParsableArguments {
    @Option(name: .customLong("kind"), help: ChoiceOptions.kindHelp)
    var kinds: [String] = []

    @Option(
      name: .customLong("where"),
      help: .usual(
        "Only what matches this condition: \"kind = 'mart' and rating >= 4.5\"; repeatable (all must match).",
        valueName: "expr"))
    var conditions: [String] = []

    static var kindHelp: ArgumentHelp { .usual("Only this kind; repeatable.", valueName: "kind") }

    /// The help of `--on`, which stands beside these where days may be asked about.
    static var onHelp: ArgumentHelp {
      .usual(
        "Only what is valid on a date: 2026-11-22, 2026-12, 2026-11-22/2026-11-28, today, tomorrow, this-month (from today), all, or next (its next day).",
        valueName: "date")
    }

    /// The kinds that names say; nil, for all, where none is named.
    static func kindSet(_ names: [String]) -> Set<AnnotationKind>? {
      names.isEmpty ? nil : Set(names.map(AnnotationKind.init(rawValue:)))
    }
  }

  /// How far: what a search and a join ask alike.
  struct DistanceOptions: ParsableArguments {
    @Option(help: .usual("Only results within this distance: 300m, 2km, 1.5mi.", valueName: "dist"))
    var within: String?

    @Option(help: .rare("Only results beyond this distance.", valueName: "dist"))
    var beyond: String?

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
      let text = within.map { trimmed($0.asTyped) }
      return text?.last?.isLetter == true ? nil : text
    }
  }

  /// In which order annotations come, from where on, and what is counted.
  struct OrderOptions: ParsableArguments {
    @Option(
      help: .usual(
        "Order by id, fields or distance (if measured), such as brand,name:desc; :desc reverses a field.",
        valueName: "field[:desc],…"))
    var sort: String?

    @Option(
      help: .rare(
        "With --sort FIELD: sort within each distance band of this width.", valueName: "dist"))
    var bucket: String?

    @Option(
      help: .rare(
        "Print the page after this cursor, which the previous page gives; '' for the first page.",
        valueName: "cursor"))
    var after: String?

    @Option(
      help: .rare(
        "Count all matches by the values of these fields (table and json).", valueName: "a,b"))
    var facets: String?

    /// Asks for the order, the page and the counts.
    func apply(to query: inout NearbyQuery) throws(ReportedError) {
      if let sort {
        query.order = try OrderOptions.order(sort.asTyped, bucket)
      } else if bucket != nil {
        throw ReportedError(
          "missing-sort", "--bucket orders each band by a field; say --sort FIELD", fault: .usage)
      }
      query.after = after?.asTyped
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
      guard let order = ResultOrder(words: text) else {
        throw ReportedError(
          "bad-sort",
          "--sort \"\(text)\" names no field; write distance, id or a field, or several with commas "
            + "between them", fault: .usage)
      }
      guard let bucket else { return order }
      let band = try parseDistance(bucket, option: "--bucket")
      guard order.key != .distance, band >= ResultOrder.leastBand else {
        throw ReportedError(
          "bad-bucket",
          "--bucket \(bucket.asTyped) makes bands, each ordered by a field; "
            + "give a width of at least 0.001 m and a --sort FIELD other than distance",
          fault: .usage)
      }
      return ResultOrder(
        order.key, isDescending: order.isDescending, band: band, ties: order.ties)
    }
  }

  extension Question {
    /// Which annotations count, understood before any source is read.
    ///
    /// - Parameter input: Its operands may hold the position to measure from, which is taken out of them.
    init(_ filter: FilterOptions, _ input: inout InputOptions) throws(ReportedError) {
      self.init()
      query.origin = try filter.origin(&input)
      query.distances = try filter.match.distances()
      bareWithin = filter.match.bareWithin
      if query.origin == nil, filter.match.within != nil || filter.match.beyond != nil {
        throw ReportedError(
          "missing-position", "--within and --beyond measure from --lat and --lon; give them",
          fault: .usage)
      }
      if let bbox = filter.bbox { query.area = .box(try parseBox(bbox)) }
      try take(filter.choice, on: filter.on, filter.open)
    }

    /// The same, and how many of them in which order.
    ///
    /// - Parameter limit: How many results there are where nobody says.
    init(
      _ options: QueryOptions, _ input: inout InputOptions, limit standard: Int = .max
    ) throws(ReportedError) {
      try self.init(options.filter, &input)
      query.limit = try options.count() ?? standard
      query.isPerKind = options.perKind
      try options.order.apply(to: &query)
    }

    /// What `list` asks: there is no position to measure from.
    init(_ options: ListOptions) throws(ReportedError) {
      self.init()
      if let text = options.limit {
        query.limit = try parseLimit(text, option: "--limit", code: "bad-limit")
      }
      query.isPerKind = options.perKind
      try take(options.choice, on: options.on, options.open)
      try options.order.apply(to: &query)
    }

    /// What is asked where neither a position nor a day is.
    init(_ choice: ChoiceOptions, _ open: OpenOptions? = nil) throws(ReportedError) {
      self.init()
      try take(choice, open)
    }

    private mutating func take(
      _ choice: ChoiceOptions, on days: String? = nil, _ open: OpenOptions?
    ) throws(ReportedError) {
      kinds = choice.kinds.map(\.asTyped)
      query.kinds = ChoiceOptions.kindSet(kinds)
      let texts = choice.conditions.map(\.asTyped)
      // Each is whole alone: "a) or (b" joins nothing.
      for text in texts { condition = try WrittenCondition(text) }
      if texts.count > 1 {
        condition = try WrittenCondition("(" + texts.joined(separator: ") and (") + ")")
      }
      query.condition = condition?.condition
      guard let open else { return }
      if let days {
        try ask(
          for: days.asTyped, named: "--on", try open.zone.placeClocks(), now: Console.now)
      }
      self.open = try open.plan(from: query.origin)
      query.open = self.open?.condition
    }
  }
#endif
