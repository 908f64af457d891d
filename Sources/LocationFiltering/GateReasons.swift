/// The reasons of a verdict, in the order of `GateReason.Code`.
///
/// A collection like an array, of which it is made where there are several. Most fixes have one, and
/// one needs no memory of its own: a gate that accepts allocates nothing.
///
///     for reason in verdict.reasons { print(reason.code.rawValue, reason) }
public struct GateReasons: Hashable, Sendable {
  private let stored: Stored

  private enum Stored: Hashable {
    case one(GateReason)
    /// None, or two and more: equal reasons are stored alike.
    case others([GateReason])
  }

  /// One reason.
  init(_ reason: GateReason) { stored = .one(reason) }

  /// Any number of reasons.
  public init(_ reasons: [GateReason]) {
    stored = reasons.count == 1 ? .one(reasons[0]) : .others(reasons)
  }
}

extension GateReasons: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }

  /// How many there are.
  public var endIndex: Int {
    switch stored {
    case .one: 1
    case .others(let reasons): reasons.count
    }
  }

  /// One of them; the first is what decided.
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
  /// The reasons of a literal, as `[]`.
  public init(arrayLiteral reasons: GateReason...) { self.init(reasons) }
}

extension GateReasons: CustomStringConvertible {
  /// All of them, as `[moved 41.2 m of 300 m]`.
  public var description: String { Array(self).description }
}
