/// An error with a short code and one lower-case sentence that ends with what to do.
///
/// The code is the same in Swift, on the command line and over HTTP. Settings are named as in Swift, in backquotes:
/// `latitudeField`; the command line and the server put their own names for them.
public protocol CodedError: Error, CustomStringConvertible, Sendable {
  /// The code, for programs: `lat-range`, `row-no-coordinate`.
  var code: String { get }
}

/// Replaces the settings that a message names, in backquotes and as Swift calls them.
///
/// - Parameter names: What they are called elsewhere; the others stay as they are.
package func named(_ names: [String: String], in message: String) -> String {
  guard message.utf8.contains(UInt8(ascii: "`")) else { return message }
  var parts = message.split(separator: "`", omittingEmptySubsequences: false).map { String($0) }
  var text = parts.removeFirst()
  // A backquote may be anybody's, as in names of columns: only a name of ours that stands as a word is replaced.
  while !parts.isEmpty {
    let part = parts.removeFirst()
    if let name = names[part], let rest = parts.first,
      text.last.map({ " (".contains($0) }) ?? true, rest.first.map({ " ,;:)".contains($0) }) ?? true
    {
      text += name + parts.removeFirst()
    } else {
      text += "`" + part
    }
  }
  return text
}
