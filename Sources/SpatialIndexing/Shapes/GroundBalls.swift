import CNearbyKernels
import Geodesy

/// Balls in space seen from far away, where a chord says little about the distance on the ground.
///
/// The point under the center of a ball is the one whose image on the unit sphere (see `GroundMetric`, also for the
/// formulas) lies in the direction of the center's image, which takes no angle to find. All points of the ground
/// within the ball are within a chord of it, the sum of the ball's radius and depth, so none is nearer to the origin
/// by more than the longest geodesic over that chord.
struct GroundBalls {
  private let origin: SIMD3<Double>

  init(from origin: ECEFPosition) {
    self.origin = GroundBalls.image(origin)
  }

  private static func image(_ place: ECEFPosition) -> SIMD3<Double> {
    SIMD3(place.x, place.y, place.z) / axes
  }

  private static let axes = SIMD3(
    WGS84.equatorialRadius, WGS84.equatorialRadius, WGS84.polarRadius)

  /// A lower bound of the ground distance from the origin to anything within a ball, in meters.
  @inline(__always)
  func least(_ middle: ECEFPosition, radius: Double) -> Double {
    var image = GroundBalls.image(middle)
    let length = (image * image).sum().squareRoot()
    // Balls around half of the Earth say nothing.
    guard length > 0.5, radius < WGS84.polarRadius / 2 else { return 0 }
    image /= length
    let depth = (image * GroundBalls.axes - SIMD3(middle.x, middle.y, middle.z))
    let reach = radius + (depth * depth).sum().squareRoot()
    let way = ChordBracket.geodesics(chord: min(reach, WGS84.polarRadius)).longest
    return distance(to: image) - way - GroundBalls.rounding
  }

  /// A bound for the total rounding, in meters.
  private static let rounding = 1e-5

  /// The distance on the ground to a point or slightly less, in meters; nil near the antipode.
  func distance(to place: ECEFPosition) -> Double? {
    let image = GroundBalls.image(place), apart = image + origin
    return (apart * apart).sum() < NEARBY_GROUND_VAGUE ? nil : distance(to: image)
  }

  /// The distance on the ground to the point of an image or slightly less, in meters.
  private func distance(to image: SIMD3<Double>) -> Double {
    let apart = image - origin
    let q = min((apart * apart).sum(), 4), p = max(4 - q, 1e-12)
    let chord = q.squareRoot(), complement = p.squareRoot()
    let arc = 2 * arcTangent(y: chord, x: complement)
    let axis = WGS84.equatorialRadius, e2 = WGS84.eccentricitySquared
    // Near the antipode.
    guard p >= NEARBY_GROUND_VAGUE else { return WGS84.polarRadius * arc }
    let sum = image.z + origin.z
    let middle = min(sum * sum / p, 1), tilt = q > 0 ? apart.z * apart.z / q : 0
    let pole = max(1 - middle - tilt, 0)
    let sine = chord * complement / 2, double = sine * (1 - q / 2) / 8
    let three = arc * 0.375, half = sine / 2
    let first = middle * (arc - sine) + tilt * (arc + sine)
    let alike = middle * middle * (three - half + double) + tilt * tilt * (three + half + double)
    let bent = alike + middle * tilt * 6 * (arc / 8 - double)
    let besideMiddle = middle * (sine - arc - arc * arc * (chord / complement))
    let besideTilt = q > 0 ? tilt * (arc * arc * (complement / chord) - arc - sine) : 0
    let second = e2 * e2 / 16 * (pole * (besideMiddle + besideTilt) - 2 * bent)
    let error = axis * arc * (NEARBY_GROUND_ERROR + NEARBY_GROUND_BEND * arc * arc / p)
    return axis * (arc - e2 / 4 * first + second) - error
  }
}
