#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import SpatialIndexing
  import TextMaps

  /// What an index is written as.
  private enum IndexFormat: String, WrittenFormat { case nbx }

  /// `nearby index`: sources read and checked once.
  struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "index",
      abstract:
        "Build, describe and verify index files (.nbx), which are read like any other source.",
      subcommands: [Build.self, Info.self, Verify.self])

    struct Build: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Read and check sources, and keep the result in an index file.")

      @Argument(
        help: .usual(
          "Files to read (csv, tsv, geojson, geojsonseq, json, gpx; also .gz), or - for standard input.",
          valueName: "source"), completion: .file())
      var sources: [String] = []

      @OptionGroup(title: "Input") var reading: ReadingOptions

      // Refused, with the reason.
      @Option(help: .private) var places: String?
      @Option(help: .private) var placeKey: String?

      @Option(
        name: [.short, .long], help: .usual("The index file, ending in .nbx.", valueName: "file"),
        completion: .file())
      var output: String

      func run() throws {
        let file = FileName(argument: output)
        try OutputFiles.claim(file, option: "-o")
        _ = try IndexFormat.named(by: file, option: nil)
        try OutputTarget.requireFile(file, for: "an index file", as: "shops.nbx")
        guard !sources.isEmpty else {
          throw ReportedError(
            "missing-source", "say what to build from: nearby index build shops.csv -o shops.nbx",
            fault: .usage)
        }
        guard places == nil, placeKey == nil else {
          throw ReportedError(
            "places-in-index",
            "an index is made of its sources alone, and --places is another one; "
              + "nearby convert them to a .geojson first, and index that", fault: .usage)
        }
        // Stamped before they are read: a change while reading then makes the index stale.
        var parts: [IndexedSources.Part] = []
        var contents: [(name: String, bytes: [UInt8])] = []
        for source in sources {
          let (part, bytes) = try IndexedSources.Part.read(FileName(argument: source))
          parts.append(part)
          contents.append((part.name, bytes))
        }
        var indexed = IndexedSources(
          parts: parts, options: reading.words, regionArea: try regionArea())
        try OutputFiles.refuse(file, as: .index)
        let result = try Source.check(contents, try reading.reading())
        indexed.records = result.annotations.count
        indexed.rejected = result.report.rejected
        // It holds all that its sources do.
        try ReadFiles.keepingPermissions { () throws(ReportedError) in
          try IndexDocument.write(result.annotations, indexed, to: file)
        }
        Console.remark("\(file.text): \(grouped(indexed.records, "annotation"))")
      }

      /// What the file says that `--region` names; nil when it names none.
      private func regionArea() throws(ReportedError) -> [UInt8]? {
        try reading.source.region.flatMap(regionFile).map(Files.bytes(of:))
      }
    }

    struct Info: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Print what an index file was built from.")

      @Argument(help: "An index file.", completion: .file())
      var file: String

      func run() throws {
        let name = FileName(argument: file)
        let index = try IndexDocument.open(name).sources
        var lines = [
          "format       \(IndexFileFormat.version)", "annotations  \(grouped(index.records))",
        ]
        for part in index.parts {
          var line = "source       \(part.name), \(grouped(part.byteCount)) bytes"
          if let origin = part.origin {
            line += " of " + Files.localTime(nanoseconds: origin.stamp.modified)
          }
          lines.append(line)
        }
        if !index.options.isEmpty {
          lines.append("options      " + index.options.joined(separator: " "))
        }
        try Console.write(lines.map { TerminalText.sanitized($0) + "\n" }.joined())
      }
    }

    struct Verify: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Check that an index file is whole, and its source unchanged.")

      @Argument(help: "An index file.", completion: .file())
      var file: String

      @Flag(help: "Do not check whether the source has changed.")
      var allowStale = false

      func run() throws {
        let name = FileName(argument: file)
        let document = try IndexDocument.open(name)
        try document.verify()
        if !allowStale { try document.sources.checkSources(beside: name) }
        let count = try document.openedIndex().index.annotations.count
        guard count == document.sources.records else {
          throw IndexedSources.damaged(
            name.text,
            "it has \(grouped(count)) of \(grouped(document.sources.records, "annotation"))")
        }
        let gone = allowStale ? "" : document.sources.missing(beside: name)
        let line = "\(name.text): whole, \(grouped(count, "annotation"))\(gone)"
        try Console.write(TerminalText.sanitized(line) + "\n")
      }
    }
  }
#endif
