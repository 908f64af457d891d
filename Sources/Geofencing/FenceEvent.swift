import Geodesy
import LocationFiltering
import MapAnnotations

/// An event at a fence, with the reasons for it.
public struct FenceEvent: Hashable, Sendable {
  /// The kind of event.
  public let kind: Kind
  /// The fence's number in its index.
  public let fence: Int
  /// The fence's id.
  public let id: AnnotationID
  /// The number of the event, from 1; events of one fix are ordered by `Kind`, then by fence number.
  public let order: Int
  /// The number of the event that began this stay; nil for a crossing, which is not a stay.
  ///
  /// Links an exit or dwell event to its entry.
  public let visit: Int?
  /// The time of the fix, or the instant passed to `advance`; nil if there is none.
  public let time: Double?
  /// The position of the fix; for a crossing, a position on the path.
  public let position: Coordinate
  /// The reasons with their numbers, in the order of `FenceReason.Code`; never empty.
  public var reasons: [FenceReason] { evidence.reasons }
  /// The numbers from which reasons are made on demand.
  let evidence: FenceEvidence

  /// The kinds of events, in their order within one fix.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Outside now, inside before.
    case exit
    /// Outside at both fixes, inside on the way.
    case cross
    /// Inside now, outside or unknown before.
    case enter
    /// Inside for the policy's dwell time.
    case dwell
  }
}

extension FenceEvent {
  /// Makes an event by hand, for previews and tests; its reasons are those of an event right at the border.
  ///
  /// - Parameters:
  ///   - kind: The kind of event.
  ///   - fence: The fence's number in its index.
  ///   - id: The fence's id.
  ///   - order: The number of the event.
  ///   - visit: The number of the event that began the stay; nil for a crossing.
  ///   - time: The time of the fix; nil if there is none.
  ///   - position: The position of the fix.
  public init(
    kind: Kind, fence: Int = 0, id: AnnotationID, order: Int = 1, visit: Int? = nil,
    time: Double? = nil, position: Coordinate
  ) {
    let evidence: FenceEvidence =
      switch kind {
      case .exit: .left(gap: 0, limit: 0, stayed: nil, nil)
      case .cross: .passed(distance: 0, radius: 0)
      case .enter: .entered(depth: 0, nil, isFirst: false)
      case .dwell: .dwelled(elapsed: 0, limit: 0)
      }
    self.init(
      kind: kind, fence: fence, id: id, order: order, visit: visit, time: time,
      position: position, evidence: evidence)
  }
}

/// A reason for an event, with the numbers that decided.
public struct FenceReason: Hashable, Sendable {
  /// The code of the reason.
  public let code: Code
  /// The measured number, in the code's unit; nil if there is none.
  public let value: Double?
  /// The limit, in the same unit; nil if there is none.
  public let limit: Double?
  /// The unit of both numbers; empty if there is none.
  public let unit: String

  init(_ code: Code, _ value: Double? = nil, of limit: Double? = nil, unit: String = "") {
    self.code = code
    self.value = value
    self.limit = limit
    self.unit = unit
  }

  /// The possible reasons, in their order.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The depth inside the border.
    case inside
    /// The distance outside, compared with the buffer and accuracy required for leaving.
    case outside
    /// The smallest distance of the path from the center, compared with the radius.
    case approached
    /// The distance along the path to the border, compared with the path's length.
    case metBorder = "met-border"
    /// The time inside, compared with the dwell time; for an exit, the length of the stay.
    case stayed
    /// The number of consecutive fixes, or seconds, compared with the required number.
    case confirmed
    /// The object's side was unknown before.
    case firstFix = "first-fix"
  }
}

extension FenceReason: CustomStringConvertible {
  /// One sentence with the numbers, as `outside by 41.2 m, more than 25 m`.
  public var description: String {
    let value = value.map { GateReason.text($0, unit) } ?? ""
    let limit = limit.map { GateReason.text($0, unit) } ?? ""
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
}
