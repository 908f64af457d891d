import Geodesy

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
  static let japan: [Entry] = [
    entry("北海道", ["hokkaido"], in: .japan, 41.3, 139.3, 45.6, 148.95),
    entry("青森県", ["aomori"], in: .japan, 40.2, 139.45, 41.6, 141.75),
    entry("岩手県", ["iwate"], in: .japan, 38.7, 140.6, 40.5, 142.1),
    entry("宮城県", ["miyagi"], in: .japan, 37.7, 140.25, 39.05, 141.7),
    entry("秋田県", ["akita"], in: .japan, 38.85, 139.65, 40.55, 141),
    entry("山形県", ["yamagata"], in: .japan, 37.7, 139.5, 39.25, 140.7),
    entry("福島県", ["fukushima"], in: .japan, 36.75, 139.15, 38, 141.1),
    entry("茨城県", ["ibaraki"], in: .japan, 35.7, 139.65, 37, 140.9),
    entry("栃木県", ["tochigi"], in: .japan, 36.15, 139.3, 37.2, 140.35),
    entry("群馬県", ["gunma"], in: .japan, 35.95, 138.35, 37.1, 139.7),
    entry("埼玉県", ["saitama"], in: .japan, 35.7, 138.7, 36.3, 139.95),
    entry("千葉県", ["chiba"], in: .japan, 34.85, 139.7, 36.15, 140.9),
    entry(
      "東京都", ["tokyo"], in: .japan, 35.45, 138.9, 35.95, 139.95,
      [
        (
          ["大島", "利島", "新島", "神津島", "三宅", "御蔵島", "八丈", "青ヶ島", "青ケ島"],
          BoundingBox(unchecked: 29.75, 138.75, 34.85, 140.4)
        ),
        (["小笠原"], BoundingBox(unchecked: 20.4, 136.05, 27.8, 154)),
      ]),
    entry("神奈川県", ["kanagawa"], in: .japan, 35.1, 138.9, 35.7, 139.85),
    entry("新潟県", ["niigata"], in: .japan, 36.7, 137.6, 38.6, 139.95),
    entry("富山県", ["toyama"], in: .japan, 36.25, 136.75, 37.05, 137.8),
    entry("石川県", ["ishikawa"], in: .japan, 36.05, 136.2, 37.9, 137.4),
    entry("福井県", ["fukui"], in: .japan, 35.3, 135.4, 36.35, 136.85),
    entry("山梨県", ["yamanashi"], in: .japan, 35.15, 138.15, 36, 139.15),
    entry("長野県", ["nagano"], in: .japan, 35.15, 137.3, 37.05, 138.75),
    entry("岐阜県", ["gifu"], in: .japan, 35.1, 136.25, 36.5, 137.7),
    entry("静岡県", ["shizuoka"], in: .japan, 34.55, 137.45, 35.7, 139.2),
    entry("愛知県", ["aichi"], in: .japan, 34.55, 136.65, 35.45, 137.85),
    entry("三重県", ["mie"], in: .japan, 33.7, 135.8, 35.3, 137),
    entry("滋賀県", ["shiga"], in: .japan, 34.75, 135.75, 35.75, 136.5),
    entry("京都府", ["kyoto"], in: .japan, 34.7, 134.8, 35.8, 136.1),
    entry("大阪府", ["osaka"], in: .japan, 34.25, 135.05, 35.1, 135.8),
    entry("兵庫県", ["hyogo"], in: .japan, 34.15, 134.2, 35.7, 135.5),
    entry("奈良県", ["nara"], in: .japan, 33.85, 135.5, 34.8, 136.25),
    entry("和歌山県", ["wakayama"], in: .japan, 33.4, 134.95, 34.4, 136.05),
    entry("鳥取県", ["tottori"], in: .japan, 35.05, 133.1, 35.65, 134.55),
    entry("島根県", ["shimane"], in: .japan, 34.3, 131.65, 36.4, 133.4),
    entry("岡山県", ["okayama"], in: .japan, 34.25, 133.25, 35.4, 134.45),
    entry("広島県", ["hiroshima"], in: .japan, 34, 132, 35.15, 133.5),
    entry("山口県", ["yamaguchi"], in: .japan, 33.7, 130.75, 34.85, 132.5),
    entry("徳島県", ["tokushima"], in: .japan, 33.5, 133.65, 34.3, 134.85),
    entry("香川県", ["kagawa"], in: .japan, 34, 133.4, 34.6, 134.5),
    entry("愛媛県", ["ehime"], in: .japan, 32.85, 132, 34.35, 133.7),
    entry("高知県", ["kochi"], in: .japan, 32.7, 132.45, 33.9, 134.35),
    entry("福岡県", ["fukuoka"], in: .japan, 33, 129.95, 34.3, 131.2),
    entry("佐賀県", ["saga"], in: .japan, 32.95, 129.7, 33.65, 130.55),
    entry("長崎県", ["nagasaki"], in: .japan, 31.95, 128.1, 34.75, 130.45),
    entry("熊本県", ["kumamoto"], in: .japan, 32.05, 129.9, 33.25, 131.35),
    entry("大分県", ["oita"], in: .japan, 32.7, 130.8, 33.75, 132.2),
    entry("宮崎県", ["miyazaki"], in: .japan, 31.35, 130.7, 32.85, 131.9),
    entry("鹿児島県", ["kagoshima"], in: .japan, 27, 128.35, 32.35, 131.25),
    entry("沖縄県", ["okinawa"], in: .japan, 24, 122.9, 27.95, 131.35),
  ]
}
