#if CommandLine
  import AnnotationImport
  import ArgumentParser
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import NearbySearch

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
      let index = AnnotationIndex(forManyQuestions: rights)
      let hours = open.map { HoursIndex(index, reader: $0.clocks.reader) }

      var writer = JoinWriter(format: format)
      let sink = quiet ? nil : try OutputSink(file)
      var matches = 0
      for leftItem in lefts {
        guard let origin = leftItem.coordinate else { continue }
        let leftID = leftItem.id
        func counts(_ item: ImportedAnnotation) -> Bool { !excludeSelf || item.id != leftID }
        let answer =
          if let hours, let open {
            hours.nearest(
              count, to: origin, within: distances.within, beyond: distances.beyond, kinds: kindSet,
              open: open.condition, where: excludeSelf ? counts : nil)
          } else {
            index.nearest(
              count, to: origin, within: distances.within, beyond: distances.beyond, kinds: kindSet,
              where: counts)
          }
        matches += answer.count
        guard let sink else { continue }
        writer.append(answer, of: leftID, keepsEmpty: how == .left)
        try sink.writeChunk(&writer.bytes)
      }
      if let sink {
        try sink.write(writer.finish())
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
  }

  /// The rows of a join: `left_id,right_id,rank,distance`.
  private struct JoinWriter {
    let format: JoinFormat
    /// What has been written and not yet sent on.
    var bytes: [UInt8] = []
    private var isFirst = true

    init(format: JoinFormat) {
      self.format = format
      switch format {
      case .csv: bytes += "left_id,right_id,rank,distance\n".utf8
      case .json: bytes += "[".utf8
      case .jsonl: break
      }
    }

    mutating func append(
      _ results: NearbyAnswer<ImportedAnnotation>, of left: AnnotationID, keepsEmpty: Bool
    ) {
      for (place, result) in results.enumerated() {
        append(left, result.annotation.id, rank: place + 1, meters: result.distance.meters)
      }
      if results.isEmpty, keepsEmpty { append(left, nil, rank: nil, meters: nil) }
    }

    private mutating func append(
      _ left: AnnotationID, _ right: AnnotationID?, rank: Int?, meters: Double?
    ) {
      let distance = meters.map { fixedDecimal($0, decimals: 4) }
      switch format {
      case .csv:
        CSVText.append(
          [left.text, right?.text ?? "", rank.map(String.init) ?? "", distance ?? ""], to: &bytes)
      case .json, .jsonl:
        if format == .json, !isFirst { bytes += ",\n".utf8 }
        var members: Properties = ["left_id": .string(left.text)]
        members.append("right_id", right.map { .string($0.text) } ?? .null)
        members.append("rank", rank.map { .integer($0) } ?? .null)
        members.append("distance", distance.map { .number($0) } ?? .null)
        var writer = JSONWriter()
        writer.value(.object(members))
        bytes += writer.bytes
        if format == .jsonl { bytes += "\n".utf8 }
      }
      isFirst = false
    }

    mutating func finish() -> [UInt8] {
      if format == .json { bytes += "]\n".utf8 }
      return bytes
    }
  }
#endif
