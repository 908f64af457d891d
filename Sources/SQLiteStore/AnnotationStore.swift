#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import SystemCalls

  /// Annotations stored in a file: versioned, updated, readable offline, with lasting favorites.
  ///
  /// The file is a GeoPackage that QGIS and ogrinfo can open; each layer is a feature table. It is
  /// in write-ahead mode: one process writes while any number read, each from the state at the
  /// start of its transaction. A process that is killed leaves the old state or the new one.
  ///
  ///     let store = try AnnotationStore("places.gpkg")
  ///     var update = LayerUpdate(layer: "cinemas", refreshed: now)
  ///     update.version = .number(7)
  ///     let outcome = try store.apply(update) { writer in
  ///       for cinema in cinemas { try writer.append(cinema) }
  ///     }
  ///     let index = AnnotationIndex(try store.annotations(in: "cinemas"))
  ///
  /// A store is one connection, for one task at a time; other tasks open their own.
  public final class AnnotationStore {
    /// How a file is opened.
    public enum Access: Hashable, Sendable {
      /// For reading only.
      case readOnly
      /// For writing; the file must exist.
      case readWrite
      /// For writing; a missing file is created.
      case create
    }

    /// The file name as given.
    public let file: String
    let connection: Connection
    /// The file that is open for writing, its log and the log's index, with links resolved.
    private(set) var openFiles: [(name: FilePath, identity: FileIdentity?)] = []
    /// The layers whose rows an update is taking, as SQLite compares their names.
    var updating: Set<[UInt8]> = []

    /// Opens a store, and migrates an older one to the current schema.
    ///
    /// - Parameters:
    ///   - file: The file name.
    ///   - access: How the file is opened.
    ///   - patience: How long to wait for another process's write, in milliseconds.
    /// - Throws: `StoreError` for a file that is missing, not a store, or of a later version.
    public init(
      _ file: String, _ access: Access = .create, patience: Int = 10_000
    ) throws {
      self.file = file
      if access == .create { _ = try AnnotationStore.writeNew(to: file) { _ in } }
      connection = try Connection(
        file, access == .readOnly ? .readOnly : .readWrite, patience: patience)
      guard try connection.has("table", "nearby_store") else {
        throw StoreError(
          file, try AnnotationStore.isGeoPackage(connection) ? .notAStore : .notAGeoPackage)
      }
      _ = try StoreSchema.version(of: connection)
      guard access != .readOnly else { return }
      try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
      try StoreSchema.migrate(connection)
      let target = FilePath(file).resolved
      openFiles = [target, target.appending("-wal"), target.appending("-shm")].map {
        ($0, $0.identity)
      }
    }

    private init(_ connection: Connection) {
      self.connection = connection
      file = connection.file
    }

    static func isGeoPackage(_ connection: Connection) throws(StoreError) -> Bool {
      try connection.integer(
        "SELECT count(*) FROM sqlite_master WHERE name = 'gpkg_geometry_columns'") == 1
    }

    /// Whether a file is a store, not just any GeoPackage; the check writes nothing.
    ///
    /// - Precondition: This process has no transaction in progress in the file through SQLite
    ///   itself, whose locks would be lost.
    /// - Throws: `StoreError` if the file is not a database.
    public static func isStore(_ file: String) throws(StoreError) -> Bool {
      try Connection(file, .foreign).has("table", "nearby_store")
    }

    /// Writes a store to a file, completely or not at all, without other files beside it.
    ///
    /// - Parameters:
    ///   - file: The file name.
    ///   - willMake: Called with the temporary name before the file exists, so that a program
    ///     interrupted by a signal can remove it.
    ///   - body: Fills the store.
    /// - Throws: `StoreError`, and errors of `body`; an existing file is then unchanged.
    public static func write(
      to file: String, willMake: (_ temporary: String) -> Void = { _ in },
      _ body: (AnnotationStore) throws -> Void
    ) throws {
      _ = try fill(file, FilePath(file).resolved, replacing: true, willMake, body)
    }

    /// Makes a new store and fills it, in half the time of filling an empty one: no rollback is
    /// needed while the file has a temporary name.
    ///
    /// - Parameters:
    ///   - file: The file name.
    ///   - willMake: As above.
    ///   - body: Fills the store.
    /// - Returns: Whether the name was free; if not, nothing is done.
    /// - Throws: `StoreError`, and errors of `body`; there is no file then.
    public static func writeNew(
      to file: String, willMake: (_ temporary: String) -> Void = { _ in },
      _ body: (AnnotationStore) throws -> Void
    ) throws -> Bool {
      let target = FilePath(file)
      guard !target.exists else { return false }
      return try fill(file, target, replacing: false, willMake, body)
    }

    /// Fills a file under a temporary name and gives it its own; returns false if that is taken and must stay.
    private static func fill(
      _ file: String, _ target: FilePath, replacing: Bool, _ willMake: (String) -> Void,
      _ body: (AnnotationStore) throws -> Void
    ) throws -> Bool {
      // Check this before filling the store in vain.
      if let log = strayLog(beside: target) { throw StoreError(file, .strayLog(log)) }
      // The temporary name is never empty, so a file would be made. It gets the permissions of the one it replaces.
      guard !target.bytes.isEmpty else { throw StoreError(file, .missing) }
      guard
        let made = ReplacedFile(target, like: target.status, willMake: { willMake($0.text) })
      else { throw cannotWrite(file) }
      let temporary = made.temporary.text
      do {
        let connection = try Connection(temporary, .readWrite)
        connection.setDefense(isOn: false)
        // Nobody else uses the temporary name, and the file is on the disk before it gets its own.
        try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
        try GeoPackageSchema.create(connection)
        try StoreSchema.create(connection)
        try connection.execute("COMMIT")
        try body(AnnotationStore(connection))
        try connection.execute("PRAGMA journal_mode = DELETE;")
      } catch let error as StoreError {
        throw StoreError(error.file == temporary ? file : error.file, error.reason)
      }
      // First, because it takes long: a log that comes meanwhile is seen.
      guard made.synchronize() else { throw cannotWrite(file) }
      if let log = strayLog(beside: target) {
        if !replacing, target.exists { return false }
        throw StoreError(file, .strayLog(log))
      }
      if replacing ? made.replace() : made.takeFreeName() { return true }
      if !replacing, errno == EEXIST { return false }
      throw cannotWrite(file)
    }

    private static func cannotWrite(_ file: String) -> StoreError {
      StoreError(file, .cannotWrite(systemMessage()))
    }

    /// The log of another database in the place of a new file's log; nil if there is none.
    private static func strayLog(beside file: FilePath) -> String? {
      // A program that still has a removed database open would share even its -shm with the new one.
      ["-wal", "-shm", "-journal"].lazy.map(file.appending).first { $0.ownStatus != nil }?.text
    }

    // MARK: Contents

    /// A stamp that changes with every change to the store's annotations, by any program; nil if a
    /// change might go unnoticed.
    ///
    /// An index built from the store keeps the stamp and `name`, and is out of date when either
    /// differs. There is no stamp in a store of schema 1 before it is opened for writing, nor in
    /// one where another program has removed a layer or its triggers.
    public func changeStamp() throws(StoreError) -> ChangeStamp? {
      guard try StoreSchema.version(of: connection) >= 2, try StoreSchema.tellsChanges(connection)
      else { return nil }
      return try connection.rows(
        "SELECT stamp, state, schema_version FROM nearby_store, pragma_schema_version"
      ) { (row) throws(StoreError) in
        ChangeStamp(number: row.integer(0), state: row.integer(1), schema: row.integer(2))
      }.first
    }

    /// The schema of the stores that it writes.
    package static var schemaVersion: Int { StoreSchema.version }

    /// Whether the store has a schema before the current one, until it is opened for writing.
    package func isOfEarlierSchema() throws(StoreError) -> Bool {
      try StoreSchema.version(of: connection) < StoreSchema.version
    }

    /// The store's unique name, independent of the file name.
    public func name() throws(StoreError) -> String {
      try connection.text("SELECT name FROM nearby_store") ?? ""
    }

    /// The layers, by name.
    public func layers() throws -> [StoreLayer] {
      try connection.read {
        try layerNames().map { (name) throws(StoreError) in try layer(name) }
      }
    }

    /// The names of the layers, in order; without those that another program has removed.
    public func layerNames() throws(StoreError) -> [String] {
      try connection.rows(
        "SELECT table_name FROM nearby_layers WHERE table_name IN "
          + "(SELECT name FROM sqlite_master WHERE type = 'table') ORDER BY table_name"
      ) { (row) throws(StoreError) in row.text(0) ?? "" }
    }

    /// The layer with a name.
    ///
    /// - Throws: `StoreError` if there is none, or another program has removed or renamed one of the columns that every
    ///   layer has.
    public func layer(_ name: String) throws(StoreError) -> StoreLayer {
      let found = try connection.rows(
        """
        SELECT source, crs, licence, policy, version_number, version_tag, refreshed,
          min_x, min_y, max_x, max_y
        FROM nearby_layers JOIN gpkg_contents USING (table_name)
        WHERE table_name = ? AND table_name IN (SELECT name FROM sqlite_master WHERE type = 'table')
        """, .text(name)
      ) { (row) throws(StoreError) -> StoreLayer in
        // Without one of its own columns nothing is known of it; others come back when it is replaced.
        if let missing = try LayerTable.missingColumn(of: name, LayerColumns(), connection) {
          throw StoreError(file, .missingColumn(missing, layer: name))
        }
        let count = try connection.integer("SELECT count(*) FROM \(quoted(name))") ?? 0
        let version: SourceVersion? =
          row.isNull(4) ? row.text(5).map { .tag($0) } : .number(row.integer(4))
        return StoreLayer(
          name: name, source: row.text(0), crs: row.text(1) ?? "EPSG:4326", licence: row.text(2),
          policy: MergePolicy(json: row.text(3) ?? ""), version: version,
          refreshed: row.instant(6),
          count: count, unplacedCount: try unplacedCount(of: name),
          extent: row.isNull(7)
            ? nil
            : (try? BoundingBox(
              plane: (row.double(8), row.double(7), row.double(10), row.double(9)),
              isWhole: row.double(9) - row.double(7) >= 360)))
      }
      guard let layer = found.first else {
        throw StoreError(file, .unknownLayer(name, layers: try layerNames()))
      }
      return layer
    }

    /// The names of the properties that rows of a layer have or had, in the order in which they came.
    package func propertyNames(of layer: String) throws(StoreError) -> [String] {
      try columns(of: layer).properties.map(\.name)
    }

    func columns(of layer: String) throws(StoreError) -> LayerColumns {
      let holder = try LayerName.holder(of: layer, connection)
      guard holder != .missing,
        let text = try connection.text(
          "SELECT columns FROM nearby_layers WHERE table_name = ?", .text(layer))
      else { throw StoreError(file, .unknownLayer(layer, layers: try layerNames())) }
      guard let columns = LayerColumns(json: text) else {
        throw StoreError(file, .notADatabase("the columns of layer \(layer) cannot be read"))
      }
      if let missing = try LayerTable.missingColumn(of: layer, columns, connection) {
        throw StoreError(file, .missingColumn(missing, layer: layer))
      }
      // The table has another name now, or a view has its name.
      if holder == .replaced {
        throw StoreError(
          file, .unreadableLayer(layer, "another program has replaced or renamed its table"))
      }
      return columns
    }
  }
#endif
