#if CommandLine
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbySearch

  /// What `bbox`, `within` and `map` ask of an area: everything in it by id, or by distance from
  /// a position when one is given, and then within and beyond what was asked.
  struct AreaQuestion {
    let origin: Coordinate?
    let ring: Ring
    let limit: Int
    let kinds: [String]
    let isGrouped: Bool

    /// Checks the options, before any source is read.
    init(_ query: QueryOptions, _ input: InputOptions) throws(CommandError) {
      origin = try query.origin(input)
      ring = try query.match.ring()
      limit = try query.limit(default: .max)
      kinds = query.match.kinds
      isGrouped = query.perKind
      if origin == nil, query.match.within != nil || query.match.beyond != nil {
        throw CommandError(
          "missing-position", "--within and --beyond measure from --lat and --lon; give them",
          status: .usage)
      }
    }

    var kindSet: Set<AnnotationKind>? { Nearby.kindSet(kinds) }

    /// What is left of the annotations of an area, as a listing.
    ///
    /// - Parameters:
    ///   - items: Those of the kinds asked for, by id.
    ///   - annotations: What they were taken from.
    func listing(
      of items: [ImportedAnnotation], from annotations: ImportedAnnotations,
      viewport: BoundingBox? = nil
    ) -> Listing {
      var listing = Listing(
        query: Listing.Query(origin: origin, limit: limit, ring: ring, kinds: kinds), rows: [],
        isGrouped: isGrouped, viewport: viewport, columns: annotations.columns)
      if let origin {
        // An index of the area alone also knows how far the position may move.
        let index = AnnotationIndex(
          items, shortcuts: isGrouped ? .idsAscend : [.idsAscend, .unindexedKinds])
        let answer =
          isGrouped
          ? index.nearestOfEachKind(limit, to: origin, within: ring.outer, beyond: ring.inner)
          : index.nearest(limit, to: origin, within: ring.outer, beyond: ring.inner)
        listing.rows = answer.results.map(Listing.Row.init)
        listing.validRadius = answer.validRadius
      } else {
        let chosen = isGrouped ? firstOfEachKind(items) : Array(items.prefix(limit))
        listing.rows = chosen.compactMap { Listing.Row($0, from: nil) }
      }
      return listing
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
    ) -> Int {
      // Without conditions the index counts without looking at each.
      guard origin != nil || limit < .max || !kinds.isEmpty else { return index.count(in: box) }
      return listing(of: index.annotations(in: box, kinds: kindSet), from: index.annotations)
        .rows.count
    }
  }

  extension Listing {
    /// Writes the rows, or only how many there are, and ends as the options ask.
    ///
    /// - Parameter total: How many annotations the sources have, placed ones.
    func answer(_ output: OutputPlan, countOnly: Bool, of total: Int) throws {
      if output.explains {
        Console.remark(
          "explain: of \(grouped(total)) positions, \(grouped(rows.count)) are in the answer")
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
