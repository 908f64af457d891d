import Geodesy

/// The data of `/metrics`: how many requests came, how long they took, what was refused and why.
///
/// NearbyHTTP's page says why it does not use swift-metrics.
final class ServerCounts: Sendable {
  /// The upper bounds of the histogram's buckets, in seconds.
  private static let bounds: [Double] = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
  ]

  private struct Histogram {
    var counts = [Int](repeating: 0, count: ServerCounts.bounds.count + 1)
    var sum = 0.0

    mutating func count(_ seconds: Double) {
      counts[ServerCounts.bounds.firstIndex { seconds <= $0 } ?? ServerCounts.bounds.count] += 1
      sum += seconds
    }
  }

  /// The route of a request, and the status of its response.
  private struct Outcome: Hashable {
    let route: String
    let status: Int
  }

  private struct State {
    var requests: [Outcome: Int] = [:]
    var durations: [String: Histogram] = [:]
    var refusals: [String: Int] = [:]
    var visited: (nodes: Int, candidates: Int) = (0, 0)
  }

  private let state = SharedValue(State())

  /// Counts a response.
  ///
  /// - Parameter route: The name of the route, of which there are few.
  func count(_ route: String, status: Int, seconds: Double, code: String?) {
    state.withLock { state in
      state.requests[Outcome(route: route, status: status), default: 0] += 1
      state.durations[route, default: Histogram()].count(seconds)
      if let code { state.refusals[code, default: 0] += 1 }
    }
  }

  /// Counts what a search visited.
  func count(nodes: Int, candidates: Int) {
    state.withLock { state in
      state.visited.nodes += nodes
      state.visited.candidates += candidates
    }
  }

  /// The metrics in Prometheus' text format, 0.0.4.
  func text(_ collections: [ServedCollection], _ fences: ServedFences?) -> String {
    let state = self.state.withLock { $0 }
    var text = ""
    func head(_ name: String, _ type: String, _ help: String) {
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }
    /// Writes a value, with its labels in order.
    func line(_ name: String, _ value: some Any, _ labels: KeyValuePairs<String, String> = [:]) {
      let pairs = labels.map { "\($0)=\"\(ServerCounts.label($1))\"" }.joined(separator: ",")
      text += name + (pairs.isEmpty ? "" : "{\(pairs)}") + " \(value)\n"
    }
    head("nearby_requests_total", "counter", "Requests by route and status.")
    for (outcome, count) in state.requests.sorted(by: {
      ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status)
    }) {
      line("nearby_requests_total", count, ["route": outcome.route, "status": "\(outcome.status)"])
    }
    head("nearby_request_seconds", "histogram", "Time to make an answer.")
    for (route, histogram) in state.durations.sorted(by: { $0.key < $1.key }) {
      var total = 0
      let bounds = ServerCounts.bounds.map { "\($0)" } + ["+Inf"]
      for (bound, count) in zip(bounds, histogram.counts) {
        total += count
        line("nearby_request_seconds_bucket", total, ["route": route, "le": bound])
      }
      line("nearby_request_seconds_sum", histogram.sum, ["route": route])
      line("nearby_request_seconds_count", total, ["route": route])
    }
    head("nearby_refused_total", "counter", "Requests without an answer, by reason.")
    for (code, count) in state.refusals.sorted(by: { $0.key < $1.key }) {
      line("nearby_refused_total", count, ["code": code])
    }
    head("nearby_search_candidates_total", "counter", "Positions that nearest searches compared.")
    line("nearby_search_candidates_total", state.visited.candidates)
    head("nearby_search_nodes_total", "counter", "Parts of indexes that nearest searches visited.")
    line("nearby_search_nodes_total", state.visited.nodes)
    head("nearby_annotations", "gauge", "Annotations of a collection.")
    for collection in collections {
      line("nearby_annotations", collection.state.index.count, ["collection": collection.name])
    }
    let feeds =
      collections.map { ("collection", $0.name, $0.feed.counts) }
      + (fences?.feeds ?? [:]).sorted { $0.key < $1.key }.map { ("fence", $0, $1.counts) }
    head("nearby_listeners", "gauge", "Clients that listen to changes.")
    for (sort, name, counts) in feeds { line("nearby_listeners", counts.listeners, [sort: name]) }
    head("nearby_events_dropped_total", "counter", "Events that did not fit into a client's queue.")
    for (sort, name, counts) in feeds {
      line("nearby_events_dropped_total", counts.dropped, [sort: name])
    }
    return text
  }

  private static func label(_ text: String) -> String {
    // By scalars: "\r\n" is one `Character`.
    text.escaped(["\\", "\""], by: "\\").unicodeScalars
      .split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
      .joined(separator: "\\n")
  }
}

/// The limits of a server.
public struct ServerLimits: Sendable {
  /// The most bytes in the URL of a request.
  public var addressLength = 8_192
  /// The most bytes in the URL and the headers of a request.
  public var headerLength = 16_384
  /// The most headers of a request.
  public var headerCount = 100
  /// The most bytes in the body of a request.
  public var bodyLength = 16 << 20
  /// The most open connections.
  public var connections = 4_096
  /// The most slow queries that may wait for their responses at once.
  public var queries = 512
  /// The most open event streams.
  public var streams = 2_048
  /// The most requests per second from a client in the long run; 0 for no limit.
  public var rate = 0.0
  /// The most requests that a client may make at once.
  public var burst = 100.0
  /// The most annotations that may be tested one by one for a request.
  public var cost = 5_000_000
  /// How many seconds a client may take to send a request, and to read a response.
  public var patience = 30

  /// Limits for a server with few users.
  public init() {}
}

/// The request rates of clients: a token bucket for each.
final class RequestRates: Sendable {
  private struct Bucket {
    var tokens: Double
    var filled: Instant
  }

  private let limits: ServerLimits
  private let buckets = SharedValue<[String: Bucket]>([:])
  /// The number of clients whose rates are remembered.
  private static let clientsKept = 10_000

  init(_ limits: ServerLimits) { self.limits = limits }

  /// Takes a token for one request; returns how many seconds the client must wait where there is none.
  func take(_ client: String, at now: Instant) -> Int? {
    guard limits.rate > 0 else { return nil }
    return buckets.withLock { buckets in
      if buckets.count >= RequestRates.clientsKept, buckets[client] == nil {
        // Full buckets hold no information.
        buckets = buckets.filter { tokens($0.value, now) < limits.burst }
        if buckets.count >= RequestRates.clientsKept { buckets.removeAll() }
      }
      var bucket = buckets[client] ?? Bucket(tokens: limits.burst, filled: now)
      bucket.tokens = tokens(bucket, now)
      bucket.filled = now
      defer { buckets[client] = bucket }
      guard bucket.tokens < 1 else {
        bucket.tokens -= 1
        return nil
      }
      return max(1, Int(((1 - bucket.tokens) / limits.rate).rounded(.up)))
    }
  }

  private func tokens(_ bucket: Bucket, _ now: Instant) -> Double {
    let seconds = Double(max(0, now.milliseconds - bucket.filled.milliseconds)) / 1000
    return min(limits.burst, bucket.tokens + seconds * limits.rate)
  }
}
