import LocationFiltering
import NearbyTestSupport
import Testing

/// The reasons of a verdict as a collection.
@Suite struct GateReasonsTests {
  /// Some verdicts with one reason, and some with more.
  private static let verdicts: [GateVerdict] = {
    var policy = GatePolicy.careful
    policy.rejectsSimulated = true
    policy.worstAccuracy = 50
    var gate = LocationGate(policy)
    let place = PointSet.legal(37.5, 127)
    return [(0.0, 5.0, false), (10, 5, false), (20, 90, true), (30, 90, false), (40, 5, false)].map
    {
      (time, accuracy, isSimulated) in
      var fix = Fix(place, time: time, accuracy: accuracy)
      fix.isSimulated = isSimulated
      return gate.judge(fix)
    }
  }()

  @Test func `they are equal to an array of the same, one or several`() {
    #expect(Self.verdicts.map(\.reasons.count) == [1, 1, 2, 1, 1])
    for verdict in Self.verdicts {
      let reasons = verdict.reasons, array = Array(verdict.reasons)
      #expect(GateReasons(array) == reasons)
      #expect(Set([GateReasons(array), reasons]).count == 1)
      #expect(reasons.indices.map { reasons[$0] } == array)
      #expect(reasons.description == array.description)
    }
  }

  @Test func `a verdict without reasons is possible to write down`() {
    #expect(GateVerdict.held([]).reasons.isEmpty)
    #expect(GateReasons([]) == [])
    let one = Self.verdicts[0].reasons[0]
    #expect(GateVerdict.held([one]) == .held(GateReasons([one])))
    #expect(GateVerdict.held([one]) != .held([one, one]))
  }
}
