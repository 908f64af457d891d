/// A text that equals another only where their bytes do.
///
/// In Swift `é` equals `e` with an accent behind it, as it does for a reader. Columns of those names
/// are two columns all the same, in CSV, JSON and SQL: code that gathers columns by name
/// uses this.
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
  /// Whether two texts are the same byte for byte.
  package func isSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}

extension Sequence<String> {
  /// The texts that no earlier one repeats byte for byte, in order.
  package var withoutRepeats: [String] {
    var seen: Set<ExactText> = []
    return filter { seen.insert(ExactText($0)).inserted }
  }
}
