import Geodesy
import NearbyTestSupport
import Testing

@testable import MapProjections

@Suite struct MercatorGridTests {
  @Test func `knows latitudes as the formula does, to two roundings`() {
    var generator = SeededGenerator(seed: 11)
    let rows =
      [0, 1, 0x1p22, 0x1p31, 0x1p32 - 1, 0x1p32]
      + (0..<20_000).map { _ in Double.random(in: 0...0x1p32, using: &generator) }
    for row in rows {
      let y = row * 0x1p-32
      let formula = degrees(arcTangent(hyperbolicSine(.pi * (1 - 2 * y))))
      #expect(abs(MercatorGrid.latitude(ofHeight: y) - formula) <= 4.3e-14)
    }
    #expect(MercatorGrid.latitude(ofHeight: 0.5) == 0)
  }
}
