#if CommandLine
  import AnnotationSources
  import ArgumentParser

  // Options that take one of a few words are text to the parser: a type for each would have to be
  // looked up at every start, which takes longer than the answer.

  /// One of the words that an option knows.
  func parseWord<Word: RawRepresentable & CaseIterable>(
    _ text: String, option: String
  ) throws(ReportedError) -> Word where Word.RawValue == String {
    if let word = Word(rawValue: text.lowercased()) { return word }
    let known = Word.allCases.map(\.rawValue)
    throw ReportedError(
      "bad-" + option.drop { $0 == "-" },
      """
      \(option) "\(ArgumentPreparation.restored(text))" is not known; \
      use \(known.dropLast().joined(separator: ", ")) or \(known.last ?? "")
      """, fault: .usage)
  }

  extension CompletionKind {
    /// Completes the words that `parseWord` knows.
    static func words<Word: RawRepresentable & CaseIterable>(
      of type: Word.Type
    ) -> CompletionKind where Word.RawValue == String {
      .list(type.allCases.map(\.rawValue))
    }
  }
#endif
