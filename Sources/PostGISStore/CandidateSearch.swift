#if PostgreSQL
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbySearch

  /// Fetches enough annotations to contain the answer to a query.
  ///
  /// PostGIS orders on a sphere. The lengths of a curve there and on WGS 84 differ by a factor between two bounds,
  /// those of the radii of curvature by the sphere's; so do then the lengths of shortest curves. What was not fetched is
  /// farther on the sphere than what was, and so no nearer on WGS 84 than that times the lesser bound.
  struct CandidateSearch {
    /// A distance on WGS 84 is at least this times that on the sphere: a(1 − e²) by PostGIS's radius, (2a + b)/3.
    static let leastRatio = 6_335_439.327 / 6_371_008.772
    /// What rounding may do to distances on both sides, in meters.
    private static let slack = 0.01
    /// How many times as many are fetched when there were too few.
    private static let growth = 8
    /// Half of the way around the Earth and more, in meters.
    private static let everywhere = 20.1e6

    /// Some annotations, and up to where there are no others.
    struct Candidates {
      let annotations: ImportedAnnotations
      let context: QueryContext<ImportedAnnotation>
      /// Not a scan: a distance is then the same to the last bit as that from an index of all.
      private let index: AnnotationIndex<ImportedAnnotations>
      /// What else there is is farther than this; infinite where there is nothing else.
      var reach = Double.infinity

      init(
        _ annotations: ImportedAnnotations, _ context: QueryContext<ImportedAnnotation>,
        reach: Double = .infinity
      ) {
        self.annotations = annotations
        self.context = context
        self.reach = reach
        var shortcuts: IndexingShortcuts = [.unindexedKinds, .unsortedPositions]
        if annotations.idsAscend { shortcuts.insert(.idsAscend) }
        index = AnnotationIndex(annotations, shortcuts: shortcuts)
      }

      func answer(_ query: NearbyQuery) throws(QueryError) -> NearbyAnswer<ImportedAnnotation> {
        try index.answer(query, in: context)
      }
    }

    private let query: NearbyQuery
    private let plan: QueryPlan
    private let layer: PostGISLayer
    private var context: QueryContext<ImportedAnnotation>
    /// The kinds that the layer has or had.
    private var kinds: [AnnotationKind?] = []
    /// The sizes of shapes that it has or had; see `StoredRow.size`.
    private var sizes: [Int] = []

    init(
      _ query: NearbyQuery, _ context: QueryContext<ImportedAnnotation>, in layer: PostGISLayer
    ) throws(QueryError) {
      self.query = query
      self.context = context
      self.layer = layer
      plan = QueryPlan(query)
      let rows = try rows(
        """
        SELECT 'field', field FROM nearby.layers, unnest(fields) AS field WHERE name = $1
        UNION ALL SELECT 'kind', kind FROM nearby.layers, unnest(kinds) AS kind WHERE name = $1
        UNION ALL SELECT 'kind', NULL FROM nearby.layers WHERE name = $1 AND has_unnamed
        UNION ALL SELECT 'size', size::text FROM nearby.layers, unnest(sizes) AS size WHERE name = $1
        """, [layer.name])
      for row in 0..<rows.count {
        switch rows[row, 0] {
        case "field": self.context.columns.append(rows[row, 1] ?? "")
        case "kind": kinds.append(rows[row, 1].map { AnnotationKind(rawValue: $0) })
        default: sizes.append(rows[row, 1].flatMap { Int($0) } ?? 0)
        }
      }
    }

    func candidates() throws(QueryError) -> Candidates {
      if query.limit == 0 { return try read([]) }
      if case .lookup(let ids) = plan.search { return try lookup(ids) }
      let isWhole = query.order != nil || !query.facets.isEmpty
      if query.isPerKind, query.origin != nil { return try nearestOfEachKind() }
      if query.origin != nil {
        return try nearest(
          query, needed: isWhole || query.limit == .max ? nil : query.limit + 1, wantedKinds)
      }
      if boxes == nil, !isWhole, !query.isPerKind, query.limit < .max { return try page() }
      return try everything(wantedKinds)
    }

    // MARK: Statements

    private func rows(
      _ sql: String, _ values: [PostgreSQLConnection.Value]
    ) throws(QueryError) -> PostgreSQLRows {
      do throws(PostGISError) {
        return try layer.store.reading { connection throws(PostGISError) in
          try connection.rows(sql, values)
        }
      } catch {
        throw .source(code: error.code, message: error.description)
      }
    }

    /// What PostgreSQL asks of kinds.
    private enum KindTest {
      case any, unnamed
      case among(Set<AnnotationKind>)
    }

    /// What must be true of rows of a size, as far as PostgreSQL tells it exactly, or finds more than are wanted.
    ///
    /// - Parameter values: What is bound, to which this adds.
    private func filter(
      _ kinds: KindTest, size: Int, _ values: inout [PostgreSQLConnection.Value]
    ) -> String {
      var tests = ""
      switch kinds {
      case .any: break
      case .unnamed: tests = " AND kind IS NULL"
      case .among(let kinds):
        values.append(PostGISLayer.array(kinds.map(\.rawValue).filter { !$0.utf8.contains(0) }))
        tests = " AND kind = ANY($\(values.count)::text[])"
      }
      guard let boxes else { return tests }
      let spans = boxes.flatMap { PlaneSpan.spans(of: $0, wider: StoredRow.reach(of: size)) }
      guard !spans.isEmpty else { return tests + " AND false" }
      let parts = spans.map { span in
        for edge in [span.west, span.south, span.east, span.north] { values.append("\(edge)") }
        let last = values.count
        return
          "place::geometry && ST_MakeEnvelope($\(last - 3), $\(last - 2), $\(last - 1), $\(last), 4326)"
      }
      return tests + " AND (" + parts.joined(separator: " OR ") + ")"
    }

    private var wantedKinds: KindTest { plan.kinds.map { .among($0) } ?? .any }

    /// What the query's area lies in; nil where it has none.
    private var boxes: [BoundingBox]? {
      switch query.area {
      case .everywhere: query.clip.map { [$0] }
      case .box(let box): [box]
      case .polygons(let area): area.boundingBoxes
      }
    }

    private func read(
      _ features: [UnsafeBufferPointer<UInt8>], reach: Double = .infinity
    ) throws(QueryError) -> Candidates {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(features.reduce(0) { $0 + $1.count + 1 })
      for feature in features {
        bytes.append(contentsOf: feature)
        bytes.append(UInt8(ascii: "\n"))
      }
      // A sequence of nothing is none.
      if bytes.isEmpty { bytes = Array(#"{"type":"FeatureCollection","features":[]}"#.utf8) }
      var options = ImportOptions()
      options.requiresPositions = false
      options.allowsNullIsland = true
      options.isStrict = true
      do throws(ImportError) {
        let result = try AnnotationImporter(options: options).read(
          bytes, named: layer.description, format: features.isEmpty ? .geojson : .geojsonseq)
        // Numbers of rows are those of this answer alone.
        return Candidates(result.annotations.withoutOrigins, context, reach: reach)
      } catch {
        let failure = PostGISError(layer.store.server, .unreadableRow("\(error)"))
        throw .source(code: failure.code, message: failure.description)
      }
    }

    /// The features in the first column, by the ranks in the second: ids that ascend need no sorting later.
    private func all(_ rows: PostgreSQLRows) -> [UnsafeBufferPointer<UInt8>] {
      (0..<rows.count).sorted { left, right in
        guard let first = rows.bytes(left, 1), let second = rows.bytes(right, 1) else {
          return false
        }
        return first.lexicographicallyPrecedes(second)
      }.compactMap { rows.bytes($0, 0) }
    }

    // MARK: Ways to find them

    private func lookup(_ ids: Set<AnnotationID>) throws(QueryError) -> Candidates {
      let ranks = ids.map { PostGISLayer.hexadecimal(StoredRow.rank(of: $0)) }
      let rows = try rows(
        "SELECT feature, rank FROM \(layer.table) WHERE rank = ANY($1::bytea[])",
        [PostGISLayer.array(ranks)])
      return try read(all(rows))
    }

    /// All that may be in the area, of the kinds that are asked for.
    private func everything(_ kinds: KindTest) throws(QueryError) -> Candidates {
      var found: [UnsafeBufferPointer<UInt8>] = []
      var kept: [PostgreSQLRows] = []
      for size in boxes == nil ? [0] : sizes {
        var values: [PostgreSQLConnection.Value] = []
        let filter = filter(kinds, size: size, &values)
        let rows = try rows(
          "SELECT feature, rank FROM \(layer.table) WHERE "
            + (boxes == nil ? "true" : "size = \(size)") + filter, values)
        found += all(rows)
        kept.append(rows)
      }
      return try withExtendedLifetime(kept) { () throws(QueryError) in try read(found) }
    }

    /// The first by their ids, behind a cursor.
    private func page() throws(QueryError) -> Candidates {
      let after = try query.lastOfPageBefore
      let needed = query.limit + 1
      var limit = needed + 1
      while true {
        var values: [PostgreSQLConnection.Value] = [
          PostGISLayer.hexadecimal(after.map { StoredRow.rank(of: $0) } ?? [])
        ]
        let filter = filter(wantedKinds, size: 0, &values)
        let rows = try rows(
          "SELECT feature, rank FROM \(layer.table) WHERE rank >= $1::bytea\(filter) ORDER BY rank LIMIT \(limit)",
          values)
        let found = try read(all(rows))
        var probe = query
        probe.limit = needed
        if rows.count < limit { return found }
        if try found.answer(probe).count == needed { return found }
        limit = rows.count * CandidateSearch.growth
      }
    }

    private func nearestOfEachKind() throws(QueryError) -> Candidates {
      var found: [ImportedAnnotations] = []
      for kind in kinds {
        if let wanted = plan.kinds, kind.map({ !wanted.contains($0) }) ?? true { continue }
        var one = query
        one.isPerKind = false
        one.kinds = kind.map { [$0] }
        found.append(
          try nearest(
            one, needed: query.limit == .max ? nil : query.limit + 1,
            kind.map { .among([$0]) } ?? .unnamed
          ).annotations)
      }
      return Candidates(ImportedAnnotations(joining: found), context)
    }

    /// The nearest, until there are enough.
    ///
    /// - Parameter needed: One more than are wanted, which says how far the origin may move; nil for all.
    private func nearest(
      _ query: NearbyQuery, needed: Int?, _ kinds: KindTest
    ) throws(QueryError) -> Candidates {
      let within = plan.distances.within.meters
      guard needed != nil || within < .infinity else { return try everything(kinds) }
      let isFirstPage = query.after?.isEmpty ?? true
      // The first one beyond says how far the origin may move; a cursor and a condition about distances say that
      // it may not at all.
      let looksBeyond =
        within < .infinity && isFirstPage && within == query.distances.within.meters
      var probe = query
      probe.order = nil
      probe.facets = []
      probe.limit = needed ?? .max
      if looksBeyond { probe.distances.within = .infinity }
      if query.order != nil { probe.after = nil }
      var span = needed.map { Span.count(max(32, $0 < 1 << 20 ? 2 * $0 : $0)) } ?? .radius(within)
      var attempts = 0
      while true {
        let (found, count) = try fetch(span, kinds)
        if found.reach == .infinity { return found }
        let matches = try found.answer(probe)
        let last = matches.last?.distance.meters ?? 0
        let isEnough = matches.count == needed
        if isEnough, last <= found.reach { return found }
        if within < found.reach {
          guard looksBeyond else { return found }
          if let next = matches.first(where: { $0.distance.meters > within }),
            next.distance.meters <= found.reach
          {
            return found
          }
        }
        // Some more are quicker found than all that are nearer; where many are as far, as from the sea, these are.
        attempts += 1
        span =
          isEnough && attempts > 1
          ? .radius(last) : .count(max(count, 32) * CandidateSearch.growth)
      }
    }

    /// How many are fetched of each size, or from how far.
    private enum Span {
      case count(Int)
      case radius(Double)
    }

    /// The nearest of each size on the sphere.
    ///
    /// - Returns: Them, and how many there are.
    private func fetch(
      _ span: Span, _ kinds: KindTest
    ) throws(QueryError) -> (found: Candidates, count: Int) {
      guard let origin = query.origin else { preconditionFailure("nearest to nowhere") }
      var values: [PostgreSQLConnection.Value] = [
        "SRID=4326;POINT(\(origin.longitude) \(origin.latitude))"
      ]
      var reach = Double.infinity
      let branches = sizes.map { size in
        var branch =
          "SELECT feature, rank, place <-> $1::geography AS way, \(size) AS size FROM \(layer.table) "
        branch += "WHERE size = \(size) AND place IS NOT NULL" + filter(kinds, size: size, &values)
        switch span {
        case .count(let count):
          if size < StoredRow.wholeEarth {
            branch += " ORDER BY place <-> $1::geography LIMIT \(count)"
          }
        case .radius(let radius):
          let bound = (radius + StoredRow.reach(of: size) + 1) / CandidateSearch.leastRatio
          if bound < CandidateSearch.everywhere {
            values.append("\(bound)")
            branch += " AND ST_DWithin(place, $1::geography, $\(values.count)::float8, false)"
            reach = radius
          }
        }
        return "(\(branch))"
      }
      guard !branches.isEmpty else { return (try read([]), 0) }
      let rows = try rows(branches.joined(separator: " UNION ALL "), values)
      if case .count(let count) = span {
        var last: [Int: (count: Int, way: Double)] = [:]
        for row in 0..<rows.count {
          guard let size = rows[row, 3].flatMap({ Int($0) }),
            let way = rows[row, 2].flatMap({ Double($0) })
          else { continue }
          let old = last[size] ?? (0, 0)
          last[size] = (old.count + 1, max(old.way, way))
        }
        for (size, found) in last where found.count >= count && size < StoredRow.wholeEarth {
          reach = min(
            reach,
            found.way * CandidateSearch.leastRatio - StoredRow.reach(of: size)
              - CandidateSearch.slack)
        }
      }
      return (try read(all(rows), reach: reach), rows.count)
    }
  }
#endif
