extension BoundingBox {
  /// The box around every position within a geodesic distance of a center.
  ///
  ///     let box = BoundingBox(around: cityHall, radius: .kilometers(5))
  ///
  /// The edges touch the circle of that radius, enlarged by 1 µm to absorb rounding. A box that
  /// reaches a pole spans all longitudes. Only a circle that ends within 0.2 % short of a pole gets
  /// a box wider than necessary: 180°.
  ///
  /// Latitudes. A step on the ellipsoid is at least as long as its meridional part, so no position
  /// within the radius lies farther north or south than the radius reaches along the meridian.
  ///
  /// Longitudes, when the circle encloses no pole. The radius is then below a quarter meridian, so
  /// below π b, up to which circles on the ellipsoid are smooth. The easternmost position lies on
  /// the circle, and the circle runs along the meridian there. By Gauss's lemma the line from the
  /// center meets the circle at a right angle: it arrives going due east, at its vertex. So the
  /// eastern edge is the vertex of the geodesic whose vertex lies `radius` away, less than 90° of
  /// longitude from the center; `halfWidth` finds it.
  ///
  /// - Parameters:
  ///   - center: The center of the circle.
  ///   - radius: Any length from 0; half the Earth's circumference or more, even infinity, gives
  ///     the whole world.
  /// - Precondition: `radius >= .zero`.
  /// - Complexity: O(1), about 1 µs.
  public init(around center: Coordinate, radius: Distance) {
    precondition(radius >= .zero, "radius \(radius) is negative")
    let reach = radius.meters + Self.roundingMargin
    guard reach < WGS84.longestDistance else {
      self = .world
      return
    }
    // By symmetry, treat the center as if it lay in the north.
    let beta = UnitAngle(reducedLatitude: abs(center.latitude))
    let isSouthern = center.latitude < 0
    let poleward = Self.latitude(from: abs(center.latitude), length: reach)
    let equatorward = Self.latitude(from: abs(center.latitude), length: -reach)
    // Adding 0 turns −0 into 0.
    let south = (isSouthern ? -poleward : equatorward) + 0
    let north = (isSouthern ? -equatorward : poleward) + 0
    if poleward == 90 || equatorward == -90 {
      self.init(unchecked: south, -180, north, 180)
      return
    }
    let halfWidth = degrees(Self.halfWidth(center: beta, radius: reach))
    self.init(
      unchecked: south, Coordinate.wrappedLongitude(center.longitude - halfWidth), north,
      Coordinate.wrappedLongitude(center.longitude + halfWidth))
  }

  /// A margin for the rounding errors of this computation and of the distances compared with its result.
  private static var roundingMargin: Double { 1e-6 }

  /// The difference of longitude in radians from `center`, in the north, to the vertex of the
  /// geodesic whose vertex lies `radius` meters away.
  ///
  /// With ψ = π/2 − σ₁ the arc to the vertex, cos α₀ = sin β₁ / cos ψ, and the length to the vertex
  /// is
  ///
  ///     s(ψ) = b ∫₀^ψ √(1 + k² cos²t) dt,   s′(ψ) = b √(1 + e′² sin²β₁) + b tan ψ ΔJ,
  ///
  /// with k = e′ cos α₀ and the J of equation 40 in Karney's paper, because k cos ψ = e′ sin β₁ is
  /// constant. Both ΔJ and tan ψ grow with ψ, so s is convex. The integrand is at least its value
  /// at ψ, so the root lies left of ψ₀ = radius / (b √(1 + e′² sin²β₁)). From ψ₀ Newton's method
  /// descends to the root without passing it.
  private static func halfWidth(center beta: UnitAngle, radius: Double) -> Double {
    let stretch = (1 + WGS84.secondEccentricitySquared * beta.sine * beta.sine).squareRoot()
    var psi = radius / (WGS84.polarRadius * stretch)
    // Beyond ψ = π/2 − β₁ there is no vertex: the circle ends just short of the pole.
    guard sine(psi) < beta.cosine, psi < .pi / 2 else { return .pi / 2 }

    var sigma = UnitAngle.right
    var series = GeodesicSeries(cosineEquatorialAzimuth: 0)
    for _ in 0..<8 {
      sigma = UnitAngle(sine: cosine(psi), cosine: sine(psi))
      series = GeodesicSeries(cosineEquatorialAzimuth: beta.sine / sigma.sine)
      let length = series.length(arc: psi, from: sigma, to: .right)
      let integral = series.reducedIntegral(arc: psi, from: sigma, to: .right)
      let slope = WGS84.polarRadius * (stretch + sigma.cosine / sigma.sine * integral)
      let step = (length - radius) / slope
      psi -= step
      // A tenth of the margin; the remaining error makes the box larger.
      if step * WGS84.polarRadius < 0.1 * roundingMargin { break }
    }
    // sin²α₀ = 1 − (sin β₁ / cos ψ)², with the difference of squares written as a product of the
    // smaller of sines and cosines: close to a pole only this form keeps its digits.
    let product =
      beta.sine > beta.cosine
      ? (beta.cosine - sigma.cosine) * (beta.cosine + sigma.cosine)
      : (sigma.sine - beta.sine) * (sigma.sine + beta.sine)
    let sineEquatorial = max(0, product).squareRoot() / sigma.sine
    let omega = arcTangent(y: sigma.cosine, x: sineEquatorial * sigma.sine)
    let longitude =
      omega
      - series.longitudeDeficit(
        sineEquatorialAzimuth: sineEquatorial, arc: psi, from: sigma, to: .right)
    return min(longitude, .pi / 2)
  }

  /// The latitude in degrees that lies `length` meters north of `latitude`; at most 90.
  private static func latitude(from latitude: Double, length: Double) -> Double {
    let pole = length < 0 ? -90.0 : 90.0
    let toPole = Geodesic.distance(
      latitude1: latitude, longitude1: 0, latitude2: pole, longitude2: 0)
    guard abs(length) < toPole else { return pole }
    return Geodesic.direct(latitude: latitude, longitude: 0, azimuth: 0, distance: length).latitude
  }
}
