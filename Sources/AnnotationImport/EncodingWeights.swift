/// The weight of each character of an encoding as evidence for a text in its language.
///
/// Korean and Japanese encodings share most of their bytes: a Hangul syllable in CP949 is a kanji
/// in EUC-JP and two half-width kana in Shift_JIS. But texts use few of the characters: 240 Hangul
/// syllables are 95 % of a Korean table, kana and 300 kanji as much of a Japanese one. In the wrong
/// encoding either is spread over thousands.
struct EncodingWeights {
  /// The weight of an ill-formed pair.
  static let illFormed = Int8.min
  static let common: Int8 = 4
  private static let usual: Int8 = 1
  private static let rare: Int8 = -1
  private static let odd: Int8 = -2
  private static let unlikely: Int8 = -4

  let encoding: TextEncoding
  /// The weights, indexed by lead byte × 256 + trail byte.
  let pairs: [Int8]

  /// The three encodings to weigh; computed on first use, in a millisecond.
  static let all = [TextEncoding.cp949, .shiftJIS, .eucJP].map(EncodingWeights.init)

  /// - Parameter encoding: CP949, Shift_JIS or EUC-JP.
  private init(_ encoding: TextEncoding) {
    self.encoding = encoding
    var pairs = [Int8](repeating: EncodingWeights.illFormed, count: 1 << 16)
    for lead in 0x81...0xFE {
      for trail in 0x40...0xFE {
        let weight =
          switch encoding {
          case .cp949: EncodingWeights.korean(lead, trail)
          case .shiftJIS: EncodingWeights.shiftJIS(lead, trail)
          default: EncodingWeights.eucJP(lead, trail)
          }
        if let weight { pairs[lead << 8 | trail] = weight }
      }
    }
    let frequent = encoding == .cp949 ? frequentHangul : frequentKanji + "ー、。・「」"
    for pair in EncodingWeights.codes(of: frequent, in: encoding) {
      pairs[pair] = EncodingWeights.common
    }
    self.pairs = pairs
  }

  private static func korean(_ lead: Int, _ trail: Int) -> Int8? {
    let isWansung = lead >= 0xA1 && trail >= 0xA1
    guard isWansung else {
      // The 8,822 syllables that Microsoft added.
      let isTrail =
        0x41...0x5A ~= trail || 0x61...0x7A ~= trail || trail >= 0x81
      return lead <= 0xC6 && isTrail ? rare : nil
    }
    switch lead {
    case 0xA1, 0xA3, 0xB0...0xC8: return usual
    case 0xCA...0xFD: return rare
    case 0xC9, 0xFE: return unlikely
    default: return odd
    }
  }

  private static func shiftJIS(_ lead: Int, _ trail: Int) -> Int8? {
    guard lead <= 0x9F || 0xE0...0xFC ~= lead, trail != 0x7F, trail <= 0xFC else { return nil }
    switch (lead, trail) {
    case (0x82, 0x9F...0xF1), (0x83, 0x40...0x96): return common
    case (0x81, _), (0x82, _): return usual
    case (0x83...0x86, _): return odd
    case (0x87, _), (0xFA...0xFC, _): return rare
    case (0x88, ..<0x9F): return unlikely
    case (0x88...0x97, _), (0x98, ..<0x73): return usual
    case (0x98...0x9F, _), (0xE0...0xEA, _), (0xED...0xEE, _): return rare
    default: return unlikely
    }
  }

  private static func eucJP(_ lead: Int, _ trail: Int) -> Int8? {
    guard lead >= 0xA1, trail >= 0xA1 else { return nil }
    switch lead {
    case 0xA4: return trail <= 0xF3 ? common : unlikely
    case 0xA5: return trail <= 0xF6 ? common : unlikely
    case 0xA1, 0xA3, 0xB0...0xCF: return usual
    case 0xA2, 0xA6...0xA8: return odd
    case 0xD0...0xF4, 0xAD: return rare
    default: return unlikely
    }
  }

  /// The codes of a text of which every character has two bytes.
  private static func codes(of text: String, in encoding: TextEncoding) -> [Int] {
    Array(text.utf8).withUnsafeBufferPointer { utf8 in
      guard let conversion = TextConversion(from: .utf8, to: encoding),
        case .converted(let bytes) = conversion.convert(utf8)
      else { return [] }
      return stride(from: 0, to: bytes.count - 1, by: 2).map {
        Int(bytes[$0]) << 8 | Int(bytes[$0 + 1])
      }
    }
  }
}

/// The most frequent Hangul syllables in names, addresses and descriptions of public data.
///
/// Source: counted in the Korean tables of `../shared/data`; they make up 96 % of those.
private let frequentHangul = """
  가간감강개거경계고곡골공과관광교구국군귀규그극금기길김꽃꿈나남내년노농는다단달담당대덕데도동두드들등라람랑래러레령\
  로롯루류릉리린림립마만매면명모목무문물미민및바밖반발방백번벌법변별보복봉부북분불비사산삼상새생서석선설성세센소송쇼수\
  순술스시식신실아악안암앙야양어업없에여역연영예오옥온완왕외요용우운울원월위유육은을음읍의이익인일임자작장재전점정제조\
  종주준중지진째차창책처천철청체초촌추축춘충층치코크타태택터테토통트특티파판퍼페평폐포품풍프플핑하학한함합항해행향험현\
  협형호홍화회효휴흥좌표름
  """

/// The most frequent kanji in names, addresses and headers of public data.
///
/// Source: counted in the Japanese tables of `../shared/data`, with the words of table headers.
private let frequentKanji = """
  一丁七三上下丘中丸久九二五井京仙代伊会佐保倉元光八六内円出分別利前割加北区十千南原双取口古台合吉名向和喜四国園土\
  地坂城埼堀堂場堺塚塩士多大天太央奈奥子字学安室宮宿富寺小尻尾屋山岡岩岸島崎川州巻市帯常幌幡平広府形後御志成戸所手\
  敷新方日旭明春時月木本札村条東松林柏柳柴栃栄栗根桜梨森業標横橋水江池沖沢河沼泉波津浜浦海清渡湯滝潟瀬熊玉王理生田\
  町畑登白目相県矢知石神福秋稲立第米紫緑線縄美群羽能船花若茨荒葉藤西見角谷豊賀赤越足路軽通道達那郡部郷都里野金釧長間\
  関阪阿青須飯館香馬高鳥鶴鹿麻黒緯度経称在住番号電話営時定休曜年無開始終了店舗施設観光説備考連絡先画像種類料者人公民\
  社事文化交自動車駅停医療院教育対象利用可容量数面積座系世界測位情報更入力期間場
  """
