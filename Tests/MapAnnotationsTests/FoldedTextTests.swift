import Foundation
import MapAnnotations
import Testing

@Suite struct FoldedTextTests {
  private func folded(_ text: String) -> String {
    String(decoding: FoldedText(text).bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("ＡＢＣ１２３（）", "abc123()"), ("ｶﾞｽﾊﾟｰﾄﾅｰ", "ガスパートナー"), ("　", " "),
    ("か\u{3099}", "が"), ("\u{1100}\u{1161}\u{11A8}", "각"), ("e\u{301}", "é"), ("É", "é"),
    ("Straße", "strasse"), ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("Дом", "дом"), ("ı", "ı"), ("ﾡ", "ㄱ"),
    ("￥１００", "¥100"), ("Ｅ\u{302}\u{301}", "ế"), ("ABC def", "abc def"), ("약국", "약국"),
    ("０４５－２４３", "045-243"), ("０４５−２４３", "045-243"), ("９：３０～", "9:30~"), ("９：３０〜", "9:30~"),
    ("∥", "‖"),
  ]) func `case, width and composition are made alike`(text: String, expected: String) {
    #expect(folded(text).unicodeScalars.elementsEqual(expected.unicodeScalars), "\(folded(text))")
  }

  @Test(arguments: [("é", "e"), ("ひ", "ヒ"), ("①", "1"), ("㎞", "km"), ("か", "が"), ("ı", "i")])
  func `other differences stay`(left: String, right: String) {
    #expect(FoldedText(left) != FoldedText(right))
  }

  @Test func `folding agrees with Foundation where both fold`() {
    // NFKC and case folding by Foundation, an independent judge, for the blocks that are named.
    let blocks: [ClosedRange<UInt32>] = [
      0x41...0x5A, 0xC0...0x17F, 0x391...0x3CE, 0x410...0x44F, 0x1E00...0x1EFF, 0x3041...0x3096,
      0x30A1...0x30FA, 0xAC00...0xAD00, 0xFF01...0xFF5E, 0xFF61...0xFF9D, 0xFFA1...0xFFBE,
      0xFFC2...0xFFC7, 0xFFCA...0xFFCF, 0xFFD2...0xFFD7, 0xFFDA...0xFFDC, 0xFFE0...0xFFE2,
    ]
    // Foundation's compatibility forms of these few Latin letters are two letters, which is not a
    // matter of width; of a Hangul letter the conjoining one.
    let exceptions: Set<UInt32> = [0x132, 0x133, 0x13F, 0x140, 0x149, 0x17F, 0x1E9A, 0x1E9B]
    for value in blocks.joined() where !exceptions.contains(value) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      let isHangulLetter = (0xFFA1...0xFFDC).contains(value)
      let wide = isHangulLetter ? text : text.precomposedStringWithCompatibilityMapping
      let judged = wide.folding(options: .caseInsensitive, locale: nil)
        .precomposedStringWithCanonicalMapping
      if isHangulLetter {
        #expect(
          folded(text).precomposedStringWithCompatibilityMapping
            == text.precomposedStringWithCompatibilityMapping, "U+\(String(value, radix: 16))")
      } else {
        #expect(
          folded(text) == judged || folded(text) == folded(judged), "U+\(String(value, radix: 16))")
      }
      // However the text was put together, it is found.
      let decomposed = text.decomposedStringWithCanonicalMapping
      #expect(FoldedText(decomposed) == FoldedText(text), "U+\(String(value, radix: 16))")
    }
  }

  @Test func `two characters are found inside of a word`() {
    let pharmacy = FoldedText("서울 중앙약국 1호점")
    #expect(pharmacy.contains(FoldedText("약국")))
    #expect(pharmacy.contains(FoldedText("약")))
    #expect(!pharmacy.contains(FoldedText("국약")))
    #expect(FoldedText("東京都庁ﾋﾞﾙ").contains(FoldedText("都庁")))
    #expect(FoldedText("東京都庁ﾋﾞﾙ").ends(with: FoldedText("ビル")))
    #expect(FoldedText("GS25 ＧＳ２５").starts(with: FoldedText("gs")))
    #expect(FoldedText("GS25").contains(FoldedText("")))
    #expect(!FoldedText("").contains(FoldedText("a")))
    #expect(!FoldedText("a").ends(with: FoldedText("ba")))
    // 각 is 가 and a final: whole characters are compared, so 가 is not in it.
    #expect(!FoldedText("각").contains(FoldedText("가")))
  }
}
