import Geodesy

/// A point of the map's plane, in meters: x toward the east of the map, y toward its north.
struct PlanePoint: Hashable, Sendable {
  var x: Double
  var y: Double
}

/// The projection of the mean sphere to the plane and back.
///
/// The sphere differs from the ellipsoid by up to 0.56 %, which is a third of a column on a map of
/// 64 columns.
///
/// Source: J. P. Snyder, "Map Projections: A Working Manual", USGS Professional Paper 1395, 1987,
/// chapters 12 and 25.
struct SphereProjection: Sendable {
  enum Kind: Sendable {
    /// Directions and distances from the center are correct; for areas up to a continent.
    case azimuthalEquidistant
    /// Latitude and longitude as plane coordinates; for the world.
    case plateCarree
  }

  static let radius = WGS84.meanRadius
  /// The meters in a degree of a great circle.
  static let metersPerDegree = radius * .pi / 180

  let kind: Kind
  let center: Coordinate
  private let sineOfLatitude: Double
  private let cosineOfLatitude: Double

  init(_ kind: Kind, center: Coordinate) {
    self.kind = kind
    self.center = center
    sineOfLatitude = sine(radians(center.latitude))
    cosineOfLatitude = cosine(radians(center.latitude))
  }

  func project(_ position: Coordinate) -> PlanePoint {
    let east = Coordinate.wrappedLongitude(position.longitude - center.longitude)
    guard kind == .azimuthalEquidistant else {
      return PlanePoint(
        x: east * Self.metersPerDegree,
        y: (position.latitude - center.latitude) * Self.metersPerDegree)
    }
    let latitude = radians(position.latitude), longitude = radians(east)
    let sineLatitude = sine(latitude), cosineLatitude = cosine(latitude)
    let cosineLongitude = cosine(longitude)
    // The unit vector toward the position, rotated so that z points at the center of the map.
    let x = cosineLatitude * sine(longitude)
    let y = cosineOfLatitude * sineLatitude - sineOfLatitude * cosineLatitude * cosineLongitude
    let z = sineOfLatitude * sineLatitude + cosineOfLatitude * cosineLatitude * cosineLongitude
    let horizontal = hypotenuse(x, y)
    guard horizontal > 0 else {
      // The center, or its antipode, which is a circle in this plane and is placed at its north.
      return PlanePoint(x: 0, y: z > 0 ? 0 : .pi * Self.radius)
    }
    let scale = Self.radius * arcTangent(y: horizontal, x: z) / horizontal
    return PlanePoint(x: x * scale, y: y * scale)
  }

  /// The position of a point; nil if the point is not on the Earth.
  func unproject(_ point: PlanePoint) -> Coordinate? {
    switch kind {
    case .plateCarree:
      let east = point.x / Self.metersPerDegree
      let latitude = center.latitude + point.y / Self.metersPerDegree
      guard abs(east) <= 180, abs(latitude) <= 90 else { return nil }
      return Coordinate(
        unchecked: latitude, Coordinate.wrappedLongitude(center.longitude + east))
    case .azimuthalEquidistant:
      let distance = hypotenuse(point.x, point.y)
      guard distance > 0 else { return center }
      let angle = distance / Self.radius
      guard angle <= .pi else { return nil }
      let sineAngle = sine(angle), cosineAngle = cosine(angle)
      let latitude = arcSine(
        min(
          max(
            cosineAngle * sineOfLatitude + point.y / distance * sineAngle * cosineOfLatitude, -1),
          1))
      let east = arcTangent(
        y: point.x / distance * sineAngle,
        x: cosineOfLatitude * cosineAngle - point.y / distance * sineOfLatitude * sineAngle)
      return Coordinate(
        unchecked: degrees(latitude),
        Coordinate.wrappedLongitude(center.longitude + degrees(east)))
    }
  }
}
