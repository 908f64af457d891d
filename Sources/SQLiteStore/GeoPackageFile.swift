#if Store
  import CNearbySQLite
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// A reader of the feature layers in a GeoPackage made by any program.
  ///
  /// Tiles, rasters and attributes without positions are ignored.
  public struct GeoPackageFile {
    /// A feature layer.
    public struct Layer: Hashable, Sendable {
      /// The name of the table.
      public let name: String
      /// The CRS, as `EPSG:5186`; nil if the file has no code for it.
      public let crs: String?
      /// Whether positions are degrees on WGS 84, or on no stated datum.
      public let isWGS84: Bool
      let srsID: Int
      let geometryColumn: String
    }

    /// Converts a position from a layer's CRS to degrees on WGS 84, longitude first; nil if that is
    /// impossible.
    public typealias PositionTransform = (_ x: Double, _ y: Double) -> (x: Double, y: Double)?

    /// The layers in the file's order.
    public let layers: [Layer]
    private let connection: Connection

    /// Opens a file for reading; nothing is written, to it or beside it.
    ///
    /// The work that its views and tables can cause is limited by the file's size, and their SQL
    /// cannot call dangerous functions.
    ///
    /// - Precondition: This process has no transaction in progress in the file through SQLite
    ///   itself, whose locks would be lost.
    /// - Throws: `StoreError` if the file is missing, not a database or not a GeoPackage.
    public init(_ file: String) throws(StoreError) {
      connection = try Connection(file, .foreign)
      // Even the lists of contents may be views.
      connection.limit.isTimed = true
      guard try AnnotationStore.isGeoPackage(connection) else {
        throw StoreError(file, .notAGeoPackage)
      }
      layers = try connection.rows(
        """
        SELECT c.table_name, c.column_name, s.organization, s.organization_coordsys_id, c.srs_id
        FROM gpkg_geometry_columns c JOIN gpkg_contents t USING (table_name)
          LEFT JOIN gpkg_spatial_ref_sys s ON s.srs_id = c.srs_id
        WHERE t.data_type = 'features' ORDER BY c.rowid
        """
      ) { (row) throws(StoreError) in
        let crs = GeoPackageFile.crs(row.text(2) ?? "NONE", row.integer(3))
        let srsID = row.integer(4)
        return Layer(
          name: row.text(0) ?? "", crs: crs,
          isWGS84: crs == GeoPackageFile.wgs84 || crs == nil && srsID == 0, srsID: srsID,
          geometryColumn: row.text(1) ?? "geom")
      }
    }

    /// The names of the tables without geometry, in the file's order.
    package var tables: [String] {
      get throws(StoreError) {
        try connection.rows(
          "SELECT table_name FROM gpkg_contents WHERE data_type = 'attributes' ORDER BY rowid"
        ) { (row) throws(StoreError) in row.text(0) ?? "" }
      }
    }

    private static let wgs84 = "EPSG:4326"

    private static func crs(_ organization: String, _ code: Int) -> String? {
      switch (organization.uppercased(), code) {
      case ("OGC", 84): wgs84
      case ("NONE", _): nil
      case (let organization, _): "\(organization):\(code)"
      }
    }

    /// The result of reading one row.
    public enum Row {
      /// A feature, whose id is the primary key unless that has several columns or a column is named `id`.
      case feature(Feature)
      /// A row whose geometry cannot be read, and the reason.
      case unreadable(Feature, String)
      /// A row whose geometry has a type that GeoJSON does not have, and the type: `CURVEPOLYGON`.
      case unsupported(Feature, String)
    }

    /// Calls `body` with the rows of a layer, in the order of their primary keys.
    ///
    /// Columns become properties: numbers, texts and truth values unchanged, bytes in hexadecimal.
    ///
    /// - Parameters:
    ///   - layer: The layer to read.
    ///   - transform: Needed for a layer that is not on WGS 84.
    ///   - body: Called once for each row.
    /// - Throws: `StoreError`, `unknownCRS` or `undefinedCRS` if a transform is needed and missing, and
    ///   errors of `body`.
    public func forEachRow(
      in layer: Layer, _ transform: PositionTransform? = nil, _ body: (Row) throws -> Void
    ) throws {
      if transform == nil, !layer.isWGS84 {
        throw StoreError(
          connection.file,
          layer.crs.map { StoreError.Reason.unknownCRS(layer: layer.name, crs: $0) }
            ?? .undefinedCRS(layer: layer.name, srsID: layer.srsID))
      }
      do {
        try connection.read {
          try isView(layer)
          let columns = try columns(of: layer)
          let names = columns.all.map { quoted($0.name) }.joined(separator: ", ")
          let keys = columns.all.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }
            .map { quoted($0.name) }.joined(separator: ", ")
          let statement = try connection.prepare(
            "SELECT \(names) FROM \(quoted(layer.name))"
              + (keys.isEmpty ? "" : " ORDER BY \(keys)"))
          while try statement.step() {
            statement.countBytes(of: columns.all.count)
            try body(row(statement, columns, layer, transform))
          }
        }
      } catch let error as StoreError {
        guard error.file == connection.file else { throw error }
        switch error.reason {
        case .workLimit(_, let limit):
          throw StoreError(error.file, .workLimit(layer: layer.name, limit))
        case .statement(let message, _):
          throw StoreError(error.file, .unreadableLayer(layer.name, message))
        default: throw error
        }
      }
    }

    /// The number of rows in a layer; nil for a view, because counting would compute all its rows.
    ///
    /// - Throws: `StoreError` if its table cannot be read.
    public func count(of layer: Layer) throws(StoreError) -> Int? {
      guard try !isView(layer) else { return nil }
      return try connection.integer("SELECT count(*) FROM \(quoted(layer.name))")
    }

    /// Whether a layer is a view; limits the time of a view, and throws for a missing or virtual table.
    ///
    /// The code that reads a virtual table trusts the tables behind it.
    @discardableResult
    private func isView(_ layer: Layer) throws(StoreError) -> Bool {
      guard let kind = try connection.tableKind(of: layer.name) else {
        throw StoreError(
          connection.file, .unreadableLayer(layer.name, "there is no table of that name"))
      }
      guard !kind.isVirtual else {
        throw StoreError(connection.file, .unreadableLayer(layer.name, "it is a virtual table"))
      }
      connection.limit.isTimed = kind.isView
      return kind.isView
    }

    private struct Column {
      let name: String
      /// Its place in the primary key, from 1; 0 for a column beside it.
      let keyPlace: Int
      let isTruthValue: Bool
      let isGeometry: Bool
    }

    /// The columns of a layer's table.
    private struct Columns {
      let all: [Column]
      /// The index of the key; nil for a key of several columns, none of which tells the row alone.
      let key: Int?
      /// Whether ids are in a column of that name, and not in the key.
      let haveIDs: Bool

      init(_ all: [Column]) {
        self.all = all
        let key = all.contains { $0.keyPlace > 1 } ? nil : all.firstIndex { $0.keyPlace == 1 }
        self.key = key
        haveIDs = all.indices.contains { $0 != key && all[$0].name.lowercased() == "id" }
      }
    }

    private func columns(of layer: Layer) throws(StoreError) -> Columns {
      // Names as SQLite compares them; generated columns, but not the hidden ones of virtual tables.
      let columns = try connection.rows(
        "SELECT name, pk, type, name = ?2 COLLATE NOCASE FROM pragma_table_xinfo(?1) "
          + "WHERE hidden <> 1", .text(layer.name), .text(layer.geometryColumn)
      ) { (row) throws(StoreError) in
        Column(
          name: row.text(0) ?? "", keyPlace: row.integer(1),
          isTruthValue: row.text(2)?.uppercased() == "BOOLEAN", isGeometry: row.integer(3) == 1)
      }
      guard columns.contains(where: \.isGeometry) else {
        throw StoreError(
          connection.file,
          .unreadableLayer(layer.name, "its table has no column \"\(layer.geometryColumn)\""))
      }
      return Columns(columns)
    }

    private func row(
      _ statement: Statement, _ columns: Columns, _ layer: Layer, _ transform: PositionTransform?
    ) -> Row {
      var feature = Feature(geometry: nil, properties: Properties())
      var damage: GeometryBlobDamage?
      for (place, column) in columns.all.enumerated() {
        if column.isGeometry {
          do throws(GeometryBlobDamage) {
            feature.geometry = try geometry(statement, place, layer, transform)
          } catch {
            damage = error
          }
        } else if place == columns.key, !columns.haveIDs {
          if !statement.isNull(place) { feature.id = GeoPackageFile.value(statement, place) }
        } else if place == columns.key, statement.type(place) == SQLITE_INTEGER {
          // The number of a row, which has an id beside it.
        } else {
          let value = GeoPackageFile.value(statement, place, isTruthValue: column.isTruthValue)
          feature.properties?.append(column.name, value)
        }
      }
      guard let damage else { return .feature(feature) }
      return damage.isUnsupported
        ? .unsupported(feature, damage.sentence) : .unreadable(feature, damage.sentence)
    }

    private func geometry(
      _ row: Statement, _ place: Int, _ layer: Layer, _ transform: PositionTransform?
    ) throws(GeometryBlobDamage) -> Geometry? {
      guard !row.isNull(place) else { return nil }
      let geometry = try GeometryBlob.decode(row.bytes(place))
      guard let transform else { return geometry }
      return try geometry?.mapPositions { (position) throws(GeometryBlobDamage) in
        guard let moved = transform(position.longitude, position.latitude) else {
          throw GeometryBlobDamage(sentence: "a position outside \(layer.crs ?? "its CRS")")
        }
        return Position(longitude: moved.x, latitude: moved.y, altitude: position.altitude)
      }
    }

    private static func value(
      _ row: Statement, _ place: Int, isTruthValue: Bool = false
    ) -> PropertyValue {
      switch row.type(place) {
      case SQLITE_NULL: return .null
      case SQLITE_INTEGER:
        let number = row.integer(place)
        return isTruthValue && (0...1).contains(number) ? .bool(number == 1) : .integer(number)
      case SQLITE_FLOAT:
        let number = row.double(place)
        return number.isFinite ? .double(number) : .string(String(number))
      case SQLITE_BLOB:
        return .string(row.bytes(place).map { zeroPadded($0, radix: 16) }.joined())
      default: return .string(row.text(place) ?? "")
      }
    }
  }
#endif
