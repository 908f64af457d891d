/// The records of a small CSV file (RFC 4180, any ASCII-compatible encoding), by plain means:
/// these tests do not judge the data by the reader that the program uses.
struct DelimitedTable {
  let header: [String]
  /// Cells as bytes, because one of the sources is CP949.
  let records: [[[UInt8]]]

  init(_ bytes: some Sequence<UInt8>) {
    var lines: [[[UInt8]]] = []
    var cells: [[UInt8]] = []
    var cell: [UInt8] = []
    var isQuoted = false
    var lastWasQuote = false
    for byte in bytes {
      if isQuoted {
        if byte == UInt8(ascii: "\"") {
          isQuoted = false
          lastWasQuote = true
        } else {
          cell.append(byte)
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        if lastWasQuote { cell.append(byte) }  // a doubled quote inside quotes is one
        isQuoted = true
      case UInt8(ascii: ","):
        cells.append(cell)
        cell = []
      case UInt8(ascii: "\n"):
        cells.append(cell)
        if cells != [[]] { lines.append(cells) }  // a blank line is no record
        cell = []
        cells = []
      case UInt8(ascii: "\r"): break
      default: cell.append(byte)
      }
      lastWasQuote = false
    }
    if !cell.isEmpty || !cells.isEmpty { lines.append(cells + [cell]) }
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    header = (lines.first ?? []).enumerated().map { position, name in
      let hasMark = position == 0 && name.starts(with: byteOrderMark)
      return String(decoding: hasMark ? Array(name.dropFirst(3)) : name, as: UTF8.self)
    }
    records = Array(lines.dropFirst())
  }

  /// The records of a UTF-8 file by column name.
  var rows: [[String: String]] {
    records.map { cells in
      Dictionary(zip(header, cells.map { String(decoding: $0, as: UTF8.self) })) { first, _ in first
      }
    }
  }
}
