import NearbyKit
import SeededNumbers

/// 100,000 positions in 100 cities of unequal size, and questions about them.
struct World {
  /// 5 % anywhere, 4 % exact copies, 1 % along the antimeridian, 1 % around the north pole.
  let positions: [Coordinate]
  /// Half, three tenths and a fifth in three categories, and one in a thousand in a fourth.
  let categories: [CategorySet]
  /// In cities, where most positions are.
  let questions: [Coordinate]
  /// The spot in a city that each of the questions was made from.
  let targets: [Coordinate]
  /// Anywhere on the Earth, most of them far from everything.
  let openQuestions: [Coordinate]
  /// Within a kilometer of the antimeridian, where positions stand on both sides.
  let antimeridianQuestions: [Coordinate]
  /// Within 10 km of the north pole.
  let poleQuestions: [Coordinate]

  static let rareCategory = CategorySet(category: 3)

  init(positionCount: Int = 100_000, questionCount: Int = 1_000, seed: UInt64 = 6) {
    var random = SplitMix64(seed: seed)
    let cities = (0..<100).map { _ in
      City(
        latitude: 65 * random.around(), longitude: 150 * random.around(),
        spread: 0.01 + 0.06 * random.unit())
    }
    var positions: [Coordinate] = []
    positions.reserveCapacity(positionCount)
    for _ in 0..<positionCount {
      switch random.unit() {
      case ..<0.05: positions.append(World.anywhere(&random))
      case ..<0.09 where !positions.isEmpty:
        positions.append(positions[random.below(positions.count)])
      case ..<0.10: positions.append(World.onAntimeridian(0.05, &random))
      case ..<0.11: positions.append(World.atPole(0.2, &random))
      default: positions.append(World.inCity(cities, &random))
      }
    }
    categories = positions.indices.map { position in
      if position % 1_000 == 500 { return World.rareCategory }
      let share = random.unit()
      return CategorySet(category: share < 0.5 ? 0 : share < 0.8 ? 1 : 2)
    }
    self.positions = positions
    targets = (0..<questionCount).map { _ in World.inCity(cities, &random) }
    questions = targets.map { target in
      World.rounded(
        target.latitude + 0.005 * random.around(), target.longitude + 0.005 * random.around())
    }
    openQuestions = (0..<questionCount).map { _ in World.anywhere(&random) }
    antimeridianQuestions = (0..<questionCount).map { _ in World.onAntimeridian(0.009, &random) }
    poleQuestions = (0..<questionCount).map { _ in World.atPole(0.09, &random) }
  }

  private struct City {
    let latitude: Double, longitude: Double, spread: Double

    func position(_ random: inout SplitMix64) -> Coordinate {
      World.rounded(latitude + spread * random.bell(), longitude + spread * random.bell())
    }
  }

  private static func inCity(_ cities: [City], _ random: inout SplitMix64) -> Coordinate {
    // The cube makes the first cities the great ones.
    let rank = random.unit()
    return cities[Int(rank * rank * rank * Double(cities.count))].position(&random)
  }

  private static func anywhere(_ random: inout SplitMix64) -> Coordinate {
    rounded(85 * random.around(), 180 * random.around())
  }

  private static func onAntimeridian(_ reach: Double, _ random: inout SplitMix64) -> Coordinate {
    rounded(-17 + 0.2 * random.around(), 180 + reach * random.around())
  }

  private static func atPole(_ reach: Double, _ random: inout SplitMix64) -> Coordinate {
    rounded(90 - reach * random.unit(), 180 * random.around())
  }

  /// Seven decimals, as files have them; longitudes counted on past 180°.
  private static func rounded(_ latitude: Double, _ longitude: Double) -> Coordinate {
    do {
      return try Coordinate(
        latitude: (latitude * 1e7).rounded() / 1e7,
        wrappingLongitude: (longitude * 1e7).rounded() / 1e7)
    } catch { fatalError("\(error)") }
  }
}
