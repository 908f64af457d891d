#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// Takes the annotations of an update one by one, inside its transaction.
  ///
  /// Memory does not grow with the annotations, except for 32 bytes each until the R-tree of a new
  /// layer is built, and the same for each merged annotation.
  public final class LayerWriter {
    let connection: Connection
    let table: String
    private var builder: RowBuilder
    private(set) var counts = UpdateCounts()
    private let denied: Set<AnnotationID>
    /// nil if rows are only added, to a new layer without R-tree and triggers.
    private let held: Held?
    /// The existing rows that this update has merged.
    private var met: Set<Int> = []
    /// For ids that occurred more than once, the last row merged.
    private var lastMet: [AnnotationID: Int] = [:]
    /// The questions to geocoders by the positions that they found, once one is looked for.
    private var answered: [Coordinate: [String]]?
    private var insertion: Statement?
    private var change: Statement?
    /// The column plan for rows of the current source, once one has arrived.
    private var plan: TextRowPlan?
    /// The plan's source, and the layer's number of properties when it was made; with more, it is out of date.
    private var plannedSource: (columns: TextColumns, propertyCount: Int)?
    /// Whether the parameters outside the plan are NULL.
    private var insertionFitsPlan = false
    /// The blob of a point, in which each gets its coordinates.
    private var point =
      GeometryBlob.pointPrefix + [UInt8](repeating: 0, count: 16)
    private var packing = RTreePacking()
    private var nextRow = 1
    private(set) var geometryType: String
    private(set) var hasAltitude = false
    /// The box around what was added to an existing layer.
    private(set) var addedExtent = GeometryBlob.Envelope()
    private(set) var isChanged = false
    /// Whether the table is there; a new one is made once the columns of the first row are known.
    private var isMade: Bool

    /// A table with rows, R-tree and triggers, and how its rows are merged.
    struct Held {
      let columns: LayerColumns
      let geometryType: String
      let rules: [String: MergePolicy.FieldRule]
      /// The highest row number.
      let lastRow: Int
    }

    /// Writes to a table.
    ///
    /// - Parameter held: What it has; nil for a new table.
    init(
      _ table: String, held: Held? = nil, _ connection: Connection, denied: Set<AnnotationID>
    ) {
      self.connection = connection
      self.table = table
      self.denied = denied
      builder = RowBuilder(held?.columns ?? LayerColumns())
      self.held = held
      isMade = held != nil
      geometryType = held?.geometryType ?? "POINT"
    }

    /// Adds an annotation, or merges it with the one of the same id.
    ///
    /// If an id repeats within one update, it is a different annotation: the second with that id is
    /// merged with the second in the layer, or added if there is none. So no annotation replaces
    /// another from the same update.
    ///
    /// - Throws: `StoreError`; the whole update is then undone.
    /// - Complexity: O(its length), and O(log *n*) more if it is merged.
    public func append(_ annotation: some StorableAnnotation) throws(StoreError) {
      if !denied.isEmpty, denied.contains(annotation.id) {
        counts.denied += 1
        return
      }
      let new = StoredAnnotation(copying: annotation)
      guard let held, let old = try unmet(new.id, in: held) else {
        counts.added += 1
        isChanged = true
        return try insert(new)
      }
      var merged = old.annotation.merged(with: new, held.rules)
      guard !merged.saysTheSame(as: old.annotation) else {
        counts.unchanged += 1
        return
      }
      if new.coordinate == nil, let place = merged.coordinate,
        try questions(for: place).contains(where: { old.annotation.asks($0, unlike: merged) })
      {
        merged.geometry = nil
      }
      counts.changed += 1
      isChanged = true
      try replace(row: old.row, with: merged)
    }

    /// Puts an annotation in the place of the last one with its id, and removes the others.
    ///
    /// Its row keeps its number, which other tables may name, and what other programs have in columns of their own.
    func put(_ annotation: some StorableAnnotation) throws(StoreError) {
      let new = StoredAnnotation(copying: annotation).withoutPlainFeature
      let id = SQLValue.text(new.id.text)
      let last = try connection.integer("SELECT max(fid) FROM \(quoted(table)) WHERE id = ?", id)
      guard let last else { return try insert(new) }
      try connection.run(
        "DELETE FROM \(quoted(table)) WHERE id = ? AND fid < ?", id, .integer(last))
      try replace(row: last, with: new)
    }

    /// The questions to geocoders that were answered with a position.
    private func questions(for place: Coordinate) throws(StoreError) -> [String] {
      if answered == nil { answered = try StoreGeocodingJournal.questions(connection) }
      return answered?[place] ?? []
    }

    /// Adds an annotation, or merges it with the one of the same id; faster with the row of its source.
    ///
    /// - Parameter row: The row it was read from, with everything but the position.
    package func append(
      _ annotation: some StorableAnnotation, from row: TextRow?
    ) throws(StoreError) {
      guard let row, held == nil, denied.isEmpty, let plan = try plan(for: row.columns),
        plan.tells(row)
      else { return try append(annotation) }
      counts.added += 1
      let blob = try geometryBlob(annotation.coordinate, nil)
      let statement = try insertionStatement()
      if !insertionFitsPlan {
        for place in 0..<columns.count { statement.bindNull(at: 3 + place) }
        insertionFitsPlan = true
      }
      plan.bind(row, to: statement, from: 3)
      try insertNext(blob, statement) { () throws(StoreError) in try statement.run() }
    }

    private func plan(for source: TextColumns) throws(StoreError) -> TextRowPlan? {
      if let plannedSource, plannedSource.columns === source,
        plannedSource.propertyCount == columns.properties.count
      {
        return plan
      }
      let made = builder.plan(source)
      try add(made.newColumns)
      plan = made.plan
      plannedSource = (source, columns.properties.count)
      insertionFitsPlan = false
      return plan
    }

    /// The columns and their properties.
    var columns: LayerColumns { builder.columns }

    // MARK: One row

    private func insert(_ annotation: StoredAnnotation) throws(StoreError) {
      try add(builder.fill(annotation))
      let blob = try geometryBlob(annotation.coordinate, annotation.geometry)
      let statement = try insertionStatement()
      insertionFitsPlan = false
      try insertNext(blob, statement) { () throws(StoreError) in
        try builder.cells.bind(to: statement, from: 3) { () throws(StoreError) in
          try statement.run()
        }
      }
    }

    /// Binds the number and the shape of the next row, and calls `body` while they are bound.
    private func insertNext(
      _ blob: (bytes: [UInt8]?, envelope: GeometryBlob.Envelope?), _ statement: Statement,
      _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
      if held == nil {
        statement.bind(nextRow, at: 1)
        if let envelope = blob.envelope { packing.append(row: nextRow, envelope) }
      } else {
        statement.bindNull(at: 1)
        if let envelope = blob.envelope { addedExtent.extend(envelope) }
      }
      nextRow += 1
      try bind(blob.bytes, to: statement, at: 2, body)
    }

    private func replace(row: Int, with annotation: StoredAnnotation) throws(StoreError) {
      try add(builder.fill(annotation))
      let blob = try geometryBlob(annotation.coordinate, annotation.geometry)
      if let envelope = blob.envelope { addedExtent.extend(envelope) }
      let statement = try changeStatement()
      statement.bind(row, at: 1)
      try bind(blob.bytes, to: statement, at: 2) { () throws(StoreError) in
        try builder.cells.bind(to: statement, from: 3) { () throws(StoreError) in
          try statement.run()
        }
      }
    }

    /// Adds columns to the table; the first ones make a new table.
    private func add(_ newColumns: [String]) throws(StoreError) {
      guard isMade else {
        try LayerTable.create(table, with: newColumns, connection)
        isMade = true
        return
      }
      guard !newColumns.isEmpty else { return }
      for column in newColumns {
        try connection.execute("ALTER TABLE \(quoted(table)) ADD COLUMN \(quoted(column)) TEXT")
      }
      insertion = nil
      change = nil
    }

    private func bind(
      _ blob: [UInt8]?, to statement: Statement, at place: Int,
      _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
      guard let blob else {
        statement.bindNull(at: place)
        return try body()
      }
      try blob.withUnsafeBufferPointer { (bytes) throws(StoreError) in
        statement.bind(blobInPlace: UnsafeRawBufferPointer(bytes), at: place)
        try body()
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
        let blob = GeometryBlob.encode(shape)
        hasAltitude = hasAltitude || blob.hasAltitude
        if !shape.isPoint { try widenGeometry() }
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

    /// Lets the table hold any shape, if it was declared to hold points.
    private func widenGeometry() throws(StoreError) {
      guard geometryType == "POINT" else { return }
      geometryType = "GEOMETRY"
      try LayerTable.widenGeometry(of: table, connection)
    }

    // MARK: Finishing

    /// Creates the R-tree and the triggers of a new layer.
    func finish() throws(StoreError) {
      insertion = nil
      change = nil
      guard held == nil else { return }
      if !isMade { try add([]) }
      try GeoPackageSchema.createRTree(of: table, connection)
      connection.setDefense(isOn: false)
      defer { connection.setDefense(isOn: true) }
      try packing.write(to: GeoPackageSchema.rTreeName(of: table), connection)
      try LayerTable.createTriggers(of: table, connection)
    }

    /// The box around what was added to a new layer.
    var extent: GeometryBlob.Envelope { packing.extent }

    /// The first annotation with an id that this update has not merged yet.
    private func unmet(
      _ id: AnnotationID, in held: Held
    ) throws(StoreError) -> (row: Int, annotation: StoredAnnotation)? {
      let reader = LayerReader(connection: connection, table: table, columns: columns)
      var start = lastMet[id] ?? .min
      // Later rows than the last one held were added by this update.
      while let found = try reader.first(
        where: "id = ? AND fid > ? ORDER BY fid LIMIT 1", .text(id.text), .integer(start)),
        found.row <= held.lastRow
      {
        let isNew = met.insert(found.row).inserted
        if !isNew || lastMet[id] != nil { lastMet[id] = found.row }
        if isNew { return found }
        start = found.row
      }
      return nil
    }
  }
#endif
