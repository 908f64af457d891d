/// One field of many annotations, its texts one behind another: what a condition is asked of where all or
/// most annotations are asked, so that no text is made of a cell to compare it.
///
/// A cell without bytes is null: an empty text says nothing, as a null does.
///
/// It takes the bytes of its cells, and five more for each.
package struct TextColumn: Sendable {
  /// How texts stand in a column.
  package enum Form: Hashable, Sendable {
    /// As they are written.
    case written
    /// As ``FoldedText`` has them; numbers, truth values and objects are null, since they are not searched.
    case folded
  }

  /// What a cell is where it may be more than a text or null.
  package enum CellKind: UInt8, Sendable {
    case text, number
    /// A truth value, a list, an object or an id without letters, none of which is in the bytes.
    case other
  }

  package let form: Form
  /// The cells, each with `separator` behind it, and at the end as many more as a vector has bytes.
  package private(set) var bytes: [UInt8] = []
  /// Where each cell ends in `bytes`; the next begins behind the separator.
  package private(set) var ends: [UInt32] = []
  /// A ``CellKind`` for each cell; empty while all are texts and nulls.
  package private(set) var kinds: [UInt8] = []
  /// Whether there is more text than four bytes can count; the column cannot be used then.
  package private(set) var isOverfull = false

  /// A byte that no UTF-8 has.
  package static let separator: UInt8 = 0xFF
  /// How many bytes may be read behind the last cell.
  package static let padding = 64

  package init(_ form: Form, capacity: Int) {
    self.form = form
    ends.reserveCapacity(capacity)
  }

  /// Appends a cell of a table, whose text may stand for null.
  package mutating func append(cell: UnsafeBufferPointer<UInt8>) {
    NullText.isNull(cell) ? end() : append(text: cell)
  }

  /// Appends a text that is what it is, whatever word it is.
  package mutating func append(text: UnsafeBufferPointer<UInt8>) {
    guard makeRoom(text.count) else { return end() }
    var merged: UInt8 = 0
    for byte in text { merged |= byte }
    if merged < 0x80 {
      let start = bytes.count
      bytes.append(contentsOf: text)
      if form == .folded {
        bytes.withUnsafeMutableBufferPointer { bytes in
          for place in start..<bytes.count {
            let byte = bytes[place]
            bytes[place] = byte &- 0x41 < 26 ? byte | 0x20 : byte
          }
        }
      }
    } else {
      // What is not well-formed becomes what it is read as everywhere else.
      append(String(decoding: text, as: UTF8.self))
    }
    end()
  }

  /// Appends an id.
  package mutating func append(id: String) {
    guard !id.isEmpty else { return append(.other) }
    var id = id
    id.withUTF8 { append(text: $0) }
  }

  /// Appends a value; nil is null.
  package mutating func append(_ value: PropertyValue?) {
    switch value {
    case nil, .null: end()
    case .string(var text): text.withUTF8 { append(cell: $0) }
    case .number(let text):
      guard form == .written, !text.isEmpty, makeRoom(text.utf8.count) else {
        return form == .written ? append(.other) : end()
      }
      bytes.append(contentsOf: text.utf8)
      append(.number)
    case .array: append(.other)
    case .bool, .object: form == .written ? append(.other) : end()
    }
  }

  /// Ends the column, so that whole vectors can be read of its last cell.
  package mutating func close() {
    bytes.append(contentsOf: repeatElement(TextColumn.separator, count: TextColumn.padding))
  }

  private mutating func append(_ text: String) {
    if form == .folded {
      bytes.append(contentsOf: FoldedText(text).bytes)
    } else {
      bytes.append(contentsOf: text.utf8)
    }
  }

  private mutating func append(_ kind: CellKind) {
    if kinds.isEmpty { kinds = Array(repeating: CellKind.text.rawValue, count: ends.count) }
    kinds.append(kind.rawValue)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    bytes.append(TextColumn.separator)
  }

  private mutating func end() {
    if !kinds.isEmpty { return append(.text) }
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    bytes.append(TextColumn.separator)
  }

  /// Whether a text fits; folding at most triples it.
  private mutating func makeRoom(_ count: Int) -> Bool {
    if bytes.count + 4 * count + ends.count > Int(UInt32.max) - 1_024 { isOverfull = true }
    return !isOverfull
  }
}

/// A field of annotations that has texts.
package enum TextField: Hashable, Sendable {
  case id, name, kind
  case property(String)
}

/// A collection of annotations that reads columns sooner than it gives one annotation after another.
package protocol TextColumnReading: Sendable {
  /// Reads fields of all annotations, in their order, in one pass.
  ///
  /// - Returns: A column for each field that was asked for; its cells say what
  ///   the annotations' members say.
  func textColumns(_ fields: [(field: TextField, form: TextColumn.Form)]) -> [TextColumn]
}
