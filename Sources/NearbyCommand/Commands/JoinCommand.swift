#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import SpatialIndexing

  /// `nearby join LEFT RIGHT`: for each left annotation its nearest right ones, or the areas that hold it.
  struct JoinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "join",
      abstract: "For each row of LEFT, find the nearest rows of RIGHT, or the areas it lies in.",
      discussion: """
        With -k, prints a line for each neighbor: left_id, right_id, rank, distance in meters. \
        With --inside, prints a line for each polygon of RIGHT that contains the left row, borders \
        included: left_id, right_id. With --inside --count, prints a line for each polygon: \
        right_id, count. Polygons are ordered by id.

          nearby join shops.csv stations.csv -k 1 --within 1km
          nearby join shops.csv districts.geojson --inside --right-fields name
          nearby join shops.csv districts.geojson --inside --count

        Input options apply to RIGHT. For LEFT, put left- in front, as in --left-lat-field. \
        --allow-null-island applies to both. Left rows that are rejected or without a position \
        print nothing; the summary counts them. One point represents a line or an area of LEFT.
        """)

    @Argument(
      help: .usual("The rows to find neighbors or areas for.", valueName: "left"),
      completion: .file())
    var left: String

    @Argument(
      help: .usual("The rows or polygons to search.", valueName: "right"), completion: .file())
    var right: String

    @Option(
      name: .customShort("k", allowingJoined: true),
      help: .usual("How many neighbors for each left row, or 'all'.", valueName: "n|all"))
    var limit: String?

    @Flag(
      help: "Find the polygons of RIGHT that contain each left row, instead of the nearest rows.")
    var inside = false

    @Flag(help: "With --inside: only the polygon with the smallest area.")
    var smallest = false

    @Flag(help: "With --inside: print how many left rows lie in each polygon, including 0.")
    var count = false

    @OptionGroup var match: DistanceOptions

    @Option(name: .customLong("kind"), help: ChoiceOptions.kindHelp)
    var kinds: [String] = []

    @Flag(help: "Leave out right rows that have the left row's id.")
    var excludeSelf = false

    @Option(help: QueryOptions.indexHelp, completion: .words(of: PositionIndexKind.self))
    var index = "tree"

    @Option(
      help: .usual("inner, or left to also print left rows without a match.", valueName: "how"),
      completion: .words(of: JoinKind.self))
    var how = "inner"

    @Option(help: .usual("Columns of LEFT to add to each line, or 'all'.", valueName: "a,b"))
    var leftFields: String?

    @Option(help: .usual("Columns of RIGHT to add to each line, or 'all'.", valueName: "a,b"))
    var rightFields: String?

    @OptionGroup(title: "Hours of RIGHT", visibility: .rare) var open: OpenOptions
    @OptionGroup(title: "Input") var reading: ReadingOptions
    @OptionGroup(title: "Input for LEFT", visibility: .rare)
    var leftReading: SourceOptions<LeftSide>

    @OptionGroup var written: WrittenOutput<JoinFormat>

    @Flag(help: "In GeoJSON, write the line to the right row instead of the left row's point.")
    var lines = false

    @Flag(name: [.short, .long], help: "Print no results; exit with 1 if nothing matches.")
    var quiet = false

    @Flag(help: .rare("Exit with 1 if nothing matches."))
    var exitStatus = false

    func run() throws {
      try checkWhole()
      // Rejected rows of one are written before the other is read.
      for file in [left, right] { ReadFiles.note(FileName(argument: file)) }
      let (file, asked) = try written.claim()
      let format = asked ?? .csv
      if lines, format != .geojson {
        throw ReportedError(
          "bad-join", "--lines are GeoJSON; say --format geojson too", fault: .usage)
      }
      let how: JoinKind = try parseWord(how, option: "--how")
      let neighbors = try NeighborOptions(self)
      let sides = try JoinSides(self)
      let progressMode = try reading.progressMode()
      let (lefts, rights) = try sides.annotations()
      if let remark = lefts.remarkOnShapesJoinedAsPoints(from: sides.left) {
        Console.remark(remark)
      }
      var table = JoinTable(
        count ? .count : inside ? .inside : .nearest,
        left: try JoinSides.fields(leftFields, of: lefts, option: "--left-fields"),
        right: try JoinSides.fields(rightFields, of: rights, option: "--right-fields"))
      table.drawsLines = lines
      table.keepsUnmatched = how == .left
      let writer = JoinWriter(format, table, lefts, rights)
      let progress = ProgressReport(mode: progressMode, name: sides.title)
      let matches =
        inside
        ? try writeAreas(writer, sides, to: file, progress)
        : try writer.write(
          try neighbors.search(from: lefts, in: rights),
          density: min(neighbors.limit, rights.count), to: file, isQuiet: quiet, progress)
      KindRemarks.of(kinds.map(\.asTyped), shown: [], among: rights).forEach(Console.remark)
      if matches == 0 { Question.remark(onBareWithin: match.bareWithin).map(Console.remark) }
      if matches == 0, quiet || exitStatus { Console.exit(.empty) }
    }

    /// Writes the areas that hold left rows, or how many of these each area holds, and gives the number of matches.
    private func writeAreas(
      _ writer: JoinWriter, _ sides: JoinSides, to file: FileName?, _ progress: ProgressReport
    ) throws -> Int {
      var writer = writer
      let search = try AreaJoin(
        writer.rights, kinds: ChoiceOptions.kindSet(kinds.map(\.asTyped)), isSmallest: smallest,
        isStrict: sides.rightReading.options.isStrict, file: sides.right, remark: Console.remark)
      if count { return try writer.writeCounts(search, to: file, isQuiet: quiet, progress) }
      writer.keep(search.offsets)
      return try writer.write(search, density: 1, to: file, isQuiet: quiet, progress)
    }

    /// Refuses options that say nothing together, before anything is read.
    private func checkWhole() throws(ReportedError) {
      func refuse(_ options: [(String, Bool)], _ reason: (String) -> String) throws(ReportedError) {
        guard let name = options.first(where: { $0.1 })?.0 else { return }
        throw ReportedError("bad-join", reason(name), fault: .usage)
      }
      guard inside else {
        try refuse([("--smallest", smallest), ("--count", count)]) {
          "\($0) only works with --inside; give that too"
        }
        guard limit != nil else {
          throw ReportedError(
            "bad-k",
            "say how many neighbors each left row gets: -k 1; or --inside for the areas it lies in",
            fault: .usage)
        }
        return
      }
      try refuse([
        ("-k", limit != nil), ("--within", match.within != nil), ("--beyond", match.beyond != nil),
        ("--exclude-self", excludeSelf), ("--open", open.open != nil), ("--lines", lines),
      ]) { "--inside finds the areas that hold a row and measures no distances; leave out \($0)" }
      try refuse([("--left-fields", count && leftFields != nil), ("--how", count && how == "left")])
      {
        "--count prints a row for each area, not for each left row; leave out \($0)"
      }
    }
  }

  /// Which right rows are neighbors, the options understood before anything is read.
  private struct NeighborOptions {
    let limit: Int
    let distances: DistanceRange
    let kinds: Set<AnnotationKind>?
    let excludesSelf: Bool
    let indexKind: PositionIndexKind
    let open: OpenPlan?

    init(_ command: JoinCommand) throws(ReportedError) {
      limit = try command.limit.map { text throws(ReportedError) in try parseLimit(text) } ?? .max
      distances = try command.match.distances()
      kinds = ChoiceOptions.kindSet(command.kinds.map(\.asTyped))
      excludesSelf = command.excludeSelf
      indexKind = try parseWord(command.index, option: "--index")
      open = try command.open.plan(from: nil, beginsAtEach: true)
    }

    /// The search for the neighbors of some left rows.
    func search(
      from lefts: ImportedAnnotations, in rights: ImportedAnnotations
    ) throws(ReportedError) -> JoinSearch {
      let open = try open?.settled(from: lefts, to: rights)
      let index = AnnotationIndex(forManyQuestions: rights, by: indexKind)
      var search = JoinSearch(index)
      search.hours = open.map { HoursIndex(index, reader: $0.clocks.reader) }
      search.open = open?.condition
      search.limit = limit
      search.distances = distances
      search.kinds = kinds
      search.excludesSelf = excludesSelf
      return search
    }
  }

  /// Which left rows a join prints.
  enum JoinKind: String, CaseIterable {
    case inner, left
  }

  /// The two sources of a join.
  struct JoinSides {
    let left: FileName
    let right: FileName
    let leftReading: SourceReading
    let rightReading: SourceReading

    init(_ command: JoinCommand) throws(ReportedError) {
      left = FileName(argument: command.left)
      right = FileName(argument: command.right)
      if left.isStandardInput, right.isStandardInput {
        throw ReportedError(
          "one-standard-input", "LEFT and RIGHT cannot both be -; name a file for one",
          fault: .usage)
      }
      rightReading = try command.reading.reading()
      var leftReading = try command.leftReading.reading()
      leftReading.options.allowsNullIsland = rightReading.options.allowsNullIsland
      leftReading.options.unpackingLimit = rightReading.options.unpackingLimit
      leftReading.allowsStale = rightReading.allowsStale
      leftReading.surroundings = rightReading.surroundings
      self.leftReading = leftReading
    }

    /// What progress is called.
    var title: String { left == right ? left.text : "\(left.text) and \(right.text)" }

    /// The annotations of both; those of one file that both name are read once.
    func annotations() throws(ReportedError) -> (
      left: ImportedAnnotations, right: ImportedAnnotations
    ) {
      let lefts = try SourceOptions<LeftSide>.annotations(of: left, leftReading)
      let isSame =
        left == right && !leftReading.differs && !rightReading.differs
        && leftReading.rejects == nil && rightReading.rejects == nil
      return (lefts, isSame ? lefts : try Source.annotations(of: [right], rightReading))
    }

    /// The columns that an option names, all of the source's for `all`; none without a list.
    ///
    /// - Throws: For a column that no record has.
    static func fields(
      _ list: String?, of annotations: ImportedAnnotations, option: String
    ) throws(ReportedError) -> [String] {
      if let list, OutputOptions.fieldNames(list) == ["all"] { return annotations.allColumns }
      return try OutputOptions.columns(list, of: annotations, option: option) ?? []
    }
  }
#endif
