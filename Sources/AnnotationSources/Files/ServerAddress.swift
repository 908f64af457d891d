import Geodesy

/// Addresses of servers as people write them.
package enum ServerAddress {
  /// The address of a server, percent-encoded, without slashes at its end, and its scheme in lowercase.
  ///
  /// - Parameters:
  ///   - name: What errors call it.
  ///   - takesQuery: Whether it may have a `?`; otherwise paths are appended to it.
  package static func encoded(
    _ text: String, named name: String, takesQuery: Bool = false
  ) throws(ReportedError) -> String {
    let marks = takesQuery ? "#<>\"" : "?#<>\""
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    let server = parts.last?.prefix { !"/?".contains($0) } ?? ""
    // Behind its name, or the brackets of an IPv6 address.
    let ports = server[(server.lastIndex(of: "]") ?? server.startIndex)...]
      .split(separator: ":", omittingEmptySubsequences: false).dropFirst()
    guard parts.count == 2, case let scheme = parts[0].lowercased(),
      ["http", "https"].contains(scheme), let first = parts[1].first, !"/:?".contains(first),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !marks.utf8.contains($0) }),
      !server.contains("@"), ports.count < 2,
      ports.allSatisfy({ (1...65_535).contains(wholeNumber(String($0)) ?? 0) })
    else {
      let remedy =
        server.contains("@")
        ? "leave out the user and password"
        : "write https://example.org, perhaps with a port and a path, and nothing behind it"
      throw ReportedError(
        "bad-address", "\(name) \"\(text)\" is not the address of a server; \(remedy)",
        fault: .usage)
    }
    let encoded = String(parts[1]).percentEncoded(keeping: "!$%&'()*+,-./:;=?@[]_~")
    var address = "\(scheme)://\(encoded)"
    while address.last == "/" { address.removeLast() }
    return address
  }
}
