import CNearbyKernels
import Geodesy

/// The whole Earth seen from an origin: bounds for the distances on the ground to boxes and positions.
///
/// Poles, the antimeridian and far countries are not special. Near most origins `LocalMetric` is faster.
///
/// **Positions.** The reduced latitudes, tan β = (1 − f) tan φ, map the ellipsoid onto the unit sphere,
/// on which its metric is a² (dσ² − e² dz²), z = sin β. Between two points there, let q be the squared
/// chord, p = 4 − q and σ the arc: √q = 2 sin σ/2, √p = 2 cos σ/2. Along the arc, with θ from its middle,
/// z = m cos θ + t sin θ, where
///
///     m² = (z₁ + z₂)²/p,   t² = (z₂ − z₁)²/q,   n² = 1 − m² − t²
///
/// belong to its middle, its direction there and its pole. Its image on the Earth, a great ellipse, has
/// the length a∫√(1 − e²z′²) dθ. The geodesic deviates from it sideways by ν, which to first order in e²
/// satisfies ν″ + ν = −e² n z and is 0 at both ends; that makes it shorter by a e² n/2 ∫zν dθ. Together,
/// to second order,
///
///     D = a (σ − e²/4 (m² (σ − sin σ) + t² (σ + sin σ)) − e⁴/8 ∫z′⁴ dθ
///         + e⁴/16 n² (m² (sin σ − σ − σ² tan σ/2) + t² (σ² cot σ/2 − σ − sin σ))).
///
/// The omitted terms are a e⁶/16 ∫z′⁶ dθ for the great ellipse, at most 1.9·10⁻⁸ of the distance, and for
/// the deviation terms that grow as 1/p, since a small push at the middle of nearly half a turn moves the
/// line far. The error allowance has that form,
///
///     E = a σ (4·10⁻⁸ + 6·10⁻⁹ σ²/p) + 1 µm,
///
/// 4 cm at 1,000 km, 40 cm at 10,000 km, 4 m at 17,000 km. It is measured, not proved: of 160 million
/// lines between random positions at all arcs from 0.1 km on, including poles and equator, none was off by
/// more than half of it. Rounding is less than 20 nm; the micrometer covers that and the geodesics
/// themselves.
///
/// From p < 0.0025 on, within 318 km of the antipode, where shortest paths diverge, D is not used. There
/// bounds are *vague*: b σ ≤ s ≤ a σ, because a curve on the Earth is no shorter than b times its length
/// on the sphere, and no longer than a times. Where they cannot decide, the geodesic is computed.
///
/// **Boxes.** The greater of two bounds counts:
///
/// - Nothing in a box is nearer than its center less its radius: the geodesic is a metric. No position is
///   farther from the center than √((R₂Δφ/2)² + (ρΔλ/2)²), R₂ = a²/b the largest radius of curvature and ρ
///   the greatest distance from the axis in the box, as a straight line on the map is no longer. This
///   bound counts far away: small boxes have small radii.
/// - The least b √q of any point in the box. For one longitude it is at the foot of the origin on that
///   meridian, or at an end, and it grows with the difference of longitudes. Close by, where radii say
///   little, it is right to a few thousandths, and up to 200 km it suffices.
struct GroundMetric {
  let coordinate: Coordinate
  private let globe: nearby_globe
  private let level: VectorLevel

  init(_ coordinate: Coordinate, level: VectorLevel = .greatest) {
    self.coordinate = coordinate
    self.level = level
    var globe = nearby_globe()
    nearby_globe_at(coordinate.latitude, coordinate.longitude, &globe)
    self.globe = globe
  }

  /// Computes bounds for sixteen nodes.
  ///
  /// - Parameters:
  ///   - group: The edges of the nodes; see `TreeSections.groupSize`.
  ///   - reach: Distances beyond this, in meters, need no exact bounds.
  @inline(__always)
  func bound(nodes group: UnsafeRawPointer, reach: Double, _ bounds: inout nearby_bounds) {
    withUnsafePointer(to: globe) {
      nearby_bound_boxes(level.rawValue, $0, group, reach, &bounds)
    }
  }

  /// Computes bounds for the positions of a leaf.
  @inline(__always)
  func bound(positions leaf: UnsafeRawPointer, isDecimal: Bool, _ bounds: inout nearby_bounds) {
    withUnsafePointer(to: globe) {
      nearby_bound_positions(level.rawValue, $0, leaf, isDecimal, &bounds)
    }
  }

  /// The distance in meters.
  func geodesic(latitude: Double, longitude: Double) -> Double {
    Geodesic.distance(
      latitude1: coordinate.latitude, longitude1: coordinate.longitude, latitude2: latitude,
      longitude2: longitude)
  }

  /// The total error of geodesics and the bounds of positions, in meters.
  static let margin = 1e-6

  /// Makes the bounds of a node near the antipode as good as elsewhere, by the geodesic to its center.
  func sharpen(_ lane: Int, of group: UnsafeRawPointer, _ bounds: inout nearby_bounds) {
    func edge(_ number: Int) -> Double {
      Double(group.load(fromByteOffset: number << 6 + lane << 2, as: Float.self))
    }
    let meters = geodesic(
      latitude: TreeView.clamped((edge(0) + edge(2)) / 2, 90),
      longitude: TreeView.clamped((edge(1) + edge(3)) / 2, 180))
    let radius = bounds.radius(lane) + GroundMetric.margin
    bounds.sharpen(lane, least: max(bounds.least(lane), meters - radius), greatest: meters + radius)
  }
}

extension nearby_bounds {
  /// A lower bound of the distance to anything in a lane, in meters.
  @inline(__always)
  func least(_ lane: Int) -> Double {
    withUnsafeBytes(of: least) { $0.load(fromByteOffset: lane << 3, as: Double.self) }
  }

  /// An upper bound of the distance to anything in a lane, in meters.
  @inline(__always)
  func greatest(_ lane: Int) -> Double {
    withUnsafeBytes(of: greatest) { $0.load(fromByteOffset: lane << 3, as: Double.self) }
  }

  @inline(__always)
  func radius(_ lane: Int) -> Double {
    withUnsafeBytes(of: radius) { $0.load(fromByteOffset: lane << 3, as: Double.self) }
  }

  /// Whether a lane lies near the antipode, where its bounds say next to nothing.
  @inline(__always)
  func isVague(_ lane: Int) -> Bool { vague >> UInt32(truncatingIfNeeded: lane) & 1 != 0 }

  /// Removes a lane.
  @inline(__always)
  mutating func remove(_ lane: Int) {
    withUnsafeMutableBytes(of: &least) {
      $0.storeBytes(of: .infinity, toByteOffset: lane << 3, as: Double.self)
    }
  }

  fileprivate mutating func sharpen(_ lane: Int, least: Double, greatest: Double) {
    withUnsafeMutableBytes(of: &self.least) {
      $0.storeBytes(of: least, toByteOffset: lane << 3, as: Double.self)
    }
    withUnsafeMutableBytes(of: &self.greatest) {
      $0.storeBytes(of: greatest, toByteOffset: lane << 3, as: Double.self)
    }
    vague &= ~(1 << UInt32(truncatingIfNeeded: lane))
  }
}
