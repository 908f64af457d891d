#if PostgreSQL
  import AnnotationImport
  import BusinessHours
  import Foundation
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import NearbyTestSupport
  import Testing

  @testable import PostGISStore

  /// A server for the tests, whose address `NEARBY_POSTGRES` names; `.ci/postgres` starts one.
  enum TestServer {
    static let address = ProcessInfo.processInfo.environment["NEARBY_POSTGRES"]
    static let reason: Comment =
      "needs NEARBY_POSTGRES, the address of a server as .ci/postgres starts it"

    /// The addresses of the other servers that it knows, by the names that it gives them.
    static let others: [String: String] = {
      guard let address, let store = try? PostGISStore(address),
        let rows = try? store.reading({ connection throws(PostGISError) in
          try connection.rows(
            """
            SELECT srvname, substr(option, 6) FROM pg_foreign_server, unnest(srvoptions) AS option
            WHERE option LIKE 'host=%' AND option NOT LIKE '%/nowhere'
            """)
        })
      else { return [:] }
      var others: [String: String] = [:]
      for row in 0..<rows.count {
        others[rows[row, 0] ?? ""] = "postgres:///maps?host=\(rows[row, 1] ?? "")&user=postgres"
      }
      return others
    }()

    static func store() throws -> PostGISStore {
      let store = try PostGISStore(#require(address), connections: 4, timeLimit: 20_000)
      try store.prepare()
      return store
    }

    /// A layer of its own for a test.
    static func layer(_ name: String) throws -> PostGISLayer {
      try store().layer(named: name, makingIt: true)
    }
  }

  @Suite(.enabled(if: TestServer.address != nil, TestServer.reason))
  struct PostGISStoreTests {
    /// Annotations as a source of GeoJSON gives them.
    static func imported(_ items: [BasicAnnotation]) throws -> ImportedAnnotations {
      var features = StoredFeatures(tellAnnotations: true)
      for item in items {
        var feature = Feature(
          id: .string(item.id.text), geometry: geometry(of: item), properties: item.properties)
        StoredMember.put(item, into: &feature)
        features.append(feature)
      }
      var options = ImportOptions()
      options.requiresPositions = false
      options.allowsNullIsland = true
      return try AnnotationImporter(options: options)
        .read([.features(features)], named: "test").annotations.withoutOrigins
    }

    private static func geometry(of item: BasicAnnotation) -> Geometry? {
      guard let shape = QueryWorld.shape(of: item) else {
        return item.coordinate.map { .point(Position($0)) }
      }
      let lines = shape.lines.map { line in
        var positions: [Position] = []
        GroundShape(lines: [line]).forEachEdge { start, end in
          if positions.isEmpty {
            positions.append(Position(longitude: start.longitude, latitude: start.latitude))
          }
          positions.append(Position(longitude: end.longitude, latitude: end.latitude))
        }
        return Geometry.lineString(positions)
      }
      let areas = shape.area.polygons.map { polygon in
        let ring = polygon.outerVertices.map {
          Position(longitude: $0.longitude, latitude: $0.latitude)
        }
        return Geometry.polygon([ring + [ring[0]]])
      }
      return .geometryCollection(lines + areas)
    }

    /// What an answer says, down to the last bit.
    static func said(_ answer: NearbyAnswer<ImportedAnnotation>) -> [String] {
      var said = answer.map { result in
        var json = JSONWriter()
        if let feature = result.annotation.feature { json.feature(feature) }
        return
          "\(result.id) \(result.distance.meters.bitPattern) \(result.openStatus.map { "\($0)" } ?? "") \(json.text)"
      }
      said.append(
        "radius \(String(describing: answer.validRadius?.meters.bitPattern)) until \(String(describing: answer.validUntil)) "
          + "next \(answer.next ?? "") matched \(String(describing: answer.matched)) \(answer.facets)"
      )
      said += answer.passedOver.map { "passed \($0.id) \($0.distance.meters.bitPattern)" }
      return said
    }

    static var context: QueryContext<ImportedAnnotation> {
      QueryContext(
        hours: HoursReader(setting: HoursSetting(utcOffset: { _ in 0 })), columns: ["rating"])
    }

    static func pages(
      _ query: NearbyQuery, _ search: some AnnotationSearching<ImportedAnnotation>
    ) throws -> [[String]] {
      var query = query
      var pages: [[String]] = []
      repeat {
        do throws(QueryError) {
          let answer = try search.answer(query, in: context)
          pages.append(said(answer))
          query.after = answer.next
        } catch {
          pages.append(["\(error)"])
          query.after = nil
        }
      } while query.after != nil && pages.count < 4
      return pages
    }

    /// Of each of 16 worlds; `.ci/night postgres` asks 320 of each, 5,120 in all, of 300 annotations.
    static let questions =
      ProcessInfo.processInfo.environment["NEARBY_QUESTIONS"].flatMap { Int($0) } ?? 20

    /// Puts seeded questions to a layer, and expects what an index of the same annotations says.
    static func expectSame(
      from layer: PostGISLayer, as index: AnnotationIndex<ImportedAnnotations>,
      about world: (items: [BasicAnnotation], isOpen: [AnnotationID: Bool], origin: Coordinate),
      seed: UInt64
    ) throws {
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<questions {
        let question = try QueryWorld.question(
          world.items, world.isOpen, world.origin, using: &generator)
        let wanted = try pages(question.query, index)
        let found = try pages(question.query, layer)
        let slip = zip(found.joined(), wanted.joined()).first { $0 != $1 }
        #expect(
          found == wanted,
          "\(question.query.text) limit \(question.query.limit): \(slip?.0 ?? "fewer") in the place of \(slip?.1 ?? "more")"
        )
      }
    }

    @Test(arguments: PointSet.allCases)
    func `a layer answers as an index does`(points: PointSet) throws {
      let layer = try TestServer.layer("world \(points)")
      let count = Self.questions > 100 ? 300 : 60
      for (isShaped, seed) in [(false, UInt64(11)), (true, 12)] {
        let (items, isOpen, origin) = try QueryWorld.world(
          count, points, seed: seed, isShaped: isShaped)
        let annotations = try Self.imported(items)
        let index = AnnotationIndex(annotations)
        #expect(try layer.replace(with: annotations).count == count)
        try Self.expectSame(
          from: layer, as: index, about: (items, isOpen, origin), seed: seed)
      }
    }

    @Test func `ranks sort as ids do`() {
      var ids = [
        "0", "7", "10", "-1", "-10", "-2", "007", "a", "", "é", "9999999999999999999999",
        "-99999999999999999999", "100",
      ]
      .map { AnnotationID($0) }
      ids.sort()
      let ranks = ids.map(StoredRow.rank)
      for (left, right) in zip(ranks, ranks.dropFirst()) {
        #expect(left.lexicographicallyPrecedes(right))
      }
      #expect(ranks.count == 13)
    }

    @Test func `what is put replaces what has its id, wherever it lay`() throws {
      let layer = try TestServer.layer("moves")
      let here = try Self.imported([
        BasicAnnotation(id: "a", coordinate: Coordinate(latitude: 37, longitude: 127)),
        BasicAnnotation(id: "b", coordinate: Coordinate(latitude: 37, longitude: 127.1)),
      ])
      try layer.replace(with: here)
      // The server may have it from an earlier run.
      try layer.store.writing { connection throws(PostGISError) in
        let known = try connection.rows("SELECT to_regclass('nearby_layers.\"moves w\"')")
        if known[0, 0] == nil {
          _ = try connection.rows("SELECT nearby.add_partition('moves', 'w', 'x')")
        }
      }
      #expect(try layer.count() == 2)
      let moved = try Self.imported([
        BasicAnnotation(id: "a", coordinate: Coordinate(latitude: -33, longitude: 151))
      ])
      try layer.put(moved)
      #expect(try layer.count() == 2)
      let sydney = try Coordinate(latitude: -33, longitude: 151)
      let answer = try layer.answer(NearbyQuery(from: sydney, limit: 1))
      #expect(answer.map(\.id) == ["a"])
      #expect(answer[0].distance == .zero)
      try layer.remove(["a", "none"])
      #expect(try layer.answer(NearbyQuery(from: sydney, limit: 3)).map(\.id) == ["b"])
    }

    @Test func `a replacement counts what is new, changed, the same and gone`() throws {
      let layer = try TestServer.layer("counts")
      func items(_ latitudes: KeyValuePairs<AnnotationID, Double>) throws -> ImportedAnnotations {
        try Self.imported(
          latitudes.map {
            BasicAnnotation(
              id: $0.key, coordinate: try Coordinate(latitude: $0.value, longitude: 127))
          })
      }
      // The server may have it from an earlier run.
      try layer.replace(with: [ImportedAnnotation]())
      let first = try items(["a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6])
      #expect(
        try layer.replace(with: first) == .init(added: 6, changed: 0, unchanged: 0, removed: 0))
      let next = try items(["b": 2, "c": 3, "d": 4, "e": 9, "f": 9, "g": 7])
      #expect(
        try layer.replace(with: next) == .init(added: 1, changed: 2, unchanged: 3, removed: 1))
    }

    @Test func `a kind is the same however its letters are composed, and counted whole`() throws {
      let layer = try TestServer.layer("spellings")
      let kinds: [AnnotationKind?] = ["caf\u{E9}", "cafe\u{301}", "cafe", nil]
      let annotations = try Self.imported(
        (0..<40).map { number in
          BasicAnnotation(
            id: AnnotationID(number), kind: kinds[number % 4],
            coordinate: try Coordinate(latitude: Double(number), longitude: 0))
        })
      try layer.replace(with: annotations)
      let index = AnnotationIndex(annotations)
      let origin = try Coordinate(latitude: 0, longitude: 0)
      var ofKind = NearbyQuery(from: origin, limit: 5)
      ofKind.kinds = ["cafe\u{301}"]
      var perKind = NearbyQuery(from: origin, limit: 3)
      perKind.isPerKind = true
      var counted = perKind
      counted.facets = [.common(.kind)]
      for query in [ofKind, perKind, counted] {
        #expect(try Self.pages(query, layer) == Self.pages(query, index))
      }
    }

    @Test func `a transaction that fails changes nothing`() throws {
      let layer = try TestServer.layer("whole")
      let one = try Self.imported([BasicAnnotation(id: "one", kind: .mart)])
      try layer.replace(with: one)
      let bad = try Self.imported([
        BasicAnnotation(id: "two"), BasicAnnotation(id: "th\0ree"),
      ])
      let error = #expect(throws: PostGISError.self) { try layer.replace(with: bad) }
      #expect(error?.code == "zero-character")
      #expect(try layer.answer(NearbyQuery()).map(\.id) == ["one"])
    }

    @Test func `a layer is made with what is written first, or not at all`() throws {
      let store = try TestServer.store()
      let name = "first \(UInt32.random(in: 0 ... .max))"
      let layer = try store.layer(named: name, makingIt: true)
      #expect(try !store.layerNames().contains(name))
      let bad = try Self.imported([BasicAnnotation(id: "th\0ree")])
      #expect(throws: PostGISError.self) { try layer.replace(with: bad) }
      #expect(try !store.layerNames().contains(name))
      let one = try Self.imported([BasicAnnotation(id: "one")])
      try layer.put(one)
      let mark = try layer.mark()
      #expect(try layer.mark() == mark)
      try layer.put(Self.imported([BasicAnnotation(id: "two")]))
      #expect(try layer.mark() != mark)
      #expect(try store.layer(named: name).answer(NearbyQuery()).map(\.id) == ["one", "two"])
      // Its rows are in a table that another layer cannot be called after.
      let rest = try store.layer(named: name + " rest", makingIt: true)
      let error = #expect(throws: PostGISError.self) { try rest.replace(with: one) }
      #expect(error?.code == "taken-layer-name")
    }

    /// Equal texts in Swift.
    @Test func `names in two Unicode forms are two layers, and two properties`() throws {
      let store = try TestServer.store()
      let number = UInt32.random(in: 0 ... .max)
      let layers = ["caf\u{E9} \(number)", "cafe\u{301} \(number)"]
      #expect(throws: PostGISError.self) { try store.layer(named: layers[0]) }
      for (place, name) in layers.enumerated() {
        try store.layer(named: name, makingIt: true).replace(
          with: Self.imported([BasicAnnotation(id: AnnotationID(place))]))
        // Until there are two, the one has both names.
        let found = try store.layer(named: layers[1]).answer(NearbyQuery())
        #expect(found.map(\.id) == [AnnotationID(place)])
      }
      for (place, name) in layers.enumerated() {
        let answer = try store.layer(named: name).answer(NearbyQuery())
        #expect(answer.map(\.id) == [AnnotationID(place)])
      }
      let names = ["caf\u{E9}", "cafe\u{301}"]
      let layer = try store.layer(named: layers[0])
      try layer.replace(
        with: Self.imported([
          BasicAnnotation(
            id: "one",
            properties: Properties(
              names.map { Properties.Entry(name: $0, value: .string("x")) }))
        ]))
      let found = try layer.candidates(for: NearbyQuery(), in: QueryContext()).columns
      #expect(found.map { Array($0.utf8) } == names.map { Array($0.utf8) })
    }

    @Test func `a layer whose table somebody dropped is unknown, and made again by writing`() throws
    {
      let store = try TestServer.store()
      let name = "dropped \(UInt32.random(in: 0 ... .max))"
      let one = try Self.imported([BasicAnnotation(id: "one")])
      let layer = try store.layer(named: name, makingIt: true)
      try layer.replace(with: one)
      try store.writing { connection throws(PostGISError) in
        try connection.run("DROP TABLE \(layer.table)")
      }
      let error = #expect(throws: PostGISError.self) { try store.layer(named: name) }
      #expect(error?.code == "unknown-layer")
      try store.layer(named: name, makingIt: true).replace(with: one)
      #expect(try store.layer(named: name).answer(NearbyQuery()).map(\.id) == ["one"])
    }

    @Test func `an id of 2600 bytes is stored, and a longer one is an error`() throws {
      let layer = try TestServer.layer("long ids")
      // PostgreSQL cannot compress these.
      var generator = SeededGenerator(seed: 1)
      let letters = (0..<2_700).map { _ in
        Character(Unicode.Scalar(UInt8.random(in: 0x21...0x7E, using: &generator)))
      }
      func shop(_ length: Int) throws -> ImportedAnnotations {
        let id = AnnotationID("x" + String(letters.prefix(length - 1)))
        return try Self.imported([
          BasicAnnotation(id: id, coordinate: Coordinate(latitude: 1, longitude: 2))
        ])
      }
      try layer.replace(with: shop(2_600))
      #expect(try layer.count() == 1)
      let long = try shop(2_700)
      let error = #expect(throws: PostGISError.self) { try layer.replace(with: long) }
      #expect(error?.code == "long-id")
      #expect("\(error!)".contains("2700 bytes"))
      #expect("\(error!)".utf8.count < 400)
    }

    @Test func `nothing in ids, kinds, names or conditions is run as SQL`() throws {
      let parts = [
        "'; DROP TABLE nearby.layers; --", "\"; DROP SCHEMA nearby CASCADE; --", "') OR true --",
        "$1", "$$", "\\", "{a,b}", "%",
        "NULL", "\u{27}\u{27}", "a'b\"c\\d", "E'\\x27'",
        "x' UNION SELECT feature FROM nearby.layers --", "COPY", "\n\\.\n", "(())",
        // Marks that combine with the sign beside them.
        "\"\u{301}; DROP SCHEMA nearby CASCADE; --", "a\u{600}\" , \"\u{301}b", "'\u{301}\\\u{301}",
      ]
      let items = parts.enumerated().map { place, text in
        BasicAnnotation(
          id: AnnotationID(text), name: text, kind: AnnotationKind(rawValue: text),
          coordinate: try? Coordinate(latitude: Double(place), longitude: 10),
          properties: Properties([Properties.Entry(name: text, value: .string(text))]))
      }
      let annotations = try Self.imported(items)
      for name in parts where name.utf8.count <= 57 {
        let layer = try TestServer.layer(name)
        try layer.replace(with: annotations)
        try layer.put(annotations)
        #expect(try layer.count() == parts.count)
      }
      let layer = try TestServer.layer(parts[0])
      let index = AnnotationIndex(annotations)
      var asked = 0
      for text in parts {
        for condition in [
          Condition.comparison(.field(.common(.id)), .equal, .literal(.text(text))),
          .comparison(.field(.common(.kind)), .equal, .literal(.text(text))),
          .comparison(.field(.property(text)), .equal, .literal(.text(text))),
          .comparison(.field(.common(.name)), .equal, .literal(.text(text))),
        ] {
          var query = NearbyQuery(from: try Coordinate(latitude: 0, longitude: 10), limit: 3)
          query.condition = condition
          #expect(try Self.pages(query, layer) == Self.pages(query, index))
          query.kinds = [AnnotationKind(rawValue: text)]
          #expect(try Self.pages(query, layer) == Self.pages(query, index))
          asked += 2
        }
      }
      #expect(asked == 8 * parts.count)
      #expect(try layer.store.layerNames().contains(parts[0]))
    }

    @Test func `a store is made once, and a layer that SQL alone has made is one of it`() throws {
      let database = "old\(UInt32.random(in: 0 ... .max))"
      try TestServer.store().reading { connection throws(PostGISError) in
        try connection.run("CREATE DATABASE \(database)")
      }
      let store = try PostGISStore(
        #require(TestServer.address).replacing("/maps", with: "/\(database)"))
      try store.prepare()
      try store.prepare()
      try store.writing { connection throws(PostGISError) in
        try connection.run(
          """
          SELECT nearby.add_layer('shops');
          SELECT nearby.index_layer('shops');
          SELECT nearby.add_partition('shops', 'w', 'x')
          """)
      }
      let here = try Coordinate(latitude: 37.5, longitude: 127)
      let shops = try Self.imported([
        BasicAnnotation(id: "1", coordinate: here),
        BasicAnnotation(id: "2", coordinate: Coordinate(latitude: -33, longitude: 151)),
      ])
      let row = StoredRow(shops[0])
      try store.writing { connection throws(PostGISError) in
        _ = try connection.rows(
          """
          INSERT INTO nearby_layers.shops VALUES ($1::bytea, $2, NULL, $3, $4::geography, 0, $5)
          """,
          [
            PostGISLayer.hexadecimal(row.rank), row.id, row.cell, "POINT(127 37.5)",
            String(decoding: row.feature, as: UTF8.self),
          ])
      }
      #expect(try store.layerNames() == ["shops"])
      #expect(try store.layer().answer(NearbyQuery(from: here, limit: 1)).map(\.id) == ["1"])
      let layer = try store.layer()
      #expect(try layer.answer(NearbyQuery(from: here, limit: 1)).map(\.id) == ["1"])
      #expect(try layer.note() == "{}")
      // A note in the place of one that is no longer there is another process's business.
      for note in ["1", "2"] { try layer.remember(note, over: "{}") }
      #expect(try layer.note() == "1")
      try layer.put(shops)
      #expect(try layer.hasPlaces())
      #expect(try layer.count() == 2)
      #expect(try layer.answer(NearbyQuery(from: here, limit: 5)).map(\.id) == ["1", "2"])

      // Who may only read needs no right to make tables.
      let reader = "reader_\(database)"
      try store.writing { connection throws(PostGISError) in
        try connection.run(
          """
          CREATE ROLE \(reader) LOGIN;
          GRANT USAGE ON SCHEMA nearby, nearby_layers TO \(reader);
          GRANT SELECT ON ALL TABLES IN SCHEMA nearby, nearby_layers TO \(reader)
          """)
      }
      let reading = try PostGISStore(
        #require(TestServer.address).replacing("/maps", with: "/\(database)")
          .replacing("user=postgres", with: "user=\(reader)"))
      try reading.prepare()
      #expect(
        try reading.layer().answer(NearbyQuery(from: here, limit: 5)).map(\.id) == ["1", "2"])
      let refusal = #expect(throws: PostGISError.self) { try reading.layer().remove(["1"]) }
      #expect(refusal?.code == "postgres-denied")
    }

    @Test func `the order in the plane bounds distances on the ground`() throws {
      var generator = SeededGenerator(seed: 5)
      var tightest = Double.infinity
      for round in 0..<200_000 {
        let isNear = round % 2 == 0
        let latitude = [
          Double.random(in: -90...90, using: &generator), 90, -90, 0, 89.9,
          .random(in: 85...90, using: &generator),
        ][round % 6]
        let longitude = [
          Double.random(in: -180...180, using: &generator), 180, 179.99, -179.5, 0,
        ][round / 2 % 5]
        let a = try Coordinate(latitude: latitude, longitude: longitude)
        let step = isNear ? 0.1 : 180
        let b = try Coordinate(
          latitude: min(90, max(-90, latitude + .random(in: -step...step, using: &generator))),
          wrappingLongitude: longitude + .random(in: -step...step, using: &generator))
        let (across, along) = (b.longitude - a.longitude, b.latitude - a.latitude)
        let degrees = (across * across + along * along).squareRoot()
        let least = PlaneOrder(from: a).leastDistance(beyond: degrees)
        let meters = a.distance(to: b).meters
        #expect(least <= meters, "\(a) to \(b)")
        #expect(least <= PlaneOrder(from: a).leastDistance(beyond: degrees * 1.5))
        if degrees > 0.01, least > 0 { tightest = min(tightest, meters / least) }
      }
      // The bound is no wider than it has to be.
      #expect(tightest < 1.001)
    }
  }
#endif
