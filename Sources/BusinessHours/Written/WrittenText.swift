import Geodesy

/// A text as people write it, with character variants unified, and the original position of each character.
///
/// Decomposed Hangul and kana are composed; full-width letters and signs become ASCII; the dashes and waves of ranges
/// become `-`; line breaks become `;`; brackets of any kind but round ones become `:`, because they enclose labels; the
/// dots between words become `·`. Of a JSON array such as `["2026-12-13 (일)"]`, only the commas remain.
struct WrittenText {
  let scalars: [Unicode.Scalar]
  /// The original scalars, composed where that takes several, one for each of ``scalars``.
  let original: [Unicode.Scalar]
  /// Whether the text has no Hangul, kana or ideographs.
  let isForeign: Bool
  /// Whether the text has ideographs, and nothing that Chinese does not have.
  let mayBeChinese: Bool
  /// Whether such a text has letters.
  let isEnglish: Bool

  init(_ text: String) {
    let (composed, written) = Self.composed(text)
    var plain = composed.map(Self.plainForm)
    // Katakana have a length mark. Behind a digit or an ideograph it is a dash: `10時ー19時`, `月ー金`.
    for index in plain.indices.dropFirst() where plain[index] == "ー" || plain[index] == "─" {
      let (before, after) = (plain[index - 1], plain[(index + 1)...].first)
      // Several are a line that parts two texts.
      guard after != plain[index], before.isASCIIDigit || Self.isIdeograph(before) else {
        continue
      }
      plain[index] = "-"
    }
    // A line break parts what stands on both sides.
    let words = plain.indices.filter { plain[$0] != " " && !Self.isLineBreak(composed[$0]) }
    if let first = words.first, let last = words.last {
      for index in first..<last where Self.isLineBreak(composed[index]) { plain[index] = ";" }
    }
    // A circled digit numbers a list, if it is no nth: `第②④水曜`, `②,④째`.
    var isBehindNth = false
    for index in plain.indices {
      let isCircled = Self.isCircled(plain[index])
      if isCircled {
        let next = plain.indices.dropFirst(index + 1).first {
          ![" ", ",", "·"].contains(plain[$0])
        }
        let isNth =
          isBehindNth
          || next.map { Self.isCircled(plain[$0]) || Self.isWeek(plain, at: $0) } ?? false
        if !isNth { plain[index] = " " }
      }
      if ![" ", ",", "·"].contains(plain[index]) { isBehindNth = isCircled || plain[index] == "第" }
    }
    Self.blankListMarks(&plain)
    if written.first == "[", written.last == "]" {
      for index in plain.indices where ["[", "]", "\"", "'"].contains(written[index]) {
        plain[index] = " "
      }
    }
    isForeign = !plain.contains(where: Self.isEastAsian)
    mayBeChinese =
      !isForeign && plain.allSatisfy { !Self.isEastAsian($0) || Self.isIdeograph($0) }
      && !composed.contains { ["曜", "営", "祝", "ー", "\u{301C}"].contains($0) }
    isEnglish = isForeign && plain.contains(where: WrittenLexer.isLatin)
    scalars = plain
    original = written
  }

  /// The original text of a range, without spaces at its ends.
  func text(_ range: Range<Int>) -> String {
    guard let first = range.first(where: { scalars[$0] != " " }),
      let last = range.last(where: { scalars[$0] != " " })
    else { return "" }
    return String(String.UnicodeScalarView(original[first...last]))
  }

  /// A range, extended to whole Korean words, of which a part may look like a word of hours: `매` of `매표소`.
  func wholeWords(_ range: Range<Int>) -> Range<Int> {
    func isInside(_ place: Int) -> Bool {
      scalars.indices.contains(place - 1) && scalars.indices.contains(place)
        && Self.isHangul(scalars[place - 1]) && Self.isHangul(scalars[place])
    }
    var (start, end) = (range.lowerBound, range.upperBound)
    while isInside(start) { start -= 1 }
    while isInside(end) { end += 1 }
    return start..<end
  }

  private static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
    0xAC00...0xD7A3 ~= scalar.value
  }

  /// Whether words have letters of a language that is not read, in which any of them may concern days: `lundi`, `Пн`, `周一`.
  ///
  /// Latin names stand in Korean and Japanese texts, too; only a few words in these cannot be names: `카페 Wochenende`.
  func mayBeOfOtherLanguage(_ words: ArraySlice<Unicode.Scalar>) -> Bool {
    words.contains { scalar in
      guard scalar.properties.isAlphabetic else { return false }
      switch scalar.value {
      case _ where Self.isEastAsian(scalar): return mayBeChinese
      // Latin letters; signs that are made of letters, such as `Ⅱ`.
      case ..<0x370, 0x1E00..<0x1F00, 0x2000..<0x2C00, 0x3000..<0x3041: return isForeign
      default: return true
      }
    }
      || words.split { !$0.properties.isAlphabetic || Self.isEastAsian($0) }
        .contains { Self.wordsOfDays.contains(String(String.UnicodeScalarView($0))) }
  }

  /// Words about days in languages with Latin letters; weekdays in English are read.
  private static let wordsOfDays = Set(
    """
    weekend weekends weekday weekdays holiday holidays daily appointment montag dienstag mittwoch donnerstag freitag \
    samstag sonnabend sonntag montags dienstags mittwochs donnerstags freitags samstags sonntags wochenende wochenenden \
    feiertag feiertage feiertagen werktag werktags täglich geschlossen ruhetag lundi mardi mercredi jeudi vendredi \
    samedi dimanche fermé fermée férié fériés lunes martes miércoles jueves viernes sábado sábados domingo domingos \
    cerrado festivos lunedì martedì mercoledì giovedì venerdì sabato domenica chiuso festivi fechado feriados maandag \
    dinsdag woensdag donderdag vrijdag zaterdag zondag gesloten
    """.split(separator: " ").map { String($0) })

  private static func isEastAsian(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100..<0x1200, 0x3041..<0xA000, 0xA960..<0xA980, 0xAC00..<0xD800, 0xF900..<0xFB00,
      0x20000..<0x40000:
      true
    default: false
    }
  }

  private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x3400 && !(0xA960..<0xD800).contains(scalar.value)
  }

  /// Whether a circled digit before a place is an nth: `②째`, `④週`, `②주`, but not `② 주말`.
  private static func isWeek(_ plain: [Unicode.Scalar], at place: Int) -> Bool {
    guard plain[place] == "주" else { return plain[place] == "째" || plain[place] == "週" }
    return place + 1 == plain.count || !["말", "중"].contains(plain[place + 1])
  }

  /// Blanks `-` and `1.` where they only number the lines or items of a list: `- 평일: …`, `1. 평일 … 2. 주말 …`.
  private static func blankListMarks(_ plain: inout [Unicode.Scalar]) {
    var next: Unicode.Scalar = "1"
    var before: Unicode.Scalar?
    for index in plain.indices where plain[index] != " " {
      defer { before = plain[index] == " " ? before : plain[index] }
      let after = plain[(index + 1)...].first { $0 != " " }
      guard let after, !after.isASCIIDigit else { continue }
      if plain[index] == "-", before == nil || before == ";", plain[index + 1] == " " {
        plain[index] = " "
        continue
      }
      guard plain[index] == next, after == ".", plain[index + 1] == ".",
        index == 0 || plain[index - 1] == " " || plain[index - 1] == ";",
        before == nil || next != "1", index + 2 < plain.count, plain[index + 2] == " ",
        plain[(index + 2)...].first(where: { $0 != " " })?.isASCIIDigit == false
      else { continue }
      plain[index] = " "
      plain[index + 1] = " "
      next = Unicode.Scalar(next.value + 1)!
    }
  }

  private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r"
  }

  private static func isCircled(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x2460 && scalar.value <= 0x2468
  }

  private static func plainForm(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0xFF5E, 0x301C, 0x223C, 0x2010...0x2015, 0x2212, 0xFF0D, 0x7E: "-"
    case 0x09...0x0D, 0x3000, 0xA0, 0x2009, 0x202F: " "
    case 0xB7, 0x30FB, 0xFF65, 0x318D, 0x2219, 0x22C5, 0x119E: "·"
    case 0x3001, 0xFF64, 0xFF0C: ","
    case 0x5B, 0x5D, 0x3010, 0x3011, 0xFF3B, 0xFF3D, 0x3C, 0x3E, 0x300A...0x300F, 0xFF1C, 0xFF1E:
      ":"
    case 0xFF01...0xFF5D: Unicode.Scalar(scalar.value - 0xFEE0)!
    case 0x41...0x5A: Unicode.Scalar(scalar.value + 32)!
    default: scalar
    }
  }
}

// Composed characters: some systems write file names and text with `ㅇ`+`ㅝ`+`ㄹ` for `월`, or `ｶ`+`ﾞ` for `ガ`.

extension WrittenText {
  /// The scalars with Hangul and kana composed and half-width kana as full-width, and the written scalar for each, or
  /// the composed one for several.
  ///
  /// Other scripts keep their marks: no word of hours has any.
  static func composed(_ text: String) -> (scalars: [Unicode.Scalar], written: [Unicode.Scalar]) {
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
