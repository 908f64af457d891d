#if CommandLine
  import ArgumentParser

  /// The input options of a command's second source, which have a word in front.
  enum PrefixedOptions {
    /// The source reader's options, from words without the prefix.
    ///
    /// - Parameter names: The options that stand behind the prefix.
    static func reading(
      _ words: [String], _ names: [String], prefix: String
    ) throws(CommandError) -> SourceReading {
      let reading: SourceReading
      do throws(CommandError) { reading = try self.reading(words) } catch {
        throw named(error, names, prefix: prefix)
      }
      // An error of both this option and the other source's names both as they are.
      try reading.rejects?.claim(option: "--\(prefix)rejects")
      return reading
    }

    private static func reading(_ words: [String]) throws(CommandError) -> SourceReading {
      // The parser takes an empty value behind = for a missing one.
      if let word = words.first(where: { $0.firstIndex(of: "=") == $0.index(before: $0.endIndex) })
      {
        throw CommandError(
          "usage", "\(word.dropLast()) is empty; write a value behind it", status: .usage)
      }
      let options: ReadingOptions
      do {
        options = try ReadingOptions.parse(words)
      } catch {
        // Unreachable by typing: every word is a flag, or an option with its value.
        throw CommandError("usage", "\(error)", status: .usage)
      }
      return try options.readingUnclaimed()
    }

    /// The same error, with the options in it that the source has.
    ///
    /// - Parameter names: Those that stand behind the prefix.
    static func named(_ error: CommandError, _ names: [String], prefix: String) -> CommandError {
      let words = error.description.split(separator: " ", omittingEmptySubsequences: false).map {
        word in
        names.contains { word.hasPrefix("--\($0)") }
          ? "--\(prefix)" + word.dropFirst(2) : String(word)
      }
      return CommandError(error.code, words.joined(separator: " "), status: error.status)
    }
  }
#endif
