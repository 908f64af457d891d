import Geodesy

/// Brings positions from one CRS to another, and back.
///
/// `CRSTransform` needs no library, `PROJTransform` has every CRS; take
/// either as `any CoordinateTransform`.
public protocol CoordinateTransform: Sendable {
  /// What is done to positions, and how far off it may be.
  var operation: CoordinateOperation { get }

  /// Whether positions of the source CRS are degrees.
  var startsFromDegrees: Bool { get }

  /// Whether positions of the target CRS are degrees.
  var endsInDegrees: Bool { get }

  /// Where the source CRS is used; nil when it is not known.
  var areaOfUse: Region? { get }

  /// A position of the source CRS in the target CRS.
  ///
  /// - Throws: `CRSError` when there is none.
  func forward(_ position: PlanePosition) throws(CRSError) -> PlanePosition

  /// A position of the target CRS in the source CRS.
  ///
  /// - Throws: `CRSError` when there is none.
  func inverse(_ position: PlanePosition) throws(CRSError) -> PlanePosition
}

/// What is done to positions between two CRSs.
public struct CoordinateOperation: Hashable, Sendable {
  /// Its steps by their names in the EPSG data set, joined by ` + `.
  public let name: String
  /// How far off an answer may be on the ground, in meters; nil when it is not known.
  public let accuracy: Double?
  /// How many more accurate operations there are that need a file of grid values.
  public let betterWithGrids: Int
  /// Whether it leaves a change of datum out, for want of anything better, and so may be hundreds of
  /// meters off.
  public let isBallpark: Bool

  /// An operation by its name.
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
  /// The name and the accuracy, as `Inverse of UTM zone 52N, accurate to 0 m`.
  public var description: String {
    let stated = accuracy.map { "accurate to \(plainDecimal($0)) m" } ?? "of unknown accuracy"
    let better =
      betterWithGrids == 0
      ? ""
      : "; \(betterWithGrids) that may be better \(betterWithGrids == 1 ? "needs" : "need") grids"
    return "\(name), \(stated)\(better)"
  }
}

extension CoordinateTransform {
  /// A position of the source CRS on WGS 84, where that is the target.
  ///
  /// - Throws: `CRSError` when there is none.
  public func coordinate(of position: PlanePosition) throws(CRSError) -> Coordinate {
    let degrees = try forward(position)
    do throws(CoordinateError) {
      return try Coordinate(latitude: degrees.y, wrappingLongitude: degrees.x)
    } catch {
      throw .degrees(error)
    }
  }

  /// A coordinate in the source CRS, where the target is WGS 84.
  ///
  /// - Throws: `CRSError` when there is none.
  public func position(of coordinate: Coordinate) throws(CRSError) -> PlanePosition {
    try inverse(PlanePosition(x: coordinate.longitude, y: coordinate.latitude))
  }
}
