/// Cleans, shortens and pads foreign text for a terminal.
public enum TerminalText {
  /// The text with everything removed that could control a terminal: it stays on its line and contains no escape
  /// sequence.
  ///
  /// Tabs and line breaks of every kind become a space. Other control characters become their pictures (ESC is `␛`), so
  /// that they stay visible; those above U+007F, which have none, become `�`. Direction marks are removed.
  ///
  /// - Complexity: O(*n*); text without such characters is returned unchanged.
  public static func sanitized(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09...0x0D, 0x85, 0x2028, 0x2029: safe.append(" ")
      // From the block Control Pictures.
      case 0x00...0x1F: safe.append(Unicode.Scalar(0x2400 + UInt16(scalar.value)) ?? "\u{FFFD}")
      case 0x7F: safe.append("␡")
      case 0x80...0x9F: safe.append("\u{FFFD}")
      case 0x202A...0x202E, 0x2066...0x2069: break
      default: safe.append(scalar)
      }
    }
    return String(safe)
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The beginning of a text that fits into some columns, with `…` at the end if it was cut.
  ///
  /// A wide character is never split, so the result may be one column narrower than requested.
  /// Marks stay with their base character.
  ///
  /// - Parameters:
  ///   - text: One line of text.
  ///   - columns: The available columns; 0 or less gives an empty text.
  ///   - mark: The mark of a cut text, one column wide.
  /// - Complexity: O(*n*).
  public static func truncated(
    _ text: String, to columns: Int, mark: Character = "…"
  ) -> String {
    guard columns > 0 else { return "" }
    if text.utf8.count <= columns, DisplayWidth.isPlain(text) { return text }
    var used = 0
    // The position to cut if the text is too long: the last that leaves one column.
    var cut = text.startIndex
    var cells = DisplayWidth.Cells(text)
    while let cell = cells.next() {
      used += cell.columns
      if used > columns { return text[..<cut] + String(mark) }
      if used < columns { cut = cell.end }
    }
    return text
  }

  /// A text with an exact number of columns: cut with `…` if longer, padded with spaces if shorter.
  ///
  /// - Complexity: O(*n*).
  public static func padded(_ text: String, to columns: Int) -> String {
    let text = truncated(text, to: columns)
    return text + String(repeating: " ", count: max(0, columns - DisplayWidth.columns(of: text)))
  }
}
