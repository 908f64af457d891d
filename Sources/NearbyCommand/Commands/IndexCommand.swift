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
        abstract: "Read and check sources, and keep the result in an index file.",
        usage: "nearby index build --output <file> [<options>] [<source> ...]")

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
        let count = try IndexDocument.build(
          of: sources.map(FileName.init(argument:)), try reading.reading(), options: reading.words,
          regionFile: reading.source.region.flatMap(regionFile), to: file)
        Console.remark("\(file.text): \(grouped(count, "annotation"))")
      }
    }

    struct Info: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Print what an index file was built from.")

      @Argument(help: "An index file.", completion: .file())
      var file: String

      func run() throws {
        let lines = try IndexDocument.open(FileName(argument: file)).sources.lines
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
        let found = try IndexDocument.open(name).verify(beside: name, allowsStale: allowStale)
        try Console.write(TerminalText.sanitized("\(name.text): \(found)") + "\n")
      }
    }
  }
#endif
