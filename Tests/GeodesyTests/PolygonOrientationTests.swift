import Testing
import NearbyTestSupport

@testable import Geodesy

@Suite struct PolygonOrientationTests {
  private func point(_ x: Double, _ y: Double, turns: Int = 0) -> UnrolledPoint {
    UnrolledPoint(longitude: x, latitude: y, turns: turns)
  }

  /// On the line latitude = longitude the answer is known without computing it.
  @Test(arguments: [0, 1, -1, 7])
  func `points a few ulps beside a diagonal are on their own side of it`(turns: Int) {
    let a = point(12, 12, turns: turns), b = point(24, 24, turns: turns)
    for i in 0..<32 {
      for j in 0..<32 {
        let x = 0.5 + Double(i) * 0x1p-53, y = 0.5 + Double(j) * 0x1p-53
        let expected = y > x ? 1 : y < x ? -1 : 0
        let c = point(x, y, turns: turns)
        #expect(orientation(a, b, c) == expected)
        #expect(orientation(b, c, a) == expected && orientation(b, a, c) == -expected)
      }
    }
  }

  @Test func `the same place with another number of turns is the same`() {
    let a = point(-180, 0.1, turns: 1), b = point(180, 0.1)
    #expect(a.coincides(with: b) && a.sideOfMeridian(of: b) == 0)
    #expect(orientation(point(180, -1), b, point(-180, 7, turns: 1)) == 0)
    let beside = point((-180.0).nextUp, 0.1, turns: 1)
    #expect(beside.sideOfMeridian(of: b) == 1 && b.sideOfMeridian(of: beside) == -1)
    // −180 and the next number is 180.00000000000003, which no Double is.
    #expect(orientation(point(180, -1), point(180, 1), beside) == -1)
  }

  @Test func `numbers whose products would underflow are judged exactly`() {
    let tiny = Double.leastNonzeroMagnitude
    #expect(orientation(point(0, 0), point(tiny, tiny), point(2 * tiny, 2 * tiny)) == 0)
    #expect(orientation(point(0, 0), point(tiny, tiny), point(2 * tiny, 3 * tiny)) == 1)
    #expect(orientation(point(0, 0), point(90, 90), point(tiny, 0)) == -1)
    #expect(orientation(point(0, 0), point(1e-200, 1e-200), point(1e-200, 1e-200.nextUp)) == 1)
  }

  @Test func `exact numbers agree with whole numbers`() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<5_000 {
      let v = (0..<4).map { _ in
        Int.random(
          in: -(1 << Int.random(in: 0...30, using: &generator))...(1 << 30), using: &generator)
      }
      let e = v.map { PolygonExactNumber(Double($0) * 0x1p-40) }
      #expect((e[0] * e[1] - e[2] * e[3]).sign == (v[0] * v[1] - v[2] * v[3]).signum())
      #expect((e[0] * e[1] - e[1] * e[0]).sign == 0)
      #expect((e[0] + e[1] - e[2]).sign == (v[0] + v[1] - v[2]).signum())
    }
  }
}
