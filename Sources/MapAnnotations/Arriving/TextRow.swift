/// The cells of the record that an annotation was read from, where they lie in its source.
///
/// A source may hand it over beside the annotation, to whoever takes a million of them on as texts:
/// nothing of it is copied, and nothing is read twice.
package struct TextRow {
  /// What the cells are.
  package let columns: TextColumns
  /// The record's number in its source, which names an annotation that has no id.
  package let number: Int
  /// UTF-8, one for each column; it lies there until the call that brought the row returns.
  package let cells: [UnsafeRawBufferPointer]

  /// A row of as many cells as there are columns.
  package init(_ columns: TextColumns, number: Int, cells: [UnsafeRawBufferPointer]) {
    precondition(cells.count == columns.names.count, "\(cells.count) cells in a row")
    self.columns = columns
    self.number = number
    self.cells = cells
  }

  /// Whether a cell stands for no value: it is empty, or a word that says so.
  package func isNull(_ column: Int) -> Bool {
    let cell = cells[column]
    guard cell.count <= columns.longestNull else { return false }
    return cell.isEmpty || columns.nulls.contains { $0.elementsEqual(cell) }
  }
}

/// What the columns of a source's rows say; one object for all of its rows.
package final class TextColumns: Sendable {
  /// The names of the properties, in order; nil for what is none, as a coordinate.
  package let names: [String?]
  /// The columns of what every annotation says; nil where the source has none.
  package let id: Int?, name: Int?, kind: Int?, openingHours: Int?, placeID: Int?
  /// The kind of a row that names none.
  package let defaultKind: AnnotationKind?
  /// The words that stand for no value.
  let nulls: [[UInt8]]
  let longestNull: Int
  /// The names as JSON has them, with a colon, made once for all rows and one behind the other; nothing for one
  /// that an escape is needed for.
  private let memberNames: [UInt8]
  /// The columns of properties, and where in `memberNames` the name of each ends.
  private let members: [(column: Int, end: Int)]
  /// Whether a property has a name that answers add: of the annotation's name and kind, and of the way there.
  package let hasName: Bool, hasKind: Bool, hasWay: Bool

  package init(
    names: [String?], id: Int?, name: Int?, kind: Int?, openingHours: Int?, placeID: Int?,
    defaultKind: AnnotationKind?, nulls: some Sequence<String>
  ) {
    self.names = names
    self.id = id
    self.name = name
    self.kind = kind
    self.openingHours = openingHours
    self.placeID = placeID
    self.defaultKind = defaultKind
    self.nulls = nulls.map { Array($0.utf8) }
    longestNull = self.nulls.map(\.count).max() ?? 0
    var memberNames: [UInt8] = []
    var members: [(column: Int, end: Int)] = []
    for (column, name) in names.enumerated() {
      guard let name else { continue }
      memberNames += TextColumns.memberName(name)
      members.append((column, memberNames.count))
    }
    self.memberNames = memberNames
    self.members = members
    hasName = names.contains("name")
    hasKind = names.contains("kind")
    hasWay = names.contains("distance") || names.contains("bearing")
  }

  /// Calls `body` with the column of each property, in order, and its name as JSON has it, with a colon; nil
  /// for a name that an escape is needed for.
  package func forEachMember(_ body: (_ column: Int, _ name: UnsafeBufferPointer<UInt8>?) -> Void) {
    memberNames.withUnsafeBufferPointer { names in
      var start = 0
      for (column, end) in members {
        body(column, start < end ? UnsafeBufferPointer(rebasing: names[start..<end]) : nil)
        start = end
      }
    }
  }

  /// A name that no escape is needed for, quoted; empty for another.
  private static func memberName(_ name: String) -> [UInt8] {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0 != "\"" && $0 != "\\" && $0.value != 0x7F
        && !(0x2028...0x2029).contains($0.value)
    }
    return isPlain
      ? [UInt8(ascii: "\"")] + name.utf8 + [UInt8(ascii: "\""), UInt8(ascii: ":")] : []
  }
}
