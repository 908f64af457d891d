// Composed characters: some systems write file names and text with `ㅇ`+`ㅝ`+`ㄹ` for `월`, or `ｶ`+`ﾞ` for `ガ`.

extension WrittenText {
  /// The scalars with Hangul and kana composed and half-width kana as full-width, and the written scalar for each, or
  /// the composed one for several.
  ///
  /// Other scripts keep their marks: no word of hours has any.
  static func composed(
    _ text: String
  ) -> (scalars: [Unicode.Scalar], written: [Unicode.Scalar]) {
    var scalars: [Unicode.Scalar] = []
    var written: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      let full = fullWidthKana(scalar)
      if let last = scalars.last, let joined = joined(last, full) {
        scalars[scalars.count - 1] = joined
        written[scalars.count - 1] = joined
      } else {
        scalars.append(full)
        written.append(scalar)
      }
    }
    return (scalars, written)
  }

  /// The kana in the order of their half-width forms, U+FF66 to U+FF9F; the last two are the combining marks of voice.
  private static let kana = Array(
    "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}"
      .unicodeScalars)

  private static func fullWidthKana(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard case 0xFF66...0xFF9F = scalar.value else { return scalar }
    return kana[Int(scalar.value - 0xFF66)]
  }

  /// The character that two scalars make together; nil if they stay apart.
  private static func joined(_ first: Unicode.Scalar, _ next: Unicode.Scalar) -> Unicode.Scalar? {
    let (base, mark) = (first.value, next.value)
    switch (base, mark) {
    // An initial consonant and a vowel, of 19 and 21; then a final consonant, of 27.
    case (0x1100...0x1112, 0x1161...0x1175):
      return Unicode.Scalar(0xAC00 + ((base - 0x1100) * 21 + mark - 0x1161) * 28)
    case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (base - 0xAC00) % 28 == 0:
      return Unicode.Scalar(base + mark - 0x11A7)
    // The voiced kana follow their plain ones, in hiragana and katakana alike.
    case (0x30A6, 0x3099): return "ヴ"
    case (0x304B...0x3062, 0x3099), (0x30AB...0x30C2, 0x3099):
      return base % 2 == 1 ? Unicode.Scalar(base + 1) : nil
    case (0x3064...0x3069, 0x3099), (0x30C4...0x30C9, 0x3099):
      return base % 2 == 0 ? Unicode.Scalar(base + 1) : nil
    case (0x306F...0x307D, 0x3099...0x309A), (0x30CF...0x30DD, 0x3099...0x309A):
      return base % 3 == 0 ? Unicode.Scalar(base + mark - 0x3098) : nil
    default: return nil
    }
  }
}
