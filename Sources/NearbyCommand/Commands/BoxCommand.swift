#if CommandLine
  import AnnotationImport
  import ArgumentParser
  import Geodesy
  import NearbySearch

  /// `nearby bbox W,S,E,N`: the annotations in a box.
  struct BoxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "bbox",
      abstract: "The annotations in a box, by id; west > east crosses the antimeridian.")

    @Argument(
      help: ArgumentHelp(
        "The box: west,south,east,north. With --boxes, the first source.", valueName: "w,s,e,n"))
    var box: String?

    @Flag(help: "Print how many there are.")
    var count = false

    @Option(
      help: ArgumentHelp(
        "Count for each box of this CSV (columns west,south,east,north).", valueName: "file"))
    var boxes: String?

    @OptionGroup(title: "Query") var query: QueryOptions
    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
      if let boxes { return try countEach(FileName(argument: boxes)) }
      guard let box else {
        throw CommandError(
          "missing-bbox", "say which box: nearby bbox 126.9,37.4,127.1,37.6 shops.csv",
          status: .usage)
      }
      let area = try parseBox(box)
      let index = AnnotationIndex(forOneQuestion: try Source.annotations(input))
      if count, query.kinds.isEmpty {
        let number = index.count(in: area)
        try output.write(Array("\(number)\n".utf8))
        return try output.finish(isEmpty: number == 0)
      }
      let items = index.annotations(in: area, kinds: query.kindSet)
      try AreaListing(query: query, input: input, output: output, viewport: area)
        .write(items, countOnly: count)
    }

    private func countEach(_ file: FileName) throws {
      var sources = input
      // The box's place holds the first source when the boxes come from a file.
      if let box { sources.sources.insert(box, at: 0) }
      let boxes = try BoxFile.boxes(of: file)
      let index = AnnotationIndex(forOneQuestion: try Source.annotations(sources))
      var lines = ""
      var total = 0
      for box in boxes {
        let number =
          query.kindSet.map { index.annotations(in: box, kinds: $0).count } ?? index.count(in: box)
        total += number
        lines += "\(number)\n"
      }
      try output.write(Array(lines.utf8))
      try output.finish(isEmpty: total == 0)
    }
  }
#endif
