import Geodesy

// The grids of Japan: nineteen plane-rectangular zones and five UTM zones, on three datums.
//
// Japan calls the northing of a plane-rectangular zone X and the easting Y. Both count from an
// origin in the middle of the zone, so the numbers alone never show which is which.

/// A plane-rectangular zone: its origin and its area of use.
struct JapaneseZone: Sendable {
  let numeral: String
  let latitude: Double
  let longitude: Double
  let box: BoundingBox

  private init(
    _ numeral: String, _ latitude: Double, _ longitude: Double,
    _ box: (Double, Double, Double, Double)
  ) {
    self.numeral = numeral
    self.latitude = latitude
    self.longitude = longitude
    self.box = BoundingBox(unchecked: box.0, box.1, box.2, box.3)
  }

  /// The zones I to XIX; boxes as south, west, north, east.
  static let all = [
    JapaneseZone("I", 33, 129 + 30 / 60.0, (26.96, 128.17, 34.74, 130.46)),
    JapaneseZone("II", 33, 131, (30.18, 129.76, 33.99, 132.05)),
    JapaneseZone("III", 36, 132 + 10 / 60.0, (33.72, 130.81, 36.38, 133.49)),
    JapaneseZone("IV", 33, 133 + 30 / 60.0, (32.69, 131.95, 34.45, 134.81)),
    JapaneseZone("V", 36, 134 + 20 / 60.0, (34.13, 133.13, 35.71, 135.47)),
    JapaneseZone("VI", 36, 136, (33.4, 134.86, 36.33, 136.99)),
    JapaneseZone("VII", 36, 137 + 10 / 60.0, (34.51, 136.22, 37.58, 137.84)),
    JapaneseZone("VIII", 36, 138 + 30 / 60.0, (34.54, 137.32, 38.58, 139.91)),
    JapaneseZone("IX", 36, 139 + 50 / 60.0, (29.31, 138.4, 37.98, 141.11)),
    JapaneseZone("X", 40, 140 + 50 / 60.0, (37.73, 139.49, 41.58, 142.14)),
    JapaneseZone("XI", 44, 140 + 15 / 60.0, (41.34, 139.34, 43.42, 141.46)),
    JapaneseZone("XII", 44, 142 + 15 / 60.0, (42.15, 140.89, 45.54, 143.61)),
    JapaneseZone("XIII", 44, 144 + 15 / 60.0, (41.87, 142.61, 44.4, 145.87)),
    JapaneseZone("XIV", 26, 142, (24.67, 141.2, 27.8, 142.33)),
    JapaneseZone("XV", 26, 127 + 30 / 60.0, (26.02, 126.63, 26.91, 128.4)),
    JapaneseZone("XVI", 26, 124, (23.98, 122.83, 24.94, 125.51)),
    JapaneseZone("XVII", 26, 131, (24.4, 131.12, 26.01, 131.38)),
    JapaneseZone("XVIII", 20, 136, (20.37, 136.02, 20.48, 136.16)),
    JapaneseZone("XIX", 26, 154, (24.22, 153.91, 24.35, 154.05)),
  ]

  /// The UTM zones of Japan.
  static let utm = 51...55
}

extension CRS {
  /// The grids of each datum: the codes of plane-rectangular zone I and of UTM zone 51N; the other zones follow.
  static let japaneseFamilies: [(datum: Datum, firstZone: Int, firstUTM: Int)] = [
    (.tokyo, 30161, 3092), (.jgd2000, 2443, 3097), (.jgd2011, 6669, 6688),
  ]

  static func japaneseGrid(_ code: Int) -> CRS? {
    for (datum, firstZone, firstUTM) in japaneseFamilies {
      if JapaneseZone.all.indices.contains(code - firstZone) {
        let zone = JapaneseZone.all[code - firstZone]
        return CRS(
          code, "\(datum.name) / Japan Plane Rectangular CS \(zone.numeral)", datum,
          "Japan Plane Rectangular CS zone \(zone.numeral)",
          TransverseMercator(
            datum.ellipsoid, latitudeOfOrigin: zone.latitude, centralMeridian: zone.longitude,
            scale: 0.9999),
          area: Region(name: "zone \(zone.numeral)", boxes: [zone.box]))
      }
      let zone = code - firstUTM + JapaneseZone.utm.lowerBound
      if JapaneseZone.utm.contains(zone) {
        return utm(code, datum, zone: zone, latitudes: 17...46.1)
      }
    }
    return nil
  }

  /// Whether a CRS is one of Japan's plane-rectangular zones, whose X is the northing by law
  /// (Ministry of Land, Infrastructure, Transport and Tourism, notice 9 of 2002).
  package static func isJapanesePlane(_ code: Int) -> Bool {
    japaneseFamilies.contains { JapaneseZone.all.indices.contains(code - $0.firstZone) }
  }
}
