import Geodesy
import LocationFiltering
import MapAnnotations
import SpatialIndexing

/// A screen that follows a moving user: fixes go in, and a new answer comes out when, and only when, the answer could
/// have changed.
///
///     let session = NearbySession(policy) { index.nearest(3, to: $0) }
///     for fix in fixes {
///       if let change = session.take(fix).change { show(change.answer, change.diff) }
///     }
///
/// A gate judges each fix first. As long as an accepted fix is within the last answer's `validRadius` of where that was
/// searched from, and before its `validUntil`, nothing changes and nothing is searched. Thresholds of 300 m or 0.0005°
/// are meant to do this, but they search too often where shops are far apart, and show a wrong answer where they are
/// dense.
///
/// With opening hours, time alone changes answers: the session searches again at `validUntil`, by the time of the
/// accepted fixes. Each of the two limits holds as long as the other thing stays as it was, since who has moved may be
/// near a shop that has opened meanwhile; so a fix elsewhere at another second is searched from. A time that the caller
/// passes, with any fix or to `tick`, overrides that: it discards the time of an earlier fix from the future, and the
/// search is repeated.
///
///     let session = NearbySession(policy) { origin, now in
///       hours.nearest(3, to: origin, open: OpenCondition(at: now))
///     }
///
/// Changes are found by id and `isSame`: see `AnnotationDiff`.
///
/// **From many tasks.** Any number of tasks may add fixes and read. Fixes are judged one after another. After that,
/// concurrent calls search concurrently, and none waits for another. An answer that arrives after the answer to a later
/// search is dropped, and its call reports no change. So the last answer is that of the last search, and
/// ``Change/number`` counts the changes in the order in which they were made, without gaps.
///
/// **From inside.** No lock is held while `ask` or `isSame` runs, so they may read the session. Called from there,
/// `take` judges its fix, `tick` takes its time and `replaceQuestion` its closure, but none of them searches or returns
/// a change; the next call from outside makes the search that is due.
///
/// - Complexity: For a fix that changes nothing, that of the gate and one distance.
public final class NearbySession<Item: Annotation>: Sendable {
  private let isSame: @Sendable (Item, Item) -> Bool
  private let state: SharedValue<State>

  /// The result of taking a fix.
  public struct Update: Sendable {
    /// The gate's verdict on the fix.
    public let verdict: GateVerdict
    /// The new answer and its difference from the last; nil if the last one is still valid.
    public let change: Change?

    /// An update made by hand, for previews and tests.
    public init(verdict: GateVerdict, change: Change?) {
      self.verdict = verdict
      self.change = change
    }
  }

  /// A new answer.
  public struct Change: Sendable {
    /// The number of the change in this session, from 1: draw changes from several tasks in the
    /// order of their numbers, leaving none out.
    public let number: Int
    /// The answer, searched from the fix or the stand-in position.
    public let answer: NearbyAnswer<Item>
    /// The changes in the set of annotations; empty where only their order changes.
    public let diff: AnnotationDiff<Item>
    /// Whether it was searched from a fix or from a stand-in position.
    public let anchor: NearbyAnchor

    /// A change made by hand, for previews and tests.
    public init(
      number: Int, answer: NearbyAnswer<Item>, diff: AnnotationDiff<Item>,
      anchor: NearbyAnchor = .fix
    ) {
      self.number = number
      self.answer = answer
      self.diff = diff
      self.anchor = anchor
    }
  }

  /// Begins with nothing shown.
  ///
  /// - Parameters:
  ///   - policy: Which fixes to accept. A movement rule is best left out: the answer itself knows how far it holds.
  ///   - isSame: Whether two annotations with one id would be shown alike; by default `Annotation.isSame(as:)`, which
  ///     is `==` for `Equatable` types.
  ///   - ask: Searches from a position; called again as soon as its last answer may not hold.
  public convenience init(
    _ policy: GatePolicy,
    isSame: @escaping @Sendable (_ old: Item, _ new: Item) -> Bool = { $0.isSame(as: $1) },
    ask: @escaping @Sendable (Coordinate) -> NearbyAnswer<Item>
  ) {
    self.init(policy, isSame, Question(followsTime: false) { origin, _ in ask(origin) })
  }

  /// Begins with nothing shown, for answers that depend on the time.
  ///
  /// - Parameters:
  ///   - policy: Which fixes to accept.
  ///   - isSame: Whether two annotations with one id would be shown alike; by default `Annotation.isSame(as:)`, which
  ///     is `==` for `Equatable` types.
  ///   - ask: Searches from a position at an instant, in whole seconds: 1970-01-01T00:00Z until a time is known.
  public convenience init(
    _ policy: GatePolicy,
    isSame: @escaping @Sendable (_ old: Item, _ new: Item) -> Bool = { $0.isSame(as: $1) },
    ask: @escaping @Sendable (Coordinate, Instant) -> NearbyAnswer<Item>
  ) {
    self.init(policy, isSame, Question(followsTime: true, ask: ask))
  }

  private init(
    _ policy: GatePolicy, _ isSame: @escaping @Sendable (Item, Item) -> Bool,
    _ question: Question
  ) {
    self.isSame = isSame
    state = SharedValue(State(gate: LocationGate(policy), question: question))
  }

  /// The last answer; nil before the first accepted fix or stand-in.
  public var answer: NearbyAnswer<Item>? { state.withLock { $0.last?.answer } }

  /// The kind of position that the last answer was searched from; nil before there is an answer.
  ///
  /// A screen with neither a fix nor a stand-in shows this nil: a missing position is never 0,0.
  public var anchor: NearbyAnchor? { state.withLock { $0.last?.asking.place.anchor } }

  /// Searches from a stand-in position until a fix is accepted, for example if location permission is denied.
  ///
  /// The first accepted fix gives a new answer wherever it is, so that the screen no longer says
  /// that it uses a stand-in.
  ///
  ///     session.standIn(at: osakaStation)
  ///
  /// - Returns: nil where a fix has already been accepted.
  @discardableResult
  public func standIn(at place: Coordinate) -> Change? {
    step { state in
      guard state.place?.anchor != .fix else { return nil }
      return Place(coordinate: place, anchor: .standIn)
    }
  }

  /// Takes fixes that were delivered together, in the order of their times.
  ///
  /// Devices deliver several at once, and not always the oldest first. Fixes with equal times, and those without a
  /// time, keep their order; the latter come last.
  ///
  /// - Returns: The update for each, in the order in which they were taken.
  @discardableResult
  public func take(together batch: some Sequence<Fix>, now: Double? = nil) -> [Update] {
    func time(_ fix: Fix) -> Double {
      guard let time = fix.time, !time.isNaN else { return .infinity }
      return time
    }
    // The standard library's `sort` keeps the order of equal elements, but does not promise to.
    let ordered = batch.enumerated().sorted {
      (time($0.element), $0.offset) < (time($1.element), $1.offset)
    }
    return ordered.map { take($0.element, now: now) }
  }

  /// Takes the next fix.
  ///
  /// A fix that the gate does not accept still says what time it is, if `now` is given: then the session searches again
  /// where `tick` would.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - now: The current time by the clock of the fixes: for rules on age, and for answers that depend on the time.
  @discardableResult
  public func take(_ fix: Fix, now: Double? = nil) -> Update {
    let (verdict, asking) = state.withLock { state -> (GateVerdict, Asking?) in
      let verdict = state.gate.judge(fix, now: now)
      if let now {
        state.say(State.instant(now))
      } else if verdict.isAccepted {
        state.advance(to: fix.time)
      }
      guard verdict.isAccepted, let position = fix.coordinate else {
        guard now != nil, state.isDue, let place = state.place else { return (verdict, nil) }
        return (verdict, begin(place, &state))
      }
      guard !state.settles(at: position) else { return (verdict, nil) }
      return (verdict, begin(Place(coordinate: position, anchor: .fix), &state))
    }
    return Update(verdict: verdict, change: asking.flatMap(change))
  }

  /// Tells the session what time it is: if the last answer is no longer valid, it searches again from the last accepted
  /// fix.
  ///
  /// - Parameter now: A time before the latest one passed is ignored.
  /// - Returns: nil where the last answer holds, and before the first accepted fix or stand-in.
  @discardableResult
  public func tick(_ now: Instant) -> Change? {
    step { state in
      state.say(now)
      return state.isDue ? state.place : nil
    }
  }

  /// Searches again from the last accepted fix, because the data has changed.
  ///
  /// - Returns: nil before the first accepted fix or stand-in.
  @discardableResult
  public func refresh() -> Change? {
    step { state in
      state.distrust()
      return state.place
    }
  }

  /// Uses another search from now on, and makes it at once from the last accepted fix: for a rebuilt index.
  ///
  ///     session.replaceQuestion { newIndex.nearest(3, to: $0) }
  ///
  /// - Parameter ask: As for `init(_:isSame:ask:)`.
  /// - Returns: nil before the first accepted fix or stand-in.
  @discardableResult
  public func replaceQuestion(
    _ ask: @escaping @Sendable (Coordinate) -> NearbyAnswer<Item>
  ) -> Change? {
    replace(by: Question(followsTime: false) { origin, _ in ask(origin) })
  }

  /// From now on uses another search, which depends on the time, and makes it at once from the last accepted fix.
  ///
  /// - Parameter ask: As for `init(_:isSame:ask:)`.
  /// - Returns: nil before the first accepted fix or stand-in.
  @discardableResult
  public func replaceQuestion(
    _ ask: @escaping @Sendable (Coordinate, Instant) -> NearbyAnswer<Item>
  ) -> Change? {
    replace(by: Question(followsTime: true, ask: ask))
  }

  private func replace(by question: Question) -> Change? {
    // What the old closure captured must not be released under the lock: that may run the caller's code.
    let old = state.withLock { state in
      defer { state.question = question }
      return state.question
    }
    return withExtendedLifetime(old) { refresh() }
  }

  // MARK: Asking

  /// Takes a step, and searches from the place that it returns, if any.
  private func step(_ body: (inout State) -> Place?) -> Change? {
    state.withLock { state in body(&state).flatMap { begin($0, &state) } }.flatMap(change)
  }

  /// Begins a search, unless called from inside one, which could then recurse.
  private func begin(_ place: Place, _ state: inout State) -> Asking? {
    guard CallerScope.isInside(self) else { return state.begin(place) }
    state.postpone(place)
    return nil
  }

  /// Searches, and takes the answer unless it comes too late.
  private func change(_ asking: Asking) -> Change? {
    CallerScope.run(self) {
      let answer = asking.question.ask(asking.place.coordinate, asking.instant)
      var next: Asked? = Asked(answer: answer, asking: asking)
      // Another call may have its answer taken while this one compares; then it compares again.
      while let (last, count) = state.withLock({ $0.awaited(asking) }) {
        let diff = AnnotationDiff(
          from: last.map { Array($0.answer.annotations) } ?? [], to: Array(answer.annotations),
          isSame: isSame)
        guard state.withLock({ $0.take(&next, asChange: count + 1) }) else { continue }
        return Change(
          number: count + 1, answer: answer, diff: diff, anchor: asking.place.anchor)
      }
      return nil
    }
  }
}

extension NearbySession.Update: Equatable where Item: Equatable {}
extension NearbySession.Change: Equatable where Item: Equatable {}

/// What kind of position an answer was searched from.
public enum NearbyAnchor: Hashable, Sendable {
  /// The position of a fix that a gate accepted.
  case fix
  /// A stand-in position while there is no fix.
  case standIn
}

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
    /// The last fix, where the last answer holds at it.
    private var settled: Place?
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

  /// Where the last accepted fix or stand-in is; nil before the first search.
  var place: NearbySession.Place? { postponed ?? settled ?? (awaited ?? last?.asking)?.place }

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
      // What has opened meanwhile may be near.
      if question.followsTime, now != last.asking.instant, moved > .zero { return false }
    }
    settledCount = askedCount
    awaited = nil
    settled = NearbySession.Place(coordinate: position, anchor: .fix)
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
    (postponed, settled) = (nil, nil)
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
