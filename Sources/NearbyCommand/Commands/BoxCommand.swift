#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import NearbySearch

  /// `nearby bbox W,S,E,N`: the annotations in a box.
  struct BoxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "bbox",
      abstract: "List what is in a box, by id; west > east crosses the antimeridian.")

    @Argument(
      help: .usual(
        "The box: west,south,east,north, or its width around a position, such as 10km. Leave it out with --boxes.",
        valueName: "w,s,e,n"))
    var box: String?

    @Flag(help: "Print only how many there are.")
    var count = false

    @Option(
      help: .usual(
        "Print a count for each box in this CSV file (columns west,south,east,north).",
        valueName: "file"), completion: .file())
    var boxes: String?

    @OptionGroup(title: "Query") var query: QueryOptions
    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
      let output = try output.plan()
      var input = input
      // The box's place holds the first operand when the boxes come from a file.
      if let boxes, let box {
        guard (try? parseBox(box)) == nil else {
          throw ReportedError(
            "bad-bbox",
            "the box \(box.asTyped) and --boxes \(FileName(argument: boxes).text) "
              + "were both given; leave out one", fault: .usage)
        }
        input.sources.insert(box, at: 0)
      }
      // A source in the box's place would make the box a position.
      if boxes == nil, let box, box.first?.isNumber != true { _ = try parseBox(box) }
      var question = try Question(query, &input)
      if let boxes { return try countEach(FileName(argument: boxes), question, input, output) }
      guard let box else {
        throw ReportedError(
          "missing-bbox", "say which box: nearby bbox 126.9,37.4,127.1,37.6 shops.csv",
          fault: .usage)
      }
      let area = try area(box, around: question.query.origin)
      let asksForAll = question.query == NearbyQuery()
      question.look(in: .box(area))
      var opened = try Source.index(
        input, by: try query.indexKind(), isAskedOnce: true, for: question)
      if count, !output.explains, opened.missing == nil, opened.replicaLag == nil, asksForAll {
        let number = try opened.answer { (opened) throws(ReportedError) in
          opened.index.count(in: area)
        }
        return try output.answer(count: number)
      }
      let listing = try question.listing(
        of: &opened, .byTheMachine, tellsNext: !count && output.format == .json, viewport: area)
      try listing.answer(output, countOnly: count, of: opened.index.placedCount)
    }

    /// A box by its edges, or by its width in meters around an origin, as tall as it is wide.
    private func area(
      _ text: String, around origin: Coordinate?
    ) throws(ReportedError) -> BoundingBox {
      guard !text.contains(","), text.first?.isNumber == true,
        // A width may have a blank before its unit; edges that blanks separate are no width.
        text.split(separator: " ").count <= 2
      else { return try parseBox(text) }
      let width = try parseDistance(text, option: "bbox")
      guard let origin else {
        throw ReportedError(
          "missing-position",
          "a box \(text) wide needs a position in its middle; give --lat and --lon, or 37.57,126.97",
          fault: .usage)
      }
      return BoundingBox(around: origin, radius: .meters(width.meters / 2))
    }

    private func countEach(
      _ file: FileName, _ question: Question, _ input: InputOptions, _ output: OutputPlan
    ) throws {
      let boxes = try BoxFile.boxes(of: file)
      var opened = try Source.index(input, by: try query.indexKind(), isAskedOnce: false)
      let counts = try opened.answer { (opened) throws(ReportedError) -> [Int] in
        let question = try question.settled(in: opened.index.annotations)
        return try boxes.map { (box) throws(ReportedError) in
          try question.count(in: box, of: opened.index)
        }
      }
      try output.write(counts.flatMap { Array("\($0)\n".utf8) })
      KindRemarks.of(question.kinds, shown: [], among: opened.index.annotations)
        .forEach(Console.remark)
      output.finish(isEmpty: counts.allSatisfy { $0 == 0 })
    }
  }
#endif
