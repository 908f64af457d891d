import Geodesy

/// The transform between two built-in CRSs, in pure Swift.
///
///     let transform = CRSTransform(from: try CRS(epsg: 5174), to: try CRS(epsg: 5186))
///     try transform.forward(PlanePosition(x: 198_242, y: 451_580))
///
/// Between different datums it goes through WGS 84; on the same datum nothing is shifted. The
/// results equal PROJ's for the same operation, to 0.1 µm.
public struct CRSTransform: CoordinateTransform {
  /// The source CRS.
  public let source: CRS
  /// The target CRS.
  public let target: CRS

  private let sourceShift: DatumShift
  private let targetShift: DatumShift
  private let middle: Ellipsoid

  /// Makes the transform from one CRS to another.
  public init(from source: CRS, to target: CRS) {
    self.source = source
    self.target = target
    let isOneDatum = source.datum.geographicCode == target.datum.geographicCode
    sourceShift = isOneDatum ? .none : source.datum.toWGS84?.shift ?? .none
    targetShift = isOneDatum ? .none : target.datum.toWGS84?.shift ?? .none
    // Without a shift the numbers stay the same, on whatever ellipsoid they are.
    middle =
      targetShift == .none
      ? target.datum.ellipsoid : sourceShift == .none ? source.datum.ellipsoid : .wgs84
  }

  /// Whether positions of the source CRS are degrees.
  public var startsFromDegrees: Bool { source.isGeographic }
  /// Whether positions of the target CRS are degrees.
  public var endsInDegrees: Bool { target.isGeographic }
  /// The area of use of the source CRS.
  public var areaOfUse: Region? { source.areaOfUse }

  /// Transforms a position of the source CRS to the target CRS.
  public func forward(_ position: PlanePosition) throws(CRSError) -> PlanePosition {
    let start = try source.geodetic(position)
    let shifted = targetShift.inverse(
      sourceShift.forward(start, from: source.datum.ellipsoid, to: middle),
      from: target.datum.ellipsoid, to: middle)
    return try target.plane(shifted)
  }

  /// Transforms a position of the target CRS to the source CRS.
  public func inverse(_ position: PlanePosition) throws(CRSError) -> PlanePosition {
    let start = try target.geodetic(position)
    let shifted = sourceShift.inverse(
      targetShift.forward(start, from: target.datum.ellipsoid, to: middle),
      from: source.datum.ellipsoid, to: middle)
    return try source.plane(shifted)
  }

  /// The operation, and its accuracy.
  public var operation: CoordinateOperation {
    var steps: [String] = []
    var accuracy = 0.0
    if !source.isGeographic { steps.append("Inverse of \(source.projectionName)") }
    if source.datum.geographicCode != target.datum.geographicCode {
      if let shift = source.datum.toWGS84 {
        steps.append(shift.name)
        accuracy += shift.accuracy
      }
      if let shift = target.datum.toWGS84 {
        steps.append("Inverse of \(shift.name)")
        accuracy += shift.accuracy
      }
    }
    if !target.isGeographic { steps.append(target.projectionName) }
    return CoordinateOperation(
      name: steps.isEmpty ? "nothing to do" : steps.joined(separator: " + "), accuracy: accuracy)
  }
}

extension CRS {
  /// Converts a position of the CRS to the ellipsoid of its datum.
  fileprivate func geodetic(_ position: PlanePosition) throws(CRSError) -> GeodeticPosition {
    if let projection { return try projection.inverse(position) }
    try position.checkDegrees()
    return GeodeticPosition(latitude: position.y, longitude: position.x)
  }

  /// Converts a position on the datum's ellipsoid to the CRS.
  fileprivate func plane(_ position: GeodeticPosition) throws(CRSError) -> PlanePosition {
    if let projection { return try projection.forward(position) }
    return PlanePosition(x: position.longitude, y: position.latitude)
  }
}
