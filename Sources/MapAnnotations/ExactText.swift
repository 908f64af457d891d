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
