#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  extension AnnotationStore {
    /// Updates a layer to what its source delivers, completely or not at all.
    ///
    /// The update is one transaction: readers see the old state meanwhile, and the old state stays on any error or if
    /// the process is killed. Marks are not touched, so a mark on a removed annotation is still there when the
    /// annotation comes back.
    ///
    /// - Parameters:
    ///   - update: The data about the delivery. If the layer has this version or a higher one, nothing happens and
    ///     `rows` is not called.
    ///   - rows: Appends the annotations, in batches of any size. An error it throws undoes the update.
    /// - Returns: What was done.
    /// - Throws: `StoreError`, `busy` if another process writes for longer than the store's patience, and errors of
    ///   `rows`.
    /// - Complexity: O(*n*) for *n* rows of a new layer, O(log *m*) for each that is merged into *m*. Rows that replace
    ///   others are compared with them: O(*n* log *n*), and 16 bytes for each of both.
    @discardableResult
    public func apply(
      _ update: LayerUpdate, rows: (LayerWriter) throws -> Void
    ) throws -> UpdateOutcome {
      guard GeoPackageSchema.isLayerName(update.layer) else {
        throw StoreError(file, .badLayerName(update.layer))
      }
      // In one state of the file: tables that another process makes meanwhile would seem to be of another program.
      if let held = try connection.read({ try heldVersion(of: update) }) { return .upToDate(held) }
      return try writing {
        // Another process may have been faster.
        if let held = try heldVersion(of: update) { return .upToDate(held) }
        let table = try tableName(of: update.layer)
        updating.insert(AnnotationStore.key(of: update.layer))
        defer { updating.remove(AnnotationStore.key(of: update.layer)) }
        let counts =
          if case .upsert(let rules) = update.policy, let table {
            try merge(update, into: table, rules, rows)
          } else {
            try replace(table, update, rows)
          }
        // Stored later, it could be taken for the fetch of what another process has brought meanwhile.
        if let fetch = update.fetch { try record(fetch, of: update.layer) }
        return .applied(counts)
      }
    }

    /// Updates a layer to the annotations of a sequence; see above.
    @discardableResult
    public func apply(
      _ update: LayerUpdate, _ annotations: some Sequence<some StorableAnnotation>
    ) throws -> UpdateOutcome {
      try apply(update) { writer in
        for annotation in annotations { try writer.append(annotation) }
      }
    }

    /// Adds annotations to a layer, replacing those with the same ids, and removes others.
    ///
    /// All of it happens or nothing, and is on the disk when this returns. The layer's source and
    /// version stay the same, and it ``isEdited(_:)``; nothing is merged.
    ///
    /// - Parameters:
    ///   - annotations: Annotations with different ids.
    ///   - ids: The ids to remove; ids that do not exist are ignored.
    ///   - layer: An existing layer.
    ///   - moment: The time of the change.
    /// - Throws: `StoreError`; the layer is then unchanged.
    /// - Complexity: O(log *n*) for each.
    public func put(
      _ annotations: some Sequence<some StorableAnnotation>,
      removing ids: some Sequence<AnnotationID> = EmptyCollection(), in layer: String,
      at moment: Instant
    ) throws {
      try writing {
        guard let table = try tableName(of: layer) else {
          throw StoreError(file, .unknownLayer(layer, layers: try layerNames()))
        }
        try LayerTable.createIDIndex(of: table, connection)
        let writer = try mergingWriter(of: table, rules: [:], denied: [])
        let removal = "DELETE FROM \(quoted(table)) WHERE id = ?"
        for id in ids { try connection.run(removal, .text(id.text)) }
        for annotation in annotations { try writer.put(annotation) }
        try writer.finish()
        try connection.run(
          "UPDATE nearby_layers SET refreshed = ?, columns = ? WHERE table_name = ?",
          SQLValue(moment), .text(writer.columns.json), .text(table))
        try setAltitude(of: table, writer)
        // Large enough without reading all rows; removals do not shrink it.
        try widenExtent(of: table, by: writer.addedExtent, at: moment)
      }
    }

    /// Records that a layer was found to be up to date, without touching its annotations.
    ///
    /// - Parameters:
    ///   - layer: The name of the layer.
    ///   - moment: When its source was asked.
    ///   - fetch: A later fetch of the stored content, to be stored in the place of the last one, unless another process
    ///     has brought other content or edited it meanwhile.
    public func confirm(_ layer: String, at moment: Instant, by fetch: LayerFetch? = nil) throws {
      try writing {
        guard
          try connection.run(
            "UPDATE nearby_layers SET refreshed = ? WHERE table_name = ?",
            SQLValue(moment), .text(layer)) == 1
        else { throw StoreError(file, .unknownLayer(layer, layers: try layerNames())) }
        if let fetch, try lastFetch(of: layer)?.hasContent(of: fetch) == true, try !isEdited(layer)
        {
          try record(fetch, of: layer)
        }
      }
    }

    /// Removes a layer with its annotations; marks on them stay.
    ///
    /// - Throws: `StoreError` if the store has no such layer; tables of other programs are left alone.
    public func removeLayer(_ name: String) throws {
      try writing {
        try expectNoUpdate(of: name)
        switch try LayerName.holder(of: name, connection) {
        case .layer, .missing: try LayerTable.drop(name, connection)
        case .replaced:
          try connection.run("DELETE FROM nearby_layers WHERE table_name = ?", .text(name))
        case .nothing: throw StoreError(file, .unknownLayer(name, layers: try layerNames()))
        case .other(let holder): throw StoreError(file, .nameTaken(name, by: holder))
        }
        try connection.execute(StoreSchema.raiseStamp)
      }
    }

    /// Returns the space of removed annotations to the system.
    ///
    /// - Throws: `StoreError`; the store is then unchanged. Compacting needs as much free space as
    ///   the annotations take.
    public func compact() throws(StoreError) {
      guard !connection.isInTransaction else { throw StoreError(file, .insideUpdate(layer: nil)) }
      try connection.execute("VACUUM")
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    // MARK: Steps of an update

    /// The version of a layer, if it makes an update unnecessary.
    private func heldVersion(of update: LayerUpdate) throws(StoreError) -> SourceVersion? {
      guard update.version != nil, let table = try tableName(of: update.layer) else { return nil }
      let held = try connection.rows(
        "SELECT version_number, version_tag FROM nearby_layers WHERE table_name = ?",
        .text(table)
      ) { (row) throws(StoreError) -> SourceVersion? in
        row.isNull(0) ? row.text(1).map { .tag($0) } : .number(row.integer(0))
      }
      guard let old = held.first ?? nil, update.isNothingNew(since: old) else { return nil }
      return old
    }

    /// A name of a layer as SQLite compares it.
    private static func key(of layer: String) -> [UInt8] { layer.utf8.map(\.lowercasedASCII) }

    private func expectNoUpdate(of layer: String) throws(StoreError) {
      guard !updating.contains(AnnotationStore.key(of: layer)) else {
        throw StoreError(file, .insideUpdate(layer: layer))
      }
    }

    /// The layer's table; nil if there is none yet.
    ///
    /// - Throws: If something else has the name, or an update of the layer is in progress.
    private func tableName(of layer: String) throws(StoreError) -> String? {
      try expectNoUpdate(of: layer)
      switch try LayerName.holder(of: layer, connection) {
      case .layer: return layer
      case .nothing, .missing: return nil
      case .replaced: throw StoreError(file, .nameTaken(layer, by: LayerName.replaced))
      case .other(let holder): throw StoreError(file, .nameTaken(layer, by: holder))
      }
    }

    private func replace(
      _ table: String?, _ update: LayerUpdate, _ rows: (LayerWriter) throws -> Void
    ) throws -> UpdateCounts {
      let former = try table.map { (table) throws(StoreError) in
        (
          origin: try connection.rows(
            "SELECT source, licence FROM nearby_layers WHERE table_name = ?", .text(table)
          ) { (row) throws(StoreError) in (source: row.text(0), licence: row.text(1)) }.first,
          rows: try LayerDigest(of: table, connection),
          isIndexed: try LayerTable.hasIDIndex(of: table, connection)
        )
      }
      // If another program dropped its table, many entries may remain.
      if try LayerName.isListed(update.layer, connection) {
        try LayerTable.drop(update.layer, connection)
      }
      let writer = LayerWriter(update.layer, connection, denied: update.denied)
      try rows(writer)
      try writer.finish()
      if former?.isIndexed == true { try LayerTable.createIDIndex(of: update.layer, connection) }

      var update = update
      update.source = update.source ?? former?.origin?.source
      update.licence = update.licence ?? former?.origin?.licence
      try record(update, writer)
      try setExtent(of: update.layer, writer.extent, at: update.refreshed)
      try connection.execute(StoreSchema.raiseStamp)
      var counts = writer.counts
      if let former, !former.rows.isEmpty {
        former.rows.count(replacedBy: try LayerDigest(of: update.layer, connection), in: &counts)
      }
      counts.unplaced = try unplacedCount(of: update.layer)
      return counts
    }

    private func merge(
      _ update: LayerUpdate, into table: String, _ rules: [String: MergePolicy.FieldRule],
      _ rows: (LayerWriter) throws -> Void
    ) throws -> UpdateCounts {
      try LayerTable.createIDIndex(of: table, connection)
      let writer = try mergingWriter(of: table, rules: rules, denied: update.denied)
      try rows(writer)
      try writer.finish()
      var counts = writer.counts
      for id in update.denied {
        counts.removed += try connection.run(
          "DELETE FROM \(quoted(table)) WHERE id = ?", .text(id.text))
      }
      try record(update, writer)
      if writer.isChanged || counts.removed > 0 {
        try setExtent(of: table, try extent(of: table), at: update.refreshed)
      }
      counts.unplaced = try unplacedCount(of: table)
      return counts
    }

    /// A writer to a table with rows.
    private func mergingWriter(
      of table: String, rules: [String: MergePolicy.FieldRule], denied: Set<AnnotationID>
    ) throws(StoreError) -> LayerWriter {
      let geometryType =
        try connection.text(
          "SELECT geometry_type_name FROM gpkg_geometry_columns WHERE table_name = ?",
          .text(table)) ?? "GEOMETRY"
      var columns = try columns(of: table)
      columns.leave(try LayerTable.columnNames(of: table, connection))
      let held = LayerWriter.Held(
        columns: columns, geometryType: geometryType, rules: rules,
        lastRow: try connection.integer("SELECT max(fid) FROM \(quoted(table))") ?? 0)
      return LayerWriter(table, held: held, connection, denied: denied)
    }

    private func setAltitude(of table: String, _ writer: LayerWriter) throws(StoreError) {
      guard writer.hasAltitude else { return }
      try connection.run(
        "UPDATE gpkg_geometry_columns SET z = 2 WHERE table_name = ?", .text(table))
    }

    /// Widens the extent of a table's rows in the GeoPackage contents by new rows.
    func widenExtent(
      of table: String, by added: GeometryBlob.Envelope, at moment: Instant
    ) throws(StoreError) {
      var whole = try extent(
        "SELECT min_x, max_x, min_y, max_y FROM gpkg_contents WHERE table_name = \(literal(table))")
      whole.extend(added)
      try setExtent(of: table, whole, at: moment)
    }

    /// The extent in the four columns of a statement's first row; empty for NULL and no row.
    private func extent(_ sql: String) throws(StoreError) -> GeometryBlob.Envelope {
      let row = try connection.prepare(sql)
      guard try row.step(), !row.isNull(0) else { return GeometryBlob.Envelope() }
      return GeometryBlob.Envelope(
        minX: row.double(0), maxX: row.double(1), minY: row.double(2), maxY: row.double(3))
    }

    func unplacedCount(of table: String) throws(StoreError) -> Int {
      try connection.integer("SELECT count(*) FROM \(quoted(table)) WHERE geom IS NULL") ?? 0
    }

    private func extent(of table: String) throws(StoreError) -> GeometryBlob.Envelope {
      try extent(
        """
        SELECT min(ST_MinX(geom)), max(ST_MaxX(geom)), min(ST_MinY(geom)), max(ST_MaxY(geom))
        FROM \(quoted(table)) WHERE geom NOTNULL
        """)
    }

    /// Sets the extent of a table's rows and the time of the last change in the GeoPackage contents.
    private func setExtent(
      of table: String, _ extent: GeometryBlob.Envelope, at moment: Instant
    ) throws(StoreError) {
      guard (-62_167_219_200...253_402_300_799).contains(moment.seconds) else {
        throw StoreError(file, .badMoment(moment))
      }
      let corners = [extent.minX, extent.minY, extent.maxX, extent.maxY]
        .map { extent.isEmpty ? SQLValue.null : .double($0) }
      try connection.run(
        """
        UPDATE gpkg_contents SET min_x = ?, min_y = ?, max_x = ?, max_y = ?,
          last_change = strftime('%Y-%m-%dT%H:%M:%fZ', ? / 1000.0, 'unixepoch')
        WHERE table_name = ?
        """, corners[0], corners[1], corners[2], corners[3], SQLValue(moment),
        .text(table))
    }

    private func record(_ update: LayerUpdate, _ writer: LayerWriter) throws(StoreError) {
      let members = update.members.isEmpty ? nil : PropertyValue.object(update.members).jsonText
      let (number, tag): (Int?, String?) =
        switch update.version {
        case .number(let version): (version, nil)
        case .tag(let version): (nil, version)
        case nil: (nil, nil)
        }
      try connection.run(
        """
        INSERT INTO nearby_layers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (table_name) DO UPDATE SET
          source = coalesce(excluded.source, source), crs = excluded.crs,
          licence = coalesce(excluded.licence, licence), policy = excluded.policy,
          version_number = excluded.version_number, version_tag = excluded.version_tag,
          refreshed = excluded.refreshed, columns = excluded.columns,
          members = coalesce(excluded.members, members)
        """, .text(update.layer), SQLValue(update.source), .text(update.crs),
        SQLValue(update.licence), .text(update.policy.json), SQLValue(number), SQLValue(tag),
        SQLValue(update.refreshed), .text(writer.columns.json), SQLValue(members))
      try setAltitude(of: update.layer, writer)
    }
  }
#endif
