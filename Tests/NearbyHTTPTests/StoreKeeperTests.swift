#if Store
  import AnnotationImport
  import AnnotationSources
  import Foundation
  import MapAnnotations
  import NearbyTestSupport
  import Synchronization
  import Testing

  @testable import NearbyHTTP
  @testable import SQLiteStore

  /// A layer of a store that clients write to, and other programs as well.
  @Suite struct StoreKeeperTests {
    private let folder: Folder
    private let a = "id,name,latitude,longitude\na,A,37.5,127\n"

    init() throws { folder = try Folder() }

    private func path(_ name: String) -> String { folder.path(name) }

    /// Writes a layer, as another program does.
    private func fill(
      _ rows: String, _ name: String = "p.gpkg", layer: String = "shops"
    ) throws {
      try AnnotationStore(path(name)).apply(
        LayerUpdate(layer: layer, refreshed: Served.noon), try Served.annotations(rows))
    }

    /// - Parameter reads: Counts how often the layer is read.
    private func serve(
      layer: String = "shops", beside other: StoreKeeper? = nil, reads: Reads = Reads()
    ) throws -> (NearbyService, StoreKeeper) {
      let file = path("p.gpkg")
      let load: @Sendable () throws(ReportedError) -> ImportedAnnotations = {
        () throws(ReportedError) in
        reads.count.withLock { $0 += 1 }
        var reading = SourceReading()
        reading.layer = layer
        return try Source.annotations(of: [FileName(bytes: Array(file.utf8))], reading)
      }
      let keeper = try StoreKeeper(
        file, layer: layer, beside: other, load: load, now: { Served.noon })
      return (Served.service(try load(), keeper: keeper), keeper)
    }

    private final class Reads: Sendable {
      let count = Mutex(0)
    }

    private func put(
      _ service: NearbyService, _ id: String, _ headers: [String: String] = [:]
    ) -> ServerAnswer {
      service.send("PUT", "/collections/shops/items/\(id)", feature(id, 38), headers)
    }

    @Test func `a row of a table that a client changes stays one`() throws {
      try fill("id,name,rating,latitude,longitude\na,A,4,37.5,127\n")
      let (service, _) = try serve()
      let item = "/collections/shops/items/a"
      for (old, new, rating) in [
        ("\"A\"", "\"B\"", PropertyValue.string("4")), ("\"4\"", "5", .number("5")),
      ] {
        let body = service.get(item).text.replacing(old, with: new)
        #expect(service.send("PUT", item, body).status < 300)
        let stored = try AnnotationStore(path("p.gpkg")).annotation("a", in: "shops")
        #expect(stored?.feature == nil && stored?.name == "B", "\(body)")
        #expect(stored?.properties["rating"] == rating, "\(body)")
      }
    }

    @Test func `a change by another program that a client's write follows is shown`() throws {
      try fill(a)
      let (service, keeper) = try serve()
      try fill(a + "b,B,37.6,127\n")
      #expect(put(service, "c").status == 201)
      #expect(try service.get("/collections/shops/items").ids == ["a", "b", "c"])
      #expect(try keeper.news().map(\.count) == nil)
      try fill(a)
      #expect(try service.collections[0].replace { try keeper.news() } == (0, 2))
      #expect(try service.get("/collections/shops/items").ids == ["a"])
    }

    /// What becomes of a store while it is served.
    enum Loss: CaseIterable {
      case deleted, replaced, replacedWithLog, moved, emptied, cutOff
    }

    private func lose(_ loss: Loss) throws {
      let file = path("p.gpkg")
      switch loss {
      case .deleted: #expect(unlink(file) == 0)
      case .moved: #expect(rename(file, path("away.gpkg")) == 0)
      case .emptied: #expect(truncate(file, 0) == 0)
      case .cutOff: #expect(truncate(file, 5_000) == 0)
      case .replaced, .replacedWithLog:
        try replace("id,name,latitude,longitude\nother,O,37.5,127\n")
        guard loss == .replacedWithLog else { return }
        #expect(unlink(file + "-wal") == 0 && unlink(file + "-shm") == 0)
      }
    }

    /// Puts another store in the place of the one that is served.
    private func replace(_ rows: String) throws {
      try fill(rows, "new.gpkg")
      #expect(rename(path("new.gpkg"), path("p.gpkg")) == 0)
    }

    private func ids(_ name: String) throws -> [AnnotationID] {
      try AnnotationStore(path(name), .readOnly).annotations(in: "shops").map(\.id)
    }

    @Test(arguments: Loss.allCases)
    func `nothing is acknowledged that goes into a store that is lost`(loss: Loss) throws {
      try fill(a)
      let (service, keeper) = try serve()
      let items = "/collections/shops/items"
      func health() -> String { service.get("/healthz").text }
      #expect(put(service, "b").status == 201)
      try lose(loss)
      let refused = put(service, "c")
      #expect(refused.status == 503 && refused.code == "store-replaced")
      #expect(refused.header("retry-after") == "5")
      #expect(refused.text.contains(" p.gpkg ") || refused.text.contains(#""p.gpkg "#))
      #expect(!(refused.text + health()).contains(folder.url.lastPathComponent))
      #expect(try service.get(items).ids == ["a", "b"])
      #expect(health().contains(#""status":"stale""#) && health().contains("p.gpkg"))
      if loss == .moved { #expect(try ids("away.gpkg") == ["a", "b"]) }
      #expect(throws: ReportedError.self) { try keeper.news(reopening: false) }

      // A log of the lost store would be read into this one.
      try replace("id,name,latitude,longitude\nn,N,37.5,127\n")
      #expect(try service.collections[0].replace { try keeper.news() } == (1, 2))
      #expect(put(service, "c").status == 201)
      #expect(health().contains(#""status":"ok""#))
      #expect(try service.get(items).ids == ["c", "n"])
      #expect(try ids("p.gpkg") == ["n", "c"])
      try keeper.checkPlace()
    }

    @Test func `a write to a layer that another program dropped may be tried again later`() throws {
      try fill(a)
      let (service, _) = try serve()
      try AnnotationStore(path("p.gpkg")).removeLayer("shops")
      let refused = put(service, "b")
      #expect(refused.status == 503 && refused.code == "unknown-layer")
      #expect(service.get("/healthz").text.contains(#""status":"stale""#))
      try fill(a)
      #expect(put(service, "b").status == 201)
      #expect(service.get("/healthz").text.contains(#""status":"ok""#))
    }

    @Test func `a write to a layer of which a column is renamed may be tried again later`() throws {
      try fill(a)
      let (service, _) = try serve()
      let other = try Connection(path("p.gpkg"), .readWrite)
      try other.execute("ALTER TABLE shops RENAME COLUMN geom TO shape")
      let refused = put(service, "b")
      #expect(refused.status == 503 && refused.code == "column-missing")
      #expect(refused.text.contains(#"of p.gpkg has no column \"geom\" any more"#))
      #expect(service.get("/healthz").text.contains(#""status":"stale""#))
      try other.execute("ALTER TABLE shops RENAME COLUMN shape TO geom")
      #expect(put(service, "b").status == 201)
      #expect(service.get("/healthz").text.contains(#""status":"ok""#))
    }

    @Test func `a write does not wait for another program longer than for its turn`() throws {
      try fill(a)
      let (service, _) = try serve()
      var request = ServerRequest(
        "DELETE", "/collections/shops/items/a",
        headers: ["authorization": "Bearer \(Served.token)"])
      request.deadline = .now
      try AnnotationStore(path("p.gpkg")).writing(patience: 0) {
        let refused = service.answer(request)
        #expect(refused.status == 503 && refused.code == "store-busy")
        #expect(refused.header("retry-after") == "5")
        // Otherwise it would say how long.
        #expect(refused.text.contains("another program is writing to p.gpkg; try again"))
        #expect(service.get("/healthz").text.contains(#""status":"ok""#))
      }
      #expect(service.answer(request).status == 204)
    }

    @Test func `a store that has another name at the end leaves no log for the next one`() throws {
      try fill(a)
      let (service, keeper) = try serve()
      #expect(put(service, "b").status == 201)
      try lose(.replaced)
      #expect(throws: ReportedError.self) { try keeper.checkPlace() }
      #expect(try ids("p.gpkg") == ["other"])
    }

    @Test func `a write to one layer does not have the others read again`() throws {
      try fill(a)
      try fill(a, layer: "cinemas")
      let reads = Reads()
      let (shops, first) = try serve()
      let (cinemas, second) = try serve(layer: "cinemas", beside: first, reads: reads)
      for id in ["c", "d"] {
        #expect(put(shops, id).status == 201 && put(cinemas, id).status == 201)
      }
      #expect(try first.news().map(\.count) == nil && second.news().map(\.count) == nil)
      #expect(reads.count.withLock { $0 } == 1)
      try fill(a, layer: "cinemas")
      #expect(try second.news().map(\.count) == 1)
    }

    @Test func `nobody overwrites what another program has changed without knowing it`() throws {
      try fill(a)
      let (service, _) = try serve()
      let tag = service.get("/collections/shops/items/a").header("etag") ?? ""
      try fill("id,name,latitude,longitude\na,changed,37.5,127\n")
      #expect(put(service, "a", ["if-match": tag]).status == 412)
      let now = service.get("/collections/shops/items/a")
      #expect(now.text.contains(#""name":"changed""#))
      #expect(put(service, "a", ["if-match": now.header("etag") ?? ""]).status == 204)
    }
  }
#endif
