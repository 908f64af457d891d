import AnnotationImport
import Complaints
import Foundation
import NearbyKit
import Stopwatches

/// Asks conditions of a table: those that come line by line, for `condition_speed.py` to time another
/// program by turns, and with `--beside` some beside the same written by hand.
///
/// `condition-speed FILE` reads lines `PLACED<tab>CONDITION`, where PLACED is `all` or `box`, and
/// answers each with `COUNT<tab>MICROSECONDS`.
@main
struct ConditionSpeed {
  static func main() {
    Complaint.ending("usage: condition-speed [--beside] FILE") { arguments in
      let file = try arguments.operands(1...1, flags: ["--beside"])[0]
      let bytes = [UInt8](try contents(of: file))
      let annotations = try AnnotationImporter().read(bytes, named: file).annotations
      let index = AnnotationIndex(
        annotations, shortcuts: annotations.idsAscend ? [.idsAscend] : [])
      if arguments.words.contains("--beside") {
        try Pairs(index: index).print()
      } else {
        try answer(index)
      }
    }
  }

  /// Answers the conditions that come on standard input.
  private static func answer(_ index: AnnotationIndex<ImportedAnnotations>) throws {
    print("ready")
    fflush(nil)
    while let line = readLine() {
      let parts = line.split(separator: "\t", maxSplits: 1)
      var query = NearbyQuery()
      query.condition = try Condition(parsing: String(parts[1]))
      if parts[0] == "box" { query.area = .box(.world) }
      let (count, seconds) = try timed { try index.answer(query).count }
      print("\(count)\t\(seconds * 1e6)")
      fflush(nil)
    }
  }
}

/// What a call returns, and how many seconds it takes.
private func timed<Result>(_ body: () throws -> Result) rethrows -> (Result, Double) {
  let start = Stopwatch.clock.seconds
  let result = try body()
  return (result, Stopwatch.clock.seconds(since: start))
}

/// The same question twice: as a condition, and as whoever knows the search would put it.
private struct Pairs {
  typealias Index = AnnotationIndex<ImportedAnnotations>

  let index: Index
  private static let here: Coordinate = {
    do { return try Coordinate(latitude: 40, longitude: 10) } catch { fatalError("\(error)") }
  }()
  private static let turns = 201

  func print() throws {
    let held = AnnotationIndex(
      index.annotations.prefix(200_000).map { BasicAnnotation(copying: $0) })
    var ofKind = NearbyQuery(from: Self.here, limit: 10)
    ofKind.kinds = ["cafe"]
    try pair("kind = 'cafe'", limit: 10, of: index, beside: "NearbyQuery.kinds") {
      try index.answer(ofKind).count
    }
    try pair("kind = 'cafe'", limit: 10, of: index, beside: "nearest(kinds:)") {
      index.nearest(10, to: Self.here, kinds: ["cafe"]).count
    }
    var near = NearbyQuery(from: Self.here, limit: .max)
    near.distances = DistanceRange(within: .meters(50_000))
    try pair("distance <= 50000", limit: .max, of: index, beside: "NearbyQuery.distances") {
      try index.answer(near).count
    }
    try pair("distance <= 50000", limit: .max, of: index, beside: "annotations(within:)") {
      index.annotations(within: .meters(50_000), of: Self.here).count
    }
    Swift.print("imported annotations")
    try closures(of: index)
    Swift.print("held annotations")
    try closures(of: held)
    for text in ["id = '777777'", "id = 777777"] {
      var query = NearbyQuery()
      query.condition = try Condition(parsing: text)
      let (count, times) = try median { try index.answer(query).count }
      Swift.print("\(text)  \(micro(times))  (\(count) found)")
    }
  }

  private func closures<Annotations>(of index: AnnotationIndex<Annotations>) throws {
    let coffee = FoldedText("coffee")
    try pair("rating >= 4.9", limit: 100, of: index, beside: "a closure") {
      index.nearest(100, to: Self.here) { ($0.property("rating")?.number ?? 0) >= 4.9 }.count
    }
    try pair("note = 'open late'", limit: 100, of: index, beside: "a closure") {
      index.nearest(100, to: Self.here) { $0.property("note") == "open late" }.count
    }
    try pair("name contains 'coffee'", limit: 100, of: index, beside: "a closure") {
      index.nearest(100, to: Self.here) {
        $0.name.map { FoldedText($0).contains(coffee) } ?? false
      }.count
    }
  }

  /// Times both by turns.
  private func pair<Annotations>(
    _ text: String, limit: Int, of index: AnnotationIndex<Annotations>, beside name: String,
    _ byHand: () throws -> Int
  ) throws {
    var query = NearbyQuery(from: Self.here, limit: limit)
    query.condition = try Condition(parsing: text)
    var conditions: [Double] = []
    var hands: [Double] = []
    for turn in 0...Self.turns {
      let (count, seconds) = try timed { try index.answer(query).count }
      let (judged, other) = try timed(byHand)
      precondition(count == judged, "\(text): \(count), by hand \(judged)")
      // The first turn brings everything into the caches.
      guard turn > 0 else { continue }
      conditions.append(seconds)
      hands.append(other)
    }
    let times = (conditions.sorted()[Self.turns / 2], hands.sorted()[Self.turns / 2])
    let ratio = (times.0 / times.1 * 100).rounded() / 100
    Swift.print("  \(text)  \(micro(times.0)), \(name) \(micro(times.1)): \(ratio) times")
  }

  private func median(_ body: () throws -> Int) rethrows -> (Int, Double) {
    var times: [Double] = []
    var count = 0
    for _ in 0..<Self.turns {
      let (found, seconds) = try timed(body)
      times.append(seconds)
      count = found
    }
    return (count, times.sorted()[Self.turns / 2])
  }

  private func micro(_ seconds: Double) -> String { "\((seconds * 1e8).rounded() / 100) µs" }
}
