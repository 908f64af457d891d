#if Store
  import Geodesy

  /// One GET request for a transport.
  public struct HTTPRequest: Sendable {
    /// The address, including secrets.
    public var address: WebAddress
    /// Header fields in the order of sending.
    public var headers: [(name: String, value: String)]
    /// The name of the program.
    public var userAgent: String
    /// The longest wait for a connection.
    public var connectTimeout: Duration
    /// The longest total time.
    public var totalTimeout: Duration
  }

  /// The head of a response.
  public struct HTTPHead: Sendable {
    /// The status, 100…599.
    public let status: Int
    /// Header fields with names in lower case, and values without blanks around them (RFC 9110 §5.5).
    public let headers: [(name: String, value: String)]

    /// Makes a head from status and fields.
    public init(status: Int, headers: [(name: String, value: String)]) {
      self.status = status
      self.headers = headers.map { field in
        (field.name.lowercased(), trimmed(field.value))
      }
    }

    /// Whether the requested content follows.
    ///
    /// That is the case for 200 and, from a proxy that changed it, 203 (RFC 9110 §15.3). Other
    /// successes have another meaning: 206 has a requested part; 202 and 204 have no content yet.
    var isContent: Bool { status == 200 || status == 203 }

    /// The announced length of the content; nil if there is none, or a transfer coding, which counts instead (RFC 9112
    /// §6.3).
    var contentLength: Int? {
      self["transfer-encoding"] == nil ? self["content-length"].flatMap(wholeNumber) : nil
    }

    /// The first value of a field; nil if there is none.
    public subscript(name: String) -> String? { headers.first { $0.name == name }?.value }
  }

  /// Sends requests; tests replace the network with their own.
  ///
  /// A transport follows no redirects, decodes no content codings and retries nothing: `SourceFetcher` does.
  public protocol HTTPTransport: Sendable {
    /// Sends a request and passes the response to a receiver, on any thread.
    ///
    /// - Throws: `FetchError` if there is no complete response; `.other` or nothing if the receiver
    ///   ended the transfer, since it knows why.
    func send(_ request: HTTPRequest, to receiver: ContentReceiver) async throws(FetchError)
  }
#endif
