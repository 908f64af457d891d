import Geodesy

/// CSV as RFC 4180 has it, with line feeds: cells with a comma, a quote or a line end are quoted.
package enum CSVText {
  package static func append(_ cells: [String], to bytes: inout [UInt8]) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      append(cell: cell, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// One line.
  package static func line(_ cells: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    append(cells, to: &bytes)
    return bytes
  }

  package static func append(cell: String, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: cell.utf8)
    bytes.quoteCell(from: start)
  }
}
