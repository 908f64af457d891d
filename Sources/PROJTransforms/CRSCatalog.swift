import MapProjections

/// All CRSs: the built-in ones in pure Swift, the others through PROJ.
///
///     let transform = try CRSCatalog.transform(from: "EPSG:2056", to: "EPSG:5186")
public enum CRSCatalog {
  /// The transform from a CRS to WGS 84 in degrees.
  ///
  /// - Throws: `CRSError` with code `crs-unsupported`.
  public static func toWGS84(_ source: String) throws(CRSError) -> any CoordinateTransform {
    try transform(from: source, to: "EPSG:4326")
  }

  /// The transform from one CRS to another.
  ///
  /// Between two built-in CRSs PROJ is not used. If PROJ has no operation between two others that
  /// knows both datums, the transform goes through WGS 84.
  ///
  /// - Parameters:
  ///   - source: An EPSG code such as `EPSG:5174`, or any other CRS that PROJ accepts; a name or
  ///     alias must be whole.
  ///   - target: The same.
  /// - Throws: `CRSError` with code `crs-unsupported` if a CRS is unknown, or PROJ is needed and
  ///   not installed.
  public static func transform(
    from source: String, to target: String
  ) throws(CRSError) -> any CoordinateTransform {
    if let from = try? CRS(named: source), let to = try? CRS(named: target) {
      return CRSTransform(from: from, to: to)
    }
    let names = (name(source), name(target))
    let direct: PROJTransform
    do throws(CRSError) {
      direct = try PROJTransform(from: names.0, to: names.1)
    } catch {
      guard PROJTransform.isAvailable, case .unsupported(let name, let reason) = error,
        let code = CRSName.epsgCode(in: name)
      else { throw error }
      // For a mistyped code, the nearest built-in one is the best hint.
      throw .unsupported(name, because: "\(reason); \(CRS.advice(code))")
    }
    guard direct.operation.isBallpark, names.0 != wgs84, names.1 != wgs84 else { return direct }
    let joined = TransformThroughWGS84(
      try transform(from: source, to: wgs84), backTo: try transform(from: target, to: wgs84))
    return joined.operation.isBallpark ? direct : joined
  }

  private static let wgs84 = "EPSG:4326"

  /// A name in the form that PROJ accepts.
  private static func name(_ name: String) -> String {
    CRSName.epsgCode(in: name).map { "EPSG:\($0)" } ?? name
  }
}
