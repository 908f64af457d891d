import Geodesy
import MapAnnotations

extension NearbyQuery {
  /// The query as text, for a URL or a bookmark: ``init(parsing:)`` reads it back to an equal query.
  ///
  ///     lat=37.5666&lon=126.9784&kind=mart&where=rating%20%3E%3D%204.5&k=3
  ///
  /// Names are those of the command line's options, in a fixed order, so that equal queries have one text. Only names
  /// and texts in them stay as they were given: `é` as one code point or as two makes equal queries with two texts.
  /// Parts that are not set are left out. Values are percent-encoded UTF-8 (RFC 3986). Lengths are in meters and
  /// instants in seconds since 1970-01-01T00:00Z; numbers are the shortest that read back as the same.
  ///
  /// | parameter | part |
  /// |---|---|
  /// | `lat`, `lon` | ``origin`` |
  /// | `bbox` | ``area``: west, south, east, north |
  /// | `area`, once for each polygon | ``area``: latitude, longitude, …, with `/` between rings; no value for no polygons |
  /// | `clip` | ``clip``: west, south, east, north |
  /// | `within`, `beyond` | ``distances`` |
  /// | `kind`, once for each | ``kinds``; no value for no kinds |
  /// | `where` | ``condition`` |
  /// | `open` | ``open``: an instant, or `arrival` with `depart`, `speed` (m/s) and `detour`; `stay`, `hours-unknown=hide` |
  /// | `on`, `today` | ``dates``: `today`, `tomorrow`, `this-month`, `next`, `all`, a day, or two with `/` between them |
  /// | `sort`, `bucket` | ``order`` |
  /// | `per-kind` | ``isPerKind`` |
  /// | `facets` | ``facets`` |
  /// | `k` | ``limit`` |
  /// | `after` | ``after`` |
  public var text: String {
    var parameters = parameters(
      open, days: dates.map { [("on", $0.word), ("today", "\($0.today)")] } ?? [], order)
    if !facets.isEmpty { parameters.add("facets", facets.map { "\($0)" }.joined(separator: ",")) }
    if limit != .max { parameters.add("k", "\(limit)") }
    if let after { parameters.add("after", after) }
    return parameters.text
  }

  /// What is the same for every page of a query and differs between queries: the text that a cursor is bound to.
  ///
  /// The instant is not part of it: the second page is requested later than the first. Nor are the limit and the
  /// facets, which may differ from page to page.
  var pagesText: String {
    parameters(
      open?.asked(at: Instant(seconds: 0)), days: dates.map { [("on", "\($0)")] } ?? [], ordering
    ).text
  }

  /// All parameters up to those that may differ from page to page.
  private func parameters(
    _ open: OpenCondition?, days: [(name: String, value: String)], _ order: ResultOrder?
  ) -> QueryParameters {
    var parameters = QueryParameters()
    if let origin {
      parameters.add("lat", plainDecimal(origin.latitude))
      parameters.add("lon", plainDecimal(origin.longitude))
    }
    switch area {
    case .everywhere: break
    case .box(let box):
      parameters.add("bbox", Self.list(box.edges))
    case .polygons(let area):
      if area.polygons.isEmpty { parameters.add("area") }
      for polygon in area.polygons {
        let rings = [polygon.outerVertices] + polygon.holeVertices
        parameters.add(
          "area",
          rings.map { ring in Self.list(ring.flatMap { [$0.latitude, $0.longitude] }) }
            .joined(separator: "/"))
      }
    }
    if let clip {
      parameters.add("clip", Self.list(clip.edges))
    }
    if distances.within != .infinity {
      parameters.add("within", plainDecimal(distances.within.meters))
    }
    if let inner = distances.beyond { parameters.add("beyond", plainDecimal(inner.meters)) }
    if let kinds {
      if kinds.isEmpty { parameters.add("kind") }
      // By bytes: the order of texts that look alike is not fixed otherwise.
      for kind in kinds.map(\.rawValue).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        parameters.add("kind", kind)
      }
    }
    if let condition { parameters.add("where", "\(condition)") }
    if let open { Self.add(open, to: &parameters) }
    for (name, value) in days { parameters.add(name, value) }
    if let order {
      parameters.add("sort", order.words)
      if let band = order.band { parameters.add("bucket", plainDecimal(band.meters)) }
    }
    if isPerKind { parameters.add("per-kind") }
    return parameters
  }

  private static func list(_ numbers: [Double]) -> String {
    numbers.map(plainDecimal).joined(separator: ",")
  }

  private static func text(_ instant: Instant) -> String {
    plainDecimal(Double(instant.milliseconds) / 1000)
  }

  private static func instant(_ text: String) -> Instant? {
    number(text).flatMap { Instant(secondsSince1970: $0) }
  }

  private static func add(_ open: OpenCondition, to parameters: inout QueryParameters) {
    switch open.moment {
    case .instant(let instant): parameters.add("open", text(instant))
    case .arrival(let journey):
      parameters.add("open", "arrival")
      parameters.add("depart", text(journey.departure))
      parameters.add("speed", plainDecimal(journey.speed))
      parameters.add("detour", plainDecimal(journey.detour))
    }
    if open.stay > 0 { parameters.add("stay", "\(open.stay)") }
    if !open.showsUnknown { parameters.add("hours-unknown", "hide") }
  }
}

extension QueryDates {
  /// The choice as a word.
  var word: String {
    switch choice {
    case .segment(let segment): segment.word
    case .next: "next"
    }
  }

  /// Reads what `word` writes; nil for anything else.
  package init?(word: String, today: CalendarDate) {
    if word == "next" {
      self.init(.next, today: today)
    } else {
      guard let segment = DateSegment(word: word) else { return nil }
      self.init(.segment(segment), today: today)
    }
  }

  static let words = "write next, or \(DateSegment.words.dropFirst("write ".count))"
}

// MARK: Reading

extension NearbyQuery {
  private static let parameterNames: Set<String> = [
    "lat", "lon", "bbox", "area", "clip", "within", "beyond", "kind", "where", "open", "depart",
    "speed",
    "detour", "stay", "hours-unknown", "on", "today", "sort", "bucket", "per-kind", "facets", "k",
    "after",
  ]

  /// Reads a query from what ``text`` writes, or from the same parameters in any order.
  ///
  ///     let query = try NearbyQuery(parsing: "lat=37.5666&lon=126.9784&kind=mart&k=3")
  ///
  /// An empty text asks for everything. Whether annotations have the fields that it names is checked when the query is
  /// run.
  ///
  /// - Throws: ``QueryTextError``, also for an unknown parameter: to ignore what is not understood would be to answer
  ///   another query.
  /// - Complexity: O(*n*) in the text.
  public init(parsing text: String) throws(QueryTextError) {
    let parameters = try QueryParameters(reading: text)
    try parameters.expect(NearbyQuery.parameterNames)
    try self.init(parameters)
  }

  /// Reads a query from its parameters; ignores others.
  package init(_ parameters: QueryParameters) throws(QueryTextError) {
    self.init()
    origin = try Self.origin(parameters)
    area = try Self.area(parameters)
    clip = try Self.box("clip", parameters)
    let meters = "write meters, such as 800"
    distances.within =
      try parameters.one("within", meters, code: "not-a-number", Self.length) ?? .infinity
    distances.beyond = try parameters.one("beyond", meters, code: "not-a-number", Self.length)
    if parameters.has("kind") {
      let names = parameters.all("kind")
      guard names.count == 1 || !names.contains(nil) else {
        throw QueryTextError(
          .value, "kind", "one of them has no value; write kind=… or take it out")
      }
      kinds = Set(names.compactMap { $0 }.map { AnnotationKind(rawValue: $0) })
    }
    if let text = try parameters.one("where") {
      condition = try Self.wrapped("where") { () throws(ConditionError) in
        try Condition(parsing: text)
      }
    }
    open = try Self.open(parameters)
    dates = try Self.dates(parameters)
    order = try Self.order(parameters)
    isPerKind = parameters.has("per-kind")
    if parameters.all("per-kind").contains(where: { $0 != nil }) {
      throw QueryTextError(.value, "per-kind", "it has no value; write it alone, or take it out")
    }
    if let names = try parameters.one("facets") {
      facets = Condition.Field.names(in: names).map(Condition.Field.init(named:))
    }
    limit =
      try parameters.one("k", "write a whole number from 0 on", code: "bad-k") { text in
        Int(text).flatMap { $0 < 0 ? nil : $0 }
      } ?? .max
    after = try parameters.one("after")
  }

  private static func number(_ text: String) -> Double? { PropertyValue.number(text).number }

  private static func length(_ text: String) -> Distance? {
    switch text {
    case "inf": .infinity
    case "-inf": .meters(-.infinity)
    default: number(text).map(Distance.meters)
    }
  }

  private static func needs(
    _ names: [String], _ other: String, _ parameters: QueryParameters, code: String
  ) throws(QueryTextError) {
    for name in names where parameters.has(name) {
      throw QueryTextError(
        .parameter, name, "it says nothing without \(other); give that, too", code: code)
    }
  }

  private static func origin(_ parameters: QueryParameters) throws(QueryTextError) -> Coordinate? {
    let latitude = try degrees("lat", parameters)
    let longitude = try degrees("lon", parameters)
    guard let latitude else {
      try needs(["lon"], "lat", parameters, code: "missing-position")
      return nil
    }
    guard let longitude else {
      try needs(["lat"], "lon", parameters, code: "missing-position")
      return nil
    }
    do throws(CoordinateError) {
      return try Coordinate(latitude: latitude, longitude: longitude)
    } catch {
      let name = if case .longitudeOutOfRange = error { "lon" } else { "lat" }
      throw QueryTextError(.value, name, error.description, code: error.code)
    }
  }

  private static func degrees(
    _ name: String, _ parameters: QueryParameters
  ) throws(QueryTextError) -> Double? {
    guard let text = try parameters.one(name) else { return nil }
    return try wrapped(name) { () throws(CoordinateError) in
      guard let degrees = number(text) else { throw CoordinateError.notANumber(text) }
      return degrees
    }
  }

  /// Runs `body`, and reports its error as that of a parameter.
  private static func wrapped<Value, Failure: CodedError>(
    _ name: String, _ body: () throws(Failure) -> Value
  ) throws(QueryTextError) -> Value {
    do throws(Failure) { return try body() } catch {
      throw QueryTextError(.value, name, error.description, code: error.code)
    }
  }

  private static func numbers(
    _ text: Substring, _ name: String
  ) throws(QueryTextError) -> [Double] {
    var numbers: [Double] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = number(String(word)) else {
        throw QueryTextError(
          .value, name, "\"\(word)\" is not a number; write degrees with commas between them")
      }
      numbers.append(number)
    }
    return numbers
  }

  private static func box(
    _ name: String, _ parameters: QueryParameters
  ) throws(QueryTextError) -> BoundingBox? {
    guard let text = try parameters.one(name) else { return nil }
    return try wrapped(name) { () throws(CoordinateError) in try BoundingBox(text: text) }
  }

  private static func area(_ parameters: QueryParameters) throws(QueryTextError) -> QueryArea {
    if let box = try box("bbox", parameters) {
      guard !parameters.has("area") else {
        throw QueryTextError(.parameter, "bbox", "there is also an area; give only one of them")
      }
      return .box(box)
    }
    guard parameters.has("area") else { return .everywhere }
    let texts = parameters.all("area")
    guard texts.count == 1 || !texts.contains(nil) else {
      throw QueryTextError(.value, "area", "one of them has no value; write area=… or take it out")
    }
    var polygons: [Polygon] = []
    for text in texts.compactMap({ $0 }) {
      var rings: [[PolygonVertex]] = []
      for ring in text.split(separator: "/", omittingEmptySubsequences: false) {
        let degrees = try numbers(ring, "area")
        guard degrees.count.isMultiple(of: 2) else {
          throw QueryTextError(
            .value, "area", "a ring has \(degrees.count) numbers; write latitude,longitude,…")
        }
        var vertices: [PolygonVertex] = []
        for place in stride(from: 0, to: degrees.count, by: 2) {
          vertices.append(
            try wrapped("area") { () throws(CoordinateError) in
              try PolygonVertex(latitude: degrees[place], longitude: degrees[place + 1])
            })
        }
        rings.append(vertices)
      }
      polygons.append(
        try wrapped("area") { () throws(PolygonError) in
          try Polygon(outer: rings[0], holes: Array(rings.dropFirst()))
        })
    }
    return .polygons(MultiPolygon(polygons))
  }

  private static func open(_ parameters: QueryParameters) throws(QueryTextError) -> OpenCondition? {
    let seconds = "write seconds since 1970-01-01T00:00Z"
    let stay = try parameters.one(
      "stay", "write whole seconds from 0 to \(Int64.max)", code: "bad-duration"
    ) { text in
      Int64(text).flatMap { $0 < 0 ? nil : $0 }
    }
    let showsUnknown = try parameters.one(
      "hours-unknown", "write show or hide", code: "bad-hours-unknown"
    ) { text in
      ["show": true, "hide": false][text]
    }
    let ofJourneys = ["depart", "speed", "detour"]
    guard let moment = try parameters.one("open") else {
      try needs(ofJourneys + ["stay", "hours-unknown"], "open", parameters, code: "missing-open")
      return nil
    }
    guard moment == "arrival" else {
      try needs(ofJourneys, "open=arrival", parameters, code: "missing-open")
      guard let instant = instant(moment) else {
        throw QueryTextError(
          .value, "open", "\"\(moment)\" cannot be read; \(seconds), or arrival",
          code: "bad-time")
      }
      return OpenCondition(at: instant, stay: stay ?? 0, showsUnknown: showsUnknown ?? true)
    }
    guard let departure = try parameters.one("depart", seconds, code: "bad-time", instant) else {
      throw QueryTextError(.parameter, "open", "arrival needs depart, when the way begins; give it")
    }
    var journey = Journey(departure: departure)
    if let speed = try parameters.one(
      "speed", "write meters a second, more than 0", code: "bad-speed", number)
    {
      journey.speed = speed
    }
    if let detour = try parameters.one(
      "detour", "write a number from 1 to 100", code: "bad-detour", number)
    {
      journey.detour = detour
    }
    if let problem = journey.problem {
      let name = journey.speed > 0 ? "detour" : "speed"
      throw QueryTextError(.value, name, problem, code: "bad-\(name)")
    }
    return OpenCondition(
      arriving: journey, stay: stay ?? 0, showsUnknown: showsUnknown ?? true)
  }

  private static func dates(_ parameters: QueryParameters) throws(QueryTextError) -> QueryDates? {
    let today = try parameters.one("today", "write a day as 2026-11-23", code: "bad-date") {
      CalendarDate($0)
    }
    guard parameters.has("on") else {
      try needs(["today"], "on", parameters, code: "missing-on")
      return nil
    }
    guard let today else {
      throw QueryTextError(.parameter, "on", "it needs today's date; pass it")
    }
    return try parameters.one("on", QueryDates.words, code: "bad-date") {
      QueryDates(word: $0, today: today)
    }
  }

  private static func order(_ parameters: QueryParameters) throws(QueryTextError) -> ResultOrder? {
    let band = try parameters.one(
      "bucket", "write meters, at least 0.001", code: "bad-bucket"
    ) { text in
      length(text).flatMap { $0 < ResultOrder.leastBand ? nil : $0 }
    }
    guard parameters.has("sort") else {
      try needs(["bucket"], "sort", parameters, code: "missing-sort")
      return nil
    }
    return try parameters.one("sort", "write fields as rating:desc,name", code: "bad-sort") {
      text in
      ResultOrder(words: text, band: band)
    }
  }
}

extension Encoder {
  /// Encodes the text of a value, or throws if the text reads back as anything else.
  fileprivate func encode<Value: Equatable>(
    _ text: String, of value: Value, readBack: Value?
  ) throws {
    guard readBack == value else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: codingPath,
          debugDescription: "\(text) does not read back as it was made; make it from a text"))
    }
    try encodeAlone(text)
  }
}

extension NearbyQuery: Codable {
  /// Encodes its ``text``: `"lat=37.5666&lon=126.9784&kind=mart&k=3"`.
  ///
  /// - Throws: `EncodingError` for a query made in code that has no text form, such as one whose condition has none.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(text, of: self, readBack: try? NearbyQuery(parsing: text))
  }

  /// - Throws: `DecodingError`, with the message of ``QueryTextError``.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self = try decoder.checked { () throws(QueryTextError) in try NearbyQuery(parsing: text) }
  }
}

extension Condition: Codable {
  /// Encodes its text: `"kind = 'mart' and rating >= 4.5"`.
  ///
  /// - Throws: `EncodingError` for a condition made in code that has no text form.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(description, of: self, readBack: Condition(description))
  }

  /// - Throws: `DecodingError`, with the message of `ConditionError`.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self = try decoder.checked { () throws(ConditionError) in try Condition(parsing: text) }
  }
}

extension Condition.Field: Codable {
  /// Encodes its name, `"rating"`; in double quotes where it would be read as something else.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeAlone(description) }

  /// Decodes its name, as read by `init(named:)`.
  public init(from decoder: any Decoder) throws {
    self.init(named: try decoder.singleValueContainer().decode(String.self))
  }
}
