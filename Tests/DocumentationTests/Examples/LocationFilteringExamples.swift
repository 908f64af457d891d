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
