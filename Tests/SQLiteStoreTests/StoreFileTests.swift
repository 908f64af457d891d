#if Store
  import CNearbySQLite
  import Foundation
  import Geodesy
  import MapAnnotations
  import Testing

  @testable import SQLiteStore

  /// What stands beside a store, and who may read it.
  @Suite struct StoreFileTests {
    private let folder: Folder
    private var file: String { folder.path("s.gpkg") }

    init() throws { folder = try Folder() }

    private func mode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
    }

    private static func fill(_ store: AnnotationStore) throws {
      try store.apply(Places.update("new"), [try Places.shop("n", 1, 2)])
    }

    /// Every way in which a file comes to be.
    private static let makers: [@Sendable (String) throws -> Void] = [
      { try StoreFileTests.fill(AnnotationStore($0)) },
      { try AnnotationStore.write(to: $0, StoreFileTests.fill) },
      { _ = try AnnotationStore.writeNew(to: $0, StoreFileTests.fill) },
    ]

    /// A log as a program leaves it that is killed: SQLite itself would read it into any new file.
    @Test(arguments: 0..<3)
    func `a new file never takes the name of one whose log is left`(maker: Int) throws {
      try AnnotationStore(file).apply(Places.update("old"), [try Places.shop("o", 1, 2)])
      let log: Data
      do {
        let store = try AnnotationStore(file)
        try store.apply(Places.update("old"), [try Places.shop("secret", 1, 2)])
        log = try Data(contentsOf: URL(filePath: file + "-wal"))
      }
      #expect(log.count > 4_096)
      try FileManager.default.removeItem(atPath: file)
      for suffix in ["-wal", "-shm", "-journal"] {
        try log.write(to: URL(filePath: file + suffix))
        let error = #expect(throws: StoreError.self) { try StoreFileTests.makers[maker](file) }
        #expect(error?.code == "stray-log")
        #expect(error?.description.contains("s.gpkg\(suffix)") == true)
        #expect(try folder.names == ["s.gpkg\(suffix)"])
        #expect(try Data(contentsOf: URL(filePath: file + suffix)) == log)
        try FileManager.default.removeItem(atPath: file + suffix)
      }
      try StoreFileTests.makers[maker](file)
      #expect(try AnnotationStore(file, .readOnly).annotations(in: "new").map(\.id) == ["n"])
    }

    @Test(arguments: ["removed", "moved", "replaced"])
    func `what would go into a file that is no longer the store's is an error`(how: String) throws {
      let store = try AnnotationStore(file)
      try Self.fill(store)
      let shop = try Places.shop("late", 1, 2)
      switch how {
      case "removed": try FileManager.default.removeItem(atPath: file)
      case "moved": try FileManager.default.moveItem(atPath: file, toPath: folder.path("m.gpkg"))
      default:
        try AnnotationStore.write(to: folder.path("other.gpkg"), Self.fill)
        #expect(rename(folder.path("other.gpkg"), file) == 0)
      }
      let writes: [() throws -> Void] = [
        { try store.put([shop], in: "new", at: Places.moment) },
        { try store.apply(Places.update("new"), [shop]) },
        { try store.confirm("new", at: Places.moment) },
        { try store.addFavorite("n", in: "new", at: Places.moment) },
        { try store.removeLayer("new") },
      ]
      for write in writes {
        #expect(#expect(throws: StoreError.self, performing: write)?.code == "store-replaced")
      }
    }

    @Test func `what an update cannot bear inside it is refused, and undoes the update`() throws {
      let store = try AnnotationStore(file)
      try store.apply(Places.update("p"), [try Places.shop("n", 1, 2)])
      let changes: [(layer: String?, change: () throws -> Void)] = [
        (nil, { try store.compact() }),
        ("p", { try store.apply(Places.update("p"), [try Places.shop("o", 1, 2)]) }),
        ("P", { try store.put([try Places.shop("o", 1, 2)], in: "P", at: Places.moment) }),
        ("p", { try store.removeLayer("p") }),
      ]
      for policy in [MergePolicy.replace, .upsert()] {
        for (layer, change) in changes {
          let error = #expect(throws: StoreError.self) {
            try store.apply(Places.update("p", policy: policy)) { writer in
              try writer.append(try Places.shop("m", 1, 2))
              try change()
            }
          }
          #expect(error?.reason == .insideUpdate(layer: layer))
          #expect(try store.annotations(in: "p").map(\.id) == ["n"])
        }
      }
      // Another layer, and the same one afterwards, are as free as ever.
      try store.apply(Places.update("p")) { _ in try store.apply(Places.update("q"), [Shape]()) }
      try store.removeLayer("p")
    }

    @Test func `a moment that a GeoPackage cannot state is an error`() throws {
      let store = try AnnotationStore(file)
      try Self.fill(store)
      // Milliseconds taken for seconds.
      let far = Instant(seconds: 1_795_435_200_000)
      let error = #expect(throws: StoreError.self) {
        try store.put([try Places.shop("o", 1, 2)], in: "new", at: far)
      }
      #expect(error?.reason == .badMoment(far))
      #expect(try store.annotations(in: "new").map(\.id) == ["n"])
    }

    @Test func `a link that leads nowhere is no log that may be overlooked`() throws {
      try FileManager.default.createSymbolicLink(
        atPath: file + "-wal", withDestinationPath: "nowhere")
      #expect(#expect(throws: StoreError.self) { try AnnotationStore(file) }?.code == "stray-log")
    }

    @Test func `the last to close a store removes its log, also with a SQLite that keeps logs`()
      throws
    {
      KeptLogs.begin()
      let file = folder.path("kept.gpkg")
      try StoreFileTests.fill(AnnotationStore(file))
      #expect(try folder.names == ["kept.gpkg"])
      _ = try AnnotationStore(file, .readOnly).annotations(in: "new")
      #expect(try folder.names == ["kept.gpkg"])
    }

    @Test func `the name of an unfinished file is told before there is the file`() throws {
      var names: [String] = []
      var filesBefore: [[String]] = []
      func willMake(_ name: String) {
        names.append(URL(filePath: name).lastPathComponent)
        filesBefore.append((try? folder.names) ?? ["?"])
      }
      try AnnotationStore.write(to: folder.path("w.gpkg"), willMake: willMake) { _ in
        #expect((try? folder.names) == names)
      }
      let isMade = try AnnotationStore.writeNew(to: file, willMake: willMake) { _ in
        #expect((try? folder.names) == [names[1], "w.gpkg"])
      }
      #expect(isMade && filesBefore == [[], ["w.gpkg"]])
      // The name is taken: nothing is made.
      let isMadeAgain = try AnnotationStore.writeNew(to: file, willMake: willMake) { _ in }
      #expect(!isMadeAgain && names.count == 2)
    }

    @Test func `what replaces a private file is private while it is written, and after`() throws {
      try AnnotationStore.write(to: file) { _ in }
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      var modes: [Int?] = []
      try AnnotationStore.write(to: file) { store in
        modes = try folder.names.map { try mode($0) }
        try store.apply(Places.update(), [try Places.shop("a", 1, 2)])
      }
      #expect(modes == [0o600, 0o600])
      #expect(try mode("s.gpkg") == 0o600)
      let store = try AnnotationStore(file)
      try store.apply(Places.update(), [try Places.shop("b", 1, 2)])
      #expect(try folder.names == ["s.gpkg", "s.gpkg-shm", "s.gpkg-wal"])
      for name in try folder.names { #expect(try mode(name) == 0o600, "\(name)") }
    }
  }

  /// Keeps the logs of files named `kept.gpkg`, as Apple's SQLite keeps all.
  private enum KeptLogs {
    nonisolated(unsafe) private static let usual = sqlite3_vfs_find(nil).pointee
    // SQLite keeps its address, which a static variable never changes.
    nonisolated(unsafe) private static var keeping = usual

    static func begin() {
      keeping.xOpen = { system, name, file, flags, granted in
        let result = KeptLogs.usual.xOpen(system, name, file, flags, granted)
        if result == SQLITE_OK, let name, String(cString: name).hasSuffix("kept.gpkg") {
          var isKept: Int32 = 1
          _ = file?.pointee.pMethods.pointee.xFileControl(file, SQLITE_FCNTL_PERSIST_WAL, &isKept)
        }
        return result
      }
      sqlite3_vfs_register(&keeping, 1)
    }
  }
#endif
