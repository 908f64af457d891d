import AnnotationSources
import Geodesy
import LocationFiltering

// Rules of a gate from the command line.

/// The policy that `--gate` names: a preset, a length (`300m`), degrees (`0.0005deg`), or `none`.
///
/// - Parameter countsExactly: Whether a move of exactly the threshold counts.
func parseGate(
  _ text: String, axes: MovementRule.Axes, countsExactly: Bool?
) throws(ReportedError) -> GatePolicy {
  let text = ArgumentPreparation.restored(text)
  let lowered = text.lowercased()
  if let preset = GatePolicy.presets.first(where: { $0.name.lowercased() == lowered }) {
    return preset.policy
  }
  var policy = GatePolicy()
  if lowered == "none" { return policy }
  for ending in ["deg", "°"] where lowered.hasSuffix(ending) {
    let degrees = try parseNumber(trimmed(text.dropLast(ending.count)))
    guard degrees >= 0 else { throw negativeGate(text) }
    // As the mart app's rule has it, unlike a length.
    policy.movement = .degrees(degrees, axes: axes, countsExactly ?? true ? .inclusive : .exclusive)
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
  policy.movement = .meters(meters, countsExactly ?? false ? .inclusive : .exclusive)
  return policy
}

private func negativeGate(_ text: String) -> ReportedError {
  ReportedError(
    "bad-gate", "--gate \(text) is negative; write a threshold such as 300m", fault: .usage)
}

/// A speed with its unit (`12m/s`, `50km/h`, `30mph`); a bare number is meters a second.
func parseSpeed(_ text: String, option: String) throws(ReportedError) -> Double {
  let (shown, speed) = measured(
    text,
    [
      ("m/s", 1), ("mps", 1), ("km/h", 1 / 3.6), ("kmh", 1 / 3.6), ("kph", 1 / 3.6),
      ("mph", 0.44704), ("kn", 1_852 / 3_600.0),
    ])
  guard let speed else {
    throw ReportedError(
      "bad-speed", "\(option) \(shown) is not a speed; write one such as 12m/s or 50km/h",
      fault: .usage)
  }
  guard speed > 0 else {
    throw ReportedError(
      "bad-speed", "\(option) \(shown) is not above 0; write a speed such as 12m/s",
      fault: .usage)
  }
  return speed
}

/// A span of time in seconds (`30`, `30s`, `800ms`, `5min`, `1h`).
func parseSeconds(_ text: String, option: String) throws(ReportedError) -> Double {
  let (shown, seconds) = measured(text, [("min", 60), ("h", 3_600), ("ms", 0.001), ("s", 1)])
  guard let seconds else {
    throw ReportedError(
      "bad-time", "\(option) \(shown) is not a span of time; write one such as 30s, 5min or 1h",
      fault: .usage)
  }
  guard seconds >= 0 else {
    throw ReportedError(
      "bad-time", "\(option) \(shown) is negative; write a span of time such as 30s",
      fault: .usage)
  }
  return seconds
}

/// A number times the factor of the unit that it ends with; nil for what is none.
private func measured(
  _ text: String, _ units: [(ending: String, factor: Double)]
) -> (shown: String, value: Double?) {
  let text = ArgumentPreparation.restored(text)
  let lowered = text.lowercased()
  let unit = units.first { lowered.hasSuffix($0.ending) }
  let number = trimmed(lowered.dropLast(unit?.ending.count ?? 0))
  return (text, (try? parseNumber(number)).map { $0 * (unit?.factor ?? 1) })
}
