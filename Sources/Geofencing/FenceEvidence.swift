/// The numbers by which an event was decided, lengths in meters and times in seconds.
///
/// A list of reasons would have to be allocated for every event, and most are never read. Nothing
/// here is counted by reference, so that they are copied as bytes.
enum FenceEvidence: Hashable, Sendable {
  /// So deep inside; the very first fix or not.
  case entered(depth: Double, Confirmed?, isFirst: Bool)
  /// So far outside, of what leaving takes, after a stay of so long.
  case left(gap: Double, limit: Double, stayed: Double?, Confirmed?)
  /// So near to the center, of the radius.
  case passed(distance: Double, radius: Double)
  /// After so much of the path.
  case met(along: Double, length: Double)
  /// Inside for so long, of what dwelling takes.
  case dwelled(elapsed: Double, limit: Double)

  /// So many fixes in a row, or seconds, of those that confirm.
  struct Confirmed: Hashable, Sendable {
    let value: Double?
    let limit: Double
    let isCount: Bool

    /// nil where the first fix is enough.
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

  /// In the order of `FenceReason.Code`; never empty.
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
