import NearbyKit
import Testing

@Suite struct `Examples of Geofencing` {
  private func session() throws {
    let home = try Coordinate(latitude: 37.5, longitude: 127)
    let index = FenceIndex([
      try Fence(id: "home", center: home, radius: .meters(100)),
      try Fence(
        id: "kiosk", center: home.destination(bearing: 0, distance: .meters(500)), radius: .meters(20)),
    ])
    var policy = FencePolicy()
    policy.dwell = 300
    var session = FenceSession(FenceMonitor(index, policy))
    for (meters, time) in [(40.0, 0.0), (30, 400), (900, 900)] {
      let place = home.destination(bearing: 0, distance: .meters(meters))
      for event in session.take(Fix(place, time: time)).events {
        print(event.kind, event.id.text, event.reasons[0])
      }
    }
    // enter home inside by 60 m
    // dwell home inside for 400 s of 300 s
    // exit home outside by 800 m
    // cross kiosk passed 0 m from the center, radius 20 m
  }

  private func pairs() throws {
    let home = try Coordinate(latitude: 37.5, longitude: 127)
    let friends = LiveIndex()
    var pairs = RoamingPairs(within: .meters(300), until: .meters(400))
    for meters in [1_000.0, 200, 350, 450] {
      let mina = home.destination(bearing: 90, distance: .meters(meters))
      let batch: [LiveChange] = [
        .put(LiveObject(id: 1, at: home)), .put(LiveObject(id: 2, at: mina)),
      ]
      for event in pairs.apply(batch, to: friends) {
        switch event {
        case .met(let pair, _): print(pair.first, "meets", pair.second)
        case .parted(let pair, _): print(pair.first, "parts from", pair.second)
        case .lost(let pair): print(pair.first, "or", pair.second, "is gone")
        }
      }
    }
    // 1 meets 2
    // 1 parts from 2
  }

  @Test func `print what they say they print`() throws {
    #expect(
      try PrintedLines.of(session) == [
        "enter home inside by 60 m", "dwell home inside for 400 s of 300 s",
        "exit home outside by 800 m", "cross kiosk passed 0 m from the center, radius 20 m",
      ])
    #expect(try PrintedLines.of(pairs) == ["1 meets 2", "1 parts from 2"])
  }
}
