import LocationFiltering

/// A fix of a track with what a gate says of it.
package struct JudgedPoint {
  /// Counted from 1.
  package let number: Int
  package let point: TrackPoint
  /// What the gate says; nil where the text is broken and no gate was asked.
  let gateVerdict: GateVerdict?
  /// What would have given the other verdict; nil where nothing could, or nobody asked.
  package let otherwise: Otherwise?

  package init(
    number: Int, _ point: TrackPoint, _ verdict: GateVerdict?, otherwise: Otherwise? = nil
  ) {
    self.number = number
    self.point = point
    gateVerdict = verdict
    self.otherwise = otherwise
  }

  package var verdict: Verdict { isRejected ? .rejected : isAccepted ? .accepted : .held }
  package var isRejected: Bool { gateVerdict?.isRejected ?? true }
  package var isAccepted: Bool { gateVerdict?.isAccepted ?? false }
  /// Whether it is held, and may yet turn out wrong.
  package var isDoubted: Bool { gateVerdict?.isDoubted ?? false }
  /// Whether it does not agree with the last good fix; one that is bad by itself, which is its first
  /// reason, says nothing of others.
  var isContradicted: Bool { gateVerdict?.reasons.first?.code.isContradiction ?? false }
  /// Whether it showed that those that were doubted are right.
  var isReanchored: Bool { gateVerdict?.reasons.contains { $0.code == .reanchored } ?? false }

  /// Why, in sentences: what the gate says, or what is wrong with the text.
  package var sentences: [String] {
    gateVerdict?.reasons.map(point.sentence) ?? [point.problem?.description ?? ""]
  }
  /// The code of the first reason.
  package var code: String {
    gateVerdict?.reasons.first?.code.rawValue ?? point.problem?.code ?? ""
  }

  package enum Verdict: String, CaseIterable { case accepted, held, rejected }

  /// Settings of a gate that give a fix the other verdict.
  package struct Otherwise {
    package let settings: [GateSetting]
    /// Whether the fix is to pass, which did not.
    package let loosens: Bool
    /// Whether the gate is to judge without hindsight, first of all.
    package var endsHindsight = false
  }
}

// MARK: - Before the gate

/// A point of a track with what those before and after it say of its fix.
package struct ReviewedPoint {
  package let point: TrackPoint
  /// The fix for a gate; its time is on the clock of the fixes before it, which may have no date.
  package let fix: ReviewedFix
}

/// The points of a track on their way to a gate, in their order: at once, or through hindsight.
package struct TrackReview {
  /// nil where points go on at once, and nothing speaks against any.
  private var filter: OutlierFilter?
  private var waiting: [TrackPoint] = []
  private let usualAccuracy: Double?
  /// Whether the gate asks how accurate fixes are.
  private let limitsAccuracy: Bool
  /// What time it is; nil where nobody asks.
  private let now: (() -> Double)?
  /// The last time without a date, if no time had one yet.
  private var undatedTime: Double?
  /// From 1970 to the midnight from which times without a date count, in seconds; 0 while it is unknown.
  private var undatedMidnight = 0.0

  /// - Parameters:
  ///   - policy: That of the gate behind it.
  ///   - usualAccuracy: What a fix is taken to be wrong by that does not say, in meters.
  package init(
    _ policy: GatePolicy, hasHindsight: Bool, usualAccuracy: Double? = nil,
    now: (() -> Double)? = nil
  ) {
    filter = hasHindsight ? OutlierFilter(for: policy) : nil
    self.usualAccuracy = usualAccuracy
    limitsAccuracy = policy.worstAccuracy != nil
    self.now = now
  }

  /// Takes the next point, and gives back the one whose turn it is; nil where none is yet.
  package mutating func take(_ point: TrackPoint) -> ReviewedPoint? {
    var point = point
    point.fix.accuracy = point.fix.accuracy ?? usualAccuracy
    // A text that could not be read has no position, whatever could be made of its parts.
    var fix =
      filter == nil || point.problem == nil ? point.fix : Fix(latitude: nil, longitude: nil)
    fix.time = timeOnOneClock(point)
    // Not a number, so that a gate can report it.
    if limitsAccuracy, point.unreadAccuracy != nil { fix.accuracy = .nan }
    // How old a time without a date is, nobody knows.
    let now = point.isDated ? now.map { $0() - undatedMidnight } : nil
    guard filter != nil else { return ReviewedPoint(point: point, fix: ReviewedFix(fix, now: now)) }
    waiting.append(point)
    return filter?.take(fix, now: now).map { next($0) }
  }

  /// The time of a point on the clock of those before it.
  ///
  /// Times without a date, and dates after them, would be decades apart. The first date is taken to be
  /// less than half a day from the time before it, as between any two sentences.
  private mutating func timeOnOneClock(_ point: TrackPoint) -> Double? {
    guard let time = point.fix.time else { return nil }
    guard point.isDated else {
      undatedTime = time
      return time
    }
    if let last = undatedTime {
      undatedMidnight = ((time - last) / 86_400).rounded() * 86_400
      undatedTime = nil
    }
    return time - undatedMidnight
  }

  /// Gives back those that still wait.
  package mutating func finish() -> [ReviewedPoint] { (filter?.finish() ?? []).map { next($0) } }

  private mutating func next(_ fix: ReviewedFix) -> ReviewedPoint {
    ReviewedPoint(point: waiting.removeFirst(), fix: fix)
  }
}

// MARK: - The gate

/// Judges a track fix by fix, or each when some more have come.
package struct TrackJudge {
  private var gate: LocationGate
  package var policy: GatePolicy { gate.policy }
  private var review: TrackReview
  /// Whether the settings are looked for that would have flipped each verdict.
  private let explains: Bool
  private var count = 0

  /// - Parameter now: What time it is; nil where nobody asks.
  package init(
    _ policy: GatePolicy, hasHindsight: Bool = false, usualAccuracy: Double? = nil,
    explains: Bool = false, now: (() -> Double)? = nil
  ) {
    gate = LocationGate(policy)
    review = TrackReview(
      policy, hasHindsight: hasHindsight, usualAccuracy: usualAccuracy, now: now)
    self.explains = explains
  }

  /// Takes the next point, and judges the one whose turn it is; nil where none is yet.
  package mutating func judge(_ point: TrackPoint) -> JudgedPoint? {
    review.take(point).map { judge($0) }
  }

  /// Judges those that still wait.
  package mutating func finish() -> [JudgedPoint] { review.finish().map { judge($0) } }

  private mutating func judge(_ reviewed: ReviewedPoint) -> JudgedPoint {
    count += 1
    let point = reviewed.point
    guard point.problem == nil else { return JudgedPoint(number: count, point, nil) }
    let otherwise = explains ? whatFlips(reviewed.fix) : nil
    return JudgedPoint(number: count, point, gate.judge(reviewed.fix), otherwise: otherwise)
  }

  /// What gives a fix the other verdict; nil where nothing does.
  private func whatFlips(_ fix: ReviewedFix) -> JudgedPoint.Otherwise? {
    let isAccepted = gate.judged(fix.fix, now: fix.now, under: gate.policy).isAccepted
    let isDoubted = fix.objection != nil
    // Without hindsight the gate decides.
    if isDoubted, isAccepted {
      return JudgedPoint.Otherwise(settings: [], loosens: false, endsHindsight: true)
    }
    return gate.whatWouldItTake(toFlip: fix.fix, now: fix.now).map {
      JudgedPoint.Otherwise(settings: $0, loosens: !isAccepted, endsHindsight: isDoubted)
    }
  }
}
