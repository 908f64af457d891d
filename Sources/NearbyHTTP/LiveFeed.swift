import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations

/// What one change of a collection did.
struct LiveChange: Sendable {
  let changed: [ImportedAnnotation]
  let removed: [AnnotationID]
  /// The tag of the state that it made.
  let version: String
}

/// The changes of a collection, or the events of a fence, as streams of Server-Sent Events.
///
/// Changes have numbers that rise, also from one start of the server to the next: the first is that of the
/// moment at which it began. The latest are kept for clients that come back.
final class LiveFeed: Sendable {
  /// A change, as it is written to every client that has no filter.
  struct Event: Sendable {
    let number: Int
    let name: String
    let change: LiveChange?
    let bytes: [UInt8]
  }

  private struct State {
    var last: Int
    var kept: [Event] = []
    var listeners: [Int: EventStream] = [:]
    var nextListener = 0
    var dropped = 0
    /// Whether changes are being collected, to tell listeners of all of them together.
    var isGathering = false
    /// Whether something came since they were told last.
    var hasNews = false

    /// The events behind a number; nil where some of them are not kept any more, or the number is of no event.
    func events(behind number: Int) -> [Event]? {
      guard number <= last else { return nil }
      guard number < last else { return [] }
      guard let first = kept.first, first.number <= number + 1 else { return nil }
      return Array(kept.drop { $0.number <= number })
    }
  }

  /// For how long changes wait for others after listeners were told of one: a thousand listeners cost as much
  /// for ten changes as for one.
  private static let gathering: Duration = .milliseconds(50)

  /// How many events are kept for clients that come back.
  private static let eventsKept = 1_000
  /// How many annotations a change may have to be kept as one; larger ones tell clients to read again.
  static let largestChange = 1_000

  private let state: SharedValue<State>

  init(firstNumber: Int) { state = SharedValue(State(last: firstNumber)) }

  /// The number of the last event.
  var last: Int { state.withLock { $0.last } }
  /// How many clients listen, and how many events did not fit into their queues.
  var counts: (listeners: Int, dropped: Int) {
    state.withLock { ($0.listeners.count, $0.dropped) }
  }

  /// Tells everybody of a change.
  func publish(_ change: LiveChange) {
    let isLarge = change.changed.count + change.removed.count > LiveFeed.largestChange
    publish(
      isLarge ? "reset" : "diff", change,
      isLarge ? LiveFeed.reset(change.version) : LiveFeed.data(of: change))
  }

  /// Tells everybody of something.
  func publish(_ name: String, _ change: LiveChange?, _ data: [UInt8]) {
    let isFirst = state.withLock { state in
      state.last += 1
      let event = Event(
        number: state.last, name: name, change: change,
        bytes: LiveFeed.bytes(state.last, name, data))
      state.kept.append(event)
      // In pieces, so that few events move the others.
      if state.kept.count >= 2 * LiveFeed.eventsKept {
        state.kept.removeFirst(LiveFeed.eventsKept)
      }
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

  /// Tells listeners what has come since they were told last; false where nothing has.
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

  /// The events behind a number; nil where some of them are not kept any more, or the number is of no event.
  func events(behind number: Int) -> [Event]? { state.withLock { $0.events(behind: number) } }

  /// Begins to listen, after what a client has missed.
  ///
  /// - Parameters:
  ///   - last: The number of the last event that the client has; nil for a new client.
  ///   - write: Writes an event for this client; nil for one that it is not told of.
  ///   - opening: What is written first where nothing was missed that is kept; made outside of the lock.
  func listen(
    after last: Int?, write: @escaping @Sendable (Event) -> [UInt8]?,
    opening: (_ last: Int) -> [UInt8]
  ) -> EventStream {
    let stream = EventStream(write: write)
    // It listens before the opening is made, so that nothing comes between.
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
      stream.begin((last == nil ? [] : LiveFeed.resetEvent(number)) + opening(number))
    }
    return stream
  }

  /// Shows that streams go on, so that what lies between does not take them for dead, and that clients have
  /// gone is seen.
  func beat() {
    let streams = state.withLock { Array($0.listeners.values) }
    for stream in streams { stream.beat() }
  }

  /// Ends all streams, in which a last event says so.
  func close() {
    let streams = state.withLock { state in
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for stream in streams { stream.end() }
  }

  // MARK: Bytes

  /// An event as it stands in a stream.
  static func bytes(_ number: Int?, _ name: String, _ data: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 64)
    if let number { bytes += "id: \(number)\n".utf8 }
    bytes += "event: \(name)\ndata: ".utf8
    bytes += data
    bytes += "\n\n".utf8
    return bytes
  }

  /// What says that a client has to read everything again.
  private static func resetEvent(_ number: Int) -> [UInt8] {
    bytes(number, "reset", Array(#"{"reason":"what was missed is not kept any more"}"#.utf8))
  }

  private static func reset(_ version: String) -> [UInt8] {
    Array(#"{"reason":"too much has changed at once","version":"\#(version)"}"#.utf8)
  }

  /// A change as clients apply it: features to put in the place of those with their ids, and ids to remove.
  static func data(of change: LiveChange) -> [UInt8] {
    data(upsert: change.changed, remove: change.removed, change.version)
  }

  static func data(
    upsert: [ImportedAnnotation], remove: [AnnotationID], _ version: String
  ) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("version", .string(version))
    json.changes(upsert: upsert, remove: remove)
    json.endObject()
    return json.bytes
  }
}

/// The events of one client, in a queue with an end.
///
/// What comes when the queue is full is dropped and counted, and an event says how many were missed:
/// a client that reads slowly costs no more than its queue.
public final class EventStream: Sendable {
  private struct State {
    var queue: [LiveFeed.Event] = []
    var opening: [UInt8]? = nil
    var hasBegun = false
    var dropped = 0
    var isToBeat = false
    /// What is said last; nil while it goes on.
    var ending: [UInt8]?
    var waiter: CheckedContinuation<Void, Never>?
    var onEnd: (@Sendable () -> Void)?
  }

  /// How many events wait for a client at most.
  static let longestQueue = 1_000

  private let state = SharedValue(State())
  private let write: @Sendable (LiveFeed.Event) -> [UInt8]?

  init(write: @escaping @Sendable (LiveFeed.Event) -> [UInt8]?) { self.write = write }

  /// Puts an event behind the others, and wakes nobody; false where there was no room.
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

  /// Says first what the client is to begin with.
  func begin(_ bytes: [UInt8]) {
    wake {
      $0.opening = bytes
      $0.hasBegun = true
    }
  }

  func beat() { wake { $0.isToBeat = true } }

  func onEnd(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onEnd = body } }

  /// Says good-bye when what waits is written.
  public func end() {
    wake { $0.ending = $0.ending ?? Array("event: bye\ndata: {}\n\n".utf8) }
  }

  /// The client has gone, or the server goes.
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

  /// What waits now, as bytes; nil at the end.
  ///
  /// - Returns: Empty bytes where nothing waits.
  public func waiting() -> [UInt8]? {
    let (opening, events, dropped, ending, beats) = state.withLock { state in
      guard state.hasBegun else {
        return ([UInt8](), [LiveFeed.Event](), 0, [UInt8]?.none, false)
      }
      defer {
        state.isToBeat = false
        state.opening = nil
        state.queue = []
        state.dropped = 0
        // Said once.
        if state.ending != nil { state.ending = [] }
      }
      return (state.opening ?? [], state.queue, state.dropped, state.ending, state.isToBeat)
    }
    var bytes = opening
    for event in events { if let written = write(event) { bytes += written } }
    if dropped > 0 {
      bytes += LiveFeed.bytes(nil, "dropped", Array(#"{"count":\#(dropped)}"#.utf8))
    }
    if bytes.isEmpty, beats, ending == nil { bytes = Array(": still here\n\n".utf8) }
    if let ending {
      bytes += ending
      if bytes.isEmpty { return nil }
    }
    return bytes
  }

  /// Waits until something has come, or the stream has ended.
  public func wait() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.hasBegun,
          state.opening != nil || !state.queue.isEmpty || state.dropped > 0 || state.ending != nil
            || state.isToBeat
        {
          return true
        }
        state.waiter = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}
