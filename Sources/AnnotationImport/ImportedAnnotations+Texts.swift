import Geodesy
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
    for table in tables { try table.forEachRow(table.latitudes.count, { $0 }, body) }
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
    var rest = self[...]
    while let table = rest.first?.table {
      let ofTable = rest.prefix { $0.table === table }
      rest = rest[ofTable.endIndex...]
      try table.forEachRow(ofTable.count, { ofTable[ofTable.startIndex + $0].row }, body)
    }
  }
}

extension SourceTable {
  /// Calls `body` with the annotation of each of some rows, and with its text row.
  ///
  /// - Parameter row: Gives each row by its place among them. Generic code over a collection of rows would look up its
  ///   types for each of them, which took a sixth of a server's answer.
  fileprivate func forEachRow<Failure>(
    _ count: Int, _ row: (Int) -> Int,
    _ body: (ImportedAnnotation, TextRow?) throws(Failure) -> Void
  ) throws(Failure) {
    guard case .delimited(let rows) = rows, let columns = textColumns else {
      for place in 0..<count { try body(ImportedAnnotation(table: self, row: row(place)), nil) }
      return
    }
    try rows.bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
      let source = UnsafeRawBufferPointer(buffer)
      var reader = DelimitedReader(buffer, dialect: rows.dialect)
      reader.reserve(columns.names.count)
      var cells: [UnsafeRawBufferPointer] = []
      cells.reserveCapacity(columns.names.count)
      var asked = 0
      for place in 0..<count {
        if place == asked {
          asked = min(asked + 16, count)
          askMemory(place..<asked, row, rows, source)
        }
        let annotation = ImportedAnnotation(table: self, row: row(place))
        reader.move(to: rows.offsets[annotation.row])
        try body(annotation, rows.textRow(of: annotation, &reader, source, columns, &cells))
      }
    }
  }

  /// Asks memory for what is read of the next rows, without waiting for it.
  ///
  /// What a search finds stands anywhere in the source, and reading it row by row would wait for each of them.
  private func askMemory(
    _ ahead: Range<Int>, _ row: (Int) -> Int, _ rows: DelimitedRows,
    _ source: UnsafeRawBufferPointer
  ) {
    for place in ahead {
      let row = row(place)
      latitudes.prefetch(row)
      longitudes.prefetch(row)
      rows.offsets.prefetch(row)
    }
    let text = UInt(bitPattern: source.baseAddress)
    for place in ahead {
      let start = text &+ UInt(rows.offsets[row(place)])
      Memory.prefetch(start)
      Memory.prefetch(start &+ 64)
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
      cells.append(UnsafeRawBufferPointer(rebasing: source[cell.range]))
    }
    // The substitute for a missing id is computed, so no cell has it.
    if let id = columns.id, IDKey.isBlank(cells[id]) { return nil }
    let number = annotation.table.numbering.record(ofRow: annotation.row)
    return TextRow(columns, number: number, cells: cells)
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

// MARK: - Columns

extension ImportedAnnotations: TextColumnReading {
  /// Reads columns: each row of a table is scanned once, up to the last of them.
  package func textColumns(_ fields: [(field: TextField, form: TextColumn.Form)]) -> [TextColumn] {
    var columns = fields.map { TextColumn($0.form, capacity: count) }
    let fields = fields.map(\.field)
    if let packed {
      appendPacked(packed, fields, to: &columns)
    } else {
      for table in tables { table.append(fields, to: &columns) }
    }
    for place in columns.indices { columns[place].close() }
    return columns
  }

  private func appendPacked(
    _ packed: any PackedRecords, _ fields: [TextField], to columns: inout [TextColumn]
  ) {
    let cells = tables.map { $0.cells(of: fields) }
    for row in 0..<count {
      var isRead = false
      if let bytes = packed.bytes(ofRow: row), let header = packed.unpacking.header(of: bytes),
        case .delimited(let rows) = tables[header.table].rows, let cells = cells[header.table]
      {
        isRead = bytes.withUnsafeBufferPointer {
          let text = UnsafeBufferPointer(rebasing: $0[RecordUnpacking.headerLength...])
          var reader = DelimitedReader(text, dialect: rows.dialect)
          return cells.append(&reader, record: header.record, to: &columns)
        }
      }
      if !isRead { packed.annotation(row).append(fields, to: &columns) }
    }
  }
}

extension SourceTable {
  /// The cells of fields; nil if rows have none.
  fileprivate func cells(of fields: [TextField]) -> ColumnCells? {
    guard case .delimited(let rows) = rows else { return nil }
    return ColumnCells(fields, of: rows, defaultKind: defaultKind)
  }

  fileprivate func append(_ fields: [TextField], to columns: inout [TextColumn]) {
    guard case .delimited(let rows) = rows, let cells = cells(of: fields) else {
      for row in latitudes.indices {
        ImportedAnnotation(table: self, row: row).append(fields, to: &columns)
      }
      return
    }
    rows.bytes.withUnsafeBufferPointer { bytes in
      var reader = DelimitedReader(bytes, dialect: rows.dialect)
      for row in latitudes.indices {
        reader.move(to: rows.offsets[row])
        if !cells.append(&reader, record: numbering.record(ofRow: row), to: &columns) {
          ImportedAnnotation(table: self, row: row).append(fields, to: &columns)
        }
      }
    }
  }
}

/// The cells of fields in the rows of a table.
private struct ColumnCells {
  private enum Place {
    /// A cell, and what counts in the place of an empty one.
    case cell(Int, otherwise: PropertyValue? = nil)
    case id(Int)
    case recordNumber
    /// No cell: the same value for every row.
    case constant(PropertyValue?)
  }

  private let places: [Place]
  /// The last column to read; −1 for none.
  private let last: Int

  /// nil if a field is combined from several cells, or may be in a surplus cell of a row.
  init?(_ fields: [TextField], of rows: DelimitedRows, defaultKind: AnnotationKind?) {
    let kind: PropertyValue? = defaultKind.map { .string($0.rawValue) }
    let roles = rows.roles
    var places: [Place] = []
    for field in fields {
      switch field {
      case .id: places.append(roles.id.map(Place.id) ?? .recordNumber)
      case .name:
        guard roles.nameTemplate == nil else { return nil }
        places.append(roles.name.map { .cell($0) } ?? .constant(nil))
      case .kind: places.append(roles.kind.map { .cell($0, otherwise: kind) } ?? .constant(kind))
      case .property(let name):
        if let column = rows.layout.place(of: name) {
          places.append(.cell(column))
        } else if Int(name) == nil {
          places.append(.constant(nil))
        } else {
          return nil
        }
      }
    }
    self.places = places
    last =
      places.map { place in
        switch place {
        case .cell(let column, _), .id(let column): column
        case .recordNumber, .constant: -1
        }
      }.max() ?? -1
    guard last < DelimitedReader.cellLimit else { return nil }
  }

  /// Appends the cells of the reader's current row; returns false and appends nothing if a
  /// substitute for a missing id must be computed.
  func append(
    _ reader: inout DelimitedReader, record: Int, to columns: inout [TextColumn]
  ) -> Bool {
    reader.readCells(through: last)
    for case .id(let column) in places
    where column >= reader.cellCount || IDKey.isBlank(reader.bytes(reader[column])) {
      return false
    }
    for (number, place) in places.enumerated() {
      switch place {
      case .constant(let value): columns[number].append(value)
      case .recordNumber: columns[number].append(id: String(record))
      case .id(let column): columns[number].append(id: reader.text(reader[column]))
      case .cell(let column, let otherwise):
        append(column, otherwise, of: reader, to: &columns[number])
      }
    }
    return true
  }

  private func append(
    _ number: Int, _ otherwise: PropertyValue?, of reader: DelimitedReader,
    to column: inout TextColumn
  ) {
    guard number < reader.cellCount else { return column.append(otherwise) }
    let cell = reader[number]
    let text = reader.bytes(cell)
    if otherwise != nil, NullText.isNull(text) {
      column.append(otherwise)
    } else if cell.hasDoubledQuotes {
      column.append(.string(reader.text(cell)))
    } else {
      column.append(cell: text)
    }
  }
}

extension ImportedAnnotation {
  /// Appends the value of each field.
  fileprivate func append(_ fields: [TextField], to columns: inout [TextColumn]) {
    for (place, field) in fields.enumerated() {
      switch field {
      case .id: columns[place].append(id: id.text)
      case .name: columns[place].append(name.map { .string($0) })
      case .kind: columns[place].append(kind.map { .string($0.rawValue) })
      case .property(let name): columns[place].append(property(name))
      }
    }
  }
}
