import AnnotationSources
import Geodesy
import LocationFiltering
import TrackImport

extension JudgedPoint.Otherwise {
  /// The settings as options of `nearby track`, and what to leave out of a line of them.
  ///
  /// - Parameters:
  ///   - preset: The preset that `--gate` names on the line; nil for none.
  ///   - hasRegion: Whether `--region` stands there, too.
  ///   - hasSpeed: Whether `--max-speed` does.
  ///   - isInOrder: Whether `--in-order` does.
  func words(preset: String?, hasRegion: Bool, hasSpeed: Bool, isInOrder: Bool) -> [String] {
    let policy = preset.flatMap { GatePolicy(named: $0) }
    let setsSpeed = settings.contains { if case .greatestSpeed = $0 { true } else { false } }
    let namesGate = settings.contains { $0.words(loosens: loosens).hasPrefix("--gate ") }
    var words = endsHindsight ? ["no --hindsight"] : []
    // A rule may come from the preset, from an option beside it, or from both.
    func leaveOut(_ setting: GateSetting, isOnLine: Bool, isInPreset: Bool) {
      let other = "another --gate than \(preset ?? "")"
      if preset != nil, isInPreset, !namesGate, !words.contains(other) { words.append(other) }
      if isOnLine { words.append(setting.words(loosens: loosens)) }
    }
    for setting in settings {
      switch setting {
      case .anyRegion:
        leaveOut(setting, isOnLine: hasRegion, isInPreset: policy?.region != nil)
      case .rejectsOutOfOrder:
        leaveOut(setting, isOnLine: isInOrder, isInPreset: policy?.rejectsOutOfOrder ?? false)
      // Faster than `--max-speed` can say.
      case .greatestSpeed(let speed) where speed > WrittenMeasure.greatestSpeed:
        leaveOut(setting, isOnLine: hasSpeed, isInPreset: policy?.greatestSpeed != nil)
      // A limit takes the place of one that is learned.
      case .learnsMotion where setsSpeed: break
      default: words.append(setting.words(loosens: loosens))
      }
    }
    return words
  }
}

extension GateSetting {
  /// The setting as an option of `nearby track`, its number rounded to the side that still flips
  /// the verdict.
  ///
  /// - Parameter loosens: Whether a fix is to pass that did not.
  fileprivate func words(loosens: Bool) -> String {
    switch self {
    case .movement(let rule): return GateSetting.words(rule, loosens: loosens)
    case .needsMoreThanAccuracy(let value):
      return value ? "--beyond-accuracy" : "no --beyond-accuracy"
    case .leastInterval(let seconds):
      // A fix from before the last accepted one: no interval is short enough.
      return seconds < 0
        ? "no --min-interval" : "--min-interval \(GateSetting.number(seconds, up: false))s"
    case .anyRegion: return "no --region"
    case .worstAccuracy(let meters):
      return "--max-accuracy \(GateSetting.number(meters, up: true))m"
    case .rejectsSimulated(let value):
      return value ? "--reject-simulated" : "no --reject-simulated"
    case .allowsNullIsland: return "--allow-null-island"
    case .greatestAge(let seconds): return "--max-age \(GateSetting.number(seconds, up: true))s"
    case .greatestLead(let seconds): return "--max-lead \(GateSetting.number(seconds, up: true))s"
    case .greatestSpeed(let speed):
      return speed > WrittenMeasure.greatestSpeed
        ? "no --max-speed" : "--max-speed \(GateSetting.number(speed, up: true))m/s"
    case .greatestJump(let meters): return "--max-jump \(GateSetting.number(meters, up: true))m"
    case .learnsMotion(let value):
      // The limit that `auto` and `careful` have beside what they learn.
      let limit = GateSetting.greatestSpeed(GatePolicy.careful.greatestSpeed ?? .infinity)
      return value ? "--max-speed auto" : limit.words(loosens: loosens)
    case .rejectsOutOfOrder(let value): return value ? "--in-order" : "no --in-order"
    case .reanchorCount(let count): return "--reanchor \(count)"
    case .firstFixCount(let count): return "--first \(count)"
    }
  }

  private static func words(_ rule: MovementRule, loosens: Bool) -> String {
    switch rule {
    case .meters(let meters, _):
      let threshold = threshold(beside: meters, up: !loosens, steps: abs(meters) < 1 ? 1e3 : 10)
      return threshold < 0 ? "--gate none" : "--gate \(plainDecimal(threshold))m"
    case .degrees(let degrees, _, _):
      let threshold = threshold(beside: degrees, up: !loosens, steps: 1e7)
      return threshold < 0 ? "--gate none" : "--gate \(plainDecimal(threshold))deg"
    case .degreesSouthOrWest(let degrees):
      let threshold = threshold(beside: degrees, up: !loosens, steps: 1e7)
      return "a threshold of \(plainDecimal(threshold))°"
    }
  }

  /// A threshold above or below a move, to so many steps a unit.
  ///
  /// Never the move itself, nor what a gate takes for it: whether that much counts is another setting.
  private static func threshold(beside move: Double, up: Bool, steps: Double) -> Double {
    var count = (move * steps).rounded(up ? .up : .down)
    if abs(count / steps - move) * steps < 1e-2 { count += up ? 1 : -1 }
    return count / steps
  }

  /// A number to a tenth, or to a thousandth below 1, rounded up or down.
  private static func number(_ value: Double, up: Bool) -> String {
    let steps: Double = abs(value) < 1 ? 1e3 : 10
    return plainDecimal((value * steps).rounded(up ? .up : .down) / steps)
  }
}
