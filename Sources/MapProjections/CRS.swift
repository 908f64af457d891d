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
  ///   built-in ones and the nearest match, if one is near.
  public init(epsg code: Int) throws(CRSError) {
    guard let crs = CRS.builtIn(code) else {
      throw .unsupported("EPSG:\(code)", because: "it is not built in; \(CRS.advice(code))")
    }
    self = crs
  }

  /// Makes the built-in CRS with a name.
  ///
  /// - Throws: `CRSError` with code `crs-unsupported` if it is not built in.
  public init(named name: String) throws(CRSError) {
    guard let code = CRSName.epsgCode(in: name) else {
      throw .unsupported(name, because: "it is not an EPSG code; write one such as EPSG:5174")
    }
    try self.init(epsg: code)
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

/// The names of a CRS in files and in text.
public enum CRSName {
  /// The EPSG code in a name; nil if there is none.
  ///
  /// `EPSG:5174`, `5174`, `urn:ogc:def:crs:EPSG::5174`,
  /// `http://www.opengis.net/def/crs/EPSG/0/5174`; `CRS84` in any of these forms is 4326, since
  /// longitude always comes first here.
  public static func epsgCode(in name: String) -> Int? {
    let text = name.uppercased()
    if text.hasSuffix("CRS84") { return 4326 }
    let parts = text.split { $0 == ":" || $0 == "/" || $0 == " " }
    guard let last = parts.last, last.utf8.allSatisfy(\.isASCIIDigit),
      let code = Int(last), parts.count == 1 || parts.contains("EPSG")
    else { return nil }
    return code
  }

  /// The EPSG code that a common name may mean, as `EPSG5179`, `UTM-K` and `UTM 52N`; nil if none.
  ///
  /// `UTM 52S` may be a zone in the south or the band S, which is in the north, as Korea is.
  static func meantCode(by name: String) -> Int? {
    var text = name.uppercased()[...]
    text.removeAll { " -_".contains($0) }
    if text == "UTMK" { return 5179 }
    if text.hasPrefix("EPSG") { return Int(text.dropFirst(4)) }
    guard text.hasPrefix("UTM"), text.hasSuffix("N") else { return nil }
    text = text.dropFirst(3).dropLast()
    let zone = Int(text.hasPrefix("ZONE") ? text.dropFirst(4) : text)
    return zone.flatMap { 1...60 ~= $0 ? 32600 + $0 : nil }
  }
}
