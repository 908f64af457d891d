#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  extension AnnotationStore {
    /// The annotations of a layer in source order, including those without a position.
    ///
    /// All belong to one state of the store, whatever is written meanwhile.
    public func annotations(in layer: String) throws -> [StoredAnnotation] {
      try annotations(in: layer, where: nil)
    }

    /// The annotations of a layer without a position, in source order.
    public func unplacedAnnotations(in layer: String) throws -> [StoredAnnotation] {
      try annotations(in: layer, where: "geom IS NULL ORDER BY fid")
    }

    private func annotations(
      in layer: String, where condition: String?
    ) throws -> [StoredAnnotation] {
      try connection.read { try reader(of: layer).all(where: condition) }
    }

    /// The annotations of a layer whose position lies in a box or on its edge, in source order.
    ///
    /// The R-tree's boxes have 32-bit numbers and only preselect; each position is compared
    /// exactly. One with a shape must also have the box around its shape there, wherever an app has set its pin.
    ///
    /// - Complexity: O(log *n* + *k*) for *k* boxes that touch it.
    public func annotations(
      in box: BoundingBox, layer: String
    ) throws -> [StoredAnnotation] {
      let tree = quoted(GeoPackageSchema.rTreeName(of: layer))
      // A box across ±180° becomes two for the R-tree; positions on the meridian may be on either side.
      var spans = box.west <= box.east ? [box.west...box.east] : [box.west...180, -180...box.east]
      if spans.contains(where: { $0.contains(-180) || $0.contains(180) }) {
        spans += [-180 ... -180, 180...180]
      }
      let condition = spans.map { "(maxx >= \($0.lowerBound) AND minx <= \($0.upperBound))" }
        .joined(separator: " OR ")
      return try annotations(
        in: layer,
        where: "fid IN (SELECT id FROM \(tree) WHERE maxy >= \(box.south) "
          + "AND miny <= \(box.north) AND (\(condition))) ORDER BY fid"
      ).filter { $0.coordinate.map(box.contains) ?? false }
    }

    /// The first annotation with an id in a layer; nil if there is none.
    ///
    /// - Complexity: O(log *n*) if the layer is merged by id or has favorites, otherwise O(*n*).
    public func annotation(
      _ id: AnnotationID, in layer: String
    ) throws(StoreError) -> StoredAnnotation? {
      try reader(of: layer).first(where: "id = ? ORDER BY fid LIMIT 1", .text(id.text))?.annotation
    }

    func reader(of layer: String) throws(StoreError) -> LayerReader {
      LayerReader(connection: connection, table: layer, columns: try columns(of: layer))
    }

    /// The members of a layer's GeoJSON collection beyond RFC 7946.
    public func collectionMembers(of layer: String) throws(StoreError) -> Properties {
      guard
        let text = try connection.text(
          "SELECT members FROM nearby_layers WHERE table_name = ?", .text(layer)),
        let value = try? PropertyValue(json: Array(text.utf8)), case .object(let members) = value
      else { return Properties() }
      return members
    }
  }

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

    /// Runs `body` in a transaction in which nobody else can write; its changes are undone on any error, also if they
    /// would go into a file that is no longer the one of its name.
    ///
    /// - Parameter patience: How long to wait for another process's write, in milliseconds; nil for as long as usual.
    package func writing<Result>(
      patience: Int? = nil, _ body: () throws -> Result
    ) throws -> Result {
      let usual = connection.patience
      connection.patience = patience ?? usual
      defer { connection.patience = usual }
      return try connection.write {
        let result = try body()
        try checkPlace()
        return result
      }
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
