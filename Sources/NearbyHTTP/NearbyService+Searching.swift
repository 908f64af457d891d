import AnnotationImport
import AnnotationSources
import BusinessHours
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch

extension NearbyService {
  static let geoJSON = "application/geo+json"
  static let sequence = "application/geo+json-seq"

  func context(_ state: CollectionState) -> QueryContext<ImportedAnnotation> {
    QueryContext(hours: clocks.reader, columns: state.columns)
  }

  func understood(
    _ asked: Asked, _ operation: Operation, _ state: CollectionState
  ) throws(Problem) -> AskedQuery {
    let understood = try asked.request.parameters.get()
      .query(of: operation, state, clocks, now: asked.now)
    if !allowsNullIsland, let origin = understood.query.origin, origin.isNullIsland {
      throw Problem(
        400, "null-island",
        "\(plainDecimal(origin.latitude)),\(plainDecimal(origin.longitude)) is what devices send "
          + "when they have no fix; ask from a place 0.0005° away",
        parameter: "lat")
    }
    return understood
  }

  /// Rejects now what is wrong with a query whose answers come later.
  func checkFields(_ asked: AskedQuery, _ state: CollectionState) throws(Problem) {
    var asked = asked
    asked.query.limit = 1
    _ = try answer(asked, state)
  }

  /// The answer to a query.
  func answer(
    _ asked: AskedQuery, _ state: CollectionState
  ) throws(Problem) -> NearbyAnswer<ImportedAnnotation> {
    try asked.refusing { () throws(QueryError) in
      try state.index.answer(asked.query, in: context(state))
    }
  }

  /// Rejects a query that would test more annotations one by one than the server allows.
  func checkCost(
    _ asked: AskedQuery, _ state: CollectionState, _ remedy: String = "use a smaller bbox"
  ) throws(Problem) {
    let query = asked.query
    // Without a limit, as for maps, a distance is measured to each.
    let measuresAll = query.origin != nil && query.limit == .max
    guard
      query.condition != nil || query.open != nil || query.dates != nil || !query.facets.isEmpty
        || measuresAll,
      state.index.count > limits.cost
    else { return }
    let boxes: [BoundingBox] =
      switch query.area {
      case .everywhere: [.world]
      case .box(let box): [box]
      case .polygons(let polygons): polygons.boundingBoxes
      }
    let counts = boxes.compactMap { state.index.fastCount(in: $0) }
    let unplaced =
      asked.matchesUnplaced || query.area == .everywhere ? state.index.unplacedCount : 0
    if counts.count == boxes.count, counts.reduce(unplaced, +) <= limits.cost { return }
    throw Problem(
      400, "query-cost",
      "this would look at each of \(state.index.count) annotations; \(remedy)")
  }

  // MARK: Features

  /// A page of the features that a query finds.
  func items(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    let state = collection.state
    var understood = try understood(asked, .items, state)
    let format = try format(asked, named: understood.format, among: .features)
    try checkCost(understood, state)
    if understood.query.after == nil { understood.query.after = "" }
    let page = try understood.refusing { () throws(QueryError) in
      try understood.page(of: state, in: context(state))
    }
    let returned = page.answers.reduce(0) { $0 + $1.count }
    let address = asked.address(of: collection) + "/items"
    var links = [
      Link("self", NearbyService.geoJSON, address + understood.queryText()),
      Link(
        "alternate", NearbyService.sequence,
        address + understood.queryText(setting: "f", to: "jsonseq")),
      Link("alternate", "text/html", address + understood.queryText(setting: "f", to: "html")),
      Link("collection", "application/json", asked.address(of: collection)),
    ]
    let next = page.next.map { NearbyService.link(to: $0, at: address, understood, format) }
    if let next { links.append(next) }
    return features(
      FeaturePage(
        format: format, answers: page.answers, matched: page.matched,
        members: [
          ("numberMatched", .integer(page.matched)), ("numberReturned", .integer(returned)),
          ("links", .array(links.map(\.value))),
        ], next: next), understood, asked, of: collection, in: state)
  }

  /// The nearest annotations.
  func nearest(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    let state = collection.state
    let understood = try understood(asked, .nearest, state)
    let format = try format(asked, named: understood.format, among: .features)
    try checkCost(understood, state)
    let answer = try answer(understood, state)
    let next = answer.next.map {
      NearbyService.link(to: $0, at: asked.address(of: collection) + "/nearest", understood, format)
    }
    var members: [(name: String, value: PropertyValue)] = [
      ("numberReturned", .integer(answer.count)),
      ("validRadius", .least(answer.validRadius)),
      ("complete", .bool(true)),
    ]
    if understood.query.open != nil {
      let setting = clocks.setting(at: understood.query.origin)
      members.append(("validUntil", .moment(answer.validUntil, by: setting)))
    }
    if let next { members.append(("links", .array([next.value]))) }
    return features(
      FeaturePage(format: format, answers: [answer], members: members, next: next), understood,
      asked, of: collection, in: state)
  }

  /// The link to the page behind a cursor, in the format of the page that has the link.
  private static func link(
    to cursor: String, at address: String, _ understood: AskedQuery, _ format: ResponseFormat
  ) -> Link {
    var understood = understood
    if format == .html {
      understood.pairs.removeAll { $0.name == "f" }
      understood.pairs.append(("f", "html"))
    }
    return Link("next", format.type, address + understood.queryText(setting: "after", to: cursor))
  }

  /// The entity tag of a response, from the state that it was made from and the request; nil where time changes it.
  private func tag(
    of understood: AskedQuery, _ format: ResponseFormat, _ asked: Asked, _ state: CollectionState
  ) -> String? {
    guard !understood.asksForNow else { return nil }
    let words = "\(format.rawValue) \(asked.base)\(asked.request.path)?\(asked.request.query)"
    return state.tag + "-" + String(words.utf8.fnvHash, radix: 36)
  }

  /// A page of features, whatever its format.
  private struct FeaturePage {
    let format: ResponseFormat
    let answers: [NearbyAnswer<ImportedAnnotation>]
    /// How many features all pages have; nil if that is not known.
    var matched: Int?
    /// The members of the JSON document before its features.
    let members: [(name: String, value: PropertyValue)]
    /// The page behind it.
    let next: Link?
  }

  /// The response with a page of features.
  private func features(
    _ page: FeaturePage, _ understood: AskedQuery, _ asked: Asked,
    of collection: ServedCollection, in state: CollectionState
  ) -> ServerAnswer {
    counts.count(
      nodes: page.answers.reduce(0) { $0 + $1.statistics.nodeGroupsTested },
      candidates: page.answers.reduce(0) { $0 + $1.statistics.candidates })
    var content =
      page.format == .html
      ? Content.html(table(page, understood, asked, of: collection))
      : Content(
        type: page.format.type, bytes: json(page, understood),
        tag: tag(of: understood, page.format, asked, state), next: page.next)
    content.until = understood.until(page.answers.lazy.map(\.validUntil))
    return kept(content, asked, of: collection, in: state)
  }

  /// The hours that a query tests; nil if it tests none.
  private func openPlan(of understood: AskedQuery) -> OpenPlan? {
    understood.query.open.map {
      OpenPlan(condition: $0, clocks: clocks, own: clocks.setting(at: understood.query.origin))
    }
  }

  /// A page of features for browsers.
  private func table(
    _ page: FeaturePage, _ understood: AskedQuery, _ asked: Asked, of collection: ServedCollection
  ) -> [UInt8] {
    let isMeasured = understood.query.origin != nil
    let plan = openPlan(of: understood)
    let rows = page.answers.joined().map { result -> HTMLDocument.Row in
      var added = Properties()
      if isMeasured, result.distance < .infinity {
        added.append("distance", .meters(result.distance))
        added.append("bearing", .bearing(result.bearing))
      }
      if let plan, let status = result.openStatus {
        added.entries += plan.members(of: status, of: result.annotation).entries
      }
      added.entries += understood.query.dayMembers(of: result.annotation).entries
      return (result.annotation, added)
    }
    let formats: [(title: String, format: ResponseFormat)] = [
      ("GeoJSON", .json), ("GeoJSON sequence", .jsonseq),
    ]
    let others = formats.map { title, format in
      Link(
        "alternate", format.type,
        asked.base + asked.request.path + understood.queryText(setting: "f", to: format.rawValue),
        title: title)
    }
    return HTMLDocument.items(
      rows, of: collection, matched: page.matched, others + (page.next.map { [$0] } ?? []),
      asked)
  }

  /// A page of features as GeoJSON, or as a sequence of features.
  private func json(_ page: FeaturePage, _ understood: AskedQuery) -> [UInt8] {
    let isSequence = page.format == .jsonseq
    let isMeasured = understood.query.origin != nil
    let plan = openPlan(of: understood)
    var json = JSONWriter()
    // As many bytes as most features have.
    json.reserveCapacity(256 * (1 + page.answers.reduce(0) { $0 + $1.count }))
    if !isSequence {
      json.beginObject()
      json.member("type", "FeatureCollection")
      for (name, value) in page.members { json.member(name, value) }
      json.name("features")
      json.beginArray()
    }
    for answer in page.answers {
      var results = answer.makeIterator()
      answer.map { $0.annotation }.forEachWithRow { annotation, row in
        guard let result = results.next() else { return }
        var others = Properties()
        if let plan, let status = result.openStatus {
          others = plan.members(of: status, of: annotation)
        }
        others.entries += understood.query.dayMembers(of: annotation).entries
        // For a point, the bearing is that of its coordinate.
        let bearing: Double? =
          if let origin = result.origin, row != nil || annotation.shape == nil,
            let place = annotation.coordinate
          {
            origin.initialBearing(to: place)
          } else {
            result.bearing
          }
        if isSequence { json.separateRecord() }
        json.served(
          annotation, row, distance: isMeasured ? result.distance : nil, bearing: bearing,
          others: others)
        if isSequence { json.endLine() }
      }
    }
    if !isSequence {
      json.endArray()
      json.endObject()
      json.endLine()
    }
    return json.bytes
  }

  /// The number of annotations with each value.
  func facets(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    let state = collection.state
    var understood = try understood(asked, .facets, state)
    if understood.query.facets.isEmpty { understood.query.facets = [.common(.kind)] }
    understood.query.limit = 0
    try checkCost(understood, state)
    let answer = try answer(understood, state)
    var json = JSONWriter()
    json.beginObject()
    json.member("numberMatched", .integer(answer.matched ?? 0))
    json.write(facets: answer.facets)
    json.endObject()
    json.endLine()
    // What is counted may open or close at any time.
    let content = Content(
      type: "application/json", bytes: json.bytes,
      until: understood.until([understood.query.open.map { _ in asked.now }]))
    return kept(content, asked, of: collection, in: state)
  }
}

extension AskedQuery {
  /// When time alone changes a response: at the first of some instants, or at midnight.
  func until(_ instants: some Sequence<Instant?>) -> Instant? {
    var first = midnight
    for case let instant? in instants { first = min(first ?? instant, instant) }
    return first
  }

  /// Confines the query to the box of a map, besides the area that its filter has.
  mutating func confine(to box: BoundingBox) {
    switch query.area {
    case .everywhere: query.area = .box(box)
    case .box(let own):
      // The smaller one is looked up, the other one tested.
      func size(_ box: BoundingBox) -> Double { box.width * (box.north - box.south) }
      (query.area, query.clip) = size(box) < size(own) ? (.box(box), own) : (.box(own), box)
    case .polygons: query.clip = box
    }
    // A map shows all in no order, and to sort all by distance would take longer than anything else.
    if query.origin != nil { query.order = .id }
  }

  /// Runs a query; an error names the parameter that it comes from.
  func refusing<Value>(_ body: () throws(QueryError) -> Value) throws(Problem) -> Value {
    do throws(QueryError) {
      return try body()
    } catch {
      var problem = Problem(400, error)
      problem.parameter =
        switch error {
        case .cursor: "after"
        case .field: query.facets.isEmpty ? "sort" : "facets"
        case .origin: "lat"
        case .grouping: "per-kind"
        case .condition(let error):
          // Only of `where` is the place of each field known.
          (pairs.first { $0.name == (error.column > 0 ? "where" : "filter") }
            ?? pairs.first { pair in !ServerParameter.all.contains { $0.name == pair.name } })?.name
        case .hours, .source: nil
        }
      throw problem
    }
  }

  /// A page of a collection's items: what lies in the box, and then what has no position.
  ///
  /// - Returns: The answers with the page's items, the cursor of the next page, and how many items all pages have.
  func page(
    of state: CollectionState, in context: QueryContext<ImportedAnnotation>
  ) throws(QueryError) -> (
    answers: [NearbyAnswer<ImportedAnnotation>], next: String?, matched: Int
  ) {
    var rest = query
    rest.area = .everywhere
    let unplaced = AnnotationScan(matchesUnplaced ? state.unplaced() : [])
    let matched =
      try state.count(query, in: context)
      + unplaced.offsets(matching: rest, in: context).count
    // What has no position comes after the rest. Its pages have cursors of their own; the word is that of the first.
    if unplaced.annotations.isEmpty {
      let answer = try state.index.answer(query, in: context)
      return ([answer], answer.next, matched)
    }
    if rest.after == AskedQuery.firstUnplaced { rest.after = "" }
    if rest.after != query.after || (try? rest.lastOfPageBefore) != nil {
      let answer = try unplaced.answer(rest, in: context)
      return ([answer], answer.next, matched)
    }
    let placed = try state.index.answer(query, in: context)
    if let next = placed.next { return ([placed], next, matched) }
    rest.after = ""
    rest.limit = query.limit - placed.count
    guard rest.limit > 0 else {
      let hasMore = try !unplaced.offsets(matching: rest, in: context).isEmpty
      return ([placed], hasMore ? AskedQuery.firstUnplaced : nil, matched)
    }
    let answer = try unplaced.answer(rest, in: context)
    return ([placed, answer], answer.next, matched)
  }

  private static let firstUnplaced = "unplaced"

  /// The query for a link, with its question mark, and with one parameter changed.
  func queryText(setting name: String? = nil, to value: String = "") -> String {
    var parameters = QueryParameters()
    for pair in pairs where pair.name != name { parameters.add(pair.name, pair.value) }
    if let name { parameters.add(name, value) }
    return parameters.text.isEmpty ? "" : "?" + parameters.text
  }
}

/// A link in OGC API responses.
struct Link {
  let relation: String
  let type: String
  let address: String
  var title: String?

  init(_ relation: String, _ type: String, _ address: String, title: String? = nil) {
    self.relation = relation
    self.type = type
    self.address = address
    self.title = title
  }

  var value: PropertyValue {
    var members: Properties = [
      "href": .string(address), "rel": .string(relation), "type": .string(type),
    ]
    if let title { members.append("title", .string(title)) }
    return .object(members)
  }

  /// The link as a `Link` header (RFC 8288).
  var header: String { "<\(address)>; rel=\"\(relation)\"; type=\"\(type)\"" }
}

extension String {
  /// The text as a path segment.
  var inPath: String {
    // Slashes and colons may stand in a query, but not in a path segment.
    percentEncoded(keeping: "-._~,()")
  }
}
