import AnnotationImport
import AnnotationSources
import BusinessHours
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch

/// A request's query, parsed.
struct AskedQuery {
  var query = NearbyQuery()
  /// The parameters as they came, but measures as plain numbers: for links to other pages.
  var pairs: [(name: String, value: String)]
  var format: String?
  /// Whether time alone may change the answer.
  var asksForNow = false
  /// When days such as `today` become others; nil where none are named.
  var midnight: Instant?
  /// Whether what has no position matches the box, too, as OGC API Features asks (fc-bbox-response).
  var matchesUnplaced = false

  /// Confines the query to the area of its filter, besides the box that it may have.
  fileprivate mutating func narrow(to area: QueryArea) {
    guard area != .everywhere else { return }
    // Nothing without a position intersects anything.
    matchesUnplaced = false
    if case .box(let box) = query.area { query.clip = box }
    query.area = area
  }

  /// Sets how many are asked for, and from where, as an operation needs it.
  fileprivate mutating func adapt(
    to operation: Operation, _ own: RequestParameters
  ) throws(Problem) {
    switch operation {
    case .items:
      query.limit = min(
        own.one("limit").flatMap(wholeNumber) ?? ServerParameter.usualPage,
        ServerParameter.largestPage)
    // On a map, only what chooses by distance needs an origin.
    case .clusters, .tiles: if !query.choosesByOrigin { query.origin = nil }
    case .nearest:
      if own.one("k") == nil { query.limit = 10 }
      guard query.origin != nil else {
        throw Problem(
          400, "missing-position", "say where to look from: lat=37.57&lon=126.97", parameter: "lat")
      }
    case .item, .facets, .diff, .live, .document, .plain: break
    }
  }
}

extension RequestParameters {
  /// The parameters of queries that are passed on as they are.
  private static let canonical: Set<String> = [
    "lat", "lon", "within", "beyond", "kind", "where", "hours-unknown", "stay", "speed", "detour",
    "sort", "per-kind", "facets", "k", "after",
  ]

  /// Reads the query of an operation.
  ///
  /// - Parameters:
  ///   - state: Its fields are parameters, too, which test for equality.
  ///   - clocks: The clocks by which days and hours are read.
  func query(
    of operation: Operation, _ state: CollectionState, _ clocks: PlaceClocks, now: Instant
  ) throws(Problem) -> AskedQuery {
    let (own, fields) = try split(for: operation, state)
    // As they came and in their order, but the own ones with plain values.
    var read = own.pairs[...]
    var asked = AskedQuery(
      pairs: pairs.map { $0.name == read.first?.name ? read.removeFirst() : $0 })
    var conditions: [Condition] = []
    for (field, value) in fields {
      conditions.append(try RequestParameters.condition(field, value, among: state.columns))
    }
    let kinds = own.conditionOfKinds
    if let kinds { conditions.append(kinds) }
    var canonical = QueryParameters()
    for (name, value) in own.pairs
    where RequestParameters.canonical.contains(name) && !(name == "kind" && kinds != nil) {
      canonical.add(name, name == "per-kind" ? nil : value)
    }
    if ServerParameter.times.contains(where: { own.one($0) != nil }) {
      // Days and hours are those of the place that distances are measured from.
      let setting = try own.origin().map { clocks.setting(at: $0) } ?? state.setting(by: clocks)
      try own.addTimes(to: &canonical, &asked, setting, now)
    }
    asked.query = try RequestParameters.parsed(canonical)
    asked.format = own.one("f")
    if let inner = asked.query.distances.beyond, inner >= asked.query.distances.within {
      throw Problem(
        400, "empty-ring", "beyond must be smaller than within; swap or change them",
        parameter: "beyond")
    }
    // The box of clusters is that of a view, which cells reach out of.
    if operation != .clusters, let text = own.one("bbox") {
      asked.query.area = .box(try RequestParameters.box(text))
      asked.matchesUnplaced = operation == .items && asked.query.origin == nil
    }
    if let text = own.one("filter") {
      let filter = try CQL2Filter(text, columns: state.columns)
      if let condition = filter.condition { conditions.append(condition) }
      asked.narrow(to: filter.area)
    }
    if let condition = asked.query.condition { conditions.append(condition) }
    if !conditions.isEmpty {
      asked.query.condition = conditions.count == 1 ? conditions[0] : .all(conditions)
    }
    try asked.adapt(to: operation, own)
    return asked
  }

  /// The condition on kinds where one of them is empty, which a query's own parameter cannot say; nil otherwise.
  private var conditionOfKinds: Condition? {
    guard pairs.contains(where: { $0.name == "kind" && $0.value.isEmpty }) else { return nil }
    return .any(
      pairs.filter { $0.name == "kind" }.map { pair in
        pair.value.isEmpty
          ? .isNull(.common(.kind))
          : .comparison(.field(.common(.kind)), .equal, .literal(.text(pair.value)))
      })
  }

  /// The position that distances are measured from.
  private func origin() throws(Problem) -> Coordinate? {
    var place = QueryParameters()
    for (name, value) in pairs where name == "lat" || name == "lon" { place.add(name, value) }
    return try RequestParameters.parsed(place).origin
  }

  /// Checks the parameters of an operation that is no query.
  func expect(_ operation: Operation) throws(Problem) { _ = try split(for: operation, nil) }

  /// An operation's own parameters among these, with measures as plain numbers, and the fields of the collection; throws
  /// for any that it does not take.
  ///
  /// A field may have the name of a parameter that only other operations take.
  private func split(
    for operation: Operation, _ state: CollectionState?
  ) throws(Problem) -> (own: RequestParameters, fields: [(field: ServedField, value: String)]) {
    let known = ServerParameter.byOperation[operation] ?? [:]
    var own = RequestParameters()
    own.pairs.reserveCapacity(pairs.count)
    var fields: [(field: ServedField, value: String)] = []
    for (name, value) in pairs {
      if let parameter = known[name] {
        guard parameter.isRepeated || own.one(name) == nil else {
          throw Problem(
            400, "query-parameter", "it is given more than once; give it once", parameter: name)
        }
        own.pairs.append((name, try parameter.plain(value)))
      } else if operation.takesFields, !RequestParameters.asksForHours(name, value),
        let field = state?.field(named: name)
      {
        guard !fields.contains(where: { $0.field.name == field.name }) else {
          throw Problem(
            400, "query-parameter",
            "it is given more than once; give it once, or use filter=\(field.name) IN ('a', 'b')",
            parameter: name)
        }
        fields.append((field, value))
      } else {
        let detail = operation.refusal(of: name, knowing: known.keys.sorted())
        throw Problem(400, "query-parameter", detail, parameter: name)
      }
    }
    return (own, fields)
  }

  /// Whether a parameter asks for opening hours even where it is no parameter and a column has its name.
  private static func asksForHours(_ name: String, _ value: String) -> Bool {
    name == "open" && ["now", "arrival"].contains(value.lowercased())
  }

  private static func parsed(_ canonical: QueryParameters) throws(Problem) -> NearbyQuery {
    do throws(QueryTextError) {
      return try NearbyQuery(canonical)
    } catch {
      throw Problem(400, error.code, error.message, parameter: error.parameter)
    }
  }

  /// The box of four numbers (west, south, east and north), or of six with heights.
  static func box(_ text: String) throws(Problem) -> BoundingBox {
    try Problem.wrapping(parameter: "bbox") { () throws(CoordinateError) in
      try BoundingBox(text: text, mayHaveHeights: true)
    }
  }

  /// The condition that a field equals a value, by the type of the field, or has none where the value is empty.
  ///
  /// - Parameter columns: The columns of the collection.
  private static func condition(
    _ field: ServedField, _ value: String, among columns: [String]
  ) throws(Problem) -> Condition {
    let named = Condition.Field(exactly: field.name, among: columns)
    guard !value.isEmpty else { return .isNull(named) }
    let operand = Condition.Operand.field(named)
    func equals(_ literal: Condition.Literal) -> Condition {
      .comparison(operand, .equal, .literal(literal))
    }
    let truth = ["true": true, "false": false][value]
    let isNumber = PropertyValue.number(value).number != nil
    func wrong(_ what: String) -> Problem {
      Problem(400, "query-value", "\"\(value)\" is \(what)", parameter: field.name)
    }
    switch field.sort {
    case .string: return equals(.text(value))
    case .number:
      guard isNumber else { throw wrong("not a number; \(field.name) has numbers") }
      return equals(.number(value))
    case .boolean:
      // SQL of GDAL writes true and false as numbers.
      guard let truth = truth ?? ["1": true, "0": false][value] else {
        throw wrong("neither true nor false; \(field.name) has one of them")
      }
      return equals(.bool(truth))
    case .mixed:
      let number = isNumber ? equals(.number(value)) : nil
      return .any(
        [equals(.text(value)), number, truth.map { equals(.bool($0)) }].compactMap(\.self))
    }
  }

  // MARK: Times

  /// Adds `open`, `on` and `datetime`, which may mean *now* and *today*.
  private func addTimes(
    to canonical: inout QueryParameters, _ asked: inout AskedQuery, _ setting: HoursSetting,
    _ now: Instant
  ) throws(Problem) {
    if let text = one("open") {
      switch text.lowercased() {
      case "now", "":
        canonical.add("open", String(now.seconds))
        asked.asksForNow = true
      case "arrival":
        canonical.add("open", "arrival")
        canonical.add("depart", String(now.seconds))
        asked.asksForNow = true
      default:
        canonical.add("open", String(try RequestParameters.instant(text, setting).seconds))
      }
    }
    let today = ClockText.day(setting.localTime(at: now))
    if let text = one("on") {
      guard one("datetime") == nil else {
        throw Problem(
          400, "query-parameter", "the parameter on is given, too; give only one",
          parameter: "datetime")
      }
      canonical.add("on", try RequestParameters.choice(text, today))
      canonical.add("today", today)
      asked.asksForNow = true
      let tomorrow = LocalTime(day: setting.localTime(at: now).day + 1, secondOfDay: 0)
      asked.midnight = setting.instant(of: tomorrow)
    } else if let text = one("datetime") {
      canonical.add("on", try RequestParameters.days(text, setting))
      canonical.add("today", today)
    }
  }

  /// The instant of a time with its day, or of seconds since 1970.
  ///
  /// These have ten digits, from 2001 to 2286: fewer would be meant as a time, a year or a day (`1400`, `2026`,
  /// `20261128`), and more as milliseconds.
  private static func instant(_ text: String, _ setting: HoursSetting) throws(Problem) -> Instant {
    let seconds = PropertyValue.number(text).number.flatMap { (1e9..<1e10).contains($0) ? $0 : nil }
    guard
      let instant = seconds.flatMap({ Instant(secondsSince1970: $0) })
        ?? Timestamp(text, setting)?.instant
    else {
      throw Problem(
        400, "bad-time",
        "\"\(text)\" is neither a time with its day nor a date; write now, arrival or "
          + "2026-11-25T18:00:00+09:00", parameter: "open")
    }
    return instant
  }

  /// The days that a text means to the command line, too, as queries write them.
  private static func choice(_ text: String, _ today: String) throws(Problem) -> String {
    // The query refuses a day of a clock that is set beyond the year 9999.
    guard let today = CalendarDate(today) else { return text }
    do throws(ReportedError) {
      switch try QueryDates(text, named: "on", today: today).choice {
      case .segment(let segment): return segment.word
      case .next: return "next"
      }
    } catch {
      throw Problem(400, error, parameter: "on")
    }
  }

  /// The days of an instant or an interval, as `on` takes them.
  private static func days(_ text: String, _ setting: HoursSetting) throws(Problem) -> String {
    let ends = text.split(separator: "/", omittingEmptySubsequences: false)
    func wrong(_ what: String) -> Problem {
      Problem(
        400, "query-value",
        "\"\(text)\" \(what); write 2026-11-25, 2026-11-25T18:00:00Z, or two with / between them",
        parameter: "datetime")
    }
    func time(_ end: Substring) throws(Problem) -> Timestamp? {
      if end.isEmpty || end == ".." { return nil }
      guard let time = Timestamp(String(end), setting) else { throw wrong("is not a time") }
      return time
    }
    guard (1...2).contains(ends.count), ends.contains(where: { !$0.isEmpty && $0 != ".." }) else {
      throw wrong("is neither a time nor an interval")
    }
    // Spans of QGIS without a start begin in the year 0, before all dates here; it has the days of 2000.
    let isFromYear0 = ends.count == 2 && ends[0].hasPrefix("0000-")
    var start = try time(isFromYear0 ? "2000" + ends[0].dropFirst(4) : ends[0])
    if isFromYear0 { start = nil }
    let first = start?.day ?? "0001-01-01"
    guard ends.count == 2 else { return first }
    let end = try time(ends[1])
    let last = end?.day ?? "9999-12-31"
    // An end that is a day is the whole day.
    let isReversed =
      if let start, let end, start.isWholeDay == end.isWholeDay {
        end.instant < start.instant
      } else {
        last < first
      }
    guard !isReversed else { throw wrong("ends before it begins") }
    return "\(first)/\(last)"
  }
}

extension Operation {
  /// Whether fields of the collection can be parameters.
  var takesFields: Bool { ServerParameter.queries.contains(self) }

  /// Why it does not take a parameter, and what to do.
  fileprivate func refusal(of name: String, knowing known: [String]) -> String {
    if takesFields, ServerParameter.ofHours.contains(name) {
      return "only changes of the data are reported here, not what opens or closes as time passes; "
        + "take it out, and ask nearest for open=now again at its validUntil"
    }
    let what =
      takesFields
      ? "it is neither a parameter here nor a field of the collection"
      : "it is not a parameter here"
    return known.isEmpty
      ? "\(what); take it out" : "\(what); parameters are \(known.joined(separator: ", "))"
  }
}

extension CollectionState {
  /// The fields that filters can name.
  var queryables: [ServedField] {
    // Of columns that differ only by case, each has the type of its own values.
    var queryables = ["id", "name", "kind"].filter { $0 == "id" || !columns.hasTwin(of: $0) }
      .map { ServedField(name: $0, sort: .string) }
    queryables += ["latitude", "longitude"].map { ServedField(name: $0, sort: .number) }
    for field in fields
    where !field.name.isEmpty && !queryables.contains(where: { $0.name == field.name }) {
      queryables.append(field)
    }
    return queryables
  }

  /// The field that a parameter names exactly; also a column without a name.
  func field(named name: String) -> ServedField? {
    (name.isEmpty ? fields : queryables).first { $0.name == name }
  }
}

extension Condition.Field {
  /// The field with an exact name: one that all annotations have, or else a column, as also one named `distance` is.
  ///
  /// Of columns that differ only by case, such as `NAME` and `name`, the first gives the annotation's name; here each is
  /// meant by its own name.
  init(exactly name: String, among columns: [String]) {
    switch Common(rawValue: name) {
    case nil, .distance?: self = .property(name)
    case .name?, .kind?: self = columns.hasTwin(of: name) ? .property(name) : Self(named: name)
    case .id?, .latitude?, .longitude?: self = Self(named: name)
    }
  }
}

extension [String] {
  /// Whether a name is among these, and another one that differs from it only by case.
  func hasTwin(of name: String) -> Bool {
    contains(name) && contains { $0 != name && $0.lowercased() == name.lowercased() }
  }
}

extension ServerParameter {
  /// The value as queries write it, with measures as plain numbers; throws where the table does not allow it.
  func plain(_ text: String) throws(Problem) -> String {
    func wrong(_ remedy: String) -> Problem {
      Problem(400, code, "\"\(text)\" cannot be read; \(remedy)", parameter: name)
    }
    switch value {
    case .whole(let least, let most, _):
      guard let number = wholeNumber(text), number >= least, number <= most ?? .max else {
        throw wrong("write a whole number from \(least) " + (most.map { "to \($0)" } ?? "on"))
      }
    case .change:
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard
        wholeNumber(text) != nil
          || parts.count == 2 && parts.allSatisfy({ Int($0, radix: 36) != nil })
      else { throw wrong("write the number of an event, or the X-Nearby-Version of an answer") }
    case .words(let words):
      guard words.contains(text) else { throw wrong("write \(words.joined(separator: " or "))") }
    case .flag: guard text.isEmpty else { throw wrong("it has no value; write it alone") }
    case .measure(let measure):
      return try Problem.wrapping(parameter: name) { () throws(ReportedError) in
        try measure.plain(text, named: name)
      }
    // The query itself knows their limits.
    case .degrees, .number, .text, .numbers: break
    }
    return text
  }
}

/// An ISO 8601 time with its day, or a day.
struct Timestamp {
  /// The day by the clock of the place.
  let day: String
  let instant: Instant
  /// Whether it is a day.
  let isWholeDay: Bool

  init?(_ text: String, _ setting: HoursSetting) {
    // A plus sign that was not encoded was read as a space.
    let hasMark = text.contains("T") || text.contains("t")
    guard let time = try? ISOTime(hasMark ? text.replacing(" ", with: "+") : text), time.day != nil
    else { return nil }
    isWholeDay = time.secondOfDay == nil
    // There is a day, so it does not matter what today is.
    instant = time.instant(by: setting, now: Instant(seconds: 0))
    day = isWholeDay ? text : ClockText.day(setting.localTime(at: instant))
  }
}
