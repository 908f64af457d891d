#if Store
  import Geodesy
  import MapAnnotations
  import NearbyTestSupport
  import Testing

  @testable import SourceFetching

  @Suite struct NominatimGeocoderTests {
    private static func geocoder(
      _ server: LocalServer, path: String = "", countries: [String] = [], language: String? = nil
    ) throws -> NominatimGeocoder {
      NominatimGeocoder(
        service: try WebAddress(server.address + path), countries: countries, language: language,
        fetcher: .patient { $0.userAgent = "nearby-tests" })
    }

    @Test func `the question goes out as the interface has it, and the first hit counts`()
      async throws
    {
      let server = try LocalServer { _, _ in
        LocalServer.reply(
          text: """
            [{"place_id":1,"lat":"37.5663","lon":"126.9779","display_name":"시청"},
             {"lat":"1","lon":"2"}]
            """)
      }
      let geocoder = try Self.geocoder(server, countries: ["KR", "jp"], language: "ko")
      let answer = await geocoder.locate("서울특별시 중구 세종대로 110 & co")
      #expect(
        answer == .found(try Coordinate(latitude: 37.5663, longitude: 126.9779), label: "시청"))
      let request = try #require(server.requests.first)
      #expect(request.path == "/search")
      #expect(
        request.query == [
          "q": "서울특별시 중구 세종대로 110 & co", "format": "jsonv2", "limit": "1",
          "countrycodes": "kr,jp",
        ])
      #expect(request.headers["user-agent"] == "nearby-tests")
      #expect(request.headers["accept-language"] == "ko")
    }

    @Test func `a service's own path is kept`() async throws {
      let server = try LocalServer { _, _ in LocalServer.reply(text: "[]") }
      _ = await (try Self.geocoder(server, path: "/nominatim/?key=1")).locate("a")
      _ = await (try Self.geocoder(server, path: "/v1/search")).locate("a")
      #expect(server.requests.map(\.path) == ["/nominatim/search", "/v1/search"])
      #expect(server.requests[0].query["key"] == "1")
    }

    @Test(arguments: [
      (200, "[]", GeocodingAnswer.notFound),
      (400, "", .refused(reason: "the geocoder answers 400")),
      (429, "", .unavailable(reason: "the geocoder answers 429", after: .seconds(9))),
      (503, "", .unavailable(reason: "the geocoder answers 503", after: .seconds(9))),
      (404, "", .unavailable(reason: "the geocoder answers 404", after: .seconds(9))),
      (200, #"[{"lat":"91","lon":"0"}]"#, .refused(reason: "its hit has no position on the Earth")),
      (200, #"[{"lat":null}]"#, .refused(reason: "its hit has no position on the Earth")),
      (
        200, "<html>Sign in",
        .unavailable(reason: "its answer is not a JSON array but \"<html>Sign in\"", after: nil)
      ),
    ])
    func `what goes wrong is an answer that says what`(
      status: Int, body: String, expected: GeocodingAnswer
    ) async throws {
      let server = try LocalServer { _, _ in
        LocalServer.reply(status, status == 200 ? [:] : ["Retry-After": "9"], Array(body.utf8))
      }
      #expect(await (try Self.geocoder(server)).locate("a") == expected)
      // The queue asks again; the client does not.
      #expect(server.requests.count == 1)
    }

    @Test func `nobody there is an answer too`() async throws {
      let geocoder = NominatimGeocoder(
        service: try WebAddress("http://127.0.0.1:1/"), fetcher: .patient())
      guard case .unavailable(let reason, nil) = await geocoder.locate("a") else {
        Issue.record("there was an answer")
        return
      }
      #expect(reason.contains("127.0.0.1:1"))
    }
  }
#endif
