#if Store
  /// One GET request, as a transport sends it.
  public struct HTTPRequest: Sendable {
    /// Where it goes, secrets included.
    public var address: WebAddress
    /// Header fields in the order they are sent.
    public var headers: [(name: String, value: String)]
    /// How the program names itself.
    public var userAgent: String
    /// The longest wait for a connection.
    public var connectTimeout: Duration
    /// The longest time for all of it.
    public var totalTimeout: Duration
  }

  /// The start of an answer.
  public struct HTTPHead: Sendable {
    /// The status, 100…599.
    public let status: Int
    /// Header fields as they came, names in lower case.
    public let headers: [(name: String, value: String)]

    /// An answer's status and fields.
    public init(status: Int, headers: [(name: String, value: String)]) {
      self.status = status
      self.headers = headers.map { ($0.name.lowercased(), $0.value) }
    }

    /// Whether what follows is the content that was asked for.
    ///
    /// That is 200 and, from a proxy that changed it, 203 (RFC 9110 §15.3). Every other success is about
    /// something else: 206 has a part, for those who asked for one; 202 and 204 have none yet.
    var isContent: Bool { status == 200 || status == 203 }

    /// The first value of a field; nil when it is not there.
    public subscript(name: String) -> String? { headers.first { $0.name == name }?.value }
  }

  /// Takes an answer piece by piece.
  public protocol HTTPReceiver: AnyObject {
    /// The head has come; false ends the transfer.
    func receive(_ head: HTTPHead) -> Bool
    /// Bytes of the body have come, as they were sent; false ends the transfer.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
  }

  /// Sends requests; a test puts its own in place of the network.
  ///
  /// It follows no redirect, decodes no content coding and tries nothing twice: `SourceFetcher` does.
  public protocol HTTPTransport: Sendable {
    /// Sends a request and hands the answer to a receiver, on any thread.
    ///
    /// - Throws: `FetchError` when there is no answer or not all of it; `.other` or nothing when the
    ///   receiver ended the transfer, who knows why.
    func send(_ request: HTTPRequest, to receiver: sending any HTTPReceiver)
      async throws(FetchError)
  }
#endif
