#if Store
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbyTestSupport
  import Testing

  @testable import AnnotationSources
  @testable import SQLiteStore

  /// Several sources that are imported into one store.
  @Suite struct DeliveryTests {
    private let folder: Folder
    private let place: StorePlace

    init() throws {
      folder = try Folder()
      place = .file(FileName(folder.path("s.gpkg")), makesFolder: false)
    }

    private func delivery(
      _ layer: String, _ rows: String, header: String = "name,lat,lon"
    ) throws -> StorePlace.Delivery {
      (
        LayerUpdate(layer: layer, refreshed: Instant(milliseconds: 0)),
        try AnnotationImporter().read(Array("\(header)\n\(rows)".utf8), named: layer).annotations
      )
    }

    /// Brings deliveries in, and returns what was said of each, with the names in the folder when it was said.
    private func deliver(
      _ deliveries: [StorePlace.Delivery]
    ) throws -> (said: [String], names: [[String]], error: String?) {
      var said: [String] = []
      var names: [[String]] = []
      do {
        try place.deliver(
          deliveries, policy: nil, areJoined: false, progress: SourceSurroundings().progress
        ) {
          said.append(String($0.split(separator: "s.gpkg: ").last!))
          names.append((try? folder.names) ?? [])
        }
      } catch {
        return (said, names, error.code)
      }
      return (said, names, nil)
    }

    @Test func `the store is opened once, after the first has made it`() throws {
      let deliveries = try ["a", "b", "c"].map { try delivery($0, "x,37,127\n") }
      let open = ["s.gpkg", "s.gpkg-shm", "s.gpkg-wal"]
      let first = try deliver(deliveries)
      #expect(first.said == ["layer a: 1 added", "layer b: 1 added", "layer c: 1 added"])
      // The first is whole under another name before the store appears; the log stays while it is open.
      #expect(first.names == [["s.gpkg"], open, open])
      let second = try deliver(deliveries)
      #expect(second.names == [open, open, open])
      #expect(try folder.names == ["s.gpkg"])
    }

    @Test func `a delivery without any id that its layer had is told so`() throws {
      let named = try delivery("a", "h7,x,37,127\n", header: "id,name,lat,lon")
      #expect(try deliver([named]).said == ["layer a: 1 added"])
      #expect(try deliver([named]).said == ["layer a: 1 unchanged"])
      let numbered = try deliver([try delivery("a", "x,37,127\n")])
      #expect(
        numbered.said == [
          "layer a: 1 added, 1 removed",
          "warning: other-ids: none of the 1 id of layer a is left; name the column that they had "
            + "(`idField`) if the records are the same, because favorites and edits are kept by id",
        ])
    }

    @Test func `a layer that goes on being merged says so`() throws {
      let folder = try Folder()
      func deliver(_ rows: String, _ words: String...) throws -> String {
        try folder.write("id,lat,lon\n\(rows)", to: "a.csv")
        let outcome = try Program.run(words + ["--store", "s.gpkg", "--layer", "a"], in: folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.errors
      }
      let note = "note: merged-as-before: layer a is merged by id, as it was before"
      #expect(
        try !deliver("1,1,1\n2,2,2\n", "import", "a.csv", "--policy", "upsert").contains(note))
      #expect(try deliver("1,1,1\n", "import", "a.csv").contains(note))
      #expect(try deliver("1,1,3\n", "sync", "a.csv").contains(note))
      #expect(try !deliver("1,1,1\n", "import", "a.csv", "--policy", "replace").contains(note))
      #expect(try !deliver("1,1,2\n", "import", "a.csv").contains(note))
    }

    @Test func `what came before an error stays, and nothing after it comes`() throws {
      let deliveries = try ["a", "rtree_x", "c"].map { try delivery($0, "x,37,127\n") }
      for _ in 0..<2 {
        let outcome = try deliver(deliveries)
        #expect(outcome.error == "bad-layer-name")
        #expect(outcome.said.count == 1 && outcome.said[0].hasPrefix("layer a: "))
        let store = try AnnotationStore(folder.path("s.gpkg"), .readOnly)
        #expect(try store.layerNames() == ["a"])
      }
    }

    @Test func `favorites that are kept by number are warned of in every layer`() throws {
      _ = try deliver(["a", "b", "c"].map { try delivery($0, "x,37,127\n") })
      do {
        let store = try AnnotationStore(folder.path("s.gpkg"))
        for layer in ["a", "c"] {
          try store.addFavorite(AnnotationID(1), in: layer, at: Instant(milliseconds: 0))
        }
      }
      let outcome = try deliver(["a", "b", "c"].map { try delivery($0, "y,38,128\n") })
      #expect(outcome.said.filter { $0.hasPrefix("layer") }.count == 3)
      let warnings = outcome.said.filter { $0.hasPrefix("warning: marked-by-number: ") }
      #expect(warnings.count == 2)
      #expect(warnings[0].contains("layer a ") && warnings[1].contains("layer c "))
    }
  }
#endif
