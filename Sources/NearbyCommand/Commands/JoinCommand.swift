#if CommandLine
  import AnnotationImport
  import ArgumentParser
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import SpatialIndexing
  import TextMaps

  /// `nearby join LEFT RIGHT -k N`: for each left annotation its nearest right ones.
  struct JoinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "join",
      abstract: "For each annotation of LEFT the nearest of RIGHT.",
      discussion: """
        Input options describe RIGHT; the same with left- in front (--left-lat-field) describe \
        LEFT; --allow-null-island holds for both. An unplaced or rejected left row prints nothing and counts in the summary.
        """)

    @Argument(
      help: ArgumentHelp("Whose neighbors are sought.", valueName: "left"), completion: .file())
    var left: String

    @Argument(help: ArgumentHelp("Where they are sought.", valueName: "right"), completion: .file())
    var right: String

    @Option(
      name: .customShort("k", allowingJoined: true),
      help: ArgumentHelp("How many for each, or 'all'.", valueName: "n|all"))
    var limit: String?

    @OptionGroup var match: RingOptions

    @Flag(help: "Leave out right annotations with the left one's id.")
    var excludeSelf = false

    @Option(
      help: ArgumentHelp("inner, or left: a row also for those without a match.", valueName: "how"))
    var how = "inner"

    @Option(
      help: ArgumentHelp("Columns of LEFT to write with each row.", valueName: "a,b"))
    var leftFields: String?

    @Option(
      help: ArgumentHelp("Columns of RIGHT to write with each row.", valueName: "a,b"))
    var rightFields: String?

    @OptionGroup(title: "Hours of RIGHT") var open: OpenOptions
    @OptionGroup(title: "Input") var reading: ReadingOptions
    @OptionGroup(title: "Input for LEFT") var leftReading: LeftReadingOptions

    @Option(help: ArgumentHelp("csv, json or jsonl.", valueName: "format"))
    var format: String?

    @Option(
      name: [.short, .long],
      help: ArgumentHelp("Write there; the format follows the ending.", valueName: "file"),
      completion: .file())
    var output: String?

    @Flag(name: [.short, .long], help: "Print nothing; the exit status is 1 when nothing matches.")
    var quiet = false

    @Flag(help: "Exit with 1 when nothing matches.")
    var exitStatus = false

    func run() throws {
      guard let limit else {
        throw CommandError(
          "bad-k", "say how many neighbors each left row gets: -k 1", status: .usage)
      }
      // Rejected rows of one are written before the other is read.
      for file in [left, right] { ReadFiles.note(FileName(argument: file)) }
      let file = try OutputFiles.claim(output)
      let count = try parseLimit(limit)
      let format = try JoinFormat.asked(format, for: file) ?? .csv
      let how: JoinKind = try parseWord(how, option: "--how")
      let distances = try match.distances()
      let kindSet = Nearby.kindSet(match.kinds)
      let leftName = FileName(argument: left), rightName = FileName(argument: right)
      if leftName.isStandardInput, rightName.isStandardInput {
        throw CommandError(
          "one-standard-input", "LEFT and RIGHT cannot both be -; name a file for one",
          status: .usage)
      }
      let rightReading = try reading.reading()
      let leftReading = try leftReading.reading(beside: reading)
      let open = try open.plan(.each)
      let lefts: ImportedAnnotations
      do throws(CommandError) {
        lefts = try Source.annotations(of: [leftName], leftReading)
      } catch {
        throw LeftReadingOptions.named(error)
      }
      let rights = try Source.annotations(of: [rightName], rightReading)
      var fields = JoinFields(
        left: leftFields.map(OutputOptions.fieldNames) ?? [],
        right: rightFields.map(OutputOptions.fieldNames) ?? [])
      try fields.check(against: lefts, rights)
      fields.ofEmpty = how == .left
      let index = AnnotationIndex(forManyQuestions: rights)
      let search = JoinSearch(
        index: index, hours: open.map { HoursIndex(index, reader: $0.clocks.reader) },
        open: open?.condition, limit: count, distances: distances, kinds: kindSet,
        excludesSelf: excludeSelf)

      let sink = quiet ? nil : try OutputSink(file)
      let written = quiet ? nil : format
      let progress = ProgressReport(
        mode: try reading.progressMode(), name: "\(leftName.text) and \(rightName.text)")
      defer { progress.finish() }
      var bytes = format.head(fields)
      var isFirst = true
      var matches = 0
      var rows = lefts[...]
      while !rows.isEmpty {
        let part = rows.prefix(JoinSearch.rowsAtOnce)
        rows = rows.dropFirst(part.count)
        let (texts, found) = try AwaitedWork.result { [fields] in
          await search.texts(of: part, as: written, fields)
        }
        matches += found
        guard let sink else { continue }
        for text in texts where !text.isEmpty {
          if !isFirst { bytes += format.separator.utf8 }
          isFirst = false
          bytes += text
          try sink.writeChunk(&bytes)
        }
        progress.update(rows: lefts.count - rows.count, of: lefts.count)
      }
      if let sink {
        try sink.write(bytes + Array(format.tail.utf8))
        try sink.finish()
      }
      KindRemarks.say(match.kinds, shown: [], among: rights)
      if matches == 0 { RingOptions.remarkOnUnit(match.bareWithin) }
      if matches == 0, quiet || exitStatus { throw ExitCode(ExitStatus.empty.rawValue) }
    }
  }

  /// Which left rows a join prints.
  enum JoinKind: String, CaseIterable {
    case inner, left
  }

  enum JoinFormat: String, WrittenFormat {
    case csv, json, jsonl

    /// What stands before the first row.
    func head(_ fields: JoinFields) -> [UInt8] {
      switch self {
      case .csv:
        var bytes: [UInt8] = []
        CSVText.append(
          ["left_id", "right_id", "rank", "distance"] + fields.left.map { "left_\($0)" }
            + fields.right.map { "right_\($0)" }, to: &bytes)
        return bytes
      case .json: return Array("[".utf8)
      case .jsonl: return []
      }
    }

    /// What stands between two rows, beside the end of a line.
    var separator: String { self == .json ? ",\n" : "" }
    /// What stands behind the last row.
    var tail: String { self == .json ? "]\n" : "" }
  }

  /// What a row of a join says beside ids, rank and distance.
  struct JoinFields {
    let left: [String]
    let right: [String]
    /// Whether a left row without a match has a row.
    var ofEmpty = false

    init(left: [String], right: [String]) {
      self.left = left
      self.right = right
    }

    /// Refuses a field that no row has: it is a slip of the pen.
    func check(
      against lefts: ImportedAnnotations, _ rights: ImportedAnnotations
    ) throws(CommandError) {
      for (names, annotations, option) in [
        (left, lefts, "--left-fields"), (right, rights, "--right-fields"),
      ] {
        for name in names where !annotations.columns.contains(name) {
          guard annotations.allSatisfy({ $0.property(name) == nil }), !annotations.isEmpty else {
            continue
          }
          let known = annotations.columns.prefix(40).joined(separator: ",")
          throw CommandError(
            "unknown-field", "\(option): no column is named \"\(name)\"; columns are \(known)",
            status: .usage)
        }
      }
    }
  }
#endif
