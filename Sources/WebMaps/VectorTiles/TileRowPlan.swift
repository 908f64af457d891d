import MapAnnotations

/// Which cells of a source's rows become which attributes, computed once for all rows.
struct TileRowPlan {
  /// A cell, the index of its name, and the index of its last value, because columns often repeat
  /// values from row to row.
  private struct Part {
    let cell: Int
    let name: UInt32
    var last = UInt32.max
  }

  let columns: TextColumns
  private var properties: [Part] = []
  private var name: Part?
  private var kind: Part?
  private var id: Part?
  private let defaultKind: [UInt8]

  /// - Parameter placeOfName: Returns the index of a name among all names.
  init(
    _ columns: TextColumns, keeping fields: Set<String>?, placeOfName: (String) -> UInt32
  ) {
    self.columns = columns
    defaultKind = Array((columns.defaultKind?.rawValue ?? "").utf8)
    var used: Set<String> = []
    for (cell, column) in columns.names.enumerated() {
      guard let column, fields?.contains(column) ?? true else { continue }
      used.insert(column)
      properties.append(Part(cell: cell, name: placeOfName(column)))
    }
    if let cell = columns.name, !used.contains("name") {
      name = Part(cell: cell, name: placeOfName("name"))
    }
    if columns.kind != nil || columns.defaultKind != nil, !used.contains("kind") {
      kind = Part(cell: columns.kind ?? -1, name: placeOfName("kind"))
    }
    if let cell = columns.id, !used.contains("id") {
      id = Part(cell: cell, name: placeOfName("id"))
    }
  }

  /// The number that is the row's id; nil if its id is another text.
  func number(of row: TextRow) -> UInt64? {
    guard let id = columns.id, !row.cells[id].isEmpty else { return UInt64(row.number) }
    return TileAttributes.number(row.cells[id])
  }

  /// The text of the row's id; nil if the id is a number.
  func idText(of row: TextRow) -> UnsafeRawBufferPointer? {
    columns.id.map { row.cells[$0] }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Calls `body` for each nonempty text of the row.
  ///
  /// - Parameter hasNumber: Whether its id is a number, not a text.
  @inline(__always)
  mutating func forEachText(
    in row: TextRow, hasNumber: Bool,
    _ body: (_ name: UInt32, _ text: UnsafeRawBufferPointer, _ last: inout UInt32) -> Void
  ) {
    for place in properties.indices {
      let text = row.cells[properties[place].cell]
      if !text.isEmpty { body(properties[place].name, text, &properties[place].last) }
    }
    if let part = name, !row.isNull(part.cell) {
      body(part.name, row.cells[part.cell], &name!.last)
    }
    if let part = kind {
      if part.cell >= 0, !row.isNull(part.cell) {
        body(part.name, row.cells[part.cell], &kind!.last)
      } else if !defaultKind.isEmpty {
        defaultKind.withUnsafeBytes { body(part.name, $0, &kind!.last) }
      }
    }
    if !hasNumber, let part = id { body(part.name, row.cells[part.cell], &id!.last) }
  }
}
