#if PostgreSQL
  import AnnotationImport
  import BusinessHours
  import Foundation
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import NearbyTestSupport
  import SpatialIndexing
  import Testing

  @testable import PostGISStore

  /// Layers of which some partitions are other servers', as `.ci/postgres start FOLDER one two` starts them.
  @Suite(.enabled(if: TestServer.others.count > 1, "needs NEARBY_POSTGRES with two other servers"))
  struct SeveralServersTests {
    /// A layer in three parts by their cells: the first and last third of what is to come on two other servers.
    ///
    /// - Parameter servers: Of the first and of the last third.
    static func layer(
      _ name: String, for annotations: ImportedAnnotations, on servers: [String]
    ) throws -> PostGISLayer {
      let layer = try TestServer.layer("\(name) \(UInt32.random(in: 0 ... .max))")
      try spread(layer, annotations, on: servers.map { ($0, TestServer.others[$0]) })
      return layer
    }

    @discardableResult
    static func spread(
      _ layer: PostGISLayer, _ annotations: ImportedAnnotations,
      on servers: [(name: String, address: String?)]
    ) throws -> [(server: String, low: String, high: String)] {
      // The first writing makes its tables.
      try layer.replace(with: [ImportedAnnotation]())
      let cells = annotations.compactMap(\.coordinate).map { "\(Geohash($0, precision: 12))" }
        .sorted()
      let first = cells[cells.count / 3], second = max(cells[cells.count * 2 / 3], first + "0")
      let bounds = [(servers[0], "0", first), (servers[1], second, "~")].filter { $0.1 < $0.2 }
      for (server, low, high) in bounds {
        if let address = server.address {
          let store = try PostGISStore(address)
          try store.prepare()
          try store.writing { connection throws(PostGISError) in
            _ = try connection.rows("SELECT nearby.add_table($1)", ["\(layer.name) \(low)"])
          }
        }
        try layer.store.writing { connection throws(PostGISError) in
          _ = try connection.rows(
            "SELECT nearby.add_partition($1, $2, $3)", [layer.name, low, high])
          _ = try connection.rows(
            "SELECT nearby.move_partition($1, $2, $3)", [layer.name, low, server.name])
        }
      }
      return bounds.map { ($0.0.name, $0.1, $0.2) }
    }

    /// The name of a server that the first one knows and nobody can reach.
    static func lostServer() throws -> String {
      let gone = "gone \(UInt32.random(in: 0 ... .max))"
      try TestServer.store().writing { connection throws(PostGISError) in
        try connection.run(
          """
          CREATE SERVER "\(gone)" FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '/nowhere',
            extensions 'postgis', use_remote_estimate 'true', connect_timeout '2');
          CREATE USER MAPPING FOR PUBLIC SERVER "\(gone)" OPTIONS (user 'postgres')
          """)
      }
      return gone
    }

    @Test(arguments: PointSet.allCases)
    func `three servers answer as an index does`(points: PointSet) throws {
      let count = PostGISStoreTests.questions > 100 ? 300 : 60
      for (isShaped, seed) in [(false, UInt64(21)), (true, 22)] {
        let (items, isOpen, origin) = try QueryWorld.world(
          count, points, seed: seed, isShaped: isShaped)
        let annotations = try PostGISStoreTests.imported(items)
        let index = AnnotationIndex(annotations)
        let layer = try Self.layer(
          "spread \(points)", for: annotations, on: TestServer.others.keys.sorted())
        #expect(try layer.replace(with: annotations).count == count)
        #expect(try layer.replace(with: annotations).unchanged == count)
        #expect(try layer.count() == count)
        try PostGISStoreTests.expectSame(
          from: layer, as: index, about: (items, isOpen, origin), seed: seed)
      }
    }

    @Test(arguments: [PointSet.uniform, .seamStraddling, .city])
    func `what a server that does not answer has is missing, and the certain results are right`(
      points: PointSet
    ) throws {
      let (items, isOpen, origin) = try QueryWorld.world(90, points, seed: 31)
      let annotations = try PostGISStoreTests.imported(items)
      let gone = try Self.lostServer()
      let there = TestServer.others.keys.sorted()[0]
      let layer = try Self.layer("lost \(points)", for: annotations, on: [there, gone])
      let parts = try layer.store.reading { connection throws(PostGISError) in
        try connection.rows(
          "SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE relkind = 'f' AND relname LIKE $1",
          ["lost \(points) %"])
      }
      #expect(parts.count >= 2)
      // What would be in the lost partition cannot be written, and nothing is.
      let refusal = #expect(throws: PostGISError.self) { try layer.replace(with: annotations) }
      #expect(refusal?.code == "partition-unreachable")
      let cells = annotations.map { $0.coordinate.map { "\(Geohash($0, precision: 12))" } }
      let placed = cells.compactMap { $0 }.sorted()
      let second = max(placed[placed.count * 2 / 3], placed[placed.count / 3] + "0")
      let kept = try PostGISStoreTests.imported(
        items.filter { item in
          item.coordinate.map { "\(Geohash($0, precision: 12))" < second } ?? true
        })
      // Removing touches the lost partition, too; putting what it cannot have does not.
      try Self.put(kept, into: layer)
      let whole = AnnotationIndex(annotations), rest = AnnotationIndex(kept)
      var generator = SeededGenerator(seed: 32)
      var incomplete = 0, certain = 0
      for _ in 0..<60 {
        var query = try QueryWorld.question(items, isOpen, origin, using: &generator).query
        query.after = nil
        let context = PostGISStoreTests.context
        guard let found = try? layer.answer(query, in: context) else { continue }
        let wanted = try rest.answer(query, in: context)
        let complete = try whole.answer(query, in: context)
        guard let missing = found.missing else {
          // What is lost may be too far away to be in the answer, but not for one who moves.
          if found.validRadius == .zero {
            #expect(found.map(\.id) == complete.map(\.id), "\(query.text)")
            continue
          }
          #expect(
            PostGISStoreTests.said(found) == PostGISStoreTests.said(complete), "\(query.text)")
          continue
        }
        incomplete += 1
        certain += missing.certainCount
        #expect(missing.names == [gone])
        #expect(found.map(\.id) == wanted.map(\.id), "\(query.text)")
        #expect(
          found.prefix(missing.certainCount).map(\.id)
            == complete.prefix(missing.certainCount).map(\.id), "\(query.text)")
        #expect(query.origin == nil || found.validRadius == .zero)
      }
      #expect(incomplete > 5)
      // Where all lies close together nothing is nearer than the edge of what is lost.
      #expect(certain > 0 || points != .uniform)
    }

    /// Puts annotations into the partitions that can be reached.
    static func put(_ annotations: ImportedAnnotations, into layer: PostGISLayer) throws {
      let name = layer.name
      // All that is put is new: nothing has to be removed, which would ask the lost server.
      let staging = try TestServer.layer(name + " s")
      try staging.replace(with: annotations)
      try layer.store.writing { connection throws(PostGISError) in
        _ = try connection.rows("INSERT INTO \(layer.table) SELECT * FROM \(staging.table)")
        _ = try connection.rows(
          """
          UPDATE nearby.layers AS l SET fields = s.fields, kinds = s.kinds, has_unnamed = s.has_unnamed,
            sizes = s.sizes FROM nearby.layers AS s WHERE l.name = $1 AND s.name = $2
          """, [name, name + " s"])
      }
    }

    @Test func `an id that moves between servers is there once, for every reader`() async throws {
      let places = try [
        Coordinate(latitude: -40, longitude: -70), Coordinate(latitude: 60, longitude: 170),
      ]
      let sides = try places.map { place in
        try PostGISStoreTests.imported([
          BasicAnnotation(id: "mover", coordinate: place)
        ])
      }
      let both = try PostGISStoreTests.imported(
        places.enumerated().map { BasicAnnotation(id: AnnotationID($0), coordinate: $1) })
      let layer = try Self.layer("moving", for: both, on: TestServer.others.keys.sorted())
      try layer.replace(with: sides[0])
      try await withThrowingTaskGroup(of: Int.self) { group in
        group.addTask {
          for round in 0..<60 { try layer.put(sides[(round + 1) % 2]) }
          return 0
        }
        group.addTask {
          var wrong = 0
          for _ in 0..<300 {
            if try layer.answer(NearbyQuery()).map(\.id) != ["mover"] { wrong += 1 }
          }
          return wrong
        }
        group.addTask {
          var wrong = 0
          for _ in 0..<150 {
            if try layer.features().count != 1 { wrong += 1 }
            if try layer.count() != 1 { wrong += 1 }
          }
          return wrong
        }
        for try await wrong in group { #expect(wrong == 0) }
      }
    }

    /// What two tasks tell each other: a class, since both cannot capture a value that is not copied.
    private final class Course: Sendable {
      let isOver = SharedValue(false)
      /// The servers that the last answer lacks.
      let lost = SharedValue<[String]>([])
    }

    /// Runs `.ci/postgres`; by the shell, since `Process` waits for the servers that it leaves, too.
    static func servers(_ arguments: String) throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      let status = system("\(root.path)/.ci/postgres \(arguments) >/dev/null")
      try #require(status == 0, "\(arguments)")
    }

    /// Each fault ends only when an answer was marked for it, and the next comes only when one was whole again, so
    /// that whoever waits for a server that hangs waits here for ever.
    @Test(.timeLimit(.minutes(10)))
    func `servers that crash or hang leave no answer wrong, and are asked again`() async throws {
      let folder = "/tmp/nearby-servers-\(UInt32.random(in: 0 ... .max))"
      try Self.servers("start \(folder) one two")
      defer { try? Self.servers("stop \(folder)") }
      let address = "postgres:///maps?host=\(folder)&user=postgres"
      let store = try PostGISStore(address, connections: 4, timeLimit: 2_000)
      try store.prepare()
      let layer = try store.layer(named: "shops", makingIt: true)
      let (items, _, _) = try QueryWorld.world(300, .uniform, seed: 41)
      let annotations = try PostGISStoreTests.imported(items)
      let bounds = try Self.spread(
        layer, annotations,
        on: [
          ("one", "postgres:///maps?host=\(folder)/one&user=postgres"),
          ("two", "postgres:///maps?host=\(folder)/two&user=postgres"),
        ])
      try layer.replace(with: annotations)

      let index = AnnotationIndex(annotations)
      // What is left without some servers.
      var without: [[String]: AnnotationIndex<ImportedAnnotations>] = [:]
      for lost in [["one"], ["two"], ["one", "two"]] {
        let kept = items.filter { item in
          guard let coordinate = item.coordinate else { return true }
          let cell = "\(Geohash(coordinate, precision: 12))"
          return !bounds.contains { lost.contains($0.server) && $0.low <= cell && cell < $0.high }
        }
        without[lost] = AnnotationIndex(try PostGISStoreTests.imported(kept))
      }
      let rest = without
      let course = Course()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          defer { course.isOver.withLock { $0 = true } }
          for (fault, end, server) in [("kill", "again", "two"), ("pause", "resume", "one")] {
            try Self.servers("\(fault) \(folder)/\(server)")
            while course.lost.withLock({ $0 != [server] }) {
              try await Task.sleep(for: .milliseconds(20))
            }
            // In the midst of questions that know of it, too.
            try await Task.sleep(for: .seconds(1))
            try Self.servers("\(end) \(folder)/\(server)")
            while course.lost.withLock({ $0 != [] }) {
              try await Task.sleep(for: .milliseconds(20))
            }
          }
        }
        group.addTask {
          var generator = SeededGenerator(seed: 42)
          var asked = 0
          while !course.isOver.withLock({ $0 }) || asked < PostGISStoreTests.questions * 30 {
            try Task.checkCancellation()
            let origin = try Coordinate(
              latitude: .random(in: -90...90, using: &generator),
              longitude: .random(in: -180..<180, using: &generator))
            var query = NearbyQuery(from: origin, limit: 5)
            if asked % 3 == 0 {
              query.area = .box(BoundingBox(around: origin, radius: .meters(3e6)))
            }
            let answer = try layer.answer(query)
            asked += 1
            let whole = try index.answer(query)
            let missing = answer.missing
            let names = missing?.names ?? []
            course.lost.withLock { $0 = names }
            guard let missing else {
              #expect(
                answer.map(\.id) == whole.map(\.id) && answer.validRadius == whole.validRadius)
              continue
            }
            #expect(try answer.map(\.id) == rest[names]?.answer(query).map(\.id))
            let certain = missing.certainCount
            #expect(answer.prefix(certain).map(\.id) == whole.prefix(certain).map(\.id))
          }
        }
        try await group.waitForAll()
      }
      // Both are back, and nothing here was started again. On a busy machine that may take a moment longer.
      var all = try layer.answer(NearbyQuery())
      for _ in 0..<100 where all.missing != nil {
        try await Task.sleep(for: .milliseconds(100))
        all = try layer.answer(NearbyQuery())
      }
      #expect(all.missing == nil)
      #expect(all.count == items.count)
      try layer.put(annotations)
    }

    @Test func `a replica answers, and says how far behind it may be`() async throws {
      let folder = "/tmp/nearby-replica-\(UInt32.random(in: 0 ... .max))"
      try Self.servers("start \(folder)")
      defer { try? Self.servers("stop \(folder)") }
      try Self.servers("replica \(folder) copy")
      let first = try PostGISStore("postgres:///maps?host=\(folder)&user=postgres")
      try first.prepare()
      let layer = try first.layer(named: "shops", makingIt: true)
      let shop = try PostGISStoreTests.imported([BasicAnnotation(id: "old")])
      try layer.replace(with: shop)
      #expect(try layer.answer(NearbyQuery()).replicaLag == nil)

      // Of two hosts libpq takes the replica, where one is wanted.
      let copy = try PostGISStore(
        "postgres:///maps?host=\(folder),\(folder)/copy&user=postgres&target_session_attrs=prefer-standby"
      )
      func ids() throws -> (ids: [AnnotationID], lag: Double?) {
        let answer = try copy.layer(named: "shops").answer(NearbyQuery())
        return (answer.map(\.id), answer.replicaLag)
      }
      for _ in 0..<100 where (try? copy.layerNames()) != ["shops"] {
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(try ids().ids == ["old"])
      #expect(try #require(ids().lag) >= 0)
      _ = try copy.reading { connection throws(PostGISError) in
        try connection.rows("SELECT pg_wal_replay_pause()")
      }
      try layer.replace(with: PostGISStoreTests.imported([BasicAnnotation(id: "new")]))
      for _ in 0..<100 where try ids().lag == 0 { try await Task.sleep(for: .milliseconds(100)) }
      #expect(try ids().ids == ["old"])
      #expect(try #require(ids().lag) > 0)
      _ = try copy.reading { connection throws(PostGISError) in
        try connection.rows("SELECT pg_wal_replay_resume()")
      }
      for _ in 0..<100 where try ids().ids != ["new"] {
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(try ids().ids == ["new"])
      // Nothing can be written there.
      for name in ["shops", "others"] {
        let refusal = #expect(throws: PostGISError.self) {
          try copy.layer(named: name, makingIt: true).replace(with: shop)
        }
        #expect(refusal?.code == "postgres-read-only")
        #expect("\(refusal!)".contains("target_session_attrs=read-write"))
      }
    }

    @Test func `a partition is not moved to a table that lacks its rows`() throws {
      let server = TestServer.others.keys.sorted()[0]
      let layer = try TestServer.layer("unmoved \(UInt32.random(in: 0 ... .max))")
      try layer.replace(
        with: PostGISStoreTests.imported([
          BasicAnnotation(id: "one", coordinate: Coordinate(latitude: 37.5, longitude: 127))
        ]))
      let other = try PostGISStore(#require(TestServer.others[server]))
      try other.prepare()
      try other.writing { connection throws(PostGISError) in
        _ = try connection.rows("SELECT nearby.add_table($1)", [layer.name + " w"])
      }
      let error = #expect(throws: PostGISError.self) {
        try layer.store.writing { connection throws(PostGISError) in
          _ = try connection.rows("SELECT nearby.add_partition($1, 'w', 'x')", [layer.name])
          _ = try connection.rows(
            "SELECT nearby.move_partition($1, 'w', $2)", [layer.name, server])
        }
      }
      #expect("\(error!)".contains("has 0 of the 1 rows"), "\(error!)")
      #expect(try layer.count() == 1)
    }

    @Test func `a user mapping that serves superusers only is told as the reason`() throws {
      let (items, _, _) = try QueryWorld.world(60, .city, seed: 41)
      let layer = try Self.layer(
        "mapped", for: PostGISStoreTests.imported(items), on: TestServer.others.keys.sorted())
      let user = "mapped_\(UInt32.random(in: 0 ... .max))"
      try layer.store.writing { connection throws(PostGISError) in
        try connection.run(
          """
          CREATE ROLE \(user) LOGIN;
          GRANT USAGE ON SCHEMA nearby, nearby_layers TO \(user);
          GRANT SELECT ON nearby.steps, nearby.layers, \(layer.table) TO \(user)
          """)
      }
      let store = try PostGISStore(
        #require(TestServer.address).replacing("user=postgres", with: "user=\(user)"))
      let error = #expect(throws: PostGISError.self) { try store.layer(named: layer.name).count() }
      #expect(error?.code == "postgres-denied")
      #expect("\(error!)".contains("user mapping"))
    }

    @Test func `a missing or wrong password is an error of its own, in the server's words`() throws
    {
      let folder = "/tmp/nearby-password-\(UInt32.random(in: 0 ... .max))"
      try Self.servers("start \(folder)")
      defer { try? Self.servers("stop \(folder)") }
      let address = "postgres:///maps?host=\(folder)&user=postgres"
      try PostGISStore(address).writing { connection throws(PostGISError) in
        try connection.run("ALTER ROLE postgres PASSWORD 'a'")
      }
      try "local all all scram-sha-256\n".write(
        toFile: "\(folder)/data/pg_hba.conf", atomically: false, encoding: .utf8)
      try Self.servers("kill \(folder)")
      try Self.servers("again \(folder)")
      for (password, words) in [
        ("", "no password supplied"),
        ("&password=o", "password authentication failed for user \"postgres\""),
      ] {
        let store = try PostGISStore(address + password)
        let error = #expect(throws: PostGISError.self) { try store.layerNames() }
        #expect(error?.code == "postgres-password")
        #expect("\(error!)".contains(words) && "\(error!)".contains("~/.pgpass"))
      }
      let right = try PostGISStore(address + "&password=a")
      #expect(throws: PostGISError(right.server, .notAStore)) { try right.layerNames() }
    }

    @Test func `bounds of partitions are cells`() throws {
      func part(_ bound: String) -> LayerPart {
        LayerPart(table: "x", server: nil, bound: "FOR VALUES FROM \(bound)")
      }
      let seoul = try Coordinate(latitude: 37.57, longitude: 126.97)
      #expect(part("('w') TO ('x')").boxes == [try Geohash("w").box])
      #expect(part("('w') TO ('x')").leastDistance(from: seoul) == 0)
      #expect(part("('x') TO ('y')").leastDistance(from: seoul) > 700_000)
      #expect(LayerPart(table: "x", server: nil, bound: "DEFAULT").boxes == nil)
      #expect(part("(MINVALUE) TO (MAXVALUE)").leastDistance(from: seoul) == 0)
      #expect(part("('') TO ('~')").leastDistance(from: seoul) == 0)
      // No cell begins with one of a, i, l, o.
      #expect(part("('a') TO ('b')").boxes == [])
      #expect(part("('it''s') TO ('j')").boxes == [])
      var generator = SeededGenerator(seed: 7)
      for _ in 0..<2_000 {
        func text() -> String {
          String(
            (0..<Int.random(in: 1...13, using: &generator)).map { _ in
              "0123456789abcdefghijklmnopqrstuvwxyzAZ~'".randomElement(using: &generator)!
            })
        }
        let bounds = [text(), text()].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let literals = bounds.map { "('" + $0.replacing("'", with: "''") + "')" }
        let part = part(literals.joined(separator: " TO "))
        let place = try Coordinate(
          latitude: .random(in: -90...90, using: &generator),
          longitude: .random(in: -180..<180, using: &generator))
        let cell = "\(Geohash(place, precision: 12))".utf8
        let isInside =
          !cell.lexicographicallyPrecedes(bounds[0].utf8)
          && cell.lexicographicallyPrecedes(bounds[1].utf8)
        if isInside { #expect(part.leastDistance(from: place) == 0, "\(bounds) \(place)") }
        let boxes = part.boxes ?? []
        #expect(boxes.count <= 80)
      }
    }
  }
#endif
