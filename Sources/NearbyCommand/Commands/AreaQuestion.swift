#if CommandLine
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbySearch

  /// What `bbox`, `within` and `map` ask of an area: everything in it by id, or by distance from
  /// a position when one is given, and then within and beyond what was asked.
  ///
  /// `list` asks the same of a whole source.
  struct AreaQuestion {
    let origin: Coordinate?
    let ring: Ring
    let limit: Int
    let kinds: [String]
    let isGrouped: Bool
    let selection: Selection
    let open: OpenPlan?

    /// Checks the options, before any source is read.
    init(_ query: QueryOptions, _ input: InputOptions) throws(CommandError) {
      origin = try query.origin(input)
      ring = try query.match.ring()
      limit = try query.limit(default: .max)
      kinds = query.match.kinds
      isGrouped = query.perKind
      selection = try query.selection.selection(
        isGrouped: isGrouped, by: query.open.zone, at: origin)
      open = try query.open.plan(from: origin)
      if origin == nil, query.match.within != nil || query.match.beyond != nil {
        throw CommandError(
          "missing-position", "--within and --beyond measure from --lat and --lon; give them",
          status: .usage)
      }
    }

    /// What `list` asks: there is no position to measure from.
    init(_ query: ListOptions) throws(CommandError) {
      origin = nil
      ring = Ring()
      limit =
        try query.limit.map { (text) throws(CommandError) in
          try parseLimit(text, option: "--limit", code: "bad-limit")
        } ?? .max
      kinds = query.kinds
      isGrouped = query.perKind
      selection = try query.selection.selection(isGrouped: isGrouped, by: query.open.zone, at: nil)
      open = try query.open.plan(from: nil)
    }

    var kindSet: Set<AnnotationKind>? { Nearby.kindSet(kinds) }

    /// What is left of the annotations of an area, as a listing.
    ///
    /// - Parameters:
    ///   - items: Those of the kinds asked for, by id.
    ///   - annotations: What they were taken from.
    ///   - area: The area in words, which differ for any other.
    func listing(
      of items: [ImportedAnnotation], from annotations: ImportedAnnotations,
      viewport: BoundingBox? = nil, area: String = ""
    ) throws(CommandError) -> Listing {
      var listing = Listing(
        query: Listing.Query(
          origin: origin, limit: limit, ring: ring, kinds: kinds, selection: selection, open: open),
        rows: [],
        isGrouped: isGrouped, viewport: viewport, columns: annotations.columns)
      let filter = try selection.filter(for: annotations, from: origin)
      var items = filter.map { items.filter($0.includes) } ?? items
      if let dates = selection.dates { items = items.filter { dates.includes($0) } }
      let openFilter = open?.filter(from: origin)
      if let openFilter { items = items.filter(openFilter.includes) }
      if let origin, !selection.facets.isEmpty || selection.order.map({ $0 != .distance }) ?? false
      {
        // What else is asked of all that match is asked of those in the ring.
        items = items.filter { item in
          item.coordinate.map { ring.contains(origin.distance(to: $0)) } ?? false
        }
      }
      listing.facets = try selection.counted(items, from: origin)
      if isGrouped {
        answerByKind(items, &listing)
      } else {
        try answerPage(
          of: items, words: ring.words(from: origin, kinds: kinds, area: area), &listing)
      }
      if filter?.measuresDistance == true { listing.validRadius = .meters(0) }
      if let openFilter {
        try listing.tell(openFilter, selection, limit: limit, ring)
      }
      return listing
    }

    /// All annotations of the kinds asked for, whether or not they have a position, by id.
    func items(of annotations: ImportedAnnotations) -> [ImportedAnnotation] {
      let kinds = kindSet
      let items = annotations.filter { item in
        kinds.map { item.kind.map($0.contains) ?? false } ?? true
      }
      // A page is put in order later; the first of each kind are taken as they come.
      return isGrouped && !annotations.idsAscend ? items.sorted { $0.id < $1.id } : items
    }

    /// Says which kinds nothing is of.
    ///
    /// - Parameter rows: What is shown, where a kind that is there is found at once.
    func remarkOnKinds(_ rows: [Listing.Row] = [], among annotations: ImportedAnnotations) {
      KindRemarks.say(kinds, shown: rows.lazy.map(\.annotation.kind), among: annotations)
    }

    private func answerByKind(_ items: [ImportedAnnotation], _ listing: inout Listing) {
      guard let origin else {
        listing.rows = firstOfEachKind(items).map { Listing.Row($0, from: nil) }
        return
      }
      let answer = AnnotationIndex(items, shortcuts: .idsAscend).nearestOfEachKind(
        limit, to: origin, within: ring.outer, beyond: ring.inner)
      listing.rows = answer.results.map(Listing.Row.init)
      listing.validRadius = answer.validRadius
    }

    private func answerPage(
      of items: [ImportedAnnotation], words: String, _ listing: inout Listing
    ) throws(CommandError) {
      let request = try selection.request(
        limit: limit, order: origin == nil ? .id : .distance, words: words)
      do throws(ConditionError) {
        let page: ResultPage<ImportedAnnotation>
        if let origin, request.order == .distance {
          // An index of the area alone also knows how far the position may move.
          page = try AnnotationIndex(items, shortcuts: [.idsAscend, .unindexedKinds]).page(
            request, to: origin, within: ring.outer, beyond: ring.inner)
        } else {
          page = try ResultPage(of: items, request, from: origin)
        }
        listing.page = request
        listing.rows = page.items.map { Listing.Row($0, from: origin) }
        listing.validRadius = origin == nil ? nil : page.validRadius
        listing.continuation = Listing.Continuation(page.next)
      } catch {
        throw CommandError(error.code, error.message, status: .usage)
      }
    }

    /// Kind after kind in the order of their names, annotations without a kind last.
    private func firstOfEachKind(_ items: [ImportedAnnotation]) -> [ImportedAnnotation] {
      let groups = Dictionary(grouping: items) { $0.kind?.rawValue }
      let names = groups.keys.compactMap { $0 }.sorted() as [String?]
      return (names + [nil]).flatMap { groups[$0, default: []].prefix(limit) }
    }

    /// How many annotations of a box are left.
    func count(
      in box: BoundingBox, of index: AnnotationIndex<ImportedAnnotations>
    ) throws(CommandError) -> Int {
      // Without conditions the index counts without looking at each.
      guard
        origin != nil || limit < .max || !kinds.isEmpty || selection.condition != nil
          || selection.cursor != nil || selection.dates != nil || open != nil
      else { return index.count(in: box) }
      return try listing(of: index.annotations(in: box, kinds: kindSet), from: index.annotations)
        .rows.count
    }
  }

  extension Listing {
    /// Writes the rows, or only how many there are, and ends as the options ask.
    ///
    /// - Parameters:
    ///   - total: How many annotations were asked.
    ///   - what: What they are called.
    func answer(
      _ output: OutputPlan, countOnly: Bool, of total: Int, _ what: String = "positions"
    ) throws {
      if output.explains {
        Console.remark(
          "explain: of \(grouped(total)) \(what), \(grouped(rows.count)) are in the answer")
      }
      if countOnly {
        try output.write(Array("\(rows.count)\n".utf8))
      } else {
        try write(output)
      }
      output.finish(isEmpty: rows.isEmpty)
    }
  }
#endif
