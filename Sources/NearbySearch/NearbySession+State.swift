import Geodesy
import LocationFiltering
import MapAnnotations

extension NearbySession {
  /// The search that a session makes.
  struct Question: Sendable {
    /// Whether answers depend on the time.
    let followsTime: Bool
    let ask: @Sendable (Coordinate, Instant) -> NearbyAnswer<Item>
  }

  /// A position to search from, and what kind of position it is.
  struct Place: Sendable {
    let coordinate: Coordinate
    let anchor: NearbyAnchor
  }

  /// A search in progress.
  struct Asking: Sendable {
    /// Later ones have greater numbers.
    let number: Int
    let place: Place
    let instant: Instant
    let question: Question
  }

  /// A search and its answer.
  struct Asked: Sendable {
    let answer: NearbyAnswer<Item>
    let asking: Asking
  }

  /// The state of a session.
  ///
  /// Nothing here calls the caller's code: all of it runs under the session's lock.
  struct State: Sendable {
    var gate: LocationGate
    var question: Question
    /// The last answer.
    private(set) var last: Asked?
    /// The latest search, while its answer is awaited.
    private var awaited: Asking?
    /// Where to search from next, when the need arose inside a search.
    private var postponed: Place?
    /// The number of searches so far.
    private var askedCount = 0
    /// Answers to searches up to this number come too late.
    private var settledCount = 0
    /// An answer holds only if its search has at least this number.
    private var firstTrusted = 0
    /// The number of answers taken.
    private var changeCount = 0
    /// The current time in whole seconds, 1970-01-01T00:00Z until one is passed: the latest from a caller, or that of a
    /// later fix.
    private var now = Instant(seconds: 0)
    /// The latest time that a caller passed; nil where only fixes had one.
    private var said: Instant?

    init(gate: LocationGate, question: Question) {
      self.gate = gate
      self.question = question
    }
  }
}

extension NearbySession.State {
  // MARK: Time

  /// Takes the time of a fix, which never sets the clock back.
  mutating func advance(to time: Double?) {
    guard let time = Self.instant(time) else { return }
    now = max(now, time)
  }

  /// Takes the time that a caller passes, which may set the clock back where only fixes advanced it.
  mutating func say(_ time: Instant?) {
    guard let time = time.map({ Instant(seconds: $0.seconds) }), time >= said ?? time else {
      return
    }
    (now, said) = (time, time)
  }

  /// The whole second of a fix's time; nil for what is not a valid time.
  static func instant(_ time: Double?) -> Instant? {
    guard let time, abs(time) < 1e12 else { return nil }
    return Instant(secondsSince1970: time.rounded(.down))
  }

  // MARK: Whether to ask

  /// Where the last search was or should be made from, whether or not its answer is there; nil before the first search.
  var place: NearbySession.Place? { postponed ?? (awaited ?? last?.asking)?.place }

  /// By how much distances may be wrong in total, in meters; see `NearestAnswer`.
  private static var margin: Double { 1e-6 }

  /// Whether time alone gives another answer: it is past the end of this one, or before the instant of its search.
  private func isOutdated(_ last: NearbySession.Asked) -> Bool {
    if let end = last.answer.validUntil, end <= now { return true }
    return question.followsTime && now < last.asking.instant
  }

  /// Whether to search again from the same place.
  var isDue: Bool {
    if askedCount < firstTrusted { return true }
    if let awaited { return question.followsTime && awaited.instant != now }
    return last.map(isOutdated) ?? false
  }

  /// Whether the last answer holds at a position; if so, answers still awaited come too late.
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

  /// Makes the answers to all earlier searches invalid.
  mutating func distrust() { firstTrusted = askedCount + 1 }

  // MARK: Asking

  /// Leaves a search to the next call.
  mutating func postpone(_ place: NearbySession.Place) {
    postponed = place
    distrust()
  }

  /// Begins a search.
  mutating func begin(_ place: NearbySession.Place) -> NearbySession.Asking {
    askedCount += 1
    postponed = nil
    let asking = NearbySession.Asking(
      number: askedCount, place: place, instant: now, question: question)
    awaited = asking
    return asking
  }

  /// What an answer is compared with, and the number of changes so far; nil where it comes too late.
  func awaited(_ asking: NearbySession.Asking) -> (last: NearbySession.Asked?, changeCount: Int)? {
    asking.number > settledCount ? (last, changeCount) : nil
  }

  /// Takes an answer, and hands back the one it replaces, so that it is not released under the lock.
  ///
  /// - Parameter number: The number that the change would have.
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
