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
  /// The options that would have given the other verdict; nil where none could, or nobody asked.
  var otherwise: [String]?

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

/// Judges a track fix by fix, or each when some more have come.
struct TrackJudge {
  private var gate: LocationGate
  private var review: TrackReview
  /// Whether the settings are looked for that would have flipped each verdict.
  private let explains: Bool
  private var count = 0

  /// - Parameter now: What time it is; nil where nobody asks.
  init(
    _ policy: GatePolicy, hasHindsight: Bool = false, usualAccuracy: Double? = nil,
    explains: Bool = false, now: (() -> Double)? = nil
  ) {
    gate = LocationGate(policy)
    review = TrackReview(
      policy, hasHindsight: hasHindsight, usualAccuracy: usualAccuracy, now: now)
    self.explains = explains
  }

  /// Takes the next point, and judges the one whose turn it is; nil where none is yet.
  mutating func judge(_ point: TrackPoint) -> JudgedPoint? { review.take(point).map { judge($0) } }

  /// Judges those that still wait.
  mutating func finish() -> [JudgedPoint] { review.finish().map { judge($0) } }

  private mutating func judge(_ reviewed: ReviewedPoint) -> JudgedPoint {
    count += 1
    let point = reviewed.point, fix = reviewed.fix
    if let problem = point.problem {
      return JudgedPoint(
        number: count, point: point, verdict: "rejected",
        reasons: [JudgedPoint.Reason(code: problem.code, sentence: problem.description)])
    }
    let otherwise = explains ? options(toFlip: fix) : nil
    let verdict = gate.judge(fix)
    return JudgedPoint(
      number: count, point: point, verdict: verdict.name,
      reasons: verdict.reasons.map { reason in
        JudgedPoint.Reason(
          code: reason.code.rawValue, value: reason.value, limit: reason.limit, unit: reason.unit,
          subject: reason.subject, sentence: reason.description)
      }, gateVerdict: verdict, otherwise: otherwise)
  }

  /// The options that give a fix the other verdict; nil where none does.
  private func options(toFlip fix: ReviewedFix) -> [String]? {
    let settings = gate.whatWouldItTake(toFlip: fix.fix, now: fix.now)
    let isAccepted = gate.judged(fix.fix, now: fix.now, under: gate.policy).isAccepted
    let words = settings?.map { $0.words(loosens: !isAccepted) }
    guard fix.objection != nil else { return words }
    // Without hindsight the gate decides.
    let first = ["no --hindsight"]
    return isAccepted ? first : words.map { first + $0 }
  }
}
