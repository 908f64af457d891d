/// Whether text carries color for a terminal.
public enum TerminalColor: Sendable {
  /// No escape sequences.
  case none
  /// The 256 standard terminal colors, as ANSI escape sequences.
  case ansi
}

/// The color of a character in a map or a table.
enum Ink: Hashable, Sendable {
  /// The terminal's default color.
  case plain
  /// For lines behind the markers, and headers.
  case faint
  /// For the origin, and counts of several kinds.
  case strong
  /// A kind's color, by its index in ``KindPalette``.
  case kind(Int)

  /// The parameters of the escape sequence "select graphic rendition" (ECMA-48 §8.3.117).
  fileprivate var parameters: String {
    switch self {
    case .plain: "0"
    case .faint: "2"
    case .strong: "1"
    case .kind(let place): "1;38;5;\(Ink.kindColors[place % Ink.kindColors.count])"
    }
  }

  /// Colors that people with any kind of color vision can distinguish, as indices of the 256 colors.
  ///
  /// Source: M. Okabe and K. Ito, "Color Universal Design", 2008: sky blue, orange, bluish green, reddish purple,
  /// vermilion, yellow, blue; each the nearest color of the 6 × 6 × 6 cube.
  private static let kindColors = [74, 214, 36, 175, 166, 227, 25]
}

/// Builds lines of text, with or without color.
struct InkedText {
  private(set) var text = ""
  private let color: TerminalColor
  private var current = Ink.plain

  init(color: TerminalColor) { self.color = color }

  mutating func append(_ part: String, _ ink: Ink = .plain) {
    select(ink)
    text += part
  }

  mutating func append(_ scalar: Unicode.Scalar, _ ink: Ink = .plain) {
    // A space shows no color, and most of a map is spaces.
    if scalar != " " { select(ink) }
    text.unicodeScalars.append(scalar)
  }

  /// Ends a line in plain ink, so that it can be cut out and shown alone.
  mutating func endLine() {
    select(.plain)
    text.append("\n")
  }

  /// The text without its last line break.
  consuming func finished() -> String {
    select(.plain)
    if text.utf8.last == UInt8(ascii: "\n") { text.removeLast() }
    return text
  }

  private mutating func select(_ ink: Ink) {
    guard color == .ansi, ink != current else { return }
    // Reset first, because inks do not undo each other.
    if current != .plain { text += "\u{1B}[0m" }
    if ink != .plain { text += "\u{1B}[\(ink.parameters)m" }
    current = ink
  }
}
