#if Server
  import HTTPTypes
  import Hummingbird
  import HummingbirdCore
  import Logging
  import MapAnnotations
  import NIOCore
  import NIOHTTPTypes
  import NIOPosix
  import ServiceLifecycle

  /// Serves a service on a socket, by Hummingbird.
  public struct HummingbirdServer: Sendable {
    let service: NearbyService
    let host: String
    let port: Int
    private let logger: Logger

    /// A server, which begins with `run`.
    ///
    /// - Parameters:
    ///   - service: What answers.
    ///   - host: The address to listen at.
    ///   - port: The port to listen at; 0 for any that is free.
    ///   - logsRequests: Whether each request is logged, and not only what goes wrong.
    public init(_ service: NearbyService, host: String, port: Int, logsRequests: Bool) {
      self.service = service
      self.host = host
      self.port = port
      logger = Logger(label: "nearby") { _ in ServerLog(logLevel: logsRequests ? .info : .notice) }
    }

    /// Serves until a signal ends the process, and then ends what has begun.
    ///
    /// - Parameters:
    ///   - onStart: Called with the port when requests are taken.
    ///   - eachSecond: What is to be done now and then beside; it logs by the closure it is given.
    public func run(
      onStart: @escaping @Sendable (Int) -> Void,
      eachSecond: @escaping @Sendable (_ log: (String, [String: String]) -> Void) -> Void
    ) async throws {
      let limits = service.limits
      let logger = logger
      let patience = limits.patience
      let configuration = HTTP1Channel.Configuration(
        additionalChannelHandlers: [PatienceHandler(seconds: patience)],
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.headerLength, maxHeaderListSize: limits.headerLength,
          maxHeaderFieldCount: 100))
      let app = Application(
        responder: ServiceResponder(service: service),
        server: HTTPServerBuilder { responder in
          LoopChannel(HTTP1Channel(responder: responder, configuration: configuration))
        },
        configuration: ApplicationConfiguration(
          address: .hostname(host, port: port), serverName: "nearby", backlog: 1_024,
          availableConnectionsDelegate: .maximum(limits.connections, logger: logger)),
        services: [
          Ticker(service: service) {
            eachSecond { message, details in
              logger.notice(
                "\(message)", metadata: details.mapValues { .string($0) })
            }
          }
        ],
        onServerRunning: { channel in onStart(channel.localAddress?.port ?? port) },
        logger: logger)
      try await app.runService()
    }
  }

  /// Requests and answers as Hummingbird has them, and the other way round.
  private struct ServiceResponder: HTTPResponder {
    let service: NearbyService

    func respond(to request: Request, context: ServerContext) async throws -> Response {
      var headers: [String: String] = [:]
      for field in request.headers {
        let name = field.name.canonicalName
        headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
      }
      if let authority = request.head.authority { headers["host"] = authority }
      var asked = ServerRequest(
        request.method.rawValue, request.uri.string, headers: headers, client: context.client)
      if request.method != .get, request.method != .head {
        for try await buffer in request.body {
          asked.body += buffer.readableBytesView
          // One byte more than it takes is enough to refuse it.
          if asked.body.count > service.limits.bodyLength { break }
        }
      }
      let start = ContinuousClock.now
      // What may take longer than a few sockets can wait for is done by threads of its own.
      let answer =
        service.isQuick(asked)
        ? service.answer(asked)
        : try await NIOThreadPool.singleton.runIfActive { [service, asked] in
          service.answer(asked)
        }
      context.logger.info(
        "request",
        metadata: [
          "method": "\(asked.method)", "path": "\(asked.path)", "status": "\(answer.status)",
          "client": "\(context.client)", "took": "\(ContinuousClock.now - start)",
        ])
      var fields = HTTPFields()
      fields.reserveCapacity(answer.headers.count + 3)
      for (name, value) in answer.headers {
        guard let name = ServiceResponder.names[name] ?? HTTPField.Name(name) else { continue }
        fields.append(HTTPField(name: name, value: value))
      }
      let status = HTTPResponse.Status(code: answer.status)
      switch answer.body {
      case .bytes(let bytes):
        let hasBody = !bytes.isEmpty
        return Response(
          status: status, headers: fields,
          body: hasBody ? ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)) : ResponseBody())
      case .events(let stream):
        return Response(
          status: status, headers: fields, body: ServiceResponder.body(of: stream))
      }
    }

    /// Those of every answer, read once.
    private static let names: [String: HTTPField.Name] = Dictionary(
      uniqueKeysWithValues: [
        "etag", "cache-control", "x-nearby-version", "content-type", "vary",
        "access-control-allow-origin", "access-control-expose-headers", "x-content-type-options",
      ].compactMap { name in HTTPField.Name(name).map { (name, $0) } })

    private static func body(of stream: EventStream) -> ResponseBody {
      ResponseBody { writer in
        defer { stream.cancel() }
        try await withTaskCancellationHandler {
          try await withGracefulShutdownHandler {
            while let bytes = stream.waiting() {
              if bytes.isEmpty {
                await stream.wait()
              } else {
                try await writer.write(ByteBuffer(bytes: bytes))
              }
            }
            try await writer.finish(nil)
          } onGracefulShutdown: {
            stream.end()
          }
        } onCancel: {
          stream.cancel()
        }
      }
    }
  }

  /// A connection whose tasks run where its bytes are read: no request goes to another thread and back, unless
  /// its answer takes long.
  private struct LoopChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    private let channel: HTTP1Channel

    init(_ channel: HTTP1Channel) { self.channel = channel }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
      self.channel.setup(channel: channel, logger: logger)
    }

    func handle(value: Value, logger: Logger) async {
      await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
        await channel.handle(value: value, logger: logger)
      }
    }
  }

  /// Runs tasks on an event loop.
  private final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  /// A request's context with the address it comes from.
  private struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let client: String

    init(source: ApplicationRequestContextSource) {
      coreContext = .init(source: source)
      client = source.channel.remoteAddress?.ipAddress ?? ""
    }
  }

  /// Does what is to be done each second, until the server ends.
  private struct Ticker: Service {
    let service: NearbyService
    let eachSecond: @Sendable () -> Void

    func run() async throws {
      var second = 0
      while !Task.isShuttingDownGracefully {
        do {
          try await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }
        } catch { break }
        second += 1
        service.advance()
        if second.isMultiple(of: 15) { service.beat() }
        // It may read a file, which takes longer than others can wait.
        try await NIOThreadPool.singleton.runIfActive { [eachSecond] in eachSecond() }
      }
    }
  }

  /// Closes connections whose requests do not come to an end in time, however few bytes keep coming, and
  /// those that do not take their answers.
  private final class PatienceHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let patience: TimeAmount
    /// By when a request is to be whole; nil while one is being answered.
    private var deadline: NIODeadline?
    /// Looks whether it is.
    private var reading: Scheduled<Void>?
    /// Until what is written has gone.
    private var writing: Scheduled<Void>?

    init(seconds: Int) { patience = .seconds(Int64(seconds)) }

    func handlerAdded(context: ChannelHandlerContext) {
      waitForRequest()
      look(context.channel, after: patience)
    }

    /// Looks now and then: a task for each request would take longer than many an answer.
    private func look(_ channel: any Channel, after time: TimeAmount) {
      reading = channel.eventLoop.assumeIsolated().scheduleTask(in: time) {
        let left = (self.deadline ?? .now() + self.patience) - .now()
        guard left > .zero else { return channel.close(promise: nil) }
        self.look(channel, after: left)
      }
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    func channelInactive(context: ChannelHandlerContext) {
      stop()
      context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if case .end = unwrapInboundIn(data) { deadline = nil }
      context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if case .end = unwrapOutboundIn(data) { waitForRequest() }
      context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      writing?.cancel()
      writing = context.channel.isWritable ? nil : close(context)
      context.fireChannelWritabilityChanged()
    }

    private func waitForRequest() { deadline = .now() + patience }

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
#endif
