import AnnotationImport
import AnnotationSources
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch
import WebMaps

/// Answers requests about collections of annotations: OGC API Features, nearest, clusters, tiles, changes.
///
///     let service = NearbyService([shops], clocks: clocks)
///     let answer = service.answer(ServerRequest("GET", "/collections/shops/nearest?lat=37.57&lon=126.97&k=3"))
///
/// It reads no socket, and no clock but the one it is given, except to measure how long answers take: a request goes in
/// as a value, and the response comes back as one. Any number of tasks may call it.
public final class NearbyService: Sendable {
  /// The collections that are served.
  public let collections: [ServedCollection]
  /// The areas that have event streams; nil for none.
  public let fences: ServedFences?
  /// The limits of the server.
  public let limits: ServerLimits
  /// The server's URL for clients, such as `https://maps.example.org/nearby`; nil to take it from their requests.
  public let address: String?
  /// The token that writing requires; nil where nobody may write.
  let token: String?
  /// Whether clients may ask from 0,0, which devices without a fix send.
  let allowsNullIsland: Bool
  /// The clocks by which hours and days are read.
  let clocks: PlaceClocks
  let now: @Sendable () -> Instant
  let rates: RequestRates
  let counts = ServerCounts()
  private let packers = SharedValue<[PackerBox]>([])
  /// Slow work in progress.
  private let work = SharedValue(Work())
  /// The failures of watched sources, by collection.
  private let failures = SharedValue<[String: String]>([:])
  /// How many seconds responses may be cached for collections that nobody changes.
  private let lifetime: Int
  /// How long a write waits for its turn, and while another program writes.
  let writePatience = Duration.seconds(5)

  private struct Work {
    /// How many responses are being made by other threads, or wait for one.
    var count = 0
    /// Whether the server is shutting down.
    var isClosing = false
  }

  /// Unchecked, because one task at a time uses it.
  private final class PackerBox: @unchecked Sendable {
    let packer = GzipPacker(level: 3)
  }

  /// A service of collections with different names; its parameters are described with its properties.
  ///
  /// - Parameter isWatched: Whether sources may change, so that clients may cache nothing.
  package init(
    _ collections: [ServedCollection], fences: ServedFences? = nil, clocks: PlaceClocks,
    token: String? = nil, address: String? = nil, limits: ServerLimits = ServerLimits(),
    allowsNullIsland: Bool = false, isWatched: Bool = false, now: @escaping @Sendable () -> Instant
  ) {
    self.collections = collections
    self.fences = fences
    self.clocks = clocks
    self.token = token
    self.address = address
    self.limits = limits
    self.allowsNullIsland = allowsNullIsland
    self.now = now
    lifetime = isWatched ? 0 : 60
    rates = RequestRates(limits)
  }

  /// Records that a collection could not be updated, and why; nil once it is up to date again.
  public func note(failure: String?, of collection: String) {
    failures.withLock { $0[collection] = failure }
  }

  /// Ends all event streams and starts no slow work; work in progress is still answered.
  public func close() {
    work.withLock { $0.isClosing = true }
    for feed in feeds { feed.close() }
  }

  /// Reports what time alone changes at fences; to be called regularly.
  public func advance() { fences?.advance(to: now()) }

  /// Sends a heartbeat to all event streams.
  func beat() {
    for feed in feeds { feed.beat() }
  }

  private var feeds: [LiveFeed] {
    collections.map(\.feed) + (fences?.feeds.values.map(\.self) ?? [])
  }

  // MARK: Answering

  /// The response to a request, made by another thread where it takes long; only a limited number of these wait.
  ///
  /// - Parameter byThreads: Runs work on another thread.
  func answer(
    _ request: ServerRequest,
    byThreads: (@escaping @Sendable () -> ServerAnswer) async throws -> ServerAnswer
  ) async rethrows -> ServerAnswer {
    if isQuick(request) { return answer(request) }
    let refusal: Problem? = work.withLock { work in
      if work.isClosing { return NearbyService.shuttingDown }
      guard work.count < limits.queries else {
        return .busy(
          "query-limit",
          "\(limits.queries) queries wait for their answers already; ask again shortly",
          after: 1)
      }
      work.count += 1
      return nil
    }
    if let refusal { return self.refusal(refusal, of: request) }
    defer { work.withLock { $0.count -= 1 } }
    var request = request
    // To wait for a thread is part of it, so all that wait for one program's write give up together.
    request.deadline = .now + writePatience
    return try await byThreads { [request] in self.answer(request) }
  }

  private static let shuttingDown = Problem.busy(
    "shutting-down", "the server is shutting down; ask again shortly", after: 5)

  /// The response to a request that does not come to its end in time.
  func delayRefusal() -> ServerAnswer {
    let isClosing = work.withLock { $0.isClosing }
    return refusal(
      isClosing
        ? NearbyService.shuttingDown
        : Problem(
          408, "request-time",
          "the request was not complete after \(limits.patience) s; send it again, perhaps in parts"
        ))
  }

  /// The response to a connection over the limit.
  func connectionRefusal() -> ServerAnswer {
    refusal(
      .busy(
        "connection-limit", "\(limits.connections) connections are open already; try again shortly",
        after: 1))
  }

  /// The response to a request that cannot be read.
  ///
  /// - Parameter reason: Why it cannot; nil if the request line and headers are too long.
  func requestRefusal(_ reason: String?) -> ServerAnswer {
    if let reason {
      return refusal(Problem(400, "request-syntax", "the request is not HTTP/1.1: \(reason)"))
    }
    return refusal(
      Problem(
        431, "header-length",
        "the address and the headers have more than \(limits.headerLength) bytes or "
          + "\(limits.headerCount) headers; ask for less at once"))
  }

  /// The response to a request that its headers alone decide, so that its body need not come; nil for any other.
  func headRefusal(_ request: ServerRequest) -> ServerAnswer? {
    do throws(Problem) {
      try expectHead(request)
      return nil
    } catch {
      return refusal(rateProblem(request, at: now()) ?? error, of: request)
    }
  }

  private func refusal(
    _ problem: Problem, of request: ServerRequest = ServerRequest("GET", "/")
  ) -> ServerAnswer {
    var answer = problem.answer(asHTML: prefersHTML(request))
    finish(&answer, for: request)
    counts.count("refused", status: answer.status, seconds: 0, code: problem.code)
    return answer
  }

  /// Whether a response takes only microseconds, so that other requests can wait for it: nearest searches without a
  /// condition, what lies in a small box, single items, documents.
  func isQuick(_ request: ServerRequest) -> Bool {
    guard request.method == "GET" || request.method == "HEAD" else { return false }
    if request.path.hasSuffix("/nearest") {
      // To refuse a request is quick, too.
      guard case .success(let parameters) = request.parameters else { return true }
      return parameters.pairs.allSatisfy {
        // An empty kind is a condition.
        NearbyService.quickParameters.contains($0.name) && ($0.name != "kind" || !$0.value.isEmpty)
      }
    }
    let parts = request.path.split(separator: "/")
    switch parts.count {
    case 0, 1: return true
    case 3: return parts[2] == "items" && holdsFew(request, parts[1])
    case 4: return parts[2] == "items"
    default: return false
    }
  }

  /// Whether items are asked for in a box that holds few, and by nothing else.
  private func holdsFew(_ request: ServerRequest, _ name: Substring) -> Bool {
    guard let index = collections.first(where: { $0.name == name })?.state.index,
      case .success(let parameters) = request.parameters,
      parameters.pairs.allSatisfy({ ["bbox", "limit", "f"].contains($0.name) }),
      let text = parameters.one("bbox"), let box = try? RequestParameters.box(text),
      let count = index.fastCount(in: box)
    else { return false }
    return count + index.unplacedCount <= NearbyService.fewItems
  }

  private static let fewItems = 100

  /// The parameters with which a nearest search looks at only some tens of positions.
  private static let quickParameters = ["lat", "lon", "k", "kind", "within", "after"]

  /// The response to a request; never fails.
  public func answer(_ request: ServerRequest) -> ServerAnswer {
    let began = now()
    let clock = ContinuousClock()
    let start = clock.now
    var route = "other"
    var code: String?
    var answer: ServerAnswer
    do throws(Problem) {
      answer = try routed(request, &route, at: began)
    } catch {
      code = error.code
      answer = error.answer(asHTML: prefersHTML(request))
    }
    finish(&answer, for: request)
    let duration = (clock.now - start).components
    counts.count(
      route, status: answer.status,
      seconds: Double(duration.seconds) + Double(duration.attoseconds) * 1e-18, code: code)
    return answer
  }

  /// Whether a request asks for a page before JSON, as browsers do.
  private func prefersHTML(_ request: ServerRequest) -> Bool {
    if case .success(let parameters) = request.parameters, let format = parameters.one("f") {
      return format == ResponseFormat.html.rawValue
    }
    return NearbyService.preferred(
      request.headers["accept"],
      among: [
        (false, ["application/problem+json", "application/json"]), (true, ["text/html"]),
      ]) == true
  }

  /// The beginning of the URLs in responses: the server's own, or the host that the client asked for.
  func base(_ request: ServerRequest) -> String {
    if let address { return address }
    let host = request.headers["host"] ?? "localhost"
    let isPlain = host.utf8.allSatisfy { byte in
      byte.isASCIIDigit || byte.isASCIILetter
        || "-._~:[]".utf8.contains(byte)
    }
    return "http://" + (isPlain && !host.isEmpty ? host : "localhost")
  }

  // MARK: Headers

  /// The headers that every response has.
  private static let headersOfAll: [(name: String, value: String)] = [
    ("access-control-allow-origin", "*"),
    (
      "access-control-expose-headers",
      "Content-Crs, ETag, Link, Location, Retry-After, X-Nearby-Version"
    ),
    ("x-content-type-options", "nosniff"),
  ]

  /// Adds what every response gets: other origins may read it, and it is compressed where the client accepts that.
  private func finish(_ answer: inout ServerAnswer, for request: ServerRequest) {
    answer.headers += NearbyService.headersOfAll
    if request.method == "OPTIONS" {
      answer.set("access-control-allow-methods", "GET, HEAD, OPTIONS, POST, PUT, DELETE")
      answer.set(
        "access-control-allow-headers",
        "Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID")
      answer.set("access-control-max-age", "3600")
    }
    guard case .bytes(let bytes) = answer.body else {
      // A stream would never end.
      if request.method == "HEAD", case .events(let stream) = answer.body {
        stream.cancel()
        answer.body = .bytes([])
      }
      return
    }
    if bytes.count >= 1_024, NearbyService.takesGzip(request.headers["accept-encoding"] ?? ""),
      answer.header("content-encoding") == nil
    {
      if answer.status != 304 {
        answer.body = .bytes(packed(bytes))
        answer.set("content-encoding", "gzip")
      }
      // A strong tag is that of the very bytes.
      if let tag = answer.header("etag") { answer.set("etag", tag.dropLast() + "-gzip\"") }
    }
    if answer.status == 200 || answer.status == 304 {
      answer.set("vary", "Accept, Accept-Encoding")
    }
    if answer.status == 304 {
      answer.body = .bytes([])
      return
    }
    // The length is that of the whole response.
    if request.method == "HEAD" {
      answer.set("content-length", String(answer.bytes.count))
      answer.body = .bytes([])
    }
  }

  func packed(_ bytes: [UInt8]) -> [UInt8] {
    let box = packers.withLock { $0.popLast() } ?? PackerBox()
    defer { packers.withLock { $0.append(box) } }
    return box.packer.packed(bytes)
  }

  /// What clients may cache.
  struct Content {
    var type: String
    var bytes: [UInt8]
    /// Changes with the content; nil to derive it from the bytes.
    var tag: String?
    /// When time alone changes it; nil for never.
    var until: Instant?
    /// The page behind it.
    var next: Link?

    /// A page for browsers.
    static func html(_ page: [UInt8]) -> Content {
      Content(type: "text/html; charset=utf-8", bytes: page)
    }
  }

  /// A response that clients may cache, and revalidate by its entity tag.
  ///
  /// - Parameters:
  ///   - collection: The one that it is about; nil where it may be about all of them.
  ///   - state: The collection's state that it was made from; nil for the current one.
  func kept(
    _ content: Content, _ asked: Asked, of collection: ServedCollection? = nil,
    in state: CollectionState? = nil
  ) -> ServerAnswer {
    let tag = "\"\(content.tag ?? String(content.bytes.fnvHash, radix: 36))\""
    if let expected = asked.request.headers["if-match"],
      !NearbyService.holds(expected, tag, weakly: false)
    {
      return Problem(412, "if-match", "this has changed; read it again without If-Match").answer()
    }
    var headers: [(name: String, value: String)] = []
    // Room for these, and for those of `finish`.
    headers.reserveCapacity(12)
    if let next = content.next { headers.append(("link", next.header)) }
    headers.append(("etag", tag))
    headers.append(("cache-control", cacheControl(collection, content.until, asked.now)))
    if let collection { headers.append(("x-nearby-version", (state ?? collection.state).tag)) }
    if content.type == NearbyService.geoJSON || content.type == NearbyService.sequence {
      headers.append(("content-crs", ServerParameter.crs84InHeader))
    }
    if let held = asked.request.headers["if-none-match"],
      NearbyService.holds(held, tag, weakly: true)
    {
      // The bytes are not sent, but how many they are decides which tag they would have.
      return ServerAnswer(304, headers, content.bytes)
    }
    headers.append(("content-type", content.type))
    return ServerAnswer(200, headers, content.bytes)
  }

  private func cacheControl(
    _ collection: ServedCollection?, _ until: Instant?, _ now: Instant
  ) -> String {
    let isWritable = collection?.isWritable ?? collections.contains(where: \.isWritable)
    var seconds = isWritable ? 0 : lifetime
    if let until {
      seconds = min(seconds, Int(max(0, until.milliseconds - now.milliseconds) / 1000))
    }
    return seconds > 0 ? "public, max-age=\(seconds)" : "no-cache"
  }

  // MARK: The server itself

  func health() -> ServerAnswer {
    let failures = self.failures.withLock { $0 }
    var states = Properties()
    for collection in collections {
      let state = collection.state
      var members: Properties = [
        "annotations": .integer(state.index.count), "version": .string(state.tag),
      ]
      if let failure = failures[collection.name] { members.append("error", .string(failure)) }
      states.append(collection.name, .object(members))
    }
    let body: Properties = [
      "status": failures.isEmpty ? "ok" : "stale", "collections": .object(states),
    ]
    // The data served is complete, though perhaps not the newest.
    return ServerAnswer(
      200, [("content-type", "application/json"), ("cache-control", "no-store")],
      PropertyValue.object(body).jsonLine)
  }

  func metrics() -> ServerAnswer {
    ServerAnswer(
      200,
      [
        ("content-type", "text/plain; version=0.0.4; charset=utf-8"), ("cache-control", "no-store"),
      ],
      Array(counts.text(collections, fences).utf8))
  }

  /// The response with an event stream, unless there are too many.
  func stream(_ make: () -> EventStream) throws(Problem) -> ServerAnswer {
    let listeners = feeds.reduce(0) { $0 + $1.counts.listeners }
    guard listeners < limits.streams else {
      throw .busy("stream-limit", "\(listeners) clients listen already; try again later", after: 30)
    }
    var answer = ServerAnswer(
      200, [("content-type", "text/event-stream"), ("cache-control", "no-store")])
    answer.body = .events(make())
    return answer
  }
}
