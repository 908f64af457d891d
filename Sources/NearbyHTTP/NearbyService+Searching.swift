import AnnotationImport
import AnnotationSources
import BusinessHours
import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections
import NearbySearch
import ViewportClustering
import WebMaps

extension NearbyService {
  static let geoJSON = "application/geo+json"
  static let sequence = "application/geo+json-seq"

  /// How features are written.
  private enum FeatureFormat: String { case json, jsonseq, html }

  /// The format that a request asks for.
  private func format(_ asked: Asked, _ name: String?) throws(Problem) -> FeatureFormat {
    if let name, let format = FeatureFormat(rawValue: name) { return format }
    let accepted = asked.request.headers["accept"] ?? "*/*"
    for part in accepted.split(separator: ",") {
      switch part.split(separator: ";").first?.trimmed.lowercased() {
      case "application/geo+json", "application/json", "*/*", "application/*": return .json
      case "application/geo+json-seq", "application/json-seq": return .jsonseq
      case "text/html", "application/xhtml+xml", "text/*": return .html
      default: continue
      }
    }
    throw Problem(
      406, "not-acceptable",
      "answers come as application/geo+json, application/geo+json-seq or text/html; ask for one of them"
    )
  }

  func context(_ state: CollectionState) -> QueryContext<ImportedAnnotation> {
    QueryContext(hours: clocks.reader, columns: state.columns)
  }

  private func understood(
    _ asked: Asked, _ operation: Operation, _ state: CollectionState
  ) throws(Problem) -> AskedQuery {
    try RequestParameters(asked.request.query).query(of: operation, state, clocks, now: asked.now)
  }

  private func refusing<Value>(_ body: () throws(QueryError) -> Value) throws(Problem) -> Value {
    do throws(QueryError) { return try body() } catch { throw Problem(400, error) }
  }

  /// Refuses what would ask more annotations one by one than the server takes on.
  private func checkCost(_ query: NearbyQuery, _ state: CollectionState) throws(Problem) {
    guard
      query.condition != nil || query.open != nil || query.dates != nil || !query.facets.isEmpty,
      state.index.count > limits.cost
    else { return }
    if case .box(let box) = query.area, let count = state.index.fastCount(in: box),
      count <= limits.cost
    {
      return
    }
    throw Problem(
      400, "query-cost",
      "this would ask each of \(state.index.count) annotations; ask in a smaller bbox")
  }

  // MARK: Features

  /// A page of the features that a query finds.
  func items(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    let state = collection.state
    var understood = try understood(asked, .items, state)
    let format = try format(asked, understood.format)
    try checkCost(understood.query, state)
    let context = context(state)
    if understood.query.after == nil { understood.query.after = "" }
    let answer = try refusing { () throws(QueryError) in
      try state.index.answer(understood.query, in: context)
    }
    let count = try refusing { () throws(QueryError) in
      try state.count(understood.query, in: context)
    }
    let address = "\(asked.base)/collections/\(collection.name.inPath)/items"
    var links = [
      Link("self", NearbyService.geoJSON, address + understood.queryText()),
      Link("alternate", "text/html", address + understood.queryText(setting: "f", to: "html")),
      Link("collection", "application/json", "\(asked.base)/collections/\(collection.name.inPath)"),
    ]
    if let next = answer.next {
      links.append(
        Link(
          "next", NearbyService.geoJSON, address + understood.queryText(setting: "after", to: next))
      )
    }
    counts.count(
      nodes: answer.statistics.nodeGroupsTested, candidates: answer.statistics.candidates)
    if format == .html {
      return kept(
        asked, "text/html; charset=utf-8",
        HTMLDocument.items(
          answer.map(\.annotation), of: collection, matched: count, links, asked.base),
        tag: nil, collection: collection, until: answer.validUntil)
    }
    let members: [(String, PropertyValue)] = [
      ("numberMatched", .integer(count)), ("numberReturned", .integer(answer.count)),
      ("links", .array(links.map(\.value))),
    ]
    return features(
      asked, collection, answer, understood, format, members,
      tag: tag(of: understood, format, asked, state),
      headers: links.filter { $0.relation == "next" }.map { ("link", $0.header) })
  }

  /// The nearest annotations.
  func nearest(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    let state = collection.state
    let understood = try understood(asked, .nearest, state)
    let format = try format(asked, understood.format)
    try checkCost(understood.query, state)
    let answer = try refusing { () throws(QueryError) in
      try state.index.answer(understood.query, in: context(state))
    }
    counts.count(
      nodes: answer.statistics.nodeGroupsTested, candidates: answer.statistics.candidates)
    if format == .html {
      return kept(
        asked, "text/html; charset=utf-8",
        HTMLDocument.items(
          answer.map(\.annotation), of: collection, matched: answer.count, [], asked.base),
        tag: nil, collection: collection, until: answer.validUntil)
    }
    var members: [(String, PropertyValue)] = [
      ("numberReturned", .integer(answer.count)),
      ("validRadius", answer.validRadius.map { .number(ResultNumber.least($0)) } ?? .null),
      ("complete", .bool(true)),
    ]
    if understood.query.open != nil {
      let setting = clocks.setting(at: understood.query.origin)
      members.append(
        ("validUntil", answer.validUntil.map { .string(ClockText.iso($0, setting)) } ?? .null))
    }
    if let next = answer.next {
      let address = "\(asked.base)/collections/\(collection.name.inPath)/nearest"
      members.append(
        (
          "links",
          .array([
            Link(
              "next", NearbyService.geoJSON,
              address + understood.queryText(setting: "after", to: next)
            ).value
          ])
        ))
    }
    return features(
      asked, collection, answer, understood, format, members,
      tag: tag(of: understood, format, asked, state))
  }

  /// What an answer is held by: the state that it was made from and what was asked; nil where time changes it.
  private func tag(
    of understood: AskedQuery, _ format: FeatureFormat, _ asked: Asked, _ state: CollectionState
  ) -> String? {
    guard !understood.asksForNow else { return nil }
    let words = "\(format.rawValue) \(asked.base)\(asked.request.path)?\(asked.request.query)"
    return state.tag + "-" + String(words.utf8.digest, radix: 36)
  }

  /// The features of an answer.
  private func features(
    _ asked: Asked, _ collection: ServedCollection, _ answer: NearbyAnswer<ImportedAnnotation>,
    _ understood: AskedQuery, _ format: FeatureFormat, _ members: [(String, PropertyValue)],
    tag: String?, headers: [(String, String)] = []
  ) -> ServerAnswer {
    let plan = understood.query.open.map {
      OpenPlan(
        condition: $0, clocks: clocks, own: clocks.setting(at: understood.query.origin))
    }
    let isMeasured = understood.query.origin != nil
    func write(_ result: NearbyResult<ImportedAnnotation>, to json: inout JSONWriter) {
      let annotation = result.annotation
      var others = Properties()
      if let plan, let status = result.openStatus {
        others = plan.members(of: status, of: annotation)
      }
      // Of one place the way there is the way to it.
      let bearing: Double? =
        if let origin = result.origin, annotation.shape == nil, let place = annotation.coordinate {
          origin.initialBearing(to: place)
        } else {
          result.bearing
        }
      json.served(
        annotation, distance: isMeasured ? result.distance : nil, bearing: bearing, others: others)
    }
    if format == .jsonseq {
      var bytes: [UInt8] = []
      for result in answer {
        // RFC 8142.
        bytes.append(0x1E)
        var json = JSONWriter()
        write(result, to: &json)
        json.endLine()
        bytes += json.bytes
      }
      return kept(
        asked, NearbyService.sequence, bytes, tag: tag, collection: collection,
        until: answer.validUntil, headers: headers)
    }
    var json = JSONWriter()
    json.beginObject()
    json.member("type", "FeatureCollection")
    for (name, value) in members { json.member(name, value) }
    json.name("features")
    json.beginArray()
    for result in answer { write(result, to: &json) }
    json.endArray()
    json.endObject()
    json.endLine()
    return kept(
      asked, NearbyService.geoJSON, json.bytes, tag: tag, collection: collection,
      until: answer.validUntil, headers: headers)
  }

  /// How many annotations have which values.
  func facets(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    let state = collection.state
    var understood = try understood(asked, .facets, state)
    if understood.query.facets.isEmpty { understood.query.facets = [.common(.kind)] }
    understood.query.limit = 1
    try checkCost(understood.query, state)
    let answer = try refusing { () throws(QueryError) in
      try state.index.answer(understood.query, in: context(state))
    }
    var json = JSONWriter()
    json.beginObject()
    json.member("numberMatched", .integer(answer.matched ?? 0))
    json.name("facets")
    json.beginObject()
    for facet in answer.facets {
      let name =
        switch facet.field.name {
        case .common(let field): field.rawValue
        case .property(let name): name
        }
      json.member(
        name,
        .array(
          facet.counts.map {
            .object([
              "value": $0.value.map { .string($0) } ?? .null, "count": .integer($0.count),
            ])
          }))
    }
    json.endObject()
    json.endObject()
    json.endLine()
    return kept(
      asked, "application/json", json.bytes, tag: nil, collection: collection,
      until: answer.validUntil)
  }

  // MARK: Maps

  /// What a map shows of a box at a zoom.
  func clusters(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    let state = collection.state
    let parameters = try RequestParameters(asked.request.query)
    _ = try parameters.query(of: .clusters, state, clocks, now: asked.now)
    guard let text = try parameters.one("bbox"),
      let zoom = try parameters.one("zoom").flatMap({ Int($0) })
    else {
      throw Problem(
        400, "missing-bbox", "say which box at which zoom: bbox=126.9,37.4,127.1,37.6&zoom=12",
        parameter: "bbox")
    }
    let view = state.clusters().view(
      of: MapViewport(try RequestParameters.box(text), zoom: zoom))
    var json = JSONWriter()
    json.beginObject()
    json.member("type", "FeatureCollection")
    json.member("zoom", .integer(view.zoom))
    json.member("numberMatched", .integer(view.count))
    json.member(
      "bbox",
      .array([view.box.west, view.box.south, view.box.east, view.box.north].map { .double($0) }))
    json.name("features")
    json.beginArray()
    for cluster in view.clusters { json.feature(cluster.feature) }
    for offset in view.annotations {
      json.served(state.clusters().annotation(at: offset))
    }
    json.endArray()
    json.endObject()
    json.endLine()
    return kept(asked, NearbyService.geoJSON, json.bytes, tag: nil, collection: collection)
  }

  /// A tile, or what maps have to know of all.
  func tileAnswer(_ asked: Asked, _ parts: [String]) throws(Problem) -> ServerAnswer {
    guard let collection = collections.first(where: { $0.name == parts[1] }) else {
      throw .notFound("there is no collection \(parts[1])")
    }
    if parts.count == 3 {
      switch parts[2] {
      case "tilejson.json": return tileJSON(asked, collection)
      case "style.json": return style(asked, collection)
      default: throw .notFound("tiles have no \(parts[2])")
      }
    }
    guard parts.count == 5, let zoom = Int(parts[2]), let x = Int(parts[3]),
      parts[4].hasSuffix(".mvt") || parts[4].hasSuffix(".pbf"), let y = Int(parts[4].dropLast(4))
    else { throw .notFound("a tile is zoom/x/y.mvt") }
    let state = collection.state
    let address: TileAddress
    do throws(TileAddressError) {
      address = try TileAddress(zoom: zoom, x: x, y: y)
    } catch {
      throw Problem(404, error)
    }
    guard TileSource.zooms.contains(zoom) else {
      throw Problem(
        404, "tile-zoom",
        "there are tiles of zooms 0 to \(TileSource.zooms.upperBound); maps draw deeper ones from these"
      )
    }
    let tag = "\(state.tag)-\(zoom)-\(x)-\(y)"
    if NearbyService.holds(asked.request.headers["if-none-match"], "\"\(tag)\"") {
      return kept(asked, "", [], tag: tag, collection: collection)
    }
    let tile: PyramidTile?
    do {
      tile = try state.tiles().tile(address, layer: collection.name, of: state.index)
    } catch let error as any CodedError {
      throw Problem(500, error.code, "\(error)")
    } catch {
      throw Problem(500, "tile", "\(error)")
    }
    guard let tile, tile.featureCount > 0 else {
      var answer = kept(asked, "", [], tag: tag, collection: collection)
      answer.status = 204
      answer.headers.removeAll { $0.name == "content-type" }
      return answer
    }
    return kept(
      asked, "application/vnd.mapbox-vector-tile", tile.bytes, tag: tag, collection: collection)
  }

  private func tileJSON(_ asked: Asked, _ collection: ServedCollection) -> ServerAnswer {
    let state = collection.state
    var fields = Properties()
    for field in state.fields {
      fields.append(
        field.name, field.sort == .number ? "Number" : field.sort == .boolean ? "Boolean" : "String"
      )
    }
    let zooms = TileSource.zooms
    let layer: PropertyValue = .object([
      "id": .string(collection.name), "fields": .object(fields),
      "minzoom": .integer(zooms.lowerBound), "maxzoom": .integer(zooms.upperBound),
    ])
    var members: Properties = [
      "tilejson": "3.0.0", "name": .string(collection.title), "scheme": "xyz",
      "version": "1.0.0",
      "tiles": .array([
        .string("\(asked.base)/tiles/\(collection.name.inPath)/{z}/{x}/{y}.mvt")
      ]),
      "minzoom": .integer(zooms.lowerBound), "maxzoom": .integer(zooms.upperBound),
      "clusterMaxZoom": .integer(state.tiles().clusterZoom),
    ]
    if let box = state.extent {
      // TileJSON has no word for a box across ±180°.
      let edges =
        box.west <= box.east
        ? [box.west, box.south, box.east, box.north] : [-180, box.south, 180, box.north]
      members.append("bounds", .array(edges.map { .double($0) }))
    }
    members.append("vector_layers", .array([layer]))
    return document(asked, .object(members), collection)
  }

  /// A style for MapLibre.
  private func style(_ asked: Asked, _ collection: ServedCollection) -> ServerAnswer {
    let state = collection.state
    var counts: [String: Int] = [:]
    var query = NearbyQuery()
    query.facets = [.common(.kind)]
    query.limit = 1
    if let answer = try? state.index.answer(query, in: context(state)) {
      for count in answer.facets.first?.counts ?? [] {
        if let value = count.value { counts[value] = count.count }
      }
    }
    let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    var features = TileFeatures()
    if let box = state.extent {
      for (latitude, longitude) in [(box.south, box.west), (box.north, box.east)] {
        if let corner = try? Coordinate(latitude: latitude, longitude: longitude) {
          features.append(BasicAnnotation(id: 0, coordinate: corner))
        }
      }
    }
    let pyramid = TilePyramid(
      features, rules: TileRules(zooms: TileSource.zooms, layer: collection.name))
    return kept(
      asked, "application/json",
      pyramid.style(
        .folder("\(asked.base)/tiles/\(collection.name.inPath)"), kinds: kinds,
        name: collection.title), tag: nil, collection: collection)
  }

  // MARK: Changes

  /// What has changed since a number: features to put, ids to remove.
  func diff(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    let state = collection.state
    let understood = try understood(asked, .diff, state)
    guard let since = try RequestParameters(asked.request.query).one("since").flatMap({ Int($0) })
    else {
      throw Problem(
        400, "missing-since", "say since which change: since=\(collection.feed.last)",
        parameter: "since")
    }
    guard let events = collection.feed.events(behind: since),
      !events.contains(where: { $0.name == "reset" })
    else {
      throw Problem(
        410, "since-gone",
        "what has changed since \(since) is not kept any more; read the items again, then ask since=\(collection.feed.last)"
      )
    }
    var latest: [AnnotationID: ImportedAnnotation?] = [:]
    for event in events {
      for annotation in event.change?.changed ?? [] { latest[annotation.id] = annotation }
      for id in event.change?.removed ?? [] { latest[id] = .some(nil) }
    }
    let filter = ChangeFilter(understood.query, context(state))
    let (upsert, remove) = filter.split(latest)
    var json = JSONWriter()
    json.beginObject()
    json.member("last", .integer(events.last?.number ?? since))
    json.name("upsert")
    json.beginArray()
    for annotation in upsert { json.served(annotation) }
    json.endArray()
    json.member("remove", .array(remove.map { .string($0.text) }))
    json.endObject()
    json.endLine()
    return kept(asked, "application/json", json.bytes, tag: nil, collection: collection)
  }

  /// What there is, and then each change.
  func live(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    let state = collection.state
    let understood = try understood(asked, .live, state)
    var query = understood.query
    query.limit = ServerParameter.largestPage + 1
    let first = query
    let context = context(state)
    // What is wrong with the query is said now, and not in the stream.
    _ = try refusing { () throws(QueryError) in
      var query = first
      query.limit = 1
      return try state.index.answer(query, in: context)
    }
    let isWhole =
      query
      == {
        var query = NearbyQuery()
        query.limit = ServerParameter.largestPage + 1
        return query
      }()
    let filter = isWhole ? nil : ChangeFilter(understood.query, context)
    // A browser that comes back says what it has seen in a header; one that begins, in the address.
    let since = try RequestParameters(asked.request.query).one("since")
    let last = (asked.request.headers["last-event-id"] ?? since).flatMap { Int($0) }
    let wantsSnapshot = try RequestParameters(asked.request.query).one("snapshot") != "false"
    return try stream {
      collection.feed.listen(after: last) { event in
        guard let filter, let change = event.change, event.name == "diff" else {
          return LiveFeed.bytes(event.number, event.name, event.data)
        }
        var latest: [AnnotationID: ImportedAnnotation?] = [:]
        for annotation in change.changed { latest[annotation.id] = annotation }
        for id in change.removed { latest[id] = .some(nil) }
        let (upsert, remove) = filter.split(latest)
        return LiveFeed.bytes(
          event.number, event.name,
          LiveFeed.data(upsert: upsert, remove: remove, change.version))
      } opening: { number in
        guard wantsSnapshot else {
          return LiveFeed.bytes(number, "begin", Array(#"{"version":"\#(state.tag)"}"#.utf8))
        }
        let now = collection.state
        guard let answer = try? now.index.answer(first, in: context),
          answer.count <= ServerParameter.largestPage
        else {
          let reason =
            #"{"reason":"more than \#(ServerParameter.largestPage) features; read the items, or ask in a bbox","version":"\#(now.tag)"}"#
          return LiveFeed.bytes(number, "reset", Array(reason.utf8))
        }
        return LiveFeed.bytes(
          number, "snapshot",
          LiveFeed.data(upsert: answer.map(\.annotation), remove: [], now.tag))
      }
    }
  }
}

/// Which of what has changed a client's query chooses; the rest it is to remove, if it has it.
struct ChangeFilter: Sendable {
  private let query: NearbyQuery
  private let context: QueryContext<ImportedAnnotation>

  init(_ query: NearbyQuery, _ context: QueryContext<ImportedAnnotation>) {
    self.query = query
    self.context = context
  }

  func split(
    _ latest: [AnnotationID: ImportedAnnotation?]
  ) -> (upsert: [ImportedAnnotation], remove: [AnnotationID]) {
    let there = latest.values.compactMap { $0 }.sorted { $0.id < $1.id }
    let gone = latest.filter { $0.value == nil }.map(\.key)
    // A field that none of these has is one of the collection's all the same.
    let chosen =
      (try? AnnotationScan(there).offsets(matching: query, in: context)) ?? Array(there.indices)
    let isChosen = Set(chosen)
    let left = there.indices.filter { !isChosen.contains($0) }.map { there[$0].id }
    return (chosen.map { there[$0] }, (gone + left).sorted())
  }
}

extension AskedQuery {
  /// The query for a link, with its question mark; with one parameter set otherwise.
  func queryText(setting name: String? = nil, to value: String = "") -> String {
    var parameters = QueryParameters()
    for pair in pairs where pair.name != name { parameters.add(pair.name, pair.value) }
    if let name { parameters.add(name, value) }
    return parameters.text.isEmpty ? "" : "?" + parameters.text
  }
}

/// A link of OGC API answers.
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

  /// As the header `Link` has it (RFC 8288).
  var header: String { "<\(address)>; rel=\"\(relation)\"; type=\"\(type)\"" }
}

extension String {
  /// As a part of a path.
  var inPath: String {
    var parameters = QueryParameters()
    parameters.add("", self)
    // Slashes and colons may stand in a query, not in a part of a path.
    return String(parameters.text.dropFirst()).replacing("/", with: "%2F").replacing(
      ":", with: "%3A")
  }
}
