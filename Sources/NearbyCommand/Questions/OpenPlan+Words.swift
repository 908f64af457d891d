import AnnotationImport
import AnnotationSources
import BusinessHours
import Geodesy
import MapAnnotations
import NearbySearch

extension OpenPlan {
  /// What is told of an annotation in a table: `open until 18:00`.
  func words(_ status: OpenStatus, of item: ImportedAnnotation) -> String {
    if let words = status.business.words { return words }
    let setting = clocks.setting(of: item)
    func time(_ instant: Instant) -> String {
      TimeText.brief(instant, seenFrom: condition.instant, setting)
    }
    let comment = status.comment.map { " (\($0))" } ?? ""
    switch status.state {
    case .open:
      if let opens = status.opens, let end = status.nextChange {
        return "closes \(time(end)), opens \(time(opens))\(comment)"
      }
      return (status.nextChange.map { "open until \(time($0))" } ?? "open") + comment
    case .closed:
      return (status.opens.map { "opens \(time($0))" } ?? "closed") + comment
    case .unknown: return "hours unknown" + comment
    }
  }
}

/// Asks annotations, from any task, whether they are open.
final class OpenAdmission: Sendable {
  private let filter: SharedValue<OpenFilter<ImportedAnnotation>>

  init(_ plan: OpenPlan) {
    filter = SharedValue(
      OpenFilter(plan.condition, reader: plan.clocks.reader, from: nil))
  }

  func includes(_ item: ImportedAnnotation) -> Bool {
    filter.withLock { $0.includes(item) }
  }
}

/// A file of holidays: `yyyy-MM-dd,name` a line.
enum HolidayFile {
  static func holidays(of name: String?) throws(CommandError) -> [HolidayCalendar.Holiday] {
    guard let name else { return [] }
    let file = FileName(argument: name)
    var holidays: [HolidayCalendar.Holiday] = []
    for row in DelimitedRow.rows(of: try Files.unpacked(try Files.bytes(of: file), of: file)) {
      guard let first = row.cells.first, !trimmed(first).isEmpty else { continue }
      let parts = trimmed(first).split(separator: "-").compactMap { Int($0) }
      guard parts.count == 3, (1...9999).contains(parts[0]), (1...12).contains(parts[1]),
        LocalTime(year: parts[0], month: parts[1], day: parts[2]).date
          == (parts[0], parts[1], parts[2])
      else {
        if row.line == 1 { continue }  // A header.
        throw CommandError(
          "bad-holiday",
          "\(file.text):\(row.line): \"\(trimmed(first))\" is not a day; write 2026-11-22,name",
          status: .badData)
      }
      holidays.append(
        HolidayCalendar.Holiday(
          year: parts[0], month: parts[1], day: parts[2],
          name: row.cells.count > 1 ? trimmed(row.cells[1]) : ""))
    }
    return holidays
  }
}
