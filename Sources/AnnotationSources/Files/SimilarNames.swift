import NearbySearch

/// Finds the names a person may have meant.
package enum SimilarNames {
  /// Up to three files beside a missing one whose names differ from it by little, best first.
  package static func names(like file: FileName) -> [String] {
    let wanted = file.lastComponent.bytes
    guard !wanted.isEmpty else { return [] }
    return Files.names(inFolder: file.enclosingFolder)
      .filter { $0.first != UInt8(ascii: ".") }
      .map { (name: $0, edits: edits(from: wanted, to: $0)) }
      .filter { $0.edits <= max(2, wanted.count / 3) }
      .sorted {
        ($0.edits, FileName(bytes: $0.name).text) < ($1.edits, FileName(bytes: $1.name).text)
      }
      .prefix(3)
      .map { FileName(bytes: file.folder.bytes + $0.name).text }
  }

  /// Up to three of some words that differ from one by little, best first.
  package static func words(like word: String, among words: some Sequence<String>) -> [String] {
    let wanted = Array(word.utf8)
    guard !wanted.isEmpty else { return [] }
    return words.map { (word: $0, edits: edits(from: wanted, to: Array($0.utf8))) }
      .filter { $0.edits <= max(2, wanted.count / 3) && $0.edits < $0.word.utf8.count }
      .sorted { ($0.edits, $0.word) < ($1.edits, $1.word) }
      .prefix(3)
      .map(\.word)
  }

  /// How many bytes to insert, delete or replace to turn one name into another, letters of either
  /// case alike.
  static func edits(from source: [UInt8], to target: [UInt8]) -> Int {
    editDistance(from: source.map(lowercased), to: target.map(lowercased))
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
  }
}
