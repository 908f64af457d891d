import Geodesy

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

/// Why a fix was accepted, held or rejected, with the numbers that decided.
public struct GateReason: Hashable, Sendable {
  /// The code of the reason.
  public let code: Code
  /// The value of the fix, in the code's unit; nil if there is none.
  public let value: Double?
  /// The limit of the policy, in the same unit; nil if there is none.
  public let limit: Double?
  /// The unit of the value and the limit; empty if there is none.
  public var unit: String { measure.rawValue }
  private let measure: Unit
  /// The name of the region, for a reason about a region.
  public let subject: String?

  /// A reason made by hand, for previews and tests.
  public init(
    _ code: Code, _ value: Double? = nil, of limit: Double? = nil, unit: Unit = .none,
    subject: String? = nil
  ) {
    self.code = code
    self.value = value
    self.limit = limit
    measure = unit
    self.subject = subject
  }

  /// The unit of a number.
  public enum Unit: String, Sendable {
    /// There is no number.
    case none = ""
    /// Meters.
    case meters = "m"
    /// Degrees of latitude and longitude.
    case degrees = "°"
    /// Seconds.
    case seconds = "s"
    /// Meters per second.
    case metersPerSecond = "m/s"
    /// A number of fixes.
    case fixes
  }

  /// The possible reasons, in their order in a verdict.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // Defects of the fix itself.
    /// There is no position.
    case noFix = "no-fix"
    /// A latitude or a longitude is not a finite number.
    case notANumber = "not-a-number"
    /// The latitude lies outside −90…90.
    case latitudeRange = "lat-range"
    /// The longitude lies outside −180…180.
    case longitudeRange = "lon-range"
    /// 0,0 is what devices send without a fix.
    case nullIsland = "null-island"
    /// A program simulated the fix.
    case simulated = "simulated"
    /// The accuracy is worse than the policy allows, or marks the position as invalid.
    case accuracy = "accuracy"
    /// The fix is older than the policy allows.
    case tooOld = "too-old"
    /// The fix is from the future.
    case inFuture = "in-future"
    /// The fix is outside the region; the value is the distance to it.
    case outsideRegion = "outside-region"
    /// With latitude and longitude swapped, the fix would be valid or in the region.
    case looksSwapped = "lat-lon-swapped"

    // Contradictions to the last good fix.
    /// The fix was measured before the last good one.
    case outOfOrder = "out-of-order"
    /// The speed is above the policy's maximum.
    case speed
    /// The step is longer than the policy's maximum.
    case jump
    /// The speed would be much higher than recently.
    case unusualSpeed = "unusual-speed"
    /// The fix is far from where the device was heading.
    case offCourse = "off-course"
    /// The fix is far from the path of the fixes before and after it.
    case outlier

    // Reasons to hold a good fix.
    /// The fix waits until enough fixes agree: among the first fixes, or after a contradiction,
    /// whose reason is also given.
    case unconfirmed
    /// Too little time has passed since the last accepted fix.
    case tooSoon = "too-soon"
    /// The move does not exceed the sum of both accuracies.
    case withinAccuracy = "within-accuracy"

    // Reasons to hold or accept a fix: the value compares with the limit.
    /// The distance moved.
    case moved
    /// The first accepted fix, or the last of the first fixes that agree.
    case firstFix = "first-fix"
    /// Enough contradicting fixes agreed with each other.
    case reanchored = "re-anchored"
    /// No rule applies.
    case noRule = "no-rule"

    // Remarks that explain another reason.
    /// The fix is where the device would be without the last believed jump; the value is the length
    /// of that jump.
    case undoesJump = "undoes-jump"

    /// Whether it says that the fix does not agree with the last good one, after which a gate counts
    /// anew how many agree.
    package var isContradiction: Bool {
      switch self {
      case .outOfOrder, .speed, .jump, .unusualSpeed, .offCourse: true
      default: false
      }
    }
  }
}

extension GateReason: CustomStringConvertible {
  /// One sentence with the numbers, as `moved 41.2 m of 300 m`.
  public var description: String {
    let value = value.map { GateReason.text($0, unit) } ?? ""
    let limit = limit.map { GateReason.text($0, unit) } ?? ""
    return switch code {
    case .noFix: "there is no position here"
    case .notANumber: "latitude or longitude is not a number"
    case .latitudeRange: "latitude \(value) is outside -90…90"
    case .longitudeRange: "longitude \(value) is outside -180…180"
    case .looksSwapped: "latitude and longitude look swapped"
    case .nullIsland: "0,0 is what devices send when they have no fix"
    case .simulated: "it is simulated"
    case .accuracy:
      if let stated = self.value, stated >= 0 {
        "accuracy \(value) is worse than \(limit)"
      } else if self.limit != nil, self.value?.isNaN == true {
        "its accuracy cannot be read; it may be worse than \(limit)"
      } else {
        "the device marks its position as invalid"
      }
    case .tooOld: "measured \(value) ago, more than \(limit)"
    case .inFuture: "measured \(value) from now, more than \(limit)"
    case .outsideRegion: "\(value) outside \(subject ?? "the region")"
    case .outOfOrder: "measured \(value) before the last good fix"
    case .speed: "implied \(value), more than \(limit)"
    case .jump: "jumped \(value), more than \(limit)"
    case .unusualSpeed: "implied \(value), more than the \(limit) that fit how it has moved"
    case .offCourse: "\(value) from where it was heading, more than \(limit)"
    case .outlier: "\(value) off its neighbors, more than \(limit)"
    case .unconfirmed: "\(Int(self.value ?? 0)) of \(limit) that must agree before it counts"
    case .tooSoon:
      if let seconds = self.value, seconds < 0 {
        "measured \(GateReason.text(-seconds, unit)) before the last accepted"
      } else {
        "\(value) after the last accepted, less than \(limit)"
      }
    case .withinAccuracy: "moved \(value), within ±accuracy of \(limit)"
    case .moved: "moved \(value) of \(limit)"
    case .firstFix: "the first fix"
    case .reanchored: "\(value) that did not fit agree with each other"
    case .noRule: "no minimum move is set"
    case .undoesJump: "where it should be if a jump of \(value) before it is undone"
    }
  }

  /// A number with its unit, to a tenth; a small one to two significant digits at least.
  ///
  /// Less than half a millionth is shown as 0: it is what rounding leaves of a measured zero.
  package static func text(_ value: Double, _ unit: String) -> String {
    if value.isInfinite { return "infinite" }
    if unit == "m", abs(value) >= 10_000 { return text(value / 1_000, "km") }
    var steps: Double = unit == "°" ? 1e6 : abs(value) < 1 ? 1e3 : 10
    while (1e-6..<1).contains(abs(value)), abs(value) * steps < 10 { steps *= 10 }
    let rounded = (value * steps).rounded() / steps
    let number =
      rounded == rounded.rounded() && abs(rounded) < 1e15
      ? String(Int(rounded)) : plainDecimal(rounded)
    return unit.isEmpty ? number : unit == "°" ? number + unit : "\(number) \(unit)"
  }
}
