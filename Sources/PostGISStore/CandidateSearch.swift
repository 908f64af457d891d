#if PostgreSQL
  import AnnotationImport
  import Dispatch
  import Geodesy
  import MapAnnotations
  import NearbySearch

  /// Fetches enough annotations to contain the answer to a query.
  ///
  /// PostGIS orders by distance in the plane of longitude and latitude. An annotation that was not fetched is farther
  /// there than the fetched ones, and `PlaneOrder` says how far it is at least on the ground.
  ///
  /// If partitions are on other servers, a statement has a branch for each with its own filter, order and limit, so
  /// that each server sends only possible results; partitions that are too far away are not queried.
  final class CandidateSearch {
    /// The factor by which more are fetched if there were too few.
    private static let growth = 8
    /// More than half the way around the Earth, in meters.
    private static let everywhere = 20.1e6

    private let query: NearbyQuery
    private let plan: QueryPlan
    private let layer: PostGISLayer
    private let context: QueryContext<ImportedAnnotation>
    private let outline: LayerOutline
    private var sizes: [Int] { outline.sizes }
    private var parts: [LayerPart] { outline.parts }
    /// The maximum reach of any stored shape from its position, in meters.
    private let widest: Double
    /// The parts on servers that did not answer.
    private var missing: Set<LayerPart> = []
    /// How many seconds of changes may be missing, if a replica was queried.
    private var lag: Double?
    /// Whether the layer has changed since the outline was read.
    private(set) var isOutdated = false
    private let end: DispatchTime

    init(
      _ query: NearbyQuery, _ context: QueryContext<ImportedAnnotation>, in layer: PostGISLayer,
      _ outline: LayerOutline
    ) {
      self.query = query
      var context = context
      context.columns += outline.fields
      self.context = context
      self.layer = layer
      self.outline = outline
      widest = outline.sizes.map(StoredRow.reach).max() ?? 0
      plan = QueryPlan(query)
      end = .now() + .milliseconds(layer.store.timeLimit)
    }

    /// Fetches candidates that contain the answer.
    func candidates() throws(QueryError) -> Candidates {
      var found = try found()
      if !missing.isEmpty {
        let clearances = missing.map { (server: $0.server, meters: clearance(of: $0)) }
        // What is too far away to be in the answer only tells how far the origin may move.
        let within = plan.distances.within.meters
        let servers = Set(clearances.filter { $0.meters <= within }.compactMap(\.server))
        found.missing = (servers.sorted(), .meters(clearances.map(\.meters).min() ?? 0))
      }
      found.lag = lag
      found.kinds = outline.kinds.compactMap(\.self)
      return found
    }

    /// A lower bound of the distance from the origin to what a part has, in meters; 0 without an origin.
    private func clearance(of part: LayerPart) -> Double {
      query.origin.map { max(0, part.leastDistance(from: $0) - widest) } ?? 0
    }

    private func found() throws(QueryError) -> Candidates {
      if query.limit == 0 { return try read(nil) }
      switch plan.search {
      case .lookup(let ids): return try lookup(ids)
      case .lookupNumbers(let texts):
        let numbers = texts.compactMap { DecimalNumber($0) }
        return try lookup(
          Set(numbers.flatMap { $0.canonicalIDs ?? [] }),
          orTexts: numbers.compactMap(StoredRow.numeric))
      case .nearest, .area, .scan: break
      }
      let isWhole = query.order != nil || !query.facets.isEmpty
      if query.origin != nil {
        let needed = isWhole || query.limit == .max ? nil : query.limit + 1
        return query.isPerKind
          ? try nearestOfEachKind(needed: needed)
          : try nearest(query, needed: needed, wantedKinds)
      }
      if boxes == nil, !isWhole, !query.isPerKind, query.limit < .max { return try page() }
      return try everything(wantedKinds)
    }

    // MARK: Statements

    static func failure(_ error: PostGISError) -> QueryError {
      .source(code: error.code, message: error.description)
    }

    /// A statement and its bound values.
    private typealias Statement = (sql: String, values: [PostgreSQLConnection.Value])

    /// Queries some tables in one statement, so that all rows are of one moment; if that fails, finds out which servers
    /// do not answer, and queries the tables of the others.
    ///
    /// - Parameter statement: Makes the statement for some of the tables.
    /// - Returns: nil if no table is left to query.
    private func rows(
      of parts: [LayerPart], _ statement: ([LayerPart]) -> Statement
    ) throws(QueryError) -> PostgreSQLRows? {
      let lost = layer.store.silentServers()
      missing.formUnion(parts.filter { $0.server.map(lost.contains) ?? false })
      var lostBefore = -1
      while true {
        let asked = parts.filter { !missing.contains($0) }
        guard !asked.isEmpty else { return nil }
        let servers = Set(asked.map(\.server))
        let others = servers.compactMap { $0 }.sorted()
        do throws(PostGISError) {
          // Keep half of the time to find out which server it is.
          let rows = try run(statement(asked), of: servers, within: others.isEmpty ? 1 : 2)
          try look(at: rows, of: servers)
          return rows
        } catch {
          guard !others.isEmpty, error.mayBeOfPart, missing.count > lostBefore else {
            throw CandidateSearch.failure(error)
          }
        }
        lostBefore = missing.count
        try findSilence(of: others, among: asked, statement)
      }
    }

    /// Queries the connected server, then each of some others, to find out which of these do not answer.
    private func findSilence(
      of others: [String], among parts: [LayerPart], _ statement: ([LayerPart]) -> Statement
    ) throws(QueryError) {
      let servers: [String?] = [nil] + others
      for (place, server) in servers.enumerated() {
        let theirs = parts.filter { $0.server == server }
        do throws(PostGISError) {
          // The connected server itself may have no such table, and is asked all the same.
          let sent: Statement = theirs.isEmpty ? ("SELECT 1", []) : statement(theirs)
          // The last share is for all that answer.
          _ = try run(sent, of: [server], within: servers.count - place + 1)
        } catch {
          // If the connected server itself does not answer, there is no answer at all.
          guard let server, error.mayBeOfPart else { throw CandidateSearch.failure(error) }
          guard error.isSilence else { throw CandidateSearch.failure(error.of(server)) }
          layer.store.noteSilence(of: server)
          missing.formUnion(theirs)
        }
      }
    }

    /// Checks whether rows belong to the outlined layer, and to one moment: one row has the mark instead of a feature.
    private func look(
      at rows: PostgreSQLRows, of servers: Set<String?>
    ) throws(PostGISError) {
      let place = (0..<rows.count).reversed().first { rows.bytes($0, 1) == nil }
      let (mark, lag) = LayerOutline.read(mark: place.flatMap { rows[$0, 0] })
      // A replica may be older than the servers of the partitions, also where it knows of no lag.
      guard lag == nil || servers == [nil] else {
        throw PostGISError(layer.store.server, .replicaOfParts)
      }
      if mark != outline.mark { isOutdated = true }
      self.lag = lag.map { max($0, self.lag ?? 0) } ?? self.lag
    }

    /// - Parameter shares: How many statements may still run one after the other before the time is up.
    private func run(
      _ statement: Statement, of servers: Set<String?>, within shares: Int
    ) throws(PostGISError) -> PostgreSQLRows {
      try layer.store.reading { connection throws(PostGISError) in
        guard servers != [nil] else { return try connection.rows(statement.sql, statement.values) }
        let now = DispatchTime.now().uptimeNanoseconds
        let left = end.uptimeNanoseconds > now ? end.uptimeNanoseconds - now : 0
        let time = Int(left / 1_000_000) / shares
        try connection.planOnce()
        guard servers.count > 1 else {
          return try connection.rows(statement.sql, statement.values, within: time)
        }
        return try PostGISLayer.betweenCommits(outline.lock, connection) {
          () throws(PostGISError) in
          try connection.rows(statement.sql, statement.values, within: time)
        }
      }
    }

    /// The test of kinds in PostgreSQL.
    private enum KindTest {
      case any, unnamed
      case among(Set<AnnotationKind>)
    }

    /// The condition on rows of a size, as far as PostgreSQL can express it exactly or more broadly.
    ///
    /// - Parameter values: The bound values, to which this adds.
    private func filter(
      _ kinds: KindTest, size: Int, _ values: inout [PostgreSQLConnection.Value]
    ) -> String {
      var tests = ""
      switch kinds {
      case .any: break
      case .unnamed: tests = " AND kind IS NULL"
      case .among(let kinds):
        // PostgreSQL compares bytes: it gets every spelling that the layer has of these kinds.
        let spellings = outline.kinds.compactMap { $0 }.filter(kinds.contains)
        values.append(PostGISLayer.array(spellings.map(\.rawValue)))
        tests = " AND kind = ANY($\(values.count)::text[])"
      }
      guard let boxes else { return tests }
      return tests + StoredRow.isInside(boxes, wider: StoredRow.reach(of: size), &values)
    }

    private var wantedKinds: KindTest { plan.kinds.map { .among($0) } ?? .any }

    /// The boxes of the query's area; nil if it has none.
    private var boxes: [BoundingBox]? {
      switch query.area {
      case .everywhere: query.clip.map { [$0] }
      case .box(let box): [box]
      case .polygons(let area): area.boundingBoxes
      }
    }

    /// The tables that may have results in the query's area.
    private var partsInArea: [LayerPart] {
      guard let boxes else { return parts }
      let spans = boxes.flatMap { PlaneSpan.spans(of: $0, wider: widest) }
      return parts.filter { $0.meets(spans) }
    }

    /// Reads the features of some rows, at most `limit` of them.
    private func read(
      _ rows: PostgreSQLRows?, limit: Int = .max, reach: Double = .infinity
    ) throws(QueryError) -> Candidates {
      do throws(PostGISError) {
        return try Candidates(rows, limit: limit, of: layer, context, reach: reach)
      } catch {
        throw CandidateSearch.failure(error)
      }
    }

    /// A statement with one branch for each of some tables, and one for the layer's mark.
    ///
    /// - Parameter rest: Placeholder columns after a feature and its rank.
    private func union(
      of parts: [LayerPart], _ values: [PostgreSQLConnection.Value] = [], rest: String = "",
      _ branch: (LayerPart, inout [PostgreSQLConnection.Value]) -> String
    ) -> Statement {
      var values = values
      var branches = parts.map { "(" + branch($0, &values) + ")" }
      values += [layer.name, layer.table]
      let mark = LayerOutline.mark(name: "$\(values.count - 1)", table: "$\(values.count)")
      branches.append("SELECT (\(mark)), NULL::bytea\(rest)")
      return (branches.joined(separator: " UNION ALL "), values)
    }

    // MARK: Search strategies

    /// The candidates with some ids, and those whose id is a text of one of some numbers.
    private func lookup(
      _ ids: Set<AnnotationID>, orTexts numbers: [String]? = nil
    ) throws(QueryError) -> Candidates {
      let ranks = ids.map { PostGISLayer.hexadecimal(StoredRow.rank(of: $0)) }
      let arrays = [ranks] + (numbers.map { [$0] } ?? [])
      return try read(
        rows(of: parts) { parts in
          union(of: parts, arrays.map { PostGISLayer.array($0) }) { part, _ in
            let rows = "SELECT feature, rank FROM \(part.table) WHERE "
            let found = rows + "rank = ANY($1::bytea[])"
            guard numbers != nil else { return found }
            return found + " UNION ALL \(rows)\(StoredRow.isText(ofNumberIn: "$2::numeric[]"))"
          }
        })
    }

    /// All candidates in the area, of the requested kinds.
    private func everything(_ kinds: KindTest) throws(QueryError) -> Candidates {
      let hasArea = boxes != nil
      return try read(
        rows(of: partsInArea) { parts in
          union(of: parts) { part, values in
            (hasArea ? sizes : [0]).map { size in
              "SELECT feature, rank FROM \(part.table) WHERE "
                + (hasArea ? "size = \(size)" : "true") + filter(kinds, size: size, &values)
            }.joined(separator: " UNION ALL ")
          }
        })
    }

    /// The first candidates by id, after a cursor.
    private func page() throws(QueryError) -> Candidates {
      let after = try query.lastOfPageBefore
      let needed = query.limit + 1
      var limit = needed + 1
      while true {
        let rows = try rows(of: parts) { parts in
          union(of: parts, [PostGISLayer.hexadecimal(after.map { StoredRow.rank(of: $0) } ?? [])]) {
            part, values in
            "SELECT feature, rank FROM \(part.table) WHERE rank >= $1::bytea"
              + "\(filter(wantedKinds, size: 0, &values)) ORDER BY rank LIMIT \(limit)"
          }
        }
        // After the first table ends, rows that it did not send may precede rows of the others.
        let found = try read(rows, limit: limit)
        var probe = query
        probe.limit = needed
        if rows.map({ $0.count - 1 < limit }) ?? true { return found }
        if try found.answerSoFar(probe)?.count == needed { return found }
        limit *= CandidateSearch.growth
      }
    }

    private func nearestOfEachKind(needed: Int?) throws(QueryError) -> Candidates {
      var found: [ImportedAnnotations] = []
      var asked: Set<AnnotationKind?> = []
      for kind in outline.kinds where asked.insert(kind).inserted {
        if let wanted = plan.kinds, kind.map({ !wanted.contains($0) }) ?? true { continue }
        var one = query
        one.isPerKind = false
        one.kinds = kind.map { [$0] }
        found.append(
          try nearest(one, needed: needed, kind.map { .among([$0]) } ?? .unnamed).annotations)
      }
      return Candidates(ImportedAnnotations(joining: found), context)
    }

    /// The nearest candidates, until there are enough.
    ///
    /// - Parameter needed: One more than requested, which determines how far the origin may move; nil for all.
    private func nearest(
      _ query: NearbyQuery, needed: Int?, _ kinds: KindTest
    ) throws(QueryError) -> Candidates {
      let within = plan.distances.within.meters
      guard let origin = query.origin, needed != nil || within < .infinity else {
        return try everything(kinds)
      }
      let isFirstPage = query.after?.isEmpty ?? true
      // The first one beyond determines how far the origin may move; with a cursor or a condition
      // on distances, it may not move at all.
      let looksBeyond = within < .infinity && isFirstPage && within == query.distances.within.meters
      let probe = probe(of: query, needed: needed, looksBeyond: looksBeyond)
      let order = PlaneOrder(from: origin)
      var span =
        needed.map { Span.count($0 < 1 << 20 ? order.count(ofNearest: $0) : $0) } ?? .radius(within)
      let tables = partsInArea.map { (part: $0, clearance: clearance(of: $0)) }
        .sorted { $0.clearance < $1.clearance }
      // Start where the origin lies, be it in the default partition alone: the others may be out of reach.
      var radius = 0.0
      var attempts = 0
      while true {
        let near = tables.prefix { $0.clearance <= radius }
        var (found, count) = try fetch(span, kinds, from: origin, order, of: near.map(\.part))
        let beyond = tables.dropFirst(near.count).first?.clearance ?? .infinity
        found.reach = min(found.reach, beyond)
        if found.reach == .infinity { return found }
        let matches = try found.answerSoFar(probe)
        let last = matches?.last?.distance.meters ?? 0
        let isEnough = matches.map { $0.count == needed } ?? false
        if isEnough, last <= found.reach { return found }
        if within < found.reach {
          guard looksBeyond else { return found }
          if let next = matches?.first(where: { $0.distance.meters > within }),
            next.distance.meters <= found.reach
          {
            return found
          }
        }
        // If a table that was not queried may have a nearer one, query it before fetching more from the others.
        if found.reach == beyond {
          let isDefaultAlone = near.allSatisfy { $0.part.boxes == nil }
          radius = isEnough ? max(last, beyond) : isDefaultAlone ? beyond : .infinity
          continue
        }
        // Fetching a few more is faster than fetching all that are nearer; but if many are about as far, as from the
        // sea, or the order says nothing so far away, fetch all of these.
        attempts += 1
        if isEnough, attempts > 2 || last + widest > order.leastDistance(beyond: .infinity) {
          span = .radius(last)
        } else {
          let isNearMiss = isEnough && attempts == 1 && last < 1.2 * found.reach
          span = .count(max(count, 16) * (isNearMiss ? 2 : CandidateSearch.growth))
        }
      }
    }

    /// The query whose answer from some candidates shows whether these are enough.
    private func probe(of query: NearbyQuery, needed: Int?, looksBeyond: Bool) -> NearbyQuery {
      var probe = query
      probe.order = nil
      probe.facets = []
      probe.limit = needed ?? .max
      if looksBeyond { probe.distances.within = .infinity }
      if query.order != nil { probe.after = nil }
      return probe
    }

    /// How many to fetch of each size, or from what radius.
    private enum Span {
      case count(Int)
      case radius(Double)
    }

    /// Fetches the nearest in the plane, of each size in each table.
    ///
    /// - Returns: The candidates, and their number.
    private func fetch(
      _ span: Span, _ kinds: KindTest, from origin: Coordinate, _ order: PlaneOrder,
      of parts: [LayerPart]
    ) throws(QueryError) -> (found: Candidates, count: Int) {
      guard !parts.isEmpty, !sizes.isEmpty else { return (try read(nil), 0) }
      let rows = try rows(of: parts) { asked in
        let place = "SRID=4326;POINT(\(origin.longitude) \(origin.latitude))"
        return union(of: asked, [place], rest: ", NULL::float8, NULL::integer, NULL::integer") {
          part, values in
          sizes.map { size in
            "(SELECT feature, rank, place::geometry <-> $1::geometry AS way, \(size) AS size,"
              + " \(parts.firstIndex(of: part) ?? 0) AS part FROM \(part.table)"
              + " WHERE size = \(size) AND place IS NOT NULL" + filter(kinds, size: size, &values)
              + ending(of: span, from: origin, size: size, &values) + ")"
          }.joined(separator: " UNION ALL ")
        }
      }
      guard let rows else { return (try read(nil), 0) }
      return (try read(rows, reach: reach(of: rows, span, order)), rows.count - 1)
    }

    /// What ends a branch of a statement at its span.
    private func ending(
      of span: Span, from origin: Coordinate, size: Int,
      _ values: inout [PostgreSQLConnection.Value]
    ) -> String {
      switch span {
      case .count(let count):
        guard size < StoredRow.wholeEarth else { return "" }
        return " ORDER BY place::geometry <-> $1::geometry LIMIT \(count)"
      case .radius(let radius):
        let wider = StoredRow.reach(of: size)
        guard radius + wider < CandidateSearch.everywhere else { return "" }
        return StoredRow.isInside(
          [BoundingBox(around: origin, radius: .meters(radius))], wider: wider, &values)
      }
    }

    /// Up to what distance nothing is missing among fetched rows, in meters.
    private func reach(of rows: PostgreSQLRows, _ span: Span, _ order: PlaneOrder) -> Double {
      let limit: Int
      switch span {
      case .count(let count): limit = count
      case .radius(let radius):
        let isEnded = sizes.contains { radius + StoredRow.reach(of: $0) < Self.everywhere }
        return isEnded ? radius : .infinity
      }
      struct Branch: Hashable {
        let size: String?, part: String?
      }
      var last: [Branch: (count: Int, way: Double)] = [:]
      for row in 0..<rows.count {
        guard let way = rows[row, 2].flatMap({ Double($0) }) else { continue }
        let branch = Branch(size: rows[row, 3], part: rows[row, 4])
        let old = last[branch] ?? (0, 0)
        last[branch] = (old.count + 1, max(old.way, way))
      }
      return last.filter { $0.value.count >= limit }.map { branch, found in
        let size = branch.size.flatMap { Int($0) } ?? 0
        return size < StoredRow.wholeEarth
          ? order.leastDistance(beyond: found.way) - StoredRow.reach(of: size) : .infinity
      }.min() ?? .infinity
    }
  }
#endif
