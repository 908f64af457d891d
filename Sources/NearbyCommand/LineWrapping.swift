import TextMaps

/// Lines of text for a terminal that is narrower than they are.
///
/// A number stays with its unit, a duration whole, and an option with what it is set to: `4 min 0 s`
/// ends no line before `s`. A no-break space (U+00A0) holds any other two words together, and is
/// written as a space.
enum LineWrapping {
  private static let timeUnits: Set<Substring> = ["h", "min", "s"]
  private static let units = timeUnits.union(["m", "km", "cm", "mm", "ms", "m/s", "km/h", "°", "%"])

  /// A text in lines of so many columns, as far as its words allow.
  static func lines(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    var used = 0
    for piece in pieces(of: text) {
      let width = DisplayWidth.columns(of: piece)
      if width > columns, let comma = piece.firstIndex(of: ","), comma != piece.indices.last {
        // A position that no line has room for.
        lines += [String(piece[...comma]), String(piece[comma...].dropFirst())]
        used = columns
      } else if !lines.isEmpty, used + 1 + width <= columns {
        lines[lines.count - 1] += " " + piece
        used += 1 + width
      } else {
        lines.append(piece)
        used = width
      }
    }
    return lines.isEmpty ? [""] : lines
  }

  /// A text behind what stands before it, or under that, with the line's end.
  ///
  /// - Parameters:
  ///   - head: What stands before it, with the spaces in between.
  ///   - width: Columns of the terminal.
  ///   - indent: How far the text is from the edge if it stands under the head; nil for behind it.
  ///   - isCut: Whether it is one line, cut where it is longer; else it takes as many as it needs.
  static func line(
    _ head: String, _ text: String, width: Int, under indent: Int?, isCut: Bool
  ) -> String {
    let margin = indent ?? DisplayWidth.columns(of: head)
    let room = max(8, width - margin)
    let pieces = isCut ? [TerminalText.truncated(text, to: room)] : lines(text, columns: room)
    let space = String(repeating: " ", count: margin)
    let start = head.allSatisfy { $0 == " " } ? space : indent == nil ? head : head + "\n" + space
    return (start + pieces.joined(separator: "\n" + space))
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { withoutTrailingSpaces($0) }.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  private static func withoutTrailingSpaces(_ line: Substring) -> Substring {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Words, with those joined that stay on one line.
  private static func pieces(of text: String) -> [String] {
    var pieces: [String] = []
    var last: Substring?
    for word in text.split(separator: " ") {
      if let last, stays(word, with: last) {
        pieces[pieces.count - 1] += " " + word
      } else {
        pieces.append(String(word))
      }
      last = word
    }
    return pieces.map { String($0.map { $0 == "\u{A0}" ? " " : $0 }) }
  }

  private static func stays(_ word: Substring, with last: Substring) -> Bool {
    if last.last?.isASCIIDigit == true { return units.contains(unpunctuated(word)) }
    // What follows a full unit of time is the rest of a duration.
    if timeUnits.contains(last) { return word.allSatisfy(\.isASCIIDigit) }
    return last.hasPrefix("--") && !word.hasPrefix("--")
  }

  private static func unpunctuated(_ word: Substring) -> Substring {
    var word = word
    while let end = word.last, ",.;:)".contains(end) { word.removeLast() }
    return word
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
