#if CommandLine
  import AnnotationSources
  import ArgumentParser

  /// The input options of a command's second source, which have a word in front.
  enum PrefixedOptions {
    /// The source reader's options, from words without the prefix.
    ///
    /// - Parameter names: The options that stand behind the prefix.
    static func reading(
      _ words: [String], _ names: [String], prefix: String
    ) throws(ReportedError) -> SourceReading {
      let reading: SourceReading
      do throws(ReportedError) { reading = try self.reading(words) } catch {
        throw named(error, names, prefix: prefix)
      }
      // An error of both this option and the other source's names both as they are.
      try reading.rejects?.claim(option: "--\(prefix)rejects")
      return reading
    }

    private static func reading(_ words: [String]) throws(ReportedError) -> SourceReading {
      // The parser takes an empty value behind = for a missing one.
      if let word = words.first(where: { $0.firstIndex(of: "=") == $0.index(before: $0.endIndex) })
      {
        throw ReportedError(
          "usage", "\(word.dropLast()) is empty; write a value behind it", fault: .usage)
      }
      let options: ReadingOptions
      do {
        options = try ReadingOptions.parse(words)
      } catch {
        // Unreachable by typing: every word is a flag, or an option with its value.
        throw ReportedError("usage", "\(error)", fault: .usage)
      }
      return try options.readingUnclaimed()
    }

    /// The same error, with the options in it that the source has.
    ///
    /// - Parameter names: Those that stand behind the prefix.
    static func named(_ error: ReportedError, _ names: [String], prefix: String) -> ReportedError {
      let sentence = OptionNames.put(into: error.description)
      let words = sentence.split(separator: " ", omittingEmptySubsequences: false).map { word in
        names.contains { word.hasPrefix("--\($0)") }
          ? "--\(prefix)" + word.dropFirst(2) : String(word)
      }
      return ReportedError(error.code, words.joined(separator: " "), fault: error.fault)
    }
  }
#endif
