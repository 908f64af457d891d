import Geodesy

/// A text prepared for searching: without differences of case, letter width or composition of
/// accents.
///
/// These differences are removed, in this order:
///
/// 1. Width, as in NFKC: `ＡＢＣ１２３（）` becomes `ABC123()`, the ideographic space a space, `ｶﾞｽ`
///    becomes `ガス`; halfwidth Hangul letters, `￥ ￡ ￢ ￣ ￦ ￠ ￤` and halfwidth arrows and boxes become
///    their ordinary forms. `−`, `〜` and `∥` become `-`, `~` and `‖`: Shift_JIS and EUC-JP have one
///    of the two, other encodings the other.
/// 2. Composition: `か` and a voicing mark become `が`, conjoining jamo a Hangul syllable, a Latin,
///    Greek or Cyrillic letter and its accents one letter if Unicode has one.
/// 3. Case, by Unicode's full case folding: `Ä` becomes `ä`, `Straße` `strasse`, `Σ` and `ς` `σ`.
///    The dotless `ı` stays distinct from `i`.
///
/// These stay distinct: `é` and `e`, hiragana and katakana, traditional and simplified characters,
/// `①` and `1`, ligatures of units such as `㎞`. The result does not depend on a language, so it is
/// the same on every machine.
public struct FoldedText: Hashable, Sendable {
  /// The folded text, as UTF-8.
  public let bytes: [UInt8]

  /// Folds a text.
  ///
  /// - Complexity: O(*n*); a few nanoseconds for each byte of ASCII, Hangul, kana and Chinese characters.
  public init(_ text: String) {
    var text = text
    self = text.withUTF8 { FoldedText(utf8: $0) }
  }

  /// Folds a text in well-formed UTF-8.
  package init(utf8: UnsafeBufferPointer<UInt8>) {
    var folding = Folding(utf8)
    bytes = folding.folded()
  }

  /// Whether this text contains the other one; every text contains the empty text.
  ///
  /// - Complexity: O(*n*) for ordinary texts, O(*n* · *m*) at worst.
  public func contains(_ other: FoldedText) -> Bool {
    let needle = other.bytes
    guard let first = needle.first else { return true }
    guard bytes.count >= needle.count else { return false }
    // UTF-8 never matches in the middle of a character.
    return bytes.withUnsafeBufferPointer { bytes in
      needle.withUnsafeBufferPointer { needle in
        for start in 0...(bytes.count - needle.count) where bytes[start] == first {
          var length = 1
          while length < needle.count, bytes[start + length] == needle[length] { length += 1 }
          if length == needle.count { return true }
        }
        return false
      }
    }
  }

  /// Whether this text begins with the other one.
  public func starts(with other: FoldedText) -> Bool { bytes.starts(with: other.bytes) }

  /// Whether this text ends with the other one.
  public func ends(with other: FoldedText) -> Bool {
    bytes.count >= other.bytes.count && bytes.suffix(other.bytes.count) == other.bytes[...]
  }
}

/// One pass over a text.
private struct Folding {
  private let utf8: UnsafeBufferPointer<UInt8>
  private var place = 0
  private var bytes: [UInt8] = []
  /// The last character, which a following mark may still change; nil if none can.
  private var base: Unicode.Scalar?

  init(_ utf8: UnsafeBufferPointer<UInt8>) {
    self.utf8 = utf8
    bytes.reserveCapacity(utf8.count)
  }

  mutating func folded() -> [UInt8] {
    while place < utf8.count {
      let byte = utf8[place]
      if byte < 0x80 {
        flush()
        // An accent may follow.
        base = Unicode.Scalar(byte)
        place += 1
      } else {
        append(Widths.ordinary(nextScalar()))
      }
    }
    flush()
    return bytes
  }

  /// Decodes the next scalar of well-formed text.
  private mutating func nextScalar() -> Unicode.Scalar {
    let first = UInt32(utf8[place])
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = first & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(utf8[place + offset]) & 0x3F }
    place += length
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    if let last = base, let composed = last.composed(with: scalar) {
      base = composed
      return
    }
    flush()
    base = scalar
  }

  /// Writes the last character, case-folded.
  private mutating func flush() {
    guard let scalar = base else { return }
    base = nil
    let value = scalar.value
    if value < 0x80 {
      let isUpper = value &- 0x41 < 26
      bytes.append(UInt8(truncatingIfNeeded: isUpper ? value | 0x20 : value))
    } else if Folding.isCaseless(value) {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    } else {
      appendCased(scalar)
    }
  }

  /// Whether a scalar certainly has no case: kana, Hangul, Chinese characters and their marks.
  private static func isCaseless(_ value: UInt32) -> Bool {
    (0x2E80...0xA63F).contains(value) || (0xAC00...0xD7FF).contains(value)
      || (0xF900...0xFAFF).contains(value)
  }

  private mutating func appendCased(_ scalar: Unicode.Scalar) {
    // The only letter whose upper case belongs to another letter.
    guard scalar != "ı" else { return bytes.append(contentsOf: "ı".utf8) }
    for small in scalar.properties.lowercaseMapping.unicodeScalars {
      for large in small.properties.uppercaseMapping.unicodeScalars {
        bytes.append(contentsOf: large.properties.lowercaseMapping.utf8)
      }
    }
  }
}

/// Fullwidth and halfwidth forms, and their ordinary forms.
private enum Widths {
  /// From U+FFE0 to U+FFEE; U+FFE7 is unassigned.
  private static let signs = Array("¢£¬¯¦¥₩\u{FFE7}│←↑→↓■○".unicodeScalars)

  static func ordinary(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x3000: return " "
    // Read as JIS X 0208, Shift_JIS has a minus, a wave dash and a double bar. Microsoft's tables have a
    // fullwidth hyphen, a fullwidth tilde and a parallel sign at the same codes.
    case 0x2212: return "-"
    case 0x301C: return "~"
    case 0x2225: return "\u{2016}"
    case 0xFF01...0xFF5E: return scalar.halfWidth
    case 0xFF61...0xFF9F: return scalar.fullWidthKana
    // The filler, then consonants and vowels in the rows of the standard.
    case 0xFFA0: return "\u{3164}"
    case 0xFFA1...0xFFBE: return Unicode.Scalar(scalar.value - 0xFFA1 + 0x3131) ?? scalar
    case 0xFFC2...0xFFC7: return Unicode.Scalar(scalar.value - 0xFFC2 + 0x314F) ?? scalar
    case 0xFFCA...0xFFCF: return Unicode.Scalar(scalar.value - 0xFFCA + 0x3155) ?? scalar
    case 0xFFD2...0xFFD7: return Unicode.Scalar(scalar.value - 0xFFD2 + 0x315B) ?? scalar
    case 0xFFDA...0xFFDC: return Unicode.Scalar(scalar.value - 0xFFDA + 0x3161) ?? scalar
    case 0xFFE0...0xFFEE: return signs[Int(scalar.value - 0xFFE0)]
    default: return scalar
    }
  }
}
