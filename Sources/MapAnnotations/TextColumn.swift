import Geodesy

/// One field of many annotations with its texts in one buffer.
///
/// For conditions that test all or most annotations: cells are compared without a `String` for each.
///
/// A cell without bytes is null: an empty text counts as null.
///
/// It takes the bytes of its cells, and five more for each.
package struct TextColumn: Sendable {
  /// The form of the texts in a column.
  package enum Form: Hashable, Sendable {
    /// Unchanged.
    case written
    /// Folded as in ``FoldedText``; numbers, truth values and objects are null, since they are not searched.
    case folded
  }

  /// The type of a cell that is not necessarily a text or null.
  package enum CellKind: UInt8, Sendable {
    case text, number
    /// A truth value, a list, an object or an id without letters; its value is not in the bytes.
    case other
  }

  package let form: Form
  /// The cells, each followed by `separator`, and at the end padding of one vector.
  package private(set) var bytes: [UInt8] = []
  /// The end of each cell in `bytes`; the next cell begins after the separator.
  package private(set) var ends: [UInt32] = []
  /// A ``CellKind`` for each cell; empty if all are texts and nulls.
  package private(set) var kinds: [UInt8] = []
  /// Whether the text exceeds four-byte offsets; the column is unusable then.
  package private(set) var isOverfull = false

  /// A byte that never occurs in UTF-8.
  package static let separator: UInt8 = 0xFF
  /// The number of bytes that may be read beyond the last cell.
  package static let padding = 64

  package init(_ form: Form, capacity: Int) {
    self.form = form
    ends.reserveCapacity(capacity)
  }

  /// Appends a cell of a table, whose text may mean null.
  package mutating func append(cell: UnsafeBufferPointer<UInt8>) {
    NullText.isNull(cell) ? end() : append(text: cell)
  }

  /// Appends a text literally, even if it is a word for null.
  package mutating func append(text: UnsafeBufferPointer<UInt8>) {
    guard makeRoom(text.count) else { return end() }
    var merged: UInt8 = 0
    for byte in text { merged |= byte }
    if merged < 0x80 {
      let start = bytes.count
      bytes.append(contentsOf: text)
      if form == .folded {
        bytes.withUnsafeMutableBufferPointer { bytes in
          for place in start..<bytes.count { bytes[place] = bytes[place].lowercasedASCII }
        }
      }
    } else {
      // Malformed UTF-8 is repaired, as everywhere else.
      append(String(decoding: text, as: UTF8.self))
    }
    end()
  }

  /// Appends an id.
  package mutating func append(id: String) {
    guard !id.isEmpty else { return end(.other) }
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
        return end(form == .written ? .other : .text)
      }
      bytes.append(contentsOf: text.utf8)
      end(.number)
    case .array: end(.other)
    case .bool, .object: end(form == .written ? .other : .text)
    }
  }

  /// Ends the column with padding, so that the last cell can be read in whole vectors.
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

  private mutating func end(_ kind: CellKind = .text) {
    if kinds.isEmpty, kind != .text {
      kinds = Array(repeating: CellKind.text.rawValue, count: ends.count)
    }
    if !kinds.isEmpty || kind != .text { kinds.append(kind.rawValue) }
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    bytes.append(TextColumn.separator)
  }

  /// Whether a text fits; folding at most triples its size.
  private mutating func makeRoom(_ count: Int) -> Bool {
    if bytes.count + 4 * count + ends.count > Int(UInt32.max) - 1_024 { isOverfull = true }
    return !isOverfull
  }
}

/// A field of annotations that has text.
package enum TextField: Hashable, Sendable {
  case id, name, kind
  case property(String)
}

/// A collection of annotations that reads whole columns faster than single annotations.
package protocol TextColumnReading: Sendable {
  /// Reads fields of all annotations, in their order, in one pass.
  ///
  /// - Returns: A column for each requested field, with the values of the annotations' members.
  func textColumns(_ fields: [(field: TextField, form: TextColumn.Form)]) -> [TextColumn]
}
