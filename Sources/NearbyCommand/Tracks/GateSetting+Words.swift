import Geodesy
import LocationFiltering

extension GateSetting {
  /// The setting as an option of `nearby track`, its number rounded to the side that still flips
  /// the verdict.
  ///
  /// - Parameter loosens: Whether a fix is to pass that did not.
  func words(loosens: Bool) -> String {
    switch self {
    case .movement(let rule): return GateSetting.words(rule, loosens: loosens)
    case .needsMoreThanAccuracy(let value):
      return value ? "--beyond-accuracy" : "no --beyond-accuracy"
    case .leastInterval(let seconds):
      return "--min-interval \(GateSetting.number(seconds, up: false))s"
    case .anyRegion: return "no --region"
    case .worstAccuracy(let meters):
      return "--max-accuracy \(GateSetting.number(meters, up: true))m"
    case .rejectsSimulated(let value):
      return value ? "--reject-simulated" : "no --reject-simulated"
    case .allowsNullIsland: return "--allow-null-island"
    case .greatestAge(let seconds): return "--max-age \(GateSetting.number(seconds, up: true))s"
    case .greatestLead(let seconds): return "--max-lead \(GateSetting.number(seconds, up: true))s"
    case .greatestSpeed(let speed): return "--max-speed \(GateSetting.number(speed, up: true))m/s"
    case .greatestJump(let meters): return "--max-jump \(GateSetting.number(meters, up: true))m"
    case .learnsMotion(let value): return value ? "--max-speed auto" : "no --max-speed auto"
    case .rejectsOutOfOrder(let value): return value ? "--in-order" : "no --in-order"
    case .reanchorCount(let count): return "--reanchor \(count)"
    case .firstFixCount(let count): return "--first \(count)"
    }
  }

  private static func words(_ rule: MovementRule, loosens: Bool) -> String {
    switch rule {
    case .meters(let meters, _): return "--gate \(number(meters, up: !loosens))m"
    case .degrees(let degrees, _, _):
      return "--gate \(number(degrees, up: !loosens, steps: 1e7))deg"
    case .degreesSouthOrWest(let degrees):
      return "a threshold of \(number(degrees, up: !loosens, steps: 1e7))°"
    }
  }

  /// A number to a tenth, or to so many steps a unit, rounded up or down.
  private static func number(_ value: Double, up: Bool, steps: Double = 10) -> String {
    let steps = steps == 10 && abs(value) < 1 ? 1e3 : steps
    return plainDecimal((value * steps).rounded(up ? .up : .down) / steps)
  }
}
