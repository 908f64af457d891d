import Foundation
import Geodesy
import NearbyTestSupport
import Testing

/// Two positions in bare degrees.
struct PositionPair: CustomStringConvertible {
  var latitude1: Double
  var longitude1: Double
  var latitude2: Double
  var longitude2: Double

  var description: String { "(\(latitude1), \(longitude1)) to (\(latitude2), \(longitude2))" }

  var distance: Double {
    Geodesic.distance(
      latitude1: latitude1, longitude1: longitude1, latitude2: latitude2, longitude2: longitude2)
  }

  var inverse: (distance: Double, azimuth1: Double, azimuth2: Double) {
    Geodesic.inverse(
      latitude1: latitude1, longitude1: longitude1, latitude2: latitude2, longitude2: longitude2)
  }

  var exchanged: PositionPair {
    PositionPair(
      latitude1: latitude2, longitude1: longitude2, latitude2: latitude1, longitude2: longitude1)
  }
  var latitudesMirrored: PositionPair {
    PositionPair(
      latitude1: -latitude1, longitude1: longitude1, latitude2: -latitude2, longitude2: longitude2)
  }
  var longitudesMirrored: PositionPair {
    PositionPair(
      latitude1: latitude1, longitude1: -longitude1, latitude2: latitude2, longitude2: -longitude2)
  }
}

/// The kinds of pairs that break geodesic solvers.
enum PairClass: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case anywhere, short, nearAntipodal, nearAstroid, meridional, nearMeridional, equatorial
  case nearEquatorial, polar, oppositePoles, seam

  var testDescription: String { rawValue }

  func pairs(_ count: Int, seed: UInt64) -> [PositionPair] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in pair(using: &generator) }
  }

  private func pair(using generator: inout SeededGenerator) -> PositionPair {
    let first = PointSet.anywhere(using: &generator)
    let second = PointSet.anywhere(using: &generator)
    var pair = PositionPair(
      latitude1: first.latitude, longitude1: first.longitude, latitude2: second.latitude,
      longitude2: second.longitude)
    let isOpposite = Bool.random(using: &generator)
    let opposite = first.longitude < 0 ? first.longitude + 180 : first.longitude - 180
    switch self {
    case .anywhere:
      break
    case .short:
      // 1 mm to 1 km.
      let end = PROJJudge().direct(
        first.latitude, first.longitude,
        azimuth: Double.random(in: -180...180, using: &generator),
        distance: PairClass.power(-3...3, using: &generator))
      pair.latitude2 = end.latitude
      pair.longitude2 = end.longitude
    case .nearAntipodal:
      pair.latitude2 = PairClass.clamped(
        -first.latitude + Double.random(in: -1...1, using: &generator))
      pair.longitude2 = Coordinate.wrappedLongitude(
        opposite + Double.random(in: -1.5...1.5, using: &generator))
    case .nearAstroid:
      // Where geodesics run together: on the parallel opposite, and a hair off it.
      pair.latitude2 = PairClass.clamped(
        -first.latitude + (isOpposite ? 0 : PairClass.power(-12 ... -2, using: &generator)))
      pair.longitude2 = Coordinate.wrappedLongitude(
        opposite + PairClass.power(-6 ... -0.2, using: &generator))
    case .meridional:
      pair.longitude2 = isOpposite ? opposite : first.longitude
    case .nearMeridional:
      pair.longitude2 = Coordinate.wrappedLongitude(
        (isOpposite ? opposite : first.longitude) + PairClass.power(-12...0, using: &generator))
    case .equatorial:
      pair.latitude1 = 0
      pair.latitude2 = 0
    case .nearEquatorial:
      pair.latitude1 = PairClass.power(-14...0, using: &generator)
      pair.latitude2 = -PairClass.power(-14...0, using: &generator)
    case .polar:
      pair.latitude1 = 90 - PairClass.power(-12...0, using: &generator)
      if isOpposite { pair.latitude2 = 90 - PairClass.power(-12...0, using: &generator) }
    case .oppositePoles:
      pair.latitude1 = 90 - PairClass.power(-12...0, using: &generator)
      pair.latitude2 = -90 + PairClass.power(-12...0, using: &generator)
    case .seam:
      pair.longitude1 = isOpposite ? 180 : 180 - PairClass.power(-12...0, using: &generator)
      pair.longitude2 = -180 + PairClass.power(-12...0, using: &generator)
    }
    return pair
  }

  private static func clamped(_ latitude: Double) -> Double { min(90, max(-90, latitude)) }

  /// Ten to a random power.
  static func power(
    _ exponents: ClosedRange<Double>, using generator: inout SeededGenerator
  ) -> Double {
    pow(10, Double.random(in: exponents, using: &generator))
  }
}

/// How far apart two angles in degrees are, round the circle.
func turn(_ first: Double, _ second: Double) -> Double {
  abs((first - second).remainder(dividingBy: 360))
}
