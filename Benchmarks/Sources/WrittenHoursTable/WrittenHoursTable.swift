import AnnotationImport
import Complaints
import Foundation
import NearbyKit

/// How much of real columns of hours and closing days is understood, as a Markdown table.
///
///     swift run -c release written-hours ../../shared/data
///     swift run -c release written-hours --read texts.tsv
///
/// The second prints what is read of each line `closing`, `hours` or `cells`, tab, text; cells are the six
/// times of the three classes of days, the days of operation and the closing days, set apart by U+001F.
///
/// `understood` are rows of which every word was read, `with days left open` those among them whose
/// words leave some days open, `in part` rows with a part that was not read, `unknown` rows whose value is
/// *unknown* throughout.
@main
enum WrittenHoursTable {
  private typealias Rows = [ImportedAnnotation]

  /// One line of the table: its texts, and how they are read.
  private struct Column {
    let name: String
    let texts: [[String]]
    let read: ([String]) -> WrittenHours
  }

  static func main() {
    Complaint.ending("usage: written-hours [FOLDER], or --read TEXTS.tsv") { arguments in
      if arguments.words.first == "--read", arguments.words.count == 2 {
        return try read(arguments.words[1])
      }
      try run(try arguments.operands(0...1).first ?? "../../shared/data")
    }
  }

  private static func run(_ folder: String) throws {
    func rows(_ path: String) throws -> Rows {
      let bytes = try contents(of: URL(filePath: folder).appending(path: path).path)
      // Whatever their positions, their texts count.
      let options = ImportOptions()
      return Array(
        try AnnotationImporter(options: options).read([UInt8](bytes), named: path).annotations)
    }
    func texts(_ rows: Rows, _ columns: [String]) -> [[String]] {
      rows.map { row in columns.map { row.property($0)?.text ?? "" } }
    }
    let libraries = try rows("kr-libraries/libraries-2023.cp949.csv")
    let parking = try rows("kr-parking/parking-2022.cp949.csv.gz")
    let markets = try rows("kr-markets/markets-2024.cp949.csv")
    let shops = try rows("jp-yaizu-deals/tourism_shops.csv")
    let coupons = try rows("jp-yaizu-deals/digital_coupon.csv")
    let times = [
      "평일운영시작시각", "평일운영종료시각", "토요일운영시작시각", "토요일운영종료시각", "공휴일운영시작시각", "공휴일운영종료시각",
    ]
    let closing: ([String]) -> WrittenHours = { WrittenHours("", closingDays: $0[0]) }
    let hours: ([String]) -> WrittenHours = { WrittenHours($0[0]) }
    func classes(_ cells: [String], _ operating: String, _ closing: String) -> WrittenHours {
      WrittenHours(
        weekdays: WrittenTimes(cells[0], cells[1]), saturdays: WrittenTimes(cells[2], cells[3]),
        holidays: WrittenTimes(cells[4], cells[5]), operatingDays: operating, closingDays: closing)
    }
    print(
      "| column | rows | texts | understood | with days left open | in part | unknown | µs to read, median, most | ns a state, median, most |"
    )
    print("| --- | --: | --: | --: | --: | --: | --: | --: | --: |")
    for column in [
      Column(name: "kr-libraries 휴관일", texts: texts(libraries, ["휴관일"]), read: closing),
      Column(
        name: "kr-libraries hours and 휴관일", texts: texts(libraries, times + ["휴관일"]),
        read: { classes($0, "", $0[6]) }),
      Column(
        name: "kr-parking hours and 운영요일", texts: texts(parking, times + ["운영요일"]),
        read: { classes($0, $0[6], "") }),
      Column(name: "kr-markets 시장개설주기", texts: texts(markets, ["시장개설주기"]), read: hours),
      Column(name: "jp-yaizu-deals 休業日", texts: texts(shops, ["休業日"]), read: closing),
      Column(
        name: "jp-yaizu-deals 利用可能日時特記事項", texts: texts(shops, ["利用可能日時特記事項"]), read: hours),
      Column(
        name: "jp-yaizu-deals 店舗説明 with 時, ： or 休",
        texts: texts(coupons, ["店舗説明"]).filter { cells in
          cells[0].contains { "時:：休".contains($0) }
        }, read: hours),
    ] { report(column) }
  }

  private static func report(_ column: Column) {
    let texts = column.texts.filter { $0.contains { !$0.isEmpty } }
    var counts = (understood: 0, open: 0, part: 0, unknown: 0)
    let distinct = Set(texts)
    var readings: [[String]: WrittenHours] = [:]
    // The best of several, so that a slow moment counts for nothing.
    var reading: [Double] = []
    var state: [Double] = []
    for text in distinct {
      var best = (reading: Double.infinity, state: Double.infinity)
      for _ in 0..<5 {
        let start = ContinuousClock.now
        let read = column.read(text)
        best.reading = min(best.reading, (ContinuousClock.now - start) / .microseconds(1))
        readings[text] = read
        best.state = min(best.state, nanoseconds(of: read.hours))
      }
      reading.append(best.reading)
      state.append(best.state)
    }
    reading.sort()
    state.sort()
    for text in texts {
      guard let reading = readings[text] else { continue }
      switch reading.extent {
      case .whole:
        counts.understood += 1
        if !reading.doubts.isEmpty { counts.open += 1 }
      case .part: counts.part += 1
      case .none: counts.unknown += 1
      }
    }
    func share(_ count: Int) -> String {
      String(format: "%.1f %%", 100 * Double(count) / Double(max(1, texts.count)))
    }
    func told(_ values: [Double]) -> String {
      values.isEmpty
        ? "" : String(format: "%.0f, %.0f", values[values.count / 2], values[values.count - 1])
    }
    print(
      "| \(column.name) | \(texts.count) | \(distinct.count) | \(share(counts.understood))",
      "| \(share(counts.open)) | \(share(counts.part)) | \(share(counts.unknown))",
      "| \(told(reading)) | \(told(state)) |")
  }

  /// What it takes to find the state at an instant, over instants of a year and more.
  private static func nanoseconds(of hours: OpeningHours) -> Double {
    let setting = HoursSetting(publicHolidays: .korea)
    var open = 0
    let start = ContinuousClock.now
    for instant in instants where hours.state(at: instant, setting: setting) == .open { open += 1 }
    let elapsed = ContinuousClock.now - start
    precondition(open <= 100)
    return elapsed / .nanoseconds(1) / Double(instants.count)
  }

  /// Every four days and a minute or so, for a year.
  private static let instants = (0..<100).map { Instant(seconds: 1_780_000_000 + 345_677 * $0) }

  private static func read(_ file: String) throws {
    for line in String(decoding: try contents(of: file), as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      let cells = parts[1].split(separator: "\u{1F}", omittingEmptySubsequences: false)
        .map(String.init)
      let read: WrittenHours
      switch parts[0] {
      case "closing": read = WrittenHours("", closingDays: parts[1])
      case "cells" where cells.count == 8:
        read = WrittenHours(
          weekdays: WrittenTimes(cells[0], cells[1]), saturdays: WrittenTimes(cells[2], cells[3]),
          holidays: WrittenTimes(cells[4], cells[5]), operatingDays: cells[6],
          closingDays: cells[7])
      default: read = WrittenHours(parts[1])
      }
      let doubts = read.doubts.map { "\($0)" }.joined(separator: "; ")
      print("\(parts[0])\t\(parts[1])\t\(read.hours)\t\(doubts)")
    }
  }
}
