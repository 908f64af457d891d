/// The cells of an annotation's record, in place in its source.
///
/// A source may pass it with the annotation, for code that takes a million rows as text: nothing is
/// copied or read twice.
package struct TextRow {
  /// The meaning of the cells.
  package let columns: TextColumns
  /// The record's number in its source, used as the id of an annotation without one.
  package let number: Int
  /// The cells in UTF-8, one for each column; valid until the call that passed the row returns.
  package let cells: [UnsafeRawBufferPointer]

  /// Makes a row with one cell for each column.
  package init(_ columns: TextColumns, number: Int, cells: [UnsafeRawBufferPointer]) {
    precondition(cells.count == columns.names.count, "\(cells.count) cells in a row")
    self.columns = columns
    self.number = number
    self.cells = cells
  }

  /// Whether a cell has no value: it is empty, or a word for null.
  package func isNull(_ column: Int) -> Bool {
    NullText.isNull(cells[column].assumingMemoryBound(to: UInt8.self))
  }
}

/// The meaning of the columns of a source's rows; one object for all rows.
package final class TextColumns: Sendable {
  /// The names of the properties, in order; nil for a column that is not a property, such as a coordinate.
  package let names: [String?]
  /// The columns of the common fields; nil if the source has none.
  package let id: Int?, name: Int?, kind: Int?, openingHours: Int?, placeID: Int?
  /// The kind of a row without one.
  package let defaultKind: AnnotationKind?
  /// The JSON names with their colons in one buffer, made once for all rows; empty for a name that
  /// needs an escape.
  private let memberNames: [UInt8]
  /// The columns of properties, and the end of each name in `memberNames`.
  private let members: [(column: Int, end: Int)]
  /// Whether a property has the same name as a member that answers add: the annotation's name, its kind, or the way to
  /// it.
  package let hasName: Bool, hasKind: Bool, hasWay: Bool
  /// The properties in which the name and the kind are found without the source's options; nil for none.
  package let foundName: Int?, foundKind: Int?

  package init(
    names: [String?], id: Int?, name: Int?, kind: Int?, openingHours: Int?, placeID: Int?,
    defaultKind: AnnotationKind?, foundName: Int? = nil, foundKind: Int? = nil
  ) {
    self.names = names
    self.id = id
    self.name = name
    self.kind = kind
    self.openingHours = openingHours
    self.placeID = placeID
    self.defaultKind = defaultKind
    self.foundName = foundName
    self.foundKind = foundKind
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

  /// Calls `body` with the column of each property, in order, and its JSON name with a colon; nil
  /// for a name that needs an escape.
  package func forEachMember(_ body: (_ column: Int, _ name: UnsafeBufferPointer<UInt8>?) -> Void) {
    memberNames.withUnsafeBufferPointer { names in
      var start = 0
      for (column, end) in members {
        body(column, start < end ? UnsafeBufferPointer(rebasing: names[start..<end]) : nil)
        start = end
      }
    }
  }

  /// A quoted name that needs no escape; empty for others.
  private static func memberName(_ name: String) -> [UInt8] {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0 != "\"" && $0 != "\\" && $0.value != 0x7F
        && !(0x2028...0x2029).contains($0.value)
    }
    return isPlain
      ? [UInt8(ascii: "\"")] + name.utf8 + [UInt8(ascii: "\""), UInt8(ascii: ":")] : []
  }
}
