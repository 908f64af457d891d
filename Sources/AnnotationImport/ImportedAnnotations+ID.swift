import Geodesy
import MapAnnotations

/// Fast access for joins of millions of records, by index and without making annotations.
extension ImportedAnnotations {
  /// Appends the text of a record's id as UTF-8: the same as `self[position].id.text`, usually
  /// without making a string.
  package func appendID(of position: Int, to bytes: inout [UInt8]) {
    guard tables.count == 1, !isPacked, case .delimited(let rows) = tables[0].rows else {
      bytes += self[position].id.text.utf8
      return
    }
    rows.appendID(ofRow: position, numbering: tables[0].numbering, to: &bytes)
  }

  /// The position of a record: the same as `self[position].coordinate`.
  package func coordinate(at position: Int) -> Coordinate? {
    guard tables.count == 1, !isPacked else { return self[position].coordinate }
    let latitude = tables[0].latitudes[position]
    return latitude.isNaN ? nil : Coordinate(unchecked: latitude, tables[0].longitudes[position])
  }
}

extension DelimitedRows {
  fileprivate func appendID(
    ofRow row: Int, numbering: RecordNumbering, to text: inout [UInt8]
  ) {
    guard let column = roles.id else {
      return appendDecimal(numbering.record(ofRow: row), to: &text)
    }
    let isWritten = bytes.withUnsafeBufferPointer { buffer in
      var reader = DelimitedReader(buffer, dialect: dialect, from: offsets[row])
      guard let cell = reader.cell(column), !cell.hasDoubledQuotes,
        !ContentID.isBlank(buffer[cell.start..<cell.end])
      else { return false }
      text.append(contentsOf: buffer[cell.start..<cell.end])
      return true
    }
    if !isWritten { text += id(ofRow: row, record: numbering.record(ofRow: row)).text.utf8 }
  }
}
