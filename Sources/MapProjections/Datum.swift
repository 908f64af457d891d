import Geodesy

/// A datum: an ellipsoid, its placement on the Earth, and the shift to WGS 84.
///
/// Each datum has one shift: the one that EPSG gives for its whole country. Other shifts of the
/// same datum differ from it by meters, so every operation states the name of the shift and its
/// accuracy.
public struct Datum: Sendable {
  /// The EPSG code of the geographic CRS.
  public let geographicCode: Int
  /// The name.
  public let name: String
  /// The ellipsoid.
  public let ellipsoid: Ellipsoid
  /// The shift to WGS 84, with its name and accuracy in meters; nil for WGS 84 itself.
  public let toWGS84: NamedShift?
  /// The area of use, in degrees of WGS 84.
  let area: Region

  /// A shift with its name in the EPSG data set.
  public struct NamedShift: Hashable, Sendable {
    /// The EPSG code.
    public let code: Int
    /// The name.
    public let name: String
    /// The accuracy in meters, as EPSG states it.
    public let accuracy: Double
    /// The parameters.
    public let shift: DatumShift
  }

  private init(
    _ geographicCode: Int, _ name: String, _ ellipsoid: Ellipsoid, _ toWGS84: NamedShift?,
    area: (south: Double, west: Double, north: Double, east: Double)
  ) {
    self.geographicCode = geographicCode
    self.name = name
    self.ellipsoid = ellipsoid
    self.toWGS84 = toWGS84
    self.area = Region(
      name: name, boxes: [BoundingBox(unchecked: area.south, area.west, area.north, area.east)])
  }

  /// WGS 84.
  public static let wgs84 = Datum(4326, "WGS 84", .wgs84, nil, area: (-90, -180, 90, 180))

  /// Korean 1985, on the Bessel ellipsoid: the belts of EPSG:2096–2098, 5167–5168 and 5173–5178.
  ///
  /// The parameters are those of EPSG:5191, from the National Geographic Information Institute.
  public static let korean1985 = Datum(
    4162, "Korean 1985", .bessel1841,
    NamedShift(
      code: 5191, name: "Korean 1985 to WGS 84 (1)", accuracy: 1,
      shift: DatumShift(
        translation: DatumShift.Vector(-145.907, 505.034, 685.756),
        rotation: DatumShift.Vector(-1.162, 2.347, 1.592), scaleDifference: 6.342,
        pivot: DatumShift.Vector(-3_159_521.31, 4_068_151.32, 3_748_113.85))),
    area: (33.1, 124.53, 38.65, 131.9))

  /// Korean 1995, whose difference from WGS 84 is less than its uncertainty.
  public static let korean1995 = Datum(
    4166, "Korean 1995", .wgs84,
    NamedShift(code: 1558, name: "Korean 1995 to WGS 84 (1)", accuracy: 2, shift: .none),
    area: (33.1, 124.53, 38.65, 131.9))

  /// KGD2002, also called Korea 2000.
  public static let kgd2002 = Datum(
    4737, "KGD2002", .grs80,
    NamedShift(code: 15831, name: "KGD2002 to WGS 84 (1)", accuracy: 1, shift: .none),
    area: (28.6, 122.71, 40.27, 134.28))

  /// Tokyo, on the Bessel ellipsoid, with the three parameters of the Geographical Survey
  /// Institute, EPSG:15484.
  ///
  /// Because of Tokyo's own distortions, an accuracy better than 9 m needs a grid.
  public static let tokyo = Datum(
    4301, "Tokyo", .bessel1841,
    NamedShift(
      code: 15484, name: "Tokyo to WGS 84 (108)", accuracy: 9,
      shift: DatumShift(translation: DatumShift.Vector(-146.414, 507.337, 680.507))),
    area: (20.37, 122.83, 45.54, 154.05))

  /// JGD2000; its positions in the north-east moved by up to 5 m in 2011.
  public static let jgd2000 = Datum(
    4612, "JGD2000", .grs80,
    NamedShift(code: 1826, name: "JGD2000 to WGS 84 (1)", accuracy: 1, shift: .none),
    area: (17.09, 122.38, 46.05, 157.65))

  /// JGD2011.
  public static let jgd2011 = Datum(
    6668, "JGD2011", .grs80,
    NamedShift(code: 9936, name: "JGD2011 to WGS 84 (1)", accuracy: 1, shift: .none),
    area: (17.09, 122.38, 46.05, 157.65))

  /// OSGB36, on the Airy ellipsoid, with the three parameters of EPSG:1195.
  static let osgb36 = Datum(
    4277, "OSGB36", .airy1830,
    NamedShift(
      code: 1195, name: "OSGB36 to WGS 84 (1)", accuracy: 21,
      shift: DatumShift(translation: DatumShift.Vector(375, -111, 431))),
    area: (49.75, -9.01, 61.01, 2.01))

  /// TM65 of Ireland, with the three parameters of EPSG:1172; TM75 differs by less than their uncertainty.
  static let tm65 = Datum(
    4299, "TM65", .airyModified1849,
    NamedShift(
      code: 1172, name: "TM65 to WGS 84 (1)", accuracy: 35,
      shift: DatumShift(translation: DatumShift.Vector(506, -122, 611))),
    area: (51.39, -10.56, 55.43, -5.34))

  /// IRENET95 of Ireland.
  static let irenet95 = Datum(
    4173, "IRENET95", .grs80,
    NamedShift(code: 1678, name: "IRENET95 to WGS 84 (1)", accuracy: 1, shift: .none),
    area: (51.39, -10.56, 55.43, -5.34))

  static let all = [wgs84, korean1985, korean1995, kgd2002, tokyo, jgd2000, jgd2011]
}

/// An ellipsoid of revolution, by its two defining parameters.
///
///     Ellipsoid.bessel1841.equatorialRadius   // 6377397.155
public struct Ellipsoid: Hashable, Sendable {
  /// The equatorial radius a, in meters.
  public let equatorialRadius: Double
  /// The flattening f = (a − b) / a.
  public let flattening: Double

  /// - Parameters:
  ///   - equatorialRadius: In meters, more than 0.
  ///   - flattening: 0 for a sphere, at most 0.01: the series of the projections are truncated for
  ///     bodies as round as the Earth.
  public init(equatorialRadius: Double, flattening: Double) {
    precondition(
      equatorialRadius > 0 && equatorialRadius.isFinite,
      "an equatorial radius of \(equatorialRadius) m")
    precondition((0...0.01).contains(flattening), "a flattening of \(flattening)")
    self.equatorialRadius = equatorialRadius
    self.flattening = flattening
  }

  /// WGS 84, EPSG:7030.
  public static let wgs84 = Ellipsoid(
    equatorialRadius: 6_378_137, flattening: 1 / 298.257223563)
  /// GRS 1980, EPSG:7019, for KGD2002, JGD2000 and JGD2011; its poles are 0.1 mm from those of WGS 84.
  public static let grs80 = Ellipsoid(
    equatorialRadius: 6_378_137, flattening: 1 / 298.257222101)
  /// Bessel 1841, EPSG:7004, for Korean 1985 and Tokyo.
  public static let bessel1841 = Ellipsoid(
    equatorialRadius: 6_377_397.155, flattening: 1 / 299.1528128)

  /// Airy 1830, EPSG:7001, for OSGB36.
  static let airy1830 = Ellipsoid(
    equatorialRadius: 6_377_563.396, flattening: 1 / 299.3249646)
  /// Airy Modified 1849, EPSG:7002, for TM65 and TM75.
  static let airyModified1849 = Ellipsoid(
    equatorialRadius: 6_377_340.189, flattening: 1 / 299.3249646)

  /// The first eccentricity squared, e² = f (2 − f).
  var eccentricitySquared: Double { flattening * (2 - flattening) }
  /// The third flattening, n = f / (2 − f).
  var thirdFlattening: Double { flattening / (2 - flattening) }
}
