import Geodesy
import MapAnnotations

// What is at which path, and by which methods.
extension NearbyService {
  /// A request, and what every response to it needs.
  struct Asked {
    let request: ServerRequest
    let now: Instant
    /// The beginning of the URLs in responses.
    let base: String

    /// The URL of a collection.
    func address(of collection: ServedCollection) -> String {
      "\(base)/collections/\(collection.name.inPath)"
    }

    /// The URL of a collection's tiles.
    func tileAddress(of collection: ServedCollection) -> String {
      "\(base)/tiles/\(collection.name.inPath)"
    }
  }

  /// What answers the requests for a path.
  private typealias Responder = (Asked) throws(Problem) -> ServerAnswer

  /// The response to a request.
  ///
  /// - Parameter route: Becomes the name of what is at the path, for the metrics.
  func routed(
    _ request: ServerRequest, _ route: inout String, at now: Instant
  ) throws(Problem) -> ServerAnswer {
    guard request.path.utf8.count + request.query.utf8.count <= limits.addressLength else {
      throw Problem(
        414, "address-length",
        "the address has more than \(limits.addressLength) bytes; ask for less at once")
    }
    try expectBody(of: request.body.count)
    let parts = try NearbyService.parts(of: request.path)
    if request.method == "OPTIONS" {
      route = "options"
      return ServerAnswer(204, [("allow", methods(of: parts).joined(separator: ", "))])
    }
    // Monitoring is exempt from the rate limit.
    let isMonitoring = parts == ["healthz"] || parts == ["metrics"]
    if !isMonitoring, let problem = rateProblem(request, at: now) { throw problem }
    // Where nothing is, no method is wrong.
    let respond = try responder(at: parts, &route)
    try expect(request, methods(of: parts))
    return try respond(Asked(request: request, now: now, base: base(request)))
  }

  /// Counts a request of a client; returns why it is refused if that sends too many.
  func rateProblem(_ request: ServerRequest, at now: Instant) -> Problem? {
    guard let seconds = rates.take(request.client, at: now) else { return nil }
    return Problem(
      429, "rate-limit",
      "this client sends more than \(plainDecimal(limits.rate)) requests a second; wait \(seconds) s",
      headers: [("retry-after", String(seconds))])
  }

  /// Throws if the headers of a request alone decide that it is refused: its body is too long, or the client waits to be
  /// told to send it, and whatever it holds could not be written.
  func expectHead(_ request: ServerRequest) throws(Problem) {
    try expectBody(of: request.headers["content-length"].flatMap(wholeNumber) ?? 0)
    guard request.headers["expect"]?.lowercased() == "100-continue", request.method != "OPTIONS"
    else { return }
    let parts = try NearbyService.parts(of: request.path)
    var route = ""
    _ = try responder(at: parts, &route)
    try expect(request, methods(of: parts))
    if request.method != "GET", request.method != "HEAD" { try expectWriting(request) }
  }

  private func expectBody(of length: Int) throws(Problem) {
    guard length <= limits.bodyLength else {
      throw Problem(
        413, "body-length",
        "the body has more than \(limits.bodyLength) bytes; send it in parts")
    }
  }

  private func responder(
    at parts: [String], _ route: inout String
  ) throws(Problem) -> Responder {
    // Most are called as their path begins.
    let other = route
    route = parts.first ?? "landing"
    switch (parts.first, parts.count) {
    case (nil, _): return landing
    case ("healthz", 1): return { _ in self.health() }
    case ("metrics", 1): return { _ in self.metrics() }
    case ("conformance", 1): return conformance
    case ("api", 1): return openAPI
    case ("collections", 1): return collectionList
    case ("collections", 2...4):
      route = other
      return try collectionResponder(at: parts, &route)
    case ("tiles", 3...5): return try tileResponder(at: parts)
    case ("fences", 1): return fenceList
    case ("fences", 3) where parts[2] == "events":
      route = "fence-events"
      guard let feed = fences?.feeds[parts[1]] else {
        throw .notFound("there is no fence \(parts[1])", "/fences lists what there is")
      }
      return { (asked) throws(Problem) in try self.fenceEvents(asked, feed) }
    default:
      route = other
      throw NearbyService.nothing(at: parts)
    }
  }

  private func collectionResponder(
    at parts: [String], _ route: inout String
  ) throws(Problem) -> Responder {
    let collection = try collection(named: parts[1])
    if parts.count == 4 {
      guard parts[2] == "items" else { throw NearbyService.nothing(at: parts) }
      route = "item"
      let id = AnnotationID(parts[3])
      return { (asked) throws(Problem) in try self.item(asked, collection, id) }
    }
    let respond: (Asked, ServedCollection) throws(Problem) -> ServerAnswer
    let name = parts.count > 2 ? parts[2] : "collection"
    switch name {
    case "collection" where parts.count == 2: respond = collectionDocument
    case "items": respond = itemsOrPost
    case "queryables": respond = queryables
    case "schema": respond = featureSchema
    case "nearest": respond = nearest
    case "clusters": respond = clusters
    case "facets": respond = facets
    case "diff": respond = diff
    case "live": respond = live
    default:
      throw .notFound(
        "a collection has no \(name)",
        "/collections/\(collection.name.inPath) links to what it has")
    }
    route = name
    return { (asked) throws(Problem) in try respond(asked, collection) }
  }

  private func itemsOrPost(
    _ asked: Asked, _ collection: ServedCollection
  ) throws(Problem) -> ServerAnswer {
    asked.request.method == "POST" ? try post(asked, collection) : try items(asked, collection)
  }

  private func tileResponder(at parts: [String]) throws(Problem) -> Responder {
    let collection = try collection(named: parts[1])
    if parts.count == 3 {
      switch parts[2] {
      case "tilejson.json":
        return { (asked) throws(Problem) in try self.tileJSON(asked, collection) }
      case "style.json":
        return { (asked) throws(Problem) in try self.style(asked, collection) }
      default:
        throw .notFound(
          "tiles have no \(parts[2])", "they have tilejson.json, style.json and zoom/x/y.mvt")
      }
    }
    let address = try NearbyService.tileAddress(Array(parts.dropFirst(2)))
    return { (asked) throws(Problem) in try self.tile(asked, collection, address) }
  }

  private func collection(named name: String) throws(Problem) -> ServedCollection {
    guard let collection = collections.first(where: { $0.name == name }) else {
      throw .notFound("there is no collection \(name)")
    }
    return collection
  }

  private static func nothing(at parts: [String]) -> Problem {
    .notFound("there is nothing at /\(parts.map(\.inPath).joined(separator: "/"))")
  }

  /// The decoded segments of a path; an encoded slash stays within its segment.
  private static func parts(of path: String) throws(Problem) -> [String] {
    var parts: [String] = []
    parts.reserveCapacity(4)
    var rest = path.utf8[...]
    while let part = rest.takePiece(before: "/") {
      guard let decoded = RequestParameters.decoded(part) else {
        throw Problem(
          400, "path-value", "\"\(Substring(part))\" \(RequestParameters.fault(in: part))")
      }
      parts.append(decoded)
    }
    return parts
  }

  /// The methods that a path takes.
  func methods(of parts: [String]) -> [String] {
    var methods = ["GET", "HEAD"]
    if parts.first == "collections", token != nil, parts.count >= 3, parts[2] == "items",
      collections.first(where: { $0.name == parts[1] })?.isWritable == true
    {
      if parts.count == 3 { methods.append("POST") }
      if parts.count == 4 { methods += ["PUT", "DELETE"] }
    }
    return methods + ["OPTIONS"]
  }

  private func expect(
    _ request: ServerRequest, _ methods: @autoclosure () -> [String]
  ) throws(Problem) {
    // Everything can be read.
    if request.method == "GET" || request.method == "HEAD" { return }
    let methods = methods()
    guard methods.contains(request.method) else {
      let allowed = methods.joined(separator: ", ")
      throw Problem(
        405, "method", "\(request.method) is not for this address; use \(allowed)",
        headers: [("allow", allowed)])
    }
  }
}
