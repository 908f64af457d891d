import Geodesy

/// The Mercator projection of an ellipsoid or a sphere, true to scale along the equator.
///
/// Web Mercator is the projection of the sphere with WGS 84's equatorial radius, applied to latitudes of the ellipsoid
/// as if they were the sphere's: its shapes are wrong by up to 0.7 %, its numbers exact.
///
/// The poles lie at infinity, so `forward` refuses them. `inverse` wraps longitudes past ±180 by up to one turn.
///
/// Source: J. P. Snyder, "Map Projections: A Working Manual", USGS Professional Paper 1395 (1987), chapter 7; Web
/// Mercator as EPSG method 1024.
public struct Mercator: MapProjection {
  private let series: KruegerSeries
  private let eccentricity: Double
  private let radius: Double
  private let centralMeridian: Double

  /// - Parameters:
  ///   - ellipsoid: The ellipsoid to project.
  ///   - centralMeridian: In degrees, −180…180.
  ///   - scale: At the equator, more than 0.
  public init(_ ellipsoid: Ellipsoid, centralMeridian: Double = 0, scale: Double = 1) {
    precondition(abs(centralMeridian) <= 180, "a central meridian at \(centralMeridian)")
    precondition(scale > 0 && scale.isFinite, "a scale of \(scale)")
    series = KruegerSeries(ellipsoid)
    eccentricity = ellipsoid.eccentricitySquared.squareRoot()
    radius = scale * ellipsoid.equatorialRadius
    self.centralMeridian = centralMeridian
  }

  /// Web Mercator, EPSG:3857.
  public static let web = Mercator(
    Ellipsoid(equatorialRadius: Ellipsoid.wgs84.equatorialRadius, flattening: 0))

  /// Projects a position to the plane; refuses the poles.
  public func forward(_ position: GeodeticPosition) throws(CRSError) -> PlanePosition {
    try position.check()
    guard abs(position.latitude) < 90 else {
      throw .outsideDomain(
        PlanePosition(x: position.longitude, y: position.latitude), of: "Mercator")
    }
    let phi = radians(position.latitude)
    let s = sine(phi)
    let psi =
      areaHyperbolicSine(s / cosine(phi))
      - (eccentricity == 0 ? 0 : eccentricity * areaHyperbolicTangent(eccentricity * s))
    let east = Coordinate.wrappedLongitude(position.longitude - centralMeridian)
    // Adding 0 turns −0 into 0.
    return PlanePosition(x: radius * radians(east) + 0, y: radius * psi + 0)
  }

  /// Converts a point of the plane to a position on the ellipsoid.
  public func inverse(_ position: PlanePosition) throws(CRSError) -> GeodeticPosition {
    try position.check()
    let longitude = degrees(position.x / radius)
    guard abs(longitude) <= 360 else { throw .outsideDomain(position, of: "Mercator") }
    let psi = position.y / radius
    // Beyond 700 the hyperbolic sine overflows; the pole is reached long before.
    let tangent = hyperbolicSine(min(max(psi, -700), 700))
    return GeodeticPosition(
      latitude: eccentricity == 0
        ? degrees(arcTangent(tangent)) : series.geodeticLatitude(tangent: tangent),
      longitude: Coordinate.wrappedLongitude(centralMeridian + longitude))
  }
}

extension KruegerSeries {
  /// The geodetic latitude in degrees, from the tangent of a conformal latitude.
  fileprivate func geodeticLatitude(tangent: Double) -> Double {
    // Choose the form whose numbers stay near 1.
    abs(tangent) <= 1
      ? geodeticLatitude(y: tangent, x: 1)
      : geodeticLatitude(y: tangent < 0 ? -1 : 1, x: 1 / abs(tangent))
  }
}
