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
