import AnnotationSources
import Geodesy
import LocationFiltering

// Rules of a gate from the command line.

/// The policy that `--gate` names: a preset, a length (`300m`), degrees (`0.0005deg`), or `none`.
///
/// - Parameters:
///   - axes: Which axes a threshold in degrees is about; nil where that was not said.
///   - countsExactly: Whether a move of exactly the threshold counts.
func parseGate(
  _ text: String, axes: MovementRule.Axes?, countsExactly: Bool
) throws(ReportedError) -> GatePolicy {
  let text = ArgumentPreparation.restored(text)
  let lowered = text.lowercased()
  let known = lowered == "none" ? GatePolicy() : GatePolicy(named: text)
  let endings = known == nil ? ["deg", "°"].filter { lowered.hasSuffix($0) } : []
  let idle: (option: String, remedy: String)? =
    axes != nil && endings.isEmpty
    ? ("--axes", "0.0005deg") : countsExactly && known != nil ? ("--inclusive", "300m") : nil
  if let idle {
    throw ReportedError(
      "missing-gate", "\(idle.option) does nothing with --gate \(text); say --gate \(idle.remedy)",
      fault: .usage)
  }
  if let known { return known }
  var policy = GatePolicy()
  for ending in endings {
    guard let degrees = finiteNumber(trimmed(text.dropLast(ending.count))), degrees >= 0 else {
      throw ReportedError(
        "bad-gate",
        "--gate \(text) is not a threshold in degrees; write one of 0 or more, such as 0.0005deg",
        fault: .usage)
    }
    // As the mart app's rule has it, unlike a length.
    policy.movement = .degrees(degrees, axes: axes ?? .any, .inclusive)
    return policy
  }
  guard text.utf8.first.map({ "+-.0123456789".utf8.contains($0) }) ?? false else {
    let names = GatePolicy.presets.map(\.name).joined(separator: ", ")
    throw ReportedError(
      "bad-gate",
      "--gate \(text) is neither a length such as 300m, nor degrees such as 0.0005deg, nor one of "
        + "\(names), none; write one of them", fault: .usage)
  }
  let meters = try parseDistance(text, option: "--gate").meters
  policy.movement = .meters(meters, countsExactly ? .inclusive : .exclusive)
  return policy
}

/// What to say of a bare number below 1, which is meters and looks like degrees; nil for any other gate.
func gateNote(_ text: String) -> String? {
  let text = trimmed(ArgumentPreparation.restored(text))
  guard let meters = finiteNumber(text), meters > 0, meters < 1 else { return nil }
  return "note: --gate \(text) is \(text) m; write \(text)deg for degrees"
}
