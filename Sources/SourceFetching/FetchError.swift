#if Store
  import Geodesy
  import MapAnnotations

  /// An error in fetching a source.
  public struct FetchError: CodedError, Hashable {
    /// The address, without passwords and queries.
    public let address: String
    /// The reason for the error.
    public let reason: Reason
    /// The number of attempts.
    public var attempts = 1

    /// Whether the source is a file, so that no server is to blame.
    private let isFile: Bool

    init(_ address: String, _ reason: Reason, isFile: Bool = false) {
      self.address = address
      self.reason = reason
      self.isFile = isFile
    }

    /// The possible errors of a fetch.
    public enum Reason: Hashable, Sendable {
      /// An address that cannot be fetched.
      case badAddress(String)
      /// A file that does not exist or cannot be read; holds the system's message.
      case file(String, isMissing: Bool)
      /// A temporary file could not be written; holds the system's message.
      case temporaryFile(String)
      /// libcurl is not installed.
      case noClient
      /// The host name is unknown.
      case unresolved(String)
      /// The host refuses the connection.
      case unreachable(String)
      /// No connection within this time.
      case connectTimeout(Duration)
      /// The response was incomplete after this time; holds the number of bytes received.
      case timeout(Duration, received: Int)
      /// The encrypted connection is not trustworthy.
      case tls(String)
      /// The connection ended too early; holds the announced length, if any.
      case cutOff(received: Int, promised: Int?)
      /// The content exceeds the limit, as received or unpacked.
      case tooLarge(limit: Int, unpacked: Bool)
      /// The proxy cannot be used, or it refuses the request with this status.
      case proxy(status: Int?)
      /// An HTTP status that is not a success; `retryAfter` is the wait that the server asks for.
      case status(Int, retryAfter: Duration?)
      /// A response to a conditional or partial request that was not made: 206, a part of the
      /// content, or 304, unchanged, without validators.
      case unasked(Int)
      /// A header field whose name is not a token, or whose value has a line break or another control character.
      case badField
      /// Too many redirects; holds the last address.
      case tooManyRedirects(Int, last: String)
      /// A redirect from https to http; holds its target.
      case downgrade(String)
      /// A redirect without a target, or not to a web address.
      case badRedirect(String)
      /// The gzip of the content is damaged.
      case gzip(String)
      /// A content coding that was not requested.
      case coding(String)
      /// The task was cancelled.
      case cancelled
      /// Any other error of libcurl.
      case other(String)
    }

    /// Whether a retry may help without any change.
    public var isTransient: Bool {
      switch reason {
      case .unresolved, .unreachable, .connectTimeout, .timeout, .cutOff: true
      case .status(let status, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
      case .proxy(let status): status.map { $0 >= 500 } ?? false
      case .badAddress, .badField, .file, .temporaryFile, .noClient, .tls, .tooLarge, .unasked,
        .tooManyRedirects, .downgrade, .badRedirect, .gzip, .coding, .cancelled, .other:
        false
      }
    }

    /// Who must act, as in a program's exit status.
    public enum Blame: Hashable, Sendable {
      /// The user's address is wrong: exit status 64.
      case usage
      /// A file is missing: 66.
      case input
      /// The content of a file is damaged or too large: 65.
      case data
      /// The server failed: 69.
      case upstream
      /// This machine failed: 74.
      case system
    }

    /// Who must act.
    public var blame: Blame {
      switch reason {
      case .badAddress, .badField: .usage
      case .file: .input
      case .gzip, .tooLarge: isFile ? .data : .upstream
      case .temporaryFile, .noClient, .cancelled: .system
      default: .upstream
      }
    }

    /// The code of the error, for programs.
    public var code: String {
      switch reason {
      case .badAddress: "bad-address"
      case .file(_, let isMissing): isMissing ? "no-such-file" : "file-unreadable"
      case .temporaryFile: "write-failed"
      case .noClient: "fetch-no-client"
      case .unresolved: "fetch-unresolved"
      case .unreachable: "fetch-unreachable"
      case .connectTimeout, .timeout: "fetch-timeout"
      case .tls: "fetch-tls"
      case .cutOff: "fetch-cut-off"
      case .tooLarge: "fetch-too-large"
      case .proxy: "fetch-proxy"
      case .status: "fetch-status"
      case .unasked: "fetch-unasked"
      case .badField: "bad-header"
      case .tooManyRedirects, .badRedirect: "fetch-redirect"
      case .downgrade: "fetch-downgrade"
      case .gzip: "gzip-damaged"
      case .coding: "fetch-coding"
      case .cancelled: "cancelled"
      case .other: "fetch-failed"
      }
    }

    /// The address, what is wrong and what to do.
    public var description: String {
      let tries = attempts > 1 ? " (\(attempts) tries)" : ""
      return "\(address): \(message)\(tries)"
    }

    private var message: String {
      switch reason {
      case .badAddress(let why): why
      case .file(let why, let isMissing):
        "\(why); \(isMissing ? "correct the path" : "give a file that can be read")"
      case .temporaryFile(let why): "no temporary file: \(why); set TMPDIR to a folder with room"
      case .noClient: "libcurl is not installed; install it (Debian: libcurl4)"
      case .unresolved(let why): "\(why); check the name and the network"
      case .unreachable(let why): "\(why); check that the server runs"
      case .connectTimeout(let time):
        "no connection in \(FetchError.text(time)); try later or allow more time"
      case .timeout(let time, let received):
        "not complete after \(FetchError.text(time)), \(grouped(received)) bytes came; "
          + "try later or allow more time"
      case .tls(let why): "no trustworthy connection: \(why); check the certificate"
      case .cutOff(let received, let promised):
        "cut off after \(grouped(received)) bytes"
          + (promised.map { " of \(grouped($0))" } ?? "") + "; try again"
      case .tooLarge(let limit, let unpacked):
        "more than \(grouped(limit)) bytes\(unpacked ? " when unpacked" : ""); raise the limit "
          + "(`\(unpacked ? "unpackingLimit" : "byteLimit")`) if that is right"
      case .proxy(nil): "the proxy cannot be used; check http_proxy and https_proxy"
      case .proxy(let status?):
        "the proxy answers \(status); "
          + (status == 407
            ? "check https_proxy (http_proxy) and its password"
            : status < 500 ? "check https_proxy and http_proxy" : "try later")
      case .status(let status, let after):
        "the server answers \(status)\(FetchError.words(of: status)); "
          + (after.map { "it asks to try again in \($0.roughText)" }
            ?? FetchError.remedy(for: status))
      case .unasked(206):
        "the server sends only a part of the content (206), which was not requested; try later, or "
          + "fetch it with a browser and import the file"
      case .unasked(let status):
        "the server answers \(status) (not modified), but there is nothing here that it could be "
          + "compared with; try later, or fetch it with a browser and import the file"
      case .badField:
        "its name has a sign that is not allowed there, such as a space, or it holds a line break "
          + "or another control character; leave that out"
      case .tooManyRedirects(let limit, let last):
        "more than \(limit) redirects, the last to \(last); give the final address"
      case .downgrade(let target):
        "redirected from https to \(target), which is not encrypted; give that address if you trust it"
      case .badRedirect(let why): "redirected, but \(why); give the final address"
      case .gzip(let why):
        "the gzip packing is damaged (\(why)); " + (isFile ? "replace the file" : "fetch it again")
      case .coding(let coding):
        "the content comes coded as \(coding); ask the server for gzip or none"
      case .cancelled: "cancelled; run again to continue"
      case .other(let why): "\(why); try again"
      }
    }

    private static func text(_ time: Duration) -> String {
      let milliseconds = time.wholeMilliseconds
      // What is left after redirects is rarely whole seconds.
      return milliseconds < 10_000 && milliseconds % 1000 != 0
        ? "\(milliseconds) ms" : "\((milliseconds + 500) / 1000) s"
    }

    private static func words(of status: Int) -> String {
      switch status {
      case 401: " (not authorized)"
      case 403: " (forbidden)"
      case 404: " (not found)"
      case 410: " (gone)"
      case 429: " (too many requests)"
      case 500: " (its own error)"
      case 502, 503, 504: " (not available)"
      default: ""
      }
    }

    private static func remedy(for status: Int) -> String {
      switch status {
      case 401, 403: "check the access that the address needs"
      case 404, 410: "check the address"
      case 400..<500 where status != 429 && status != 408: "check the address and its query"
      default: "try later"
      }
    }
  }
#endif
