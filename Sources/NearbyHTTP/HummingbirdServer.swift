#if Server
  import BusinessHours
  import GeoJSONCoding
  import Geodesy
  import HTTPTypes
  import Hummingbird
  import HummingbirdCore
  import Logging
  import MapAnnotations
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import ServiceLifecycle
  import SystemCalls

  /// Serves a service on a socket, with Hummingbird.
  public struct HummingbirdServer: Sendable {
    let service: NearbyService
    let host: String
    let port: Int
    private let logger: Logger

    /// A server, which starts with `run`.
    ///
    /// - Parameters:
    ///   - service: The service that answers requests.
    ///   - host: The address to listen on.
    ///   - port: The port to listen on; 0 for any that is free.
    ///   - logsRequests: Whether each request is logged, and not only errors.
    public init(_ service: NearbyService, host: String, port: Int, logsRequests: Bool) {
      self.service = service
      self.host = host
      self.port = port
      logger = Logger(label: "nearby") { _ in ServerLog(logLevel: logsRequests ? .info : .notice) }
    }

    /// Serves until a signal ends the process, then finishes the work in progress.
    ///
    /// - Parameters:
    ///   - onStart: Called with the port once requests are accepted.
    ///   - eachSecond: Called about once a second; it logs with the closure that it is given.
    /// - Throws: Why it cannot listen there, and errors while it serves.
    public func run(
      onStart: @escaping @Sendable (Int) -> Void,
      eachSecond: @escaping @Sendable (_ log: (String, [String: String]) -> Void) -> Void
    ) async throws {
      let (service, logger) = (service, logger)
      let limits = service.limits
      let connections = Connections()
      let configuration = HTTP1Channel.Configuration(
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.headerLength, maxHeaderListSize: limits.headerLength,
          maxHeaderFieldCount: limits.headerCount))
      let app = Application(
        responder: ServiceResponder(service: service),
        server: HTTPServerBuilder { responder in
          LoopChannel(
            channel: HTTP1Channel(responder: responder, configuration: configuration),
            service: service, connections: connections, logger: logger)
        },
        configuration: ApplicationConfiguration(
          address: .hostname(host, port: port), serverName: "nearby", backlog: 1_024,
          // Clients over the limit get a 503; to send it, some more connections are accepted.
          availableConnectionsDelegate: .maximum(
            limits.connections + Connections.toldAtOnce, logger: logger)),
        services: [
          Ticker(service: service) {
            eachSecond { message, details in
              logger.notice("\(message)", metadata: details.mapValues { .string($0) })
            }
          }
        ],
        onServerRunning: { channel in onStart(channel.localAddress?.port ?? port) },
        logger: logger)
      do {
        try await app.runService()
      } catch let error as IOError {
        throw ListeningError(description: systemMessage(error.errnoCode))
      } catch let error as SocketAddressError.UnknownHost {
        throw ListeningError(description: error.errorDescription.lowercased())
      }
    }

    /// Why the server cannot listen, in the system's words: NIO's name its own functions, too.
    private struct ListeningError: Error, CustomStringConvertible { let description: String }
  }

  /// Converts Hummingbird's requests to those of the service, and its responses back.
  private struct ServiceResponder: HTTPResponder {
    let service: NearbyService

    func respond(to request: Request, context: ServerContext) async throws -> Response {
      var headers: [String: String] = [:]
      for field in request.headers { headers.addHeader(field.name.canonicalName, field.value) }
      if let authority = request.head.authority { headers["host"] = authority }
      var asked = ServerRequest(
        request.method.rawValue, request.uri.string, headers: headers, client: context.client)
      if request.method != .get, request.method != .head {
        for try await buffer in request.body {
          asked.body += buffer.readableBytesView
          // One byte over the limit is enough to reject it.
          if asked.body.count > service.limits.bodyLength { break }
        }
      }
      let start = ContinuousClock.now
      // Work that would keep other sockets waiting too long runs on separate threads.
      let threads = asked.writes ? NIOThreadPool.waiting : .singleton
      let answer = try await service.answer(asked) { work in try await threads.runIfActive(work) }
      context.logger.log(asked, answer, since: start)
      var fields = HTTPFields()
      fields.reserveCapacity(answer.headers.count + 3)
      for (name, value) in answer.headers {
        guard let name = ServiceResponder.names[name] ?? HTTPField.Name(name) else { continue }
        fields.append(HTTPField(name: name, value: value))
      }
      let body =
        switch answer.body {
        case .bytes(let bytes) where bytes.isEmpty: ResponseBody()
        case .bytes(let bytes): ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        case .events(let stream): ServiceResponder.body(of: stream)
        }
      return Response(
        status: HTTPResponse.Status(code: answer.status), headers: fields, body: body)
    }

    /// The header names of every response, parsed once.
    private static let names: [String: HTTPField.Name] = Dictionary(
      uniqueKeysWithValues: [
        "etag", "cache-control", "x-nearby-version", "content-crs", "content-type", "vary",
        "access-control-allow-origin", "access-control-expose-headers", "x-content-type-options",
      ].compactMap { name in HTTPField.Name(name).map { (name, $0) } })

    private static func body(of stream: EventStream) -> ResponseBody {
      let listening = Listening(stream)
      return ResponseBody { writer in
        let stream = listening.stream
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

  extension NIOThreadPool {
    /// The threads of what waits for its turn, for other programs and for sources: no reader waits for them.
    fileprivate static let waiting = {
      let threads = NIOThreadPool(numberOfThreads: 2)
      threads.start()
      return threads
    }()
  }

  /// Ends a stream with the response that it is for, even if nothing of that is ever written.
  private final class Listening: Sendable {
    let stream: EventStream
    init(_ stream: EventStream) { self.stream = stream }
    deinit { stream.cancel() }
  }

  /// Counts the open connections.
  private final class Connections: Sendable {
    private let count = SharedValue(0)
    /// How many connections over the limit may be open, to be told that there are too many.
    static let toldAtOnce = 256

    /// Counts a connection until it closes; returns whether it is within the limit.
    func open(_ channel: any Channel, limit: Int) -> Bool {
      channel.closeFuture.whenComplete { [self] _ in count.withLock { $0 -= 1 } }
      return count.withLock { count in
        count += 1
        return count <= limit
      }
    }
  }

  /// A connection whose tasks run on the event loop that reads its bytes: no request goes to another thread and back,
  /// unless its response takes long.
  private struct LoopChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let channel: HTTP1Channel
    let service: NearbyService
    let connections: Connections
    let logger: Logger

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
      let isAllowed = connections.open(channel, limit: service.limits.connections)
      return self.channel.setup(channel: channel, logger: logger).map { value in
        let pipeline = channel.pipeline.syncOperations
        do {
          let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
          try pipeline.addHandler(
            ConnectionHandler(service, self.logger, isAllowed: isAllowed), position: .after(decoder)
          )
        } catch {
          // An unhandled value would end the program: a connection that cannot be set up is closed instead.
          self.logger.error("a connection cannot be set up: \(error)")
          channel.close(promise: nil)
        }
        return value
      }
    }

    func handle(value: Value, logger: Logger) async {
      await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
        await channel.handle(value: value, logger: logger)
      }
    }
  }

  /// Runs tasks on an event loop.
  final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  /// A request's context, with the client's address.
  private struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let client: String

    init(source: ApplicationRequestContextSource) {
      coreContext = .init(source: source)
      client = source.channel.remoteAddress?.ipAddress ?? ""
    }
  }

  /// Does the work of each second until the server ends.
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
        // This may read a file, which takes longer than other requests can wait.
        try await NIOThreadPool.waiting.runIfActive { [eachSecond] in eachSecond() }
      }
    }
  }

  extension Logger {
    /// Logs a request, if requests are logged.
    func log(
      _ request: ServerRequest, _ answer: ServerAnswer, since start: ContinuousClock.Instant
    ) {
      info(
        "request",
        metadata: [
          "method": "\(request.method)", "path": "\(request.path)", "status": "\(answer.status)",
          "client": "\(request.client)", "took": "\(ContinuousClock.now - start)",
        ])
    }
  }

  /// Logs to standard error, with one JSON object per line.
  struct ServerLog: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      var members: Properties = [
        "time": .number(fixedDecimal(clockSeconds(CLOCK_REALTIME), decimals: 3)),
        "level": .string(event.level.rawValue), "message": .string("\(event.message)"),
      ]
      for (name, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 })
        .sorted(by: { $0.key < $1.key })
      {
        members.append(name, .string("\(value)"))
      }
      let line = PropertyValue.object(members).jsonLine
      // One call per line, so that lines of several threads do not mix.
      line.withUnsafeBytes { _ = write(2, $0.baseAddress, $0.count) }
    }
  }
#endif
