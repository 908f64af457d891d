import Geodesy
import MapAnnotations

/// The ids of records as text, for joins of millions of them: usually without making a string.
package struct IDTexts: Sendable {
  private let annotations: ImportedAnnotations
  /// Whether records are called by their number.
  private let areNumbers: Bool
  /// Kept here, because to look into a table counts a reference, for which several threads wait.
  private let numbering: RecordNumbering

  package init(_ annotations: ImportedAnnotations) {
    self.annotations = annotations
    guard annotations.tables.count == 1, !annotations.isPacked,
      case .delimited(let rows) = annotations.tables[0].rows, rows.roles.id == nil
    else {
      areNumbers = false
      numbering = RecordNumbering()
      return
    }
    areNumbers = true
    numbering = annotations.tables[0].numbering
  }

  /// Appends the text of a record's id as UTF-8: the same as `annotations[position].id.text`.
  package func append(of position: Int, to bytes: inout [UInt8]) {
    if areNumbers {
      appendDecimal(numbering.record(ofRow: position), to: &bytes)
    } else {
      annotations.appendID(of: position, to: &bytes)
    }
  }
}

/// Fast access by index, without making annotations.
extension ImportedAnnotations {
  fileprivate func appendID(of position: Int, to bytes: inout [UInt8]) {
    guard tables.count == 1, !isPacked, case .delimited(let rows) = tables[0].rows,
      let column = rows.roles.id, rows.appendID(ofRow: position, column: column, to: &bytes)
    else {
      bytes += self[position].id.text.utf8
      return
    }
  }

  /// The position of a record: the same as `self[position].coordinate`.
  package func coordinate(at position: Int) -> Coordinate? {
    guard tables.count == 1, !isPacked else { return self[position].coordinate }
    let latitude = tables[0].latitudes[position]
    return latitude.isNaN ? nil : Coordinate(unchecked: latitude, tables[0].longitudes[position])
  }
}

extension DelimitedRows {
  /// - Returns: Whether the id is just what its cell says.
  fileprivate func appendID(ofRow row: Int, column: Int, to text: inout [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = DelimitedReader(buffer, dialect: dialect, from: offsets[row])
      guard let cell = reader.cell(column), !cell.hasDoubledQuotes,
        !ContentID.isBlank(buffer[cell.start..<cell.end])
      else { return false }
      text.append(contentsOf: buffer[cell.start..<cell.end])
      return true
    }
  }
}
