#if CommandLine
  import AnnotationSources
  import ArgumentParser

  /// The formats that a command writes.
  ///
  /// One rule for every command: `--format` is obeyed whatever the file is called. Without it the
  /// ending of the name that `-o` gives says the format; one that the command does not write is a
  /// mistake, because what is in the file would belie its name. A name without an ending, as standard
  /// output has none, says nothing, and the command writes what it writes without `-o`.
  protocol WrittenFormat: RawRepresentable<String>, CaseIterable, SendableMetatype {}

  /// Where a command writes, and as what.
  struct WrittenOutput<Format: WrittenFormat>: ParsableArguments {
    @Option(help: .usual(Format.help, valueName: "format"), completion: .words(of: Format.self))
    var format: String?

    @Flag(help: "The same as --format json.")
    var json = false

    @Option(
      name: [.short, .long],
      help: .usual("Write to this file; its extension sets the format.", valueName: "file"),
      completion: .file())
    var output: String?

    /// The file that is named, and the format asked for; nil where nothing says one.
    func claim() throws(ReportedError) -> (file: FileName?, format: Format?) {
      let file = try OutputFiles.claim(output)
      return (file, try Format.asked(try formatWord(format, json: json), for: file))
    }

    /// The same, where a flag may ask for a web page.
    func claim(html: Bool) throws(ReportedError) -> (file: FileName?, format: Format?) {
      let (file, asked) = try claim()
      guard html else { return (file, asked) }
      if let asked, asked.rawValue != "html" {
        throw ReportedError(
          "bad-format",
          "--html writes a web page, and \(asked.rawValue) is asked for, too; leave out one of them",
          fault: .usage)
      }
      return (file, Format(rawValue: "html"))
    }
  }

  extension OutputFiles {
    /// The file that an option names for what is written; nil where it names none.
    static func claim(
      _ name: String?, option: String = "-o"
    ) throws(ReportedError) -> FileName? {
      guard let name else { return nil }
      let file = FileName(argument: name)
      try claim(file, option: option)
      return file
    }
  }

  /// The word that `--format` or `--json` says; nil where neither is given.
  func formatWord(_ format: String?, json: Bool) throws(ReportedError) -> String? {
    guard json else { return format }
    guard let format, format.lowercased() != "json" else { return "json" }
    throw ReportedError(
      "bad-format",
      "--format \(format.asTyped) and --json are two formats; give one of them", fault: .usage)
  }

  extension WrittenFormat {
    /// Its words, as help lists them.
    static var help: String {
      let words = allCases.map(\.rawValue)
      return words.dropLast().joined(separator: ", ") + " or \(words[words.count - 1])."
    }

    /// The format asked for by a word, or by the ending of a file's name; nil where neither says.
    ///
    /// - Parameter word: What `--format` says.
    static func asked(_ word: String?, for file: FileName?) throws(ReportedError) -> Self? {
      guard let word else { return try named(by: file) }
      return try parseWord(word, option: "--format") as Self
    }

    /// The format that the ending of a file's name stands for; nil for one without.
    ///
    /// - Parameter option: What says the format otherwise; nil where nothing does.
    static func named(
      by file: FileName?, option: String? = "--format"
    ) throws(ReportedError) -> Self? {
      guard let file, !file.isStandardInput, let ending = file.ending?.lowercased() else {
        return nil
      }
      let words = WrittenEnding.words[ending] ?? [ending]
      if let format = words.lazy.compactMap({ Self(rawValue: $0) }).first { return format }
      let known = allCases.map { "." + (WrittenEnding.usual[$0.rawValue] ?? $0.rawValue) }
      throw ReportedError(
        "bad-format",
        "\(file.text) ends in .\(ending), which is not written here; end it in "
          + (known.count > 1
            ? "\(known.dropLast().joined(separator: ", ")) or \(known.last ?? "")" : known[0])
          + (option.map { ", or name the format with \($0)" } ?? "")
          + (words == ["html"] ? "; for a web page, use nearby export" : ""), fault: .usage)
    }
  }

  /// Endings that are not called as their formats are.
  private enum WrittenEnding {
    /// The formats that an ending stands for; a command has one of them at most.
    static let words = [
      "txt": ["table", "text"], "ndjson": ["jsonl"], "geojsonl": ["geojsonseq"],
      "geojsons": ["geojsonseq"], "htm": ["html"],
    ]
    /// The ending that a format usually has.
    static let usual = ["table": "txt", "text": "txt", "geojsonseq": "geojsonl"]
  }

  extension ConversionFormat: WrittenFormat {}
  extension JoinFormat: WrittenFormat {}
  extension TrackOutputFormat: WrittenFormat {}
  extension FenceOutputFormat: WrittenFormat {}

  /// How `check` and `info` answer.
  struct ReportOptions: ParsableArguments {
    @Option(
      help: .usual("table or json. (default: table)", valueName: "format"),
      completion: .words(of: ReportFormat.self))
    var format: String?

    @Flag(help: "The same as --format json.")
    var json = false

    func writesJSON() throws(ReportedError) -> Bool {
      try ReportFormat.asked(try formatWord(format, json: json), for: nil) == .json
    }
  }

  private enum ReportFormat: String, WrittenFormat {
    case table, json
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
