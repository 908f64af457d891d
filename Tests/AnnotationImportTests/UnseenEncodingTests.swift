import Foundation
import Testing

@testable import AnnotationImport

/// Detection judged by texts that no weight was counted from: lines written for this test, each of
/// them weighed alone, and rows of the western and other code pages.
@Suite struct UnseenEncodingTests {
  private static func detected(_ bytes: [UInt8]) -> TextEncoding? {
    bytes.withUnsafeBufferPointer {
      (EncodingDetection.legacy($0) ?? EncodingDetection.western($0))?.encoding
    }
  }

  /// How lines fare: detected, left undecided, or taken for another encoding.
  private static func tally(
    _ lines: [String], _ encoding: TextEncoding
  ) -> (right: Int, undecided: Int, wrong: [String]) {
    var tally = (right: 0, undecided: 0, wrong: [String]())
    for line in lines {
      switch detected(EncodingTests.encoded(line, encoding)) {
      case encoding: tally.right += 1
      case nil: tally.undecided += 1
      case let other?: tally.wrong.append("\(line): \(other.displayName)")
      }
    }
    return tally
  }

  private static let korean = """
    산책로 입구 안내판, 여름철에는 물놀이를 삼가 주십시오
    할머니국밥 본점,충북 단양군 매포읍,점심에만 엽니다
    비 오는 날에는 옥상 정원을 닫습니다
    고양이 카페 나비,예약 없이 오셔도 됩니다
    자전거 수리점,체인과 타이어 교체
    헌책방 골목,주말마다 벼룩시장
    쌍둥이네 빵집,옥수수식빵이 맛있어요
    뚝배기집,된장찌개 팔천 원
    등대 전망대,맑은 날에는 섬이 보인다
    폭설로 길이 막히면 버스가 돌아갑니다
    춤추는 분수,저녁 여덟 시부터
    꽃집 해바라기,전남 구례군 산동면
    호떡 파는 아저씨,겨울에만
    여객선 매표소,신분증을 꼭 챙기세요
    빨래방,스물네 시간
    엄마손 김밥,참치 넣은 것 두 줄
    약수터,끓여 드시기 바랍니다
    낚시 가게,갯지렁이 있음
    우체통,오후 다섯 시에 걷어 갑니다
    썰매장,어린이는 반드시 헬멧을 쓰세요
    """.split(separator: "\n").map(String.init)

  private static let japanese = """
    散歩道の入口、雨の日は滑りやすいのでご注意ください
    うどん処たぬき,愛媛県内子町,昼のみ営業
    屋上庭園は強風のとき閉めます
    猫カフェみけ,予約なしでどうぞ
    自転車修理,パンク直します
    古本市は毎月第二土曜に開かれます
    パン工房こむぎ,朝七時に焼きあがり
    灯台の展望台から島々が見えます
    大雪のためバスは迂回しています
    噴水ショーは夜八時から
    花屋ひまわり,長崎県五島列島
    たい焼き,冬だけの屋台です
    フェリー乗り場,身分証をお持ちください
    コインランドリー,24時間
    おにぎり専門店,鮭と梅が人気
    湧き水,煮沸してお飲みください
    釣具店つりきち,餌あります
    郵便ポスト,取集は夕方五時
    スキー場レンタル,ヘルメット着用
    ジャズ喫茶バラード,珈琲と古い針の音
    """.split(separator: "\n").map(String.init)

  private static let western = """
    Bäckerei Müller,Straße des Friedens,täglich geöffnet
    Schloß Köpenick,Führungen für Gäste
    Café de la Gare,ouvert toute l'année,fermé à Noël
    Hôtel des Trois Frères,façade rénovée,très calme
    Peluquería Íñigo,niños y niñas,cerrado en agosto según avería
    Panadería Muñoz,calle Mayor,tel. único
    Padaria São João,pão de queijo,não abre às segundas
    Caffè Città Alta,perché sì,più caffè
    Smørrebrød på hjørnet,åben året rundt
    Västerås färjeläger,öppet på söndagar
    Siopa Bhríd,Áth Cliath,fáilte go dtí an siopa
    """.split(separator: "\n").map(String.init)

  @Test func `a line of Korean is told alone`() {
    let tally = UnseenEncodingTests.tally(UnseenEncodingTests.korean, .cp949)
    #expect(tally.wrong == [])
    #expect(tally.right == 20, "\(tally.undecided) undecided")
  }

  @Test(arguments: [TextEncoding.shiftJIS, .eucJP])
  func `a line of Japanese is told alone`(encoding: TextEncoding) {
    let tally = UnseenEncodingTests.tally(UnseenEncodingTests.japanese, encoding)
    #expect(tally.wrong == [])
    #expect(tally.right == 20, "\(tally.undecided) undecided")
  }

  @Test func `a line of a western language is told alone`() {
    let tally = UnseenEncodingTests.tally(UnseenEncodingTests.western, .windows1252)
    #expect(tally.wrong == [])
    #expect(tally.right == 11, "\(tally.undecided) undecided")
  }

  @Test(arguments: [
    ("Żółw pod mostem,zajęcia dla młodzieży,ścieżka wzdłuż łąki", String.Encoding.windowsCP1250),
    ("Příliš žluťoučký kůň úpěl ďábelské ódy", .windowsCP1250),
    ("Árvíztűrő tükörfúrógép,őszi vásár a főtéren", .windowsCP1250),
    ("Кафе у моря,открыто каждый день", .windowsCP1251),
    ("Καφενείο στο λιμάνι,ανοιχτά κάθε μέρα", .windowsCP1253),
    // Icelandic has its letters where Turkish has others.
    ("Kaffihús við höfnina,opið á laugardögum,þorp og æðarfugl", .windowsCP1252),
    ("Şişli çarşısı,ığdır yolu,öğle arası kapalı,ışıklı geçiş", .windowsCP1254),
  ])
  func `another code page is left undecided`(text: String, encoding: String.Encoding) throws {
    let bytes = [UInt8](try #require(text.data(using: encoding)))
    #expect(UnseenEncodingTests.detected(bytes) == nil)
  }

  @Test func `a file of Latin-1 is read, and its encoding named`() throws {
    let text = "name;lat;lon\nCafé Zürich;47.37;8.54\nMünchen Süd;48.1;11.5\nKöln;50.9;6.9\n"
    let bytes = [UInt8](try #require(text.data(using: .isoLatin1)))
    let result = try importing(bytes)
    #expect(result.annotations.map(\.name) == ["Café Zürich", "München Süd", "Köln"])
    #expect(
      result.report.remarks.first
        == "shops.csv: read as Windows-1252: 5 of its 5 characters that are not ASCII are letters "
        + "of German, 0 are signs")
    #expect(
      try importing(bytes) { $0.encoding = TextEncoding(named: "latin1") }
        .annotations.map(\.name) == result.annotations.map(\.name))
  }
}
