import Geodesy

extension Province {
  /// The provinces of South Korea, by the short names that their renamings share.
  ///
  /// South, west, north and east, rounded outward. 대구 includes 군위, which joined it in 2023. `gwangju` alone is also a
  /// city of 경기.
  ///
  /// Source: the outermost of the 35,583 Korean postal codes of GeoNames (CC BY 4.0, `geonames-postal`), by province,
  /// and for 인천, 전남 and 경북 by district; widened by some kilometers and to the outermost islands.
  static let korea: [Entry] = [
    entry("서울", ["seoul"], in: .southKorea, 37.4, 126.75, 37.72, 127.2),
    entry("부산", ["busan"], in: .southKorea, 34.85, 128.75, 35.42, 129.35),
    entry("대구", ["daegu"], in: .southKorea, 35.6, 128.3, 36.35, 128.95),
    entry(
      "인천", ["incheon"], in: .southKorea, 37.3, 126.3, 37.7, 126.85,
      [
        (["강화"], BoundingBox(unchecked: 37.55, 126.05, 37.85, 126.6)),
        (["옹진"], BoundingBox(unchecked: 36.9, 124.55, 38.05, 126.75)),
      ]),
    entry("광주", ["gwangju metropolitan city"], in: .southKorea, 35, 126.6, 35.3, 127.05),
    entry("대전", ["daejeon"], in: .southKorea, 36.15, 127.2, 36.55, 127.6),
    entry("울산", ["ulsan"], in: .southKorea, 35.3, 128.95, 35.75, 129.5),
    entry("세종", ["sejong"], in: .southKorea, 36.4, 127.1, 36.75, 127.45),
    entry("경기", ["gyeonggi"], in: .southKorea, 36.85, 126.3, 38.3, 127.9),
    entry("강원", ["gangwon"], in: .southKorea, 37, 127.05, 38.65, 129.4),
    entry(
      "충북", ["chungcheongbuk", "north chungcheong", "chungbuk"], in: .southKorea, 36, 127.25, 37.3,
      128.7),
    entry(
      "충남", ["chungcheongnam", "south chungcheong", "chungnam"], in: .southKorea, 35.95, 125.5,
      37.1, 127.65),
    entry(
      "전북", ["jeollabuk", "north jeolla", "jeonbuk"], in: .southKorea, 35.25, 125.95, 36.2, 127.95),
    entry(
      "전남", ["jeollanam", "south jeolla", "jeonnam"], in: .southKorea, 33.9, 125.9, 35.55, 127.95,
      [
        (["신안"], BoundingBox(unchecked: 33.9, 125, 35.3, 126.5))
      ]),
    entry(
      "경북", ["gyeongsangbuk", "north gyeongsang", "gyeongbuk"], in: .southKorea, 35.55, 127.75,
      37.2, 129.65,
      [
        (["울릉"], BoundingBox(unchecked: 37.15, 130.75, 37.6, 131.95))
      ]),
    entry(
      "경남", ["gyeongsangnam", "south gyeongsang", "gyeongnam"], in: .southKorea, 34.45, 127.55,
      35.95, 129.25),
    entry("제주", ["jeju"], in: .southKorea, 33.05, 126.1, 34.05, 127),
  ]
}
