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

/// The numbers that decided an event; lengths in meters and times in seconds.
///
/// A list of reasons would need an allocation for every event, and most are never read. This type
/// holds no references, so it is copied as bytes.
enum FenceEvidence: Hashable, Sendable {
  /// The depth inside, and whether this was the very first fix.
  case entered(depth: Double, Confirmed?, isFirst: Bool)
  /// The distance outside, the distance required for leaving, and the length of the stay.
  case left(gap: Double, limit: Double, stayed: Double?, Confirmed?)
  /// The distance from the center, and the radius.
  case passed(distance: Double, radius: Double)
  /// The distance along the path, and its length.
  case met(along: Double, length: Double)
  /// The time inside, and the dwell time.
  case dwelled(elapsed: Double, limit: Double)

  /// The number of consecutive fixes, or seconds, and the required number.
  struct Confirmed: Hashable, Sendable {
    let value: Double?
    let limit: Double
    let isCount: Bool

    /// nil if a single fix is enough.
    init?(_ rule: FencePolicy.Confirmation, count: Int, elapsed: Double?) {
      switch rule {
      case .fixes(let least):
        guard least > 1 else { return nil }
        (value, limit, isCount) = (Double(count), Double(least), true)
      case .seconds(let least):
        guard least > 0 else { return nil }
        (value, limit, isCount) = (elapsed, least, false)
      }
    }

    fileprivate var reason: FenceReason {
      FenceReason(.confirmed, value, of: limit, unit: isCount ? "fixes" : "s")
    }
  }

  /// The reasons in the order of `FenceReason.Code`; never empty.
  var reasons: [FenceReason] {
    switch self {
    case .entered(let depth, let confirmed, let isFirst):
      var reasons = [FenceReason(.inside, depth, unit: "m")]
      if let confirmed { reasons.append(confirmed.reason) }
      if isFirst { reasons.append(FenceReason(.firstFix)) }
      return reasons
    case .left(let gap, let limit, let stayed, let confirmed):
      var reasons = [FenceReason(.outside, gap, of: limit, unit: "m")]
      if let stayed { reasons.append(FenceReason(.stayed, stayed, unit: "s")) }
      if let confirmed { reasons.append(confirmed.reason) }
      return reasons
    case .passed(let distance, let radius):
      return [FenceReason(.approached, distance, of: radius, unit: "m")]
    case .met(let along, let length):
      return [FenceReason(.metBorder, along, of: length, unit: "m")]
    case .dwelled(let elapsed, let limit):
      return [FenceReason(.stayed, elapsed, of: limit, unit: "s")]
    }
  }
}

/// An event before the events of its fix are sorted and numbered.
struct FenceHappening {
  let kind: FenceEvent.Kind
  /// The fence's slot in the index, and its number.
  let slot, fence: Int32
  /// For an exit, the number of the entry.
  let visit: Int?
  let position: Coordinate
  let evidence: FenceEvidence

  /// The rank among the events of one fix: by kind, then by fence number.
  var rank: Int {
    (FenceEvent.Kind.allCases.firstIndex(of: kind) ?? 0) << 32 | Int(fence)
  }
}

/// The result of a fix.
public struct FenceUpdate: Hashable, Sendable {
  /// The events, in order; usually empty.
  public let events: [FenceEvent]
  /// How many seconds before the last fix this one was measured; nil if it was not late.
  ///
  /// A late fix changes nothing.
  public let lateness: Double?

  /// Makes a result; by hand, for previews and tests.
  public init(events: [FenceEvent], lateness: Double? = nil) {
    self.events = events
    self.lateness = lateness
  }
}
