import LocationFiltering
import TrackImport

/// A fix of a track with what a gate says of it.
struct JudgedPoint {
  /// Counted from 1.
  let number: Int
  let point: TrackPoint
  /// `accepted`, `held` or `rejected`.
  let verdict: String
  let reasons: [Reason]
  /// What the gate says; nil where the text is broken and no gate was asked.
  var gateVerdict: GateVerdict?
  /// What would have given the other verdict; nil where nothing could, or nobody asked.
  var settings: [GateSetting]?

  var isRejected: Bool { verdict == "rejected" }
  var isAccepted: Bool { verdict == "accepted" }
  /// Whether it is held, and may yet turn out wrong.
  var isDoubted: Bool { gateVerdict?.isDoubted ?? false }
  /// Whether it showed that those that were doubted are right.
  var isReanchored: Bool { gateVerdict?.reasons.contains { $0.code == .reanchored } ?? false }

  /// Why, with the numbers that decided: what the gate says, or what is wrong with the text.
  struct Reason {
    let code: String
    var value: Double?
    var limit: Double?
    var unit = ""
    var subject: String?
    let sentence: String
  }
}

/// Judges a track fix by fix.
struct TrackJudge {
  private var gate: LocationGate
  private let usualAccuracy: Double?
  /// Whether the settings are looked for that would have flipped each verdict.
  private let explains: Bool
  /// What time it is; nil where nobody asks.
  private let now: (() -> Double)?
  private var count = 0

  init(
    _ policy: GatePolicy, usualAccuracy: Double? = nil, explains: Bool = false,
    now: (() -> Double)? = nil
  ) {
    gate = LocationGate(policy)
    self.usualAccuracy = usualAccuracy
    self.explains = explains
    self.now = now
  }

  mutating func judge(_ point: TrackPoint) -> JudgedPoint {
    count += 1
    if let problem = point.problem {
      return JudgedPoint(
        number: count, point: point, verdict: "rejected",
        reasons: [JudgedPoint.Reason(code: problem.code, sentence: problem.description)])
    }
    var point = point
    point.fix.accuracy = point.fix.accuracy ?? usualAccuracy
    let now = now?()
    let settings = explains ? gate.whatWouldItTake(toFlip: point.fix, now: now) : nil
    let verdict = gate.judge(point.fix, now: now)
    return JudgedPoint(
      number: count, point: point, verdict: verdict.name,
      reasons: verdict.reasons.map { reason in
        JudgedPoint.Reason(
          code: reason.code.rawValue, value: reason.value, limit: reason.limit, unit: reason.unit,
          subject: reason.subject, sentence: reason.description)
      }, gateVerdict: verdict, settings: settings)
  }
}
