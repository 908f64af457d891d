/// The language of written hours, which suggests the time zone if no position does.
public enum WrittenLanguage: Hashable, Sendable {
  /// Hangul.
  case korean
  /// Kana, or the ideographs and the dashes that only Japanese uses in hours.
  case japanese

  /// The language of a text; nil for the `opening_hours` language and any other.
  public init?(of text: String) {
    var found: WrittenLanguage?
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0xAC00...0xD7A3, 0x1100...0x11FF, 0x3130...0x318F:
        self = .korean
        return
      case 0x3041...0x30FF, 0xFF66...0xFF9D: found = .japanese
      case 0xFF5E where previous == "時" || previous == "分": found = .japanese
      default: if Self.ideographs.contains(scalar) { found = .japanese }
      }
      previous = scalar
    }
    guard let found else { return nil }
    self = found
  }

  /// Ideographs that Chinese writes differently or does not use for hours: 曜日, 営業, 祝, 定休; and the wave dash.
  ///
  /// A full-width tilde counts after 時 and 分.
  ///
  /// 平日 is also Chinese and decides nothing.
  private static let ideographs = Set<Unicode.Scalar>("曜営祝休\u{301C}".unicodeScalars)
}
