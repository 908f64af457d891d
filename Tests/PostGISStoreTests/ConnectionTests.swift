#if PostgreSQL
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import Testing

  @testable import PostGISStore

  @Suite(.enabled(if: TestServer.address != nil, TestServer.reason))
  struct ConnectionTests {
    @Test func `what cannot be reached is an error that says so, without a password`() throws {
      let nowhere = try PostGISStore("postgres://me:s3cret@127.0.0.1:1/maps?connect_timeout=2")
      let error = #expect(throws: PostGISError.self) { try nowhere.layerNames() }
      #expect(error?.code == "postgres-unreachable")
      #expect(!"\(error!)".contains("s3cret"))
      let typo = #expect(throws: PostGISError.self) {
        try PostGISStore("postgres://me:s3cret@[::1/maps")
      }
      #expect(typo?.code == "postgres-address")
      #expect(!"\(typo!)".contains("s3cret"))
      let store = try TestServer.store()
      let missing = #expect(throws: PostGISError.self) { try store.layer(named: "nowhere") }
      #expect(missing?.code == "unknown-layer")
      let long = #expect(throws: PostGISError.self) {
        try store.layer(named: String(repeating: "x", count: 80), makingIt: true)
      }
      #expect(long?.code == "bad-layer-name")
    }

    @Test func `a connection that the server has closed is replaced, for what reads`() throws {
      let layer = try TestServer.layer("closed")
      try layer.replace(with: PostGISStoreTests.imported([BasicAnnotation(id: "one")]))
      for _ in 0..<3 {
        let old = try layer.store.reading { connection throws(PostGISError) in
          try connection.rows("SELECT pg_backend_pid()")[0, 0]
        }
        let other = try TestServer.store()
        _ = try other.reading { connection throws(PostGISError) in
          try connection.rows("SELECT pg_terminate_backend($1::integer, 5000)", [old])
        }
        #expect(try layer.answer(NearbyQuery()).map(\.id) == ["one"])
      }
    }

    @Test func `many threads ask through few connections`() async throws {
      let layer = try TestServer.layer("threads")
      let items = try (0..<50).map { number in
        BasicAnnotation(
          id: AnnotationID(number),
          coordinate: try Coordinate(latitude: 10, longitude: Double(number)))
      }
      try layer.replace(with: PostGISStoreTests.imported(items))
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<200 {
          group.addTask {
            let origin = try Coordinate(latitude: 10, longitude: Double(number % 50))
            return try layer.answer(NearbyQuery(from: origin, limit: 1)).map(\.id)
              == [AnnotationID(number % 50)]
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
    }

    @Test func `a slow statement is ended in time`() throws {
      let store = try PostGISStore(#require(TestServer.address), timeLimit: 100)
      let error = #expect(throws: PostGISError.self) {
        try store.reading { connection throws(PostGISError) in
          try connection.rows("SELECT pg_sleep(5)")
        }
      }
      #expect(error?.code == "time-limit")
    }
  }
#endif
