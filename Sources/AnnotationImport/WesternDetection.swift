import Geodesy

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
