import Geodesy

/// Why a position cannot be brought from one CRS to another, or a CRS cannot be used.
public enum CRSError: CodedError, Hashable {
  /// A number that is not finite.
  case notFinite(PlanePosition)
  /// A position outside what a projection can be trusted with; holds the projection's or the CRS's
  /// name.
  case outsideDomain(PlanePosition, of: String)
  /// Degrees that are no position.
  case degrees(CoordinateError)
  /// A CRS that nothing here can transform; holds its name as it was given, and why.
  case unsupported(String, because: String)

  /// The mistake's name: `crs-domain`, `crs-unsupported`, or that of the degrees.
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
    case .unsupported(let name, let reason): "\(name) is not supported: \(reason)"
    }
  }
}
