/// CSV as RFC 4180 has it, with line feeds: cells with a comma, a quote or a line end are quoted.
enum CSVText {
  static func append(_ cells: [String], to bytes: inout [UInt8]) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      append(cell: cell, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  static func append(cell: String, to bytes: inout [UInt8]) {
    let needsQuotes = cell.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r")
    }
    guard needsQuotes else { return bytes.append(contentsOf: cell.utf8) }
    bytes.append(UInt8(ascii: "\""))
    for byte in cell.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
