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
  /// - Complexity: O(*n*) in the length of the text; the binary search for scalars outside ASCII
  ///   and the Hangul syllables takes about 10 ns each.
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
    if (0xAC00...0xD7A3).contains(value) { return 2 }
    if UnicodeWidths.contains(UnicodeWidths.zero, value) { return 0 }
    return UnicodeWidths.contains(UnicodeWidths.wide, value) ? 2 : 1
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
        || (Cells.isSkinTone(follower) && base.properties.isEmojiModifierBase)
    }

    private static func isSkinTone(_ scalar: Unicode.Scalar) -> Bool {
      (0x1F3FB...0x1F3FF).contains(scalar.value)
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
      (0x1F1E6...0x1F1FF).contains(scalar.value)
    }
  }
}
