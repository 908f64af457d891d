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
