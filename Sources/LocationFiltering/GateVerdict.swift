/// The verdict of a gate on a fix, with its reasons.
public enum GateVerdict: Hashable, Sendable {
  /// The fix counts: query again from here.
  case accepted(GateReasons)
  /// The fix is good, but did not move enough for a new query.
  case held(GateReasons)
  /// The fix is not believed.
  case rejected(GateReasons)

  /// The reasons, in the order of `GateReason.Code`; never empty.
  public var reasons: GateReasons {
    switch self {
    case .accepted(let reasons), .held(let reasons), .rejected(let reasons): reasons
    }
  }

  /// `accepted`, `held` or `rejected`.
  public var name: String {
    switch self {
    case .accepted: "accepted"
    case .held: "held"
    case .rejected: "rejected"
    }
  }

  /// Whether the fix is accepted.
  public var isAccepted: Bool { if case .accepted = self { true } else { false } }

  /// Whether the fix is held despite contradicting the last good one, until enough fixes agree with it.
  ///
  /// It may be right, but nothing should be done with it yet.
  public var isDoubted: Bool {
    guard case .held(let reasons) = self else { return false }
    return reasons.count > 1 && reasons.contains { $0.code == .unconfirmed }
  }

  /// Whether the fix is rejected.
  public var isRejected: Bool { if case .rejected = self { true } else { false } }
}
