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
    ///
    /// - Parameter count: How many on each: the others lie a degree to the northeast of the first, 1.3 km apart.
    private func annotations(each count: Int = 1) throws -> ImportedAnnotations {
      let places: [(latitude: Double, longitude: Double)] = [(-23, -46), (48, 2), (35, 139)]
      var items: [BasicAnnotation] = []
      for step in 0..<count {
        for place in places {
          let way = step == 0 ? 0 : 1 + Double(step) / 100
          items.append(
            BasicAnnotation(
              id: AnnotationID(items.count),
              coordinate: try Coordinate(
                latitude: place.latitude + way, longitude: place.longitude + way)))
        }
      }
      return try PostGISStoreTests.imported(items)
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
        layer, annotations(each: 3), on: [("one", one), ("one", one)])
      try layer.replace(with: annotations(each: 3))
      #expect(try layer.answer(NearbyQuery()).count == 9)

      let copied = try PostGISStore("postgres:///maps?host=\(folder)/copy&user=postgres")
        .layer(named: "shops")
      var near = NearbyQuery()
      // All cells to the northeast come behind that of the first annotation here, where the partition begins.
      near.area = .box(try BoundingBox(south: 48.5, west: 2.5, north: 55, east: 10))
      for _ in 0..<100 where (try? copied.answer(near).count) != 2 {
        try await Task.sleep(for: .milliseconds(100))
      }
      // What is all here is of one moment.
      let here = try copied.answer(near)
      #expect(here.map(\.id) == [4, 7] && here.missing == nil && here.replicaLag != nil)
      // So is what is near a place here, and farther away from all that is not.
      for (limit, within, ids) in [
        (1, .infinity, [4]), (10, .kilometers(1), [4]),
      ] as [(Int, Distance, [AnnotationID])] {
        var query = NearbyQuery(
          from: try Coordinate(latitude: 49.01, longitude: 3.01), limit: limit)
        query.distances.within = within
        #expect(try copied.answer(query).map(\.id) == ids)
      }
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
      let unwritten = #expect(throws: PostGISError.self) { try layer.replace(with: annotations) }
      for error in [
        refused.map { "\($0)" }, uncounted.map { "\($0)" }, unwritten.map { "\($0)" },
      ] {
        #expect(error?.contains("server \"\(other)\": ") ?? false, "\(error ?? "")")
        #expect(error?.contains("does not exist") ?? false, "\(error ?? "")")
      }
    }

    @Test func `a server whose cells are too far away is not missing`() throws {
      let gone = try SeveralServersTests.lostServer()
      let layer = try SeveralServersTests.layer(
        "far", for: annotations(), on: [TestServer.others.keys.sorted()[0], gone])
      let kept = try annotations().prefix(2).map { BasicAnnotation(copying: $0) }
      try SeveralServersTests.put(PostGISStoreTests.imported(kept), into: layer)
      // The cells of the lost one, from Japan on, are nearer than the next annotation.
      var query = NearbyQuery(from: try Coordinate(latitude: 30, longitude: 100), limit: 10)
      #expect(try layer.answer(query).missing?.names == [gone])
      query.distances.within = .meters(1_000)
      let answer = try layer.answer(query)
      #expect(answer.isEmpty && answer.missing == nil)
      // How far one may walk until something comes into reach depends on the lost one, too.
      #expect(answer.validRadius == .zero)
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
