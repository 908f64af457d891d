import AnnotationSources
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch

/// What a request asks for, as far as its parameters depend on it.
enum Operation: CaseIterable, Sendable {
  case items, item, nearest, clusters, facets, tiles, diff, live
  /// A document that describes the API or a collection.
  case document
  /// Everything else, which takes no parameter: fences, writing.
  case plain
}

/// A request parameter: parsed by this table, and described by it in the OpenAPI document.
struct ServerParameter: Sendable {
  /// The type of its value.
  enum Value: Sendable {
    case number(ClosedRange<Double>)
    case measure(Measure)
    /// Degrees from the negative limit to the limit.
    case degrees(limit: Double)
    case whole(least: Int, most: Int?, standard: Int?)
    /// A change, by its number or by the version that it led to.
    case change
    case text
    case words([String])
    /// Numbers separated by commas, as many as one of these.
    case numbers(counts: [Int])
    /// Present or absent, without a value.
    case flag
  }

  /// What is written with a unit, as on the command line, or as a plain number.
  enum Measure: Sendable {
    case length, duration, speed

    /// A value with its unit, and the pattern of such values; other forms are read, too.
    var form: (example: String, pattern: String) {
      switch self {
      case .length: ("2km", "^[0-9]+([.][0-9]+)?(m|km|mi)$")
      case .duration: ("20m", "^([0-9]+([.][0-9]+)?(ms|s|m|min|h|d))+$")
      case .speed: ("walk", "^(walk|bike|car|[1-9][0-9]*([.][0-9]+)?(m/s|km/h|mph|kn))$")
      }
    }

    /// The plain number of a text: meters, whole seconds, or meters per second.
    func plain(_ text: String, named name: String) throws(ReportedError) -> String {
      switch self {
      case .length: return plainDecimal(try Distance(text: text, named: name).meters)
      case .duration:
        return String(Int64(try WrittenMeasure.seconds(text, named: name).rounded()))
      case .speed: return plainDecimal(try WrittenMeasure.speed(text, named: name, bare: 1))
      }
    }
  }

  let name: String
  let about: String
  let value: Value
  let operations: Set<Operation>
  /// Whether it may be repeated.
  var isRepeated = false
  /// The code of an error in its value, unless the value has an error of its own: that of the command line.
  var code = "query-value"

  /// The type as JSON Schema.
  var schema: PropertyValue {
    isRepeated ? .object(["type": "array", "items": .object(schemaOfOne)]) : .object(schemaOfOne)
  }

  private var schemaOfOne: Properties {
    switch value {
    case .number(let range):
      return [
        "type": "number", "minimum": .double(range.lowerBound),
        "maximum": .double(range.upperBound),
      ]
    case .measure(let measure):
      var number: Properties = ["type": "number", "minimum": .integer(0)]
      if measure == .speed { number.append("exclusiveMinimum", .bool(true)) }
      let (example, pattern) = measure.form
      let text: Properties = ["type": "string", "pattern": .string(pattern)]
      return ["anyOf": .array([.object(number), .object(text)]), "example": .string(example)]
    case .degrees(let limit):
      return ["type": "number", "minimum": .double(-limit), "maximum": .double(limit)]
    case .whole(let least, let most, let standard):
      var members: Properties = ["type": "integer", "minimum": .integer(least)]
      if let most { members.append("maximum", .integer(most)) }
      if let standard { members.append("default", .integer(standard)) }
      return members
    case .change:
      let number: Properties = ["type": "integer", "minimum": .integer(0)]
      let version: Properties = ["type": "string", "pattern": "^[0-9a-z]+[.][0-9a-z]+$"]
      return ["anyOf": .array([.object(number), .object(version)])]
    case .text: return ["type": "string"]
    case .words(let words):
      return ["type": "string", "enum": .array(words.map { .string($0) })]
    case .numbers(let counts):
      let choices = counts.map { count -> PropertyValue in
        .object(["minItems": .integer(count), "maxItems": .integer(count)])
      }
      return ["type": "array", "items": .object(["type": "number"]), "oneOf": .array(choices)]
    case .flag: return ["type": "string", "enum": .array([.string("")])]
    }
  }

  /// The operations that take filters.
  static let queries: Set<Operation> = [.items, .nearest, .facets, .clusters, .tiles, .live, .diff]
  /// Those of them that take hours: the others report changes of the data, not what opens or closes.
  private static let hours = queries.subtracting([.live, .diff])
  private static let pages: Set<Operation> = [.items, .nearest]

  static let all: [ServerParameter] = [
    ServerParameter(
      name: "bbox",
      about: "West, south, east, north in degrees; west > east crosses ±180°. Six numbers have "
        + "heights at the third and sixth place, which are ignored. At items, what has no position matches, too.",
      // A tile is a box itself.
      value: .numbers(counts: [4, 6]), operations: queries.subtracting([.tiles])),
    ServerParameter(
      name: "bbox-crs", about: "The CRS of bbox.",
      value: .words([ServerParameter.crs84]), operations: queries.subtracting([.tiles])),
    ServerParameter(
      name: "crs", about: "The CRS of geometries in the answer.",
      value: .words([ServerParameter.crs84]), operations: pages.union([.item])),
    ServerParameter(
      name: "limit",
      about: "The most features on a page; more than \(ServerParameter.largestPage) is "
        + "read as that.",
      value: .whole(least: 1, most: nil, standard: ServerParameter.usualPage), operations: [.items],
      code: "bad-limit"),
    ServerParameter(
      name: "k", about: "The most results to return; with per-kind, the most of each kind.",
      value: .whole(least: 1, most: ServerParameter.largestPage, standard: 10),
      operations: [.nearest], code: "bad-k"),
    ServerParameter(
      name: "after",
      about: "Empty for the first of several pages; for others the cursor that the link next has.",
      value: .text, operations: pages),
    ServerParameter(
      name: "datetime",
      about: "Only what is valid on a day or between two: 2026-11-25, 2026-11-01/2026-11-30, with "
        + ".. for no end. What has no dates is always valid.", value: .text,
      operations: queries),
    ServerParameter(
      name: "filter", about: "A condition in CQL2 text: kind = 'mart' AND rating >= 4.",
      value: .text, operations: queries),
    ServerParameter(
      name: "filter-lang", about: "The language of filter.", value: .words(["cql2-text"]),
      operations: queries),
    ServerParameter(
      name: "filter-crs", about: "The CRS of geometries in filter.",
      value: .words([ServerParameter.crs84]), operations: queries),
    ServerParameter(
      name: "where",
      about: "A condition as the command line takes it: kind = 'mart' and rating >= 4.",
      value: .text, operations: queries),
    ServerParameter(
      name: "kind", about: "Only annotations of this kind. Empty: only what has no kind.",
      value: .text, operations: queries, isRepeated: true),
    ServerParameter(
      name: "lat", about: "The latitude that distances are measured from, in degrees.",
      value: .degrees(limit: 90), operations: queries),
    ServerParameter(
      name: "lon", about: "The longitude that distances are measured from, in degrees.",
      value: .degrees(limit: 180), operations: queries),
    ServerParameter(
      name: "within", about: "The greatest distance: 800m, 2km, 1.5mi or a number of meters.",
      value: .measure(.length), operations: queries),
    ServerParameter(
      name: "beyond", about: "Farther than this, in the same forms as within.",
      value: .measure(.length), operations: queries),
    ServerParameter(
      name: "open",
      about: "Only what is open: now, at an instant (2026-11-25T18:00:00+09:00, or the ten digits "
        + "of seconds since 1970), or arrival. A time without an offset is by the clock of lat and lon, or else of "
        + "where most of the collection is.", value: .text, operations: hours),
    ServerParameter(
      name: "hours-unknown",
      about: "Whether to show or hide places with unknown hours; needs open.",
      value: .words(["show", "hide"]), operations: hours, code: "bad-hours-unknown"),
    ServerParameter(
      name: "stay",
      about: "How long it must stay open: 20m, 1h30m or a number of seconds; needs open.",
      value: .measure(.duration), operations: hours),
    ServerParameter(
      name: "speed",
      about: "The speed of travel: walk, bike, car, 5km/h or a number of meters per second; needs "
        + "open=arrival.",
      value: .measure(.speed), operations: [.nearest]),
    ServerParameter(
      name: "detour",
      about: "The length of the way divided by the straight line; needs open=arrival.",
      value: .number(Journey.detours), operations: [.nearest]),
    ServerParameter(
      name: "on",
      about: "Only what is valid on a date: today, tomorrow, this-month, next, a day, a month, "
        + "such as 2026-11, or two days with / between them.", value: .text, operations: queries),
    ServerParameter(
      name: "sort", about: "Fields to order by, such as rating:desc,name.", value: .text,
      operations: pages),
    ServerParameter(
      name: "per-kind", about: "The nearest of each kind, k of each.", value: .flag,
      operations: [.nearest]),
    ServerParameter(
      name: "facets", about: "Fields whose values are counted, separated by commas.",
      value: .text, operations: [.facets]),
    ServerParameter(
      name: "zoom", about: "The zoom, numbered as in MapLibre.",
      value: .whole(least: 0, most: 24, standard: nil), operations: [.clusters], code: "bad-zoom"),
    ServerParameter(
      name: "since",
      about: "The last change that the client knows: its number, or the X-Nearby-Version of the "
        + "answer that the client has.",
      value: .change, operations: [.diff, .live]),
    ServerParameter(
      name: "snapshot", about: "Whether a stream begins with the current state.",
      value: .words(["true", "false"]), operations: [.live]),
    ServerParameter(
      name: "named",
      about: "Features have name and kind, whatever their source calls these, as a map needs them.",
      value: .flag, operations: [.live]),
    ServerParameter(
      name: "f", about: "The format, instead of the header Accept.",
      value: .words(["json", "html", "jsonseq"]), operations: pages, code: "bad-format"),
    ServerParameter(
      name: "f", about: "The format, instead of the header Accept.",
      value: .words(["json", "html"]), operations: [.item, .document], code: "bad-format"),
  ]

  /// The parameters of each operation, by name.
  static let byOperation: [Operation: [String: ServerParameter]] = Dictionary(
    uniqueKeysWithValues: Operation.allCases.map { operation in
      let own = all.filter { $0.operations.contains(operation) }
      return (operation, Dictionary(uniqueKeysWithValues: own.map { ($0.name, $0) }))
    })
  /// The parameters that mean, or may mean, *now* or *today*.
  static let times: Set<String> = ["open", "on", "datetime"]
  /// The parameters of hours, which changes of the data do not depend on.
  static let ofHours = Set(all.filter { $0.operations == hours }.map(\.name))

  static let usualPage = 100
  static let largestPage = 10_000
  static let crs84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
  /// As `Content-Crs` has it.
  static let crs84InHeader = "<\(crs84)>"
}

/// The names and values of a request's query.
struct RequestParameters {
  var pairs: [(name: String, value: String)] = []

  init() {}

  /// Parses what follows the question mark: percent-encoded, with a plus sign for a space.
  init(_ query: String) throws(Problem) {
    var rest = query.utf8[...]
    if !rest.isEmpty { pairs.reserveCapacity(4) }
    while let part = rest.takePiece(before: "&") {
      let written = part.prefix { $0 != UInt8(ascii: "=") }
      guard let name = RequestParameters.decoded(written, plusIsBlank: true),
        let value = RequestParameters.decoded(
          part[written.endIndex...].dropFirst(), plusIsBlank: true)
      else {
        throw Problem(
          400, "query-value", "\"\(Substring(part))\" \(RequestParameters.fault(in: part))",
          parameter: String(Substring(written)))
      }
      pairs.append((name, value))
    }
  }

  /// The value of a parameter that is not repeated, which `expect` ensures; nil where it is absent.
  func one(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Why a text cannot be decoded, and what to do.
  static func fault(in text: Substring.UTF8View) -> String {
    percentDecoded(text) == nil
      ? "is not percent-encoded UTF-8; write bytes of other characters as %XX"
      : "holds a zero byte, which nothing here has; take out %00"
  }

  /// Decodes percent-encoding; nil where it is invalid or not UTF-8, or holds a zero byte.
  static func decoded(_ text: Substring.UTF8View, plusIsBlank: Bool = false) -> String? {
    percentDecoded(text, plusIsBlank: plusIsBlank).flatMap {
      $0.utf8.contains(0) ? nil : $0
    }
  }
}

extension Substring.UTF8View {
  /// Takes the next piece between separators that is not empty; nil if there is none.
  mutating func takePiece(before separator: Unicode.Scalar) -> Substring.UTF8View? {
    let mark = UInt8(ascii: separator)
    let rest = drop { $0 == mark }
    let piece = rest.prefix { $0 != mark }
    self = rest[piece.endIndex...]
    return piece.isEmpty ? nil : piece
  }
}
