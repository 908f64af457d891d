import Geodesy

/// The transform between two CRSs of which each is known to WGS 84, and not to the other.
public struct TransformThroughWGS84: CoordinateTransform {
  private let first: any CoordinateTransform
  private let second: any CoordinateTransform

  /// - Parameters:
  ///   - source: From the source CRS to WGS 84.
  ///   - target: From the target CRS to WGS 84.
  public init(_ source: any CoordinateTransform, backTo target: any CoordinateTransform) {
    first = source
    second = target
  }

  /// Whether positions of the source CRS are degrees.
  public var startsFromDegrees: Bool { first.startsFromDegrees }
  /// Whether positions of the target CRS are degrees.
  public var endsInDegrees: Bool { second.startsFromDegrees }
  /// Where the source CRS is used.
  public var areaOfUse: Region? { first.areaOfUse }

  /// A position of the source CRS in the target CRS.
  public func forward(_ position: PlanePosition) throws(CRSError) -> PlanePosition {
    try second.inverse(try first.forward(position))
  }

  /// A position of the target CRS in the source CRS.
  public func inverse(_ position: PlanePosition) throws(CRSError) -> PlanePosition {
    try first.inverse(try second.forward(position))
  }

  /// What is done to positions, and how far off it may be.
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
