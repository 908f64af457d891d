import Complaints
import Foundation
import NearbyKit
import Stopwatches

/// Opening hours as people wrote them: reading a text, and what it says of an instant.
///
/// Texts differ a hundredfold, so that the median of all is the figure, and not the mean.
struct HoursPieces {
  /// Those that are read at all.
  let texts: [String]
  let refused: Int
  private let hours: [OpeningHours]
  private let setting = HoursSetting(publicHolidays: .korea, utcOffset: { _ in 9 * 3_600 })
  /// Instants all over a year, so that no branch is always taken.
  private let instants: [Instant]

  /// Reads a file of JSON rows with a member `value`, as `conformance/opening_hours/realworld.jsonl`.
  init(file: String) throws {
    struct Row: Decodable { let value: String }
    let lines = try contents(of: file).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let rows = try lines.enumerated().filter { !$0.element.isEmpty }.map { number, line in
      guard let row = try? JSONDecoder().decode(Row.self, from: line) else {
        throw Complaint(
          "\(file):\(number + 1): is no JSON row with a member value; name a file like "
            + "realworld.jsonl for --hours", .badData)
      }
      return row.value
    }
    let read = rows.compactMap { text in (try? OpeningHours(text)).map { (text, $0) } }
    texts = read.map(\.0)
    hours = read.map(\.1)
    refused = rows.count - read.count
    guard !read.isEmpty else {
      throw Complaint(
        "\(file) holds no hours that can be read; name a file like realworld.jsonl for --hours",
        .badData)
    }
    let start: Int64 = 1_767_225_600  // 2026-01-01
    instants = (0..<64).map { Instant(seconds: start + Int64($0) * 491_377) }
  }

  /// Nanoseconds of reading one text, the median of all.
  func parse(_ stopwatch: Stopwatch) -> Double {
    median(of: texts.indices, each: 16, stopwatch) { place in
      for _ in 0..<16 { precondition((try? OpeningHours(texts[place])) != nil) }
    }
  }

  /// Nanoseconds of finding the state at an instant, the median of all texts.
  func state(_ stopwatch: Stopwatch) -> Double {
    var open = 0
    let nanoseconds = median(of: hours.indices, each: instants.count, stopwatch) { place in
      for instant in instants
      where hours[place].state(at: instant, setting: setting) == .open {
        open &+= 1
      }
    }
    precondition(open > 0, "nothing is ever open")
    return nanoseconds
  }

  private func median(
    of places: Range<Int>, each repetitions: Int, _ stopwatch: Stopwatch, _ body: (Int) -> Void
  ) -> Double {
    let times = places.map { place in
      let start = stopwatch.seconds
      body(place)
      return stopwatch.seconds(since: start) * 1e9 / Double(repetitions)
    }
    return times.sorted()[times.count / 2]
  }

  /// That a state is what the matching rule says, which another way through the rules finds.
  func check() {
    for (place, value) in hours.enumerated() {
      for instant in instants.prefix(8) {
        let answer = value.answer(at: instant, setting: setting)
        precondition(
          value.state(at: instant, setting: setting) == answer.state,
          "\(texts[place]) has two states at \(instant)")
      }
    }
  }
}
