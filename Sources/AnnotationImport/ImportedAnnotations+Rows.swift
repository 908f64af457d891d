import MapAnnotations
import SpatialIndexing

extension ImportedAnnotations {
  /// Calls `body` with each annotation in order, and with its text row; nil if it has no such row,
  /// or its cells are not its texts.
  ///
  /// - Complexity: O(*n*) for *n* bytes of source, which are read once more, and in order.
  package func forEachWithRow<Failure>(
    _ body: (ImportedAnnotation, TextRow?) throws(Failure) -> Void
  ) throws(Failure) {
    guard !isPacked else {
      for annotation in self { try body(annotation, nil) }
      return
    }
    for table in tables {
      if case .delimited(let rows) = table.rows, let columns = table.textColumns {
        try rows.forEachRow(of: table, columns, body)
      } else {
        for row in table.latitudes.indices {
          try body(ImportedAnnotation(table: table, row: row), nil)
        }
      }
    }
  }
}

extension DelimitedRows {
  /// The meaning of the columns; nil if they are more than plain texts.
  func textColumns(defaultKind: AnnotationKind?) -> TextColumns? {
    guard roles.validFrom == nil, roles.validUntil == nil, roles.nameTemplate == nil,
      columns.withoutRepeats.count == columns.count
    else { return nil }
    let found = KnownProperties(
      Properties(
        columns.enumerated().map {
          Properties.Entry(name: $0.element, value: .string(String($0.offset)))
        }))
    return TextColumns(
      names: columns.indices.map {
        $0 == roles.latitude || $0 == roles.longitude ? nil : columns[$0]
      } + repeatElement(nil, count: layout.hiddenCells),
      id: roles.id, name: roles.name, kind: roles.kind, openingHours: roles.hours,
      placeID: roles.place, defaultKind: defaultKind,
      foundName: found.name.flatMap { Int($0) }, foundKind: found.kind.flatMap { Int($0) })
  }

  fileprivate func forEachRow<Failure>(
    of table: SourceTable, _ columns: TextColumns,
    _ body: (ImportedAnnotation, TextRow?) throws(Failure) -> Void
  ) throws(Failure) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
      let source = UnsafeRawBufferPointer(buffer)
      var reader = DelimitedReader(buffer, dialect: dialect)
      var cells: [UnsafeRawBufferPointer] = []
      for row in table.latitudes.indices {
        reader.move(to: offsets[row])
        let annotation = ImportedAnnotation(table: table, row: row)
        try body(annotation, textRow(of: annotation, &reader, source, columns, &cells))
      }
    }
  }

  /// Reads the cells of an annotation's row, which is next, in place; nil unless texts express all of it.
  fileprivate func textRow(
    of annotation: ImportedAnnotation, _ reader: inout DelimitedReader,
    _ source: UnsafeRawBufferPointer, _ columns: TextColumns,
    _ cells: inout [UnsafeRawBufferPointer]
  ) -> TextRow? {
    // Without a header, a row may have more cells than the first, or fewer.
    guard reader.next() != nil, reader.cellCount == columns.names.count else { return nil }
    cells.removeAll(keepingCapacity: true)
    for cell in reader.cells {
      if cell.hasDoubledQuotes { return nil }
      cells.append(UnsafeRawBufferPointer(rebasing: source[cell.start..<cell.end]))
    }
    // The substitute for a missing id is computed, so no cell has it.
    if let id = columns.id, ContentID.isBlank(cells[id]) { return nil }
    let number = annotation.table.numbering.record(ofRow: annotation.row)
    return TextRow(columns, number: number, cells: cells)
  }
}

extension [ImportedAnnotation] {
  /// Calls `body` with each annotation in order, and with its text row; nil if it has none, or
  /// texts do not express all of it.
  ///
  /// Data shared by a table's rows is looked up once for consecutive rows.
  package func forEachWithRow<Failure>(
    _ body: (ImportedAnnotation, TextRow?) throws(Failure) -> Void
  ) throws(Failure) {
    var place = startIndex
    while place < endIndex {
      let table = self[place].table
      guard case .delimited(let rows) = table.rows, let columns = table.textColumns else {
        try body(self[place], nil)
        place += 1
        continue
      }
      try rows.bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
        let source = UnsafeRawBufferPointer(buffer)
        var reader = DelimitedReader(buffer, dialect: rows.dialect)
        reader.reserve(columns.names.count)
        var cells: [UnsafeRawBufferPointer] = []
        cells.reserveCapacity(columns.names.count)
        var asked = place
        while place < endIndex, self[place].table === table {
          if place == asked { asked = askMemory(from: place, table, rows, source) }
          let annotation = self[place]
          reader.move(to: rows.offsets[annotation.row])
          try body(annotation, rows.textRow(of: annotation, &reader, source, columns, &cells))
          place += 1
        }
      }
    }
  }

  /// Asks memory for what is read of the next annotations of a table, without waiting for it.
  ///
  /// What a search finds stands anywhere in the source, and reading it row by row would wait for each of them.
  ///
  /// - Returns: The place of the first that is not asked for.
  private func askMemory(
    from start: Int, _ table: SourceTable, _ rows: DelimitedRows, _ source: UnsafeRawBufferPointer
  ) -> Int {
    let ahead = self[start..<Swift.min(start + 16, endIndex)].prefix { $0.table === table }
    for annotation in ahead {
      table.latitudes.prefetch(annotation.row)
      table.longitudes.prefetch(annotation.row)
      rows.offsets.prefetch(annotation.row)
    }
    let text = UInt(bitPattern: source.baseAddress)
    for annotation in ahead {
      let row = text &+ UInt(rows.offsets[annotation.row])
      Memory.prefetch(row)
      Memory.prefetch(row &+ 64)
    }
    return start + ahead.count
  }
}

extension Array {
  /// Asks memory for an element, without waiting for it.
  func prefetch(_ place: Int) {
    withUnsafeBufferPointer {
      Memory.prefetch(
        UInt(bitPattern: $0.baseAddress) &+ UInt(place &* MemoryLayout<Element>.stride))
    }
  }
}
