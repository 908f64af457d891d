// Composed characters: some systems write file names and text with `ㅇ`+`ㅝ`+`ㄹ` for `월`, or `ｶ`+`ﾞ` for `ガ`.

import Geodesy

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
      let full = 0xFF66...0xFF9F ~= scalar.value ? scalar.fullWidthKana : scalar
      if !(0x300...0x36F ~= full.value), let last = scalars.last,
        let joined = last.composed(with: full)
      {
        scalars[scalars.count - 1] = joined
        written[scalars.count - 1] = joined
      } else {
        scalars.append(full)
        written.append(scalar)
      }
    }
    return (scalars, written)
  }
}
