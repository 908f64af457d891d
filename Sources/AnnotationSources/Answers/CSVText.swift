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
    quote(from: start, in: &bytes)
  }

  /// Puts the cell at the end into quotes where it needs them.
  ///
  /// - Parameter start: The place of its first byte.
  package static func quote(from start: Int, in bytes: inout [UInt8]) {
    let needsQuotes = bytes[start...].contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r")
    }
    guard needsQuotes else { return }
    let cell = Array(bytes[start...])
    bytes.removeSubrange(start...)
    bytes.append(UInt8(ascii: "\""))
    for byte in cell {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
