#if Store
  import Geodesy
  import MapAnnotations

  /// How patiently a source is fetched, and how much of it.
  public struct FetchOptions: Sendable {
    /// The longest wait for a connection.
    public var connectTimeout: Duration = .seconds(10)
    /// The longest time for one attempt, from the first byte out to the last byte in.
    public var totalTimeout: Duration = .seconds(120)
    /// How many bytes may come, and how many may come out of them when they are packed.
    public var byteLimit = 1 << 30
    /// How many redirects are followed.
    public var redirectLimit = 5
    /// How often a request is tried.
    public var attempts = 4
    /// The wait between attempts, where the server does not ask for a longer one.
    public var backOff = BackOff(first: .seconds(1), longest: .seconds(30))
    /// A server that asks for a longer wait is not waited for.
    public var longestRetryAfter: Duration = .seconds(120)
    /// More header fields; they go to the address that is asked and not to others it redirects to.
    public var headers: [(name: String, value: String)] = []
    /// How the program names itself.
    public var userAgent = "nearby"

    /// Ten seconds to connect, two minutes and a gibibyte in all, four attempts.
    public init() {}
  }

  /// What a fetch needs of the world besides the network: the time, waiting, and chance.
  public struct FetchSurroundings: Sendable {
    /// The present moment.
    public var now: @Sendable () -> Instant
    /// Returns after a time; throws when the task is cancelled meanwhile.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// Any 64 bits, equally likely.
    public var random: @Sendable () -> UInt64
    /// Told of each failed attempt that is followed by another, and of the wait before that.
    public var willRetry: @Sendable (FetchError, Duration) -> Void

    /// Surroundings of one's own.
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

  /// What a server said of the content it sent, to be asked with the next time (RFC 9110 §13.1).
  public struct ContentValidators: Hashable, Sendable {
    /// The `ETag`, with its quotes.
    public var entityTag: String?
    /// The `Last-Modified`, as it was written.
    public var lastModified: String?

    /// Validators as they were received.
    public init(entityTag: String? = nil, lastModified: String? = nil) {
      self.entityTag = entityTag
      self.lastModified = lastModified
    }

    /// The validators without a `Last-Modified` that is yet to come.
    ///
    /// A server may not send one (RFC 9110 §8.8.2.1), and one that does would never seem to have
    /// anything newer.
    func believable(at now: Instant) -> ContentValidators {
      guard let moment = lastModified.flatMap({ HTTPDateText.moment($0) }), moment > now else {
        return self
      }
      return ContentValidators(entityTag: entityTag)
    }

    /// The version that they name, the entity tag first; nil where there is none.
    public var version: ContentVersion? {
      if let entityTag { return .entityTag(entityTag) }
      return lastModified.flatMap { HTTPDateText.moment($0) }.map { .modified($0) }
    }
  }

  /// What a `Content-Type` says (RFC 9110 §8.3).
  public struct ContentType: Hashable, Sendable {
    /// As `text/csv`, in lower case.
    public let mediaType: String
    /// As `euc-kr`, in lower case; nil when it is not stated.
    public let charset: String?

    /// Reads the field's value.
    public init(_ field: String) {
      let parts = field.split(separator: ";")
      func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\"" }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text.lowercased()
      }
      mediaType = parts.first.map(trimmed) ?? ""
      charset =
        parts.dropFirst().lazy.compactMap { part in
          guard let equals = part.firstIndex(of: "="), trimmed(part[..<equals]) == "charset" else {
            return nil
          }
          return trimmed(part[part.index(after: equals)...])
        }.first
    }
  }

  /// Content that was fetched.
  public struct FetchedContent: Sendable {
    /// The content, unpacked.
    public let file: TemporaryFile
    /// The SHA-256 digest of it, in hexadecimal digits.
    public let digest: String
    /// What the server said to ask with the next time; empty for a file.
    public let validators: ContentValidators
    /// What the server said it is; nil when it said nothing.
    public let contentType: ContentType?
    /// Where it came from in the end, without secrets.
    public let address: String
    /// When it was asked for.
    public let fetched: Instant
  }

  /// How a fetch went.
  public enum FetchOutcome: Sendable {
    /// The server says that the content is what it was; the validators are the newest it gave.
    case unchanged(ContentValidators)
    /// Content, and perhaps the same as before.
    case content(FetchedContent)
  }
#endif
