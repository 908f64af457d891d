import Geodesy
import LocationFiltering
import MapAnnotations

extension NearbySession {
  /// What a session asks.
  struct Question: Sendable {
    /// Whether answers depend on the time.
    let followsTime: Bool
    let ask: @Sendable (Coordinate, Instant) -> NearbyAnswer<Item>
  }

  /// Where is asked from, and whose place that is.
  struct Place: Sendable {
    let coordinate: Coordinate
    let anchor: NearbyAnchor
  }

  /// A question that is being asked.
  struct Asking: Sendable {
    /// Later ones have greater numbers.
    let number: Int
    let place: Place
    let instant: Instant
    let question: Question
  }

  /// A question and its answer.
  struct Asked: Sendable {
    let answer: NearbyAnswer<Item>
    let asking: Asking
  }

  /// What a session knows.
  ///
  /// Nothing here calls the caller's code: all of it runs under the session's lock.
  struct State: Sendable {
    var gate: LocationGate
    var question: Question
    /// The last answer.
    private(set) var last: Asked?
    /// The latest question, while its answer is awaited.
    private var awaited: Asking?
    /// Where is to be asked from next: what called for it was inside of a question.
    private var postponed: Place?
    /// How many questions there were.
    private var askedCount = 0
    /// Answers to questions up to this number come too late.
    private var settledCount = 0
    /// An answer holds only when its question has at least this number.
    private var firstTrusted = 0
    /// How many answers were taken.
    private var changeCount = 0
    /// What time it is, in whole seconds, and 1970-01-01T00:00Z until somebody says: the latest that a
    /// caller said, or that of a fix after it.
    private var now = Instant(seconds: 0)
    /// The latest that a caller said; nil where only fixes did.
    private var said: Instant?

    init(gate: LocationGate, question: Question) {
      self.gate = gate
      self.question = question
    }
  }
}

extension NearbySession.State {
  // MARK: Time

  /// Takes the time of a fix, which never goes back.
  mutating func advance(to time: Double?) {
    guard let time = Self.instant(time) else { return }
    now = max(now, time)
  }

  /// Takes the time that a caller says, which goes back behind those of fixes alone.
  mutating func say(_ time: Instant?) {
    guard let time = time.map({ Instant(seconds: $0.seconds) }), time >= said ?? time else {
      return
    }
    (now, said) = (time, time)
  }

  /// The whole second of a fix's clock; nil for what is no time.
  static func instant(_ time: Double?) -> Instant? {
    guard let time, abs(time) < 1e12 else { return nil }
    return Instant(secondsSince1970: time.rounded(.down))
  }

  // MARK: Whether to ask

  /// Where was or should be asked from last, whether or not the answer is there; nil before the first
  /// question.
  var place: NearbySession.Place? { postponed ?? (awaited ?? last?.asking)?.place }

  /// What distances may be wrong by, together, in meters; see `NearestAnswer`.
  private static var margin: Double { 1e-6 }

  /// Whether time alone gives another answer: it is later than this one holds, or earlier than it was
  /// asked for.
  private func isOutdated(_ last: NearbySession.Asked) -> Bool {
    if let end = last.answer.validUntil, end <= now { return true }
    return question.followsTime && now < last.asking.instant
  }

  /// Whether to ask again from the same place.
  var isDue: Bool {
    if askedCount < firstTrusted { return true }
    if let awaited { return question.followsTime && awaited.instant != now }
    return last.map(isOutdated) ?? false
  }

  /// Whether the last answer holds at a position; if so, those that are awaited come too late.
  mutating func settles(at position: Coordinate) -> Bool {
    guard let last, last.asking.place.anchor == .fix, last.asking.number >= firstTrusted,
      !isOutdated(last)
    else { return false }
    if let radius = last.answer.validRadius {
      let moved = last.asking.place.coordinate.distance(to: position)
      guard moved.meters + Self.margin < radius.meters else { return false }
    }
    settledCount = askedCount
    awaited = nil
    return true
  }

  /// Lets no answer hold to a question of before.
  mutating func distrust() { firstTrusted = askedCount + 1 }

  // MARK: Asking

  /// Leaves a question to the next call.
  mutating func postpone(_ place: NearbySession.Place) {
    postponed = place
    distrust()
  }

  /// Begins to ask.
  mutating func begin(_ place: NearbySession.Place) -> NearbySession.Asking {
    askedCount += 1
    postponed = nil
    let asking = NearbySession.Asking(
      number: askedCount, place: place, instant: now, question: question)
    awaited = asking
    return asking
  }

  /// What an answer is compared with, and how many changes there were; nil where it comes too late.
  func awaited(_ asking: NearbySession.Asking) -> (last: NearbySession.Asked?, changeCount: Int)? {
    asking.number > settledCount ? (last, changeCount) : nil
  }

  /// Takes an answer, and gives the one that it replaces, for its end not to come under the lock.
  ///
  /// - Parameter number: The change that it would be.
  /// - Returns: Whether that change is the next one, and the answer not too late.
  mutating func take(_ next: inout NearbySession.Asked?, asChange number: Int) -> Bool {
    guard number == changeCount + 1, let asking = next?.asking, asking.number > settledCount else {
      return false
    }
    swap(&last, &next)
    changeCount = number
    settledCount = asking.number
    if asking.number == askedCount { awaited = nil }
    return true
  }
}
