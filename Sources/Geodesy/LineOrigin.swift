/// The common start of lines to many positions, with all values that depend on it alone.
///
/// A search has tens of candidates to order. Each costs about 6 ns for its chord and about 13 ns
/// for chord and distance, where `Geodesic` takes 240 ns. Both are more accurate than `Geodesic`: a
/// chord c is wrong by at most 5·10⁻¹⁵ c + 1 pm up to a degree of latitude, and + 20 nm beyond.
///
///     let origin = LineOrigin(cityHall)
///     origin.lines(
///       latitudes: latitudes, longitudes: longitudes, count: 30,
///       squaredChords: squaredChords, distances: distances)
///
/// The result for a position depends, to the last bit, only on it and the origin: not on its index
/// or on other positions. Equal positions have equal chords, and the origin itself has 0. The
/// reverse line from a position to the origin may differ within the bounds, and so may a pole
/// written with different longitudes.
///
/// The formulas of the chord and the proof of its bound are below; `ChordSeries` has those of the distance.
package struct LineOrigin: Sendable {
  /// The latitude in degrees.
  let latitude: Double
  /// The absolute value of the longitude in degrees.
  let longitude: Double
  /// The factor for longitudes that makes the origin's longitude nonnegative: 1 or −1.
  let mirror: Double
  /// a n sin φ in meters, with n = (1 − e² sin²φ)^−½.
  let sine: Double
  /// a n cos φ in meters: the distance from the axis.
  let cosine: Double

  /// The distance of the origin from the axis in meters: the length of one radian along its parallel.
  package var parallelRadius: Double { cosine }

  /// If two distances from `lines` differ by no more than this, in meters, their geodesics may be
  /// equal or in the opposite order.
  ///
  /// Twice the 15 nm that `Geodesic` may be off by and the 4.1 nm of `ChordSeries`, and a margin.
  package static let tie = 50e-9

  package init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  /// Makes an origin from degrees: latitude −90…90, longitude −180…180.
  package init(latitude: Double, longitude: Double) {
    let angle = UnitAngle(latitude: latitude)
    let normal = LineOrigin.normal(sine: angle.sine)
    self.latitude = latitude
    self.longitude = abs(longitude)
    mirror = longitude < 0 ? -1 : 1
    sine = normal * angle.sine
    cosine = normal * angle.cosine
  }

  /// The squared chord to one position in bare degrees, in square meters.
  package func squaredChord(latitude: Double, longitude: Double) -> Double {
    let difference = latitude - self.latitude
    let step =
      LineOrigin.isFar(difference) ? farStep(latitude: latitude) : nearStep(degrees: difference)
    return squaredChord(over: step, longitude: longitude)
  }

  /// Writes the squared chords to `count` positions, in square meters and in their order.
  ///
  /// Bit for bit the results of `squaredChord(latitude:longitude:)`.
  ///
  /// - Parameters:
  ///   - latitudes: Degrees, −90…90.
  ///   - longitudes: Degrees, −180…180.
  ///   - squaredChords: Room for `count` numbers; must not overlap the positions.
  /// - Complexity: O(`count`); 6 ns for a position within a degree of latitude, about 15 ns more
  ///   for others. Allocates nothing.
  package func squaredChords(
    latitudes: UnsafePointer<Double>, longitudes: UnsafePointer<Double>, count: Int,
    into squaredChords: UnsafeMutablePointer<Double>
  ) {
    // The compiler handles two positions at once only if nothing in the loop can trap or branch.
    var farCount = 0
    var index = 0
    while index < count {
      let difference = latitudes[index] - latitude
      squaredChords[index] = squaredChord(
        over: nearStep(degrees: difference), longitude: longitudes[index])
      farCount &+= LineOrigin.isFar(difference) ? 1 : 0
      index &+= 1
    }
    if farCount > 0 {
      replaceFar(
        latitudes: latitudes, longitudes: longitudes, count: count, squaredChords: squaredChords)
    }
  }

  /// Writes the squared chords to `count` positions, in square meters, and their distances on the
  /// ground in meters, both in their order.
  ///
  /// A distance is NaN where the chord is longer than `ChordSeries.reach`, 100 km: use `Geodesic`
  /// for such a line.
  ///
  /// - Parameters:
  ///   - latitudes: Degrees, −90…90.
  ///   - longitudes: Degrees, −180…180.
  ///   - squaredChords: Room for `count` numbers; must not overlap the positions. Receives bit for
  ///     bit the results of `squaredChords(latitudes:longitudes:count:into:)`.
  ///   - distances: Room for `count` numbers; must not overlap the other arrays.
  /// - Complexity: O(`count`); 13 ns for a position within a degree of latitude, about 15 ns more
  ///   for others. Allocates nothing.
  package func lines(
    latitudes: UnsafePointer<Double>, longitudes: UnsafePointer<Double>, count: Int,
    squaredChords: UnsafeMutablePointer<Double>, distances: UnsafeMutablePointer<Double>
  ) {
    let doubleHeight = 2 * LineOrigin.flattened(sine)
    var farCount = 0
    var index = 0
    while index < count {
      let difference = latitudes[index] - latitude
      let step = nearStep(degrees: difference)
      let squared = squaredChord(over: step, longitude: longitudes[index])
      squaredChords[index] = squared
      distances[index] = ChordSeries.excess(
        squaredChord: squared, heightDifference: step.height,
        heightSum: step.height + doubleHeight)
      farCount &+= LineOrigin.isFar(difference) ? 1 : 0
      index &+= 1
    }
    if farCount > 0 {
      replaceFar(
        latitudes: latitudes, longitudes: longitudes, count: count, squaredChords: squaredChords)
    }
    // A separate loop, because the compiler treats a square root as a call, which would keep the
    // loop above from handling two positions at once.
    index = 0
    while index < count {
      let chord = squaredChords[index].squareRoot()
      let distance = chord + chord * distances[index]
      distances[index] = chord > ChordSeries.reach ? .nan : distance
      index &+= 1
    }
  }

  /// Overwrites the squared chords to positions whose latitude differs by more than a degree.
  @inline(never)
  private func replaceFar(
    latitudes: UnsafePointer<Double>, longitudes: UnsafePointer<Double>, count: Int,
    squaredChords: UnsafeMutablePointer<Double>
  ) {
    for index in 0..<count where LineOrigin.isFar(latitudes[index] - latitude) {
      squaredChords[index] = squaredChord(
        over: farStep(latitude: latitudes[index]), longitude: longitudes[index])
    }
  }
}

extension LineOrigin {
  /// The distance on the ground to one position, in meters: from the series up to 100 km, and from
  /// `Coordinate.distance(to:)` beyond.
  ///
  /// - Complexity: about 20 ns up to 100 km, 240 ns beyond.
  package func distance(to position: Coordinate) -> Double {
    let difference = position.latitude - latitude
    if !LineOrigin.isFar(difference) {
      let step = nearStep(degrees: difference)
      let distance = ChordSeries.distance(
        squaredChord: squaredChord(over: step, longitude: position.longitude),
        heightDifference: step.height, heightSum: step.height + 2 * LineOrigin.flattened(sine))
      if let distance { return distance }
    }
    return Geodesic.distance(
      latitude1: latitude, longitude1: longitude, latitude2: position.latitude,
      longitude2: position.longitude * mirror)
  }
}

/// The chord from the origin to one position.
///
/// With ρ the distance from the axis and z the height over the equator,
///
///     ρ = a n cos φ,   z = (1 − e²) a n sin φ,   n = (1 − e² sin²φ)^−½,
///     c² = (ρ₂ − ρ₁)² + (z₂ − z₁)² + 4 ρ₁ρ₂ sin²(Δλ/2).
///
/// Where the latitudes differ by at most a degree, the two differences are made of δ = φ₂ − φ₁ and
/// not of ρ₂ and z₂, so that nothing cancels. With S = a n₁ sin φ₁, C = a n₁ cos φ₁ and
/// v = 1 − cos δ,
///
///     ΔS = C sin δ − S v,   ΔC = −S sin δ − C v       (on the circle of radius a n₁),
///     n₂/n₁ = (1 − η)^−½ = 1 + g,   η = (e²/a²) ΔS (2S + ΔS),
///     Δρ = ΔC + g (C + ΔC),   Δz = (1 − e²) (ΔS + g (S + ΔS)).
///
/// Error. Such a chord is right to 5·10⁻¹⁵ of itself and a picometer, wherever on the Earth and
/// whatever the longitudes. A chord to farther latitudes, which is longer than 110 km, is right to
/// 20 nm and 5·10⁻¹⁵ of itself.
///
/// Proof. Every operation is right to u = 2⁻⁵³ of its result, and the sine of the platform, used
/// for S and C only, is taken to be right to 2 u. Products of errors are left out; what is rounded
/// up below is more. For at most a degree:
///
/// 1. δ has a difference, a product and the error of π/180, 0.2 u: 2.2 u. sin δ adds 1 u, what its
///    series leaves out being less than 10⁻³ u: 3.2 u. v has 21 u, 13 of them what its series
///    leaves out, but is less than δ²/2.
/// 2. S and C: angles are reduced to 45° exactly, radians have 1.2 u, the sine 2 u, n with its
///    square, root and quotient 2.6 u, the product 1 u: 7 u. (`UnitAngle` also rounds small angles
///    to 2⁻⁵⁷ degrees, 0.4 pm: the picometer.)
/// 3. The vector (ΔC, ΔS) thus has (7 + 3.2 + 2) u in its part with sin δ and 30 u in its part with
///    v, less than δ/114: 12.5 u a n₁δ. g is less than 0.0068 δ and right to 28 u, and the series
///    leaves out 15 u: with its product 0.4 u a n₁δ. The last operations have 3 u. So (Δρ, Δz) is
///    right to 15.9 u a n₁δ. As the meridian has a radius of curvature of (1 − e²) a n³, a n₁δ is
///    less than 1.008 times its chord: 16.1 u c. Moving an end of a line changes its length by no
///    more than the move.
/// 4. The 7 u of ρ₁ move both ends outward, each on its own meridian, and so apart by 14 u ρ₁ h,
///    h = |sin(Δλ/2)|. That is at most 14 u c: with Δλ ≤ 90° the other end is ρ₁ sin Δλ ≥ √2 ρ₁h
///    away or more, beyond that ρ₁ or more.
/// 5. Δλ/2 in radians has 2.2 u. Where longitudes are folded over ±180°, this is exact from 90° on
///    either side; otherwise Δλ > 90° and a rounding adds 1 u, but of these 3.2 u the sine gets
///    t cot t ≤ 0.79 times: 2.5 u. `quarterTurnSine` has 5.2 u. In the root of the last term of c²,
///    h has 7.7 u and the four other operations half a u each: 9.7 u c.
/// 6. Squares and sums have 3 u, in the root 1.5 u; the root itself 1 u.
///
/// Together 42.3 u = 4.7·10⁻¹⁵. Beyond a degree, the sine of `quarterTurnSine` has 5.2 u and that
/// of its argument's rounding 1.2 u, with the other axis less than 10 u; n and its product 4 u; the
/// origin 7 u: 21 u a = 15 nm, besides 5. and 6. ∎
///
/// Against chords of 45 digits, the worst of 3,000 near chords had 4.5 u, the worst of 8,000 far
/// ones 5.2 nm.
extension LineOrigin {
  /// Whether a difference of latitudes in degrees is too large for `nearStep(degrees:)`.
  @inline(__always)
  static func isFar(_ degrees: Double) -> Bool { degrees * degrees > 1 }

  /// a n in meters, from the sine of a latitude.
  @inline(__always)
  static func normal(sine: Double) -> Double {
    WGS84.equatorialRadius / (1 - WGS84.eccentricitySquared * sine * sine).squareRoot()
  }

  /// z from a n sin φ; also for differences.
  @inline(__always)
  static func flattened(_ sine: Double) -> Double { sine * (1 - WGS84.eccentricitySquared) }

  /// A step from the origin, in meters: outward from the axis, and up from the equator.
  typealias MeridianStep = (axial: Double, height: Double)

  /// The step to a latitude that differs by at most a degree.
  @inline(__always)
  func nearStep(degrees: Double) -> MeridianStep {
    let delta = degrees * (.pi / 180)
    let y = delta * delta
    let sineOfDelta = delta - delta * (y * (1 / 6 - y * (1 / 120 - y * (1 / 5040))))
    let versine = y * (1 / 2 - y * (1 / 24 - y * (1 / 720)))

    let sineChange = cosine * sineOfDelta - sine * versine
    let cosineLoss = sine * sineOfDelta + cosine * versine
    let eta =
      sineChange * (2 * sine + sineChange)
      * (WGS84.eccentricitySquared / (WGS84.equatorialRadius * WGS84.equatorialRadius))
    let growth = eta * (1 / 2 + eta * (3 / 8 + eta * (5 / 16 + eta * (35 / 128))))
    return (
      axial: growth * (cosine - cosineLoss) - cosineLoss,
      height: LineOrigin.flattened(growth * (sine + sineChange) + sineChange)
    )
  }

  /// The step to any latitude; exact at the poles.
  @inline(__always)
  func farStep(latitude: Double) -> MeridianStep {
    let sine = quarterTurnSine(latitude * (.pi / 180))
    let cosine = quarterTurnSine((90 - abs(latitude)) * (.pi / 180))
    let normal = LineOrigin.normal(sine: sine)
    return (
      axial: normal * cosine - self.cosine,
      height: LineOrigin.flattened(normal * sine - self.sine)
    )
  }

  /// The squared chord to the end of a step, rotated to a longitude in degrees.
  @inline(__always)
  func squaredChord(over step: MeridianStep, longitude: Double) -> Double {
    squaredChord(over: step, halfTurn: halfTurnSine(to: longitude))
  }

  @inline(__always)
  private func squaredChord(over step: MeridianStep, halfTurn sine: Double) -> Double {
    let squaredTurn = (cosine + step.axial) * (sine * sine) * (4 * cosine)
    return step.axial * step.axial + step.height * step.height + squaredTurn
  }

  /// sin(Δλ/2), mirrored, for a longitude in degrees.
  @inline(__always)
  private func halfTurnSine(to longitude: Double) -> Double {
    let mirrored = longitude * mirror
    // The origin is east of Greenwich, so only differences below −180° are folded. Both longitudes
    // are first moved by 180°, so that nothing is rounded near ±180°.
    let fold: Double = mirrored - self.longitude < -180 ? 180 : 0
    let turn = (mirrored + fold) - (self.longitude - fold)
    return quarterTurnSine(turn * (.pi / 360))
  }
}

/// The bearing of a short line by its chord.
///
/// The plane that holds the chord and the normal at the origin has there the azimuth A of the chord
/// (E, N) on the tangent plane, with a n times its north part free of cancellation:
///
///     E = 2 ρ₂ h √(1 − h²),   a n N = C Δz − S (Δρ − 2 ρ₂ h²),   h = sin(Δλ/2).
///
/// The geodesic leaves this plane; with x = c/(a n) and η² = e′² cos²φ its azimuth is
///
///     α = A − (η²/6) x² sin A cos A (1 + η² cos²A) + (η²/24) x³ tan φ sin A.
///
/// Error. Against azimuths of 32 digits, the worst of 4,000 lines of 1 m to 10 km, up to latitude 89°,
/// had 7·10⁻¹⁵ rad: 0.07 nm at the other end. What the series leaves out grows as x⁴.
///
/// Source: R. E. Deakin, "The normal section curve on an ellipsoid", RMIT University, 2009, for the
/// leading terms; the factor 1 + η² cos²A was found from the same azimuths of 32 digits.
extension LineOrigin {
  /// The direction of the shortest line to a position at its start, in degrees clockwise from north,
  /// −180…180; nil if the line is not between 1 mm and 10 km long, or the origin within 100 km of
  /// the axis of the Earth.
  package func nearAzimuth(latitude: Double, longitude: Double) -> Double? {
    let difference = latitude - self.latitude
    guard !LineOrigin.isFar(difference), cosine > 100_000 else { return nil }
    let step = nearStep(degrees: difference)
    let half = halfTurnSine(to: longitude)
    let squared = squaredChord(over: step, halfTurn: half)
    guard squared > 1e-6, squared < 1e8 else { return nil }
    let turn = 2 * (cosine + step.axial) * half
    let squaredNormal = sine * sine + cosine * cosine
    let normal = squaredNormal.squareRoot()
    let east = turn * (1 - half * half).squareRoot() * mirror
    let north = (cosine * step.height - sine * (step.axial - turn * half)) / normal

    let eta = WGS84.secondEccentricitySquared * (cosine * cosine) / squaredNormal
    let second = north * (1 + eta * (north * north) / squared) / 6
    let third = squared * sine / (cosine * normal * 24)
    return UnitAngle(sine: east, cosine: north).inDegrees
      - degrees(eta * east * (second - third) / squaredNormal)
  }
}

/// The sine of an angle in radians, −π/2…π/2, without a function call, so that loops compute two at once.
///
/// Relative error at most 5.2 units of 2⁻⁵³: the minimax polynomial of degree 15 contributes less than 1.67 (over 1,000
/// intervals, with Arb), and rounding less than 3.53 (the running error, over 4,000 intervals).
///
/// Source: E. Remez, "Sur la détermination des polynômes d'approximation de degré donnée", 1934, for the coefficients;
/// F. Johansson, "Arb", IEEE Trans. Computers 66(8), 2017, for the bounds.
@inlinable @inline(__always)
package func quarterTurnSine(_ angle: Double) -> Double {
  let z = angle * angle
  var series = 1.6048095406221804e-10 - z * 7.373344542685005e-13
  series = series * z - 2.5051880273921022e-08
  series = series * z + 2.7557316600553843e-06
  series = series * z - 1.9841269825056267e-04
  series = series * z + 8.333333333285542e-03
  series = series * z - 1.6666666666666186e-01
  return angle + angle * (series * z)
}

/// The distance on the ground by its chord, to some nanometers, for lines up to 100 km.
///
/// A line over a chord c on a circle of curvature κ is 2/κ arcsin(cκ/2) long. For κ take the
/// curvature of the ellipsoid in the direction of the chord, at the point over its middle; the
/// change of κ along the line is then all that is missing. In units of the equatorial radius, and
/// with u the points of the unit sphere that the reduced latitudes name, let
///
///     q = |u₂ − u₁|² = c² + e² (Δz/b)²,   Σ = u₁z + u₂z,   ε = e′²,
///     h² = 1 + ε Σ² / (4 − q),   κ = q / (c² h),   x = κ²c²,
///     s = c (1 + x/24 + 3x²/640 + 5x³/7168 + ε c² (c² Σ²/4 − (Δz/b)²) / 160).
///
/// h² is |A⁻¹m|² for the point m of the unit sphere halfway between u₁ and u₂, A = diag(1, 1, b);
/// the curvature at Am in the direction d is |A⁻¹d|² / (|d|² h). The last term is c⁵κκ″/480 to the
/// first order in ε; without it the error is 0.26 µm at 100 km.
///
/// Error. For c ≤ 100 km this s differs from the length of the geodesic by at most
/// 3.6·10⁻³⁴ c⁵ meters, c in meters: 3.6 nm at 100 km, 0.001 nm at 20 km.
///
/// Proof. Let γ be the geodesic from its middle at t = 0, at unit speed, u = A⁻¹γ, w = u_z. A
/// geodesic bends toward the normal, and Joachimsthal's J is constant on it:
///
///     u″ = −λA⁻²u,   λ = J/h⁴,   J = h² |u′|²,   h² = 1 + εw².
///
/// Hence the Taylor coefficients of u at 0 are polynomials in w, w′, J, 1/h² and ε. With
/// t = ±s/2 they make c², q, Σ and Δz power series in s, and the formula a function ŝ(s) with
///
///     r(s) = (ŝ/s)² − 1 = r₄s⁴ + r₆s⁶ + r₈(s) s⁸,
///
/// in which only w² ≤ 1 and w′² ≤ (1 − w²) / (1 − e² (1 − w²)) are free. Computed as rational
/// functions, exactly, r₀ and r₂ vanish, and so does r₄ up to the first order in ε:
///
///     r₄ = ε² (12w⁴ − 61w²w′² + 26w′⁴ + 6w² − 8w′² + ε …) / (720 (1 + ε)⁴ (1 + εw²)³),
///     r₆ = ε (405w′² − 783w² + ε …) / (120960 (1 + ε)⁶ (1 + εw²)⁵).
///
/// Interval arithmetic over a grid of cells that covers all w², w′² gives |r₄| ≤ 1.157·10⁻⁶ (150²
/// cells) and |r₆| ≤ 4.37·10⁻⁵ (20²). r₈ comprises everything beyond, for all s up to 100.1 km: a
/// Taylor model, with u to t⁹ and Lagrange's remainder from the largest |u⁽¹¹⁾| and |w⁽¹⁰⁾| that
/// any geodesic has anywhere. Over 40² cells |r₈| ≤ 0.0303. Therefore, with s ≤ 100.1 km = 0.015695,
///
///     |ŝ − s| ≤ s |r| / 2 ≤ 5.85·10⁻⁷ s⁵ ≤ 5.86·10⁻⁷ c⁵   (and 5.86·10⁻⁷/a⁴ = 3.54·10⁻³⁴ m⁻⁴). ∎
///
/// (Rational functions by SymPy, intervals by Arb, which rounds outward, at 106 bits.) Against
/// geodesics of 45 digits, 3,000 lines of 1 mm to 100 km had at most 83 % of this with
/// 5·10⁻¹⁵ c and a picometer for the chord and rounding: 0.1 nm at 20 km, 4.1 nm at 100 km.
///
/// Source: F. Joachimsthal, "Observationes de lineis brevissimis et curvis curvaturae in
/// superficiebus secundi gradus", J. reine angew. Math. 26, 1843, for J; F. Johansson, "Arb", IEEE
/// Trans. Computers 66(8), 2017. The formula and its bound were worked out for this package.
package enum ChordSeries {
  /// The longest chord for which the series is valid, in meters.
  package static var reach: Double { 100_000 }

  /// The distance on the ground in meters; nil beyond `reach`.
  @inline(__always)
  static func distance(
    squaredChord: Double, heightDifference: Double, heightSum: Double
  ) -> Double? {
    guard squaredChord <= reach * reach else { return nil }
    let chord = squaredChord.squareRoot()
    return chord + chord
      * excess(
        squaredChord: squaredChord, heightDifference: heightDifference, heightSum: heightSum)
  }

  /// The relative excess of the distance over the chord: s/c − 1.
  ///
  /// - Parameters:
  ///   - squaredChord: c² in square meters.
  ///   - heightDifference: z₂ − z₁ in meters.
  ///   - heightSum: z₂ + z₁ in meters.
  @inline(__always)
  static func excess(
    squaredChord: Double, heightDifference: Double, heightSum: Double
  ) -> Double {
    let perSquaredAxis = 1 / (WGS84.polarRadius * WGS84.polarRadius)
    let y = squaredChord * (1 / (WGS84.equatorialRadius * WGS84.equatorialRadius))
    let squaredDifference = heightDifference * heightDifference * perSquaredAxis
    let squaredSum = heightSum * heightSum * perSquaredAxis
    let q = y + WGS84.eccentricitySquared * squaredDifference
    let rest = 4 - q
    // The smallest normal number keeps the quotient 0 for a chord of 0.
    let x =
      q * q * rest
      / (y * (rest + WGS84.secondEccentricitySquared * squaredSum) + .leastNormalMagnitude)
    let change =
      (WGS84.secondEccentricitySquared / 160) * y * (y * squaredSum * 0.25 - squaredDifference)
    return x * (1 / 24 + x * (3 / 640 + x * (5 / 7168))) + change
  }
}
