import Geodesy

/// An error in transforming a position between CRSs, or in using a CRS.
public enum CRSError: CodedError, Hashable {
  /// A number that is not finite.
  case notFinite(PlanePosition)
  /// A position outside the domain of a projection; holds the name of the projection or CRS.
  case outsideDomain(PlanePosition, of: String)
  /// Invalid degrees.
  case degrees(CoordinateError)
  /// A CRS that cannot be transformed here; holds its name as given, and the reason.
  case unsupported(String, because: String)

  /// The code: `crs-domain`, `crs-unsupported`, or that of the degrees.
  public var code: String {
    switch self {
    case .notFinite: "not-a-number"
    case .outsideDomain: "crs-domain"
    case .degrees(let error): error.code
    case .unsupported: "crs-unsupported"
    }
  }

  /// What is wrong, with the values, and what to do.
  public var description: String {
    switch self {
    case .notFinite(let position):
      "\(plainDecimal(position.x)),\(plainDecimal(position.y)) are not both finite numbers; "
        + "correct them"
    case .outsideDomain(let position, let name):
      "\(plainDecimal(position.x)),\(plainDecimal(position.y)) is outside the domain of \(name); "
        + "check the CRS and the order, east first"
    case .degrees(let error): error.description
    case .unsupported(let name, let reason):
      "\(name.isEmpty ? "\"\"" : name) is not supported: \(reason)"
        + (CRSName.meantCode(by: name).map { "; if you mean EPSG:\($0), write that" } ?? "")
    }
  }
}
