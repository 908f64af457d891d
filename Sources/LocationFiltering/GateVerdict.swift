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

/// The reasons of a verdict, in the order of `GateReason.Code`.
///
/// A collection that stores a single reason, the usual case, without an array: so a gate that
/// accepts a fix allocates nothing.
///
///     for reason in verdict.reasons { print(reason.code.rawValue, reason) }
public struct GateReasons: Hashable, Sendable {
  private let stored: Stored

  private enum Stored: Hashable {
    case one(GateReason)
    /// No reason, or two or more; a single one is always `one`, so equal collections are stored alike.
    case others([GateReason])
  }

  /// Makes a collection of one reason.
  init(_ reason: GateReason) { stored = .one(reason) }

  /// Makes a collection of any number of reasons.
  public init(_ reasons: [GateReason]) {
    stored = reasons.count == 1 ? .one(reasons[0]) : .others(reasons)
  }
}

extension GateReasons: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of reasons.
  public var endIndex: Int {
    switch stored {
    case .one: 1
    case .others(let reasons): reasons.count
    }
  }

  /// The reason at an index; the first one decided.
  public subscript(place: Int) -> GateReason {
    switch stored {
    case .one(let reason):
      precondition(place == 0, "there is one reason, and none at \(place)")
      return reason
    case .others(let reasons): return reasons[place]
    }
  }
}

extension GateReasons: ExpressibleByArrayLiteral {
  /// Makes a collection from a literal, such as `[]`.
  public init(arrayLiteral reasons: GateReason...) { self.init(reasons) }
}

extension GateReasons: CustomStringConvertible {
  /// All reasons, as `[moved 41.2 m of 300 m]`.
  public var description: String { Array(self).description }
}
