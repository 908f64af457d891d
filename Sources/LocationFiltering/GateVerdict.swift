/// What a gate says of a fix, and why.
public enum GateVerdict: Hashable, Sendable {
  /// It counts: ask again from here.
  case accepted(GateReasons)
  /// It is good, and not worth asking again for.
  case held(GateReasons)
  /// It is not believed.
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

  /// Whether the fix counts.
  public var isAccepted: Bool { if case .accepted = self { true } else { false } }

  /// Whether the fix is held although it contradicts the last good one, until enough agree with it:
  /// it may be right, and nothing should be made of it yet.
  public var isDoubted: Bool {
    guard case .held(let reasons) = self else { return false }
    return reasons.count > 1 && reasons.contains { $0.code == .unconfirmed }
  }

  /// Whether the fix is not believed.
  public var isRejected: Bool { if case .rejected = self { true } else { false } }
}
