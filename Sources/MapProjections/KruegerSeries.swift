/// The series in the third flattening n used by the projections, truncated after n⁶: for bodies as
/// round as the Earth the omitted terms are below rounding error.
///
/// Source: C. F. F. Karney, "Transverse Mercator with an accuracy of a few nanometers", J. Geodesy
/// 85 (2011), 475–485, doi:10.1007/s00190-011-0445-3, equations 14, 35 and 36, after L. Krüger
/// (1912), for the plane; the same author's "On auxiliary latitudes", Survey Review 56 (2024),
/// doi:10.1080/00396265.2023.2217604, for the conformal latitude.
struct KruegerSeries: Sendable {
  /// The radius of the sphere whose meridians are as long as the ellipsoid's, A in Karney's paper.
  let rectifyingRadius: Double
  /// From the plane of the conformal sphere to that of the ellipsoid: α.
  let toPlane: KruegerSum
  /// The inverse of `toPlane`: −β.
  let fromPlane: KruegerSum
  /// From geodetic to conformal latitude.
  let toConformal: KruegerSum
  /// From conformal to geodetic latitude.
  let toGeodetic: KruegerSum

  init(_ ellipsoid: Ellipsoid) {
    let n = ellipsoid.thirdFlattening
    let n2 = n * n
    rectifyingRadius =
      ellipsoid.equatorialRadius / (1 + n) * (1 + n2 * (1 / 4.0 + n2 * (1 / 64.0 + n2 / 256.0)))
    toPlane = KruegerSum(
      n,
      [
        [1 / 2.0, -2 / 3.0, 5 / 16.0, 41 / 180.0, -127 / 288.0, 7891 / 37800.0],
        [13 / 48.0, -3 / 5.0, 557 / 1440.0, 281 / 630.0, -1_983_433 / 1_935_360.0],
        [61 / 240.0, -103 / 140.0, 15061 / 26880.0, 167_603 / 181_440.0],
        [49561 / 161_280.0, -179 / 168.0, 6_601_661 / 7_257_600.0],
        [34729 / 80640.0, -3_418_889 / 1_995_840.0],
        [212_378_941 / 319_334_400.0],
      ])
    fromPlane = KruegerSum(
      n,
      [
        [-1 / 2.0, 2 / 3.0, -37 / 96.0, 1 / 360.0, 81 / 512.0, -96199 / 604_800.0],
        [-1 / 48.0, -1 / 15.0, 437 / 1440.0, -46 / 105.0, 1_118_711 / 3_870_720.0],
        [-17 / 480.0, 37 / 840.0, 209 / 4480.0, -5569 / 90720.0],
        [-4397 / 161_280.0, 11 / 504.0, 830_251 / 7_257_600.0],
        [-4583 / 161_280.0, 108_847 / 3_991_680.0],
        [-20_648_693 / 638_668_800.0],
      ])
    toConformal = KruegerSum(
      n,
      [
        [-2, 2 / 3.0, 4 / 3.0, -82 / 45.0, 32 / 45.0, 4642 / 4725.0],
        [5 / 3.0, -16 / 15.0, -13 / 9.0, 904 / 315.0, -1522 / 945.0],
        [-26 / 15.0, 34 / 21.0, 8 / 5.0, -12686 / 2835.0],
        [1237 / 630.0, -12 / 5.0, -24832 / 14175.0],
        [-734 / 315.0, 109_598 / 31185.0],
        [444_337 / 155_925.0],
      ])
    toGeodetic = KruegerSum(
      n,
      [
        [2, -2 / 3.0, -2, 116 / 45.0, 26 / 45.0, -2854 / 675.0],
        [7 / 3.0, -8 / 5.0, -227 / 45.0, 2704 / 315.0, 2323 / 945.0],
        [56 / 15.0, -136 / 35.0, -1262 / 105.0, 73814 / 2835.0],
        [4279 / 630.0, -332 / 35.0, -399_572 / 14175.0],
        [4174 / 315.0, -144_838 / 6237.0],
        [601_676 / 22275.0],
      ])
  }
}

/// One of the series: Σ cⱼ sin 2jζ for j = 1…6, summed by Clenshaw's recurrence.
struct KruegerSum: Sendable {
  private let c1, c2, c3, c4, c5, c6: Double

  /// - Parameter rows: For each j the coefficients of nʲ, nʲ⁺¹, … n⁶.
  init(_ n: Double, _ rows: [[Double]]) {
    var power = 1.0
    let sums = rows.map { row in
      power *= n
      return power * row.reversed().reduce(0) { $0 * n + $1 }
    }
    (c1, c2, c3, c4, c5, c6) = (sums[0], sums[1], sums[2], sums[3], sums[4], sums[5])
  }

  /// The sum for a real angle, from the sine and cosine of twice the angle.
  @inline(__always)
  func sum(sine: Double, cosine: Double) -> Double {
    let t = 2 * cosine
    let u6 = c6
    let u5 = c5 + t * u6
    let u4 = c4 + t * u5 - u6
    let u3 = c3 + t * u4 - u5
    let u2 = c2 + t * u3 - u4
    return sine * (c1 + t * u2 - u3)
  }

  /// The sum for a complex angle ξ + iη, from the sine and cosine of 2ξ and the hyperbolic sine and
  /// cosine of 2η.
  @inline(__always)
  func sum(
    sine: Double, cosine: Double, hyperbolicSine: Double, hyperbolicCosine: Double
  ) -> (real: Double, imaginary: Double) {
    // 2 cos 2ζ, and sin 2ζ.
    let (tr, ti) = (2 * cosine * hyperbolicCosine, -2 * sine * hyperbolicSine)
    let (sr, si) = (sine * hyperbolicCosine, cosine * hyperbolicSine)
    var (r2, i2) = (0.0, 0.0)
    var (r1, i1) = (c6, 0.0)
    @inline(__always) func step(_ c: Double) {
      (r1, i1, r2, i2) = (c + tr * r1 - ti * i1 - r2, tr * i1 + ti * r1 - i2, r1, i1)
    }
    step(c5)
    step(c4)
    step(c3)
    step(c2)
    step(c1)
    return (sr * r1 - si * i1, sr * i1 + si * r1)
  }
}
