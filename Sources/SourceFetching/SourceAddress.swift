#if Store
  import Geodesy
  import MapAnnotations
  import SystemCalls

  /// The address of a source: a file, or on the web.
  public enum SourceAddress: Hashable, Sendable {
    /// A file by its path.
    case file(String)
    /// HTTP or HTTPS.
    case web(WebAddress)

    /// Parses user input: `http://…` and `https://…` are web addresses, `file://` (percent-encoded) and anything else is
    /// a file.
    ///
    /// - Throws: `FetchError` with the code `bad-address` for an invalid web address, and for other
    ///   schemes such as `ftp://`.
    public init(_ text: String) throws(FetchError) {
      let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
      switch scheme {
      case "http", "https": self = .web(try WebAddress(text))
      case "file":
        let path = text.dropFirst("file://".count)
        let isLocal = path.lowercased().hasPrefix("localhost/")
        let local = isLocal ? path.dropFirst("localhost".count) : path
        self = .file(
          percentDecoded(local.utf8).flatMap { $0.utf8.contains(0) ? nil : $0 } ?? String(local))
      case let scheme?
      where !scheme.isEmpty && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }:
        throw FetchError(
          Credentials.hidden(in: text),
          .badAddress("\(scheme): is not fetched; give a file, http:// or https://"))
      default:
        let start = text.lowercased()
        guard !start.hasPrefix("http:"), !start.hasPrefix("https:") else {
          throw FetchError(
            Credentials.hidden(in: text),
            .badAddress("two slashes are missing; write http:// or https://"))
        }
        self = .file(text)
      }
    }
  }

  extension SourceAddress {
    /// The SHA-256 digest of the whole address, for a file with its folder; it identifies the address without revealing
    /// its secrets.
    ///
    /// The signature of a link, which is another each time, does not count.
    public var digest: String {
      switch self {
      case .file(let path) where path.utf8.first == UInt8(ascii: "/"): Self.digest("file " + path)
      case .file(let path): Self.digest("file " + FilePath(".").resolved.text + "/" + path)
      case .web(let address): Self.digest("web " + address.unsignedText)
      }
    }

    /// Whether a digest is of this address; earlier versions left out the folder of a file.
    package func hasDigest(_ digest: String) -> Bool {
      if digest == self.digest { return true }
      guard case .file(let path) = self else { return false }
      return digest == Self.digest("file " + path)
    }

    private static func digest(_ text: String) -> String {
      var digest = ContentDigest()
      Array(text.utf8).withUnsafeBytes { digest.update($0) }
      return digest.hexadecimal()
    }
  }

  extension WebAddress {
    /// The address without what is signed anew for each link to it (S3, CloudFront, Google, Azure).
    fileprivate var unsignedText: String {
      let members = (query ?? "").split(separator: "&", omittingEmptySubsequences: false)
      let names = members.map { $0.prefix { $0 != "=" }.lowercased() }
      guard
        names.contains(where: { $0 == "sig" || $0 == "signature" || $0.hasSuffix("-signature") })
      else { return text }
      let kept = zip(members, names).filter { _, name in
        !name.hasPrefix("x-amz-") && !name.hasPrefix("x-goog-")
          && !WebAddress.signatureMembers.contains(name)
      }
      let bare = text.prefix { $0 != "?" }
      return kept.isEmpty ? String(bare) : bare + "?" + kept.map { $0.0 }.joined(separator: "&")
    }

    private static let signatureMembers: Set = [
      "sig", "signature", "expires", "policy", "awsaccesskeyid", "st", "se", "skt", "ske",
    ]
  }

  extension SourceAddress: CustomStringConvertible {
    /// The address for messages, without secrets.
    public var description: String {
      switch self {
      case .file(let path): path
      case .web(let address): address.description
      }
    }
  }
#endif
