#if Store
  /// Removes secrets from texts that may be web addresses, even malformed ones.
  ///
  /// A password may have a `/`, `?` or `#` that should have been encoded. Parsed by the rules (RFC
  /// 3986 §3), its beginning is then the host or the port, and its rest the path. An `@` after the
  /// host is a sign of this.
  package enum Credentials {
    /// Whether a name and password may continue after the part that was parsed as the authority.
    ///
    /// Not after something that looks like a host, with or without a port:
    /// `http://localhost:8000/pkg@1.2/a.json` is an address.
    static func mayContinue(behind authority: Substring, _ rest: Substring) -> Bool {
      guard rest.contains("@") else { return false }
      return authority.contains("@") || !hasPort(authority) || !isHost(authority)
    }

    /// Whether a text looks like a host, optionally with a port: a name with a dot, an address in
    /// brackets, or this machine.
    private static func isHost(_ authority: Substring) -> Bool {
      if authority.first == "[" { return true }
      let host = authority.prefix { $0 != ":" }
      return (host.contains(".") || host.lowercased() == "localhost")
        && host.allSatisfy {
          $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-")
        }
    }

    /// Whether the text after the host's colon is a port, or there is no colon.
    private static func hasPort(_ authority: Substring) -> Bool {
      let afterBrackets = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority
      guard let colon = afterBrackets.firstIndex(of: ":") else { return true }
      let port = afterBrackets[afterBrackets.index(after: colon)...]
      return port.count <= 5 && port.allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// A text that is an address or nearly one, without name, password, the values of its query and
    /// possible parts of them.
    package static func hidden(in text: String) -> String {
      guard let slashes = text.firstRange(of: "//") else {
        // Such as `https:me:secret@host`.
        return text.contains("@") ? "…" : withoutQuery(text[...])
      }
      let start = text[..<slashes.upperBound]
      let rest = text[slashes.upperBound...]
      let authority = rest.prefix { !"/?#".contains($0) }
      let tail = rest[authority.endIndex...]
      guard tail.contains("@") else {
        let shown =
          authority.lastIndex(of: "@").map { "…" + authority[$0...] }
          ?? (hasPort(authority) ? String(authority) : "…")
        return start + shown + withoutQuery(tail)
      }
      // After a host the rest may be a query's value, or a path; a colon may belong to a password.
      return start + (isHost(authority) && !authority.contains(":") ? authority : "…") + "/…"
    }

    /// A message without secrets in its addresses.
    ///
    /// User input gets into messages in many ways: as the name of a missing file, or in the
    /// parser's error about an extra argument.
    package static func hidden(inSentence text: String) -> String {
      guard text.contains("@") else { return text }
      var result = ""
      var rest = text[...]
      while let mark = rest.firstRange(of: "://") {
        let scheme = rest[..<mark.lowerBound].reversed().prefix { $0.isASCII && $0.isLetter }.count
        let start = rest.index(mark.lowerBound, offsetBy: -scheme)
        let end = rest[mark.upperBound...].firstIndex(where: \.isWhitespace) ?? rest.endIndex
        let authority = rest[mark.upperBound..<end].prefix { !"/?#".contains($0) }
        let isSecret =
          !authority.hasPrefix("…")
          && (authority.contains("@")
            || mayContinue(behind: authority, rest[authority.endIndex..<end]))
        let address = String(rest[start..<end])
        result += rest[..<start] + (isSecret ? hidden(in: address) : address)
        rest = rest[end...]
      }
      return result + rest
    }

    private static func withoutQuery(_ text: Substring) -> String {
      let shown = text.prefix { $0 != "#" && $0 != "?" }
      return shown + (text[shown.endIndex...].first == "?" ? "?…" : "")
    }
  }
#endif
