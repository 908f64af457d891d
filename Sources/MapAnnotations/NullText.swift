/// The texts with which sources say that a field has no value.
///
/// A table has no other way to say so. The same texts count in every format, so that an answer does
/// not change when a source is converted or imported.
package enum NullText {
  /// The words; an empty text says the same.
  package static let words: Set<String> = [
    "\\N", "NULL", "null", "Null", "-", "N/A", "n/a", "#N/A",
  ]
  private static let longest = words.map(\.utf8.count).max() ?? 0

  /// Whether a text stands for no value.
  package static func isNull(_ text: String) -> Bool {
    text.isEmpty || text.utf8.count <= longest && words.contains(text)
  }

  /// Whether a text in UTF-8 stands for no value.
  package static func isNull(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count <= longest else { return false }
    guard let first = bytes.first else { return true }
    // Nearly all short texts end here.
    guard isFirst[Int(first)] else { return false }
    return words.contains(String(decoding: bytes, as: UTF8.self))
  }

  /// By byte, whether a word begins with it.
  private static let isFirst: [Bool] = {
    let firsts = Set(words.compactMap(\.utf8.first))
    return (UInt8.min...UInt8.max).map(firsts.contains)
  }()
}
