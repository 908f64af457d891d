#if CommandLine
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import SpatialIndexing

  /// What `find` asks: the nearest annotations to a position, and where the answer goes.
  struct FindQuestion {
    let origin: Coordinate
    var limit = 10
    var ring = Ring()
    var kinds: [String] = []
    var isGrouped = false
    var selection = Selection()
    var open: OpenPlan?
    var sources: [FileName] = []
    var asksForSample = false
    var reading = SourceReading()
    var output = OutputPlan(map: .standard(onTerminal: Console.outputIsTerminal))

    /// Understands the options, before any source is read.
    init(
      _ query: QueryOptions, _ input: InputOptions, _ output: OutputOptions
    ) throws(CommandError) {
      self.output = try output.plan()
      origin = try query.requiredOrigin(input)
      ring = try query.match.ring()
      limit = try query.limit(default: query.match.within == nil ? 10 : .max)
      kinds = query.match.kinds
      isGrouped = query.perKind
      selection = try query.selection.selection(
        isGrouped: isGrouped, by: query.open.zone, at: origin)
      open = try query.open.plan(from: origin)
      sources = input.files
      asksForSample = input.sample
      reading = try input.sourceReading()
    }

    /// The commonest arguments, `--lat DEG --lon DEG` and perhaps `-k N`, understood without the
    /// parser, which takes twice as long to set up its options as the answer takes.
    ///
    /// - Returns: nil for whatever else was said, `--lat=DEG` among it; the parser then takes it.
    init?(plain arguments: [String]) throws(CommandError) {
      var values: [String: String] = [:]
      var rest = arguments[...]
      while let option = rest.popFirst() {
        guard ["--lat", "--lon", "-k"].contains(option), let value = rest.popFirst(),
          !value.hasPrefix("-"), values.updateValue(value, forKey: option) == nil
        else { return nil }
      }
      guard let latitude = values["--lat"], let longitude = values["--lon"] else { return nil }
      origin = try parsePosition(latitude: latitude, longitude: longitude)
      try OriginCheck().check(origin)
      if let limit = values["-k"] { self.limit = try parseLimit(limit) }
    }

    func answer() throws {
      // Each kind is a question of its own.
      let opened = try Source.index(
        of: sources, reading, asksForSample: asksForSample, isAskedOnce: !isGrouped)
      let index = opened.index
      let filter = try selection.filter(for: index.annotations, from: origin)
      let openFilter = open?.filter(from: origin)
      let dates = selection.dates
      let isIncluded: (ImportedAnnotation) -> Bool = {
        (filter?.includes($0) ?? true) && (dates?.includes($0) ?? true)
          && (openFilter?.includes($0) ?? true)
      }
      var listing = Listing(
        query: Listing.Query(
          origin: origin, limit: limit, ring: ring, kinds: kinds, selection: selection, open: open),
        rows: [], isGrouped: isGrouped, columns: index.annotations.columns)
      // Only JSON and pages tell what comes next, which may take another search.
      let statistics =
        selection.isPlain && (isGrouped || output.format != .json)
        ? nearest(in: index, isIncluded, &listing) : try page(of: index, isIncluded, &listing)
      if filter?.measuresDistance == true { listing.validRadius = .meters(0) }
      if let openFilter {
        try listing.tell(openFilter, selection, limit: limit, ring)
      }
      if !selection.facets.isEmpty {
        listing.facets = try selection.counted(all(in: index, isIncluded), from: origin)
      }
      try opened.check()

      try listing.write(output)
      KindRemarks.say(
        kinds, shown: listing.rows.lazy.map(\.annotation.kind), among: index.annotations)
      if listing.rows.isEmpty { ring.remarkOnUnit() }
      OriginCheck.remarkOnExchange(
        origin, in: index, nearest: ring.inner == nil ? listing.rows.first?.distance : nil)
      if output.explains { Explanation.say(statistics, of: index.placedCount) }
      output.finish(isEmpty: listing.rows.isEmpty)
    }

    private typealias Index = AnnotationIndex<ImportedAnnotations>

    /// The nearest, or the nearest of each kind.
    private func nearest(
      in index: Index, _ isIncluded: (ImportedAnnotation) -> Bool, _ listing: inout Listing
    ) -> SearchStatistics {
      let kindSet = Nearby.kindSet(kinds)
      let answer =
        isGrouped
        ? index.nearestOfEachKind(
          limit, to: origin, within: ring.outer, beyond: ring.inner, kinds: kindSet,
          where: isIncluded)
        : index.nearest(
          limit, to: origin, within: ring.outer, beyond: ring.inner, kinds: kindSet,
          where: isIncluded)
      listing.rows = answer.results.map(Listing.Row.init)
      listing.validRadius = answer.validRadius
      return answer.statistics
    }

    /// A page in the order that was asked for.
    private func page(
      of index: Index, _ isIncluded: (ImportedAnnotation) -> Bool, _ listing: inout Listing
    ) throws(CommandError) -> SearchStatistics {
      let request = try selection.request(
        limit: limit, order: .distance, words: ring.words(from: origin, kinds: kinds))
      do throws(ConditionError) {
        let page = try index.page(
          request, to: origin, within: ring.outer, beyond: ring.inner, kinds: Nearby.kindSet(kinds),
          where: isIncluded)
        listing.page = request
        listing.rows = page.items.map { Listing.Row($0, from: origin) }
        listing.validRadius = page.validRadius
        listing.continuation = Listing.Continuation(page.next)
        return page.statistics
      } catch {
        throw CommandError(error.code, error.message, status: .usage)
      }
    }

    /// Everything that matches, in any order.
    private func all(
      in index: Index, _ isIncluded: (ImportedAnnotation) -> Bool
    ) -> [ImportedAnnotation] {
      let kindSet = Nearby.kindSet(kinds)
      guard ring.outer == .infinity, ring.inner == nil else {
        return index.nearest(
          .max, to: origin, within: ring.outer, beyond: ring.inner, kinds: kindSet,
          where: isIncluded
        ).results.map(\.annotation)
      }
      return index.annotations.filter { item in
        item.coordinate != nil && kindSet.map { item.kind.map($0.contains) ?? false } ?? true
          && isIncluded(item)
      }
    }
  }

  extension Ring {
    /// A query in words that differ for each other one; see `PageRequest`.
    func words(from origin: Coordinate?, kinds: [String], area: String = "") -> String {
      "from=\(origin.map { "\($0)" } ?? "");within=\(outer.meters);beyond=\(inner?.meters ?? -1)"
        + ";kinds=\(Set(kinds.map(ArgumentPreparation.restored)).sorted());area=\(area)"
    }
  }
#endif
