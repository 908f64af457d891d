import Geodesy

/// An event in a run, for a progress display, a log or a test.
public enum GeocodingEvent: Hashable, Sendable {
  /// A question is asked; the number counts its attempts.
  case asking(String, attempt: Int)
  /// An item is settled: placed or failed.
  case settled(UnplacedItem, GeocodingQueue.State)
  /// A question failed and will be asked again.
  case willRetry(String, reason: String, at: Instant)
  /// Nothing is asked until a time; the minimum time between questions is not reported.
  case waiting(until: Instant, reason: GeocodingQueue.WaitReason)
}

/// How a run ended.
public enum GeocodingEnd: Hashable, Sendable {
  /// Every item is placed or failed.
  case finished
  /// Items are pending; another run continues from here.
  case stopped(GeocodingQueue.StopReason)
  /// The task was cancelled; another run continues from here.
  case cancelled
}

/// The clock of a run.
public struct GeocodingClock: Sendable {
  /// The current time.
  public var now: @Sendable () -> Instant
  /// Returns at a time or later; throws if the task is cancelled meanwhile.
  public var sleep: @Sendable (Instant) async throws -> Void

  /// Makes a clock from two functions.
  public init(
    now: @escaping @Sendable () -> Instant,
    sleep: @escaping @Sendable (Instant) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }
}

/// Asks a geocoder for the positions of items, one question at a time, until none is left or a
/// limit is reached.
///
/// Each record is saved before its question is asked and after the answer; a run that is
/// interrupted in between repeats only that question.
public struct GeocodingRun<Asked: Geocoder>: Sendable {
  /// The geocoder.
  public let geocoder: Asked
  /// How the geocoder is treated.
  public let policy: GeocodingPolicy
  /// The clock.
  public let clock: GeocodingClock

  /// Makes a run, to be started with `run`.
  public init(asking geocoder: Asked, policy: GeocodingPolicy, clock: GeocodingClock) {
    self.geocoder = geocoder
    self.policy = policy
    self.clock = clock
  }

  /// Runs to the end.
  ///
  /// - Parameters:
  ///   - items: The items that need a position, with different ids.
  ///   - journal: The records of earlier runs; this run writes to it, too.
  ///   - random: For the back-off.
  ///   - report: Called with the events in order; items that the journal settles come first. An
  ///     error it throws ends the run without loss.
  /// - Returns: How the run ended, and the final queue.
  /// - Throws: Errors of the journal or `report`.
  public func run(
    _ items: [UnplacedItem], journal: inout some GeocodingJournal,
    using random: inout some RandomNumberGenerator,
    report: (GeocodingEvent) throws -> Void
  ) async throws -> (end: GeocodingEnd, queue: GeocodingQueue) {
    var queue = GeocodingQueue(
      items, known: try journal.records(of: geocoder.identity), policy: policy, at: clock.now())
    for place in items.indices {
      let state = queue.state(of: place)
      if case .pending = state { continue }
      try report(.settled(items[place], state))
    }
    while true {
      if Task.isCancelled { return (.cancelled, queue) }
      switch queue.next(at: clock.now()) {
      case .finished: return (.finished, queue)
      case .stopped(let reason): return (.stopped(reason), queue)
      case .wait(let until, let reason):
        if reason != .rate { try report(.waiting(until: until, reason: reason)) }
        do {
          try await clock.sleep(until)
        } catch {
          return (.cancelled, queue)
        }
      case .ask(let record):
        try journal.save(record, of: geocoder.identity)
        try report(.asking(record.question, attempt: record.attempts))
        let answer = await geocoder.locate(record.question)
        let outcome = queue.receive(answer, at: clock.now(), using: &random)
        try journal.save(outcome.record, of: geocoder.identity)
        if let nextTry = outcome.record.nextTry {
          try report(
            .willRetry(
              outcome.record.question, reason: outcome.record.lastFailure ?? "", at: nextTry))
        }
        for place in outcome.settled { try report(.settled(items[place], queue.state(of: place))) }
      }
    }
  }
}

extension GeocodingQueue.StopReason: CustomStringConvertible {
  /// The reason, and what to do.
  public var description: String {
    switch self {
    case .retryBudget(let count, let last):
      "more than \(count) questions failed (the last: \(last)); run again later to continue"
    case .serviceFails(let count, let last):
      "the geocoder failed \(count) times in a row (the last: \(last)); run again later to continue"
    case .toldToStayAway(let until, let reason):
      "the geocoder asks to be left alone until \(HTTPDateText.text(until)) (\(reason)); "
        + "run again then to go on"
    case .questionLimit(let count):
      "\(count) questions were asked, as many as one run may ask; run again to continue"
    }
  }
}

/// Finds the position of a place by its address or name.
///
/// Failures are answers, not errors, so that a queue must handle each of them.
public protocol Geocoder: Sendable {
  /// Identifies the service and the settings that affect its answers; answers with another identity
  /// are not taken from the cache.
  var identity: String { get }

  /// Asks once; the caller handles the rate and retries.
  func locate(_ question: String) async -> GeocodingAnswer
}

/// A geocoder's answer to one question.
public enum GeocodingAnswer: Hashable, Sendable {
  /// The first hit, and its name in the service.
  case found(Coordinate, label: String?)
  /// The service knows no such place.
  case notFound
  /// The service refuses to answer this question, now and later.
  case refused(reason: String)
  /// The service could not answer now; `after` is how long it asks clients to wait.
  case unavailable(reason: String, after: Duration?)
}

/// An annotation that needs a position, and questions that may find it, best first.
public struct UnplacedItem: Hashable, Sendable {
  /// The annotation's id.
  public let id: AnnotationID
  /// The questions to ask one after the other until one is answered; blank ones are omitted.
  public let questions: [String]

  /// Makes an item; spaces around a question and repeated questions are removed.
  public init(id: AnnotationID, questions: [String]) {
    self.id = id
    var kept: [String] = []
    for question in questions.map(UnplacedItem.trimmed)
    where !question.isEmpty && !kept.contains(question) { kept.append(question) }
    self.questions = kept
  }

  private static func trimmed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
