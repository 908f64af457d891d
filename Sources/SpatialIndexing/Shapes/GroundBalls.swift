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
    return nearby_least_ground((apart * apart).sum(), apart.z, image.z + origin.z)
  }
}
