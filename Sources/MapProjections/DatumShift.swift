import Geodesy

/// The conversion of positions from one datum to another.
///
/// Heights are ignored: a position and its result are assumed to lie on their ellipsoids. Therefore
/// a shift there and back is off by up to 5 mm in Korea and 2 cm on the far islands of Japan.
///
/// Shift, rotation about a pivot and scaling, in the coordinate frame convention, with the rotation
/// linearized as published: EPSG method 9636, Molodensky-Badekas; with a translation alone, 9603.
public struct DatumShift: Hashable, Sendable {
  /// The shift of the Earth's center, in meters.
  public let translation: Vector
  /// In seconds of arc.
  public let rotation: Vector
  /// In parts per million.
  public let scaleDifference: Double
  /// The pivot of the rotation, in meters from the center of the source's ellipsoid.
  public let pivot: Vector

  /// Makes a shift from three or ten parameters.
  public init(
    translation: Vector, rotation: Vector = Vector(0, 0, 0), scaleDifference: Double = 0,
    pivot: Vector = Vector(0, 0, 0)
  ) {
    self.translation = translation
    self.rotation = rotation
    self.scaleDifference = scaleDifference
    self.pivot = pivot
  }

  /// No change of the numbers.
  public static let none = DatumShift(translation: Vector(0, 0, 0))

  /// Three numbers along the axes of an Earth-centered frame.
  public struct Vector: Hashable, Sendable {
    /// Toward longitude 0 on the equator, toward 90° east, and toward the north pole.
    public var x, y, z: Double

    /// Makes a vector.
    public init(_ x: Double, _ y: Double, _ z: Double) {
      self.x = x
      self.y = y
      self.z = z
    }
  }

  /// Converts a position on the source datum to the target datum.
  func forward(
    _ position: GeodeticPosition, from source: Ellipsoid, to target: Ellipsoid
  ) -> GeodeticPosition {
    guard self != .none else { return position }
    return target.geodetic(forward(source.geocentric(position)))
  }

  /// Converts a position on the target datum to the source datum.
  func inverse(
    _ position: GeodeticPosition, from source: Ellipsoid, to target: Ellipsoid
  ) -> GeodeticPosition {
    guard self != .none else { return position }
    return source.geodetic(inverse(target.geocentric(position)))
  }

  private var turns: Vector {
    let secondsToRadians = Double.pi / 648_000
    return Vector(
      rotation.x * secondsToRadians, rotation.y * secondsToRadians, rotation.z * secondsToRadians)
  }

  /// P + T + (1 + s) R (X − P).
  private func forward(_ position: Vector) -> Vector {
    let r = turns
    let scale = 1 + scaleDifference * 1e-6
    let x = position.x - pivot.x
    let y = position.y - pivot.y
    let z = position.z - pivot.z
    return Vector(
      pivot.x + translation.x + scale * (x + r.z * y - r.y * z),
      pivot.y + translation.y + scale * (-r.z * x + y + r.x * z),
      pivot.z + translation.z + scale * (r.y * x - r.x * y + z))
  }

  /// P + Rᵀ (X − P − T) / (1 + s): the method uses the transpose instead of the inverse; the angles
  /// are so small that the difference is less than a millimeter.
  private func inverse(_ position: Vector) -> Vector {
    let r = turns
    let scale = 1 + scaleDifference * 1e-6
    let x = (position.x - pivot.x - translation.x) / scale
    let y = (position.y - pivot.y - translation.y) / scale
    let z = (position.z - pivot.z - translation.z) / scale
    return Vector(
      pivot.x + x - r.z * y + r.y * z,
      pivot.y + r.z * x + y - r.x * z,
      pivot.z - r.y * x + r.x * y + z)
  }
}

extension Ellipsoid {
  /// The Earth-centered coordinates of a position on the ellipsoid, in meters.
  fileprivate func geocentric(_ position: GeodeticPosition) -> DatumShift.Vector {
    let phi = radians(position.latitude)
    let lambda = radians(position.longitude)
    let (s, c) = (sine(phi), cosine(phi))
    let normal = equatorialRadius / (1 - eccentricitySquared * s * s).squareRoot()
    return DatumShift.Vector(
      normal * c * cosine(lambda), normal * c * sine(lambda),
      normal * (1 - eccentricitySquared) * s)
  }

  /// The position on the ellipsoid under a point within some kilometers of it.
  ///
  /// Source: B. R. Bowring, "Transformation from spatial to geographical coordinates", Survey
  /// Review 23 (1976), 323–327: one step of it is off by less than 10⁻¹¹ rad at such heights.
  fileprivate func geodetic(_ place: DatumShift.Vector) -> GeodeticPosition {
    let polarRadius = equatorialRadius * (1 - flattening)
    let secondSquared = eccentricitySquared / (1 - eccentricitySquared)
    let fromAxis = hypotenuse(place.x, place.y)
    // The reduced latitude, from the two legs of its tangent.
    let (u, v) = (place.z * equatorialRadius, fromAxis * polarRadius)
    let length = hypotenuse(u, v)
    let (s, c) = (u / length, v / length)
    return GeodeticPosition(
      latitude: degrees(
        arcTangent(
          y: place.z + secondSquared * polarRadius * s * s * s,
          x: fromAxis - eccentricitySquared * equatorialRadius * c * c * c)),
      longitude: degrees(arcTangent(y: place.y, x: place.x)))
  }
}
