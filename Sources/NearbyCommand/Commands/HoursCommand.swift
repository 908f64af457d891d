#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import BusinessHours
  import Geodesy
  import MapAnnotations
  import NearbySearch

  /// `nearby hours`: what opening hours mean.
  struct HoursCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hours",
      abstract:
        "Explain opening hours: what a text means, what is open when, what is closed tomorrow.",
      discussion: """
        Explains a text for the next days. It may be OpenStreetMap's opening_hours, or hours as \
        people write them in Korean, Japanese or English. For a file, lists what is open now, or \
        with --closed, --next-closing or --days what is closed on those days.

          nearby hours "Mo-Fr 09:00-18:00; Su[2,4] off"
          nearby hours --closed tomorrow marts.csv
          nearby hours marts.csv --id 1023 --days 60 --format ics -o marts.ics
        """,
      subcommands: [HoursShowCommand.self, HoursEvalCommand.self],
      defaultSubcommand: HoursShowCommand.self)
  }

  /// `nearby hours TEXT` and `nearby hours --closed tomorrow SOURCE`.
  struct HoursShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Explain a text of hours, or the hours of annotations.",
      discussion:
        "A text stands in quotation marks in the place of a source: \"Mo-Fr 09:00-18:00\".")

    @Option(help: .usual("The time to ask about: now, 14:00, 2026-11-22T14:00.", valueName: "time"))
    var at: String?

    @Flag(help: "For a text, print only the next change.")
    var next = false

    @Option(
      help: .usual(
        "For a text, print this many days (default: 7). For a file, list what is closed in this many days.",
        valueName: "n"))
    var days: Int?

    @Option(
      help: .usual("List what is closed that day: today, tomorrow or 2026-11-22.", valueName: "day")
    )
    var closed: String?

    @Flag(
      help: """
        List each annotation's next closing day, the soonest first, today included; --days says \
        how far to look (default: 366).
        """)
    var nextClosing = false

    @Option(
      help: .usual(
        "In a calendar, add a reminder this long before a closed day begins: 13h means 11:00 the day before.",
        valueName: "duration"))
    var alarm: String?

    @Option(help: .usual("Only this annotation; repeatable.", valueName: "id"))
    var id: [String] = []

    @OptionGroup var choice: ChoiceOptions

    #if Store
      @Flag(help: "Only the favorites of the store.")
      var favorites = false

      @OptionGroup(title: "Store") var store: StoreOptions
    #endif

    @OptionGroup var written: WrittenOutput<HoursFormat>

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var input: InputOptions

    /// What the program can look ahead at once.
    private static let mostDays = 3_660

    func run() throws {
      if let days {
        try requireNumber(
          days, in: 1...Self.mostDays, option: "--days", code: "bad-days", "write 60")
      }
      let format = try written.claim().format ?? .text
      if nextClosing, let closed {
        throw ReportedError(
          "bad-closing",
          "--closed \(closed) lists what is closed that day, --next-closing when each closes next; give one of them",
          fault: .usage)
      }
      if next, format != .text {
        throw ReportedError(
          "bad-format",
          "--next has no form in \(format.rawValue); leave it out, or say --format text",
          fault: .usage)
      }
      let alarm = try alarm.map { text throws(ReportedError) in
        let seconds = Int64(try parseSeconds(text, option: "--alarm", needsUnit: true).rounded())
        guard format == .ics else {
          throw ReportedError(
            "bad-alarm", "--alarm \(text) is for calendars; add --format ics", fault: .usage)
        }
        return seconds
      }
      let clocks = try zone.clocks()
      let now = Console.now
      try refuseText(clocks, now)
      let asksAnnotations =
        closed != nil || nextClosing || !id.isEmpty || !choice.kinds.isEmpty
        || !choice.conditions.isEmpty || input.sample || asksStore
        || input.files.contains { $0.isStandardInput || Files.isRegular($0) }
      guard asksAnnotations else { return try showText(clocks, now, format, alarm) }
      if next {
        throw ReportedError(
          "bad-next",
          "--next is for a text of hours; leave it out, as the list of annotations has each one's next change",
          fault: .usage)
      }
      try showAnnotations(clocks, now, format, alarm)
    }

    /// Refuses a text of hours where only a file makes sense.
    private func refuseText(_ clocks: PlaceClocks, _ now: Instant) throws(ReportedError) {
      let option: String? = closed != nil ? "--closed" : nextClosing ? "--next-closing" : nil
      guard let option, input.files.count == 1, !input.files[0].isStandardInput,
        !Files.exists(input.files[0])
      else { return }
      let text = input.sources[0].asTyped
      let setting = clocks.setting(ofHours: text)
      guard (try? HoursPage(text, setting: setting, at: now, days: 1)) != nil else { return }
      throw ReportedError(
        "bad-closing",
        "\"\(text)\" is a text of hours, and \(option) is for files of annotations; name a file, "
          + "or leave out \(option)", fault: .usage)
    }

    private var asksStore: Bool {
      #if Store
        favorites || store.store != nil
      #else
        false
      #endif
    }

    private func instant(
      _ setting: @autoclosure () -> HoursSetting, _ now: Instant
    ) throws(ReportedError) -> Instant {
      guard let at else { return now }
      return try parseInstant(at, option: "--at", setting: setting(), now: now)
    }

    private func write(_ bytes: [UInt8]) throws(ReportedError) {
      try Files.write(bytes, to: written.output.map(FileName.init(argument:)))
    }

    // MARK: A text

    private func showText(
      _ clocks: PlaceClocks, _ now: Instant, _ format: HoursFormat, _ alarm: Int64?
    ) throws {
      guard input.sources.count == 1 else {
        throw ReportedError(
          "missing-hours",
          input.sources.isEmpty
            ? "say which hours: nearby hours \"Mo-Fr 09:00-18:00\", or a file of annotations"
            : "\(input.sources.count) texts are given; write one, in quotation marks",
          fault: .usage)
      }
      let text = input.sources[0].asTyped
      let setting = clocks.setting(ofHours: text)
      let page = try HoursPage(
        text, setting: setting, at: try instant(setting, now), days: days ?? 7)
      for remark in page.remarks { Console.remark(remark) }
      if next {
        return try write(Array((page.nextChange ?? "never").utf8) + [UInt8(ascii: "\n")])
      }
      switch format {
      case .text: try write(Array(page.text(width: Console.width()).utf8))
      case .json: try write(page.json())
      case .ics:
        let place = ClosedPlace(id: "hours", name: text, days: page.closedDays)
        try write(ClosedPlace.calendar([place], written: now, alarm: alarm))
        if page.closedDays.isEmpty {
          Console.remark(
            "not known to be closed in these \(days ?? 7) days; --days looks further ahead")
        }
      }
    }

    // MARK: Annotations

    private func showAnnotations(
      _ clocks: PlaceClocks, _ now: Instant, _ format: HoursFormat, _ alarm: Int64?
    ) throws {
      let (items, source) = try chosen()
      let hours = AnnotationHours(
        clocks, at: try instant(clocks.setting(at: nil, orAmong: source), now))
      if closed == nil, days == nil, !nextClosing, format != .ics {
        return try write(format == .json ? hours.json(items) : hours.text(items))
      }
      let first = try firstDay()
      let (places, unknown) = hours.closed(
        items, first: first, days: days ?? (nextClosing ? 366 : closed == nil ? 30 : 1),
        nextOnly: nextClosing)
      switch format {
      case .text: try write(ClosedPlace.text(places, width: Console.width()))
      case .json: return try write(ClosedPlace.json(places, unknown: unknown))
      case .ics:
        // What is shut for good needs no entry for each day.
        let inBusiness = places.filter { !$0.business.isOutOfBusiness }
        try write(ClosedPlace.calendar(inBusiness, written: now, alarm: alarm))
      }
      if places.isEmpty {
        Console.remark(
          items.count == 1
            ? "it is not known to be closed then"
            : "none of the \(grouped(items.count)) is known to be closed then")
      }
      if unknown > 0 {
        let others = places.isEmpty ? grouped(unknown) : grouped(unknown, "other")
        Console.remark(
          "\(others) may be closed: \(unknown == 1 ? "its" : "their") hours do not say")
      }
    }

    /// Gives the number of the first day to list, from that of today at a place.
    private func firstDay() throws(ReportedError) -> (Int) -> Int {
      guard let closed else { return { $0 } }
      let text = closed.asTyped
      switch text.lowercased() {
      case "today": return { $0 }
      case "tomorrow": return { $0 + 1 }
      default:
        guard let day = CalendarDate(text) else {
          throw ReportedError(
            "bad-date", "--closed \"\(text)\" is not a day; write today, tomorrow or 2026-11-22",
            fault: .usage)
        }
        return { _ in day.dayNumber }
      }
    }

    /// Annotations, and beside each the ids that are marked in its layer; nil where marks are not asked for.
    private typealias Marked = (annotations: ImportedAnnotations, marks: [Set<AnnotationID>]?)

    private func marked() throws -> Marked {
      var files = input.files
      let reading = try input.sourceReading()
      #if Store
        if favorites { return try markedFavorites(reading) }
        if files.isEmpty, store.store != nil { files = [try store.file()] }
      #endif
      files = try Source.files(files, asksForSample: input.sample)
      return (try Source.annotations(of: files, reading), nil)
    }

    #if Store
      private func markedFavorites(_ reading: SourceReading) throws -> Marked {
        // A store that is named as a source has favorites, too.
        var named = store
        named.store = named.store ?? input.sources.first
        let file = try named.file()
        let favorites = try named.withStore(.readOnly) { try $0.favorites() }
        let files = input.files
        guard
          files.isEmpty
            || files.count == 1 && files[0].regularFileIdentity == file.regularFileIdentity
        else {
          // Other sources have no layers.
          let annotations = try Source.annotations(of: files, reading)
          let ids = Set(favorites.map(\.id))
          return (annotations, Array(repeating: ids, count: annotations.count))
        }
        let marks = Dictionary(grouping: favorites, by: \.layer).mapValues { Set($0.map(\.id)) }
        var parts: [ImportedAnnotations] = []
        var ids: [Set<AnnotationID>] = []
        // An id of one layer may be another thing in the next.
        for layer in try reading.layer.map({ [$0] }) ?? StoreSource.layers(of: file) {
          var reading = reading
          reading.layer = layer
          let part = try Source.annotations(of: [file], reading)
          parts.append(part)
          ids += repeatElement(marks[layer] ?? [], count: part.count)
        }
        return (ImportedAnnotations(joining: parts), ids)
      }
    #endif

    /// The annotations that are asked about, by id, and all of their source.
    private func chosen() throws -> (items: [ImportedAnnotation], source: ImportedAnnotations) {
      let (annotations, marks) = try marked()
      let ids = Set(id.map { AnnotationID($0.asTyped) })
      let offsets =
        try Question(choice).offsets(of: annotations, remark: Console.remark)
        ?? Array(annotations.indices)
      let chosen = offsets.compactMap { offset -> ImportedAnnotation? in
        let item = annotations[offset]
        let isAsked = ids.isEmpty || ids.contains(item.id)
        return isAsked && marks?[offset].contains(item.id) ?? true ? item : nil
      }
      if let missing = ids.first(where: { id in !chosen.contains { $0.id == id } }) {
        throw ReportedError(
          "unknown-id",
          "no annotation has the id \(missing); nearby list SOURCE --format ids lists them",
          fault: .usage)
      }
      let items = chosen.sorted {
        ($0.id, $0.origin?.record ?? 0) < ($1.id, $1.origin?.record ?? 0)
      }
      return (items, annotations)
    }
  }

  /// How hours are written.
  enum HoursFormat: String, WrittenFormat {
    case text, json, ics
  }
#endif
