import AnnotationImport
import BusinessHours
import Geodesy
import MapAnnotations

/// A file of holidays: `yyyy-MM-dd,name` a line.
package enum HolidayFile {
  package static func holidays(of file: FileName) throws(ReportedError) -> [HolidayCalendar.Holiday]
  {
    var holidays: [HolidayCalendar.Holiday] = []
    for row in DelimitedRow.rows(of: try Files.unpacked(try Files.bytes(of: file), of: file)) {
      guard let first = row.cells.first, !first.isEmpty else { continue }
      let parts = first.split(separator: "-")
      let numbers = parts.compactMap { Int($0) }
      guard parts.count == 3, numbers.count == 3,
        let date = CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2])
      else {
        // A header has no digits; a date that cannot be read has.
        if row.line == 1, !first.contains(where: \.isNumber) { continue }
        throw ReportedError(
          "bad-holiday",
          "\(file.text):\(row.line): \"\(first)\" is not a day; write 2026-11-22,name",
          fault: .badData)
      }
      holidays.append(
        HolidayCalendar.Holiday(
          day: date.dayNumber, name: row.cells.count > 1 ? row.cells[1] : ""))
    }
    return holidays
  }
}
