import MapAnnotations

extension ImportedAnnotations {
  /// Gives each annotation to `body`, in order, with the row it was read from; nil for what was
  /// read from no row of texts, or from one whose cells are not the texts they stand for.
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
  /// What the columns say; nil where they say more than texts do.
  func textColumns(defaultKind: AnnotationKind?) -> TextColumns? {
    guard roles.validFrom == nil, roles.validUntil == nil, roles.nameTemplate == nil,
      columns.withoutRepeats.count == columns.count
    else { return nil }
    return TextColumns(
      names: columns.indices.map {
        $0 == roles.latitude || $0 == roles.longitude ? nil : columns[$0]
      },
      id: roles.id, name: roles.name, kind: roles.kind, openingHours: roles.hours,
      placeID: roles.place, defaultKind: defaultKind, nulls: NullText.words)
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
        try body(
          annotation,
          isPlain(&reader, source, columns, &cells)
            ? TextRow(columns, number: table.numbering.record(ofRow: row), cells: cells) : nil)
      }
    }
  }

  /// Reads the cells of the next row where they lie; whether a row of texts says all that it does.
  fileprivate func isPlain(
    _ reader: inout DelimitedReader, _ source: UnsafeRawBufferPointer, _ columns: TextColumns,
    _ cells: inout [UnsafeRawBufferPointer]
  ) -> Bool {
    // Without a header, a row may have more cells than the first, or fewer.
    guard reader.next() != nil, reader.cellCount == columns.names.count else { return false }
    cells.removeAll(keepingCapacity: true)
    for cell in reader.cells {
      if cell.hasDoubledQuotes { return false }
      cells.append(UnsafeRawBufferPointer(rebasing: source[cell.start..<cell.end]))
    }
    // What stands for a missing id is worked out, and no cell has it.
    return columns.id.map { !ContentID.isBlank(cells[$0]) } ?? true
  }
}

extension [ImportedAnnotation] {
  /// Gives each annotation to `body`, in order, with the row it was read from; nil where it is none, or where
  /// texts do not say all of it.
  ///
  /// What the rows of a table share is looked up once for all that follow each other.
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
        while place < endIndex, self[place].table === table {
          let row = self[place].row
          reader.move(to: rows.offsets[row])
          try body(
            self[place],
            rows.isPlain(&reader, source, columns, &cells)
              ? TextRow(columns, number: table.numbering.record(ofRow: row), cells: cells) : nil)
          place += 1
        }
      }
    }
  }
}
