import Complaints
import NearbyKit
import SeededNumbers

/// What an app's own type costs: questions to `AnnotationIndex` beside the same to the bare `KDTreeIndex`, and to
/// `LiveAnnotationIndex` beside `LiveIndex`, by turns, over a million places, all answers compared; and what changes
/// to a `GeohashIndex` take.
///
///     swift run -c release --package-path Benchmarks app-speed
@main
struct AppSpeed {
  static func main() {
    Complaint.ending("usage: app-speed, without arguments") { arguments in
      _ = try arguments.operands(0...0)
      let world = World(count: 1_000_000, seed: 19)
      print("a million places; medians of \(Turns.rounds) rounds by turns")
      still(world)
      living(world)
      ListChanges.time(world)
    }
  }

  /// An index that is built once.
  private static func still(_ world: World) {
    let bare = KDTreeIndex(world.places)
    let list = world.places.enumerated().map { Shop(number: $0.offset, coordinate: $0.element) }
    let shops = AnnotationIndex(list)
    let origins = world.origins(2_000)
    func nearest() -> Sum {
      origins.reduce(into: Sum()) { sum, origin in
        for (rank, result) in shops.nearest(10, to: origin).enumerated() {
          sum.add(result.annotation.number, rank, result.distance)
        }
      }
    }
    Turns.compare("10 nearest, with meters", questions: origins.count) {
      var buffer = QueryBuffer()
      return origins.reduce(into: Sum()) { sum, origin in
        bare.measureNearest(10, to: origin, into: &buffer)
        for (rank, position) in buffer.positions.enumerated() {
          sum.add(position, rank, .meters(buffer.distances[rank]))
        }
      }
    } beside: {
      nearest()
    }
    Turns.compare("the same, beside bare positions with each shop read", questions: origins.count) {
      var buffer = QueryBuffer()
      return origins.reduce(into: Sum()) { sum, origin in
        bare.measureNearest(10, to: origin, into: &buffer)
        for (rank, position) in buffer.positions.enumerated() {
          sum.add(list[position].number, rank, .meters(buffer.distances[rank]))
        }
      }
    } beside: {
      nearest()
    }
    Turns.compare("10 nearest, of which only the distances are read", questions: origins.count) {
      var buffer = QueryBuffer()
      return origins.reduce(into: Sum()) { sum, origin in
        bare.measureNearest(10, to: origin, into: &buffer)
        for (rank, meters) in buffer.distances.enumerated() { sum.add(0, rank, .meters(meters)) }
      }
    } beside: {
      origins.reduce(into: Sum()) { sum, origin in
        for (rank, result) in shops.nearest(10, to: origin).enumerated() {
          sum.add(0, rank, result.distance)
        }
      }
    }
    let boxes = origins.prefix(400).map {
      BoundingBox(around: $0, radius: .meters(world.radius(1_500)))
    }
    func inBox() -> Sum {
      boxes.reduce(into: Sum()) { sum, box in
        for shop in shops.annotations(in: box) { sum.add(shop.number) }
      }
    }
    Turns.compare("box of some 1,500", questions: boxes.count) {
      boxes.reduce(into: Sum()) { sum, box in
        for place in bare.positions(in: box) { sum.add(place) }
      }
    } beside: {
      inBox()
    }
    Turns.compare("the same, beside bare positions with each shop read", questions: boxes.count) {
      boxes.reduce(into: Sum()) { sum, box in
        for place in bare.positions(in: box) { sum.add(list[place].number) }
      }
    } beside: {
      inBox()
    }
    Turns.compare("box of some 1,500, of which only the count is read", questions: boxes.count) {
      boxes.reduce(into: Sum()) { sum, box in sum.add(bare.positions(in: box).count) }
    } beside: {
      boxes.reduce(into: Sum()) { sum, box in sum.add(shops.annotations(in: box).count) }
    }
    func inCircle() -> Sum {
      origins.reduce(into: Sum()) { sum, origin in
        for shop in shops.annotations(within: .kilometers(2), of: origin) {
          sum.add(shop.annotation.number)
        }
      }
    }
    Turns.compare("2 km, nearest first", questions: origins.count) {
      origins.reduce(into: Sum()) { sum, origin in
        for neighbor in bare.neighbors(within: .kilometers(2), of: origin) {
          sum.add(neighbor.offset)
        }
      }
    } beside: {
      inCircle()
    }
    Turns.compare("the same, beside bare positions with each shop read", questions: origins.count) {
      origins.reduce(into: Sum()) { sum, origin in
        for neighbor in bare.neighbors(within: .kilometers(2), of: origin) {
          sum.add(list[neighbor.offset].number)
        }
      }
    } beside: {
      inCircle()
    }
  }

  /// An index whose places move.
  private static func living(_ world: World) {
    let bare = LiveIndex(
      world.places.enumerated().map { LiveObject(id: UInt64($0.offset), at: $0.element) })
    let shops = LiveAnnotationIndex(
      world.places.enumerated().map { Shop(number: $0.offset, coordinate: $0.element) })
    let origins = world.origins(1_000)
    func compareNearest(_ name: String) {
      Turns.compare(name, questions: origins.count) {
        let snapshot = bare.snapshot
        return origins.reduce(into: Sum()) { sum, origin in
          for (rank, neighbor) in snapshot.nearest(10, to: origin).enumerated() {
            sum.add(Int(neighbor.object.id), rank, neighbor.distance)
          }
        }
      } beside: {
        let snapshot = shops.snapshot
        return origins.reduce(into: Sum()) { sum, origin in
          for (rank, result) in snapshot.nearest(10, to: origin).enumerated() {
            sum.add(result.annotation.number, rank, result.distance)
          }
        }
      }
    }
    compareNearest("live: 10 nearest, with meters")
    let moves = world.moves(batches: 6, of: 1_000)
    Turns.compare("live: upsert, in batches of 1,000", questions: moves.count * 1_000) {
      for batch in moves {
        bare.apply(batch.map { .put(LiveObject(id: UInt64($0.number), at: $0.place)) })
      }
      return Sum(moves.count)
    } beside: {
      for batch in moves {
        shops.upsert(batch.map { Shop(number: $0.number, coordinate: $0.place) })
      }
      return Sum(moves.count)
    }
    compareNearest("live: 10 nearest, after these moves")
  }
}

/// An app's own type.
struct Shop: Annotation {
  let number: Int
  let coordinate: Coordinate?
  var id: AnnotationID { AnnotationID(number) }
}

/// A million places in a country as large as Korea, half of them in towns.
struct World {
  let places: [Coordinate]
  private let seed: UInt64

  init(count: Int, seed: UInt64) {
    self.seed = seed
    var numbers = SplitMix64(seed: seed)
    var towns: [Coordinate] = []
    for _ in 0..<300 { towns.append(Self.anywhere(&numbers)) }
    places = (0..<count).map { number in
      number % 2 == 0
        ? Self.anywhere(&numbers)
        : towns[Int.random(in: 0..<towns.count, using: &numbers)].destination(
          bearing: Double.random(in: 0..<360, using: &numbers),
          distance: .meters(8_000 * numbers.unit()))
    }
  }

  private static func anywhere(_ numbers: inout SplitMix64) -> Coordinate {
    place(34.5 + 4 * numbers.unit(), 126 + 3.5 * numbers.unit())
  }

  private static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    do { return try Coordinate(latitude: latitude, longitude: longitude) } catch {
      fatalError("\(error)")
    }
  }

  /// Where people ask: half of them in towns, as the places are.
  func origins(_ count: Int) -> [Coordinate] {
    var numbers = SplitMix64(seed: seed &+ 1)
    return (0..<count).map { _ in
      places[Int.random(in: 0..<places.count, using: &numbers)].destination(
        bearing: Double.random(in: 0..<360, using: &numbers),
        distance: .meters(300 * numbers.unit()))
    }
  }

  /// Half the side of a square that holds about so many places out of town, in meters.
  func radius(_ count: Int) -> Double {
    let area = 4 * 111_000.0 * 3.5 * 89_000
    return (area * Double(count) / Double(places.count) / 2).squareRoot() / 2
  }

  /// Places that move by up to 400 m.
  func moves(batches: Int, of size: Int) -> [[(number: Int, place: Coordinate)]] {
    var numbers = SplitMix64(seed: seed &+ 2)
    return (0..<batches).map { _ in
      (0..<size).map { _ in
        let number = Int.random(in: 0..<places.count, using: &numbers)
        return (
          number,
          places[number].destination(
            bearing: Double.random(in: 0..<360, using: &numbers),
            distance: .meters(400 * numbers.unit()))
        )
      }
    }
  }
}
