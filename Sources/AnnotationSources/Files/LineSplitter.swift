/// The lines of a text that comes in pieces, whatever is in one piece.
///
/// Pieces are cut at line feeds only, so a letter that two of them share stays whole.
struct LineSplitter {
  /// The bytes behind the last line feed.
  private var rest: [UInt8] = []
  private var isAtStart = true

  /// How many bytes of a line wait for its end.
  var waitingByteCount: Int { rest.count }

  /// The lines that a piece completes, with their line feeds, and without the text's byte order mark.
  mutating func lines(completedBy piece: [UInt8]) -> [ArraySlice<UInt8>] {
    guard let end = piece.lastIndex(of: UInt8(ascii: "\n")) else {
      rest += piece
      return []
    }
    let complete = rest + piece[...end]
    rest = Array(piece[(end + 1)...])
    return split(complete)
  }

  /// The last line, if it has no line feed.
  mutating func lastLine() -> [ArraySlice<UInt8>] {
    defer { rest = [] }
    return split(rest)
  }

  private mutating func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var start = isAtStart && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    isAtStart = false
    var lines: [ArraySlice<UInt8>] = []
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      lines.append(bytes[start..<end])
      start = end
    }
    return lines
  }
}
