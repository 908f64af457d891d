import Geodesy
import MapAnnotations

/// Why a text is not a query.
///
///     do { … } catch { print("\(error.parameter): \(error.message)") }
public struct QueryTextError: CodedError, Hashable {
  /// The kind of mistake; its raw value is the `code` where the mistake has none of its own.
  public enum Reason: String, CaseIterable, Sendable {
    /// A parameter that is unknown or repeated, or that does not go with the others.
    case parameter = "query-parameter"
    /// A value that its parameter cannot have.
    case value = "query-value"
  }

  /// The kind of mistake.
  public let reason: Reason
  /// The parameter with the mistake.
  public let parameter: String
  /// What is wrong and what to do, in one lower-case sentence.
  public let message: String
  /// The error code: that of the same mistake on the command line, such as `lat-range` or `bad-k`, otherwise the raw
  /// value of `reason`.
  public let code: String

  init(_ reason: Reason, _ parameter: String, _ message: String, code: String? = nil) {
    self.reason = reason
    self.parameter = parameter
    self.message = message
    self.code = code ?? reason.rawValue
  }

  /// The parameter and the message.
  public var description: String { "parameter \(parameter): \(message)" }
}

/// The names and values of a URL's query: `lat=37.5&kind=mart`.
///
/// Both are percent-encoded UTF-8 (RFC 3986); a plus sign stands for itself.
package struct QueryParameters {
  /// In their original order; there are few, and each is looked up by name.
  private var pairs: [(name: String, value: String?)] = []

  /// An empty list of parameters.
  package init() {}

  package mutating func add(_ name: String, _ value: String? = nil) {
    pairs.append((name, value))
  }

  /// The parameters with `&` between them, percent-encoded.
  package var text: String {
    pairs.map { name, value in
      [name, value].compactMap { $0?.percentEncoded(keeping: "-._~,:/()") }.joined(separator: "=")
    }.joined(separator: "&")
  }

  /// Reads a text.
  init(reading text: String) throws(QueryTextError) {
    guard !text.isEmpty else { return }
    for part in text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
      let pieces = part.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      var words: [String] = []
      for piece in pieces {
        guard let word = percentDecoded(piece) else {
          throw QueryTextError(
            .value, String(Substring(pieces[0])),
            "\"\(Substring(piece))\" is not percent-encoded UTF-8; write bytes of other characters as %XX"
          )
        }
        words.append(word)
      }
      pairs.append((words[0], words.count > 1 ? words[1] : nil))
    }
  }

  /// Throws if there is a name other than these.
  func expect(_ names: Set<String>) throws(QueryTextError) {
    for (name, _) in pairs where !names.contains(name) {
      throw QueryTextError(
        .parameter, name,
        "no query has it; take it out, or write one of "
          + names.sorted().joined(separator: ", "))
    }
  }

  func has(_ name: String) -> Bool { pairs.contains { $0.name == name } }

  /// All values of a name that may repeat, in their order; nil for one without `=`.
  func all(_ name: String) -> [String?] {
    // Most are absent.
    has(name) ? pairs.filter { $0.name == name }.map(\.value) : []
  }

  /// The value of a name that may not repeat; nil where it is absent.
  func one(_ name: String) throws(QueryTextError) -> String? {
    guard let first = pairs.firstIndex(where: { $0.name == name }) else { return nil }
    guard let value = pairs[first].value,
      !pairs[(first + 1)...].contains(where: { $0.name == name })
    else {
      let values = all(name)
      throw QueryTextError(
        .parameter, name,
        values.count == 1
          ? "it has no value; write \(name)=…" : "it is given \(values.count) times; give it once")
    }
    return value
  }

  /// The value of a name, as parsed by `read`; nil where it is absent.
  ///
  /// - Parameters:
  ///   - remedy: What to write instead where it cannot be read.
  ///   - code: The code of the error then.
  func one<Value>(
    _ name: String, _ remedy: String, code: String, _ read: (String) -> Value?
  ) throws(QueryTextError) -> Value? {
    guard let text = try one(name) else { return nil }
    guard let value = read(text) else {
      throw QueryTextError(.value, name, "\"\(text)\" cannot be read; \(remedy)", code: code)
    }
    return value
  }
}
