import Geodesy

/// What `/metrics` tells: how many requests came, how long they took, what was refused and why.
///
/// Not by swift-metrics: its API needs somebody who writes Prometheus' format, which would be as long as this, has
/// one factory for a whole process, where a service is a value, and looks for a counter by its labels in each request.
final class ServerCounts: Sendable {
  /// Upper ends of classes of seconds.
  private static let bounds: [Double] = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
  ]

  private struct Histogram {
    var counts = [Int](repeating: 0, count: ServerCounts.bounds.count + 1)
    var sum = 0.0

    mutating func count(_ seconds: Double, at place: Int) {
      counts[place] += 1
      sum += seconds
    }
  }

  /// What was asked, and how it ended.
  private struct Outcome: Hashable, Comparable {
    let route: String
    let status: Int

    static func < (left: Outcome, right: Outcome) -> Bool {
      (left.route, left.status) < (right.route, right.status)
    }
  }

  private struct State {
    var requests: [Outcome: Int] = [:]
    var durations: [String: Histogram] = [:]
    var refusals: [String: Int] = [:]
    var visited: (nodes: Int, candidates: Int) = (0, 0)
  }

  private let state = SharedValue(State())

  /// Counts an answer.
  ///
  /// - Parameter route: The name of what was asked, of which there are few.
  func count(_ route: String, status: Int, seconds: Double, code: String?) {
    state.withLock { state in
      state.requests[Outcome(route: route, status: status), default: 0] += 1
      let place =
        ServerCounts.bounds.firstIndex { seconds <= $0 } ?? ServerCounts.bounds.count
      state.durations[route, default: Histogram()].count(seconds, at: place)
      if let code { state.refusals[code, default: 0] += 1 }
    }
  }

  /// Counts what a search has looked at.
  func count(nodes: Int, candidates: Int) {
    state.withLock { state in
      state.visited.nodes += nodes
      state.visited.candidates += candidates
    }
  }

  /// In the text format of Prometheus, 0.0.4.
  func text(_ collections: [ServedCollection], _ fences: ServedFences?) -> String {
    let state = self.state.withLock { $0 }
    var text = ""
    func head(_ name: String, _ type: String, _ help: String) {
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }
    head("nearby_requests_total", "counter", "Requests by what was asked and how it ended.")
    for (outcome, count) in state.requests.sorted(by: { $0.key < $1.key }) {
      text +=
        "nearby_requests_total{route=\"\(outcome.route)\",status=\"\(outcome.status)\"} \(count)\n"
    }
    head("nearby_request_seconds", "histogram", "Time to make an answer.")
    for (route, histogram) in state.durations.sorted(by: { $0.key < $1.key }) {
      var total = 0
      for (bound, count) in zip(ServerCounts.bounds, histogram.counts) {
        total += count
        text += "nearby_request_seconds_bucket{route=\"\(route)\",le=\"\(bound)\"} \(total)\n"
      }
      total += histogram.counts.last ?? 0
      text += "nearby_request_seconds_bucket{route=\"\(route)\",le=\"+Inf\"} \(total)\n"
      text += "nearby_request_seconds_sum{route=\"\(route)\"} \(histogram.sum)\n"
      text += "nearby_request_seconds_count{route=\"\(route)\"} \(total)\n"
    }
    head("nearby_refused_total", "counter", "Requests without an answer, by reason.")
    for (code, count) in state.refusals.sorted(by: { $0.key < $1.key }) {
      text += "nearby_refused_total{code=\"\(code)\"} \(count)\n"
    }
    head("nearby_search_candidates_total", "counter", "Positions that nearest searches compared.")
    text += "nearby_search_candidates_total \(state.visited.candidates)\n"
    head("nearby_search_nodes_total", "counter", "Parts of indexes that nearest searches visited.")
    text += "nearby_search_nodes_total \(state.visited.nodes)\n"
    head("nearby_annotations", "gauge", "Annotations of a collection.")
    for collection in collections {
      text +=
        "nearby_annotations{collection=\"\(ServerCounts.label(collection.name))\"} \(collection.state.index.count)\n"
    }
    let feeds =
      collections.map { ("collection", $0.name, $0.feed) }
      + (fences.map { fences in
        zip(fences.index.fences, fences.feeds).map { ("fence", $0.id.text, $1) }
      } ?? [])
    head("nearby_listeners", "gauge", "Clients that listen to changes.")
    for (sort, name, feed) in feeds {
      text += "nearby_listeners{\(sort)=\"\(ServerCounts.label(name))\"} \(feed.counts.listeners)\n"
    }
    head("nearby_events_dropped_total", "counter", "Events that did not fit into a client's queue.")
    for (sort, name, feed) in feeds {
      text +=
        "nearby_events_dropped_total{\(sort)=\"\(ServerCounts.label(name))\"} \(feed.counts.dropped)\n"
    }
    return text
  }

  private static func label(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}

/// How much a server takes on.
public struct ServerLimits: Sendable {
  /// How many bytes the address of a request may have.
  public var addressLength = 8_192
  /// How many bytes the headers of a request may have.
  public var headerLength = 16_384
  /// How many bytes the body of a request may have.
  public var bodyLength = 16 << 20
  /// How many connections there may be.
  public var connections = 4_096
  /// How many queries that take long may wait for their answers at once.
  public var queries = 512
  /// How many streams of events there may be.
  public var streams = 2_048
  /// How many requests a second a client may make in the long run; 0 for any number.
  public var rate = 0.0
  /// How many more it may make at once.
  public var burst = 100.0
  /// How many annotations the answers to one request may be chosen from one by one.
  public var cost = 5_000_000
  /// For how many seconds a client may take to send a request, and to take an answer.
  public var patience = 30

  /// Limits for a server that few people use.
  public init() {}
}

/// How often clients ask: a bucket for each that fills with time.
final class RequestRates: Sendable {
  private struct Bucket {
    var tokens: Double
    var filled: Instant
  }

  private let limits: ServerLimits
  private let buckets = SharedValue<[String: Bucket]>([:])
  /// Of how many clients is known how often they ask.
  private static let clientsKept = 10_000

  init(_ limits: ServerLimits) { self.limits = limits }

  /// Takes one request; for how many seconds the client is to wait where it may not.
  func take(_ client: String, at now: Instant) -> Int? {
    guard limits.rate > 0 else { return nil }
    return buckets.withLock { buckets in
      if buckets.count >= RequestRates.clientsKept, buckets[client] == nil {
        // Those that are full again say nothing.
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
