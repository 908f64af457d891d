// Characters of one meaning that are written with different scalars.

extension Unicode.Scalar {
  /// The ASCII character of a full-width one; any other character as it is.
  @inlinable
  package var halfWidth: Unicode.Scalar {
    0xFF01...0xFF5E ~= value ? Unicode.Scalar(value - 0xFEE0) ?? self : self
  }

  /// The ordinary form of a half-width kana, its mark of voice or its punctuation; any other character as it is.
  package var fullWidthKana: Unicode.Scalar {
    0xFF61...0xFF9F ~= value ? Self.kana[Int(value - 0xFF61)] : self
  }

  /// From U+FF61 to U+FF9F; the last two are marks that combine with the character before them.
  private static let kana = Array(
    "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}"
      .unicodeScalars)

  /// The character that this one makes together with a mark or a letter of a Hangul syllable; nil if there is none.
  @inlinable
  package func composed(with mark: Unicode.Scalar) -> Unicode.Scalar? {
    switch mark.value {
    case 0x0300...0x036F, 0x3099, 0x309A: accented(by: mark)
    // An initial consonant and a vowel, of 19 and 21; then a final consonant, of 27.
    case 0x1161...0x1175 where (0x1100...0x1112).contains(value):
      Unicode.Scalar(0xAC00 + ((value - 0x1100) * 21 + mark.value - 0x1161) * 28)
    case 0x11A8...0x11C2
    where (0xAC00...0xD7A3).contains(value) && (value - 0xAC00).isMultiple(of: 28):
      Unicode.Scalar(value + mark.value - 0x11A7)
    default: nil
    }
  }

  @usableFromInline
  func accented(by mark: Unicode.Scalar) -> Unicode.Scalar? {
    var pair = String.UnicodeScalarView()
    pair.append(self)
    pair.append(mark)
    let text = String(pair)
    guard text.count == 1, let character = text.first else { return nil }
    return Self.accented[character]
  }

  /// Single-scalar characters by their canonical equivalent: Swift compares characters by canonical
  /// equivalence, so a pair of scalars finds the composed one.
  private static let accented: [Character: Unicode.Scalar] = {
    var table: [Character: Unicode.Scalar] = [:]
    let blocks: [ClosedRange<UInt32>] = [
      0xC0...0x24F, 0x370...0x4FF, 0x1E00...0x1FFF, 0x3041...0x30FE,
    ]
    for value in blocks.joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // Of two equivalent scalars, the one that Unicode composes to comes first.
      let character = Character(scalar)
      if table[character] == nil { table[character] = scalar }
    }
    return table
  }()
}
