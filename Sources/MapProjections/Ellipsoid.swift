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
