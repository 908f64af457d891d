import AnnotationImport
import Complaints
import Foundation
import NearbyKit
import SeededNumbers

/// Measures what the README's first table says of the libraries, and checks the answers first.
///
///     swift run -c release --package-path Benchmarks ReadmeTable uk-postcodes-a.csv.gz
@main
struct ReadmeTable {
  static func main() {
    let usage = "usage: ReadmeTable FILE, a CSV of some hundred thousand positions or more"
    Complaint.ending(usage) { arguments in
      let path = try arguments.operands(1...1)[0]
      try run(path, [UInt8](try contents(of: path)))
    }
  }

  private static func run(_ path: String, _ bytes: [UInt8]) throws {
    let source = try AnnotationImporter().read(bytes, named: path)
    let positions = source.annotations.compactMap(\.coordinate)
    // A hundred are asked for.
    guard positions.count >= 100 else {
      throw Complaint(
        "\(path) holds \(positions.count) positions; name a file with 100 or more", .badData)
    }
    let loop = Loop(positions)
    var generator = SplitMix64(seed: 42)
    let questions = Questions(positions, using: &generator)
    let index = KDTreeIndex(positions)
    print("\(source.report.records) rows, \(positions.count) placed")

    check(index, against: loop, questions)
    checkDistances(questions)

    var contest = Contest()
    contest.add("building the index, a position", repetitions: positions.count) {
      Double(KDTreeIndex(positions).count)
    }
    for count in [1, 10, 100] {
      contest.add("\(count) nearest", repetitions: questions.origins.count) {
        questions.origins.reduce(0) {
          $0 + index.nearest(count, to: $1).neighbors[count - 1].distance.meters
        }
      }
    }
    contest.add("10 nearest, loop by haversine", repetitions: 10) {
      questions.origins.prefix(10).reduce(0) { $0 + Double(loop.nearestOnSphere(10, to: $1)[9]) }
    }
    contest.add("10 nearest, loop by geodesic", repetitions: 2) {
      questions.origins.prefix(2).reduce(0) { $0 + loop.nearest(10, to: $1)[9].measure }
    }
    contest.add("all within 1 km", repetitions: questions.origins.count) {
      questions.origins.reduce(0) {
        $0 + Double(index.neighbors(within: .kilometers(1), of: $1).count)
      }
    }
    contest.add("count in a box", repetitions: questions.boxes.count) {
      questions.boxes.reduce(0) { $0 + Double(index.count(in: $1)) }
    }
    contest.add("list of a box", repetitions: questions.boxes.count) {
      questions.boxes.reduce(0) { $0 + Double(index.positions(in: $1).count) }
    }
    contest.add("count in a box, loop", repetitions: 10) {
      questions.boxes.prefix(10).reduce(0) { $0 + Double(loop.count(in: $1)) }
    }
    let proj = PROJGeodesic()
    for (name, pairs) in [("up to 10 km", questions.nearPairs), ("anywhere", questions.farPairs)] {
      contest.add("distance \(name)", repetitions: pairs.count) {
        pairs.reduce(0) { $0 + $1.0.distance(to: $1.1).meters }
      }
      contest.add("distance \(name), PROJ", repetitions: pairs.count) {
        pairs.reduce(0) { $0 + proj.meters($1.0, $1.1) }
      }
    }
    for row in contest.run(rounds: 7) {
      print(
        String(
          format: "%@ µs: median %.4g, least %.4g, most %.4g",
          row.name.padding(toLength: 34, withPad: " ", startingAt: 0), row.median, row.least,
          row.most))
    }
    print("(checksum \(contest.total))")
  }

  /// A time counts only with the right answer beside it.
  private static func check(_ index: KDTreeIndex, against loop: Loop, _ questions: Questions) {
    var otherSets = 0, otherOrders = 0
    for origin in questions.origins.prefix(40) {
      let found = index.nearest(10, to: origin).neighbors
      let judged = loop.nearest(10, to: origin)
      precondition(
        found.map(\.offset) == judged.map(\.place)
          && zip(found, judged).allSatisfy { abs($0.distance.meters - $1.measure) <= 20e-9 },
        "wrong at \(origin)")
      let onSphere = loop.nearestOnSphere(10, to: origin)
      if onSphere != judged.map(\.place) { otherOrders += 1 }
      if Set(onSphere) != Set(judged.map(\.place)) { otherSets += 1 }
    }
    print(
      "40 of 40 searches equal the geodesic loop to 20 nm; the haversine loop gave another "
        + "order in \(otherOrders), another set in \(otherSets)")
    var inBoxes = 0
    for box in questions.boxes.prefix(50) {
      let count = loop.count(in: box)
      precondition(
        index.count(in: box) == count && index.positions(in: box).count == count, "wrong in \(box)")
      inBoxes += count
    }
    print("50 of 50 boxes equal the loop, of \(inBoxes / 50) positions on average")
  }

  private static func checkDistances(_ questions: Questions) {
    let proj = PROJGeodesic()
    let worst =
      (questions.nearPairs + questions.farPairs)
      .map { abs(proj.meters($0.0, $0.1) - $0.0.distance(to: $0.1).meters) }.max() ?? 0
    precondition(worst < 2e-8, "a distance differs from PROJ's by \(worst) m")
    print(
      String(
        format: "%d distances lie within %.1f nm of PROJ's",
        questions.nearPairs.count + questions.farPairs.count, worst * 1e9))
  }
}

/// What is asked: places within 2 km of the data, boxes on it, pairs near and anywhere.
private struct Questions {
  let origins: [Coordinate]
  let boxes: [BoundingBox]
  let nearPairs: [(Coordinate, Coordinate)]
  let farPairs: [(Coordinate, Coordinate)]

  init(_ positions: [Coordinate], using generator: inout SplitMix64) {
    func near(_ place: Coordinate, _ meters: Double) -> Coordinate {
      place.destination(
        bearing: .random(in: 0..<360, using: &generator),
        distance: .meters(.random(in: 0...meters, using: &generator)))
    }
    func anywhere() -> Coordinate {
      // Uniform by area; the pole itself comes as near as 0 does to a random number.
      let sine = Double.random(in: -1...1, using: &generator)
      let longitude = Double.random(in: -180..<180, using: &generator)
      guard
        let place = try? Coordinate(latitude: asin(sine) * 180 / .pi, longitude: longitude)
      else { preconditionFailure("\(sine), \(longitude) make no position") }
      return place
    }
    origins = (0..<200).map { _ in
      near(positions[Int.random(in: 0..<positions.count, using: &generator)], 2_000)
    }
    boxes = (0..<200).map { _ in
      BoundingBox(
        around: positions[Int.random(in: 0..<positions.count, using: &generator)],
        radius: .kilometers(5.5))
    }
    nearPairs = (0..<100_000).map { _ in
      let place = anywhere()
      return (place, near(place, 10_000))
    }
    farPairs = (0..<100_000).map { _ in (anywhere(), anywhere()) }
  }
}
