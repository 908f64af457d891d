import LocationFiltering

/// A gate in front of a fence monitor: takes fixes as a device delivers them, and reports events.
///
///     var session = FenceSession(FenceMonitor(index, .phone), gate: LocationGate(policy))
///     for fix in fixes { for event in session.take(fix).events { notify(event) } }
///
/// A fix that the gate rejects changes nothing. The same is true of a fix that waits for
/// confirmation, as one of the first or because it contradicts earlier ones. Any other held fix is
/// good and counts: a movement rule says when to search again, not where the object is. After the
/// gate has re-anchored, the previous position was wrong, so nothing counts as crossed.
public struct FenceSession: Sendable {
  /// The gate.
  public private(set) var gate: LocationGate
  /// The monitor.
  public private(set) var monitor: FenceMonitor

  /// Makes a session from a monitor and a gate.
  public init(_ monitor: FenceMonitor, gate: LocationGate = LocationGate()) {
    self.monitor = monitor
    self.gate = gate
  }

  /// The result of a fix.
  public struct Update: Hashable, Sendable {
    /// The gate's verdict.
    public let verdict: GateVerdict
    /// The events, in order.
    public let events: [FenceEvent]
    /// How many seconds before the last fix this one was measured; nil if it was not late.
    ///
    /// A late fix changes nothing.
    public let lateness: Double?

    /// Makes a result; by hand, for previews and tests.
    public init(verdict: GateVerdict, events: [FenceEvent], lateness: Double? = nil) {
      self.verdict = verdict
      self.events = events
      self.lateness = lateness
    }

    /// Whether the gate holds the fix until others agree with it, as one of the first or after a
    /// contradiction: such a fix changes nothing.
    public var isWaiting: Bool {
      !verdict.isAccepted && verdict.reasons.contains { $0.code == .unconfirmed }
    }
  }

  /// Takes the next fix.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - now: The current time on the clock of the fixes, for the gate's rules about age.
  ///   - isContinuous: Whether the device came here from the last fix; false between two parts of a
  ///     track.
  public mutating func take(
    _ fix: Fix, now: Double? = nil, isContinuous: Bool = true
  ) -> Update {
    let verdict = gate.judge(fix, now: now)
    let unheard = Update(verdict: verdict, events: [])
    guard !verdict.isRejected, !unheard.isWaiting, let position = fix.coordinate else {
      return unheard
    }
    let hasReanchored = verdict.reasons.contains { $0.code == .reanchored }
    let update = monitor.take(
      position, time: fix.time, accuracy: fix.accuracy,
      isContinuous: isContinuous && !hasReanchored)
    return Update(verdict: verdict, events: update.events, lateness: update.lateness)
  }

  /// Advances to an instant without a fix; see ``FenceMonitor/advance(to:)``.
  public mutating func advance(to instant: Double) -> [FenceEvent] {
    monitor.advance(to: instant)
  }
}
