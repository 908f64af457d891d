/// The WGS 84 ellipsoid and the mean sphere, in meters.
///
/// Source: NIMA TR8350.2, third edition (2000), for the two defining parameters; the other values
/// follow from them.
package enum WGS84 {
  /// The equatorial radius a.
  package static let equatorialRadius = 6_378_137.0
  /// The flattening f = (a − b) / a.
  package static let flattening = 1 / 298.257223563
  /// The polar radius b = a (1 − f).
  package static let polarRadius = equatorialRadius * (1 - flattening)
  /// The first eccentricity squared, e² = f (2 − f).
  package static let eccentricitySquared = flattening * (2 - flattening)
  /// The second eccentricity squared, e′² = e² / (1 − e²).
  package static let secondEccentricitySquared = eccentricitySquared / (1 - eccentricitySquared)
  /// The third flattening n = (a − b) / (a + b).
  package static let thirdFlattening = flattening / (2 - flattening)
  /// The mean radius R₁ = (2a + b) / 3, the sphere on which haversine distances are measured.
  package static let meanRadius = 6_371_008.7714
  /// The smallest radius of curvature anywhere, b² / a: along the meridian at the equator.
  package static let smallestCurvatureRadius = polarRadius * polarRadius / equatorialRadius
  /// The largest radius of curvature anywhere, a² / b: at the poles.
  package static let largestCurvatureRadius = equatorialRadius * equatorialRadius / polarRadius
  /// Half the length of a meridian ellipse, the longest geodesic distance on the ellipsoid.
  package static let longestDistance = 20_003_931.458_625_446
}
