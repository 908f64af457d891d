#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// The data of an annotation that an index needs; all else can be read later by row.
  package struct StoredRow {
    /// The row number in the layer's table.
    package let row: Int
    package let id: AnnotationID
    package let kind: AnnotationKind?
    /// The position that represents the shape; nil if it is not on the Earth.
    package let coordinate: Coordinate?
    package let hasGeometry: Bool
    /// Whether the geometry is anything but a single point.
    package let hasShape: Bool
    /// The shape on the ground; nil for a single point.
    package let shape: GroundShape?
  }

  /// Reads annotations of one layer by their rows.
  package struct StoredRowReader {
    private let file: String
    private let reader: LayerReader
    private let statement: Statement

    fileprivate init(_ reader: LayerReader, of file: String) throws(StoreError) {
      self.file = file
      self.reader = reader
      statement = try reader.prepare("fid = ?", [])
    }

    /// The annotation of a row that was found earlier in the same read transaction.
    package func annotation(row: Int) throws(StoreError) -> StoredAnnotation {
      statement.reset()
      statement.bind(row, at: 1)
      guard try statement.step() else {
        throw StoreError(file, .notADatabase("row \(row) has disappeared"))
      }
      return try reader.annotation(statement)
    }
  }

  extension Geometry {
    fileprivate var isPoint: Bool { if case .point = self { true } else { false } }

    /// The shape on the ground; nil for a single point.
    var shapeUnlessPoint: GroundShape? { isPoint ? nil : (try? groundShape())?.shape }
  }

  extension AnnotationStore {
    /// Runs `body` with a view of one state of the store, whatever is written meanwhile.
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
      try connection.read(body)
    }

    /// Runs `body` in a transaction in which nobody else can write; its changes are undone on any error.
    package func writing<Result>(_ body: () throws -> Result) throws -> Result {
      try connection.write(body)
    }

    /// Calls `body` with the index data of each annotation of a layer, in source order.
    package func forEachRow(in layer: String, _ body: (StoredRow) throws -> Void) throws {
      try connection.read {
        // Throws if another program has changed the table.
        _ = try columns(of: layer)
        let statement = try connection.prepare(
          "SELECT fid, geom, id, kind FROM \(quoted(layer)) ORDER BY fid")
        while try statement.step() {
          let row = statement.integer(0)
          var geometry: Geometry?
          do throws(GeometryBlobDamage) {
            if !statement.isNull(1) { geometry = try GeometryBlob.decode(statement.bytes(1)) }
          } catch {
            throw StoreError(
              file, .notADatabase("row \(row) of layer \(layer) holds \(error.sentence)"))
          }
          let kind = statement.text(3).flatMap { $0.isEmpty ? nil : AnnotationKind(rawValue: $0) }
          let coordinate = geometry.flatMap { try? $0.representativePoint() }
          try body(
            StoredRow(
              row: row, id: AnnotationID(statement.text(2) ?? ""), kind: kind,
              coordinate: coordinate, hasGeometry: geometry != nil,
              hasShape: geometry.map { !$0.isPoint } ?? false,
              shape: coordinate == nil ? nil : geometry?.shapeUnlessPoint))
        }
      }
    }

    /// Reads a layer whose rows are points, or without a position, and texts for their properties.
    ///
    /// - Parameters:
    ///   - begin: Called first, with the names of the properties and by role its cell: the first cells of a row are its
    ///     properties. The roles are id, name, place, kind, hours, and the days from and until which it is valid.
    ///   - body: Called with each row's position and cells, in source order, until it returns false. A cell is valid
    ///     until `body` returns; nil for NULL.
    /// - Returns: Whether all rows are such rows, and `body` took them.
    package func readTexts(
      in layer: String, begin: (_ names: [String], _ roles: [Int]) -> Void,
      _ body: (Coordinate?, (Int) -> UnsafeRawBufferPointer?) -> Bool
    ) throws -> Bool {
      try connection.read {
        let columns = try columns(of: layer)
        var names = columns.properties.map(\.column)
        let roles = [
          LayerColumns.Own.id, .name, .placeID, .kind, .openingHours, .validFrom, .validUntil,
        ].map { own in
          if let place = columns.properties.firstIndex(where: { $0.place == own.rawValue }) {
            return place
          }
          names.append(own.column)
          return names.count - 1
        }
        begin(columns.properties.map(\.name), roles)
        let statement = try connection.prepare(
          "SELECT geom, feature, \(names.map(quoted).joined(separator: ", ")) FROM \(quoted(layer)) ORDER BY fid"
        )
        while try statement.step() {
          guard statement.isNull(1) else { return false }
          var coordinate: Coordinate?
          if !statement.isNull(0) {
            guard case .point(let position)? = try? GeometryBlob.decode(statement.bytes(0)),
              position.altitude == nil, let place = try? position.coordinate()
            else { return false }
            coordinate = place
          }
          guard body(coordinate, { statement.textBytes(2 + $0) }) else { return false }
        }
        return true
      }
    }

    /// A reader of a layer's annotations by row.
    package func rowReader(of layer: String) throws(StoreError) -> StoredRowReader {
      try StoredRowReader(
        LayerReader(connection, table: layer, columns: try columns(of: layer)), of: file)
    }
  }
#endif
