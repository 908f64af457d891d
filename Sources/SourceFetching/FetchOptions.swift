#if Store
  import Geodesy
  import MapAnnotations

  /// The limits of a fetch.
  public struct FetchOptions: Sendable {
    /// The longest wait for a connection.
    public var connectTimeout: Duration = .seconds(10)
    /// The longest time for one attempt, from the first byte sent to the last byte received.
    public var totalTimeout: Duration = .seconds(120)
    /// The maximum number of bytes received, and of those unpacked unless `unpackingLimit` says
    /// otherwise.
    public var byteLimit = 1 << 30
    /// The maximum number of bytes when unpacked, also of a file; nil for `byteLimit`.
    public var unpackingLimit: Int?
    /// The maximum number of redirects.
    public var redirectLimit = 5
    /// The maximum number of attempts.
    public var attempts = 4
    /// The wait between attempts, unless the server asks for a longer one.
    public var backOff = BackOff(first: .seconds(1), longest: .seconds(30))
    /// The longest wait that a server may ask for; with a longer one the fetch fails.
    public var longestRetryAfter: Duration = .seconds(120)
    /// Further header fields; sent to the requested address, and not to others it redirects to.
    public var headers: [(name: String, value: String)] = []
    /// The name of the program in requests.
    public var userAgent = "nearby"

    /// Whether a header field can be sent: its name is a token (RFC 9110 §5.6.2), and its value has no control character
    /// but tabs.
    package static func isField(_ name: some StringProtocol, _ value: some StringProtocol) -> Bool {
      !name.isEmpty
        && name.utf8.allSatisfy {
          $0.isASCIIDigit || $0.isASCIILetter || "!#$%&'*+-.^_`|~".utf8.contains($0)
        } && !value.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }
    }

    /// Makes the defaults: ten seconds to connect, two minutes and a gibibyte in all, four attempts.
    public init() {}
  }

  /// The environment of a fetch besides the network: time, waiting, and randomness.
  public struct FetchSurroundings: Sendable {
    /// The current time.
    public var now: @Sendable () -> Instant
    /// Returns after a duration; throws if the task is cancelled meanwhile.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// 64 random bits, uniformly distributed.
    public var random: @Sendable () -> UInt64
    /// Called for each failed attempt that is followed by another, with the wait before that.
    public var willRetry: @Sendable (FetchError, Duration) -> Void

    /// Makes surroundings from functions.
    public init(
      now: @escaping @Sendable () -> Instant,
      sleep: @escaping @Sendable (Duration) async throws -> Void,
      random: @escaping @Sendable () -> UInt64,
      willRetry: @escaping @Sendable (FetchError, Duration) -> Void = { _, _ in }
    ) {
      self.now = now
      self.sleep = sleep
      self.random = random
      self.willRetry = willRetry
    }
  }

  /// The validators of received content, for the next conditional request (RFC 9110 §13.1).
  public struct ContentValidators: Hashable, Sendable {
    /// The `ETag`, with its quotes.
    public var entityTag: String?
    /// The `Last-Modified`, as received.
    public var lastModified: String?

    /// Makes validators.
    public init(entityTag: String? = nil, lastModified: String? = nil) {
      self.entityTag = entityTag
      self.lastModified = lastModified
    }

    /// The validators without a `Last-Modified` in the future, and without an `ETag` that is empty or not in ASCII.
    ///
    /// A server must not send such a date (RFC 9110 §8.8.2.1); with it, newer content would never be found, nor with an
    /// empty tag. A tag beyond ASCII would not be sent back as it came.
    func believable(at now: Instant) -> ContentValidators {
      var believable = self
      if let moment = lastModified.flatMap({ HTTPDateText.moment($0) }), moment > now {
        believable.lastModified = nil
      }
      if let entityTag, entityTag.isEmpty || !entityTag.utf8.allSatisfy({ $0 < 0x80 }) {
        believable.entityTag = nil
      }
      return believable
    }

    /// The version from the validators, preferably the entity tag; nil if there is none.
    public var version: ContentVersion? {
      if let entityTag { return .entityTag(entityTag) }
      return lastModified.flatMap { HTTPDateText.moment($0) }.map { .modified($0) }
    }
  }

  /// A parsed `Content-Type` (RFC 9110 §8.3).
  public struct ContentType: Hashable, Sendable {
    /// The media type, such as `text/csv`, in lower case.
    public let mediaType: String
    /// The charset, such as `euc-kr`, in lower case; nil if not stated.
    public let charset: String?

    /// Parses the field's value.
    public init(_ field: String) {
      let parts = field.split(separator: ";")
      func word(_ text: Substring) -> String {
        trimmed(text) { $0 == " " || $0 == "\t" || $0 == "\"" }.lowercased()
      }
      mediaType = parts.first.map(word) ?? ""
      charset =
        parts.dropFirst().lazy.compactMap { part in
          guard let equals = part.firstIndex(of: "="), word(part[..<equals]) == "charset" else {
            return nil
          }
          return word(part[part.index(after: equals)...])
        }.first
    }
  }

  /// Fetched content.
  public struct FetchedContent: Sendable {
    /// The content, unpacked.
    public let file: TemporaryFile
    /// The SHA-256 digest of the content, in hexadecimal digits.
    public let digest: String
    /// The validators for the next request; empty for a file.
    public let validators: ContentValidators
    /// The content type from the server; nil if it sent none.
    public let contentType: ContentType?
    /// The final address, without secrets.
    public let address: String
    /// The time of the request.
    public let fetched: Instant
  }

  /// The result of a fetch.
  public enum FetchOutcome: Sendable {
    /// The server says that the content is unchanged; holds its newest validators.
    case unchanged(ContentValidators)
    /// The content, possibly the same as before.
    case content(FetchedContent)
  }
#endif
