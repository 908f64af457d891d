#if Store
  import Geodesy

  /// A parsed HTTP or HTTPS address (RFC 3986).
  ///
  /// For messages, `description` omits the password and the values of the query.
  public struct WebAddress: Hashable, Sendable {
    /// Whether the connection is encrypted.
    public let isSecure: Bool
    /// The name and password before the last `@`, with others as `%40`; nil if there are none.
    public let userInformation: String?
    /// The host, in lower case; an IPv6 address with its brackets.
    public let host: String
    /// The port, if it is written and differs from the scheme's default.
    public let port: Int?
    /// The path, at least `/`, percent-encoded.
    public let path: String
    /// The query after the `?`, percent-encoded; nil if there is none.
    public let query: String?

    /// Parses an address.
    ///
    /// A fragment is dropped. Letters beyond ASCII and spaces in the path and the query are percent-encoded; in the
    /// host they are refused. Also refused is a name or password with an unencoded `/`, `?` or `#`: its rest would be
    /// read as the path, and its beginning as the host.
    ///
    /// - Throws: `FetchError` with the code `bad-address`.
    public init(_ text: String) throws(FetchError) {
      func refused(_ why: String) -> FetchError {
        FetchError(Credentials.hidden(in: text), .badAddress(why))
      }
      // By scalars, as the transport reads the bytes: it must not find another host.
      let scalars = text.unicodeScalars
      let lower = String(scalars.prefix(8)).lowercased()
      let isSecure = lower == "https://"
      guard isSecure || lower.hasPrefix("http://") else {
        throw refused("it is neither http:// nor https://")
      }
      let rest = scalars.dropFirst(isSecure ? 8 : 7)
      let authority = Credentials.authority(of: rest)
      guard !Credentials.mayContinue(behind: authority, rest[authority.endIndex...]) else {
        throw refused(
          "there is an @ behind the host; in a name or password write / as %2F, ? as %3F and # as "
            + "%23, and an @ behind the host as %40")
      }
      let at = authority.lastIndex(of: "@")
      // libcurl refuses a second one.
      userInformation = at.map {
        authority[..<$0].split(separator: "@", omittingEmptySubsequences: false)
          .map { String($0) }.joined(separator: "%40")
      }
      let place = at.map { authority[authority.index(after: $0)...] } ?? authority
      let isBracketed = place.first == "["
      let hostEnd =
        isBracketed
        ? place.firstIndex(of: "]").map { place.index(after: $0) } : place.firstIndex(of: ":")
      let host = String(place[..<(hostEnd ?? place.endIndex)]).lowercased()
      let allowed = isBracketed ? "[]:." : "-._~"
      guard !host.isEmpty, !isBracketed || hostEnd != nil,
        host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || allowed.contains($0) })
      else {
        throw refused("\"\(host)\" is not a host; write a name in ASCII (xn--…) or an IP address")
      }
      self.host = host
      let portText = hostEnd.map { String(place[$0...].dropFirst()) } ?? ""
      if portText.isEmpty {
        port = nil
      } else {
        guard let port = Int(portText), (1...65535).contains(port) else {
          // Not shown, because it may be a password.
          throw refused("what follows the host's colon is not a port; write 1 to 65535")
        }
        self.port = port == (isSecure ? 443 : 80) ? nil : port
      }
      self.isSecure = isSecure
      let tail = rest[authority.endIndex...].prefix { $0 != "#" }
      let path = tail.prefix { $0 != "?" }
      self.path = WebAddress.withoutDots(WebAddress.encoded(Substring(path)))
      query =
        path.endIndex == tail.endIndex
        ? nil : WebAddress.encoded(Substring(tail[path.endIndex...].dropFirst()))
    }

    /// The address of a relative reference in its content or a `Location` header (RFC 3986 §5.2).
    ///
    /// - Throws: `FetchError` with the code `bad-address` if it is not HTTP or HTTPS.
    public func resolving(_ reference: String) throws(FetchError) -> WebAddress {
      let scheme = reference.prefix {
        $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
      }
      if !scheme.isEmpty, reference[scheme.endIndex...].first == ":" {
        return try WebAddress(reference)
      }
      if reference.hasPrefix("//") {
        return try WebAddress((isSecure ? "https:" : "http:") + reference)
      }
      let whole = reference.prefix { $0 != "#" }
      let written = whole.prefix { $0 != "?" }
      let query =
        whole[written.endIndex...].first == "?"
        ? WebAddress.encoded(whole[written.endIndex...].dropFirst()) : nil
      let path: String
      if written.isEmpty {
        return WebAddress(
          copying: self, path: self.path, query: query ?? (whole.isEmpty ? self.query : nil))
      } else if written.hasPrefix("/") {
        path = WebAddress.encoded(written)
      } else {
        // Everything up to the last slash, followed by the reference.
        let folder = self.path[...(self.path.lastIndex(of: "/") ?? self.path.startIndex)]
        path = folder + WebAddress.encoded(written)
      }
      return WebAddress(copying: self, path: WebAddress.withoutDots(path), query: query)
    }

    private var authority: String {
      (userInformation.map { $0 + "@" } ?? "") + host + (port.map { ":\($0)" } ?? "")
    }

    /// The whole address as sent, including secrets.
    public var text: String {
      (isSecure ? "https://" : "http://") + authority + path + (query.map { "?" + $0 } ?? "")
    }

    /// Whether another address has the same scheme, host and port, and may receive its secrets.
    public func hasSameOrigin(as other: WebAddress) -> Bool {
      (isSecure, host, port) == (other.isSecure, other.host, other.port)
    }

    /// A copy with items added to its query.
    ///
    /// - Parameter items: Names and values, not yet percent-encoded.
    public func adding(query items: [(name: String, value: String)]) -> WebAddress {
      let added = items.map {
        $0.name.percentEncoded(keeping: "-._~") + "=" + $0.value.percentEncoded(keeping: "-._~")
      }.joined(separator: "&")
      let parts = [query, added].compactMap(\.self).filter { !$0.isEmpty }
      return WebAddress(copying: self, path: path, query: parts.joined(separator: "&"))
    }

    /// A copy with a path appended to its own.
    public func adding(path part: String) -> WebAddress {
      let base = path.hasSuffix("/") ? String(path.dropLast()) : path
      return WebAddress(
        copying: self, path: base + "/" + WebAddress.encoded(part[...]), query: query)
    }

    /// This address with the name and password of another one, unless it has its own.
    func keepingUser(of other: WebAddress) -> WebAddress {
      userInformation == nil
        ? WebAddress(copying: self, user: other.userInformation, path: path, query: query) : self
    }

    private init(copying other: WebAddress, user: String? = nil, path: String, query: String?) {
      isSecure = other.isSecure
      userInformation = user ?? other.userInformation
      host = other.host
      port = other.port
      self.path = path
      self.query = query
    }

    // MARK: Text

    /// The path without `.` and `..` (RFC 3986 §5.2.4).
    private static func withoutDots(_ path: String) -> String {
      var kept: [Substring] = []
      let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      for (place, part) in parts.enumerated() {
        let isLast = place == parts.count - 1
        switch part {
        case ".": if isLast { kept.append("") }
        case "..":
          if !kept.isEmpty { kept.removeLast() }
          if isLast { kept.append("") }
        default: kept.append(part)
        }
      }
      return "/" + kept.joined(separator: "/")
    }

    /// A path or query with forbidden characters encoded; existing encoding stays.
    private static func encoded(_ text: Substring) -> String {
      String(text).percentEncoded(keeping: "-._~:/?[]@!$&'()*+,;=%")
    }
  }

  extension WebAddress: CustomStringConvertible {
    /// The address for messages: `https://…@host/path?…`.
    public var description: String { Credentials.hidden(in: text) }
  }
#endif
