#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import SpatialIndexing
  import TextMaps

  extension Question {
    /// Which annotations count, understood before any source is read.
    ///
    /// - Parameter input: Its operands may hold the position to measure from, which is taken out of them.
    init(_ filter: FilterOptions, _ input: inout InputOptions) throws(ReportedError) {
      self.init()
      query.origin = try filter.origin.origin(&input)
      query.distances = try filter.match.distances()
      bareWithin = filter.match.bareWithin
      if query.origin == nil, filter.match.within != nil || filter.match.beyond != nil {
        throw ReportedError(
          "missing-position", "--within and --beyond measure from --lat and --lon; give them",
          fault: .usage)
      }
      if let bbox = filter.bbox { query.area = .box(try parseBox(bbox)) }
      try take(
        kinds: filter.match.kinds, filter.content.condition, on: filter.content.on, filter.open)
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
      try take(
        kinds: options.kinds, options.content.condition, on: options.content.on, options.open)
      try options.order.apply(to: &query)
    }

    /// What is asked where neither a position nor a day is.
    init(_ choice: ChoiceOptions, _ open: OpenOptions? = nil) throws(ReportedError) {
      self.init()
      try take(kinds: choice.kinds, choice.condition, open)
    }

    private mutating func take(
      kinds: [String], _ condition: ConditionOptions, on days: String? = nil, _ open: OpenOptions?
    ) throws(ReportedError) {
      self.kinds = kinds
      query.kinds = Nearby.kindSet(kinds)
      self.condition = try condition.written()
      query.condition = self.condition?.condition
      guard let open else { return }
      if let days {
        try ask(
          for: days.asTyped, named: "--on", try open.zone.placeClocks(), now: Console.now)
      }
      self.open = try open.plan(from: query.origin)
      query.open = self.open?.condition
    }

    /// Looks in an area; where `--bbox` was given, only in what both hold.
    mutating func look(in area: QueryArea) {
      let asked = query.area
      query.area = area
      query.clip = asked.boundingBox
    }

    /// The annotations that count, in the order of their sources, those without a position among them where
    /// neither a place nor a distance is asked for; says which kinds nothing is of, and which numbers are not read.
    func chosen(
      of annotations: ImportedAnnotations
    ) throws(ReportedError) -> ImportedAnnotations {
      try offsets(of: annotations).map(annotations.keeping) ?? annotations
    }

    /// The same by their offsets, ascending; nil for all.
    func offsets(of annotations: ImportedAnnotations) throws(ReportedError) -> [Int]? {
      let question = try settled(in: annotations)
      var query = question.query
      // A position that nothing is measured from chooses nothing.
      if !query.choosesByOrigin { query.origin = nil }
      if query == NearbyQuery() { return nil }
      let context = QueryContext(
        hours: question.open?.clocks.reader, columns: annotations.columns)
      let offsets: [Int]
      do throws(QueryError) {
        offsets = try AnnotationScan(annotations).offsets(matching: query, in: context)
      } catch {
        throw ReportedError(error, in: condition, cursorName: "--after")
      }
      query.remarksOnNumbers(among: annotations).forEach(Console.remark)
      KindRemarks.say(
        kinds, shown: offsets.lazy.map { annotations[$0].kind }, among: annotations)
      if offsets.isEmpty { DistanceOptions.remarkOnUnit(bareWithin) }
      return offsets
    }

    /// The answer of annotations, on its way out.
    ///
    /// - Parameter output: Only JSON and pages tell what comes next, which may take another search.
    func listing(
      of search: some AnnotationSearching<ImportedAnnotation>, _ annotations: ImportedAnnotations,
      _ output: OutputPlan? = nil, viewport: BoundingBox? = nil
    ) throws(ReportedError) -> Listing {
      let question = try settled(in: annotations)
      var query = question.query
      if output?.format == .json, !query.isPerKind, query.after == nil { query.after = "" }
      let context = QueryContext(
        hours: open?.clocks.reader, columns: (annotations.columns + fields).withoutRepeats)
      do throws(QueryError) {
        let answer = try search.answer(query, in: context)
        var listing = Listing(answer, to: question, of: annotations, .byTheMachine)
        listing.viewport = viewport
        if query.after != nil { listing.continuation = Listing.Continuation(answer.next) }
        return listing
      } catch {
        throw ReportedError(error, in: condition, cursorName: "--after")
      }
    }

    /// The answer of an opened index, which tells what its source has beside it and what may be missing.
    mutating func listing(
      of opened: inout OpenedIndex, _ output: OutputPlan?, viewport: BoundingBox? = nil
    ) throws(ReportedError) -> Listing {
      fields = opened.fields
      knownKinds = opened.kinds
      let question = self
      var listing = try opened.answer { (opened) throws(ReportedError) in
        try question.listing(
          of: opened.index, opened.index.annotations, output, viewport: viewport)
      }
      listing.lack(whatOf: opened)
      return listing
    }

    /// How many annotations of a box match; where nothing else is asked, an index counts them without looking at each.
    func count(
      in box: BoundingBox, of index: AnnotationIndex<ImportedAnnotations>
    ) throws(ReportedError) -> Int {
      if query == NearbyQuery() { return index.count(in: box) }
      var question = self
      question.look(in: .box(box))
      return try question.listing(of: index, index.annotations).rows.count
    }
  }

  extension Listing {
    /// Says which kinds nothing is of, which distance a condition compares where the source has one, too, and where
    /// nothing was found, which unit a bare number has.
    func remarkOnSlips() {
      if question.query.condition?.measuresDistance == true, hasOwnDistance {
        Console.remark(
          "note: distance is measured from the position; for the source's column of that name, write "
            + "\"distance\", with the quotes")
      }
      KindRemarks.say(
        question.kinds, shown: rows.lazy.map(\.annotation.kind), among: source,
        known: question.knownKinds)
      if rows.isEmpty { DistanceOptions.remarkOnUnit(question.bareWithin) }
    }

    /// Whether the source has a column `distance`: all of it is read only where it names none.
    private var hasOwnDistance: Bool {
      let known = source.columns + (source.featureColumns ?? [])
      return known.contains("distance")
        || known.isEmpty && source.contains { $0.property("distance") != nil }
        || rows.contains { $0.annotation.property("distance") != nil }
    }

    /// Writes the rows, or only how many there are, and ends as the options ask.
    ///
    /// - Parameters:
    ///   - total: How many annotations were asked.
    ///   - what: What one of them is called.
    func answer(
      _ output: OutputPlan, countOnly: Bool, of total: Int, _ what: String = "position"
    ) throws {
      remarkOnSlips()
      if output.explains {
        Explanation.say(plan)
        Console.remark(
          "explain: of \(grouped(total, what)), \(grouped(rows.count, "is", "are")) in the answer")
      }
      if countOnly {
        try output.write(Array("\(rows.count)\n".utf8))
        remark(output)
      } else {
        try write(output)
      }
      output.finish(isEmpty: rows.isEmpty, without: missing)
    }
  }

  // MARK: Likely slips

  /// What is said on standard error of kinds that were asked for and no annotation is of: mostly
  /// somebody mistyped one.
  enum KindRemarks {
    /// Looks for the kinds among the results first, and through all annotations only for those that
    /// are not there.
    ///
    /// - Parameters:
    ///   - names: As `--kind` has them.
    ///   - known: Kinds of annotations that were not fetched.
    /// - Complexity: O(results), where each kind has one; O(*n*) for a kind that nothing is of.
    static func say(
      _ names: [String], shown: some Sequence<AnnotationKind?>,
      among annotations: some Sequence<ImportedAnnotation>, known: [AnnotationKind] = []
    ) {
      var missing = Set(names.map { AnnotationKind(rawValue: $0.asTyped) })
      missing.subtract(known)
      for case let kind? in shown {
        guard !missing.isEmpty else { break }
        missing.remove(kind)
      }
      guard !missing.isEmpty else { return }
      var kinds = Set(known)
      for annotation in annotations {
        guard let kind = annotation.kind, kinds.insert(kind).inserted else { continue }
        missing.remove(kind)
        if missing.isEmpty { return }
      }
      let names = kinds.map(\.rawValue).sorted()
      for name in missing.map(\.rawValue).sorted() {
        Console.remark(
          "warning: kind-unknown: no annotation is of kind \"\(name)\"; \(remedy(for: name, names))"
        )
      }
    }

    /// The greatest number of kinds to list.
    private static var mostListed: Int { 8 }

    private static func remedy(for name: String, _ known: [String]) -> String {
      guard !known.isEmpty else { return "none has a kind" }
      let parts = name.split(separator: ",").map { trimmed($0) }
      if parts.count > 1, parts.contains(where: { known.contains($0) }) {
        return "repeat --kind for several"
      }
      let similar = SimilarNames.words(like: name, among: known)
      if !similar.isEmpty { return "did you mean \(similar.joined(separator: " or "))?" }
      let rest = known.count - mostListed
      return "known kinds: " + known.prefix(mostListed).joined(separator: ", ")
        + (rest > 0 ? " and \(grouped(rest)) more" : "")
    }
  }

  // MARK: What a search did

  /// What a search did, in sentences for `--explain`.
  enum Explanation {
    /// What the index read, and what it computed.
    static func say(_ statistics: SearchStatistics, of count: Int, in kind: PositionIndexKind) {
      let leaves =
        kind == .tree
        ? grouped(statistics.leavesRead, "leaf", "leaves")
        : grouped(statistics.leavesRead, "run") + " of the sorted list of geohashes"
      Console.remark(
        """
        explain: of \(grouped(count, "position")), \(grouped(statistics.candidates)) came near enough \
        to be candidates, in \(leaves); \
        \(grouped(statistics.nodeGroupsTested, "group")) of nodes tested
        """)
      Console.remark(
        """
        explain: \(grouped(statistics.geodesics, "geodesic")) computed; the filter was called \
        \(grouped(statistics.predicateCalls, "time")) and refused \
        \(grouped(statistics.predicateRejections))
        """)
    }

    /// How the query was planned.
    static func say(_ plan: QueryPlan?) {
      guard let plan else { return }
      Console.remark("explain: plan: \(TerminalText.sanitized("\(plan)"))")
    }
  }
#endif
