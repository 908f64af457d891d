import Geodesy

/// Why a fix was accepted, held or rejected, with the numbers that decided.
public struct GateReason: Hashable, Sendable {
  /// What decided.
  public let code: Code
  /// The fix's number, in the code's unit; nil where there is none.
  public let value: Double?
  /// The policy's number, in the same unit; nil where there is none.
  public let limit: Double?
  /// What the value and the limit are counted in; empty for none.
  public var unit: String { measure.rawValue }
  private let measure: Unit
  /// The name of what the reason is about, where it has one: the region.
  public let subject: String?

  init(
    _ code: Code, _ value: Double? = nil, of limit: Double? = nil, unit: Unit = .none,
    subject: String? = nil
  ) {
    self.code = code
    self.value = value
    self.limit = limit
    measure = unit
    self.subject = subject
  }

  /// What numbers are counted in.
  enum Unit: String {
    case none = ""
    case meters = "m"
    case degrees = "°"
    case seconds = "s"
    case metersPerSecond = "m/s"
    case fixes
  }

  /// What can decide, in the order in which reasons stand.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // What is wrong with a fix by itself.
    /// The device delivered no position.
    case noFix = "no-fix"
    /// A latitude or a longitude is not a finite number.
    case notANumber = "not-a-number"
    /// The latitude lies outside −90…90.
    case latitudeRange = "lat-range"
    /// The longitude lies outside −180…180.
    case longitudeRange = "lon-range"
    /// 0,0 is what devices send without a fix.
    case nullIsland = "null-island"
    /// A program made it up.
    case simulated = "simulated"
    /// The accuracy is worse than the policy takes, or says that the position is not valid.
    case accuracy = "accuracy"
    /// It is older than the policy takes.
    case tooOld = "too-old"
    /// It is from the future.
    case inFuture = "in-future"
    /// It lies outside the region; the value says how far.
    case outsideRegion = "outside-region"
    /// Exchanged with each other, latitude and longitude would be legal, or in the region.
    case looksSwapped = "lat-lon-swapped"

    // What does not fit the last good fix.
    /// It was measured before the last good fix.
    case outOfOrder = "out-of-order"
    /// Nobody is as fast as that.
    case speed
    /// Nobody gets as far as that at once.
    case jump
    /// It would be much faster than the device has been of late.
    case unusualSpeed = "unusual-speed"
    /// It is far from where the device was heading.
    case offCourse = "off-course"
    /// It is far from the way of the fixes before and after it.
    case outlier

    // Why a good fix is held.
    /// It waits until enough agree: among the first fixes, or behind a contradiction that named what
    /// speaks against it.
    case unconfirmed
    /// Too little time has passed since the last that was accepted.
    case tooSoon = "too-soon"
    /// The move is no longer than what the two fixes may be wrong by.
    case withinAccuracy = "within-accuracy"

    // Why a fix is held or accepted: the value compares with the limit.
    /// How far it moved.
    case moved
    /// The first fix that counts, or the last of the first that agree.
    case firstFix = "first-fix"
    /// Enough fixes that did not fit agreed with each other.
    case reanchored = "re-anchored"
    /// No rule asked for anything.
    case noRule = "no-rule"

    // What only explains another reason.
    /// It is where the device would be, had it not made the jump that was believed last; the value
    /// says how far that went.
    case undoesJump = "undoes-jump"
  }
}

extension GateReason: CustomStringConvertible {
  /// One sentence with the numbers, as `moved 41.2 m of 300 m`.
  public var description: String {
    let value = value.map { GateReason.text($0, unit) } ?? ""
    let limit = limit.map { GateReason.text($0, unit) } ?? ""
    return switch code {
    case .noFix: "the device delivered no position"
    case .notANumber: "latitude or longitude is not a number"
    case .latitudeRange: "latitude \(value) is outside -90…90"
    case .longitudeRange: "longitude \(value) is outside -180…180"
    case .looksSwapped: "latitude and longitude look swapped"
    case .nullIsland: "0,0 is what devices send when they have no fix"
    case .simulated: "it is simulated"
    case .accuracy:
      if let stated = self.value, stated >= 0 {
        "accuracy \(value) is worse than \(limit)"
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

  /// A number with its unit, to a tenth, or to the digits that a small one needs.
  private static func text(_ value: Double, _ unit: String) -> String {
    if unit == "m", abs(value) >= 10_000 { return text(value / 1_000, "km") }
    let steps: Double = unit == "°" ? 1e6 : abs(value) < 1 ? 1e3 : 10
    let rounded = (value * steps).rounded() / steps
    let number =
      rounded == rounded.rounded() && abs(rounded) < 1e15
      ? String(Int(rounded)) : plainDecimal(rounded)
    return unit.isEmpty ? number : unit == "°" ? number + unit : "\(number) \(unit)"
  }
}
