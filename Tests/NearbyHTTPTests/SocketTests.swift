#if Server
  import Geodesy
  import SystemCalls
  import Testing

  @testable import NearbyHTTP

  @Suite struct SocketTests {
    /// Serves on a free port until the task is canceled.
    private func serve(
      _ service: NearbyService
    ) async throws -> (port: Int, running: Task<Void, any Error>) {
      let (ports, started) = AsyncStream.makeStream(of: Int.self)
      let server = HummingbirdServer(service, host: "127.0.0.1", port: 0, logsRequests: false)
      // Other tests may keep the threads of all other tasks busy for minutes.
      let running = Task(executorPreference: LoopExecutor()) {
        try await server.run(onStart: { started.yield($0) }, eachSecond: { _ in })
      }
      return (try #require(await ports.first { _ in true }), running)
    }

    @Test func `a port in use is told in the system's words`() async throws {
      let (port, running) = try await serve(Served.service(try Served.shops(1)))
      defer { running.cancel() }
      let second = HummingbirdServer(
        Served.service(try Served.shops(1)), host: "127.0.0.1", port: port, logsRequests: false)
      let error = await #expect(throws: (any Error).self) {
        try await second.run(onStart: { _ in }, eachSecond: { _ in })
      }
      #expect(error.map { "\($0)" } == "address already in use")
    }

    @Test func `a request names one host, and who waits to send a body is told to go on`()
      async throws
    {
      let (port, running) = try await serve(Served.service(try Served.shops(3)))
      defer { running.cancel() }
      for hosts in ["", "Host: x\r\nHost: y\r\n"] {
        let client = try Client(port)
        client.send("GET / HTTP/1.1\r\n\(hosts)\r\n")
        let (head, body) = try client.answer()
        #expect(head.hasPrefix("HTTP/1.1 400 ") && body.contains(#""code":"request-syntax""#))
        #expect(client.isAtEnd)
      }
      let patient = try Client(port)
      for path in ["/", "/collections/shops/nearest?lat=37.5&lon=127&k=3"] {
        patient.send(
          "GET \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        #expect(try patient.answer().head.hasPrefix("HTTP/1.1 100 "))
        patient.send("{}")
        #expect(try patient.answer().head.hasPrefix("HTTP/1.1 200 "))
      }
    }

    @Test func `who waits to send a body that is refused is told so, and not to go on`()
      async throws
    {
      var limits = ServerLimits()
      limits.bodyLength = 100
      let service = Served.service(try Served.shops(3), keeper: MemoryKeeper(), limits: limits)
      let (port, running) = try await serve(service)
      defer { running.cancel() }
      let expects = "Expect: 100-continue\r\n"
      let token = "Authorization: Bearer \(Served.token)\r\n"
      for (method, headers, length, code) in [
        ("PUT", expects, 60, "token"), ("POST", expects + token, 60, "method"),
        ("PUT", expects + token + "Content-Type: text/csv\r\n", 60, "content-type"),
        ("PUT", expects + token, 101, "body-length"), ("PUT", token, 101, "body-length"),
      ] {
        let client = try Client(port)
        // Behind another request, it waits for the answer to that.
        client.send("GET /collections/shops/items?limit=2 HTTP/1.1\r\nHost: x\r\n\r\n")
        client.send(
          "\(method) /collections/shops/items/x HTTP/1.1\r\nHost: x\r\n\(headers)Content-Length: \(length)\r\n\r\n"
        )
        #expect(try client.answer().head.hasPrefix("HTTP/1.1 200 "))
        let (head, body) = try client.answer()
        #expect(head.hasPrefix("HTTP/1.1 4"), "\(code): \(head)")
        #expect(body.contains("\"code\":\"\(code)\""))
        #expect(client.isAtEnd)
      }
      let client = try Client(port)
      let feature = #"{"type":"Feature","id":"x","geometry":null,"properties":{}}"#
      client.send(
        "PUT /collections/shops/items/x HTTP/1.1\r\nHost: x\r\n\(expects)\(token)Content-Length: \(feature.utf8.count)\r\n\r\n"
      )
      #expect(try client.answer().head.hasPrefix("HTTP/1.1 100 "))
      client.send(feature)
      #expect(try client.answer().head.hasPrefix("HTTP/1.1 201 "))
    }

    @Test func `nobody who reads waits for those who write`() async throws {
      let keeper = MemoryKeeper()
      let (port, running) = try await serve(Served.service(try Served.shops(3), keeper: keeper))
      defer { running.cancel() }
      // More than there are threads.
      let writers = try (0..<64).map { _ in try Client(port) }
      let reader = try Client(port)
      try keeper.kept.withLock { (_) throws in
        for (number, writer) in writers.enumerated() {
          let body = feature("n\(number)", 37.5)
          writer.send(
            "PUT /collections/shops/items/n\(number) HTTP/1.1\r\nHost: x\r\n"
              + "Authorization: Bearer \(Served.token)\r\n"
              + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
        for path in ["items", "facets", "items?where=rating%3E1"] {
          reader.send("GET /collections/shops/\(path) HTTP/1.1\r\nHost: x\r\n\r\n")
          #expect(try reader.answer().head.hasPrefix("HTTP/1.1 200 "))
        }
      }
      for writer in writers { #expect(try writer.answer().head.hasPrefix("HTTP/1.1 201 ")) }
    }

    @Test func `HTTP/1.0 gets a stream without chunks, and a broken body is told so`()
      async throws
    {
      let service = Served.service(try Served.shops(3), keeper: MemoryKeeper())
      let (port, running) = try await serve(service)
      defer { running.cancel() }
      let old = try Client(port)
      old.send("GET /collections/shops/live HTTP/1.0\r\nHost: x\r\n\r\n")
      let (head, _) = try old.answer()
      #expect(head.hasPrefix("HTTP/1.0 200 "))
      #expect(!head.lowercased().contains("transfer-encoding"))
      #expect(head.lowercased().contains("\r\nconnection: close\r\n"))
      #expect(old.next(60).contains("event: snapshot"))
      let plain = try Client(port)
      plain.send("GET / HTTP/1.0\r\nHost: x\r\n\r\n")
      #expect(try plain.answer().body.contains("collections"))
      #expect(plain.isAtEnd)

      let broken = try Client(port)
      broken.send(
        "POST /collections/shops/items HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n"
      )
      let refusal = try broken.answer()
      #expect(refusal.head.hasPrefix("HTTP/1.1 400 "))
      #expect(refusal.body.contains(#""code":"request-syntax""#))
      #expect(broken.isAtEnd)
    }

    @Test func `a request that cannot be read is refused after the answers before it`() async throws
    {
      let (port, running) = try await serve(Served.service(try Served.shops(60)))
      defer { running.cancel() }
      let slow = "GET /collections/shops/items?limit=2 HTTP/1.1\r\nHost: x\r\n\r\n"
      for wrong in [
        "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        "no request\r\n\r\n",
        "GET /collections/shops/items?시도=서울 HTTP/1.1\r\nHost: x\r\n\r\n",
        // It has the head, and would answer.
        "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n",
      ] {
        let client = try Client(port)
        client.send(slow + slow + wrong + slow)
        for _ in 0..<2 { #expect(try client.answer().head.hasPrefix("HTTP/1.1 200 ")) }
        let (head, body) = try client.answer()
        #expect(head.hasPrefix("HTTP/1.1 400 "), "\(wrong)")
        #expect(head.lowercased().contains("\r\nconnection: close\r\n"))
        #expect(body.contains(#""code":"request-syntax""#))
        #expect(body.contains("bytes beyond ASCII as %XX") == wrong.contains("시도"), "\(body)")
        #expect(client.isAtEnd)
      }
    }

    @Test func `a body that breaks after its answer ends the connection without another`()
      async throws
    {
      let (port, running) = try await serve(Served.service(try Served.shops(3)))
      defer { running.cancel() }
      let client = try Client(port)
      client.send("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
      #expect(try client.answer().head.hasPrefix("HTTP/1.1 200 "))
      client.send("no number\r\n")
      #expect(client.isAtEnd)
    }

    @Test func `a body that does not come to its end is told so, and ends the connection`()
      async throws
    {
      var limits = ServerLimits()
      limits.patience = 3
      let service = Served.service(try Served.shops(3), keeper: MemoryKeeper(), limits: limits)
      let (port, running) = try await serve(service)
      defer { running.cancel() }
      let client = try Client(port)
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try client.answer().head.hasPrefix("HTTP/1.1 200 "))
      let token = "Authorization: Bearer \(Served.token)\r\n"
      client.send(
        "PUT /collections/shops/items/x HTTP/1.1\r\nHost: x\r\n\(token)Content-Length: 1000\r\n\r\n"
          + feature("x", 37.5))
      let (head, body) = try client.answer()
      #expect(head.hasPrefix("HTTP/1.1 408 ") && body.contains(#""code":"request-time""#))
      #expect(head.lowercased().contains("\r\nconnection: close\r\n"))
      #expect(client.isAtEnd)
      let metrics = service.get("/metrics").text
      #expect(metrics.contains(#"nearby_refused_total{code="request-time"} 1"#))
      #expect(service.get("/collections/shops/items/x").status == 404)
    }

    @Test func `what comes behind the last request of a connection has no answer`() async throws {
      let (port, running) = try await serve(Served.service(try Served.shops(3)))
      defer { running.cancel() }
      for words in ["close", "Close", "TE, close", "close\r\nConnection: TE"] {
        let client = try Client(port)
        client.send(
          "GET / HTTP/1.1\r\nHost: x\r\nConnection: \(words)\r\n\r\n"
            + "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.answer().head.hasPrefix("HTTP/1.1 200 "))
        #expect(client.isAtEnd, "\(words)")
      }
    }

    @Test func `an old client behind a new one is answered, too`() async throws {
      let (port, running) = try await serve(Served.service(try Served.shops(60)))
      defer { running.cancel() }
      let client = try Client(port)
      client.send(
        "GET /collections/shops/items?limit=2 HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.0\r\n\r\n")
      #expect(try client.answer().head.hasPrefix("HTTP/1.1 200 "))
      #expect(try client.answer().head.hasPrefix("HTTP/1.0 200 "))
      #expect(client.isAtEnd)
    }

    @Test func `links have the host of an absolute address, and not that of the header`()
      async throws
    {
      let service = Served.service(try Served.shops(60))
      let (port, running) = try await serve(service)
      defer { running.cancel() }
      let client = try Client(port)
      for (base, path) in [
        ("http://example.org:8080", "/collections"), ("http://example.org:8080", "?f=json"),
        ("HTTP://example.org:8080", "/collections/shops/items?limit=2"),
        ("http://example.org:8080", ""),
      ] {
        client.send("GET \(base + path) HTTP/1.1\r\nHost: x\r\n\r\n")
        let (head, body) = try client.answer()
        #expect(head.hasPrefix("HTTP/1.1 200 "), "\(path)")
        #expect(body.contains("http://example.org:8080/collections"))
        let expected = service.get(
          path.hasPrefix("/") ? path : "/" + path, ["host": "example.org:8080"])
        #expect(body == expected.text)
      }
    }

    private static let nearest = "/collections/shops/nearest?lat=37.5&lon=127&k=3"
    private static let items = "/collections/shops/items?limit=2"

    @Test func `answers keep the order of their requests`() async throws {
      let service = Served.service(try Served.shops(60))
      let (port, running) = try await serve(service)
      defer { running.cancel() }
      let client = try Client(port)
      // Quick ones are answered elsewhere than slow ones.
      let (quick, slow, none) = (Self.nearest, Self.items, "/collections/none")
      for order in [[quick, slow, quick, none], [slow, quick, none, slow], [quick, quick, slow]] {
        client.send(order.map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
        for path in order {
          let (head, body) = try client.answer()
          let expected = service.get(path, ["host": "x"])
          #expect(head.hasPrefix("HTTP/1.1 \(expected.status) "))
          #expect(body == expected.text)
          for (name, value) in expected.headers {
            #expect(head.lowercased().contains("\r\n\(name): \(value.lowercased())\r\n"))
          }
          #expect(head.lowercased().contains("\r\nserver: nearby\r\n"))
          #expect(head.lowercased().contains("\r\ndate: "))
        }
      }
      let tag = try #require(service.get(quick, ["host": "x"]).header("etag"))
      client.send("GET \(quick) HTTP/1.1\r\nHost: x\r\nIf-None-Match: \(tag)\r\n\r\n")
      #expect(try client.answer().head.hasPrefix("HTTP/1.1 304 "))
      // One that does not take long, with a body, and its last.
      client.send(
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
      #expect(try client.answer().head.hasPrefix("HTTP/1.1 200 "))
      #expect(client.isAtEnd)
    }

    @Test func `what is too long or no request is told so as every error is, after a quick answer`()
      async throws
    {
      let (port, running) = try await serve(Served.service(try Served.shops(60)))
      defer { running.cancel() }
      let long = String(repeating: "x", count: 40_000)
      let many = String(repeating: "X: y\r\n", count: 200)
      for (wrong, status, code) in [
        ("GET /?q=\(long) HTTP/1.1\r\nHost: x\r\n\r\n", 431, "header-length"),
        ("GET / HTTP/1.1\r\nHost: x\r\nX: \(long)\r\n\r\n", 431, "header-length"),
        ("GET / HTTP/1.1\r\n\(many)\r\n", 431, "header-length"),
        ("GET / HTTP/1.1\r\nno header\r\n\r\n", 400, "request-syntax"),
        ("\u{16}\u{3}\u{1} a TLS client", 400, "request-syntax"),
      ] {
        let client = try Client(port)
        client.send("GET \(Self.nearest) HTTP/1.1\r\nHost: x\r\n\r\n" + wrong)
        #expect(try client.answer().head.hasPrefix("HTTP/1.1 200 "))
        let (head, body) = try client.answer()
        #expect(head.hasPrefix("HTTP/1.1 \(status) "), "\(wrong.prefix(20))")
        #expect(head.contains("\r\ncontent-type: application/problem+json\r\n"))
        #expect(body.contains("\"code\":\"\(code)\""))
        #expect(client.isAtEnd)
      }
    }

    @Test func `one connection too many is told so, and one that ends makes room`() async throws {
      var limits = ServerLimits()
      limits.connections = 3
      let (port, running) = try await serve(
        Served.service(try Served.shops(60), limits: limits))
      defer { running.cancel() }
      do {
        let allowed = try (0..<3).map { _ in try Client(port) }
        for client in allowed {
          client.send("GET \(Self.nearest) HTTP/1.1\r\nHost: x\r\n\r\n")
          #expect(try client.answer().head.hasPrefix("HTTP/1.1 200 "))
        }
        let fourth = try Client(port)
        fourth.send("GET \(Self.nearest) HTTP/1.1\r\nHost: x\r\n\r\n")
        let (head, body) = try fourth.answer()
        #expect(head.hasPrefix("HTTP/1.1 503 "))
        #expect(head.lowercased().contains("\r\nretry-after: 1\r\n"))
        #expect(head.lowercased().contains("\r\nconnection: close\r\n"))
        #expect(body.contains(#""code":"connection-limit""#))
        #expect(fourth.isAtEnd)
        for client in allowed {
          client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
          #expect(try client.answer().head.hasPrefix("HTTP/1.1 200 "))
        }
      }
      // Connections get their tasks in order: once a later one is answered by its task, all before have theirs, and the
      // server can be canceled.
      for _ in 0..<500 {
        let last = try Client(port)
        last.send("GET \(Self.items) HTTP/1.1\r\nHost: x\r\n\r\n")
        if try last.answer().head.hasPrefix("HTTP/1.1 200 ") { return }
        try await Task.sleep(for: .milliseconds(20))
      }
      Issue.record("connections that were closed still count")
    }
  }

  /// A connection to a server on this machine.
  private final class Client {
    private let socket: Int32
    private var received: [UInt8] = []

    struct Failure: Error {
      let what: String
    }

    init(_ port: Int) throws {
      #if canImport(Glibc)
        socket = SystemCalls.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        socket = SystemCalls.socket(AF_INET, SOCK_STREAM, 0)
      #endif
      var patience = timeval(tv_sec: 120, tv_usec: 0)
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard result == 0 else { throw Failure(what: "it does not connect: \(errno)") }
    }

    deinit { close(socket) }

    func send(_ text: String) {
      var text = text
      text.withUTF8 { _ = write(socket, $0.baseAddress, $0.count) }
    }

    private func receive() -> Bool {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(socket, &buffer, buffer.count)
      if count > 0 { received += buffer[..<count] }
      return count > 0
    }

    /// Whether nothing comes any more.
    var isAtEnd: Bool { received.isEmpty && !receive() }

    /// The next bytes, as many as are asked for, if they come.
    func next(_ count: Int) -> String {
      while received.count < count, receive() {}
      defer { received.removeFirst(min(count, received.count)) }
      return String(decoding: received.prefix(count), as: UTF8.self)
    }

    /// The next answer.
    func answer() throws -> (head: String, body: String) {
      while true {
        let text = String(decoding: received, as: UTF8.self)
        if let end = text.firstRange(of: "\r\n\r\n") {
          let head = String(text[..<end.upperBound])
          let length =
            head.lowercased().firstMatch(of: /\r\ncontent-length: (\d+)/).flatMap { Int($0.1) } ?? 0
          let start = head.utf8.count
          if received.count >= start + length {
            let body = String(decoding: received[start..<start + length], as: UTF8.self)
            received.removeFirst(start + length)
            return (head, body)
          }
        }
        guard receive() else { throw Failure(what: "it ends after \(text)") }
      }
    }
  }
#endif
