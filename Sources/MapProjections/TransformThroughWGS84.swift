import Geodesy

/// A transform between two CRSs through WGS 84, for CRSs with no direct transform.
public struct TransformThroughWGS84: CoordinateTransform {
  private let first: any CoordinateTransform
  private let second: any CoordinateTransform

  /// - Parameters:
  ///   - source: The transform from the source CRS to WGS 84.
  ///   - target: The transform from the target CRS to WGS 84.
  public init(_ source: any CoordinateTransform, backTo target: any CoordinateTransform) {
    first = source
    second = target
  }

  /// Whether positions of the source CRS are degrees.
  public var startsFromDegrees: Bool { first.startsFromDegrees }
  /// Whether positions of the target CRS are degrees.
  public var endsInDegrees: Bool { second.startsFromDegrees }
  /// The area of use of the source CRS.
  public var areaOfUse: Region? { first.areaOfUse }

  /// Transforms a position of the source CRS to the target CRS.
  public func forward(_ position: PlanePosition) throws(CRSError) -> PlanePosition {
    try second.inverse(wrapped(try first.forward(position)))
  }

  /// Transforms a position of the target CRS to the source CRS.
  public func inverse(_ position: PlanePosition) throws(CRSError) -> PlanePosition {
    try first.inverse(wrapped(try second.forward(position)))
  }

  /// Degrees from a transform, which may have run past ±180.
  private func wrapped(_ degrees: PlanePosition) -> PlanePosition {
    PlanePosition(x: Coordinate.wrappedLongitude(degrees.x), y: degrees.y)
  }

  /// The operation, and its accuracy.
  public var operation: CoordinateOperation {
    let (one, two) = (first.operation, second.operation)
    var accuracy: Double?
    if let a = one.accuracy, let b = two.accuracy { accuracy = a + b }
    return CoordinateOperation(
      name: "\(one.name) + back by \(two.name)", accuracy: accuracy,
      betterWithGrids: one.betterWithGrids + two.betterWithGrids,
      isBallpark: one.isBallpark || two.isBallpark)
  }
}
