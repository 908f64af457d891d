#if Store
  import CNearbyCurl
  import Geodesy
  import MapAnnotations
  import Synchronization
  import SystemCalls

  /// Sends requests through the system's libcurl, each on its own thread.
  ///
  /// The library is loaded with the first request, so that a program that fetches nothing starts
  /// without its more than thirty libraries. It respects `http_proxy`, `https_proxy` and
  /// `no_proxy`, and trusts the system's certificates.
  public struct CurlTransport: HTTPTransport {
    /// Makes a transport; it keeps no connection between requests.
    public init() {}

    /// Sends a request and passes the response to a receiver, on the request's own thread.
    public func send(
      _ request: HTTPRequest, to receiver: ContentReceiver
    ) async throws(FetchError) {
      let transfer = Transfer(request, receiver)
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          transfer.start { continuation.resume(returning: $0) }
        }
      } onCancel: {
        transfer.cancel()
      }
      transfer.end()
      if let reason = transfer.failure(result) { throw FetchError("\(request.address)", reason) }
    }
  }

  /// A request on its own thread; unchecked, because others read what that writes only once it has ended.
  private final class Transfer: @unchecked Sendable {
    private let request: HTTPRequest
    private let receiver: ContentReceiver
    private let isCancelled = Atomic(false)
    /// Set by the thread after its last write, and loaded by the reader: the continuation already
    /// orders the two, but the thread sanitizer does not see that.
    private let hasEnded = Atomic(false)
    private var completion: ((ccurl_result) -> Void)?
    private var status = 0
    private var fields: [(name: String, value: String)] = []

    init(_ request: HTTPRequest, _ receiver: ContentReceiver) {
      self.request = request
      self.receiver = receiver
    }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Makes the thread's writes visible here.
    func end() { _ = hasEnded.load(ordering: .acquiring) }

    /// Starts the thread, which keeps this object until it has called `completion`.
    func start(_ completion: @escaping (ccurl_result) -> Void) {
      self.completion = completion
      #if canImport(Darwin)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      let context = Unmanaged.passRetained(self).toOpaque()
      let status = pthread_create(
        &thread, nil,
        {
          Transfer.run($0)
          return nil
        }, context)
      guard status == 0 else {
        Unmanaged<Transfer>.fromOpaque(context).release()
        var result = ccurl_result()
        result.outcome = CCURL_OTHER
        return completion(result)
      }
      #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
      #else
        pthread_detach(thread)
      #endif
    }

    /// - Parameter context: The transfer, retained; not optional on every system.
    private static func run(_ context: UnsafeMutableRawPointer?) {
      let transfer = Unmanaged<Transfer>.fromOpaque(context!).takeRetainedValue()
      let result = transfer.perform()
      transfer.hasEnded.store(true, ordering: .releasing)
      transfer.completion?(result)
    }

    private func perform() -> ccurl_result {
      // Header fields that libcurl adds by itself, such as Expect, do not affect a GET.
      // It sends a field without a value only if a semicolon takes the place of the colon.
      let headers = request.headers.map {
        strdup($0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)")
      }
      defer { headers.forEach { free($0) } }
      var result = ccurl_result()
      var pointers = headers.map { UnsafePointer<CChar>($0) }
      request.address.text.withCString { url in
        request.userAgent.withCString { agent in
          pointers.withUnsafeMutableBufferPointer { pointers in
            var call = ccurl_request()
            call.url = url
            call.user_agent = agent
            call.headers = UnsafePointer(pointers.baseAddress)
            call.header_count = pointers.count
            call.connect_timeout_ms = Int(request.connectTimeout.wholeMilliseconds)
            call.total_timeout_ms = Int(request.totalTimeout.wholeMilliseconds)
            call.context = Unmanaged.passUnretained(self).toOpaque()
            call.on_header = { context, bytes, count in
              Transfer.of(context).takeHeader(UnsafeRawBufferPointer(start: bytes, count: count))
                ? 0 : 1
            }
            call.on_body = { context, bytes, count in
              let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
              return Transfer.of(context).receiver.receive(bytes) ? 0 : 1
            }
            call.is_cancelled = { context in
              Transfer.of(context).isCancelled.load(ordering: .relaxed) ? 1 : 0
            }
            ccurl_get(&call, &result)
          }
        }
      }
      return result
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer {
      Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
    }

    /// Receives one line of a head; an empty line ends it.
    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
      let line = String(decoding: bytes.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
      if line.hasPrefix("HTTP/") {
        // The head after an interim one (1xx) starts over.
        status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        fields = []
        return true
      }
      guard line.isEmpty else {
        guard let colon = line.firstIndex(of: ":") else { return true }
        fields.append((String(line[..<colon]), String(line[line.index(after: colon)...])))
        return true
      }
      guard status >= 200 else { return true }
      return receiver.receive(HTTPHead(status: status, headers: fields))
    }

    func failure(_ result: ccurl_result) -> FetchError.Reason? {
      var result = result
      let message = withUnsafeBytes(of: &result.message) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      let why = message.isEmpty ? "libcurl error \(result.code)" : lowercasedStart(of: message)
      switch result.outcome {
      case CCURL_OK: return nil
      case CCURL_NO_LIBRARY: return .noClient
      case CCURL_BAD_ADDRESS: return .badAddress(why)
      case CCURL_UNRESOLVED: return .unresolved(why)
      case CCURL_UNREACHABLE: return .unreachable(why)
      case CCURL_TIMEOUT:
        return result.connected == 0
          ? .connectTimeout(min(request.connectTimeout, request.totalTimeout))
          : .timeout(request.totalTimeout, received: receiver.received)
      case CCURL_TLS: return .tls(why)
      case CCURL_CUT_OFF:
        return .cutOff(received: receiver.received, promised: receiver.head?.contentLength)
      case CCURL_STOPPED where isCancelled.load(ordering: .relaxed): return .cancelled
      case CCURL_PROXY: return .proxy(status: result.status == 0 ? nil : Int(result.status))
      case CCURL_TOO_LONG: return .other("a line in the head of the answer is too long")
      default: return .other(why)
      }
    }

    /// A text with its first letter in lower case, unless its first word is a name, such as `URL` or `OpenSSL/3.0`.
    private func lowercasedStart(of text: String) -> String {
      let word = text.prefix { $0 != " " }
      guard word.dropFirst().first?.isLowercase == true, !word.contains("/") else { return text }
      return text.prefix(1).lowercased() + text.dropFirst()
    }
  }
#endif
