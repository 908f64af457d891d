import Geodesy

/// Finds the names a person may have meant.
package enum SimilarNames {
  /// Up to three files beside a missing one whose names differ from it by little, best first.
  package static func names(like file: FileName) -> [String] {
    let names = Files.names(inFolder: file.enclosingFolder)
      .filter { $0.first != UInt8(ascii: ".") }
      .map { FileName(bytes: $0).text }
    return words(like: file.lastComponent.text, among: names)
      .map { FileName(bytes: file.folder.bytes + $0.utf8).text }
  }

  /// `did you mean shops.csv?`, of the files beside a missing one; nil where no name is like its own.
  package static func question(like file: FileName) -> String? {
    let names = names(like: file)
    return names.isEmpty ? nil : "did you mean \(names.joined(separator: " or "))?"
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

  /// The option that was probably meant by an unknown one: the only longer one that begins or ends with it, or else
  /// one that differs in at most a third of the letters; nil if there is none.
  package static func option(like written: String, among options: [String]) -> String? {
    func letters(_ option: String) -> [UInt8] {
      Array(option.utf8.drop { $0 == UInt8(ascii: "-") })
    }
    let wanted = letters(written)
    let longer = options.filter { $0.hasPrefix(written) || $0.hasSuffix(written.dropFirst()) }
    if wanted.count > 2, longer.count == 1 { return longer[0] }
    let nearest = options.map { (name: $0, edits: edits(from: wanted, to: letters($0))) }
      .min { ($0.edits, $0.name) < ($1.edits, $1.name) }
    guard let nearest, nearest.edits * 3 <= wanted.count else { return nil }
    return nearest.name
  }

  /// How many bytes to insert, delete or replace to turn one name into another, letters of either
  /// case alike.
  static func edits(from source: [UInt8], to target: [UInt8]) -> Int {
    editDistance(from: source.map(\.lowercasedASCII), to: target.map(\.lowercasedASCII))
  }
}
