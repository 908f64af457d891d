#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// Annotations kept in a file: versioned, refreshed, readable offline, with favourites that last.
  ///
  /// The file is a GeoPackage that QGIS and ogrinfo open as it is; each layer is a table of
  /// features. It is in write-ahead mode: one process writes while any number read, each the state
  /// that was there when its reading began, and a process that is killed leaves the old state or
  /// the new one.
  ///
  ///     let store = try AnnotationStore("places.gpkg")
  ///     var update = LayerUpdate(layer: "cinemas", refreshed: now)
  ///     update.version = .number(7)
  ///     let outcome = try store.apply(update) { writer in
  ///       for cinema in cinemas { try writer.append(cinema) }
  ///     }
  ///     let index = AnnotationIndex(try store.annotations(in: "cinemas"))
  ///
  /// A value is one connection, for one task at a time; others open their own.
  public final class AnnotationStore {
    /// What is done with the file.
    public enum Access: Hashable, Sendable {
      /// It is read and never written.
      case readOnly
      /// It is written; it must be there.
      case readWrite
      /// It is written, and made if it is not there.
      case create
    }

    /// The file's name, as it was given.
    public let file: String
    let connection: Connection

    /// Opens a store, and brings one of an earlier version to the current schema.
    ///
    /// - Parameters:
    ///   - file: The file's name.
    ///   - access: What is done with it.
    ///   - patience: For how many milliseconds another process's write is waited for.
    /// - Throws: `StoreError`: for a file that is missing, no store, or of a later version.
    public init(
      _ file: String, _ access: Access = .create, patience: Int = 10_000
    ) throws {
      self.file = file
      if access == .create, !SystemFiles.exists(file) { try AnnotationStore.make(file) }
      connection = try Connection(
        file, access == .readOnly ? .readOnly : .readWrite, patience: patience)
      guard try StoreSchema.isStore(connection) else {
        throw StoreError(
          file, try AnnotationStore.isGeoPackage(connection) ? .notAStore : .notAGeoPackage)
      }
      _ = try StoreSchema.version(of: connection)
      guard access != .readOnly else { return }
      try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
      try StoreSchema.migrate(connection)
    }

    private init(_ connection: Connection) {
      self.connection = connection
      file = connection.file
    }

    static func isGeoPackage(_ connection: Connection) throws(StoreError) -> Bool {
      try connection.integer(
        "SELECT count(*) FROM sqlite_master WHERE name = 'gpkg_geometry_columns'") == 1
    }

    /// Makes an empty store beside the file's name, which it then takes unless it is taken.
    private static func make(_ file: String) throws(StoreError) {
      let temporary = SystemFiles.temporaryName(beside: file)
      defer { SystemFiles.remove(temporary) }
      try makeTables(in: temporary, as: file)
      _ = try SystemFiles.publish(temporary, asNew: file)
    }

    private static func makeTables(
      in temporary: String, as file: String
    ) throws(StoreError) {
      do throws(StoreError) {
        try SystemFiles.make(temporary, for: file)
        let connection = try Connection(temporary, .readWrite)
        // Nobody else has the name, and a run that is killed leaves no log beside it.
        try connection.execute("PRAGMA journal_mode = MEMORY; BEGIN")
        try GeoPackageSchema.create(connection)
        try StoreSchema.create(connection)
        try connection.execute("COMMIT")
      } catch {
        throw StoreError(file, error.reason)
      }
    }

    /// Whether a file is a store, and not just any GeoPackage; nothing is written to find that out.
    ///
    /// - Precondition: This process has no transaction under way in the file through SQLite itself,
    ///   whose locks would be lost.
    /// - Throws: `StoreError` where it is no database.
    public static func isStore(_ file: String) throws(StoreError) -> Bool {
      try StoreSchema.isStore(try Connection(file, .foreign))
    }

    /// Makes a file whole or not at all: a store of its own, with no files beside it, to hand out.
    ///
    /// - Parameters:
    ///   - file: The name of the file.
    ///   - body: Fills it.
    /// - Throws: `StoreError`, and whatever `body` throws; what was there is then as it was.
    public static func write(
      to file: String, _ body: (AnnotationStore) throws -> Void
    ) throws {
      let target = SystemFiles.resolved(file)
      try fill(file, beside: target, body) { (temporary) throws(StoreError) in
        try SystemFiles.publish(temporary, as: target)
      }
    }

    /// Makes a store that is not there yet, filled, in half the time of an empty one that is filled
    /// then: nothing has to be undone while nobody has its name.
    ///
    /// - Returns: Whether the name was free; nothing is done if not.
    /// - Throws: `StoreError`, and whatever `body` throws; there is no file then.
    public static func writeNew(
      to file: String, _ body: (AnnotationStore) throws -> Void
    ) throws -> Bool {
      guard !SystemFiles.exists(file) else { return false }
      var isFree = false
      try fill(file, beside: file, body) { (temporary) throws(StoreError) in
        isFree = try SystemFiles.publish(temporary, asNew: file)
      }
      return isFree
    }

    private static func fill(
      _ file: String, beside target: String, _ body: (AnnotationStore) throws -> Void,
      publish: (String) throws(StoreError) -> Void
    ) throws {
      // Before it is filled in vain.
      if let log = SystemFiles.strayLog(beside: target) { throw StoreError(file, .strayLog(log)) }
      let temporary = SystemFiles.temporaryName(beside: target)
      defer { SystemFiles.remove(temporary) }
      do {
        try makeTables(in: temporary, as: target)
        let connection = try Connection(temporary, .readWrite)
        connection.setDefense(false)
        // Nobody else has the name, and it is sent to the disk before it gets its own.
        try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
        try body(AnnotationStore(connection))
        try connection.execute("PRAGMA journal_mode = DELETE;")
      } catch let error as StoreError {
        throw StoreError(error.file == temporary ? file : error.file, error.reason)
      }
      do throws(StoreError) {
        try publish(temporary)
      } catch {
        throw StoreError(file, error.reason)
      }
    }

    // MARK: What there is

    /// Names the state of the store's annotations, another after each change by whichever program; nil
    /// where a change would not be told.
    ///
    /// An index built from the store keeps it with `name`, and is out of date when it is another. A
    /// store of schema 1 has none before it is opened for writing, nor has one of which another
    /// program has removed a layer or its triggers.
    public func changeStamp() throws(StoreError) -> ChangeStamp? {
      guard try StoreSchema.version(of: connection) >= 2, try StoreSchema.tellsChanges(connection)
      else { return nil }
      return try connection.rows("SELECT stamp, state FROM nearby_store") {
        (row) throws(StoreError) in ChangeStamp(number: row.integer(0), state: row.integer(1))
      }.first
    }

    /// The store's own name, which no other has, whatever the file is called.
    public func name() throws(StoreError) -> String {
      try connection.text("SELECT name FROM nearby_store") ?? ""
    }

    /// The layers in the order of their names.
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

    /// One layer.
    ///
    /// - Throws: `StoreError` where there is none of that name.
    public func layer(_ name: String) throws(StoreError) -> StoreLayer {
      let found = try connection.rows(
        """
        SELECT source, crs, licence, policy, version_number, version_tag, refreshed,
          min_x, min_y, max_x, max_y
        FROM nearby_layers JOIN gpkg_contents USING (table_name)
        WHERE table_name = ? AND table_name IN (SELECT name FROM sqlite_master WHERE type = 'table')
        """, .text(name)
      ) { (row) throws(StoreError) -> StoreLayer in
        let count = try connection.integer("SELECT count(*) FROM \(quoted(name))") ?? 0
        let unplaced =
          try connection.integer("SELECT count(*) FROM \(quoted(name)) WHERE geom IS NULL") ?? 0
        let version: SourceVersion? =
          row.isNull(4) ? row.text(5).map { .tag($0) } : .number(row.integer(4))
        return StoreLayer(
          name: name, source: row.text(0), crs: row.text(1) ?? "EPSG:4326", licence: row.text(2),
          policy: MergePolicy(json: row.text(3) ?? ""), version: version,
          refreshed: row.instant(6),
          count: count, unplacedCount: unplaced,
          extent: row.isNull(7)
            ? nil
            : try? BoundingBox(
              south: row.double(8), west: row.double(7), north: row.double(10),
              east: row.double(9)))
      }
      guard let layer = found.first else {
        throw StoreError(file, .unknownLayer(name, layers: try layerNames()))
      }
      return layer
    }

    func columns(of layer: String) throws(StoreError) -> LayerColumns {
      guard
        let text = try connection.text(
          "SELECT columns FROM nearby_layers WHERE table_name = ?", .text(layer))
      else { throw StoreError(file, .unknownLayer(layer, layers: try layerNames())) }
      if case .replaced = try LayerName.holder(of: layer, connection) {
        throw StoreError(file, .nameTaken(layer, by: LayerName.replaced))
      }
      guard let columns = LayerColumns(json: text) else {
        throw StoreError(file, .notADatabase("the columns of layer \(layer) cannot be read"))
      }
      return columns
    }
  }
#endif
