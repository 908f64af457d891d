#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import SpatialIndexing

  /// `nearby --lat DEG --lon DEG`: the nearest annotations.
  struct FindCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "find",
      abstract: "Find what is nearest to a position.",
      discussion: """
        Prints ten results, or all of them with --within; -k sets another number. The answer also \
        says how far you may move before the set of nearest annotations may change.
        """)

    @OptionGroup(title: "Query") var query: QueryOptions
    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
      try FindQuestion(query, input, output).answer()
    }
  }

  /// What `find` asks: the nearest annotations to a position, of which sources, and where the answer goes.
  struct FindQuestion {
    var question = Question()
    var sources: [FileName] = []
    var asksForSample = false
    var reading = SourceReading()
    var indexKind = PositionIndexKind.tree
    var output = OutputPlan(map: .standard(onTerminal: Console.outputIsTerminal))

    private init() {}

    /// Understands the options, before any source is read.
    init(
      _ query: QueryOptions, _ input: InputOptions, _ output: OutputOptions
    ) throws(ReportedError) {
      self.output = try output.plan()
      var input = input
      question = try Question(query, &input, limit: query.filter.match.within == nil ? 10 : .max)
      guard question.query.origin != nil else {
        let mistaken = input.files.first {
          !$0.isStandardInput && !Files.exists($0) && !$0.isServerAddress
        }
        throw ReportedError(
          "missing-position",
          (mistaken.map { "\($0.text) is neither a position nor a file; " } ?? "")
            + "say where to look from: --lat 37.57 --lon 126.97, or 37.57,126.97", fault: .usage)
      }
      sources = input.files
      asksForSample = input.sample
      reading = try input.sourceReading()
      indexKind = try query.indexKind()
    }

    /// The commonest arguments, `--lat DEG --lon DEG` or a position, perhaps files and `-k N`, understood without the
    /// parser, which takes twice as long to set up its options as the answer takes.
    ///
    /// - Returns: nil for whatever else was said, `--lat=DEG` among it; the parser then takes it.
    init?(plain arguments: [String]) throws(ReportedError) {
      var values: [String: String] = [:]
      var operands: [String] = []
      var rest = arguments[...]
      while let option = rest.popFirst() {
        // No command has a comma or a point; a file that is not there may be meant for one.
        if !option.hasPrefix("-"),
          option.contains(",") || option.contains(".") && Files.exists(FileName(argument: option))
        {
          operands.append(option)
          continue
        }
        guard ["--lat", "--lon", "-k"].contains(option), let value = rest.popFirst(),
          !value.hasPrefix("-"), values.updateValue(value, forKey: option) == nil
        else { return nil }
      }
      let operand = try PositionOperand.take(from: &operands)
      let files = operands.map(FileName.init(argument:))
      guard files.allSatisfy(Files.exists) else { return nil }
      let origin: Coordinate
      switch (operand, values["--lat"], values["--lon"]) {
      case (let position?, nil, nil): origin = position
      case (nil, let latitude?, let longitude?):
        origin = try parsePosition(latitude: latitude, longitude: longitude)
      default: return nil
      }
      try Question.check(origin: origin, remark: Console.remark)
      self.init()
      sources = files
      reading.surroundings = .terminal(.bar)
      question.query = NearbyQuery(
        from: origin,
        limit: try values["-k"].map { (text) throws(ReportedError) in try parseLimit(text) } ?? 10)
    }

    func answer() throws {
      // Each kind is a question of its own.
      var opened = try Source.index(
        of: try Source.files(sources, asksForSample: asksForSample), reading, by: indexKind,
        isAskedOnce: !question.query.isPerKind, for: question)
      var question = question
      let listing = try question.listing(
        of: &opened, .byTheMachine, tellsNext: output.format == .json)
      let index = opened.index

      try listing.write(output)
      listing.remarksOnSlips.forEach(Console.remark)
      // A part of the annotations does not show where the others are.
      if !opened.isPart { listing.remarkOnExchange(in: index).map(Console.remark) }
      if output.explains { Explanation.say(listing, of: index.placedCount, in: indexKind) }
      output.finish(isEmpty: listing.rows.isEmpty, without: listing.missing)
    }
  }
#endif
