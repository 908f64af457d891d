#if CommandLine
  import AnnotationImport
  import ArgumentParser
  import Geodesy

  /// `nearby index`: sources read and checked once.
  struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "index",
      abstract: "Index files (.nbx), a source like any other: build, info, verify.",
      subcommands: [Build.self, Info.self, Verify.self])

    struct Build: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Reads and checks sources, and keeps the result in an index file.")

      @OptionGroup var input: InputOptions

      @Option(
        name: [.short, .long],
        help: ArgumentHelp("The index file, ending in .nbx.", valueName: "file"))
      var output: String

      func run() throws {
        let file = FileName(argument: output)
        // Stamped before they are read: a change while reading then makes the index stale.
        let stamps = input.files.compactMap { source -> IndexFile.SourceStamp? in
          guard !source.isStandardInput, let stamp = Files.stamp(of: source) else { return nil }
          return IndexFile.SourceStamp(path: Files.absolute(source), stamp: stamp)
        }
        let annotations = try Source.annotations(input)
        let bytes = IndexFile(annotations, sources: stamps).bytes()
        try Files.write(bytes, to: file)
        Console.remark(
          "\(file.text): \(grouped(annotations.count)) annotations in \(grouped(bytes.count)) bytes"
        )
      }
    }

    struct Info: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "What an index file was built from.")

      @Argument(help: "An index file.")
      var file: String

      func run() throws {
        let name = FileName(argument: file)
        let index = try IndexFile(try Files.bytes(of: name), named: name.text)
        var lines = [
          "format       \(IndexFile.formatVersion)", "annotations  \(grouped(index.records))",
          "bytes        \(grouped(index.payload.count))",
        ]
        for source in index.sources {
          lines.append(
            "source       \(source.path.text), \(grouped(source.stamp.byteCount)) bytes of "
              + Console.localTime(nanoseconds: source.stamp.modified))
        }
        try Console.write(lines.map { $0 + "\n" }.joined())
      }
    }

    struct Verify: ParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Whether an index file is whole and newer than its source.")

      @Argument(help: "An index file.")
      var file: String

      @Flag(help: "Do not ask whether the source has changed.")
      var allowStale = false

      func run() throws {
        let name = FileName(argument: file)
        let index = try IndexFile(try Files.bytes(of: name), named: name.text)
        if !allowStale { try index.checkSource(beside: name) }
        var reading = SourceReading()
        reading.allowsStale = true
        let count = try Source.annotations(of: [name], reading).count
        guard count == index.records else {
          throw CommandError(
            "index-damaged",
            "\(name.text): \(grouped(count)) of \(grouped(index.records)) annotations can be read; build it again with nearby index build",
            status: .badData)
        }
        try Console.write("\(name.text): whole, \(grouped(count)) annotations\n")
      }
    }
  }
#endif
