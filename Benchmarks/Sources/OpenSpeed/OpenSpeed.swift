import Complaints
import Foundation
import NearbyKit
import SeededNumbers
import Stopwatches

/// The nearest that are open beside the nearest of all, over a million annotations with real hours.
///
///     swift run -c release --package-path Benchmarks open-speed ../shared/conformance/opening_hours/realworld.jsonl
///
/// In turns, so that a slow minute slows all; every answer that is timed is checked by brute force for
/// the first questions.
@main
enum OpenSpeed {
  private static let usage = """
    usage: open-speed realworld.jsonl [annotations] [rounds]
    The 10 nearest that are open beside the 10 nearest of all: 1,000,000 annotations, best of 5 rounds.
    """

  static func main() {
    Complaint.ending(usage) { arguments in
      let words = try arguments.operands(1...3)
      // Fewer are too few to draw from.
      let count = try arguments.number(
        words.dropFirst().first, in: 1_000...100_000_000, named: "annotations",
        standard: 1_000_000)
      let rounds = try arguments.number(
        words.dropFirst(2).first, in: 1...1_000, named: "rounds", standard: 5)
      try run(try RealHours(file: words[0]), count: count, rounds: rounds)
    }
  }

  private static func run(_ texts: RealHours, count: Int, rounds: Int) throws {
    print("\(texts.values.count) different real hours, \(count) annotations, k = 10")
    for share in [0.4, 0.001] {
      let world = OpenWorld(texts, count: count, openShare: share, seed: 11)
      try world.run(rounds: rounds)
    }
  }
}

/// The values of a file of real hours that can be read, as often as they occur.
struct RealHours {
  private(set) var values: [(text: String, hours: OpeningHours, weight: Int)] = []

  private struct Row: Decodable {
    let value: String
    let count: Int?
  }

  init(file: String) throws {
    let lines = try contents(of: file).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() where !line.isEmpty {
      guard let row = try? JSONDecoder().decode(Row.self, from: line), row.count ?? 1 > 0 else {
        throw Complaint(
          "\(file):\(number + 1): is no JSON row with a member value; name a file like "
            + "realworld.jsonl", .badData)
      }
      if let hours = try? OpeningHours(row.value) {
        values.append((row.value, hours, row.count ?? 1))
      }
    }
    guard !values.isEmpty else {
      throw Complaint(
        "\(file) holds no hours that can be read; name a file like realworld.jsonl", .badData)
    }
  }
}

/// An annotation of few bytes.
struct OpenShop: Annotation {
  let number: Int32
  let text: Int32
  let place: Coordinate

  nonisolated(unsafe) static var texts: [String] = []

  var id: AnnotationID { AnnotationID(Int(number)) }
  var coordinate: Coordinate? { place }
  var openingHours: String? { Self.texts[Int(text)] }
}

/// Annotations in cities, some of them open, and questions about them.
struct OpenWorld {
  private let index: AnnotationIndex<[OpenShop]>
  private let shops: [OpenShop]
  private let isOpen: [Bool]
  private let questions: [Coordinate]
  private let instant: Instant
  private let setting: HoursSetting
  private let texts: RealHours
  private let share: Double

  init(_ texts: RealHours, count: Int, openShare: Double, seed: UInt64) {
    self.texts = texts
    OpenShop.texts = texts.values.map(\.text)
    setting = HoursSetting(
      publicHolidays: .germany, sun: .fixed(dawn: 330, sunrise: 360, sunset: 1080, dusk: 1110))
    var random = SplitMix64(seed: seed)
    let setting = setting
    func openWeight(_ instant: Instant) -> Double {
      var (open, all) = (0, 0)
      for value in texts.values {
        all += value.weight
        if value.hours.state(at: instant, setting: setting) == .open { open += value.weight }
      }
      return Double(open) / Double(all)
    }
    // Seven minutes past a quarter, in the week of 2026-11-16, where the share is nearest to 40 %.
    let week: Int64 = 1_795_219_200
    let instant =
      (0..<672).map { Instant(seconds: week + Int64($0) * 900 + 420) }
      .min { abs(openWeight($0) - 0.4) < abs(openWeight($1) - 0.4) } ?? Instant(seconds: week)
    self.instant = instant
    let isTextOpen = texts.values.map {
      $0.hours.state(at: instant, setting: setting) == .open
    }
    isOpen = isTextOpen
    // For another share, open and other hours are drawn apart.
    func drawer(_ wanted: Bool?) -> [Int32] {
      texts.values.indices.flatMap { index -> [Int32] in
        if let wanted, isTextOpen[index] != wanted { return [] }
        return Array(repeating: Int32(index), count: texts.values[index].weight)
      }
    }
    let (all, open, other) = (drawer(nil), drawer(true), drawer(false))
    let cities = (0..<3_000).map { _ in
      (random.coordinate(), 0.005 + 0.05 * random.unit())
    }
    func place() -> Coordinate {
      let rank = random.unit()
      let (center, spread) = cities[Int(rank * rank * rank * 3_000)]
      return random.near(center, spread)
    }
    shops = (0..<count).map { number in
      let text: Int32
      if openShare == 0.4 {
        text = all[random.below(all.count)]
      } else {
        text =
          random.unit() < openShare
          ? open[random.below(open.count)] : other[random.below(other.count)]
      }
      return OpenShop(number: Int32(number), text: text, place: place())
    }
    questions = (0..<4_000).map { _ in place() }
    index = AnnotationIndex(shops)
    share = openShare
  }

  func run(rounds: Int) throws {
    let reader = HoursReader<OpenShop>(setting: setting)
    var start = ContinuousClock.now
    let hours = HoursIndex(index, reader: reader)
    let reading = ContinuousClock.now - start
    let condition = OpenCondition(at: instant, showsUnknown: false)
    start = .now
    hours.prepare(for: condition)
    let preparing = ContinuousClock.now - start
    let open = shops.count { isOpen[Int($0.text)] }
    print(
      "\(Double(open * 10_000 / shops.count) / 100) % open: hours read in \(reading), window in \(preparing)"
    )
    check(hours, condition)
    var best = [Double](repeating: .infinity, count: 3)
    var sums = [0, 0, 0]
    for _ in 0..<rounds {
      time(&best[0], &sums[0]) { index.nearest(10, to: $0) }
      time(&best[1], &sums[1]) { hours.nearest(10, to: $0, open: condition) }
      let few = share < 0.01 ? 40 : questions.count
      let unprepared = HoursIndex(index, reader: reader)
      time(&best[2], &sums[2], few) { unprepared.nearest(10, to: $0, open: condition) }
    }
    let names = ["nearest 10", "nearest 10 open", "nearest 10 open, asked one by one"]
    for (place, name) in names.enumerated() {
      let ratio = best[place] / best[0]
      print(
        "  \(name): \(Int(best[place].rounded())) ns, \((ratio * 100).rounded() / 100) times (sum \(sums[place]))"
      )
    }
  }

  private func time(
    _ best: inout Double, _ sum: inout Int, _ count: Int? = nil,
    _ ask: (Coordinate) -> NearbyAnswer<OpenShop>
  ) {
    let count = count ?? questions.count
    let start = Stopwatch.thread.seconds
    for question in questions[..<count] {
      for result in ask(question) { sum &+= Int(result.annotation.number) }
    }
    best = min(best, Stopwatch.thread.seconds(since: start) * 1e9 / Double(count))
  }

  /// Stops the program where an answer is not that of every annotation, one after the other.
  private func check(_ hours: HoursIndex<[OpenShop]>, _ condition: OpenCondition) {
    var changes: [Instant?] = []
    for value in texts.values {
      changes.append(
        value.hours.nextChange(after: instant, of: .openOrNot, setting: setting))
    }
    for question in questions[..<30] {
      let answer = hours.nearest(10, to: question, open: condition)
      let radius = answer.last.map { $0.distance.meters + 1 } ?? .infinity
      let box = BoundingBox(around: question, radius: .meters(radius))
      var rows: [(distance: Distance, shop: OpenShop)] = []
      for shop in shops where box.contains(shop.place) {
        rows.append((question.distance(to: shop.place), shop))
      }
      rows.sort { ($0.distance, $0.shop.number) < ($1.distance, $1.shop.number) }
      var numbers: [Int32] = []
      var end: Instant?
      for row in rows where numbers.count < 10 {
        if isOpen[Int(row.shop.text)] { numbers.append(row.shop.number) }
        end = [end, changes[Int(row.shop.text)]].compactMap(\.self).min()
      }
      precondition(
        answer.map(\.annotation.number) == numbers && answer.count == 10,
        "\(answer.map(\.annotation.number)) at \(question), not \(numbers)")
      precondition(
        answer.validUntil == end,
        "\(String(describing: answer.validUntil)) at \(question), not \(String(describing: end))")
    }
  }
}

extension SplitMix64 {
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  mutating func coordinate() -> Coordinate { near(nil, 0) }

  /// Within some degrees of a center, or in the middle latitudes.
  mutating func near(_ center: Coordinate?, _ spread: Double) -> Coordinate {
    let latitude =
      center.map { $0.latitude + spread * (unit() + unit() - 1) } ?? 120 * unit() - 60
    let longitude =
      center.map { $0.longitude + spread * (unit() + unit() - 1) } ?? 340 * unit() - 170
    do {
      return try Coordinate(
        latitude: (latitude * 1e7).rounded() / 1e7, longitude: (longitude * 1e7).rounded() / 1e7)
    } catch { fatalError("\(error)") }
  }
}
