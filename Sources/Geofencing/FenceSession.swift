import LocationFiltering

/// Fences behind a gate: fixes go in as a device delivers them, and what happened comes out.
///
///     var session = FenceSession(FenceMonitor(index, .phone), gate: LocationGate(policy))
///     for fix in fixes { for event in session.take(fix).events { notify(event) } }
///
/// A fix that the gate rejects changes nothing, and neither does one that still waits to be
/// confirmed, as one of the first fixes or because it contradicts earlier ones. Any other fix that
/// it holds is good, and counts: a movement rule says when to search again, not where somebody is.
/// After the gate has re-anchored, the previous position was wrong, so nothing counts as crossed.
public struct FenceSession: Sendable {
  /// Which fixes to believe.
  public private(set) var gate: LocationGate
  /// What watches the fences.
  public private(set) var monitor: FenceMonitor

  /// Puts a gate before a monitor.
  public init(_ monitor: FenceMonitor, gate: LocationGate = LocationGate()) {
    self.monitor = monitor
    self.gate = gate
  }

  /// What a fix led to.
  public struct Update: Hashable, Sendable {
    /// What the gate says of it.
    public let verdict: GateVerdict
    /// What happened, in order.
    public let events: [FenceEvent]
    /// How many seconds before the last fix this one was measured, where that is so: it changed
    /// nothing.
    public let lateness: Double?

    /// Whether the gate holds the fix until others agree with it, the first or those after a
    /// contradiction: it changed nothing.
    public var isWaiting: Bool {
      !verdict.isAccepted && verdict.reasons.contains { $0.code == .unconfirmed }
    }
  }

  /// Takes the next fix.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - now: The current time by the clock of the fixes, for the gate's rules on age.
  ///   - isContinuous: Whether the device came here from the last fix; between two parts of a track
  ///     nothing is known of the way.
  public mutating func take(
    _ fix: Fix, now: Double? = nil, isContinuous: Bool = true
  ) -> Update {
    let verdict = gate.judge(fix, now: now)
    let unheard = Update(verdict: verdict, events: [], lateness: nil)
    guard !verdict.isRejected, !unheard.isWaiting, let position = fix.coordinate else {
      return unheard
    }
    let hasReanchored = verdict.reasons.contains { $0.code == .reanchored }
    let update = monitor.take(
      position, time: fix.time, accuracy: fix.accuracy,
      isContinuous: isContinuous && !hasReanchored)
    return Update(verdict: verdict, events: update.events, lateness: update.lateness)
  }

  /// Takes an instant at which no fix came; see ``FenceMonitor/advance(to:)``.
  public mutating func advance(to instant: Double) -> [FenceEvent] {
    monitor.advance(to: instant)
  }
}
