import Geodesy

/// The shapes of data that break spatial indexes, each made from a seed.
public enum PointSet: String, CaseIterable, Sendable {
  case uniform, clustered, lattice, allEqual, collinear, polarCap, seamStraddling, city

  /// `count` positions, and an origin to ask from that lies among or near them.
  public func sample(_ count: Int, seed: UInt64) -> (points: [Coordinate], origin: Coordinate) {
    var generator = SeededGenerator(seed: seed &* 0x1F3 &+ UInt64(count))
    let centers = (0..<8).map { _ in PointSet.anywhere(using: &generator) }
    let points = (0..<count).map { index in
      point(index, of: count, centers: centers, using: &generator)
    }
    let origin =
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: points.randomElement(using: &generator) ?? centers[0]
      case 1: PointSet.anywhere(using: &generator)
      default: point(count / 2, of: count, centers: centers, using: &generator)
      }
    return (points, origin)
  }

  private func point(
    _ index: Int, of count: Int, centers: [Coordinate], using generator: inout SeededGenerator
  ) -> Coordinate {
    switch self {
    case .uniform:
      return PointSet.anywhere(using: &generator)
    case .clustered:
      let center = centers[Int.random(in: 0..<centers.count, using: &generator)]
      return PointSet.near(center, degrees: 0.05, using: &generator)
    case .lattice:
      // Whole degrees, so that exact ties abound.
      return PointSet.legal(
        Double(index % 13) - 6, Double((index / 13) % 17) - 8)
    case .allEqual:
      return PointSet.legal(37.5665, 126.978)
    case .collinear:
      return PointSet.legal(35, 120 + 10 * Double(index) / Double(max(count, 1)))
    case .polarCap:
      let latitude = 90 - abs(Double.random(in: -1...1, using: &generator)) * 0.5
      return index % 17 == 0
        ? PointSet.legal(90, Double.random(in: -180...180, using: &generator))
        : PointSet.legal(latitude, Double.random(in: -180...180, using: &generator))
    case .seamStraddling:
      let offset = Double.random(in: -0.5...0.5, using: &generator)
      let longitude = index % 11 == 0 ? (index % 2 == 0 ? 180 : -180) : 180 + offset
      return PointSet.legal(
        Double.random(in: -17.9 ... -17.1, using: &generator),
        longitude > 180 ? longitude - 360 : longitude)
    case .city:
      // A street grid of about 100 m with shops rounded to 1e-5 degree.
      let row = (Double.random(in: 0...40, using: &generator)).rounded()
      let column = Double.random(in: 0...4000, using: &generator).rounded() / 100
      return PointSet.legal(
        ((37.55 + row * 0.001) * 1e5).rounded() / 1e5,
        ((126.95 + column * 0.001) * 1e5).rounded() / 1e5)
    }
  }

  /// Uniform by area on the sphere.
  public static func anywhere(using generator: inout SeededGenerator) -> Coordinate {
    let z = Double.random(in: -1...1, using: &generator)
    return legal(
      degrees(arcSine(z)), Double.random(in: -180...180, using: &generator))
  }

  private static func near(
    _ center: Coordinate, degrees: Double, using generator: inout SeededGenerator
  ) -> Coordinate {
    let latitude = center.latitude + Double.random(in: -degrees...degrees, using: &generator)
    let longitude = center.longitude + Double.random(in: -degrees...degrees, using: &generator)
    return legal(min(90, max(-90, latitude)), Coordinate.wrappedLongitude(longitude))
  }

  /// For numbers that are legal by the way they were made.
  public static func legal(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(unchecked: latitude, longitude)
  }
}
