import Geodesy

/// A province of Korea or a prefecture of Japan: its names in addresses, and its area.
///
/// Coarse boxes for finding positions that must be mistakes; not a statement about borders. They
/// include sea and parts of the neighbors.
struct Province: Sendable {
  /// The names in addresses in Latin letters, in lower case.
  private let latinNames: [String]
  /// The country, as a region.
  let country: Region
  /// The whole province, by its name in Korean or Japanese addresses.
  let whole: Region
  /// Districts away from the rest, by the beginnings of their names, with their regions.
  private let districts: [(beginnings: [String], region: Region)]
  /// The rest without these districts.
  private let rest: Region

  /// Makes a province with a box of south, west, north and east.
  fileprivate init(
    _ name: String, _ latinNames: [String], in country: Region, _ south: Double, _ west: Double,
    _ north: Double, _ east: Double, _ districts: [(beginnings: [String], box: BoundingBox)] = []
  ) {
    let box = BoundingBox(unchecked: south, west, north, east)
    self.latinNames = latinNames
    self.country = country
    whole = Region(name: name, boxes: [box] + districts.map(\.box))
    rest = Region(name: name, boxes: [box])
    self.districts = districts.map { ($0.beginnings, Region(name: name, boxes: [$0.box])) }
  }

  /// The region of an address, by the text after the province's name; the whole province if that does not decide.
  ///
  /// - Parameter address: Evaluated only if the province has separate districts.
  func region(of address: @autoclosure () -> String) -> Region {
    guard !districts.isEmpty else { return rest }
    let address = address()
    if address.isEmpty { return whole }
    return districts.first { $0.beginnings.contains(where: address.hasPrefix) }?.region ?? rest
  }

  // MARK: By name

  /// The province with a name as in Korean and Japanese addresses: `서울`, `경남`, `静岡県`.
  static func named(_ name: String) -> Province? { byName[name] }

  private static let byName = Dictionary(
    uniqueKeysWithValues: (korea + japan).map { ($0.whole.name, $0) })

  /// The province at the end of an address in Latin letters: `Jung-gu, Seoul 04524, Republic of Korea`.
  ///
  /// It must stand alone between commas, after the nearer parts, and only a country may follow.
  static func ending(_ address: String) -> Province? {
    guard address.utf8.contains(UInt8(ascii: ",")) else { return nil }
    var parts = address.lowercased().split(separator: ",", omittingEmptySubsequences: false)
      .map(latinName)
    while let last = parts.last, last.isEmpty || countries.contains(last) { parts.removeLast() }
    // The first part is a house or a name.
    guard parts.count >= 2, let last = parts.last else { return nil }
    return byLatinName[last]
  }

  /// A part without postal codes and words for "province".
  private static func latinName(_ part: Substring) -> String {
    let words = part.split(separator: " ").filter { !$0.contains(where: \.isNumber) }
    var name = words.joined(separator: " ")
    for ending in endings where name.hasSuffix(ending) && name != ending {
      name.removeLast(ending.count)
      break
    }
    return name
  }

  private static let countries: Set<String> = [
    "korea", "south korea", "republic of korea", "rep. of korea", "japan",
  ]
  private static let endings = [
    "-do", "-si", "-to", "-fu", "-ken", " prefecture", " province", " special city", " metropolis",
    " special self-governing city", " special self-governing province",
  ]

  private static let byLatinName: [String: Province] = Dictionary(
    uniqueKeysWithValues: (korea + japan).flatMap { province in
      province.latinNames.map { ($0, province) }
    })
}

extension Province {
  /// The provinces of South Korea, by the short names that their renamings share.
  ///
  /// South, west, north and east, rounded outward. 대구 includes 군위, which joined it in 2023. `gwangju` alone is also a
  /// city of 경기.
  ///
  /// Source: the outermost of the 35,583 Korean postal codes of GeoNames (CC BY 4.0, `geonames-postal`), by province,
  /// and for 인천, 전남 and 경북 by district; widened by some kilometers and to the outermost islands.
  static let korea: [Province] = [
    Province("서울", ["seoul"], in: .southKorea, 37.4, 126.75, 37.72, 127.2),
    Province("부산", ["busan"], in: .southKorea, 34.85, 128.75, 35.42, 129.35),
    Province("대구", ["daegu"], in: .southKorea, 35.6, 128.3, 36.35, 128.95),
    Province(
      "인천", ["incheon"], in: .southKorea, 37.3, 126.3, 37.7, 126.85,
      [
        (["강화"], BoundingBox(unchecked: 37.55, 126.05, 37.85, 126.6)),
        (["옹진"], BoundingBox(unchecked: 36.9, 124.55, 38.05, 126.75)),
      ]),
    Province("광주", ["gwangju metropolitan city"], in: .southKorea, 35, 126.6, 35.3, 127.05),
    Province("대전", ["daejeon"], in: .southKorea, 36.15, 127.2, 36.55, 127.6),
    Province("울산", ["ulsan"], in: .southKorea, 35.3, 128.95, 35.75, 129.5),
    Province("세종", ["sejong"], in: .southKorea, 36.4, 127.1, 36.75, 127.45),
    Province("경기", ["gyeonggi"], in: .southKorea, 36.85, 126.3, 38.3, 127.9),
    Province("강원", ["gangwon"], in: .southKorea, 37, 127.05, 38.65, 129.4),
    Province(
      "충북", ["chungcheongbuk", "north chungcheong", "chungbuk"], in: .southKorea, 36, 127.25, 37.3,
      128.7),
    Province(
      "충남", ["chungcheongnam", "south chungcheong", "chungnam"], in: .southKorea, 35.95, 125.5,
      37.1, 127.65),
    Province(
      "전북", ["jeollabuk", "north jeolla", "jeonbuk"], in: .southKorea, 35.25, 125.95, 36.2, 127.95),
    Province(
      "전남", ["jeollanam", "south jeolla", "jeonnam"], in: .southKorea, 33.9, 125.9, 35.55, 127.95,
      [
        (["신안"], BoundingBox(unchecked: 33.9, 125, 35.3, 126.5))
      ]),
    Province(
      "경북", ["gyeongsangbuk", "north gyeongsang", "gyeongbuk"], in: .southKorea, 35.55, 127.75,
      37.2, 129.65,
      [
        (["울릉"], BoundingBox(unchecked: 37.15, 130.75, 37.6, 131.95))
      ]),
    Province(
      "경남", ["gyeongsangnam", "south gyeongsang", "gyeongnam"], in: .southKorea, 34.45, 127.55,
      35.95, 129.25),
    Province("제주", ["jeju"], in: .southKorea, 33.05, 126.1, 34.05, 127),
  ]
}

extension Province {
  /// The prefectures of Japan, by their full names.
  ///
  /// South, west, north and east, rounded outward to 0.05°. The islands of 東京都, up to 1,800 km from
  /// its wards, are separate.
  ///
  /// Source: the extreme points of prefectures of the Geospatial Information Authority of Japan,
  /// written from memory and not compared with its pages. What was checked: 155,141 blocks of towns
  /// in 21 prefectures (Geolonia, CC BY 4.0, `jp-towns`) and 9,372 stations in all (`jp-stations`)
  /// lie inside, as `ProvinceTests` counts again.
  static let japan: [Province] = [
    Province("北海道", ["hokkaido"], in: .japan, 41.3, 139.3, 45.6, 148.95),
    Province("青森県", ["aomori"], in: .japan, 40.2, 139.45, 41.6, 141.75),
    Province("岩手県", ["iwate"], in: .japan, 38.7, 140.6, 40.5, 142.1),
    Province("宮城県", ["miyagi"], in: .japan, 37.7, 140.25, 39.05, 141.7),
    Province("秋田県", ["akita"], in: .japan, 38.85, 139.65, 40.55, 141),
    Province("山形県", ["yamagata"], in: .japan, 37.7, 139.5, 39.25, 140.7),
    Province("福島県", ["fukushima"], in: .japan, 36.75, 139.15, 38, 141.1),
    Province("茨城県", ["ibaraki"], in: .japan, 35.7, 139.65, 37, 140.9),
    Province("栃木県", ["tochigi"], in: .japan, 36.15, 139.3, 37.2, 140.35),
    Province("群馬県", ["gunma"], in: .japan, 35.95, 138.35, 37.1, 139.7),
    Province("埼玉県", ["saitama"], in: .japan, 35.7, 138.7, 36.3, 139.95),
    Province("千葉県", ["chiba"], in: .japan, 34.85, 139.7, 36.15, 140.9),
    Province(
      "東京都", ["tokyo"], in: .japan, 35.45, 138.9, 35.95, 139.95,
      [
        (
          ["大島", "利島", "新島", "神津島", "三宅", "御蔵島", "八丈", "青ヶ島", "青ケ島"],
          BoundingBox(unchecked: 29.75, 138.75, 34.85, 140.4)
        ),
        (["小笠原"], BoundingBox(unchecked: 20.4, 136.05, 27.8, 154)),
      ]),
    Province("神奈川県", ["kanagawa"], in: .japan, 35.1, 138.9, 35.7, 139.85),
    Province("新潟県", ["niigata"], in: .japan, 36.7, 137.6, 38.6, 139.95),
    Province("富山県", ["toyama"], in: .japan, 36.25, 136.75, 37.05, 137.8),
    Province("石川県", ["ishikawa"], in: .japan, 36.05, 136.2, 37.9, 137.4),
    Province("福井県", ["fukui"], in: .japan, 35.3, 135.4, 36.35, 136.85),
    Province("山梨県", ["yamanashi"], in: .japan, 35.15, 138.15, 36, 139.15),
    Province("長野県", ["nagano"], in: .japan, 35.15, 137.3, 37.05, 138.75),
    Province("岐阜県", ["gifu"], in: .japan, 35.1, 136.25, 36.5, 137.7),
    Province("静岡県", ["shizuoka"], in: .japan, 34.55, 137.45, 35.7, 139.2),
    Province("愛知県", ["aichi"], in: .japan, 34.55, 136.65, 35.45, 137.85),
    Province("三重県", ["mie"], in: .japan, 33.7, 135.8, 35.3, 137),
    Province("滋賀県", ["shiga"], in: .japan, 34.75, 135.75, 35.75, 136.5),
    Province("京都府", ["kyoto"], in: .japan, 34.7, 134.8, 35.8, 136.1),
    Province("大阪府", ["osaka"], in: .japan, 34.25, 135.05, 35.1, 135.8),
    Province("兵庫県", ["hyogo"], in: .japan, 34.15, 134.2, 35.7, 135.5),
    Province("奈良県", ["nara"], in: .japan, 33.85, 135.5, 34.8, 136.25),
    Province("和歌山県", ["wakayama"], in: .japan, 33.4, 134.95, 34.4, 136.05),
    Province("鳥取県", ["tottori"], in: .japan, 35.05, 133.1, 35.65, 134.55),
    Province("島根県", ["shimane"], in: .japan, 34.3, 131.65, 36.4, 133.4),
    Province("岡山県", ["okayama"], in: .japan, 34.25, 133.25, 35.4, 134.45),
    Province("広島県", ["hiroshima"], in: .japan, 34, 132, 35.15, 133.5),
    Province("山口県", ["yamaguchi"], in: .japan, 33.7, 130.75, 34.85, 132.5),
    Province("徳島県", ["tokushima"], in: .japan, 33.5, 133.65, 34.3, 134.85),
    Province("香川県", ["kagawa"], in: .japan, 34, 133.4, 34.6, 134.5),
    Province("愛媛県", ["ehime"], in: .japan, 32.85, 132, 34.35, 133.7),
    Province("高知県", ["kochi"], in: .japan, 32.7, 132.45, 33.9, 134.35),
    Province("福岡県", ["fukuoka"], in: .japan, 33, 129.95, 34.3, 131.2),
    Province("佐賀県", ["saga"], in: .japan, 32.95, 129.7, 33.65, 130.55),
    Province("長崎県", ["nagasaki"], in: .japan, 31.95, 128.1, 34.75, 130.45),
    Province("熊本県", ["kumamoto"], in: .japan, 32.05, 129.9, 33.25, 131.35),
    Province("大分県", ["oita"], in: .japan, 32.7, 130.8, 33.75, 132.2),
    Province("宮崎県", ["miyazaki"], in: .japan, 31.35, 130.7, 32.85, 131.9),
    Province("鹿児島県", ["kagoshima"], in: .japan, 27, 128.35, 32.35, 131.25),
    Province("沖縄県", ["okinawa"], in: .japan, 24, 122.9, 27.95, 131.35),
  ]
}
