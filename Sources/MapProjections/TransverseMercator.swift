import Geodesy

/// The transverse Mercator projection of an ellipsoid, used by UTM and the national grids of Korea and Japan.
///
///     let utm52 = TransverseMercator(
///       .wgs84, centralMeridian: 129, scale: 0.9996, falseEasting: 500_000)
///     try utm52.forward(GeodeticPosition(latitude: 37.5, longitude: 127))
///
/// It is accurate to 5 nm up to 3,900 km from the central meridian, and to better than 1 mm up to the end of its
/// domain, 10,200 km from it (at the equator 67° of longitude). Over the poles it continues on the other side. On a
/// sphere the formulas are exact and the domain is the whole sphere, except for the two points 90° from the central
/// meridian on the equator, which lie at infinity.
///
/// Source: C. F. F. Karney, "Transverse Mercator with an accuracy of a few nanometers", J. Geodesy 85 (2011), 475–485.
/// Instead of its Newton iteration a series computes the conformal latitude, as in K. Engsager and K. Poder, "A highly
/// accurate world wide algorithm for the transverse Mercator mapping (almost)", ICC Moscow 2007.
public struct TransverseMercator: MapProjection {
  /// The central meridian, which is a straight line in the plane, in degrees.
  private let centralMeridian: Double
  private let falseEasting: Double
  /// The northing of the equator on the central meridian.
  private let equatorNorthing: Double
  /// The scale from units of the series to meters of the plane.
  private let radius: Double
  private let series: KruegerSeries
  /// The largest η′ in the domain, and its hyperbolic sine.
  private let limit: Double
  private let sineOfLimit: Double

  /// - Parameters:
  ///   - ellipsoid: The ellipsoid to project.
  ///   - latitudeOfOrigin: The latitude on the central meridian that has the false northing, −90…90.
  ///   - centralMeridian: In degrees, −180…180.
  ///   - scale: Along the central meridian, more than 0.
  ///   - falseEasting: The easting of the central meridian, in meters.
  ///   - falseNorthing: The northing of the origin, in meters.
  public init(
    _ ellipsoid: Ellipsoid, latitudeOfOrigin: Double = 0, centralMeridian: Double,
    scale: Double = 1, falseEasting: Double = 0, falseNorthing: Double = 0
  ) {
    precondition(
      abs(latitudeOfOrigin) <= 90 && abs(centralMeridian) <= 180,
      "an origin at \(latitudeOfOrigin),\(centralMeridian)")
    precondition(scale > 0 && scale.isFinite, "a scale of \(scale)")
    series = KruegerSeries(ellipsoid)
    self.centralMeridian = centralMeridian
    self.falseEasting = falseEasting
    radius = scale * series.rectifyingRadius
    // Where the first omitted term, about 1.06 n⁷ cosh 14η, reaches 1 mm on the Earth.
    limit = ellipsoid.flattening == 0 ? .infinity : 1.6
    sineOfLimit = hyperbolicSine(limit)
    equatorNorthing = falseNorthing - radius * series.rectifyingLatitude(latitudeOfOrigin)
  }

  /// Projects a position to the plane; refuses positions outside the domain.
  public func forward(_ position: GeodeticPosition) throws(CRSError) -> PlanePosition {
    try position.check()
    let lambda = radians(Coordinate.wrappedLongitude(position.longitude - centralMeridian))
    let conformal = series.conformalLatitude(position.latitude)
    // The oblique angles of the conformal sphere, by their tangents: ξ′ along the central meridian,
    // η′ away from it. h = 1 / cosh η′.
    let p = conformal.cosine * cosine(lambda)
    let q = conformal.sine
    let h = (p * p + q * q).squareRoot()
    let sinhEta = conformal.cosine * sine(lambda) / h
    guard abs(sinhEta) <= sineOfLimit, sinhEta.isFinite else {
      throw .outsideDomain(
        PlanePosition(x: position.longitude, y: position.latitude), of: "transverse Mercator")
    }
    let (cosXi, sinXi) = (p / h, q / h)
    let correction = series.toPlane.sum(
      sine: 2 * sinXi * cosXi, cosine: (cosXi - sinXi) * (cosXi + sinXi),
      hyperbolicSine: 2 * sinhEta / h, hyperbolicCosine: 1 + 2 * sinhEta * sinhEta)
    return PlanePosition(
      x: falseEasting + radius * (areaHyperbolicSine(sinhEta) + correction.imaginary),
      y: equatorNorthing + radius * (arcTangent(y: q, x: p) + correction.real))
  }

  /// Converts a point of the plane to a position on the ellipsoid; refuses points outside the domain.
  public func inverse(_ position: PlanePosition) throws(CRSError) -> GeodeticPosition {
    try position.check()
    let xi = (position.y - equatorNorthing) / radius
    let eta = (position.x - falseEasting) / radius
    // Beyond half the way round the meridian, all positions repeat.
    guard abs(xi) <= .pi + 1e-9, abs(eta) <= min(limit + 0.01, 40) else {
      throw .outsideDomain(position, of: "transverse Mercator")
    }
    let (sinhTwo, coshTwo) = (hyperbolicSine(2 * eta), hyperbolicCosine(2 * eta))
    let correction = series.fromPlane.sum(
      sine: sine(2 * xi), cosine: cosine(2 * xi), hyperbolicSine: sinhTwo,
      hyperbolicCosine: coshTwo)
    let conformalXi = xi + correction.real
    let sinhEta = hyperbolicSine(eta + correction.imaginary)
    guard abs(sinhEta) <= sineOfLimit * 1.000_001 else {
      throw .outsideDomain(position, of: "transverse Mercator")
    }
    let (sinXi, cosXi) = (sine(conformalXi), cosine(conformalXi))
    let fromAxis = (sinhEta * sinhEta + cosXi * cosXi).squareRoot()
    return GeodeticPosition(
      latitude: series.geodeticLatitude(y: sinXi, x: fromAxis),
      longitude: Coordinate.wrappedLongitude(
        centralMeridian + degrees(arcTangent(y: sinhEta, x: cosXi))))
  }
}

extension KruegerSeries {
  /// The sine and the cosine of the conformal latitude χ of a geodetic latitude in degrees.
  @inline(__always)
  func conformalLatitude(_ latitude: Double) -> (sine: Double, cosine: Double) {
    let phi = radians(latitude)
    let (s, c) = (sine(phi), cosine(phi))
    // χ − φ is at most 0.0034, so a few terms give its sine and cosine to the last digit.
    let difference = toConformal.sum(sine: 2 * s * c, cosine: (c - s) * (c + s))
    let square = difference * difference
    let ds = difference * (1 - square / 6 * (1 - square / 20 * (1 - square / 42)))
    let dc = 1 - square / 2 * (1 - square / 12 * (1 - square / 30))
    return (s * dc + c * ds, c * dc - s * ds)
  }

  /// The geodetic latitude in degrees, from the conformal latitude of the point (x, y), x ≥ 0.
  @inline(__always)
  func geodeticLatitude(y: Double, x: Double) -> Double {
    let square = x * x + y * y
    let difference = toGeodetic.sum(sine: 2 * x * y / square, cosine: (x - y) * (x + y) / square)
    return degrees(arcTangent(y: y, x: x) + difference)
  }

  /// The distance from the equator along a meridian, in rectifying radii.
  func rectifyingLatitude(_ latitude: Double) -> Double {
    let (s, c) = conformalLatitude(latitude)
    return arcTangent(y: s, x: c)
      + toPlane.sum(sine: 2 * s * c, cosine: (c - s) * (c + s))
  }
}
