import Geodesy

// The grids of Great Britain and Ireland, only as far as needed to recognize their numbers.
//
// They are not built in: PROJ reads them with a shift of 2 m accuracy, or with the Ordnance
// Survey's grid. The three parameters here, accurate to 21 m, only show where numbers would land.

extension CRS {
  static let britishGrid = CRS(
    27700, "OSGB36 / British National Grid", .osgb36, "British National Grid",
    TransverseMercator(
      Datum.osgb36.ellipsoid, latitudeOfOrigin: 49, centralMeridian: -2, scale: 0.999_601_271_7,
      falseEasting: 400_000, falseNorthing: -100_000), area: greatBritain)

  static let irishGrids = [
    CRS(
      2157, "IRENET95 / Irish Transverse Mercator", .irenet95, "Irish Transverse Mercator",
      TransverseMercator(
        .grs80, latitudeOfOrigin: 53.5, centralMeridian: -8, scale: 0.99982,
        falseEasting: 600_000, falseNorthing: 750_000), area: ireland),
    CRS(
      29902, "TM65 / Irish Grid", .tm65, "Irish Grid",
      TransverseMercator(
        Datum.tm65.ellipsoid, latitudeOfOrigin: 53.5, centralMeridian: -8, scale: 1.000_035,
        falseEasting: 200_000, falseNorthing: 250_000), area: ireland),
  ]

  /// The land and its islands, excluding Ireland and most of the seas.
  private static let greatBritain = Region(
    name: "Great Britain",
    boxes: [
      BoundingBox(unchecked: 49.8, -6.5, 51.2, 1.5), BoundingBox(unchecked: 51.2, -5.4, 53.5, 1.9),
      BoundingBox(unchecked: 53.5, -3.7, 54.7, 0.3), BoundingBox(unchecked: 54.0, -4.9, 54.5, -4.2),
      BoundingBox(unchecked: 54.6, -5.3, 55.8, -1.3),
      BoundingBox(unchecked: 55.5, -7.7, 58.8, -1.7),
      BoundingBox(unchecked: 58.6, -3.5, 60.9, -0.7),
    ])

  private static let ireland = Region(
    name: "Ireland", boxes: [BoundingBox(unchecked: 51.3, -10.7, 55.5, -5.3)])
}
