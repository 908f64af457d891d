/// An error with a short code and one lower-case sentence that ends with what to do.
///
/// The code is the same in Swift, on the command line and over HTTP.
public protocol CodedError: Error, CustomStringConvertible, Sendable {
  /// The code, for programs: `lat-range`, `row-no-coordinate`.
  var code: String { get }
}
