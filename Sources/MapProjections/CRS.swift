import Geodesy

/// A coordinate reference system that needs no library: a datum, and a projection if it is planar.
///
///     let crs = try CRS(epsg: 5174)        // Korean 1985 / Modified Central Belt
///     let transform = crs.toWGS84
///     try transform.coordinate(of: PlanePosition(x: 198_242, y: 451_580))
///
/// Built in are WGS 84, Web Mercator, World Mercator, all UTM zones on WGS 84, and the grids and
/// datums of South Korea and Japan. `PROJTransforms` has all others.
public struct CRS: Sendable {
  /// The EPSG code.
  public let code: Int
  /// The name in the EPSG data set, as `KGD2002 / Central Belt 2010`.
  public let name: String
  /// The datum.
  public let datum: Datum
  /// The projection; nil if positions are degrees.
  public let projection: (any MapProjection)?
  /// The projection's name, as `Korea Central Belt 2010`.
  let projectionName: String
  /// The area of use.
  public let areaOfUse: Region

  init(
    _ code: Int, _ name: String, _ datum: Datum, _ projectionName: String,
    _ projection: (any MapProjection)?, area: Region
  ) {
    self.code = code
    self.name = name
    self.datum = datum
    self.projectionName = projectionName
    self.projection = projection
    areaOfUse = area
  }

  /// Makes the built-in CRS with an EPSG code.
  ///
  /// - Throws: `CRSError` with code `crs-unsupported` if it is not built in; the message lists the
  ///   built-in ones and the nearest match.
  public init(epsg code: Int) throws(CRSError) {
    guard let crs = CRS.builtIn(code) else {
      throw .unsupported("EPSG:\(code)", because: "it is not built in; \(CRS.advice(code))")
    }
    self = crs
  }

  /// Whether positions are degrees.
  public var isGeographic: Bool { projection == nil }

  /// The transform to WGS 84 in degrees, and back.
  public var toWGS84: CRSTransform { CRSTransform(from: self, to: .wgs84) }

  /// WGS 84 in degrees, EPSG:4326, longitude first.
  public static let wgs84 = geographic(.wgs84)

  /// A datum's CRS in degrees.
  static func geographic(_ datum: Datum) -> CRS {
    CRS(datum.geographicCode, datum.name, datum, "", nil, area: datum.area)
  }
}
