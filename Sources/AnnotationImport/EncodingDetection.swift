import Geodesy

/// Detects the encoding of a text that is not UTF-8, with the evidence for it.
///
/// The whole text is weighed as CP949, as Shift_JIS and as EUC-JP. An encoding with an ill-formed character is
/// excluded. Of the others, the one whose characters are most frequent in its language wins, if they are frequent
/// enough and clearly ahead. UTF-16 is recognized by its mark or its zeros (`TextDecoding`).
struct EncodingDetection {
  let encoding: TextEncoding
  /// The evidence, as a part of a sentence.
  let evidence: String

  /// The minimum mean weight of a character; a text in its own language has 2 to 4, in another
  /// encoding at most 1.3.
  private static let leastMean = 1.6
  /// A single character could be anything.
  private static let leastCharacters = 2
  /// The required lead of the mean over the next encoding.
  private static let leastMargin = 0.4

  /// CP949, Shift_JIS or EUC-JP; nil if none of them is certain.
  static func legacy(_ bytes: UnsafeBufferPointer<UInt8>) -> EncodingDetection? {
    let opinions = EncodingWeights.all.map { Opinion($0, on: bytes) }
    let ranked = opinions.filter { $0.illFormedOffset == nil && $0.characters > 0 }
      .sorted { $0.mean > $1.mean }
    guard let best = ranked.first, best.characters >= leastCharacters, best.mean >= leastMean,
      best.mean - (ranked.count > 1 ? ranked[1].mean : 0) >= leastMargin
    else { return nil }
    let others = opinions.filter { $0.encoding != best.encoding }.map { other in
      other.illFormedOffset.map {
        "not \(other.encoding.displayName): line \(other.encoding.line(of: $0, in: bytes))"
      } ?? "as \(other.encoding.displayName) \(grouped(other.common))"
    }
    let language = best.encoding == .cp949 ? "Korean" : "Japanese"
    return EncodingDetection(
      encoding: best.encoding,
      evidence:
        "\(grouped(best.common)) of its \(grouped(best.characters)) two-byte characters are "
        + "frequent in \(language) (\(others.joined(separator: "; ")))")
  }

  /// The encoding that would be certain but for a few ill-formed places, and the first of these; nil if none would.
  ///
  /// Tables whose cells were cut after a number of bytes have halves of characters.
  static func damaged(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (encoding: TextEncoding, offset: Int)? {
    guard !isDamagedUTF8(bytes) else { return nil }
    let ranked = EncodingWeights.all.map { Opinion($0, on: bytes) }
      .filter { $0.illFormed * 100 <= $0.characters }.sorted { $0.mean > $1.mean }
    guard let best = ranked.first, let offset = best.illFormedOffset, best.mean >= leastMean,
      best.mean - (ranked.count > 1 ? ranked[1].mean : 0) >= leastMargin
    else { return nil }
    return (best.encoding, offset)
  }

  /// Whether a text with ill-formed bytes is damaged UTF-8.
  static func isDamagedUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var wellFormed = 0
    var illFormed = 0
    var at = 0
    while at < bytes.count {
      if bytes[at] < 0x80 {
        at += 1
        continue
      }
      let length = UTF8Validation.sequenceLength(bytes, at)
      if length == 0 { illFormed += 1 } else { wellFormed += 1 }
      at += max(length, 1)
    }
    return wellFormed >= 4 * illFormed
  }
}

/// Statistics of a text read in one encoding.
private struct Opinion {
  let encoding: TextEncoding
  /// The number of characters outside ASCII; two half-width kana count as one.
  private(set) var characters = 0
  /// The number of characters that are frequent in the language.
  private(set) var common = 0
  private(set) var illFormedOffset: Int?
  /// The number of bytes that begin no character.
  private(set) var illFormed = 0
  private var sum = 0

  var mean: Double { characters == 0 ? 0 : Double(sum) / Double(characters) }

  init(_ weights: EncodingWeights, on bytes: UnsafeBufferPointer<UInt8>) {
    let encoding = weights.encoding
    self.encoding = encoding
    var halfKana = 0
    /// The byte at a place; behind the end 0, which no character has.
    func byte(_ place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }
    weights.pairs.withUnsafeBufferPointer { pairs in
      var at = 0
      while at < bytes.count {
        let lead = bytes[at]
        if lead < 0x80 {
          at += 1
        } else if encoding == .shiftJIS, 0xA1...0xDF ~= lead {
          halfKana += 1
          at += 1
        } else if encoding == .eucJP, lead == 0x8E, 0xA1...0xDF ~= byte(at + 1) {
          halfKana += 1
          at += 2
        } else if encoding == .eucJP, lead == 0x8F, byte(at + 1) >= 0xA1, byte(at + 2) >= 0xA1 {
          characters += 1
          sum -= 1
          at += 3
        } else {
          let weight = pairs[Int(lead) << 8 | Int(byte(at + 1))]
          guard weight != EncodingWeights.illFormed else {
            illFormedOffset = illFormedOffset ?? at
            illFormed += 1
            at += 1
            continue
          }
          characters += 1
          sum += Int(weight)
          if weight == EncodingWeights.common { common += 1 }
          at += 2
        }
      }
    }
    // Nearly any bytes look like half-width kana, so they count for little.
    characters += (halfKana + 1) / 2
    sum += halfKana / 2
  }
}

extension EncodingDetection {
  /// Detects Windows-1252, which includes Latin-1; nil if that is not certain.
  ///
  /// A text in a western language is ASCII with single other letters, few in number and specific to
  /// the language: five in German, a dozen in French. Read as Windows-1252, a Polish or Cyrillic
  /// text has letters that no western language combines, and a Korean or Japanese one has them in
  /// long runs. So 19 in 20 of the characters must be signs or belong to one alphabet below, with
  /// the frequent ones of the language first, and three in four must be in runs of at most two.
  static func western(_ bytes: UnsafeBufferPointer<UInt8>) -> EncodingDetection? {
    let census = HighBytes(bytes)
    // A single character could be anything, and five codes of Windows-1252 are unassigned.
    guard census.total >= 2, census.inShortRuns * 4 >= census.total * 3,
      census.count(of: [0x81, 0x8D, 0x8F, 0x90, 0x9D]) == 0
    else { return nil }
    let signs = census.count(of: westernSigns)
    var best: (name: String, letters: Int)?
    for alphabet in WesternAlphabet.all {
      let frequent = alphabet.frequent.map { census.counts[$0] }
      let others = alphabet.others.map { census.counts[$0] }
      guard (others.max() ?? 0) <= (frequent.max() ?? 0) else { continue }
      let letters = frequent.reduce(0, +) + others.reduce(0, +)
      if letters > best?.letters ?? 0 { best = (alphabet.name, letters) }
    }
    guard let best, (best.letters + signs) * 20 >= census.total * 19 else { return nil }
    return EncodingDetection(
      encoding: .windows1252,
      evidence: "\(grouped(best.letters)) of its \(grouped(census.total)) characters that are not "
        + "ASCII are letters of \(best.name), \(grouped(signs)) are signs")
  }

  /// Quotes, dashes, the euro, the degree, ordinals and similar signs.
  private static let westernSigns = [
    0x80, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0xA0, 0xA3, 0xA7, 0xA9, 0xAA, 0xAB,
    0xAD, 0xAE, 0xB0, 0xB1, 0xB2, 0xB4, 0xB5, 0xB7, 0xBA, 0xBB,
  ]
}

/// The number of occurrences of each byte outside ASCII, and how many are in runs of one or two.
private struct HighBytes {
  private(set) var counts = [Int](repeating: 0, count: 256)
  private(set) var total = 0
  private(set) var inShortRuns = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var run = 0
    for byte in bytes {
      if byte >= 0x80 {
        run += 1
        counts[Int(byte)] += 1
      } else if run > 0 {
        end(&run)
      }
    }
    end(&run)
  }

  private mutating func end(_ run: inout Int) {
    total += run
    if run <= 2 { inShortRuns += run }
    run = 0
  }

  func count(of bytes: [Int]) -> Int { bytes.reduce(0) { $0 + counts[$1] } }
}

/// The letters of a language beyond ASCII, as bytes of Windows-1252.
///
/// Icelandic is not included: its letters have the codes of Turkish letters in Windows-1254.
private struct WesternAlphabet {
  let name: String
  /// The most frequent letter of a text must be one of these.
  let frequent: [Int]
  let others: [Int]

  private init(_ name: String, _ frequent: String, _ others: String) {
    self.name = name
    self.frequent = WesternAlphabet.bytes(frequent)
    self.others = WesternAlphabet.bytes(others)
  }

  /// Latin-1 codes equal Unicode's, and the two others are those of Windows.
  private static func bytes(_ letters: String) -> [Int] {
    letters.unicodeScalars.map { $0 == "œ" ? 0x9C : $0 == "Œ" ? 0x8C : Int($0.value) }
  }

  static let all = [
    WesternAlphabet("German", "äöüß", "ÄÖÜé"),
    WesternAlphabet("French", "éèà", "êëâçîïôûùœÉÈÊÀÂÇÎÔŒ"),
    WesternAlphabet("Spanish or Catalan", "áéíóúñàèòç", "üïÁÉÍÓÚÑ¿¡ÀÈÒÇÜ·"),
    WesternAlphabet("Portuguese", "ãçáéíóõê", "úâôàÁÉÍÓÚÂÊÔÃÕÇÀ"),
    WesternAlphabet("Italian", "àèéìòù", "ÀÈÉÒÙ"), WesternAlphabet("Dutch", "éëï", "èöüáóËÉ"),
    WesternAlphabet("a Nordic language", "åäöæø", "éÅÄÖÆØÉ"),
    WesternAlphabet("Irish", "áéíóú", "ÁÉÍÓÚ"),
  ]
}
