/// Foreign text made fit for a terminal: cleaned, shortened, padded.
public enum TerminalText {
  /// Text that cannot command a terminal: it stays on its line and sends no escape sequence.
  ///
  /// Tabs and line breaks of every kind become a space. Other control characters become their
  /// pictures (ESC is `␛`), so that what was there stays visible; those above U+007F, which have
  /// none, become `�`. The marks that turn the direction of what follows are left out.
  ///
  /// - Complexity: O(*n*); text without such characters comes back as it is.
  public static func sanitized(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09...0x0D, 0x85, 0x2028, 0x2029: safe.append(" ")
      case 0x00...0x1F: safe.append(scalar.picture)
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

  /// The beginning of a text that fits into some columns, ending in `…` where it was cut.
  ///
  /// A wide character that would stick out by half is left out whole, so the answer may be one
  /// column narrower than asked. Marks are never torn from what they sit on.
  ///
  /// - Parameters:
  ///   - text: One line of text.
  ///   - columns: The room; 0 or less gives an empty text.
  /// - Complexity: O(*n*).
  public static func truncated(_ text: String, to columns: Int) -> String {
    truncated(text, to: columns, mark: "…")
  }

  /// The same with another mark, one column wide.
  static func truncated(_ text: String, to columns: Int, mark: Character) -> String {
    guard columns > 0 else { return "" }
    if text.utf8.count <= columns, DisplayWidth.isPlain(text) { return text }
    var used = 0
    // Where to cut, should the text turn out too long: the last place that leaves a column.
    var cut = text.startIndex
    var cells = DisplayWidth.Cells(text)
    while let cell = cells.next() {
      used += cell.columns
      if used > columns { return text[..<cut] + String(mark) }
      if used < columns { cut = cell.end }
    }
    return text
  }

  /// Which end of a column text keeps to.
  public enum Alignment: Sendable {
    case left, right
  }

  /// A text brought to some columns exactly: cut with `…` where longer, filled with spaces where
  /// shorter.
  ///
  /// - Complexity: O(*n*).
  public static func padded(
    _ text: String, to columns: Int, alignment: Alignment = .left
  ) -> String {
    let text = truncated(text, to: columns)
    let fill = String(repeating: " ", count: max(0, columns - DisplayWidth.columns(of: text)))
    return switch alignment {
    case .left: text + fill
    case .right: fill + text
    }
  }
}

extension Unicode.Scalar {
  /// The picture of a C0 control character, from the block Control Pictures.
  fileprivate var picture: Unicode.Scalar { Unicode.Scalar(0x2400 + UInt16(value)) ?? "\u{FFFD}" }
}
