#if Server
  import Geodesy
  import Logging
  import MapAnnotations
  import NIOCore
  import NIOHTTP1

  /// Handles a connection before Hummingbird does.
  ///
  /// It answers quick requests itself, on the event loop that read them: without a task and its streams of parts. All
  /// other requests go on to Hummingbird. While one of these is being answered, so do the requests after it, so that
  /// responses keep the order of their requests.
  ///
  /// It closes a connection whose request is not complete in time, even if bytes keep coming, with a 408 if its headers
  /// are there, and one whose client does not read its responses. A connection over the limit gets a 503 and is closed; a
  /// request that cannot be read, a 400 or 431 after the responses to the requests before it. So does one that its
  /// headers alone decide, with what that is, such as a 413: its body is not waited for.
  final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let service: NearbyService
    private let logger: Logger
    /// How long a client may take to read.
    private var patience: TimeAmount
    /// How long it may take to send a request.
    private var requestPatience: TimeAmount
    /// How long a request still may take to come when the server ends, and a client to read why its request is refused.
    private static let lastPatience: TimeAmount = .seconds(1)
    /// How long a client that reads nothing is waited for when the server ends.
    private static let lastReadingPatience: TimeAmount = .seconds(5)
    private let isAllowed: Bool
    private var client = ""
    /// A request to be answered here once it is complete.
    private var quickRequest: ServerRequest?
    /// The number of requests passed on to Hummingbird whose responses have not come back.
    private var openRequests = 0
    /// Makes the last response, after which nothing is read; nil while all requests can be.
    private var refusal: (() -> ServerAnswer)?
    /// Whether the last response is written.
    private var isOver = false
    /// Whether the client speaks HTTP/1.0: each response to it ends with the connection.
    private var isOldClient = false
    /// Whether a response from Hummingbird is being written.
    private var isAnswering = false
    /// Whether a request is being read whose head Hummingbird has.
    private var isReading = false
    /// By when a request must be complete; nil while one is being answered.
    private var deadline: NIODeadline?
    /// Checks the deadline.
    private var reading: Scheduled<Void>?
    /// Closes the connection if written bytes are not sent in time.
    private var writing: Scheduled<Void>?
    /// The last second of which the header `Date` was written, and its text.
    private var date = (second: Int64.min, text: "")

    init(_ service: NearbyService, _ logger: Logger, isAllowed: Bool) {
      self.service = service
      self.logger = logger
      self.isAllowed = isAllowed
      patience = .seconds(Int64(service.limits.patience))
      requestPatience = patience
    }

    func handlerAdded(context: ChannelHandlerContext) {
      client = context.remoteAddress?.ipAddress ?? ""
      waitForRequest()
      look(context, after: requestPatience)
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    func channelInactive(context: ChannelHandlerContext) {
      stop()
      context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if event is ChannelShouldQuiesceEvent {
        service.close()
        patience = min(patience, ConnectionHandler.lastReadingPatience)
        channelWritabilityChanged(context: context)
        if isReading {
          requestPatience = min(requestPatience, ConnectionHandler.lastPatience)
          if deadline != nil { waitForRequest() }
          reading?.cancel()
          look(context, after: requestPatience)
        }
      }
      context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      // What follows it cannot be read either.
      if refusal != nil { return }
      guard let parserError = error as? HTTPParserError else {
        return context.fireErrorCaught(error)
      }
      // Bytes behind the last request of the connection are no request (RFC 9112, 9.6).
      if parserError == .closedConnection { return }
      let reason: String? =
        switch parserError {
        case .headerOverflow: nil
        case .invalidURL:
          "invalid URL; begin it with /, and write blanks and bytes beyond ASCII as %XX"
        default: "\(parserError)"
        }
      refuse(context) { [service] in service.requestRefusal(reason) }
      // Hummingbird waits for the rest of such a request.
      if isReading { context.fireErrorCaught(error) }
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if refusal != nil { return }
      let part = unwrapInboundIn(data)
      guard isAllowed else {
        guard case .head = part else { return }
        return refuse(context) { [service] in service.connectionRefusal() }
      }
      switch part {
      case .head(let head): return take(head, context)
      case .body: break
      case .end:
        if let request = quickRequest { return answerHere(request, context) }
        // If it has been answered already, the next request is waited for.
        if openRequests > 0 { deadline = nil }
        isReading = false
      }
      context.fireChannelRead(data)
    }

    /// Refuses a request by its head, keeps a quick one, and passes the head of any other on.
    private func take(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
      var head = head
      // RFC 9112, 3.2: with no host or with two, a proxy in between may think the request is for another one.
      let hosts = head.headers["host"].count
      if head.version == .http1_1, hosts != 1 {
        return refuse(context) { [service] in
          service.requestRefusal("it has \(hosts) Host headers, not one")
        }
      }
      head.takeHostFromTarget()
      // Hummingbird closes for a header that is just this; it is a list of words in any case (RFC 9110, 7.6.1).
      if !head.isKeepAlive, head.version == .http1_1 {
        head.headers.replaceOrAdd(name: "connection", value: "close")
      }
      let isPatient = head.headers["expect"].contains { $0.lowercased() == "100-continue" }
      if isPatient || head.headers.contains(name: "content-length"),
        let answer = service.headRefusal(
          ServerRequest(
            head.method.rawValue, head.uri, headers: head.headersByName, client: client))
      {
        return refuse(context) { answer }
      }
      // The client waits for this before it sends the body.
      if openRequests == 0, isPatient {
        context.writeAndFlush(
          wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))),
          promise: nil)
      }
      // A client that does not read its responses has to wait, as tasks do.
      if openRequests == 0, context.channel.isWritable, let request = request(head),
        service.isQuick(request)
      {
        quickRequest = request
        return
      }
      openRequests += 1
      isReading = true
      isOldClient = head.version == .http1_0
      context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private func answerHere(_ request: ServerRequest, _ context: ChannelHandlerContext) {
      quickRequest = nil
      let start = ContinuousClock.now
      let answer = service.answer(request)
      write(answer, closes: false, context)
      logger.log(request, answer, since: start)
      waitForRequest()
    }

    /// A request without a body or headers about its connection; nil for any other.
    private func request(_ head: HTTPRequestHead) -> ServerRequest? {
      guard head.method == .GET, head.version == .http1_1, head.uri.utf8.first == UInt8(ascii: "/")
      else { return nil }
      var headers = [String: String](minimumCapacity: 6)
      for (name, value) in head.headers {
        let name = name.lowercased()
        switch name {
        case "connection" where value.lowercased() == "keep-alive": break
        case "connection", "content-length", "expect", "transfer-encoding", "upgrade": return nil
        default: headers.addHeader(name, value)
        }
      }
      return ServerRequest("GET", head.uri, headers: headers, client: client)
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if isOver {
        promise?.succeed()
        return
      }
      switch unwrapOutboundIn(data) {
      case .head(var head):
        isAnswering = true
        guard isOldClient, openRequests == 1 else { break }
        head.version = .http1_0
        head.headers.remove(name: "transfer-encoding")
        head.headers.replaceOrAdd(name: "connection", value: "close")
        return context.write(wrapOutboundOut(.head(head)), promise: promise)
      case .body: break
      case .end:
        isAnswering = false
        openRequests -= 1
        if openRequests == 0 || isReading { waitForRequest() }
        guard isOldClient, openRequests == 0 else {
          context.write(data, promise: promise)
          return refuseInTurn(context)
        }
        context.writeAndFlush(data, promise: promise)
        return context.close(mode: .output, promise: nil)
      }
      context.write(data, promise: promise)
    }

    /// Refuses a request, and everything behind it.
    private func refuse(
      _ context: ChannelHandlerContext, with answer: @escaping () -> ServerAnswer
    ) {
      refusal = answer
      refuseInTurn(context)
    }

    /// Writes the refusal, if there is one, once all requests before have their responses.
    private func refuseInTurn(_ context: ChannelHandlerContext) {
      guard let refusal, !isAnswering else { return }
      // The one that is refused may be open, too: Hummingbird has its head, and perhaps answered that already.
      let before = openRequests - (isReading ? 1 : 0)
      guard before <= 0 else { return }
      isOver = true
      if before == 0 { write(refusal(), closes: true, context) } else { context.flush() }
      // What the client still sends must not keep it from reading the response.
      context.close(mode: .output, promise: nil)
    }

    private func write(_ answer: ServerAnswer, closes: Bool, _ context: ChannelHandlerContext) {
      let bytes = answer.bytes
      var headers = HTTPHeaders()
      headers.reserveCapacity(answer.headers.count + 4)
      for (name, value) in answer.headers { headers.add(name: name, value: value) }
      if answer.status != 204, answer.status != 304 {
        headers.add(name: "content-length", value: String(bytes.count))
      }
      headers.add(name: "server", value: "nearby")
      let second = service.now().seconds
      if second != date.second { date = (second, HTTPDateText.text(Instant(seconds: second))) }
      headers.add(name: "date", value: date.text)
      if closes { headers.add(name: "connection", value: "close") }
      let head = HTTPResponseHead(
        version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      if !bytes.isEmpty {
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
      }
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    // MARK: Patience

    /// Checks the deadline now and then: a timer for each request would take longer than many responses.
    private func look(_ context: ChannelHandlerContext, after time: TimeAmount) {
      reading = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
        let left = (self.deadline ?? .now() + self.requestPatience) - .now()
        guard left > .zero else { return self.giveUp(context) }
        self.look(context, after: left)
      }
    }

    /// Closes the connection, with an answer to a request of which only a part has come.
    private func giveUp(_ context: ChannelHandlerContext) {
      guard isReading, refusal == nil else { return context.channel.close(promise: nil) }
      refuse(context) { [service] in service.delayRefusal() }
      // Hummingbird would take what has come for the whole request.
      context.fireErrorCaught(HTTPParserError.invalidEOFState)
      // Closed at once, it might take the answer from a client that still sends.
      deadline = .now() + ConnectionHandler.lastPatience
      look(context, after: ConnectionHandler.lastPatience)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      writing?.cancel()
      writing = context.channel.isWritable ? nil : close(context)
      context.fireChannelWritabilityChanged()
    }

    private func waitForRequest() { deadline = .now() + requestPatience }

    private func close(_ context: ChannelHandlerContext) -> Scheduled<Void> {
      let channel = context.channel
      return context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }

    private func stop() {
      reading?.cancel()
      writing?.cancel()
      (reading, writing) = (nil, nil)
    }
  }

  extension HTTPRequestHead {
    /// The headers by their names in lowercase.
    fileprivate var headersByName: [String: String] {
      headers.reduce(into: [:]) { $0.addHeader($1.name.lowercased(), $1.value) }
    }

    /// Makes of an absolute target a path, and of its authority the host, whatever the header says (RFC 9112, 3.2.2).
    fileprivate mutating func takeHostFromTarget() {
      guard uri.utf8.first != UInt8(ascii: "/"), let mark = uri.firstRange(of: "://"),
        ["http", "https"].contains(uri[..<mark.lowerBound].lowercased())
      else { return }
      let rest = uri[mark.upperBound...]
      let authority = rest.prefix { $0 != "/" && $0 != "?" }
      let path = rest[authority.endIndex...]
      headers.replaceOrAdd(name: "host", value: String(authority))
      uri = path.hasPrefix("/") ? String(path) : "/" + String(path)
    }
  }
#endif
