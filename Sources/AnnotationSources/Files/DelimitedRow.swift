import AnnotationImport
import Geodesy

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
