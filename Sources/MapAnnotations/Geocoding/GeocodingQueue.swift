import Geodesy

/// Decides which question a geocoder is asked next, and when, and applies answers to the items.
///
/// A value that reads no clock and sends nothing: a caller asks it for the next step, does it, and
/// passes it the answer (`GeocodingRun` does that). Every item ends as placed, failed with a
/// reason, or pending with the time of the next attempt. Two items with the same question share one
/// answer, and an answered question is never asked again.
///
///     var queue = GeocodingQueue(items, known: records, policy: policy, at: now)
///     switch queue.next(at: now) {
///     case .ask(let record): …    // save the record, ask, then queue.receive(answer, …)
///     case .wait(let until, let why): …
///     case .finished, .stopped: …
///     }
///
/// - Complexity: Each call O(*r*) for *r* questions that wait for a retry, otherwise O(1).
public struct GeocodingQueue: Sendable {
  /// The next step for the caller.
  public enum Step: Hashable, Sendable {
    /// Ask this question now; save the record first, so that the rate is kept even after a crash.
    case ask(GeocodingRecord)
    /// Call again at this time; the reason is for people.
    case wait(until: Instant, reason: WaitReason)
    /// Every item is placed or failed.
    case finished
    /// The run ends here, with pending items.
    case stopped(StopReason)
  }

  /// Why no question is asked now.
  public enum WaitReason: Hashable, Sendable {
    /// The minimum time between two questions.
    case rate
    /// The service failed recently, or asked clients to wait.
    case hold(String)
    /// All remaining questions are to be asked again later.
    case retry(String)
  }

  /// Why a run ends before all questions are answered.
  public enum StopReason: Hashable, Sendable {
    /// The run has reached its limit of failures.
    case retryBudget(Int, last: String)
    /// The service failed this many times in a row.
    case serviceFails(Int, last: String)
    /// The service asks for a longer wait than the policy allows.
    case toldToStayAway(until: Instant, reason: String)
    /// The run has reached its limit of questions.
    case questionLimit(Int)
  }

  /// The state of an item.
  public enum State: Hashable, Sendable {
    /// The position is known, from the answer to this question.
    case placed(Coordinate, label: String?, question: String)
    /// None of its questions found a position, or one was given up; holds the result of each.
    case failed(String)
    /// A question is open, and is not asked before this time.
    case pending(nextTry: Instant)
  }

  /// The items, in the order given.
  public let items: [UnplacedItem]
  /// How the service is treated.
  public let policy: GeocodingPolicy

  private var records: [String: GeocodingRecord] = [:]
  /// The final state of each item; nil while one of its questions is open.
  private var settled: [State?]
  /// The index of the open question of each item.
  private var places: [Int]
  /// The items that wait for each open question.
  private var waiting: [String: [Int]] = [:]
  /// Questions that were never asked, in order, from `nextFresh` on.
  private var fresh: [String] = []
  private var nextFresh = 0
  /// Questions that wait for a retry.
  private var retries: [String] = []
  private var asking: String?
  /// The number of questions asked in this run, including retries.
  public private(set) var askedCount = 0
  private var lastAsked: Instant?
  private var hold: (until: Instant, reason: String)?
  private var failuresInRow = 0
  private var failures = 0
  /// Whether the service has answered anything in this run.
  private var hasAnswered = false
  private var stop: StopReason?

  /// After this many consecutive failures, the service is considered down.
  private static let failuresInRowLimit = 8

  /// Makes a queue of items, with the records that a journal has of their questions.
  ///
  /// - Parameters:
  ///   - items: Items with different ids.
  ///   - known: Records of the geocoder to ask, in any order.
  ///   - policy: The limits and waits.
  ///   - now: The current time.
  public init(
    _ items: [UnplacedItem], known: some Sequence<GeocodingRecord>, policy: GeocodingPolicy,
    at now: Instant
  ) {
    self.items = items
    self.policy = policy
    settled = Array(repeating: nil, count: items.count)
    places = Array(repeating: 0, count: items.count)
    var last: GeocodingRecord?
    for record in known {
      if record.lastAsked > last?.lastAsked ?? Instant(milliseconds: .min) { last = record }
      records[record.question] = revised(record, at: now)
    }
    if let last {
      // After a clock was set back, the queue must not wait for the old time.
      lastAsked = min(last.lastAsked, now)
      if last.outcome == .asked, let until = last.nextTry, until > now {
        hold = (min(until, latest(from: now)), last.lastFailure ?? "it failed before")
      }
    }
    for item in items.indices { open(item) }
  }

  /// A record as this run uses it; nil if its question is to be asked as if for the first time.
  private func revised(_ record: GeocodingRecord, at now: Instant) -> GeocodingRecord? {
    var record = record
    switch record.outcome {
    case .found: break
    case .notFound:
      if let lasts = policy.notFoundLasts, record.lastAsked.advanced(by: lasts) <= now {
        return nil
      }
    case .failed: if policy.asksFailedAgain { return nil }
    case .asked:
      if record.attempts >= policy.attemptsPerQuestion {
        if policy.asksFailedAgain { return nil }
        record.outcome = .failed(GeocodingQueue.givenUp(record))
        record.nextTry = nil
      } else {
        record.nextTry = record.nextTry.map { min($0, latest(from: now)) }
      }
    }
    return record
  }

  private func latest(from now: Instant) -> Instant {
    now.advanced(by: max(policy.longestHold, policy.backOff.longest))
  }

  private static func givenUp(_ record: GeocodingRecord) -> String {
    let reason = record.lastFailure ?? "the program ended before the answer came"
    return "\(givenUpWords)\(record.attempts) \(record.attempts == 1 ? "try" : "tries"): \(reason)"
  }

  /// The words that tell, in a journal, a question that was given up from one that was refused.
  private static let givenUpWords = "given up after "

  private static func isGivenUp(_ reason: String) -> Bool { reason.hasPrefix(givenUpWords) }

  // MARK: Asking

  /// The next step at a given time.
  ///
  /// - Precondition: The previous question has been answered with `receive`.
  public mutating func next(at now: Instant) -> Step {
    precondition(asking == nil, "the answer to \"\(asking ?? "")\" is still to come")
    if let stop { return .stopped(stop) }
    if let last = lastAsked, last > now { lastAsked = now }
    let soonest = retries.min { due($0) < due($1) }
    guard nextFresh < fresh.count || soonest != nil else { return .finished }
    if let limit = policy.questionLimit, askedCount >= limit {
      return .stopped(.questionLimit(limit))
    }
    if let hold, hold.until > now { return .wait(until: hold.until, reason: .hold(hold.reason)) }
    if let free = lastAsked?.advanced(by: policy.interval), free > now {
      return .wait(until: free, reason: .rate)
    }
    let question: String
    // After a failure and before the first answer, the question or the service may be at fault: try another question.
    let mayRepeat = hasAnswered && failuresInRow == 0 || nextFresh == fresh.count
    if let soonest, mayRepeat, due(soonest) <= now {
      question = soonest
      retries.removeAll { $0 == soonest }
    } else if nextFresh < fresh.count {
      question = fresh[nextFresh]
      nextFresh += 1
    } else {
      let reason = soonest.flatMap { records[$0]?.lastFailure } ?? "it failed before"
      return .wait(until: soonest.map(due) ?? now, reason: .retry(reason))
    }
    var record =
      records[question]
      ?? GeocodingRecord(question: question, outcome: .asked, attempts: 0, lastAsked: now)
    record.attempts += 1
    record.lastAsked = now
    record.nextTry = nil
    records[question] = record
    asking = question
    askedCount += 1
    lastAsked = now
    return .ask(record)
  }

  private func due(_ question: String) -> Instant {
    records[question]?.nextTry ?? Instant(milliseconds: .min)
  }

  /// Applies the answer to the current question.
  ///
  /// - Returns: The record to save, and the items that it settles, as indices in `items`.
  public mutating func receive(
    _ answer: GeocodingAnswer, at now: Instant, using random: inout some RandomNumberGenerator
  ) -> (record: GeocodingRecord, settled: [Int]) {
    guard let question = asking, var record = records[question] else {
      preconditionFailure("no question was asked that \(answer) could be the answer to")
    }
    asking = nil
    if case .unavailable(let reason, let after) = answer {
      record.lastFailure = reason
      holdOff(&record, after, at: now, using: &random)
      // The service may be down, and then no question is at fault.
      if !hasAnswered { record.attempts -= 1 }
    } else {
      hasAnswered = true
      failuresInRow = 0
      hold = nil
      record.lastFailure = nil
    }
    switch answer {
    case .found(let coordinate, let label): record.outcome = .found(coordinate, label: label)
    case .notFound: record.outcome = .notFound
    case .refused(let reason): record.outcome = .failed(reason)
    case .unavailable:
      if record.attempts >= policy.attemptsPerQuestion {
        record.outcome = .failed(GeocodingQueue.givenUp(record))
        record.nextTry = nil
      }
    }
    records[question] = record
    if record.outcome == .asked {
      retries.append(question)
      return (record, [])
    }
    let concerned = waiting.removeValue(forKey: question) ?? []
    for item in concerned { open(item) }
    return (record, concerned.filter { settled[$0] != nil })
  }

  /// Sets when the question and the service may be asked again, or ends the run.
  private mutating func holdOff(
    _ record: inout GeocodingRecord, _ after: Duration?, at now: Instant,
    using random: inout some RandomNumberGenerator
  ) {
    failures += 1
    failuresInRow += 1
    let reason = record.lastFailure ?? ""
    let asked = max(after ?? .zero, .zero)
    let wait = max(policy.backOff.wait(afterFailures: failuresInRow, using: &random), asked)
    let until = now.advanced(by: wait)
    hold = (until, reason)
    let own = policy.backOff.wait(afterFailures: max(1, record.attempts), using: &random)
    record.nextTry = max(until, now.advanced(by: own))
    if asked > policy.longestHold {
      stop = .toldToStayAway(until: until, reason: reason)
    } else if failuresInRow >= GeocodingQueue.failuresInRowLimit {
      stop = .serviceFails(failuresInRow, last: reason)
    } else if failures > policy.retryBudget {
      stop = .retryBudget(policy.retryBudget, last: reason)
    }
  }

  // MARK: Items

  /// The state of an item, by its index in `items`.
  public func state(of item: Int) -> State {
    if let state = settled[item] { return state }
    let question = items[item].questions[places[item]]
    let free = lastAsked?.advanced(by: policy.interval) ?? Instant(milliseconds: .min)
    return .pending(nextTry: max(due(question), hold?.until ?? free, free))
  }

  /// The numbers of placed, failed and pending items.
  public var counts: (placed: Int, failed: Int, pending: Int) {
    var counts = (placed: 0, failed: 0, pending: 0)
    for state in settled {
      switch state {
      case .placed: counts.placed += 1
      case .failed: counts.failed += 1
      case .pending, nil: counts.pending += 1
      }
    }
    return counts
  }

  /// Walks an item's questions up to the first that is open or has found a position.
  private mutating func open(_ item: Int) {
    let questions = items[item].questions
    for place in questions.indices {
      let question = questions[place]
      let outcome = records[question]?.outcome
      switch outcome {
      case .found(let coordinate, let label)?:
        settled[item] = .placed(coordinate, label: label, question: question)
        return
      case .asked?, nil:
        places[item] = place
        if waiting[question] == nil {
          if outcome == nil { fresh.append(question) } else { retries.append(question) }
        }
        return waiting[question, default: []].append(item)
      case .failed(let reason)? where GeocodingQueue.isGivenUp(reason):
        // It may have a position, and the next question may find another place.
        settled[item] = .failed(failure(of: questions[...place]))
        return
      case .notFound?, .failed?: continue
      }
    }
    settled[item] = .failed(failure(of: questions[...]))
  }

  private func failure(of questions: ArraySlice<String>) -> String {
    guard !questions.isEmpty else {
      return
        "there is nothing to ask for: its address and name, or the fields of the question, are blank"
    }
    return questions.map { question in
      if case .failed(let reason)? = records[question]?.outcome {
        let remedy = GeocodingQueue.isGivenUp(reason) ? "; `asksFailedAgain` asks it again" : ""
        return "\"\(question)\": \(reason)\(remedy)"
      }
      return "\"\(question)\": not found"
    }.joined(separator: "; ")
  }
}

/// How a geocoding queue treats its service.
public struct GeocodingPolicy: Hashable, Sendable {
  /// The minimum time between two questions.
  ///
  /// One second is the limit of the public Nominatim service (its usage policy: "an absolute
  /// maximum of 1 request per second").
  public var interval: Duration = .seconds(1)
  /// How often one question is asked before giving up, over all runs; as long as the service has answered nothing in a
  /// run, its failures do not count.
  public var attemptsPerQuestion = 5
  /// The maximum number of retries in one run, over all questions; then the run ends with a message.
  public var retryBudget = 50
  /// The maximum number of questions in one run, including retries; nil for no limit.
  public var questionLimit: Int?
  /// The wait after consecutive failures.
  public var backOff = BackOff(first: .seconds(2), longest: .seconds(300))
  /// The longest wait that a service may ask for; a longer one ends the run.
  public var longestHold: Duration = .seconds(3600)
  /// How long a "not found" answer is valid; nil for no expiry.
  public var notFoundLasts: Duration?
  /// Whether failed questions are asked again.
  public var asksFailedAgain = false

  /// Makes the default: one question a second, five attempts each, fifty retries in a run.
  public init() {}
}
