import Foundation
import NearbyKit

/// What "near" means to an engine.
enum Measure: String {
  case wgs84, sphere, plane
  /// Straight lines through the earth between places on WGS 84.
  case chord
  /// An engine's own approximation of the geodesic.
  case geographic

  /// The radius of the sphere that the engines on it use, in meters.
  static let sphereRadius = 6_371_008.8

  /// A place of the earth where chords are straight lines: meters from its center on WGS 84, the
  /// unit sphere for the sphere, degrees for the plane.
  func place(longitude: Double, latitude: Double) -> SIMD3<Double> {
    if self == .plane { return SIMD3(longitude, latitude, 0) }
    let lambda = longitude * (.pi / 180), phi = latitude * (.pi / 180)
    if self == .sphere {
      return SIMD3(cos(phi) * cos(lambda), cos(phi) * sin(lambda), sin(phi))
    }
    let equatorial = 6_378_137.0, flattening = 1 / 298.257223563
    let squaredEccentricity = flattening * (2 - flattening)
    let normal = equatorial / sqrt(1 - squaredEccentricity * sin(phi) * sin(phi))
    return SIMD3(
      normal * cos(phi) * cos(lambda), normal * cos(phi) * sin(lambda),
      normal * (1 - squaredEccentricity) * sin(phi))
  }

  /// How far a point is from a question: meters on WGS 84 or straight through it, chords on the unit
  /// sphere, degrees on the plane.
  ///
  /// - Precondition: Not for `geographic`, which only its engine knows.
  func distance(from query: Int, to id: Int, in data: DataSet) -> Double {
    precondition(self != .geographic, "an engine's own approximation is not known here")
    if self == .wgs84 { return data.origin(query).distance(to: data.position(id)).meters }
    let origin = place(
      longitude: data.queries[2 * query], latitude: data.queries[2 * query + 1])
    let point = place(longitude: data.points[2 * id], latitude: data.points[2 * id + 1])
    let difference = origin - point
    return sqrt((difference * difference).sum())
  }

  /// How far distances may be out of order because an engine rounds otherwise, in their unit.
  private var rounding: Double {
    switch self {
    case .wgs84: 0
    case .chord: 1e-8
    default: 1e-12
    }
  }

  /// Whether the ids of an answer stand nearest first.
  func isNearestFirst(_ ids: UnsafeBufferPointer<UInt32>, query: Int, in data: DataSet) -> Bool {
    if self == .geographic { return true }
    let distances = ids.map { distance(from: query, to: Int($0), in: data) }
    return zip(distances, distances.dropFirst()).allSatisfy { $0 <= $1 + rounding }
  }
}
