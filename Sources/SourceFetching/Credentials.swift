#if Store
  /// Removes secrets from texts that may be web addresses, even malformed ones.
  ///
  /// A password may have a `/`, `?` or `#` that should have been encoded. Parsed by the rules (RFC
  /// 3986 §3), its beginning is then the host or the port, and its rest the path. An `@` after the
  /// host is a sign of this.
  ///
  /// All is read by scalars: a sign divides an address even if a combining mark follows it.
  package enum Credentials {
    typealias Scalars = Substring.UnicodeScalarView

    /// The authority that begins a text: all up to the first `/`, `?` or `#`.
    static func authority(of text: Scalars) -> Scalars {
      text.prefix { !"/?#".unicodeScalars.contains($0) }
    }

    /// Whether a name and password may continue after the part that was parsed as the authority.
    ///
    /// Not after something that looks like a host, with or without a port:
    /// `http://localhost:8000/pkg@1.2/a.json` is an address.
    static func mayContinue(behind authority: Scalars, _ rest: Scalars) -> Bool {
      guard rest.contains("@") else { return false }
      return authority.contains("@") || !hasPort(authority) || !isHost(authority)
    }

    /// Whether a text looks like a host, optionally with a port: a name with a dot, an address in
    /// brackets, or this machine.
    private static func isHost(_ authority: Scalars) -> Bool {
      if authority.first == "[" { return true }
      let host = authority.prefix { $0 != ":" }
      return (host.contains(".") || String(host).lowercased() == "localhost")
        && host.allSatisfy { isLetterOrDigit($0) || $0 == "." || $0 == "-" }
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar.isASCIIDigit
    }

    /// Whether the text after the host's colon is a port, or there is no colon.
    private static func hasPort(_ authority: Scalars) -> Bool {
      let afterBrackets = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority
      guard let colon = afterBrackets.firstIndex(of: ":") else { return true }
      let port = afterBrackets[afterBrackets.index(after: colon)...]
      return port.count <= 5 && port.allSatisfy(\.isASCIIDigit)
    }

    /// A text that is an address or nearly one, without name, password, the values of its query and
    /// possible parts of them.
    package static func hidden(in text: String) -> String { hidden(in: text.unicodeScalars[...]) }

    private static func hidden(in text: Scalars) -> String {
      guard let slashes = text.firstRange(of: "//".unicodeScalars) else {
        // Such as `https:me:secret@host`.
        return text.contains("@") ? "…" : withoutQuery(text)
      }
      let start = String(text[..<slashes.upperBound])
      let rest = text[slashes.upperBound...]
      let authority = authority(of: rest)
      let tail = rest[authority.endIndex...]
      guard tail.contains("@") else {
        if let at = authority.lastIndex(of: "@") {
          return start + "…" + String(authority[at...]) + withoutQuery(tail)
        }
        // What is no port may be the beginning of a password.
        return start + (hasPort(authority) ? String(authority) + withoutQuery(tail) : "…")
      }
      // After a host the rest may be a query's value, or a path; a colon may belong to a password.
      let isShown = isHost(authority) && !authority.contains(":")
      return start + (isShown ? String(authority) : "…") + "/…"
    }

    /// A message without secrets in its addresses, which may be malformed, cut off or in libpq's form
    /// (`host=db password=secret`).
    ///
    /// User input gets into messages in many ways: as the name of a missing file, or in the
    /// parser's error about an extra argument.
    package static func hidden(inSentence text: String) -> String {
      var rest = withoutPasswords(text).unicodeScalars[...]
      var result = ""
      while !rest.isEmpty {
        let word = rest.prefix { !$0.properties.isWhitespace }
        let space = rest[word.endIndex...].prefix { $0.properties.isWhitespace }
        result += hidden(inWord: word) + String(space)
        rest = rest[space.endIndex...]
      }
      return result
    }

    private static func hidden(inWord word: Scalars) -> String {
      guard let mark = word.firstRange(of: "://".unicodeScalars) else {
        // Such as `postgres:/me:secret@host`.
        guard let at = word.lastIndex(of: "@"), word[..<at].contains(":"),
          !isNumberedID(word[..<at], behind: word[at...].dropFirst()),
          let start = word[..<at].firstIndex(where: { $0 == ":" || $0 == "/" })
        else { return String(word) }
        return String(word[...start]) + "…" + String(word[at...])
      }
      let scheme = word[..<mark.lowerBound].reversed().prefix(while: isLetterOrDigit).count
      let start = word.index(mark.lowerBound, offsetBy: -scheme)
      let authority = authority(of: word[mark.upperBound...])
      // A sign that ends a quotation or a sentence belongs to no port.
      let last = authority.lastIndex { !"\"'.,:;)".unicodeScalars.contains($0) }
      let isSecret =
        authority.first != "…"
        && (authority.contains("@") || last.map { !hasPort(authority[...$0]) } ?? false
          || mayContinue(behind: authority, word[authority.endIndex...]))
      let address = word[start...]
      return String(word[..<start]) + (isSecret ? hidden(in: address) : String(address))
    }

    /// Whether a word is an id with a number, such as `node:1@seoul`, and not a user with a password at a host.
    private static func isNumberedID(_ word: Scalars, behind: Scalars) -> Bool {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].contains("/"), !parts[1].isEmpty,
        parts[1].allSatisfy({ ("0"..."9").contains($0) })
      else { return false }
      // A host has a point, a slash or a colon, and not only where a sentence goes on.
      let last = behind.lastIndex { !".,:;\"'”’」)".unicodeScalars.contains($0) }
      let rest = last.map { behind[...$0] } ?? behind.prefix(0)
      return String(rest) != "localhost"
        && !rest.contains { "./:[".unicodeScalars.contains($0) }
    }

    /// A text without the values behind `password=` and the like, up to white space that is neither quoted nor escaped.
    private static func withoutPasswords(_ text: String) -> String {
      var rest = text.unicodeScalars[...]
      var result = ""
      while let sign = rest.firstIndex(of: "=") {
        let name = rest[..<sign].reversed().drop(while: \.properties.isWhitespace)
          .prefix(while: isLetterOrDigit)
        result += String(rest[...sign])
        rest = rest[rest.index(after: sign)...]
        let keyword = String(String.UnicodeScalarView(name.reversed())).lowercased()
        guard keyword.hasSuffix("password") || keyword.hasSuffix("passwd") else { continue }
        let value = rest.drop(while: \.properties.isWhitespace)
        var isQuoted = false
        var isEscaped = false
        let end = value.firstIndex { scalar in
          if isEscaped {
            isEscaped = false
            return false
          }
          if scalar == "\\" { isEscaped = true }
          if scalar == "'" { isQuoted.toggle() }
          return scalar.properties.isWhitespace && !isQuoted
        }
        result += "…"
        rest = value[(end ?? value.endIndex)...]
      }
      return result + String(rest)
    }

    private static func withoutQuery(_ text: Scalars) -> String {
      let shown = text.prefix { $0 != "#" && $0 != "?" }
      return String(shown) + (text[shown.endIndex...].first == "?" ? "?…" : "")
    }
  }
#endif
