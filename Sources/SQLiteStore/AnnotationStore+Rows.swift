#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// A row of a layer, whose cells are read when they are asked for, valid until the next row.
  package struct LayerRow {
    private let reader: LayerReader
    private let statement: Statement

    fileprivate init(_ reader: LayerReader, _ statement: Statement) {
      self.reader = reader
      self.statement = statement
    }

    /// JSON for what the other columns cannot express; nil if they have all.
    package var feature: UnsafeRawBufferPointer? {
      statement.textBytes(2 + LayerColumns.Own.feature.rawValue)
    }

    /// The text of a role, by its number in `LayerColumns.roles`; nil for none.
    package func text(ofRole role: Int) -> String? {
      reader.own(LayerColumns.roles[role], of: statement)
    }

    /// The geometry; nil if there is none.
    package func geometry() throws(StoreError) -> Geometry? { try reader.geometry(statement) }

    /// The annotation, with all that the row has.
    package func annotation() throws(StoreError) -> StoredAnnotation {
      try reader.annotation(statement)
    }
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

    /// Calls `body` with each row of a layer, in source order.
    package func forEachRow(in layer: String, _ body: (LayerRow) throws -> Void) throws {
      try connection.read {
        let reader = try reader(of: layer)
        let statement = try reader.prepare()
        while try statement.step() { try body(LayerRow(reader, statement)) }
      }
    }

    /// Reads a layer whose rows are points, or without a position, and texts for their properties.
    ///
    /// - Parameters:
    ///   - begin: Called first, with the names of the properties and by role its cell: the first cells of a row are its
    ///     properties. The roles are those of `LayerColumns.roles`.
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
        let roles = LayerColumns.roles.map { own in
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
  }
#endif
