import Geodesy
import MapAnnotations

extension ImportedAnnotation {
  /// Appends the text of the id as UTF-8: what `id.text` says, mostly without making text of it.
  package func appendID(to bytes: inout [UInt8]) {
    switch table.rows {
    case .delimited(let rows): rows.appendID(ofRow: row, numbering: table.numbering, to: &bytes)
    case .features: bytes += id.text.utf8
    }
  }
}

extension DelimitedRows {
  fileprivate func appendID(
    ofRow row: Int, numbering: RecordNumbering, to text: inout [UInt8]
  ) {
    let record = numbering.record(ofRow: row)
    guard let column = roles.id else { return appendDecimal(record, to: &text) }
    let isWritten = bytes.withUnsafeBufferPointer { buffer in
      var reader = DelimitedReader(buffer, dialect: dialect, from: offsets[row])
      guard let cell = reader.cell(column), !cell.hasDoubledQuotes,
        !ContentID.isBlank(buffer[cell.start..<cell.end])
      else { return false }
      text.append(contentsOf: buffer[cell.start..<cell.end])
      return true
    }
    if !isWritten { text += id(ofRow: row, record: record).text.utf8 }
  }
}

extension ImportedAnnotations {
  /// Where a record is, as `self[position].coordinate` says.
  package func coordinate(at position: Int) -> Coordinate? {
    guard tables.count == 1, !isPacked else { return self[position].coordinate }
    let latitude = tables[0].latitudes[position]
    return latitude.isNaN ? nil : Coordinate(unchecked: latitude, tables[0].longitudes[position])
  }
}
