import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations

/// One change of a collection.
struct CollectionChange: Sendable {
  let changed: [ImportedAnnotation]
  let removed: [AnnotationID]
  /// The tag of the state after the change.
  let version: String
}

/// The changes of a collection, or the events of a fence, as streams of Server-Sent Events.
///
/// The numbers of changes increase, even across restarts of the server: the first comes from the time at which it
/// started. The latest changes are kept for clients that reconnect.
final class LiveFeed: Sendable {
  /// An event, as it is written to every client without a filter.
  struct Event: Sendable {
    let number: Int
    let name: String
    let change: CollectionChange?
    let bytes: [UInt8]
  }

  private struct State {
    var last: Int
    var kept: [Event] = []
    /// The bytes of these.
    var keptSize = 0
    var listeners: [Int: EventStream] = [:]
    var nextListener = 0
    var dropped = 0
    /// Whether changes are being collected, to wake listeners once for all of them.
    var isGathering = false
    /// Whether an event has come since listeners were last woken.
    var hasNews = false

    /// Keeps an event, in place of the oldest where there are many or they are large.
    mutating func keep(_ event: Event) {
      kept.append(event)
      keptSize += event.bytes.count
      // In chunks, so that events are rarely moved.
      var count = kept.count >= 2 * LiveFeed.eventsKept ? LiveFeed.eventsKept : 0
      var size = kept.prefix(count).reduce(0) { $0 + $1.bytes.count }
      while keptSize > LiveFeed.sizeKept, keptSize - size > LiveFeed.sizeKept / 2 {
        size += kept[count].bytes.count
        count += 1
      }
      kept.removeFirst(count)
      keptSize -= size
    }

    /// The events after a number; nil where some of them are no longer kept, or the number is not reached yet.
    func events(behind number: Int) -> [Event]? {
      guard number <= last else { return nil }
      guard number < last else { return [] }
      guard let first = kept.first, first.number <= number + 1 else { return nil }
      return Array(kept.drop { $0.number <= number })
    }
  }

  /// How long events are collected after listeners were woken: a thousand listeners cost as much for ten changes as for
  /// one.
  private static let gathering: Duration = .milliseconds(50)

  /// How many events at least are kept for clients that reconnect, unless they are larger than `sizeKept`.
  private static let eventsKept = 1_000
  /// How many bytes of events are kept at most; their annotations take about as much again.
  static let sizeKept = 1 << 25
  /// The most annotations in a change that is sent as one; larger ones tell clients to read everything again.
  static let largestChange = 1_000

  private let state: SharedValue<State>

  init(firstNumber: Int) { state = SharedValue(State(last: firstNumber)) }

  /// The number of the last event.
  var last: Int { state.withLock { $0.last } }
  /// The number of clients that listen, and of events that did not fit into their queues.
  var counts: (listeners: Int, dropped: Int) { state.withLock { ($0.listeners.count, $0.dropped) } }

  /// Sends a change to all listeners.
  ///
  /// - Parameter show: Shows the state after the change, as `publish` of an event says.
  func publish(_ change: CollectionChange, show: () -> Void) {
    guard change.changed.count + change.removed.count <= LiveFeed.largestChange else {
      let reason = #"{"reason":"too much has changed at once","version":"\#(change.version)"}"#
      return publish("reset", nil, Array(reason.utf8), show: show)
    }
    publish(
      "diff", change,
      LiveFeed.data(upsert: change.changed, remove: change.removed, change.version), show: show)
  }

  /// Sends an event to all listeners.
  ///
  /// - Parameter show: Makes the new state visible. The feed is locked meanwhile, so a client sees the state and the event,
  ///   or neither.
  func publish(
    _ name: String, _ change: CollectionChange?, _ data: [UInt8], show: () -> Void = {}
  ) {
    let isFirst = state.withLock { state in
      show()
      state.last += 1
      let event = Event(
        number: state.last, name: name, change: change,
        bytes: LiveFeed.bytes(state.last, name, data))
      state.keep(event)
      for stream in state.listeners.values where !stream.offer(event) { state.dropped += 1 }
      defer { state.isGathering = true }
      state.hasNews = state.isGathering
      return !state.isGathering
    }
    guard isFirst else { return }
    wakeListeners()
    Task {
      repeat {
        try? await Task.sleep(for: LiveFeed.gathering)
      } while tellNews()
    }
  }

  /// Wakes listeners if events have come since they were last woken; false if none has.
  private func tellNews() -> Bool {
    let hasNews = state.withLock { state in
      defer { state.hasNews = false }
      state.isGathering = state.hasNews
      return state.hasNews
    }
    if hasNews { wakeListeners() }
    return hasNews
  }

  private func wakeListeners() {
    for stream in state.withLock({ Array($0.listeners.values) }) { stream.wake() }
  }

  /// The events after a number, as `State.events(behind:)` says.
  func events(behind number: Int) -> [Event]? { state.withLock { $0.events(behind: number) } }

  /// Starts listening, after the events that a client has missed.
  ///
  /// - Parameters:
  ///   - last: The number of the last event that the client has; nil for a new client.
  ///   - write: Returns an event's bytes for this client; nil for an event that it does not get.
  ///   - opening: Returns what is written first where no missed events are replayed; called outside the lock.
  func listen(
    after last: Int?, write: @escaping @Sendable (Event) -> [UInt8]?,
    opening: (_ last: Int) -> [UInt8]
  ) -> EventStream {
    let stream = EventStream(write: write)
    // It listens before the opening is made, so that no event is lost in between.
    let (number, listener, missed) = state.withLock { state in
      let listener = state.nextListener
      state.nextListener += 1
      state.listeners[listener] = stream
      return (state.last, listener, last.flatMap { state.events(behind: $0) })
    }
    stream.onEnd { [weak self] in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: listener) }
    }
    if let missed {
      stream.begin(missed.compactMap(write).flatMap { $0 })
    } else {
      // A client that has missed events reads everything again.
      let reason = #"{"reason":"what was missed is not kept any more"}"#
      let reset = last == nil ? [] : LiveFeed.bytes(number, "reset", Array(reason.utf8))
      stream.begin(reset + opening(number))
    }
    return stream
  }

  /// Sends a heartbeat to all streams, so that proxies do not take them for dead, and clients that have gone are
  /// noticed.
  func beat() {
    for stream in state.withLock({ Array($0.listeners.values) }) { stream.beat() }
  }

  /// Ends all streams, each with a last event that says so.
  func close() {
    let streams = state.withLock { state in
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for stream in streams { stream.end() }
  }

  // MARK: Bytes

  /// The bytes of an event in a stream.
  static func bytes(_ number: Int?, _ name: String, _ data: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 64)
    if let number { bytes += "id: \(number)\n".utf8 }
    bytes += "event: \(name)\ndata: ".utf8
    bytes += data
    bytes += "\n\n".utf8
    return bytes
  }

  /// A change as clients apply it: features to insert or replace by id, and ids to remove.
  static func data(
    upsert: [ImportedAnnotation], remove: [AnnotationID], _ version: String, isNamed: Bool = false
  ) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("version", .string(version))
    json.changes(upsert: upsert, remove: remove, isNamed: isNamed)
    json.endObject()
    return json.bytes
  }
}

/// The events of one client, in a bounded queue.
///
/// Events that come when the queue is full are dropped and counted, and an event says how many were missed: a client
/// that reads slowly costs no more than its queue.
public final class EventStream: Sendable {
  private struct State {
    var queue: [LiveFeed.Event] = []
    var opening: [UInt8]? = nil
    var hasBegun = false
    var dropped = 0
    var isToBeat = false
    /// The last bytes to send; nil while the stream goes on.
    var ending: [UInt8]?
    var waiter: CheckedContinuation<Void, Never>?
    var onEnd: (@Sendable () -> Void)?

    /// Whether anything is to be sent.
    var hasNews: Bool {
      hasBegun && (opening != nil || !queue.isEmpty || dropped > 0 || ending != nil || isToBeat)
    }
  }

  /// The most events that may wait for a client.
  static let longestQueue = 1_000

  private let state = SharedValue(State())
  private let write: @Sendable (LiveFeed.Event) -> [UInt8]?

  init(write: @escaping @Sendable (LiveFeed.Event) -> [UInt8]?) { self.write = write }

  /// Appends an event without waking anyone; false where there was no room.
  func offer(_ event: LiveFeed.Event) -> Bool {
    state.withLock { state in
      let hasRoom = state.queue.count < EventStream.longestQueue
      if hasRoom { state.queue.append(event) } else { state.dropped += 1 }
      return hasRoom
    }
  }

  /// Changes the state and wakes the task that waits for it.
  private func wake(_ change: (inout State) -> Void) {
    let waiter = state.withLock { state in
      change(&state)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  func wake() { wake { _ in } }

  /// Starts the stream with its first bytes.
  func begin(_ bytes: [UInt8]) {
    wake {
      $0.opening = bytes
      $0.hasBegun = true
    }
  }

  func beat() { wake { $0.isToBeat = true } }

  func onEnd(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onEnd = body } }

  /// Ends the stream with a good-bye event, once what waits is written.
  public func end() {
    wake { $0.ending = $0.ending ?? Array("event: bye\ndata: {}\n\n".utf8) }
  }

  /// Cancels the stream, because the client has gone or the server stops.
  public func cancel() {
    var onEnd: (@Sendable () -> Void)?
    wake { state in
      onEnd = state.onEnd
      let waiter = state.waiter
      state = State()
      state.waiter = waiter
      state.ending = []
      state.hasBegun = true
    }
    onEnd?()
  }

  /// The bytes that wait to be sent; nil at the end.
  ///
  /// - Returns: No bytes where nothing waits.
  public func waiting() -> [UInt8]? {
    let taken: State? = state.withLock { state in
      guard state.hasBegun else { return nil }
      defer {
        state.isToBeat = false
        state.opening = nil
        state.queue = []
        state.dropped = 0
        // Sent only once.
        if state.ending != nil { state.ending = [] }
      }
      return state
    }
    guard let taken else { return [] }
    var bytes = taken.opening ?? []
    for event in taken.queue { if let written = write(event) { bytes += written } }
    if taken.dropped > 0 {
      bytes += LiveFeed.bytes(nil, "dropped", Array(#"{"count":\#(taken.dropped)}"#.utf8))
    }
    guard let ending = taken.ending else {
      return bytes.isEmpty && taken.isToBeat ? Array(": still here\n\n".utf8) : bytes
    }
    bytes += ending
    return bytes.isEmpty ? nil : bytes
  }

  /// Waits until something has come, or the stream has ended.
  public func wait() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.hasNews { return true }
        state.waiter = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}
