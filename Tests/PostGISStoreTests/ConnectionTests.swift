#if PostgreSQL
  import Foundation
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

    @Test(arguments: ["12/s3cret", "12@s3cret", "1@2/s3cret", "12?x@s3cret", "12@\u{301}s3cret"])
    func `a password with a plain / or @ is refused, and no part of it is shown`(
      password: String
    ) throws {
      let error = #expect(throws: PostGISError.self) {
        try PostGISStore("postgres://maps:\(password)@db.invalid/maps")
      }
      #expect(error?.code == "postgres-address")
      #expect("\(error!)".contains("%2F") && "\(error!)".contains("%40"))
      #expect(!"\(error!)".contains("s3cret"))
    }

    @Test func `an address may have an escaped / or @ anywhere, and a plain one in its options`()
      throws
    {
      #expect(try PostGISStore("postgres://me:1%2F2%403@db.invalid/a").server == "db.invalid/a")
      #expect(try PostGISStore("postgres:///a?host=/tmp/b@c&user=d@e").server == "/tmp/b@c/a")
    }

    @Test func `writers may make a layer at once where transactions are serializable by default`()
      async throws
    {
      let store = try PostGISStore(
        #require(TestServer.address) + "&options=-c%20default_transaction_isolation%3Dserializable")
      try store.prepare()
      let name = "at once \(UInt32.random(in: 0 ... .max))"
      let shop = try PostGISStoreTests.imported([BasicAnnotation(id: "one")])
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask {
            try store.layer(named: name, makingIt: true).replace(with: shop).count
          }
        }
        for try await count in group { #expect(count == 1) }
      }
      #expect(try store.layer(named: name).count() == 1)
    }

    @Test func `what the server refuses is told with what to do about it`() throws {
      let address = try #require(TestServer.address)
      let role = "full_\(UInt32.random(in: 0 ... .max))"
      try TestServer.store().reading { connection throws(PostGISError) in
        try connection.run("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 0")
      }
      for (part, other, code) in [
        ("user=postgres", "user=\(role)", "postgres-busy"),
        ("user=postgres", "user=no_\(role)", "postgres-address"),
        ("/maps", "/no_\(role)", "postgres-address"),
      ] {
        let store = try PostGISStore(address.replacing(part, with: other))
        let error = #expect(throws: PostGISError.self) { try store.layerNames() }
        #expect(error?.code == code, "\(error!)")
      }
      let store = try PostGISStore(
        address + "&options=-c%20default_transaction_read_only%3Don")
      let shop = try PostGISStoreTests.imported([BasicAnnotation(id: "one")])
      let error = #expect(throws: PostGISError.self) {
        try store.layer(named: "only read", makingIt: true).replace(with: shop)
      }
      #expect(error?.code == "postgres-read-only")
      #expect("\(error!)".contains("without default_transaction_read_only"))
    }

    @Test func `a row of another program's is told with what is wrong in it, and no option`() throws
    {
      let layer = try TestServer.layer("unreadable")
      try layer.replace(with: PostGISStoreTests.imported([BasicAnnotation(id: "one")]))
      try layer.store.writing { connection throws(PostGISError) in
        try connection.run("UPDATE \(layer.table) SET feature = 'x'")
      }
      let error = #expect(throws: QueryError.self) { try layer.answer(NearbyQuery()) }
      #expect(error?.code == "unreadable-row")
      #expect("\(error!)".contains("'x' cannot stand here"), "\(error!)")
      #expect(!"\(error!)".contains("rejected"))
    }

    @Test func `PostGIS may be in any schema`() throws {
      let database = "schema\(UInt32.random(in: 0 ... .max))"
      try TestServer.store().reading { connection throws(PostGISError) in
        try connection.run("CREATE DATABASE \(database)")
      }
      let address = try #require(TestServer.address).replacing("/maps", with: "/\(database)")
      try PostGISStore(address).reading { connection throws(PostGISError) in
        try connection.run(
          "CREATE SCHEMA \"my types\"; CREATE EXTENSION postgis SCHEMA \"my types\"")
      }
      let store = try PostGISStore(address)
      try store.prepare()
      let layer = try store.layer(named: "shops", makingIt: true)
      let here = try Coordinate(latitude: 37.5, longitude: 127)
      try layer.replace(
        with: PostGISStoreTests.imported([BasicAnnotation(id: "1", coordinate: here)]))
      for limit in [1, Int.max] {
        var query = NearbyQuery(from: here, limit: limit)
        query.distances.within = .meters(10)
        #expect(try layer.answer(query).map(\.id) == ["1"])
      }
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

    @Test func `a statement that a server's own limit ends is told with the time that it took`()
      throws
    {
      let error = #expect(throws: PostGISError.self) {
        try TestServer.store().reading { connection throws(PostGISError) in
          try connection.run("SET statement_timeout = 200")
          _ = try connection.rows("SELECT pg_sleep(5)")
        }
      }
      guard case .timeLimit(let milliseconds)? = error?.reason else {
        Issue.record("\(error!)")
        return
      }
      #expect((150..<5_000).contains(milliseconds))
    }

    @Test(arguments: [
      ("53100", "postgres-full", "free space"), ("53200", "postgres-busy", "later"),
    ])
    func `a server without room is told with what to do about it`(
      state: String, code: String, remedy: String
    ) throws {
      let error = #expect(throws: PostGISError.self) {
        try TestServer.store().reading { connection throws(PostGISError) in
          try connection.run(
            "DO $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '\(state)'; END $$")
        }
      }
      #expect(error?.code == code)
      #expect("\(error!)".contains("could not extend file; ") && "\(error!)".contains(remedy))
    }

    @Test func `rows for a server that has stopped are given up in time`() throws {
      let store = try PostGISStore(#require(TestServer.address), timeLimit: 300)
      var stopped: pid_t?
      defer { if let stopped { kill(stopped, SIGCONT) } }
      let error = #expect(throws: PostGISError.self) {
        try store.writing { connection throws(PostGISError) in
          try connection.run("CREATE TEMP TABLE arrived (number integer)")
          stopped = try connection.rows("SELECT pg_backend_pid()")[0, 0].flatMap { pid_t($0) }
          try connection.copy("COPY arrived FROM STDIN (FORMAT binary)") {
            send throws(PostGISError) in
            try send(StoredRow.copyHead)
            if let stopped { kill(stopped, SIGSTOP) }
            // More than the socket holds.
            let rows = Array(
              repeatElement([0, 1, 0, 0, 0, 4, 0, 0, 0, 7] as [UInt8], count: 10_000).joined())
            for _ in 0..<1_000 { try send(rows) }
          }
        }
      }
      #expect(error?.code == "time-limit")
    }

    @Test func `rows that the server refuses leave nothing, and the next are taken`() throws {
      let store = try PostGISStore(#require(TestServer.address), connections: 1)
      func copied(_ rows: [UInt8]) throws -> Int {
        try store.writing { connection throws(PostGISError) in
          try connection.run("CREATE TEMP TABLE arrived (number integer) ON COMMIT DROP")
          try connection.copy("COPY arrived FROM STDIN (FORMAT binary)") {
            send throws(PostGISError) in
            try send(StoredRow.copyHead + rows + StoredRow.copyEnd)
          }
          return try connection.rows("SELECT * FROM arrived").count
        }
      }
      let error = #expect(throws: PostGISError.self) { try copied([0, 9, 1]) }
      #expect(error?.code == "postgres-statement")
      #expect(try copied([0, 1, 0, 0, 0, 4, 0, 0, 0, 7]) == 1)
    }
  }
#endif
