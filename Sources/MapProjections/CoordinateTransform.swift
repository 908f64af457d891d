import Geodesy

/// Transforms positions from one CRS to another, and back.
///
/// `CRSTransform` needs no library, `PROJTransform` supports every CRS; use either as
/// `any CoordinateTransform`.
public protocol CoordinateTransform: Sendable {
  /// The operation, and its accuracy.
  var operation: CoordinateOperation { get }

  /// Whether positions of the source CRS are degrees.
  var startsFromDegrees: Bool { get }

  /// Whether positions of the target CRS are degrees.
  var endsInDegrees: Bool { get }

  /// The area of use of the source CRS; nil if unknown.
  var areaOfUse: Region? { get }

  /// Transforms a position of the source CRS to the target CRS.
  ///
  /// - Throws: `CRSError` if that is impossible, as for degrees beyond ±90 and ±180.
  func forward(_ position: PlanePosition) throws(CRSError) -> PlanePosition

  /// Transforms a position of the target CRS to the source CRS.
  ///
  /// - Throws: `CRSError` if that is impossible, as for degrees beyond ±90 and ±180.
  func inverse(_ position: PlanePosition) throws(CRSError) -> PlanePosition
}

/// An operation between two CRSs.
public struct CoordinateOperation: Hashable, Sendable {
  /// The names of its steps in the EPSG data set, joined by ` + `.
  public let name: String
  /// The accuracy of a result on the ground, in meters; nil if unknown.
  public let accuracy: Double?
  /// The number of more accurate operations that need a grid file.
  public let betterWithGrids: Int
  /// Whether the operation ignores a change of datum, because none is known, and may be hundreds of
  /// meters off.
  public let isBallpark: Bool

  /// Makes an operation.
  public init(
    name: String, accuracy: Double?, betterWithGrids: Int = 0, isBallpark: Bool = false
  ) {
    self.name = name
    self.accuracy = accuracy
    self.betterWithGrids = betterWithGrids
    self.isBallpark = isBallpark
  }
}

extension CoordinateOperation: CustomStringConvertible {
  /// The name and the accuracy, as `Inverse of UTM zone 52N, accurate to 0 m in its area of use`.
  public var description: String {
    let stated =
      accuracy.map { "accurate to \(plainDecimal($0)) m in its area of use" }
      ?? "of unknown accuracy"
    let better =
      betterWithGrids == 0
      ? ""
      : "; \(betterWithGrids) that may be better \(betterWithGrids == 1 ? "needs" : "need") grids"
    return "\(name), \(stated)\(better)"
  }
}

extension CoordinateTransform {
  /// Transforms a position of the source CRS to WGS 84, if that is the target.
  ///
  /// - Throws: `CRSError` if that is impossible.
  public func coordinate(of position: PlanePosition) throws(CRSError) -> Coordinate {
    let degrees = try forward(position)
    do throws(CoordinateError) {
      return try Coordinate(latitude: degrees.y, wrappingLongitude: degrees.x)
    } catch {
      throw .degrees(error)
    }
  }

  /// Whether a position is so far outside the source CRS's area of use, 100 km, that something must be wrong.
  package func isFarOutside(_ coordinate: Coordinate) -> Bool {
    guard let area = areaOfUse, !area.contains(coordinate) else { return false }
    // More than the coarseness of areas of use.
    return area.distance(to: coordinate) > .kilometers(100)
  }

  /// Transforms a coordinate to the source CRS, if WGS 84 is the target.
  ///
  /// - Throws: `CRSError` if that is impossible.
  public func position(of coordinate: Coordinate) throws(CRSError) -> PlanePosition {
    try inverse(PlanePosition(x: coordinate.longitude, y: coordinate.latitude))
  }
}

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
