import MapAnnotations

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
    where column >= reader.cellCount || ContentID.isBlank(reader.bytes(reader[column])) {
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
