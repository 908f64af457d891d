#if Store
  import MapAnnotations
  import NearbyTestSupport
  import Testing

  @testable import SourceFetching

  @Suite struct SourceFetcherTests {
    static let body = Array("id,lat,lon\n1,37.5,127\n".utf8)

    // MARK: Content

    @Test func `content comes as it was sent, with what the server said of it`() async throws {
      let server = try LocalServer { _, _ in
        LocalServer.reply(
          200,
          [
            "Content-Type": "text/CSV; charset=\"EUC-KR\"", "ETag": "\"a1\"",
            "Last-Modified": "Sat, 21 Nov 2026 10:02:07 GMT",
          ], Self.body)
      }
      let content = try #require(await SourceFetcher.patient().content("\(server.address)/x.csv"))
      #expect(try content.file.bytes() == Self.body)
      #expect(content.contentType?.mediaType == "text/csv")
      #expect(content.contentType?.charset == "euc-kr")
      #expect(content.validators.version == .entityTag("\"a1\""))
      let sum = try SystemProgram.run(at: "/usr/bin/sha256sum", [], input: Self.body)
      #expect(content.digest == String(sum.text.prefix(64)))
    }

    @Test func `a body without a stated length is taken to its end`() async throws {
      let server = try LocalServer { _, _ in
        [
          .bytes(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n".utf8)),
          .pause(milliseconds: 10), .bytes(Array("2\r\nde\r\n0\r\n\r\n".utf8)),
        ]
      }
      let content = try #require(await SourceFetcher.patient().content(server.address))
      #expect(try content.file.bytes() == Array("abcde".utf8))
    }

    @Test func `gzip is unpacked as a coding, as a file, and as both`() async throws {
      let large = Array(String(repeating: "서울,37.5,127\n", count: 20_000).utf8)
      let once = try Gzip.pack(large)
      let twice = try Gzip.pack(once)
      let members = once + (try Gzip.pack(Self.body)) + [0, 0]
      let server = try LocalServer { request, _ in
        switch request.path {
        case "/coded": LocalServer.reply(200, ["Content-Encoding": "gzip"], once)
        case "/twice": LocalServer.reply(200, ["Content-Encoding": "gzip"], twice)
        case "/members": LocalServer.reply(200, [:], members)
        default: LocalServer.reply(200, ["Content-Type": "application/gzip"], once)
        }
      }
      for (path, expected) in [
        ("/coded", large), ("/twice", large), ("/file.csv.gz", large),
        ("/members", large + Self.body),
      ] {
        let content = try #require(await SourceFetcher.patient().content(server.address + path))
        #expect(try content.file.bytes() == expected, "\(path)")
      }
      #expect(server.requests.allSatisfy { $0.headers["accept-encoding"] == "gzip" })
    }

    @Test func `blanks around the value of a field are not part of it`() async throws {
      let packed = try Gzip.pack(Self.body)
      let server = try LocalServer { request, before in
        switch (request.path, before) {
        case (_, 0): LocalServer.reply(503, ["Retry-After": "\t17 \t "], [])
        case ("/a", _): LocalServer.reply(302, ["Location": "/b  "], [])
        case ("/b", _):
          LocalServer.reply(
            200, ["Content-Encoding": "gzip  ", "Content-Length": "\(packed.count) "], packed)
        default: LocalServer.reply(200, ["Content-Encoding": ""], Self.body)
        }
      }
      let time = VirtualTime()
      let fetcher = SourceFetcher.patient(time)
      let content = try #require(await fetcher.content(server.address + "/a"))
      #expect(try content.file.bytes() == Self.body)
      #expect(time.sleeps == [.seconds(17)])
      #expect(server.requests.map(\.target) == ["/a", "/a", "/b"])
      let plain = try #require(await fetcher.content(server.address + "/plain"))
      #expect(try plain.file.bytes() == Self.body)
    }

    @Test func `a transfer coding counts and not a length beside it`() async throws {
      let head = HTTPHead(
        status: 200, headers: [("Content-Length", "5"), ("Transfer-Encoding", "chunked")])
      #expect(head.contentLength == nil)
      for (field, length) in [("5", 5), ("-5", nil), ("+5", nil), ("", nil), ("5, 5", nil)]
        as [(String, Int?)]
      {
        #expect(HTTPHead(status: 200, headers: [("content-length", field)]).contentLength == length)
      }
      let transport = ScriptedTransport([
        (HTTPHead(status: 200, headers: [("Content-Length", "99999999999999999999999")]), Self.body)
      ])
      let error = await SourceFetcher.patient(through: transport).failure("http://example.org/x")
      #expect(error?.code == "fetch-too-large")
    }

    @Test(arguments: [0, 1, 2, 3])
    func `content of few bytes is taken whole`(count: Int) async throws {
      let bytes = Array([0x1F, 0x8C, 0x41][..<count]).map { UInt8($0) }
      let server = try LocalServer { _, _ in LocalServer.reply(200, [:], bytes) }
      let content = try #require(await SourceFetcher.patient().content(server.address))
      #expect(try content.file.bytes() == bytes)
    }

    // MARK: Conditions

    @Test func `the validators are asked with, and 304 is no content`() async throws {
      let server = try LocalServer { request, _ in
        request.headers["if-none-match"] == "\"a1\""
          ? LocalServer.reply(304, ["ETag": "\"a1\"", "Content-Length": "0"], [])
          : LocalServer.reply(200, ["ETag": "\"a1\""], Self.body)
      }
      let fetcher = SourceFetcher.patient()
      let first = try #require(await fetcher.content(server.address))
      let outcome = try await fetcher.fetch(
        SourceAddress(server.address),
        unless: ContentValidators(
          entityTag: first.validators.entityTag, lastModified: "Sat, 21 Nov 2026 10:02:07 GMT"))
      guard case .unchanged(let validators) = outcome else {
        Issue.record("content came although it is unchanged")
        return
      }
      #expect(validators.entityTag == "\"a1\"")
      #expect(
        server.requests[1].headers["if-modified-since"] == "Sat, 21 Nov 2026 10:02:07 GMT")
    }

    // MARK: Limits

    @Test func `a body larger than allowed is refused, stated or not, packed or not`() async throws
    {
      let zeros = [UInt8](repeating: 0x30, count: 3_000_000)
      let packed = try Gzip.pack(zeros)
      let server = try LocalServer { request, _ in
        switch request.path {
        case "/stated": LocalServer.reply(200, [:], zeros)
        case "/packed": LocalServer.reply(200, [:], packed)
        default: [.bytes(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8) + zeros)]
        }
      }
      let fetcher = SourceFetcher.patient { $0.byteLimit = 1_000_000 }
      for (path, isPacked) in [("/stated", false), ("/unstated", false), ("/packed", true)] {
        let error = try #require(await fetcher.failure(server.address + path))
        #expect(error.reason == .tooLarge(limit: 1_000_000, unpacked: isPacked), "\(path)")
      }
      // Nothing of it is worth another try.
      #expect(server.requests.count == 3)
      #expect(packed.count < 10_000)
    }

    @Test(arguments: [302, 404, 503])
    func `the bodies of redirects and errors count, alone and together`(status: Int) async throws {
      let body = [UInt8](repeating: 0x30, count: 600_000)
      let server = try LocalServer { request, before in
        let isEndless = request.path == "/endless"
        let head =
          "HTTP/1.1 \(status) X\r\nLocation: /next\r\nConnection: close\r\n"
          + (isEndless || request.path == "/unstated"
            ? "\r\n" : "Content-Length: \(body.count)\r\n\r\n")
        return [.bytes(Array(head.utf8))]
          + Array(repeating: .bytes(body), count: isEndless ? 20 : 1)
      }
      for (path, limit, code) in [
        ("/endless", 1_000_000, "fetch-too-large"), ("/stated", 599_999, "fetch-too-large"),
        ("/unstated", 599_999, "fetch-too-large"),
        // Two of them are too much, and one is not.
        ("/stated", 1_000_000, status == 302 ? "fetch-too-large" : "fetch-status"),
      ] {
        let fetcher = SourceFetcher.patient {
          $0.byteLimit = limit
          $0.attempts = 1
        }
        let error = try #require(await fetcher.failure(server.address + path))
        #expect(error.code == code, "\(path), \(limit): \(error)")
      }
    }

    @Test func `only 200 and 203 are the content that was asked for`() async throws {
      for status in [200, 201, 202, 203, 204, 205, 206, 207, 226] {
        let transport = ScriptedTransport([
          (HTTPHead(status: status, headers: []), status == 204 ? [] : Self.body)
        ])
        let fetcher = SourceFetcher.patient(through: transport) { $0.attempts = 1 }
        let error = await fetcher.failure("https://example.org/x")
        switch status {
        case 200, 203: #expect(error == nil)
        case 206: #expect(error?.code == "fetch-unasked")
        default: #expect(error?.code == "fetch-status", "\(status)")
        }
      }
    }

    @Test func `a Last-Modified that is yet to come is neither kept nor asked with`() async throws {
      // The virtual clock starts at that second.
      let now = "Fri, 15 Jan 2027 08:00:00 GMT", later = "Fri, 15 Jan 2027 08:00:01 GMT"
      let before = "Fri, 15 Jan 2027 07:59:59 GMT"
      for (date, isAsked, isKept) in [
        (before, true, true), (now, true, false), (later, false, false), ("no date", true, true),
      ] {
        let server = try LocalServer { _, _ in
          LocalServer.reply(200, ["Last-Modified": date, "ETag": "\"a\""], Self.body)
        }
        let content = try #require(
          await SourceFetcher.patient().content(
            server.address, unless: ContentValidators(lastModified: date)))
        #expect(content.validators.lastModified == (isKept ? date : nil))
        #expect(content.validators.entityTag == "\"a\"")
        #expect(server.requests[0].headers["if-modified-since"] == (isAsked ? date : nil))
      }
    }

    @Test
    func
      `what was changed in the second in which it was sent is asked for again as if it had no date`()
      async throws
    {
      let date = "Sat, 21 Nov 2026 10:02:07 GMT"
      for (sent, isKept) in [(date, false), ("Sat, 21 Nov 2026 10:02:08 GMT", true)] {
        let server = try LocalServer { _, _ in
          LocalServer.reply(200, ["Last-Modified": date, "Date": sent], Self.body)
        }
        let content = try #require(await SourceFetcher.patient().content(server.address))
        #expect(content.validators.lastModified == (isKept ? date : nil))
      }
    }

    @Test(arguments: ["", "\"caf\u{E9}\""])
    func `an ETag that is empty or not in ASCII is neither kept nor asked with`(
      tag: String
    ) async throws {
      let date = "Sat, 21 Nov 2026 10:02:07 GMT"
      let server = try LocalServer { _, _ in
        LocalServer.reply(200, ["Last-Modified": date, "ETag": tag], Self.body)
      }
      let content = try #require(
        await SourceFetcher.patient().content(
          server.address, unless: ContentValidators(entityTag: tag)))
      #expect(content.validators == ContentValidators(lastModified: date))
      #expect(server.requests[0].headers["if-none-match"] == nil)
    }

    @Test func `a field without a value is sent without one`() async throws {
      let server = try LocalServer { _, _ in LocalServer.reply(200, [:], Self.body) }
      let fetcher = SourceFetcher.patient { $0.headers = [("X-Token", ""), ("X-Other", "1")] }
      _ = try await fetcher.content(server.address)
      #expect(server.requests[0].headers["x-token"] == "")
      #expect(server.requests[0].headers["x-other"] == "1")
    }

    @Test func `a password with an @ is sent`() async throws {
      let server = try LocalServer { _, _ in LocalServer.reply(200, [:], Self.body) }
      let address = server.address.dropFirst("http://".count)
      _ = try await SourceFetcher.patient().content("http://me:p@ss@\(address)/")
      // me:p@ss
      #expect(server.requests[0].headers["authorization"] == "Basic bWU6cEBzcw==")
    }

    @Test func `a field with a line break is not sent`() async throws {
      let transport = ScriptedTransport([])
      for (field, value) in [
        ("X-Key", "s3cret\r\nY: b"), ("X\nY", "s3cret"), ("X", "s3cret\u{0}"),
      ] {
        let fetcher = SourceFetcher.patient(through: transport) { $0.headers = [(field, value)] }
        let error = try #require(await fetcher.failure("https://example.org/x"))
        #expect(error.code == "bad-header" && error.blame == .usage)
        #expect(!error.description.contains("s3cret"))
      }
      let fetcher = SourceFetcher.patient(through: transport) { $0.userAgent = "a\r\nX: b" }
      #expect(await fetcher.failure("https://example.org/x")?.code == "bad-header")
      #expect(transport.requests.isEmpty)
    }

    @Test func `a body that is not complete in time is an error that says so`() async throws {
      let server = try LocalServer { _, _ in
        [
          .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc".utf8)),
          .pause(milliseconds: 1500),
        ]
      }
      let fetcher = SourceFetcher.patient {
        $0.totalTimeout = .milliseconds(300)
        $0.attempts = 1
      }
      let error = try #require(await fetcher.failure(server.address))
      #expect(error.reason == .timeout(.milliseconds(300), received: 3))
      #expect(error.description.contains("not complete after 300 ms, 3 bytes came"))
      // What is left of two minutes.
      let long = FetchError("x", .timeout(.milliseconds(119_999), received: 3))
      #expect(long.description.contains("not complete after 120 s, 3 bytes came"))
    }

    @Test func `nobody there is an error that may pass, and blames the other side`() async throws {
      let fetcher = SourceFetcher.patient { $0.attempts = 1 }
      // Port 1 of this machine has no listener.
      let error = try #require(await fetcher.failure("http://127.0.0.1:1/a"))
      #expect(error.code == "fetch-unreachable")
      #expect(error.isTransient)
      #expect(error.blame == .upstream)
      let name = try #require(await fetcher.failure("http://no-such-host.invalid/"))
      #expect(name.code == "fetch-unresolved")
    }

    // MARK: Damage

    @Test func `a body that is cut off is never taken`() async throws {
      let packed = try Gzip.pack(Array(String(repeating: "abc", count: 5000).utf8))
      let server = try LocalServer { request, _ in
        switch request.path {
        case "/short": LocalServer.reply(200, ["Content-Length": "99"], Self.body)
        case "/chunk":
          [.bytes(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc".utf8))]
        case "/silent": []
        // Without a length, only the packing tells.
        default: [.bytes(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + packed.dropLast(9))]
        }
      }
      let fetcher = SourceFetcher.patient { $0.attempts = 2 }
      let short = try #require(await fetcher.failure(server.address + "/short"))
      #expect(short.reason == .cutOff(received: Self.body.count, promised: 99))
      #expect(short.attempts == 2)
      #expect(await fetcher.failure(server.address + "/chunk")?.code == "fetch-cut-off")
      #expect(await fetcher.failure(server.address + "/silent")?.code == "fetch-cut-off")
      #expect(await fetcher.failure(server.address + "/packed")?.reason == .gzip("it is cut off"))
    }

    @Test func `damaged packing and codings not asked for are errors`() async throws {
      var packed = try Gzip.pack(Array(String(repeating: "abc", count: 5000).utf8))
      packed[packed.count / 2] ^= 0xFF
      let damaged = packed
      let server = try LocalServer { request, _ in
        request.path == "/br"
          ? LocalServer.reply(200, ["Content-Encoding": "br"], Self.body)
          : LocalServer.reply(200, [:], damaged)
      }
      let fetcher = SourceFetcher.patient()
      #expect(await fetcher.failure(server.address + "/br")?.reason == .coding("br"))
      #expect(await fetcher.failure(server.address)?.code == "gzip-damaged")
    }

    // MARK: Answers that are none

    @Test(arguments: [(407, false), (403, true)])
    func `407 is the answer of a proxy`(status: Int, isServer: Bool) async throws {
      let transport = ScriptedTransport([(HTTPHead(status: status, headers: []), [])])
      let error = try #require(
        await SourceFetcher.patient(through: transport).failure("http://example.org/x"))
      #expect(error.code == (isServer ? "fetch-status" : "fetch-proxy"))
      #expect(error.attempts == 1)
    }

    @Test func `an answer that is none is the fault of the server`() async throws {
      let server = try LocalServer { request, _ in
        switch request.path {
        case "/garbage": [.bytes(Array("GARBAGE\r\n\r\nx".utf8))]
        case "/000": [.bytes(Array("HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n".utf8))]
        default:
          LocalServer.reply(200, ["X": String(repeating: "a", count: 200_000)], Self.body)
        }
      }
      for path in ["/garbage", "/000", "/long"] {
        let error = try #require(await SourceFetcher.patient().failure(server.address + path))
        #expect(error.blame == .upstream, "\(path): \(error)")
        #expect(!error.description.contains("memory"), "\(path): \(error)")
      }
    }

    @Test func `no message has a password or the values of a query`() async throws {
      let fetcher = SourceFetcher.patient { $0.attempts = 1 }
      for address in [
        "http://me:s3cret@127.0.0.1:1/a?key=s3cret#s3cret", "ftp://me:s3cret@example.org/?s3cret",
        "http://me:s3cret@exa mple/?s3cret", "https://me:s3cret@/x",
      ] {
        let error = try #require(await fetcher.failure(address), "\(address)")
        #expect(!error.description.contains("s3cret"), "\(error)")
      }
    }

    // MARK: Again

    @Test func `a server that fails for a while is asked again, later each time`() async throws {
      let server = try LocalServer { _, before in
        before < 3
          ? LocalServer.reply([500, 503, 429][before], [:], [])
          : LocalServer.reply(200, [:], Self.body)
      }
      let time = VirtualTime()
      let content = try #require(await SourceFetcher.patient(time).content(server.address))
      #expect(try content.file.bytes() == Self.body)
      #expect(time.retries == ["fetch-status", "fetch-status", "fetch-status"])
      #expect(time.sleeps.count == 3)
      for (sleep, most) in zip(time.sleeps, [1, 2, 4]) {
        #expect((Duration.milliseconds(most * 500)...Duration.seconds(most)).contains(sleep))
      }
    }

    @Test func `Retry-After is heeded in both its forms, and not when it is too long`() async throws
    {
      let server = try LocalServer { request, before in
        switch (request.path, before) {
        case ("/long", _): LocalServer.reply(429, ["Retry-After": "86400"], [])
        case (_, 0): LocalServer.reply(503, ["Retry-After": "17"], [])
        // The virtual clock starts at 08:00:00 and has gone on by the 17 seconds.
        case (_, 1): LocalServer.reply(503, ["Retry-After": "Fri, 15 Jan 2027 08:01:00 GMT"], [])
        default: LocalServer.reply(200, [:], Self.body)
        }
      }
      let time = VirtualTime()
      _ = try await SourceFetcher.patient(time).fetch(SourceAddress(server.address))
      #expect(time.sleeps == [.seconds(17), .seconds(43)])
      for (wait, seconds) in [
        ("99999999999999999999999", 1 << 31), ("Friday, 15-Jan-27 10:00:00 GMT", 7200),
        ("Fri Jan 15 10:00:00 2027", 7200),
      ] {
        let transport = ScriptedTransport([
          (HTTPHead(status: 503, headers: [("Retry-After", wait)]), [])
        ])
        let error = await SourceFetcher.patient(through: transport).failure("http://example.org/")
        #expect(error?.reason == .status(503, retryAfter: .seconds(seconds)), "\(wait)")
      }
      // What asks for no wait leaves it to the fetcher.
      for wait in ["0", "Fri, 15 Jan 2027 07:59:00 GMT", "soon"] {
        let answer = (HTTPHead(status: 503, headers: [("Retry-After", wait)]), [UInt8]())
        let fetcher = SourceFetcher.patient(through: ScriptedTransport([answer])) {
          $0.attempts = 1
        }
        let error = await fetcher.failure("http://example.org/")
        #expect(error?.reason == .status(503, retryAfter: nil), "\(wait)")
        #expect(error?.description.hasSuffix("; try later") == true, "\(wait)")
      }
      let impatient = VirtualTime()
      let error = try #require(
        await SourceFetcher.patient(impatient).failure(server.address + "/long"))
      #expect(error.reason == .status(429, retryAfter: .seconds(86_400)))
      #expect(impatient.sleeps.isEmpty)
      #expect(error.description.contains("asks to try again in 24 h"))
    }

    @Test func `what another try cannot mend is not tried again`() async throws {
      let server = try LocalServer { _, _ in LocalServer.reply(404, [:], []) }
      let error = try #require(await SourceFetcher.patient().failure(server.address + "/x"))
      #expect(error.reason == .status(404, retryAfter: nil))
      #expect(server.requests.count == 1)
    }

    @Test func `a cancelled fetch ends`() async throws {
      let server = try LocalServer { _, _ in [.pause(milliseconds: 20_000)] }
      let address = server.address
      let task = Task { await SourceFetcher.patient().failure(address) }
      while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      task.cancel()
      #expect(await task.value?.reason == .cancelled)
    }

    // MARK: Files

    @Test func `a file is content, unpacked and within the limit`() async throws {
      let folder = try Folder()
      defer { withExtendedLifetime(folder) {} }
      let file = try folder.write(Gzip.pack(Self.body), to: "x.csv.gz").path
      let fetcher = SourceFetcher.patient()
      let content = try #require(await fetcher.content(file))
      #expect(try content.file.bytes() == Self.body)
      #expect(try #require(await fetcher.content("file://" + file)).digest == content.digest)
      #expect(
        await SourceFetcher.patient { $0.byteLimit = 5 }.failure(file)?.code == "fetch-too-large")
      // What is packed has a limit of its own, and is bad data.
      let large = try #require(await SourceFetcher.patient { $0.unpackingLimit = 5 }.failure(file))
      #expect(large.reason == .tooLarge(limit: 5, unpacked: true))
      #expect(large.blame == .data)
      let roomy = SourceFetcher.patient {
        $0.byteLimit = 1_000
        $0.unpackingLimit = 20_000
      }
      let zeros = try folder.write(Gzip.pack([UInt8](repeating: 0x30, count: 20_000)), to: "0.gz")
      #expect(try #require(await roomy.content(zeros.path)).file.byteCount == 20_000)
      let plain = try folder.write(Self.body, to: "x.csv").path
      #expect(await SourceFetcher.patient { $0.unpackingLimit = 5 }.failure(plain) == nil)
      let cut = try folder.write(Array(Gzip.pack(Self.body).dropLast(9)), to: "cut.csv.gz").path
      let damaged = try #require(await fetcher.failure(cut))
      #expect(damaged.code == "gzip-damaged" && damaged.blame == .data)
      #expect(damaged.description.hasSuffix("; replace the file"))
      let missing = try #require(await fetcher.failure(file + "x"))
      #expect(missing.code == "no-such-file")
      #expect(missing.blame == .input)
    }
  }
#endif
