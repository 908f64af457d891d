/// The texts that mean "no value" in sources.
///
/// A table has no other way to say this. The same texts count in every format, so that a query's
/// result does not change when a source is converted or imported.
package enum NullText {
  /// The words; an empty text means the same.
  package static let words: Set<String> = [
    "\\N", "NULL", "null", "Null", "-", "N/A", "n/a", "#N/A",
  ]
  private static let longest = words.map(\.utf8.count).max() ?? 0

  /// Whether a text means "no value".
  package static func isNull(_ text: String) -> Bool {
    text.isEmpty || text.utf8.count <= longest && words.contains(text)
  }

  /// Whether a text in UTF-8 means "no value".
  package static func isNull(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count <= longest else { return false }
    guard let first = bytes.first else { return true }
    // Nearly all short texts are decided here.
    guard isFirst[Int(first)] else { return false }
    return spellings.contains { $0.elementsEqual(bytes) }
  }

  private static let spellings = words.map { Array($0.utf8) }

  /// For each byte, whether one of the words begins with it.
  private static let isFirst: [Bool] = {
    let firsts = Set(words.compactMap(\.utf8.first))
    return (UInt8.min...UInt8.max).map(firsts.contains)
  }()
}

/// A text that equals another only if their bytes are equal.
///
/// In Swift `é` equals `e` followed by an accent. In CSV, JSON and SQL, however, columns with these
/// names are different columns: code that collects columns by name uses this type.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.isSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether two texts are equal byte for byte.
  package func isSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}

extension PropertyValue {
  /// Whether two values are equal, with all their texts byte for byte.
  package func isSameBytes(as other: PropertyValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.isSameBytes(as: right)
    case (.array(let left), .array(let right)):
      left.elementsEqual(right) { $0.isSameBytes(as: $1) }
    case (.object(let left), .object(let right)): left.isSameBytes(as: right)
    default: self == other
    }
  }
}

extension Properties {
  /// Whether the entries are equal in order, with all their texts byte for byte.
  package func isSameBytes(as other: Properties) -> Bool {
    entries.elementsEqual(other.entries) {
      $0.name.isSameBytes(as: $1.name) && $0.value.isSameBytes(as: $1.value)
    }
  }
}

extension Sequence<String> {
  /// The texts in order, without bytewise duplicates.
  package var withoutRepeats: [String] {
    var seen: Set<ExactText> = []
    return filter { seen.insert(ExactText($0)).inserted }
  }
}
