import Complaints
import Foundation
import NearbyKit
import Stopwatches

/// How fast clusters are ready and shown, beside a plain implementation of supercluster's greedy rule:
/// `cluster-speed FOLDER [ROUNDS]`, the folder as `spatial-benchmark --generate w1e6` makes it.
///
/// Processor time, the best of the rounds, in which the sides take turns. Answers are checked: the counts
/// of each of our views add up to the positions in the box that it names, and the greedy index has the
/// rival's clusters, one by one.
@main
struct ClusterSpeed {
  struct Shop: Annotation {
    let number: Int
    let position: Coordinate
    var id: AnnotationID { AnnotationID(number) }
    var coordinate: Coordinate? { position }
  }

  static func main() {
    Complaint.ending("usage: cluster-speed FOLDER [ROUNDS]") { arguments in
      let words = try arguments.operands(1...2)
      let rounds = try arguments.number(
        words.dropFirst().first, in: 1...1_000, named: "rounds", standard: 5)
      try run(try read(words[0] + "/points.f64"), rounds)
    }
  }

  private static func run(_ shops: [Shop], _ rounds: Int) throws {
    print("\(shops.count) positions; best of \(rounds) rounds of processor time")
    let index = try building(shops, rounds)
    let rival = PlainSupercluster(
      longitudes: shops.map(\.position.longitude), latitudes: shops.map(\.position.latitude))
    let greedy = GreedyClusterIndex(shops)
    try compare(greedy, rival)
    for zoom in [2, 6, 10, 13, 16] { viewing(index, greedy, rival, shops, zoom, rounds) }
    try panning(shops, rounds)
  }

  private static func read(_ file: String) throws -> [Shop] {
    let data = try contents(
      of: file, remedy: "spatial-benchmark --generate w1e6 --data FOLDER makes one")
    guard !data.isEmpty, data.count.isMultiple(of: 16) else {
      throw Complaint(
        "\(file) has \(data.count) bytes, which is no list of positions of 16; make it anew",
        .badData)
    }
    let numbers = data.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
    return try stride(from: 0, to: numbers.count, by: 2).map {
      do {
        return Shop(
          number: $0 / 2,
          position: try Coordinate(latitude: numbers[$0 + 1], longitude: numbers[$0]))
      } catch {
        throw Complaint("\(file): point \($0 / 2): \(error); make the file anew", .badData)
      }
    }
  }

  private static func time(_ best: inout Double, _ body: () throws -> Void) rethrows {
    best = min(best, try Stopwatch.processor.measure(body))
  }

  // MARK: Building

  private static func building(_ shops: [Shop], _ rounds: Int) throws -> ClusterIndex<[Shop]> {
    var ours = Double.infinity, greedy = Double.infinity, theirs = Double.infinity
    var index = ClusterIndex(shops)
    let (longitudes, latitudes) = (shops.map(\.position.longitude), shops.map(\.position.latitude))
    for _ in 0..<rounds {
      time(&ours) { index = ClusterIndex(shops) }
      time(&theirs) {
        let rival = PlainSupercluster(longitudes: longitudes, latitudes: latitudes)
        precondition(rival.levels.count == 18)
      }
      time(&greedy) {
        let index = GreedyClusterIndex(shops)
        precondition(index.view(of: MapViewport(.world, zoom: 0)).count == shops.count)
      }
    }
    let bytes = Double(index.byteCount) / Double(shops.count)
    print(
      "ready  ours \(milliseconds(ours)) ms, \((bytes * 10).rounded() / 10) bytes a position;"
        + " rival \(milliseconds(theirs)) ms; ratio \(ratio(theirs, ours));"
        + " our greedy rule \(milliseconds(greedy)) ms")
    return index
  }

  // MARK: Views

  private static func viewing(
    _ index: ClusterIndex<[Shop]>, _ greedy: GreedyClusterIndex<[Shop]>,
    _ rival: PlainSupercluster, _ shops: [Shop], _ zoom: Int, _ rounds: Int
  ) {
    let screens = (0..<200).map { number in
      MapViewport(
        center: shops[number &* 1_037_749 % shops.count].position, zoom: Double(zoom), width: 1280,
        height: 800)
    }.filter { !$0.box.crossesAntimeridian }
    // What is drawn has been computed: the places of clusters too.
    var ours = Double.infinity, filtered = Double.infinity, same = Double.infinity
    var theirs = Double.infinity
    let third = index.selection { $0.number % 3 == 0 }
    var items = 0, sum = 0.0
    for _ in 0..<rounds {
      items = 0
      time(&ours) {
        for screen in screens {
          let view = index.view(of: screen)
          items += view.clusters.count + view.annotations.count
          for cluster in view.clusters { sum += cluster.coordinate.latitude }
        }
      }
      time(&filtered) {
        for screen in screens {
          for cluster in index.view(of: screen, selection: third).clusters {
            sum += cluster.coordinate.latitude
          }
        }
      }
      time(&same) {
        for screen in screens {
          for cluster in greedy.view(of: screen).clusters { sum += cluster.coordinate.latitude }
        }
      }
      time(&theirs) {
        for screen in screens {
          let box = screen.box
          let found = rival.items(
            west: box.west, south: box.south, east: box.east, north: box.north, zoom: zoom)
          for item in found { sum += item.latitude }
        }
      }
    }
    for screen in screens.prefix(20) {
      let view = index.view(of: screen), box = view.box
      let inside = shops.count { box.contains($0.position) }
      guard inside == view.count else {
        print("wrong: \(view.count) of \(inside) in \(box) at zoom \(zoom)")
        exit(1)
      }
    }
    precondition(sum.isFinite)
    func micro(_ seconds: Double) -> Double {
      (seconds / Double(screens.count) * 1e7).rounded() / 10
    }
    print(
      "z\(zoom)  ours \(micro(ours)) µs, a third chosen \(micro(filtered)) µs;"
        + " rival \(micro(theirs)) µs; ratio \(ratio(theirs, ours));"
        + " our greedy rule \(micro(same)) µs; \(items / screens.count) items")
  }

  private static func compare(
    _ greedy: GreedyClusterIndex<[Shop]>, _ rival: PlainSupercluster
  ) throws {
    for zoom in 0...17 {
      let view = greedy.view(of: MapViewport(.world, zoom: zoom))
      let level = rival.levels[zoom]
      let clusters = level.counts.indices.filter { level.counts[$0] > 1 }
      // The rival adds up in the order of its tree, so that places differ by roundings, and with them,
      // rarely, what is just within a radius.
      let different = zip(view.clusters, clusters).count { $0.count != Int(level.counts[$1]) }
      let share = Double(different) / Double(max(1, clusters.count))
      guard view.count == greedy.annotations.count, view.clusters.count == clusters.count,
        share == 0
      else {
        print(
          "greedy at zoom \(zoom): \(view.clusters.count) clusters, rival \(clusters.count);"
            + " \(different) counts differ")
        continue
      }
    }
  }

  // MARK: Panning

  /// 200 steps over a city of 100,000: what is kept must be all that can be.
  private static func panning(_ shops: [Shop], _ rounds: Int) throws {
    var state: UInt64 = 5
    func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) * 0x1p-53
    }
    let city = try (0..<100_000).map { number in
      // Three in four in a middle of a fifth of the width.
      let reach = number % 4 == 0 ? 0.15 : 0.03
      return Shop(
        number: number,
        position: try Coordinate(
          latitude: 37.56 + reach * (random() + random() - 1),
          longitude: 126.98 + reach * (random() + random() - 1)))
    }
    try changing(city, rounds)
    for zoom in [12.0, 14, 15.5, 17] {
      var best = Double.infinity, longest = Double.infinity
      var kept = 0, shown = 0
      for round in 0..<rounds {
        let session = MapSession(city)
        var total = 0.0, worst = 0.0
        var before: Set<AnnotationID> = []
        for step in 0..<200 {
          // A finger drags a tenth of a screen a step, over the city and back.
          let angle = Double(step) / 200 * 2 * .pi
          let screen = MapViewport(
            center: try Coordinate(
              latitude: 37.56 + 0.03 * sin(angle), longitude: 126.98 + 0.03 * cos(angle)),
            zoom: zoom, width: 1280, height: 800)
          let start = Stopwatch.processor.seconds
          let change = session.move(to: screen)
          let duration = Stopwatch.processor.seconds(since: start)
          if step > 0 {
            total += duration
            worst = max(worst, duration)
          }
          guard round == 0 else { continue }
          let now = Set(session.pins.map(\.id))
          guard Set(change.pins.kept.map(\.id)) == now.intersection(before),
            Set(change.pins.added.map(\.id)) == now.subtracting(before)
          else {
            print("wrong: a pin that could be kept was not, at step \(step)")
            exit(1)
          }
          kept += change.pins.kept.count
          shown += now.count
          before = now
        }
        best = min(best, total / 199)
        longest = min(longest, worst)
      }
      print(
        "pan at z\(zoom)  \((best * 1e7).rounded() / 10) µs a step, the slowest"
          + " \((longest * 1e7).rounded() / 10) µs;"
          + " \(shown / 200) pins on screen, \(kept * 1000 / max(1, shown)) ‰ of them kept,"
          + " which is all that could be")
    }
  }

  /// One shop of a city moves, and then a hundred do, each time on a screen of its middle.
  private static func changing(_ city: [Shop], _ rounds: Int) throws {
    let session = MapSession(city)
    _ = session.move(
      to: MapViewport(
        center: try Coordinate(latitude: 37.56, longitude: 126.98), zoom: 15, width: 1280,
        height: 800))
    for count in [1, 100] {
      var best = Double.infinity
      for round in 0..<rounds * 10 {
        let edits = try (0..<count).map { place -> MapEdit<Shop> in
          let shop = city[(place &* 7_919 &+ round &* 104_729) % city.count]
          return .upsert(
            Shop(
              number: shop.number,
              position: try Coordinate(
                latitude: shop.position.latitude + 1e-4, longitude: shop.position.longitude)))
        }
        let start = Stopwatch.processor.seconds
        let change = session.apply(edits)
        best = min(best, Stopwatch.processor.seconds(since: start))
        precondition(change.pins.removed.count <= count)
      }
      print("live \(count) of \(city.count) moved  \((best * 1e7).rounded() / 10) µs")
    }
  }

  private static func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1e3).rounded()) }
  private static func ratio(_ theirs: Double, _ ours: Double) -> Double {
    (theirs / ours * 10).rounded() / 10
  }
}
