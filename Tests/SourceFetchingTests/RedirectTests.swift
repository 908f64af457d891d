#if Store
  import MapAnnotations
  import NearbyTestSupport
  import Testing

  @testable import SourceFetching

  @Suite struct RedirectTests {
    @Test func `redirects are followed, from relative to absolute, and no further than allowed`()
      async throws
    {
      let server = try LocalServer { request, _ in
        switch request.path {
        case "/a/first": LocalServer.reply(302, ["Location": "../b/second?x=1"], [])
        case "/b/second": LocalServer.reply(307, ["Location": "/c"], [])
        case "/c": LocalServer.reply(200, [:], SourceFetcherTests.body)
        case "/nowhere": LocalServer.reply(301, [:], [])
        default: LocalServer.reply(308, ["Location": "/loop\(request.target.count)"], [])
        }
      }
      let fetcher = SourceFetcher.patient()
      let content = try #require(await fetcher.content(server.address + "/a/first"))
      #expect(content.address == server.address + "/c")
      #expect(server.requests.map(\.target) == ["/a/first", "/b/second?x=1", "/c"])
      let error = try #require(await fetcher.failure(server.address + "/loop"))
      guard case .tooManyRedirects(5, _) = error.reason else {
        Issue.record("\(error)")
        return
      }
      #expect(server.requests.count == 3 + 6)
      #expect(await fetcher.failure(server.address + "/nowhere")?.code == "fetch-redirect")
    }

    @Test func `a redirect from https to http is refused`() async throws {
      let transport = ScriptedTransport([
        (HTTPHead(status: 301, headers: [("Location", "http://example.org/x?key=1")]), [])
      ])
      let fetcher = SourceFetcher.patient(through: transport)
      let error = try #require(await fetcher.failure("https://example.org/x"))
      #expect(error.reason == .downgrade("http://example.org/x?…"))
      let other = ScriptedTransport([
        (HTTPHead(status: 301, headers: [("Location", "file:///etc/passwd")]), [])
      ])
      let another = SourceFetcher.patient(through: other)
      #expect(await another.failure("https://example.org/x")?.code == "fetch-redirect")
    }

    @Test func `secret headers and passwords stay with the address that was asked`() async throws {
      let transport = ScriptedTransport([
        (HTTPHead(status: 302, headers: [("Location", "/same")]), []),
        (HTTPHead(status: 302, headers: [("Location", "https://other.example/x")]), []),
        (HTTPHead(status: 200, headers: []), SourceFetcherTests.body),
      ])
      let fetcher = SourceFetcher.patient(through: transport) {
        $0.headers = [("Authorization", "Bearer s3cret")]
      }
      _ = try await fetcher.fetch(SourceAddress("https://me:pw@example.org/x"))
      let sent = transport.requests
      #expect(
        sent.map { $0.headers.contains { $0.name == "Authorization" } } == [true, true, false])
      #expect(sent.map(\.address.userInformation) == ["me:pw", "me:pw", nil])
    }

    @Test func `an absolute redirect to the same origin keeps the password`() async throws {
      func head(_ location: String) -> (HTTPHead, [UInt8]) {
        (HTTPHead(status: 302, headers: [("Location", location)]), [])
      }
      let transport = ScriptedTransport([
        head("https://Example.org:443/a"), head("https://you@example.org/b"),
        head("https://example.org:8443/c"), head("http://example.org/d"),
      ])
      let fetcher = SourceFetcher.patient(through: transport)
      let error = await fetcher.failure("https://me:pw@example.org/x")
      #expect(error?.code == "fetch-downgrade")
      #expect(
        transport.requests.map(\.address.text) == [
          "https://me:pw@example.org/x", "https://me:pw@example.org/a", "https://you@example.org/b",
          "https://example.org:8443/c",
        ])
    }
  }
#endif
