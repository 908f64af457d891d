import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// A tree of balls beside a look at every ball.
@Suite struct BallTreeTests {
  private static func balls(
    _ count: Int, _ pointSet: PointSet, using generator: inout SeededGenerator
  ) -> [BallTree.Ball] {
    pointSet.sample(count, seed: generator.next()).points.enumerated().map { number, position in
      let meters: Double = [0, 1, 100, 20_000].randomElement(using: &generator) ?? 0
      return BallTree.Ball(
        number: Int32(number), place: ECEFPosition(position),
        radius: meters * Double.random(in: 0...1, using: &generator))
    }
  }

  @Test(arguments: PointSet.allCases, [0, 1, 8, 9, 64, 65, 700])
  func `every ball that a capsule touches is found, once`(pointSet: PointSet, count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    check(Self.balls(count, pointSet, using: &generator), using: &generator)
  }

  @Test(arguments: [7, 8, 9, 37, 64, 65, 700, 3_000])
  func `balls of chains, each touching the next, are found like others`(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    var balls: [BallTree.Ball] = []
    while balls.count < count {
      let isChain = Bool.random(using: &generator)
      var place = ECEFPosition(PointSet.uniform.sample(1, seed: generator.next()).points[0])
      for _ in 0..<Int.random(in: 1...40, using: &generator) where balls.count < count {
        let step = Double.random(in: 0...5_000, using: &generator)
        balls.append(
          BallTree.Ball(
            number: Int32(balls.count), place: place, radius: isChain ? step : step / 3))
        place = ECEFPosition(x: place.x + step, y: place.y, z: place.z - step / 2)
      }
    }
    check(balls, using: &generator)
  }

  private func check(_ balls: [BallTree.Ball], using generator: inout SeededGenerator) {
    let tree = BallTree(balls)
    #expect(tree.order.sorted() == balls.map(\.number).sorted())
    for _ in 0..<20 {
      let start = balls.randomElement(using: &generator)?.place ?? ECEFPosition(x: 0, y: 0, z: 0)
      let far = balls.randomElement(using: &generator)?.place ?? start
      let reach: Double = [0, 10, 1_000, 3e6].randomElement(using: &generator) ?? 0
      for end in [start, far] {
        let capsule = Capsule(from: start, to: end, reach: reach)
        var places: [Int32] = []
        tree.appendBalls(touching: capsule, from: 7, to: &places)
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
        let found = places.map { tree.numbers[Int($0) - 7] }
        #expect(Set(found).count == found.count)
        let touched = balls.filter {
          Self.distance($0.place, start, end) <= $0.radius + reach
        }
        #expect(Set(found).isSuperset(of: touched.map(\.number)))
        // What is found besides is a few meters farther, and a hundred-thousandth of the lengths.
        let length = start.squaredChord(to: end).squareRoot()
        for number in found {
          let ball = balls[Int(number)]
          let slack = 20 + 5e-5 * (length + reach + ball.radius)
          #expect(Self.distance(ball.place, start, end) <= ball.radius + reach + slack)
        }
      }
    }
  }

  /// From a point to a line, by a thousand places of it and what lies between two of them.
  private static func distance(
    _ point: ECEFPosition, _ start: ECEFPosition, _ end: ECEFPosition
  ) -> Double {
    leastPlace(in: 0...1) { fraction in
      let place = ECEFPosition(
        x: start.x + fraction * (end.x - start.x), y: start.y + fraction * (end.y - start.y),
        z: start.z + fraction * (end.z - start.z))
      return place.squaredChord(to: point).squareRoot()
    }.value
  }
}
