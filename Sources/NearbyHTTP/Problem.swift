import GeoJSONCoding
import Geodesy
import MapAnnotations

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
  init(_ status: Int, _ error: some CodedError) {
    self.init(status, error.code, "\(error)")
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

  /// A 406 for a request that accepts none of the formats.
  static func notAcceptable(_ formats: String) -> Problem {
    Problem(406, "not-acceptable", "answers come as \(formats); ask for one of them")
  }

  private static let titles = [
    400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 405: "Method Not Allowed",
    406: "Not Acceptable", 408: "Request Timeout", 410: "Gone", 412: "Precondition Failed",
    413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
    429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
    503: "Service Unavailable",
  ]

  var answer: ServerAnswer {
    var members: Properties = [
      "type": .string("about:blank"), "title": .string(Problem.titles[status] ?? "Error"),
      "status": .integer(status), "code": .string(code), "detail": .string(detail),
    ]
    if let parameter { members.append("parameter", .string(parameter)) }
    return ServerAnswer(
      status,
      [("content-type", "application/problem+json"), ("cache-control", "no-store")]
        + headers, PropertyValue.object(members).jsonLine)
  }
}
