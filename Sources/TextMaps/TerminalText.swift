import Geodesy
import MapAnnotations

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

// MARK: - Width

/// The number of terminal columns that a text fills.
///
/// Hangul, kana, Chinese characters, fullwidth forms and emoji fill two columns, combining marks
/// none, and everything else one, including characters whose width Unicode calls ambiguous (`→`,
/// `①`, `│`). Emoji joined to one picture, a flag of two regional indicators and an emoji with its
/// skin tone count once.
///
///     DisplayWidth.columns(of: "씨네큐브 2관")  // 12
///
/// A terminal may know another version of Unicode, or draw a joined emoji as its parts; then its
/// widths differ from these, and no program can detect that.
///
/// Source: Unicode 17.0.0, UAX #11 "East Asian Width" and UTS #51 "Unicode Emoji".
public enum DisplayWidth {
  /// The columns that text fills, on one line.
  ///
  /// Control characters count 0; clean foreign text with ``TerminalText/sanitized(_:)`` first.
  ///
  /// - Complexity: O(*n*) in the length of the text; looking up scalars outside ASCII and the
  ///   Hangul syllables takes up to 100 ns each.
  public static func columns(of text: String) -> Int {
    if isPlain(text) { return text.utf8.count }
    var columns = 0
    var cells = Cells(text)
    while let cell = cells.next() { columns += cell.columns }
    return columns
  }

  /// Whether a text is printable ASCII, like most texts: then each byte fills one column.
  static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }

  /// The columns of a single scalar, 0…2.
  static func columns(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value < 0x20 || (0x7F...0x9F).contains(value) ? 0 : 1 }
    if (0xAC00...0xD7A3).contains(value) || UnicodeWidths.isWide(scalar) { return 2 }
    return UnicodeWidths.isZero(scalar) ? 0 : 1
  }
}

extension DisplayWidth {
  /// Text split into terminal cells: a scalar that moves the cursor, with the following ones that
  /// do not.
  struct Cells {
    private let scalars: String.UnicodeScalarView
    private var position: String.Index

    init(_ text: String) {
      scalars = text.unicodeScalars
      position = scalars.startIndex
    }

    /// The columns and the end of the next cell; nil at the end of the text.
    mutating func next() -> (columns: Int, end: String.Index)? {
      guard position < scalars.endIndex else { return nil }
      let base = scalars[position]
      scalars.formIndex(after: &position)
      var columns = DisplayWidth.columns(of: base)
      if Cells.isRegionalIndicator(base), let second = following, Cells.isRegionalIndicator(second)
      {
        scalars.formIndex(after: &position)
      }
      // Usually one scalar without followers, decided without looking up its properties.
      while let follower = following, follower.value >= 0x300, takes(follower, after: base) {
        scalars.formIndex(after: &position)
        if follower == "\u{FE0F}", base.properties.isEmoji {
          columns = 2  // emoji presentation requested
        } else if follower == "\u{200D}", base.properties.isEmoji, let joined = following,
          joined.properties.isEmoji
        {
          scalars.formIndex(after: &position)
        }
      }
      return (columns, position)
    }

    private var following: Unicode.Scalar? {
      position < scalars.endIndex ? scalars[position] : nil
    }

    private func takes(_ follower: Unicode.Scalar, after base: Unicode.Scalar) -> Bool {
      DisplayWidth.columns(of: follower) == 0
        // A skin tone.
        || ((0x1F3FB...0x1F3FF).contains(follower.value) && base.properties.isEmojiModifierBase)
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
      (0x1F1E6...0x1F1FF).contains(scalar.value)
    }
  }
}

/// The scalars that fill two terminal columns, and those that fill none.
enum UnicodeWidths {
  /// East Asian Wide and Fullwidth, and the regional indicators, except marks and what is ignored: closed ranges,
  /// flattened to first, last, first, last, in ascending order.
  ///
  /// Source: the Unicode Character Database, version 17.0.0 (EastAsianWidth.txt), read through Python's unicodedata2.
  static let wide: [UInt32] = [
    0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0,
    0x23F3, 0x23F3, 0x25FD, 0x25FE, 0x2614, 0x2615, 0x2630, 0x2637, 0x2648, 0x2653,
    0x267F, 0x267F, 0x268A, 0x268F, 0x2693, 0x2693, 0x26A1, 0x26A1, 0x26AA, 0x26AB,
    0x26BD, 0x26BE, 0x26C4, 0x26C5, 0x26CE, 0x26CE, 0x26D4, 0x26D4, 0x26EA, 0x26EA,
    0x26F2, 0x26F3, 0x26F5, 0x26F5, 0x26FA, 0x26FA, 0x26FD, 0x26FD, 0x2705, 0x2705,
    0x270A, 0x270B, 0x2728, 0x2728, 0x274C, 0x274C, 0x274E, 0x274E, 0x2753, 0x2755,
    0x2757, 0x2757, 0x2795, 0x2797, 0x27B0, 0x27B0, 0x27BF, 0x27BF, 0x2B1B, 0x2B1C,
    0x2B50, 0x2B50, 0x2B55, 0x2B55, 0x2E80, 0x2E99, 0x2E9B, 0x2EF3, 0x2F00, 0x2FD5,
    0x2FF0, 0x3029, 0x3030, 0x303E, 0x3041, 0x3096, 0x309B, 0x30FF, 0x3105, 0x312F,
    0x3131, 0x3163, 0x3165, 0x318E, 0x3190, 0x31E5, 0x31EF, 0x321E, 0x3220, 0x3247,
    0x3250, 0xA48C, 0xA490, 0xA4C6, 0xA960, 0xA97C, 0xAC00, 0xD7A3, 0xF900, 0xFAFF,
    0xFE10, 0xFE19, 0xFE30, 0xFE52, 0xFE54, 0xFE66, 0xFE68, 0xFE6B, 0xFF01, 0xFF60,
    0xFFE0, 0xFFE6, 0x16FE0, 0x16FE3, 0x16FF2, 0x16FF6, 0x17000, 0x18CD5, 0x18CFF, 0x18D1E,
    0x18D80, 0x18DF2, 0x1AFF0, 0x1AFF3, 0x1AFF5, 0x1AFFB, 0x1AFFD, 0x1AFFE, 0x1B000, 0x1B122,
    0x1B132, 0x1B132, 0x1B150, 0x1B152, 0x1B155, 0x1B155, 0x1B164, 0x1B167, 0x1B170, 0x1B2FB,
    0x1D300, 0x1D356, 0x1D360, 0x1D376, 0x1F004, 0x1F004, 0x1F0CF, 0x1F0CF, 0x1F18E, 0x1F18E,
    0x1F191, 0x1F19A, 0x1F1E6, 0x1F202, 0x1F210, 0x1F23B, 0x1F240, 0x1F248, 0x1F250, 0x1F251,
    0x1F260, 0x1F265, 0x1F300, 0x1F320, 0x1F32D, 0x1F335, 0x1F337, 0x1F37C, 0x1F37E, 0x1F393,
    0x1F3A0, 0x1F3CA, 0x1F3CF, 0x1F3D3, 0x1F3E0, 0x1F3F0, 0x1F3F4, 0x1F3F4, 0x1F3F8, 0x1F43E,
    0x1F440, 0x1F440, 0x1F442, 0x1F4FC, 0x1F4FF, 0x1F53D, 0x1F54B, 0x1F54E, 0x1F550, 0x1F567,
    0x1F57A, 0x1F57A, 0x1F595, 0x1F596, 0x1F5A4, 0x1F5A4, 0x1F5FB, 0x1F64F, 0x1F680, 0x1F6C5,
    0x1F6CC, 0x1F6CC, 0x1F6D0, 0x1F6D2, 0x1F6D5, 0x1F6D8, 0x1F6DC, 0x1F6DF, 0x1F6EB, 0x1F6EC,
    0x1F6F4, 0x1F6FC, 0x1F7E0, 0x1F7EB, 0x1F7F0, 0x1F7F0, 0x1F90C, 0x1F93A, 0x1F93C, 0x1F945,
    0x1F947, 0x1F9FF, 0x1FA70, 0x1FA7C, 0x1FA80, 0x1FA8A, 0x1FA8E, 0x1FAC6, 0x1FAC8, 0x1FAC8,
    0x1FACD, 0x1FADC, 0x1FADF, 0x1FAEA, 0x1FAEF, 0x1FAF8, 0x20000, 0x2FFFD, 0x30000, 0x3FFFD,
  ]

  static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    // Only the first range whose last scalar is not before this one can contain it.
    let low = (0..<wide.count / 2).partitioningCount { wide[2 * $0 + 1] < scalar.value }
    return low < wide.count / 2 && wide[2 * low] <= scalar.value
  }

  /// Whether a scalar is a mark, a format control (except the soft hyphen and the signs that enclose numbers), a line
  /// or paragraph separator, a vowel, final or filler of Hangul, or to be ignored by default.
  static func isZero(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: return false
    case 0x1160...0x11FF, 0x3164, 0xD7B0...0xD7FF, 0xFFA0: return true
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .format, .lineSeparator,
      .paragraphSeparator:
      return true
    case .unassigned: return scalar.properties.isDefaultIgnorableCodePoint
    default: return false
    }
  }
}

// MARK: - Color

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

  /// Colors that people with any kind of color vision can distinguish, on black and on white, as indices of the 256
  /// colors.
  ///
  /// After M. Okabe and K. Ito, "Color Universal Design", 2008: sky blue, orange, bluish green, reddish purple,
  /// vermilion, yellow, blue. Theirs are for white paper or for a screen; these are of the 6 × 6 × 6 cube with a
  /// contrast of 2.3 or more (WCAG 2) to black and to white, as far from each other as may be in the CIELAB of any
  /// color vision (Machado et al., 2009): 17, where the colors nearest to theirs are 9 from each other.
  private static let kindColors = [39, 208, 29, 175, 160, 143, 25]
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

/// The color and sign of each kind, the same in a map and the table beside it.
///
/// Cinema, mart and deal have fixed indices; other kinds follow in the order of their names' UTF-8
/// bytes, so that colors do not depend on the order of the results.
struct KindPalette: Sendable {
  private var places: [AnnotationKind: Int] = [.cinema: 0, .mart: 1, .deal: 2]

  init(_ kinds: some Sequence<AnnotationKind?>) {
    var others: Set<AnnotationKind> = []
    for case let kind? in kinds where places[kind] == nil { others.insert(kind) }
    let inOrder = others.sorted {
      $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8)
    }
    for kind in inOrder { places[kind] = places.count }
  }

  /// A kind's index, from 0; nil for the unknown kind, which has no color.
  func place(of kind: AnnotationKind?) -> Int? {
    kind.flatMap { places[$0] }
  }

  func ink(of kind: AnnotationKind?) -> Ink { place(of: kind).map(Ink.kind) ?? .strong }

  /// The sign of an annotation without a number.
  func sign(of kind: AnnotationKind?, style: TextMap.Style) -> Unicode.Scalar {
    guard let place = place(of: kind) else { return style == .ascii ? "*" : "○" }
    let signs = style == .ascii ? KindPalette.asciiSigns : KindPalette.signs
    return signs[place % signs.count]
  }

  // Letters follow the signs, so that 28 kinds can be distinguished without color. None is a question mark, which
  // stands for what is not ASCII in the names of kinds.
  private static let asciiSigns = Array("ox#%&$=".unicodeScalars) + letters
  private static let signs = Array("●▲■◆▼★◉".unicodeScalars) + letters
  private static let letters = Array("abcdefghijklmnpqrstuv".unicodeScalars)
}
