import AnnotationImport
import BusinessHours
import Geodesy
import MapAnnotations

/// A row of a small CSV file, or of a line of standard input.
package struct DelimitedRow {
  /// The line it begins on, from 1.
  package let line: Int
  package let cells: [String]

  /// Every row, a blank one too if it is wanted; a stray quote is a character like any other there.
  package static func rows(of bytes: [UInt8], keepsBlank: Bool = false) -> [DelimitedRow] {
    bytes.withUnsafeBufferPointer { bytes in
      var reader = DelimitedReader(
        bytes, dialect: DelimitedDialect().withLineEnds(of: bytes),
        from: bytes.withoutByteOrderMark.startIndex)
      var rows: [DelimitedRow] = []
      while let record = reader.next() {
        if record.isBlank, !keepsBlank { continue }
        let cells =
          record.unclosedQuoteLine == nil
          ? reader.cells.map { trimmed(reader.text($0)) }
          : String(decoding: bytes[record.start..<record.end], as: UTF8.self)
            .split(separator: ",", omittingEmptySubsequences: false).map { trimmed($0) }
        rows.append(DelimitedRow(line: record.line, cells: cells))
      }
      return rows
    }
  }
}

/// The boxes of a CSV file with the columns west, south, east, north.
package enum BoxFile {
  package static func boxes(of file: FileName) throws(ReportedError) -> [BoundingBox] {
    let bytes = try Files.unpacked(try Files.bytes(of: file), of: file)
    let records = DelimitedRow.rows(of: bytes)
    guard let header = records.first?.cells else {
      throw ReportedError(
        "empty-input", "\(file.text): there is nothing in it; give west,south,east,north and rows",
        fault: .badData)
    }
    var places: [Int] = []
    for edge in ["west", "south", "east", "north"] {
      guard let place = header.firstIndex(where: { $0.lowercased() == edge }) else {
        throw ReportedError(
          "no-bbox-fields",
          "\(file.text): columns are \(header.joined(separator: ",")); name them west,south,east,north",
          fault: .badData)
      }
      places.append(place)
    }
    var boxes: [BoundingBox] = []
    for row in records.dropFirst() {
      let edges = places.map { $0 < row.cells.count ? row.cells[$0] : "" }
      let box = try ReportedError.wrapping(.badData, at: "\(file.text):\(row.line)") {
        () throws(CoordinateError) in try BoundingBox(text: edges.joined(separator: ","))
      }
      boxes.append(box)
    }
    return boxes
  }
}

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
