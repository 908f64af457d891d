#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// Takes the annotations of an update, one by one, inside its transaction.
  ///
  /// Memory does not grow with what is appended, but for 32 bytes an annotation until the R-tree of
  /// a new layer is made.
  public final class LayerWriter {
    let connection: Connection
    let table: String
    private(set) var columns: LayerColumns
    private(set) var counts = UpdateOutcome.Counts()
    private let denied: Set<AnnotationID>
    /// nil where rows are only added, to a layer without R-tree and triggers yet.
    private let rules: [String: MergePolicy.FieldRule]?
    private var insertion: Statement?
    private var change: Statement?
    private var cells = RowCells()
    private var point: [UInt8]
    private var packing = RTreePacking()
    private var nextRow = 1
    private(set) var geometryType: String
    private(set) var hasAltitude = false
    private(set) var isChanged = false
    /// The place of the property that the last row had at each position.
    private var guesses: [Int] = []

    /// Writes to a table that was just made.
    init(new table: String, _ connection: Connection, denied: Set<AnnotationID>) {
      self.connection = connection
      self.table = table
      self.denied = denied
      columns = LayerColumns()
      rules = nil
      geometryType = "POINT"
      point = LayerWriter.emptyPoint
    }

    /// Writes to a table that has rows, R-tree and triggers.
    init(
      _ table: String, _ columns: LayerColumns, geometryType: String,
      rules: [String: MergePolicy.FieldRule], _ connection: Connection,
      denied: Set<AnnotationID>
    ) {
      self.connection = connection
      self.table = table
      self.denied = denied
      self.columns = columns
      self.rules = rules
      self.geometryType = geometryType
      point = LayerWriter.emptyPoint
    }

    private static let emptyPoint =
      GeometryBlob.pointPrefix(srsID: Int32(GeoPackageSchema.wgs84))
      + [UInt8](repeating: 0, count: 16)

    /// Adds an annotation, or merges it with the one of its id.
    ///
    /// - Throws: `StoreError`; the update is then undone as a whole.
    /// - Complexity: O(its length), and O(log *n*) more where it is merged.
    public func append(_ annotation: some StorableAnnotation) throws(StoreError) {
      if !denied.isEmpty, denied.contains(annotation.id) {
        counts.denied += 1
        return
      }
      guard let rules else {
        counts.added += 1
        return try insert(annotation)
      }
      guard let old = try stored(annotation.id) else {
        counts.added += 1
        isChanged = true
        return try insert(annotation)
      }
      let new = StoredAnnotation(copying: annotation)
      let merged = old.annotation.merged(with: new, rules)
      guard !merged.saysTheSame(as: old.annotation) else {
        counts.unchanged += 1
        return
      }
      counts.changed += 1
      isChanged = true
      try replace(row: old.row, with: merged)
    }

    /// Adds a row of a table whose cells are all texts: what `append(_:)` does, without the strings.
    ///
    /// For new layers only; see `takesPlainRows`.
    ///
    /// - Parameter cells: One for each of the properties given to `declare(_:)`, in order.
    package func appendPlainRow(_ row: PlainRow) throws(StoreError) {
      counts.added += 1
      cells.clear(columns: columns.count)
      for (place, text) in row.own.enumerated() {
        if let text { cells.set(place, text) }
      }
      var isPlain = true
      for (number, text) in row.cells.enumerated() {
        let property = columns.properties[number]
        if property.place >= LayerColumns.Own.allCases.count {
          cells.set(property.place, text)
        } else if cells.isNull(property.place), text.isEmpty {
          cells.set(property.place, text)
        } else if cells.isNull(property.place)
          || !cells.equals(property.place, String(decoding: text, as: UTF8.self))
        {
          isPlain = false
        }
      }
      if !isPlain {
        var properties = Properties()
        for (number, text) in row.cells.enumerated() {
          properties.append(
            columns.properties[number].name, .string(String(decoding: text, as: UTF8.self)))
        }
        let whole = BasicAnnotation(id: "", properties: properties)
        cells.set(LayerColumns.Own.feature.rawValue, FeatureColumn.text(of: whole))
      }
      try insertCells(row.coordinate, nil)
    }

    /// Whether rows can be given as they lie in their source: the layer is new, and no id is denied.
    package var takesPlainRows: Bool { rules == nil && denied.isEmpty }

    /// Gives properties their columns before the first row, where they have distinct names.
    ///
    /// - Returns: Whether each has a column.
    package func declare(_ names: [String]) throws(StoreError) -> Bool {
      guard columns.properties.isEmpty, Set(names).count == names.count,
        names.count <= LayerColumns.limit
      else { return false }
      for name in names {
        if let column = columns.add(name)?.newColumn { try addColumn(column) }
      }
      return true
    }

    private func addColumn(_ column: String) throws(StoreError) {
      try connection.execute("ALTER TABLE \(quoted(table)) ADD COLUMN \(quoted(column)) TEXT")
      insertion = nil
      change = nil
    }

    // MARK: One row

    private func insert(_ annotation: some StorableAnnotation) throws(StoreError) {
      try fillCells(annotation)
      try insertCells(annotation.coordinate, annotation.feature?.geometry)
    }

    private func insertCells(
      _ coordinate: Coordinate?, _ shape: Geometry?
    ) throws(StoreError) {
      let blob = try geometryBlob(coordinate, shape)
      let statement = try insertionStatement()
      if rules == nil {
        statement.bind(nextRow, at: 1)
        if let envelope = blob.envelope { packing.append(row: nextRow, envelope) }
      } else {
        statement.bindNull(at: 1)
      }
      nextRow += 1
      try bind(blob.bytes, to: statement, at: 2)
    }

    private func replace(row: Int, with annotation: StoredAnnotation) throws(StoreError) {
      try fillCells(annotation)
      let blob = try geometryBlob(annotation.coordinate, annotation.geometry)
      let statement = try changeStatement()
      statement.bind(row, at: 1)
      try bind(blob.bytes, to: statement, at: 2)
    }

    private func bind(
      _ blob: [UInt8]?, to statement: Statement, at place: Int
    ) throws(StoreError) {
      let cells = cells
      func run() throws(StoreError) {
        try cells.bind(to: statement, from: place + 1) { () throws(StoreError) in
          try statement.run()
        }
      }
      guard let blob else {
        statement.bindNull(at: place)
        return try run()
      }
      try blob.withUnsafeBufferPointer { (bytes) throws(StoreError) in
        statement.bind(blobInPlace: UnsafeRawBufferPointer(bytes), at: place)
        try run()
      }
    }

    private func insertionStatement() throws(StoreError) -> Statement {
      if let insertion { return insertion }
      let names = (["fid", "geom"] + columns.names).map(quoted)
      let statement = try connection.prepare(
        "INSERT INTO \(quoted(table))(\(names.joined(separator: ", "))) VALUES ("
          + (1...names.count).map { "?\($0)" }.joined(separator: ", ") + ")")
      insertion = statement
      return statement
    }

    private func changeStatement() throws(StoreError) -> Statement {
      if let change { return change }
      let changes = (["geom"] + columns.names).enumerated()
        .map { "\(quoted($0.element)) = ?\($0.offset + 2)" }
      let statement = try connection.prepare(
        "UPDATE \(quoted(table)) SET \(changes.joined(separator: ", ")) WHERE fid = ?1")
      change = statement
      return statement
    }

    // MARK: Cells

    private func fillCells(_ annotation: some StorableAnnotation) throws(StoreError) {
      cells.clear(columns: columns.count)
      let feature = annotation.feature
      let id = annotation.id.text
      cells.set(LayerColumns.Own.id.rawValue, id)
      cells.set(LayerColumns.Own.name.rawValue, annotation.name)
      cells.set(LayerColumns.Own.kind.rawValue, annotation.kind?.rawValue)
      cells.set(LayerColumns.Own.openingHours.rawValue, annotation.openingHours)
      cells.set(LayerColumns.Own.placeID.rawValue, annotation.placeID)
      let dates = annotation.validDates
      cells.set(LayerColumns.Own.validFrom.rawValue, dates.first?.first?.description)
      cells.set(LayerColumns.Own.validUntil.rawValue, dates.last?.last?.description)

      var columnsTellAll =
        dates.count < 2
        && (feature.map {
          $0.id == .string(id) && $0.bbox == nil && $0.foreignMembers.isEmpty
            && $0.properties != nil
        } ?? true)
      if try !setProperties(annotation.properties) { columnsTellAll = false }
      if !columnsTellAll {
        cells.set(LayerColumns.Own.feature.rawValue, FeatureColumn.text(of: annotation))
      }
    }

    /// Puts each property into its column; whether they can all be read back from there.
    private func setProperties(_ properties: Properties) throws(StoreError) -> Bool {
      var isPlain = true
      var last = -1
      var sharedSeen = 0
      for (position, entry) in properties.entries.enumerated() {
        guard let place = try propertyPlace(entry.name, at: position) else {
          isPlain = false
          continue
        }
        let column = columns.properties[place].place
        let isShared = column < LayerColumns.Own.allCases.count
        if isShared { sharedSeen += 1 }
        guard place > last, case .string(let text) = entry.value else {
          // Columns still show what they can; the feature column has it all.
          if !isShared, place > last { cells.set(column, entry.value.cellText) }
          last = max(last, place)
          isPlain = false
          continue
        }
        last = place
        if !isShared {
          cells.set(column, text)
        } else if cells.isNull(column), text.isEmpty {
          cells.set(column, text)
        } else if !cells.equals(column, text) {
          isPlain = false
        }
      }
      // A column that stands for a property this row does not have would seem to be one.
      if isPlain {
        let shared = columns.properties.lazy.filter {
          $0.place < LayerColumns.Own.allCases.count && !self.cells.isNull($0.place)
        }
        isPlain = shared.count == sharedSeen
      }
      return isPlain
    }

    private func propertyPlace(
      _ name: String, at position: Int
    ) throws(StoreError) -> Int? {
      if position < guesses.count, columns.properties[guesses[position]].name == name {
        return guesses[position]
      }
      var place = columns.place(of: name)
      if place == nil, let added = columns.add(name) {
        place = added.place
        if let column = added.newColumn {
          try addColumn(column)
          cells.extend(to: columns.count)
        }
      }
      if let place, position == guesses.count { guesses.append(place) }
      return place
    }

    // MARK: Geometry

    private func geometryBlob(
      _ coordinate: Coordinate?, _ shape: Geometry?
    ) throws(StoreError) -> (bytes: [UInt8]?, envelope: GeometryBlob.Envelope?) {
      guard let coordinate else { return (nil, nil) }
      var longitude = coordinate.longitude
      var latitude = coordinate.latitude
      if case .point(let position)? = shape, position.altitude == nil {
        // 180 stays 180, as it was written.
        longitude = position.longitude
        latitude = position.latitude
      } else if let shape {
        let blob = GeometryBlob.encode(shape, srsID: Int32(GeoPackageSchema.wgs84))
        hasAltitude = hasAltitude || blob.hasAltitude
        if case .point = shape {} else { try widenGeometry() }
        return (blob.bytes, blob.envelope)
      }
      point.withUnsafeMutableBytes {
        $0.storeBytes(of: longitude.bitPattern.littleEndian, toByteOffset: 13, as: UInt64.self)
        $0.storeBytes(of: latitude.bitPattern.littleEndian, toByteOffset: 21, as: UInt64.self)
      }
      return (
        point,
        GeometryBlob.Envelope(minX: longitude, maxX: longitude, minY: latitude, maxY: latitude)
      )
    }

    /// Lets the table hold every shape, where it was declared to hold points.
    private func widenGeometry() throws(StoreError) {
      guard geometryType == "POINT" else { return }
      geometryType = "GEOMETRY"
      insertion = nil
      change = nil
      try LayerTable.widenGeometry(of: table, columns, hasTriggers: rules != nil, connection)
    }

    // MARK: Ends

    /// Makes the R-tree and the triggers of a new layer.
    func finish() throws(StoreError) {
      insertion = nil
      change = nil
      guard rules == nil else { return }
      try GeoPackageSchema.createRTree(of: table, connection)
      try packing.write(to: GeoPackageSchema.rTreeName(of: table), connection)
      try LayerTable.createTriggers(of: table, connection)
    }

    /// The box around what was added to a new layer.
    var extent: GeometryBlob.Envelope { packing.extent }

    private func stored(
      _ id: AnnotationID
    ) throws(StoreError) -> (row: Int, annotation: StoredAnnotation)? {
      try LayerReader(connection, table: table, columns: columns)
        .first(where: "id = ? ORDER BY fid LIMIT 1", .text(id.text))
    }
  }

  /// A row of a table as it lies in its source.
  package struct PlainRow {
    /// nil for an unplaced row.
    package var coordinate: Coordinate?
    /// id, name, kind, hours, place, first and last date; nil for none.
    package var own: [UnsafeBufferPointer<UInt8>?] = []
    /// One for each declared property.
    package var cells: [UnsafeBufferPointer<UInt8>] = []

    package init() {}
  }

  extension PropertyValue {
    /// What a column shows of a value that is no text; nil for null.
    fileprivate var cellText: String? {
      switch self {
      case .string(let text), .number(let text): return text
      case .bool(let value): return String(value)
      case .null: return nil
      case .array, .object:
        var writer = JSONWriter()
        writer.value(self)
        return writer.text
      }
    }
  }
#endif
