import AnnotationImport
import Geodesy

/// The boxes of a CSV file with the columns west, south, east, north.
enum BoxFile {
  static func boxes(of file: FileName) throws(CommandError) -> [BoundingBox] {
    let bytes = try Files.bytes(of: file)
    let records = DelimitedRow.rows(of: bytes)
    guard let header = records.first?.cells else {
      throw CommandError(
        "empty-input", "\(file.text): there is nothing in it; give west,south,east,north and rows",
        status: .badData)
    }
    var places: [Int] = []
    for edge in ["west", "south", "east", "north"] {
      guard let place = header.firstIndex(where: { $0.lowercased() == edge }) else {
        throw CommandError(
          "no-bbox-fields",
          "\(file.text): columns are \(header.joined(separator: ",")); name them west,south,east,north",
          status: .badData)
      }
      places.append(place)
    }
    var boxes: [BoundingBox] = []
    for row in records.dropFirst() {
      do throws(CommandError) {
        let edges = places.map { $0 < row.cells.count ? row.cells[$0] : "" }
        boxes.append(try parseBox(edges.joined(separator: ",")))
      } catch {
        throw CommandError(
          error.code, "\(file.text):\(row.line): \(error.description)", status: .badData)
      }
    }
    return boxes
  }
}

/// A row of a small CSV file, or of standard input.
struct DelimitedRow {
  /// The line it begins on, from 1.
  let line: Int
  let cells: [String]

  /// Every row, a blank one too if it is wanted; a stray quote is a character like any other there.
  static func rows(of bytes: [UInt8], keepsBlank: Bool = false) -> [DelimitedRow] {
    bytes.withUnsafeBufferPointer { bytes in
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      var reader = DelimitedReader(
        bytes, dialect: DelimitedDialect().withLineEnds(of: bytes), from: start)
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
