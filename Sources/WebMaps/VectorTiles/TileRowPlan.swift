import MapAnnotations

/// Which cells of a source's rows become which attributes, computed once for all rows.
struct TileRowPlan {
  /// A property: its cell, the index of its name, and the index of its last value, because columns
  /// often repeat values from row to row.
  private struct Property {
    let cell: Int
    let name: UInt32
    /// Which of the annotation's own texts has the same name; nil for none.
    let own: Int?
    var last = UInt32.max
  }

  /// The annotation's name, kind or id, which its feature has under this name, whatever a property
  /// of that name says.
  private struct OwnText {
    /// nil if the source has none.
    let cell: Int?
    let name: UInt32
    /// The name for a property that says something else.
    let otherName: UInt32
    /// What is said if the cell has no value; empty for nothing.
    var substitute: [UInt8] = []
    /// Whether words in the cell mean that there is no value.
    var hasNulls = true
    var last = UInt32.max

    /// Calls `body` with the text; it is empty for none.
    @inline(__always)
    func withText(in row: TextRow, _ body: (UnsafeRawBufferPointer) -> Void) {
      if let cell, !hasNulls || !row.isNull(cell) { return body(row.cells[cell]) }
      substitute.withUnsafeBytes(body)
    }
  }

  let columns: TextColumns
  private var properties: [Property] = []
  private var ownTexts: [OwnText]

  private static let ownNames = ["name", "kind", "id"]
  private static let kind = 1, id = 2

  /// - Parameter placeOfName: Returns the index of a name among all names.
  init(
    _ columns: TextColumns, keeping fields: Set<String>?, placeOfName: (String) -> UInt32
  ) {
    self.columns = columns
    var used: Set<String> = []
    for (cell, column) in columns.names.enumerated() {
      guard let column, fields?.contains(column) ?? true else { continue }
      used.insert(column)
      properties.append(
        Property(
          cell: cell, name: placeOfName(column), own: TileRowPlan.ownNames.firstIndex(of: column)))
    }
    ownTexts = []
    for (name, cell) in zip(TileRowPlan.ownNames, [columns.name, columns.kind, columns.id]) {
      let other = name.firstFree { $0 != name && !used.contains($0) }
      ownTexts.append(OwnText(cell: cell, name: placeOfName(name), otherName: placeOfName(other)))
    }
    ownTexts[TileRowPlan.kind].substitute = Array((columns.defaultKind?.rawValue ?? "").utf8)
    ownTexts[TileRowPlan.id].hasNulls = false
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

  /// Calls `body` for each nonempty text of the row, as `Properties.say` has them.
  ///
  /// - Parameter hasNumber: Whether its id is a number, not a text.
  @inline(__always)
  mutating func forEachText(
    in row: TextRow, hasNumber: Bool,
    _ body: (_ name: UInt32, _ text: UnsafeRawBufferPointer, _ last: inout UInt32) -> Void
  ) {
    // A bit for each of the annotation's own texts; a number has its own field.
    var said = hasNumber ? 1 << TileRowPlan.id : 0
    for place in properties.indices {
      let part = properties[place]
      let text = row.cells[part.cell]
      guard let number = part.own, number != TileRowPlan.id || !hasNumber else {
        if !text.isEmpty { body(part.name, text, &properties[place].last) }
        continue
      }
      let own = ownTexts[number]
      own.withText(in: row) { ownText in
        if row.isNull(part.cell) || ownText.elementsEqual(text) {
          if !ownText.isEmpty { body(part.name, ownText, &properties[place].last) }
          said |= 1 << number
        } else {
          body(own.otherName, text, &properties[place].last)
        }
      }
    }
    for number in ownTexts.indices where said & 1 << number == 0 {
      let own = ownTexts[number]
      own.withText(in: row) { text in
        if !text.isEmpty { body(own.name, text, &ownTexts[number].last) }
      }
    }
  }
}
