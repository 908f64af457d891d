import NearbyTestSupport
import Testing

@testable import TextMaps

@Suite struct `Width of text on a terminal` {
  /// What `wcswidth` of Python's wcwidth 0.7.0 (tables of Unicode 17.0.0) answers.
  static let answersOfWcwidth: [(String, Int)] = [
    ("", 0),
    ("cinema", 6),
    ("한글", 4),
    ("씨네큐브광화문", 14),
    ("とうきょう", 10),
    ("東京都", 6),
    ("\u{FF8A}\u{FF9D}\u{FF76}\u{FF78}", 4),
    ("\u{FF26}\u{FF35}\u{FF2C}\u{FF2C}", 8),
    ("\u{FF1A}", 2),
    ("e\u{301}", 1),
    ("각", 2),
    ("\u{1112}\u{1161}\u{11AB}", 2),
    ("\u{314B}\u{314B}", 4),
    ("が", 2),
    ("か\u{3099}", 2),
    ("→", 1),
    ("①", 1),
    ("─", 1),
    ("…", 1),
    ("·", 1),
    ("é", 1),
    ("ß", 1),
    ("Ж", 1),
    ("α", 1),
    ("กำ", 2),
    ("น\u{E35}\u{E49}", 1),
    ("ע\u{5B4}ב\u{5B0}ר\u{5B4}ית", 5),
    ("العربية", 7),
    ("\u{200B}", 0),
    ("\u{AD}", 1),
    ("\u{FEFF}", 0),
    ("\u{3000}", 2),
    ("\u{3001}", 2),
    ("\u{1F600}", 2),
    ("\u{1F44D}\u{1F3FD}", 2),
    ("\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}", 2),
    ("\u{1F468}\u{1F3FD}\u{200D}\u{1F680}", 2),
    ("❤", 1),
    ("❤\u{FE0F}", 2),
    ("☎", 1),
    ("☎\u{FE0F}", 2),
    ("1\u{FE0F}\u{20E3}", 2),
    ("\u{1F1F0}\u{1F1F7}", 2),
    ("\u{1F1F0}\u{1F1F7}\u{1F1EF}\u{1F1F5}", 4),
    ("\u{1F1F0}", 2),
    ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2),
    ("\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}", 2),
    ("⌚", 2),
    ("✛", 1),
    ("◉", 1),
    ("⠿", 1),
    ("░", 1),
    ("\u{20BB7}", 2),
    ("\u{1F004}", 2),
    ("\u{1112}", 2),
    ("\u{3231}", 2),
    ("\u{339E}", 2),
    ("™", 1),
  ]

  @Test(arguments: answersOfWcwidth)
  func `agrees with wcwidth`(text: String, columns: Int) {
    #expect(DisplayWidth.columns(of: text) == columns)
  }

  @Test func `control characters have none`() {
    #expect(DisplayWidth.columns(of: "a\u{1B}[31m\n\u{9B}b") == 6)
  }

  @Test func `the table is in order, so that it can be searched`() {
    let table = UnicodeWidths.wide
    #expect(table.count.isMultiple(of: 2))
    // A range may hold one scalar only, and ranges never touch.
    for place in stride(from: 0, to: table.count, by: 2) {
      #expect(table[place] <= table[place + 1])
      if place > 0 { #expect(table[place - 1] + 1 < table[place]) }
    }
  }

  @Test func `the table holds the ends of its ranges and not what lies beyond`() throws {
    func isWide(_ value: UInt32) throws -> Bool {
      UnicodeWidths.isWide(try #require(Unicode.Scalar(value)))
    }
    let table = UnicodeWidths.wide
    for place in stride(from: 0, to: table.count, by: 2) {
      #expect(try isWide(table[place]))
      #expect(try isWide(table[place + 1]))
      #expect(try !isWide(table[place] - 1))
      #expect(try !isWide(table[place + 1] + 1))
    }
  }

  @Test(
    arguments: [
      ("\u{300}", 0), ("\u{483}", 0), ("\u{600}", 1), ("\u{61C}", 0), ("\u{6DD}", 1),
      ("\u{903}", 0),
      ("\u{115F}", 2), ("\u{1160}", 0), ("\u{11FF}", 0), ("\u{2028}", 0), ("\u{2029}", 0),
      ("\u{2065}", 0), ("\u{3164}", 0), ("\u{D7B0}", 0), ("\u{D7FC}", 0), ("\u{FFA0}", 0),
      ("\u{FFF0}", 0), ("\u{110BD}", 1), ("\u{1D165}", 0), ("\u{E0001}", 0), ("\u{E0FFF}", 0),
    ] as [(Unicode.Scalar, Int)])
  func `marks and controls have none, signs that enclose numbers have one`(
    scalar: Unicode.Scalar, columns: Int
  ) {
    #expect(DisplayWidth.columns(of: scalar) == columns)
  }
}

@Suite struct `Text made fit for a terminal` {
  @Test(arguments: [
    ("plain 씨네큐브", "plain 씨네큐브"),
    ("red\u{1B}[31m", "red␛[31m"),
    ("two\nlines\r\n", "two lines  "),
    ("a\tb\u{2028}c\u{85}d", "a b c d"),
    ("bell\u{7}, null\u{0}, delete\u{7F}", "bell␇, null␀, delete␡"),
    ("one byte of CSI \u{9B}2J", "one byte of CSI \u{FFFD}2J"),
    ("\u{202E}turned\u{202C} \u{2066}round\u{2069}", "turned round"),
    ("", ""),
  ])
  func `keeps no character that commands it`(text: String, expected: String) {
    #expect(TerminalText.sanitized(text) == expected)
  }

  @Test(arguments: [
    ("cinema", 6, "cinema"), ("cinema", 5, "cine…"), ("cinema", 1, "…"), ("cinema", 0, ""),
    ("씨네큐브", 8, "씨네큐브"), ("씨네큐브", 7, "씨네큐…"), ("씨네큐브", 6, "씨네…"),
    ("씨네큐브", 2, "…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("", 3, ""),
    ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"),
  ])
  func `is cut between characters, with a sign that it was`(
    text: String, columns: Int, expected: String
  ) {
    #expect(TerminalText.truncated(text, to: columns) == expected)
  }

  @Test(arguments: UInt64(0)..<50)
  func `fills its column exactly`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let alphabet = ["a", "한", "か\u{3099}", "e\u{301}", "👍🏽", "🇰🇷", "→", "ｶ", "\u{200B}"]
    let parts = (0..<Int.random(in: 0...12, using: &generator))
      .map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
    let text = parts.joined()
    for columns in 0...26 {
      let padded = TerminalText.padded(text, to: columns)
      #expect(DisplayWidth.columns(of: padded) == columns, "seed \(seed), \(columns) columns")
    }
  }
}
