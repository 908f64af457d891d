import Geodesy
import MapAnnotations

/// Something that happened at a fence, and why it is believed.
public struct FenceEvent: Hashable, Sendable {
  /// What happened.
  public let kind: Kind
  /// The fence's number in its index.
  public let fence: Int
  /// The fence's id.
  public let id: AnnotationID
  /// Events are numbered from 1; of one fix by kind as `Kind` lists them, then by the fence's number.
  public let order: Int
  /// The number of the event by which this stay began; nil for a crossing, which is not a stay.
  ///
  /// Joins an exit and a dwelling to their entry.
  public let visit: Int?
  /// When: the time of the fix, or the instant that was given; nil where there is none.
  public let time: Double?
  /// Where: the fix, or for a crossing the place on the path.
  public let position: Coordinate
  /// What decided, with its numbers, in the order of `FenceReason.Code`; never empty.
  public var reasons: [FenceReason] { evidence.reasons }
  /// The numbers that decided, of which reasons are made when somebody asks.
  let evidence: FenceEvidence

  /// What can happen, in the order in which the events of one fix stand.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Outside now, after having been inside.
    case exit
    /// Outside at both fixes, inside on the way.
    case cross
    /// Inside now, after having been outside or unknown.
    case enter
    /// Inside for as long as the policy asks.
    case dwell
  }
}

/// Why an event is believed, with the numbers that decided.
public struct FenceReason: Hashable, Sendable {
  /// What decided.
  public let code: Code
  /// The measured number, in the code's unit; nil where there is none.
  public let value: Double?
  /// The number it was compared with, in the same unit; nil where there is none.
  public let limit: Double?
  /// What both are counted in; empty for none.
  public let unit: String

  init(_ code: Code, _ value: Double? = nil, of limit: Double? = nil, unit: String = "") {
    self.code = code
    self.value = value
    self.limit = limit
    self.unit = unit
  }

  /// What can decide, in the order in which reasons stand.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// So deep inside the border.
    case inside
    /// So far outside, of the buffer and accuracy that leaving takes.
    case outside
    /// The path came so near to the center, of the radius.
    case approached
    /// The path met the border so far along, of its length.
    case metBorder = "met-border"
    /// Inside since so long, of what dwelling takes; for an exit the length of the stay.
    case stayed
    /// So many fixes in a row, or seconds, of those that confirm.
    case confirmed
    /// Nothing was known before.
    case firstFix = "first-fix"
  }
}

extension FenceReason: CustomStringConvertible {
  /// One sentence with the numbers, as `outside by 41.2 m, more than 25 m`.
  public var description: String {
    let value = value.map { FenceReason.text($0, unit) } ?? ""
    let limit = limit.map { FenceReason.text($0, unit) } ?? ""
    return switch code {
    case .inside: "inside by \(value)"
    case .outside:
      self.limit == 0 ? "outside by \(value)" : "outside by \(value), more than \(limit)"
    case .approached: "passed \(value) from the center, radius \(limit)"
    case .metBorder: "met the border after \(value) of \(limit)"
    case .stayed: self.limit == nil ? "after \(value)" : "inside for \(value) of \(limit)"
    case .confirmed: "\(value) of \(limit) that confirm it"
    case .firstFix: "the first fix"
    }
  }

  /// A number with its unit, to a tenth, or to the digits that a small one needs.
  private static func text(_ value: Double, _ unit: String) -> String {
    if unit == "m", abs(value) >= 10_000 { return text(value / 1_000, "km") }
    let steps: Double = abs(value) < 1 ? 1e3 : 10
    let rounded = (value * steps).rounded() / steps
    let number =
      rounded == rounded.rounded() && abs(rounded) < 1e15
      ? String(Int(rounded)) : plainDecimal(rounded)
    return unit.isEmpty ? number : "\(number) \(unit)"
  }
}
