import GeoJSONCoding
import Geodesy
import MapAnnotations

/// A client's request, as far as responses depend on it.
///
/// Made by whatever reads sockets, so that a service can be called without any.
public struct ServerRequest: Sendable {
  /// The method in capitals: `GET`.
  public var method: String
  /// The path, percent-encoded as it came.
  public let path: String
  /// What follows the question mark, as it came.
  public let query: String
  /// The parameters in the query, or why it cannot be read.
  let parameters: Result<RequestParameters, Problem>
  /// The headers, by name in lowercase.
  public var headers: [String: String]
  /// What follows the headers.
  public var body: [UInt8]
  /// The client that the request is counted for: its address, also if a proxy on this machine passes its request on.
  public var client: String
  /// How long a write may wait for its turn; nil where its wait has not begun.
  var deadline: ContinuousClock.Instant?

  /// Whether it is to change something.
  var writes: Bool { ["POST", "PUT", "DELETE"].contains(method) }

  /// A request.
  ///
  /// If the client's address is of this machine, the last address in the header `X-Forwarded-For` counts instead, which
  /// the proxy here has seen; anybody else could write anything there.
  public init(
    _ method: String = "GET", _ address: String, headers: [String: String] = [:],
    body: [UInt8] = [], client: String = ""
  ) {
    self.method = method
    let mark = address.utf8.firstIndex(of: UInt8(ascii: "?"))
    path = String(address[..<(mark ?? address.endIndex)])
    let query = mark.map { String(address[address.utf8.index(after: $0)...]) } ?? ""
    self.query = query
    parameters = Result { () throws(Problem) in try RequestParameters(query) }
    self.headers = headers
    self.body = body
    let isLocal = client == "::1" || ["127.", "::ffff:127."].contains { client.hasPrefix($0) }
    let last = isLocal ? headers["x-forwarded-for"]?.split(separator: ",").last : nil
    // Addresses are shorter; each is kept for a while.
    let forwarded = trimmed(String((last ?? "").prefix(64)))
    self.client = forwarded.isEmpty ? client : forwarded
  }
}

extension [String: String] {
  /// Adds a header; several of one name are one with all their values (RFC 9110 §5.3).
  mutating func addHeader(_ name: String, _ value: String) {
    self[name] = self[name].map { "\($0), \(value)" } ?? value
  }
}

/// The response to a request.
public struct ServerAnswer: Sendable {
  /// The body of a response.
  public enum Body: Sendable {
    case bytes([UInt8])
    /// Events as they come, for as long as the client listens.
    case events(EventStream)
  }

  /// The status, such as 200 or 404.
  public var status: Int
  /// The headers in the order in which they are sent, with names in lowercase.
  public var headers: [(name: String, value: String)]
  /// What follows the headers.
  public var body: Body

  /// A response.
  public init(
    _ status: Int, _ headers: [(name: String, value: String)] = [], _ bytes: [UInt8] = []
  ) {
    self.status = status
    self.headers = headers
    body = .bytes(bytes)
  }

  /// The value of a header, by its name in lowercase; nil where there is none.
  public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The bytes of the body; empty for events.
  public var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

  /// Sets a header, replacing one with the same name.
  mutating func set(_ name: String, _ value: String) {
    if let place = headers.firstIndex(where: { $0.name == name }) {
      headers[place].value = value
    } else {
      headers.append((name: name, value: value))
    }
  }
}

/// Why a request fails, as problem details (RFC 9457) with the error codes of the command line.
struct Problem: Error {
  let status: Int
  /// Such as `query-value`.
  let code: String
  /// What is wrong and what to do.
  let detail: String
  /// The parameter at fault; nil where it is none.
  var parameter: String?
  let headers: [(name: String, value: String)]

  init(
    _ status: Int, _ code: String, _ detail: String, parameter: String? = nil,
    headers: [(name: String, value: String)] = []
  ) {
    self.status = status
    self.code = code
    self.detail = named(["origin": "lat and lon"], in: detail)
    self.parameter = parameter
    self.headers = headers
  }

  /// A problem with the code and message of an error.
  init(_ status: Int, _ error: some CodedError, parameter: String? = nil) {
    self.init(status, error.code, "\(error)", parameter: parameter)
  }

  /// Runs work on what a client sent; its error is a problem with that.
  static func wrapping<Value, Failure: CodedError>(
    _ status: Int = 400, parameter: String? = nil, _ work: () throws(Failure) -> Value
  ) throws(Problem) -> Value {
    do throws(Failure) { return try work() } catch {
      throw Problem(status, error, parameter: parameter)
    }
  }

  /// A 503 with the time after which to try again.
  static func busy(_ code: String, _ detail: String, after seconds: Int) -> Problem {
    Problem(503, code, detail, headers: [("retry-after", String(seconds))])
  }

  static func notFound(
    _ what: String, _ remedy: String = "/collections lists what there is"
  ) -> Problem {
    Problem(404, "not-found", "\(what); \(remedy)")
  }

  private static let titles = [
    400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 405: "Method Not Allowed",
    406: "Not Acceptable", 408: "Request Timeout", 410: "Gone", 412: "Precondition Failed",
    413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
    429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
    503: "Service Unavailable",
  ]

  func answer(asHTML isHTML: Bool = false) -> ServerAnswer {
    let title = Problem.titles[status] ?? "Error"
    var members: Properties = [
      "type": .string("about:blank"), "title": .string(title),
      "status": .integer(status), "code": .string(code), "detail": .string(detail),
    ]
    if let parameter { members.append("parameter", .string(parameter)) }
    let value = PropertyValue.object(members)
    let content =
      isHTML
      ? NearbyService.Content.html(HTMLDocument.value(value, titled: title))
      : NearbyService.Content(type: "application/problem+json", bytes: value.jsonLine)
    return ServerAnswer(
      status, [("content-type", content.type), ("cache-control", "no-store")] + headers,
      content.bytes)
  }
}
