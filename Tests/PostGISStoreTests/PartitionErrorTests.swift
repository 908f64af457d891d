#if PostgreSQL
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import Testing

  @testable import PostGISStore

  /// What is told where partitions on other servers cannot be read, or not together with those here.
  @Suite(.enabled(if: TestServer.others.count > 1, "needs NEARBY_POSTGRES with two other servers"))
  struct PartitionErrorTests {
    /// By their cells: on another server, here, and on another server.
    private func annotations() throws -> ImportedAnnotations {
      try PostGISStoreTests.imported(
        [(-23.0, -46.0), (48, 2), (35, 139)].enumerated().map { number, degrees in
          BasicAnnotation(
            id: AnnotationID(number),
            coordinate: try Coordinate(latitude: degrees.0, longitude: degrees.1))
        })
    }

    @Test func `a replica answers nothing that concerns partitions on other servers`() async throws
    {
      let folder = "/tmp/nearby-replica-\(UInt32.random(in: 0 ... .max))"
      try SeveralServersTests.servers("start \(folder) one")
      defer { try? SeveralServersTests.servers("stop \(folder)") }
      try SeveralServersTests.servers("replica \(folder) copy")
      let first = try PostGISStore("postgres:///maps?host=\(folder)&user=postgres")
      try first.prepare()
      let layer = try first.layer(named: "shops", makingIt: true)
      let one = "postgres:///maps?host=\(folder)/one&user=postgres"
      try SeveralServersTests.spread(
        layer, annotations(), on: [("one", one), ("one", one)])
      try layer.replace(with: annotations())
      #expect(try layer.answer(NearbyQuery()).count == 3)

      let copied = try PostGISStore("postgres:///maps?host=\(folder)/copy&user=postgres")
        .layer(named: "shops")
      var near = NearbyQuery()
      near.area = .box(try BoundingBox(south: 40, west: 0, north: 50, east: 10))
      for _ in 0..<100 where (try? copied.answer(near).count) != 1 {
        try await Task.sleep(for: .milliseconds(100))
      }
      // What is all here is of one moment.
      let here = try copied.answer(near)
      #expect(here.map(\.id) == [1] && here.missing == nil && here.replicaLag != nil)
      let refused = #expect(throws: QueryError.self) { try copied.answer(NearbyQuery()) }
      #expect(refused?.code == "replica-of-partitions")
      for work in [{ try copied.count() }, { try copied.features().count }] as [() throws -> Int] {
        let refused = #expect(throws: PostGISError.self) { try work() }
        #expect(refused?.code == "replica-of-partitions")
        #expect("\(refused!)".contains("target_session_attrs=read-write"))
      }
    }

    @Test func `an error of a partition's server names that server`() throws {
      let other = TestServer.others.keys.sorted()[0]
      let annotations = try annotations()
      let layer = try TestServer.layer("faulty \(UInt32.random(in: 0 ... .max))")
      let address = try #require(TestServer.others[other])
      let bounds = try SeveralServersTests.spread(
        layer, annotations, on: [(other, address), (other, address)])
      try layer.replace(with: annotations)
      let theirs = try PostGISStore(address)
      let table = "nearby_layers.\("\(layer.name) \(bounds[0].low)".quoted(by: "\""))"

      // What waits for a lock has not answered; reading all of it needs it.
      try theirs.writing { connection throws(PostGISError) in
        try connection.run("LOCK TABLE \(table)")
        let hasty = try PostGISStore(TestServer.address!, timeLimit: 1_500)
          .layer(named: layer.name)
        do throws(QueryError) {
          let answer = try hasty.answer(NearbyQuery())
          #expect(answer.map(\.id) == [1] && answer.missing?.names == [other])
        } catch {
          Issue.record(error)
        }
        do throws(PostGISError) {
          _ = try hasty.count()
          Issue.record("it was counted")
        } catch {
          #expect(error.code == "time-limit" && "\(error)".contains("\"\(other)\""))
        }
      }
      try theirs.writing { connection throws(PostGISError) in
        try connection.run("DROP TABLE \(table)")
      }
      let refused = #expect(throws: QueryError.self) { try layer.answer(NearbyQuery()) }
      let uncounted = #expect(throws: PostGISError.self) { try layer.count() }
      for error in [refused.map { "\($0)" }, uncounted.map { "\($0)" }] {
        #expect(error?.contains("server \"\(other)\": ") ?? false, "\(error ?? "")")
        #expect(error?.contains("does not exist") ?? false, "\(error ?? "")")
      }
    }

    @Test func `a server that refuses the mapping is told with its reason`() throws {
      let gone = try SeveralServersTests.lostServer()
      let layer = try SeveralServersTests.layer(
        "refused", for: annotations(),
        on: [TestServer.others.keys.sorted()[0], gone])
      let error = #expect(throws: PostGISError.self) { try layer.count() }
      #expect(error?.code == "partition-unreachable")
      #expect("\(error!)".contains("could not connect to server \"\(gone)\": "), "\(error!)")
      #expect("\(error!)".contains("/nowhere"), "\(error!)")
    }
  }
#endif
