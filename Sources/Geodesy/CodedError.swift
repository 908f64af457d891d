/// An error a person can act on: a short code that is the same in Swift, on the command line and
/// over HTTP, and one lower-case sentence whose last words say what to do.
public protocol CodedError: Error, CustomStringConvertible, Sendable {
  /// The mistake's name, for programs: `lat-range`, `row-no-coordinate`.
  var code: String { get }
}
