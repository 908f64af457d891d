import Geodesy
import LocationFiltering
import MapAnnotations
import SpatialIndexing

/// A screen that follows somebody: fixes go in, and a new answer comes out when, and only when, it
/// could be another one.
///
///     let session = NearbySession(policy) { index.nearest(3, to: $0) }
///     for fix in fixes {
///       if let change = session.take(fix).change { show(change.answer, change.diff) }
///     }
///
/// A gate judges each fix first. An accepted one that is still within the last answer's `validRadius`
/// of where that was asked, and before its `validUntil`, changes nothing, and nothing is asked. This is
/// what thresholds of 300 m or 0.0005° stand for: those ask too often where shops are far apart, and
/// show a wrong answer where they are dense.
///
/// With opening hours, time alone changes answers: the session asks again at `validUntil`, by the time
/// of the fixes. What a caller says, with a fix or by `tick`, counts more: at the next of these a fix with a
/// time from the future is forgotten, and what was asked for then is asked again.
///
///     let session = NearbySession(policy) { origin, now in
///       hours.nearest(3, to: origin, open: OpenCondition(at: now))
///     }
///
/// Any number of tasks may put fixes in and read; each fix is judged after the one before.
///
/// - Complexity: of a fix that changes nothing, that of the gate and one distance.
public final class NearbySession<Item: Annotation>: Sendable {
  private let ask: @Sendable (Coordinate, Int64) -> NearbyAnswer<Item>
  /// Whether answers depend on the time.
  private let followsTime: Bool
  private let state: SharedValue<State>

  fileprivate struct State {
    var gate: LocationGate
    /// The last answer.
    var last: Asked?
    /// What time it is, in seconds since 1970-01-01T00:00Z, which it is until somebody says: the latest
    /// that a caller said, or that of a fix after it.
    var now: Int64 = 0
    /// The latest that a caller said; nil where only fixes did.
    var said: Int64?
  }

  /// An answer with where and when it was asked, and whose place that is.
  fileprivate struct Asked {
    let answer: NearbyAnswer<Item>
    let origin: Coordinate
    let anchor: NearbyAnchor
    let instant: Int64
  }

  /// What a fix led to.
  public struct Update: Sendable {
    /// What the gate says of the fix.
    public let verdict: GateVerdict
    /// The new answer and its difference to the last; nil where the last one holds.
    public let change: Change?
  }

  /// A new answer.
  public struct Change: Sendable {
    /// The answer, from where the fix is.
    public let answer: NearbyAnswer<Item>
    /// What it changes in the set of annotations; it is empty where they only change places.
    public let diff: AnnotationDiff<Item>
    /// Whether it was asked from where somebody is, or from a place that stands in.
    public let anchor: NearbyAnchor
  }

  /// Begins with nothing shown.
  ///
  /// - Parameters:
  ///   - policy: Which fixes to believe. A movement rule is best left out: the answer knows itself
  ///     how far it holds.
  ///   - ask: Answers from a position; asked again as soon as its last answer may not hold.
  public convenience init(
    _ policy: GatePolicy, ask: @escaping @Sendable (Coordinate) -> NearbyAnswer<Item>
  ) {
    self.init(policy, followsTime: false) { origin, _ in ask(origin) }
  }

  /// Begins with nothing shown, for answers that depend on the time.
  ///
  /// - Parameters:
  ///   - policy: Which fixes to believe.
  ///   - ask: Answers from a position at an instant, in whole seconds since 1970-01-01T00:00Z,
  ///     0 where nobody has said what time it is.
  public convenience init(
    _ policy: GatePolicy, ask: @escaping @Sendable (Coordinate, Int64) -> NearbyAnswer<Item>
  ) {
    self.init(policy, followsTime: true, ask: ask)
  }

  private init(
    _ policy: GatePolicy, followsTime: Bool,
    ask: @escaping @Sendable (Coordinate, Int64) -> NearbyAnswer<Item>
  ) {
    self.ask = ask
    self.followsTime = followsTime
    state = SharedValue(State(gate: LocationGate(policy)))
  }

  /// The last answer; nil before the first accepted fix.
  public var answer: NearbyAnswer<Item>? { state.withLock { $0.last?.answer } }

  /// Where the last answer was asked from; nil before there is one, which is what a screen shows that
  /// has neither a fix nor a place to stand in: no position is never 0,0.
  public var anchor: NearbyAnchor? { state.withLock { $0.last?.anchor } }

  /// Shows what is near a place until a fix is believed, as where the permission is refused.
  ///
  /// The first accepted fix gives a new answer wherever it is, so that the screen no longer says that
  /// the place stands in.
  ///
  ///     session.standIn(at: osakaStation)
  ///
  /// - Returns: nil where a fix has been accepted already.
  @discardableResult
  public func standIn(at place: Coordinate) -> Change? {
    state.withLock { state in
      guard state.last?.anchor != .fix else { return nil }
      return refresh(&state, at: place, .standIn)
    }
  }

  /// Takes fixes that were delivered together, in the order of their times.
  ///
  /// Devices deliver several at once, and not always the oldest first. Those of one instant, and those
  /// without a time, keep their order; the latter come last.
  ///
  /// - Returns: What each led to, in the order in which they were taken.
  @discardableResult
  public func take(together batch: some Sequence<Fix>, now: Double? = nil) -> [Update] {
    func time(_ fix: Fix) -> Double {
      guard let time = fix.time, !time.isNaN else { return .infinity }
      return time
    }
    // `sort` of the standard library keeps the order of equals, but does not promise it.
    let ordered = batch.enumerated().sorted {
      (time($0.element), $0.offset) < (time($1.element), $1.offset)
    }
    return ordered.map { take($0.element, now: now) }
  }

  /// Takes the next fix.
  ///
  /// - Parameter now: What time it is by the clock of the fixes, for rules on age.
  @discardableResult
  public func take(_ fix: Fix, now: Double? = nil) -> Update {
    state.withLock { state in
      let verdict = state.gate.judge(fix, now: now)
      if let now { state.say(now) } else if verdict.isAccepted { state.advance(to: fix.time) }
      guard verdict.isAccepted, let position = fix.coordinate,
        !holds(state.last, at: position, now: state.now)
      else { return Update(verdict: verdict, change: nil) }
      return Update(verdict: verdict, change: refresh(&state, at: position, .fix))
    }
  }

  /// Says what time it is: where the last answer does not hold any longer, it is asked for again from
  /// where it was asked.
  ///
  /// - Parameter now: Seconds since 1970-01-01T00:00Z; a time before the latest that was said says
  ///   nothing.
  /// - Returns: nil where the last answer holds, and before the first accepted fix.
  @discardableResult
  public func tick(_ now: Double) -> Change? {
    state.withLock { state in
      state.say(now)
      guard let last = state.last, isOutdated(last, at: state.now) else { return nil }
      return refresh(&state, at: last.origin, last.anchor)
    }
  }

  /// Asks again from where the last answer was asked: what was asked about has changed.
  ///
  /// - Returns: nil before the first accepted fix.
  @discardableResult
  public func refresh() -> Change? {
    state.withLock { state in
      state.last.map { refresh(&state, at: $0.origin, $0.anchor) }
    }
  }

  /// Whole seconds; nil for what is no time.
  fileprivate static func seconds(_ time: Double?) -> Int64? {
    guard let time, time.isFinite, abs(time) < 1e12 else { return nil }
    return Int64(time.rounded(.down))
  }

  /// What distances may be wrong by, together, in meters; see `NearestAnswer`.
  private static var margin: Double { 1e-6 }

  /// Whether time alone gives another answer: it is later than this one holds, or earlier than it was
  /// asked for.
  private func isOutdated(_ last: Asked, at now: Int64) -> Bool {
    if let end = last.answer.validUntil, end <= now { return true }
    return followsTime && now < last.instant
  }

  private func holds(_ last: Asked?, at position: Coordinate, now: Int64) -> Bool {
    guard let last, last.anchor == .fix, !isOutdated(last, at: now) else { return false }
    guard let radius = last.answer.validRadius else { return true }
    return last.origin.distance(to: position).meters + NearbySession.margin < radius.meters
  }

  private func refresh(
    _ state: inout State, at position: Coordinate, _ anchor: NearbyAnchor
  ) -> Change {
    let answer = ask(position, state.now)
    let diff = AnnotationDiff(
      from: state.last.map { Array($0.answer.annotations) } ?? [], to: Array(answer.annotations))
    state.last = Asked(answer: answer, origin: position, anchor: anchor, instant: state.now)
    return Change(answer: answer, diff: diff, anchor: anchor)
  }
}

/// Whose place an answer was asked from.
public enum NearbyAnchor: Hashable, Sendable {
  /// That of a fix that a gate accepted.
  case fix
  /// One that stands in while there is no fix.
  case standIn
}

extension NearbySession.State {
  /// Takes the time of a fix, which never goes back.
  fileprivate mutating func advance(to time: Double?) {
    guard let time = NearbySession.seconds(time) else { return }
    now = max(now, time)
  }

  /// Takes the time that a caller says, which goes back behind those of fixes alone.
  fileprivate mutating func say(_ time: Double) {
    guard let time = NearbySession.seconds(time), time >= said ?? time else { return }
    (now, said) = (time, time)
  }
}
