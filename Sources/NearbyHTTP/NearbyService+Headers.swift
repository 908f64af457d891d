// Parsing of request headers.

extension NearbyService {
  /// Whether an `Accept-Encoding` header accepts gzip.
  static func takesGzip(_ header: String) -> Bool {
    header.split(separator: ",").contains { part in
      let pieces = part.split(separator: ";").map { $0.trimmed }
      guard let name = pieces.first?.lowercased(), name == "gzip" || name == "*" else {
        return false
      }
      return !pieces.dropFirst().contains {
        $0.hasPrefix("q=0") && !$0.contains(where: { "123456789".contains($0) })
      }
    }
  }

  /// Whether a list of entity tags contains one.
  static func holds(_ header: String?, _ tag: String) -> Bool {
    guard let header else { return false }
    return header.split(separator: ",").contains { part in
      let part = part.trimmed
      return part == "*" || part == tag || part == "W/" + tag
    }
  }
}

extension StringProtocol {
  /// The text without blanks at its ends.
  var trimmed: String {
    var text = self[...]
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}
