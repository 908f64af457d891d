import NearbyKit
import Testing

@Suite struct `Examples of LocationFiltering` {
  private func gate() {
    var policy = GatePolicy.cinema300m
    policy.region = .southKorea
    policy.greatestSpeed = 50
    var gate = LocationGate(policy)
    let verdicts = [
      gate.judge(Fix(latitude: 37.5666, longitude: 126.9784, time: 0)),
      gate.judge(Fix(latitude: 37.5670, longitude: 126.9784, time: 60)),
      gate.judge(Fix(latitude: 0, longitude: 0, time: 61)),
      gate.judge(Fix(latitude: 35.1, longitude: 129.0, time: 120)),
    ]
    for verdict in verdicts { print(verdict.name, verdict.reasons.map(\.description)) }
    // accepted ["the first fix"]
    // held ["moved 44.4 m of 300 m"]
    // rejected ["0,0 is what devices send when they have no fix"]
    // rejected ["implied 5384.2 m/s, more than 50 m/s"]
  }

  private func hindsight() {
    var filter = OutlierFilter(), gate = LocationGate(.cinema300m)
    var verdicts: [GateVerdict] = []
    for minute in 0..<20 {
      // A walk to the north, and one fix that a tall building throws 400 m aside.
      let longitude = minute == 10 ? 126.9829 : 126.9784
      let fix = Fix(
        latitude: 37.5 + Double(minute) * 0.0005, longitude: longitude, time: Double(minute) * 60)
      if let reviewed = filter.take(fix) { verdicts.append(gate.judge(reviewed)) }
    }
    verdicts += filter.finish().map { gate.judge($0) }
    print(verdicts.count, verdicts[10].name, verdicts[10].reasons.map(\.description))
    // 20 rejected ["397.9 m off its neighbors, more than 50 m"]
  }

  @Test func `of hindsight print what they say they print`() {
    #expect(
      PrintedLines.of(hindsight)
        == [#"20 rejected ["397.9 m off its neighbors, more than 50 m"]"#])
  }

  @Test func `print what they say they print`() {
    let promised = """
      accepted ["the first fix"]
      held ["moved 44.4 m of 300 m"]
      rejected ["0,0 is what devices send when they have no fix"]
      rejected ["implied 5384.2 m/s, more than 50 m/s"]
      """
    #expect(PrintedLines.of(gate).joined(separator: "\n") == promised)
  }
}
