import Geodesy

// The built-in codes and their CRSs.
//
// Source: the EPSG Geodetic Parameter Dataset of the International Association of Oil & Gas
// Producers, for codes, names and parameters.

extension CRS {
  /// The codes of all built-in CRSs, ascending.
  public static let builtInCodes: [Int] =
    (Datum.all.map(\.geographicCode) + [3395, 3857]
    + koreanGrids.map(\.code)
    + japaneseFamilies.flatMap { family in
      (0..<JapaneseZone.all.count).map { family.firstZone + $0 }
        + (0..<JapaneseZone.utm.count).map { family.firstUTM + $0 }
    }
    + (1...60).flatMap { [32600 + $0, 32700 + $0] }).sorted()

  /// The CRS with a code; nil if it is not built in.
  static func builtIn(_ code: Int) -> CRS? {
    guard code > 0 else { return nil }
    if let datum = Datum.all.first(where: { $0.geographicCode == code }) {
      return geographic(datum)
    }
    switch code {
    case 3857:
      return CRS(
        code, "WGS 84 / Pseudo-Mercator", .wgs84, "Popular Visualisation Pseudo-Mercator",
        Mercator.web, area: world(from: -85.06, to: 85.06))
    case 3395:
      return CRS(
        code, "WGS 84 / World Mercator", .wgs84, "World Mercator", Mercator(.wgs84),
        area: world(from: -80, to: 84))
    case 32601...32660:
      return utm(code, .wgs84, zone: code - 32600, latitudes: 0...84)
    case 32701...32760:
      return utm(code, .wgs84, zone: code - 32700, isNorth: false, latitudes: -80...0)
    default:
      return koreanGrid(code) ?? japaneseGrid(code)
    }
  }

  private static func world(from south: Double, to north: Double) -> Region {
    Region(name: "the world", boxes: [BoundingBox(unchecked: south, -180, north, 180)])
  }

  /// A UTM zone, 1…60, of a datum.
  static func utm(
    _ code: Int, _ datum: Datum, zone: Int, isNorth: Bool = true, latitudes: ClosedRange<Double>
  ) -> CRS {
    let name = "UTM zone \(zone)\(isNorth ? "N" : "S")"
    let meridian = Double(zone) * 6 - 183
    let area = BoundingBox(
      unchecked: latitudes.lowerBound, meridian - 3, latitudes.upperBound, meridian + 3)
    return CRS(
      code, "\(datum.name) / \(name)", datum, name,
      TransverseMercator(
        datum.ellipsoid, centralMeridian: meridian, scale: 0.9996, falseEasting: 500_000,
        falseNorthing: isNorth ? 0 : 10_000_000),
      area: Region(name: name, boxes: [area]))
  }

  /// Advice for a code that is not built in.
  package static func advice(_ code: Int) -> String {
    "built in are EPSG:4326, 3395, 3857, UTM 32601–32660 and 32701–32760, the grids of Korea (2096–2098, "
      + "5167–5168, 5173–5188) and of Japan (30161–30179, 2443–2461, 6669–6687, UTM 3092–3101 "
      + "and 6688–6692), and their degrees"
      + (nearestMatch(to: code).map { "; the nearest match is EPSG:\($0)" } ?? "")
  }

  /// The built-in code with the smallest edit distance from a number, then the smallest code; nil if it is
  /// more than two strokes away.
  static func nearestMatch(to code: Int) -> Int? {
    let typed = Array(String(code).utf8)
    // All codes are more than 0, so the same one is the nearest, and no difference is too large.
    let number = max(code, 0)
    let nearest = builtInCodes.map {
      ($0, editDistance(from: typed, to: Array(String($0).utf8), countsSwaps: true))
    }
    .min { ($0.1, abs($0.0 - number)) < ($1.1, abs($1.0 - number)) }
    return nearest.flatMap { $0.1 <= 2 ? $0.0 : nil }
  }
}
