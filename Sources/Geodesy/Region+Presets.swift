extension Region {
  /// The predefined regions.
  public static let presets = [southKorea, japan, martAppKorea]

  /// The preset with a name, `KR`, `JP` or `kr-mart-box`, ignoring case; `nil` for any other name.
  public init?(named name: String) {
    let wanted = name.lowercased()
    guard let preset = Region.presets.first(where: { $0.name.lowercased() == wanted }) else {
      return nil
    }
    self = preset
  }

  /// South Korea, as `KR`: the mainland, Jeju with Marado and Chujado, Ulleungdo and Dokdo,
  /// Baengnyeongdo, Heuksando, Hongdo and Gageodo.
  ///
  /// Coarse boxes for finding positions that must be mistakes; not a statement about borders. They
  /// include much sea and, in the north, places beyond the armistice line. Tsushima is outside.
  ///
  /// Source: the extreme points of the National Geographic Information Institute (Marado 33°06′,
  /// Goseong 38°36′, Dokdo 131°52′), rounded outward.
  public static let southKorea = Region(
    name: "KR",
    boxes: [
      // The south coast, from Gageodo and Hongdo in the west to Geojedo; Tsushima begins at 129.16.
      BoundingBox(unchecked: 33.9, 124.95, 34.95, 128.95),
      // The mainland from there to Taean and Uljin.
      BoundingBox(unchecked: 34.95, 125.4, 37, 129.65),
      // Incheon and its islands with Yeonpyeongdo.
      BoundingBox(unchecked: 37, 125.55, 37.85, 126.65),
      // Seoul, Paju and Cheorwon.
      BoundingBox(unchecked: 37, 126.65, 38.35, 128),
      // Gangneung to Goseong.
      BoundingBox(unchecked: 37, 128, 38.65, 129.5),
      // Baengnyeongdo, Daecheongdo, Socheongdo.
      BoundingBox(unchecked: 37.72, 124.55, 38, 124.85),
      // Ulleungdo, Dokdo.
      BoundingBox(unchecked: 37.15, 130.7, 37.6, 131.95),
      // Jeju, Udo, Gapado, Marado.
      BoundingBox(unchecked: 33.05, 126.05, 33.9, 127.05),
    ])

  /// The mart app's box of Korea, as `kr-mart-box`: 33…39° N, 126…130° E.
  ///
  /// Copied from the app. Baengnyeongdo, Heuksando, Hongdo, Gageodo, Ulleungdo and Dokdo are
  /// outside, Tsushima and Kaesong inside; `southKorea` is more accurate.
  ///
  /// Source: jinios/mart-holiday-app, 464e96f.
  public static let martAppKorea = Region(
    name: "kr-mart-box", boxes: [BoundingBox(unchecked: 33, 126, 39, 130)])

  /// Japan, as `JP`: the four main islands and those around them, Tsushima, Okinawa to Yonaguni,
  /// Daito, the Izu islands, Ogasawara, Okinotorishima and Minamitorishima.
  ///
  /// Coarse boxes for finding positions that must be mistakes; not a statement about borders. They
  /// include much sea. The Korean mainland is outside.
  ///
  /// Source: the extreme points of the Geospatial Information Authority (Minamitorishima 153°59′,
  /// Yonaguni 122°56′, Okinotorishima 20°25′), rounded outward.
  public static let japan = Region(
    name: "JP",
    boxes: [
      // Hokkaido with Rebun, Rishiri and Okushiri, to Cape Nosappu.
      BoundingBox(unchecked: 41.3, 139.3, 45.6, 145.9),
      // Honshu east of 138, with Sado.
      BoundingBox(unchecked: 34.5, 138, 41.6, 142.15),
      // Noto and the coast of Hokuriku.
      BoundingBox(unchecked: 36.4, 135.5, 38, 138),
      // Honshu from Chugoku to 138, with Oki; Shikoku.
      BoundingBox(unchecked: 32.65, 130.8, 36.4, 138),
      // Kyushu with Goto and Iki.
      BoundingBox(unchecked: 30.9, 128.3, 34.3, 132.2),
      // Tsushima.
      BoundingBox(unchecked: 34.05, 129.1, 34.75, 129.55),
      // The Izu islands, to Sofugan.
      BoundingBox(unchecked: 29.7, 138.8, 34.5, 140.5),
      // Tanegashima, Yakushima, Tokara, Amami, Yoron.
      BoundingBox(unchecked: 26.95, 128.15, 30.9, 131.2),
      // Okinawa with Kumejima and Iheya.
      BoundingBox(unchecked: 26, 126.6, 27.95, 128.4),
      // Miyako and Yaeyama, to Yonaguni.
      BoundingBox(unchecked: 24, 122.9, 25, 125.55),
      // Daito.
      BoundingBox(unchecked: 24.4, 131.1, 26, 131.4),
      // Ogasawara with the Volcano Islands.
      BoundingBox(unchecked: 24.15, 140.8, 27.8, 142.3),
      // Minamitorishima.
      BoundingBox(unchecked: 24.2, 153.9, 24.35, 154.05),
      // Okinotorishima.
      BoundingBox(unchecked: 20.35, 136, 20.5, 136.15),
    ])
}
