#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import BusinessHours
  import Geodesy
  import NearbySearch
  import SpatialIndexing
  import TextMaps

  /// How results are written.
  struct OutputOptions: ParsableArguments {
    @OptionGroup var written: WrittenOutput<OutputFormat>

    @Option(help: .usual("Show only these of the source's own columns.", valueName: "a,b"))
    var fields: String?

    @Flag(help: "Leave out the map below the table.")
    var noMap = false

    @OptionGroup(visibility: .rare) var map: MapOptions

    @Flag(name: [.short, .long], help: .rare("Print no results; exit with 1 if nothing is found."))
    var quiet = false

    @Flag(help: .rare("Exit with 1 if nothing is found."))
    var exitStatus = false

    @Flag(help: .rare("Explain on standard error what the search did."))
    var explain = false

    /// The options understood.
    ///
    /// - Throws: For words that they do not know, before any source is read.
    func plan() throws(ReportedError) -> OutputPlan {
      let (file, format) = try written.claim()
      return OutputPlan(
        format: format ?? .table, file: file,
        fields: fields.map(OutputOptions.columnNames),
        showsMap: !noMap, map: try map.plan(onTerminal: Console.showsOnTerminal(file)),
        isQuiet: quiet, tellsEmptiness: exitStatus, explains: explain)
    }

    /// The columns of a list that a source must have; nil without a list.
    ///
    /// - Throws: For a column that no record has, and that is no part of the position.
    static func columns(
      _ list: String?, of source: ImportedAnnotations, option: String = "--fields"
    ) throws(ReportedError) -> [String]? {
      guard let list else { return nil }
      let names = columnNames(list)
      for name in names { try source.requireField(name, of: option) }
      return names
    }

    /// The column names of a list with commas between them, without their quotes.
    static func columnNames(_ list: String) -> [String] { fieldNames(list).map(columnName) }

    /// The text between double quotes, or the whole text if there are none.
    static func columnName(_ text: String) -> String {
      if case .property(let name) = Condition.Field(named: text).name { name } else { text }
    }

    /// The names of a list with commas between them, with their quotes.
    static func fieldNames(_ list: String) -> [String] {
      Condition.Field.names(in: list.asTyped).map { trimmed($0) }.filter { !$0.isEmpty }
    }
  }

  /// How maps are drawn.
  struct MapOptions: ParsableArguments {
    @Option(help: .usual("The map's columns and lines, such as 64x20.", valueName: "colsxrows"))
    var size: String?

    @Option(
      help: .usual("braille, block or ascii.", valueName: "style"),
      completion: .words(of: TextMap.Style.self))
    var style = "braille"

    @Option(
      help: .rare(
        "Draw this GeoJSON file's outlines faintly instead of the built-in ones.", valueName: "file"
      ), completion: .file())
    var basemap: String?

    @Option(
      help: .usual("When to use color: auto, always or never.", valueName: "when"),
      completion: .words(of: ColorMode.self))
    var color = "auto"

    /// The options understood.
    ///
    /// - Parameter onTerminal: Whether a terminal will show the map, and not a file.
    /// - Throws: For sizes and words that they do not know.
    func plan(onTerminal: Bool) throws(ReportedError) -> MapPlan {
      let mode: ColorMode = try parseWord(color, option: "--color")
      var plan = MapPlan.standard(onTerminal: onTerminal)
      plan.style = try parseWord(style, option: "--style")
      plan.color = mode.color(onTerminal: onTerminal)
      plan.basemap = basemap.map(FileName.init(argument:))
      if let size { plan.size = try MapOptions.size(size) }
      return plan
    }

    private static func size(_ text: String) throws(ReportedError) -> TextMap.Size {
      let numbers = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
      guard numbers.count == 2, let columns = Int(numbers[0]), let rows = Int(numbers[1]),
        (20...1_000).contains(columns), (8...1_000).contains(rows)
      else {
        throw ReportedError(
          "bad-size",
          "--size \(text.asTyped) is not a map size; write columns x rows, 20x8 to 1000x1000, such as 64x20",
          fault: .usage)
      }
      return TextMap.Size(columns: columns, rows: rows)
    }
  }

  /// How and where results are written, every word of the options understood.
  struct OutputPlan {
    var format = OutputFormat.table
    /// nil and `-` stand for standard output.
    var file: FileName?
    /// The source's own columns that are wanted; nil for all.
    var fields: [String]?
    var showsMap = true
    var map: MapPlan
    /// Whether nothing is printed and the exit status alone answers.
    var isQuiet = false
    /// Whether nothing found makes the exit status 1.
    var tellsEmptiness = false
    /// Whether standard error says what the search did.
    var explains = false

    /// Whether a terminal will show the results, and not a file.
    var isOnTerminal: Bool { Console.showsOnTerminal(file) }

    /// Writes results where they were asked for.
    func write(_ bytes: [UInt8]) throws(ReportedError) {
      // Standard output needs no sink, which replaces a file only as a whole.
      if file == nil, !isQuiet { return try Console.write(bytes) }
      try write { (sink) throws(ReportedError) in try sink.write(bytes) }
    }

    /// Writes results where they were asked for, as they come.
    func write(_ body: (OutputSink) throws(ReportedError) -> Void) throws(ReportedError) {
      if isQuiet { return }
      let sink = try OutputSink(file)
      try body(sink)
      try sink.finish()
    }

    /// Writes how many there are, and nothing else.
    func answer(count: Int) throws(ReportedError) {
      try write(Array("\(count)\n".utf8))
      finish(isEmpty: count == 0)
    }

    /// Ends with the status for an empty answer if nothing was found and the caller asked for that.
    ///
    /// - Parameter missing: The servers that did not answer, which may have something.
    func finish(isEmpty: Bool, without missing: MissingParts? = nil) {
      if isEmpty, isQuiet || tellsEmptiness { Console.exit(missing == nil ? .empty : .unavailable) }
    }
  }

  extension MapPlan {
    /// What is drawn when nothing is said: as wide as a terminal allows up to the usual size, in
    /// color on a terminal.
    static func standard(onTerminal: Bool) -> MapPlan {
      MapPlan(
        size: TextMap.Size(
          columns: min(TextMap.Size.standard.columns, Console.width(onTerminal: onTerminal)),
          rows: TextMap.Size.standard.rows),
        color: ColorMode.auto.color(onTerminal: onTerminal))
    }
  }

  /// When color is used.
  enum ColorMode: String, CaseIterable {
    case auto, always, never

    /// - Parameter onTerminal: Whether a terminal will show it, and not a file.
    func color(onTerminal: Bool) -> TerminalColor {
      switch self {
      case .always: return .ansi
      case .never: return .none
      case .auto:
        // https://no-color.org: any value but the empty one; CLICOLOR_FORCE likewise, if not 0.
        if let value = Console.variable("NO_COLOR"), !value.isEmpty { return .none }
        if let value = Console.variable("CLICOLOR_FORCE"), !value.isEmpty, value != "0" {
          return .ansi
        }
        return onTerminal && !Console.isDumb ? .ansi : .none
      }
    }
  }

  /// How results look on the way out.
  enum OutputFormat: String, WrittenFormat {
    case table, json, jsonl, csv, geojson, geojsonseq, gpx, ics, ids
  }

  extension Listing {
    /// Writes the listing in the format, to the place and with the map that were asked for.
    func write(_ output: OutputPlan) throws {
      var listing = self
      listing.fields = output.fields
      if facets != nil, output.format != .table, output.format != .json {
        throw ReportedError(
          "bad-format",
          "--facets need --format table or json, not \(output.format.rawValue); choose one",
          fault: .usage)
      }
      try listing.checkFields()
      switch output.format {
      case .table: try output.write(Array(try listing.table(output).utf8))
      case .json: try output.write(listing.json())
      case .jsonl: try output.write(listing.writeJSONLines)
      case .csv: try output.write(listing.writeCSV)
      case .geojson, .geojsonseq:
        try output.write { (sink) throws(ReportedError) in
          try listing.writeGeoJSON(
            output.format == .geojson ? .featureCollection : .sequence(recordSeparators: false),
            to: sink)
        }
      case .gpx:
        try output.write { (sink) throws(ReportedError) in
          try GPXFile.write(rows.lazy.map(\.annotation), keeping: output.fields, to: sink)
            .forEach(Console.remark)
        }
      case .ics:
        guard query.dates != nil else {
          throw ReportedError(
            "bad-format", "--format ics needs a date; say which, as --on 2026-12", fault: .usage)
        }
        guard let calendar = listing.calendar(written: Console.now) else {
          throw ReportedError(
            "bad-format", "--on all has no last day, which --format ics needs; write --on 2026-12",
            fault: .usage)
        }
        try output.write(calendar)
      case .ids: try output.write(listing.writeIDs)
      }
      remark(output)
    }

    /// Writes the rows, or only how many there are, and ends as the options ask.
    ///
    /// - Parameters:
    ///   - total: How many annotations were asked.
    ///   - what: What one of them is called.
    func answer(
      _ output: OutputPlan, countOnly: Bool, of total: Int, _ what: String = "position"
    ) throws {
      remarksOnSlips.forEach(Console.remark)
      if output.explains { Explanation.say(self, of: total, what) }
      if countOnly {
        try output.write(Array("\(rows.count)\n".utf8))
        remark(output)
      } else {
        try write(output)
      }
      output.finish(isEmpty: rows.isEmpty, without: missing)
    }

    /// Says what neither the rows nor their number show: what may be missing, how to go on, what was not understood.
    func remark(_ output: OutputPlan) {
      remarkOnMissing()
      if output.isQuiet { return }
      remarkOnPages()
      unreadRemarks.forEach(Console.remark)
      if [.csv, .ids, .gpx].contains(output.format) { unknownHoursRemark.map(Console.remark) }
    }

    /// Says how old the answer may be, which servers did not answer, and which results may be missing without them.
    func remarkOnMissing() {
      for remark in [replicaRemark, missing?.remark].compactMap(\.self) { Console.remark(remark) }
    }

    /// Says how to go on, where pages were asked for and the format has no place to say it.
    private func remarkOnPages() {
      guard query.after != nil else { return }
      switch continuation {
      case .none: break
      case .end: Console.remark("next: none, this is the last page")
      case .cursor(let cursor): Console.remark("next: --after \(cursor)")
      }
    }

    /// The list, and the map unless it is not wanted; nothing, and a remark, for no rows.
    private func table(_ output: OutputPlan) throws -> String {
      let width = Console.width(onTerminal: output.isOnTerminal)
      guard !rows.isEmpty else {
        if !output.isQuiet { Console.remark("no annotations match") }
        return (question.open.map { passedOverLines($0, width: width) } ?? "")
          + facetLines(width: width)
      }
      let (text, withoutRoom) = try table(
        width: width, output.map,
        showsMap: output.showsMap && rows.contains { $0.coordinate != nil })
      if !output.isQuiet {
        let names = columnsForNames.map(TerminalText.sanitized)
        if !names.isEmpty {
          Console.remark(
            "note: no column is known to hold names; choose one with --name-field: "
              + names.joined(separator: ", "))
        }
        if !withoutRoom.isEmpty {
          Console.remark(
            "note: no room for \(withoutRoom.map(TerminalText.sanitized).joined(separator: ", ")); "
              + "--format csv shows all")
        }
      }
      return text + (facets == nil ? "" : "\n" + facetLines(width: width))
    }
  }

  // MARK: What a search did

  /// What a search did, in sentences for `--explain`.
  enum Explanation {
    /// How the query was planned; then what a walk read and computed, or of how many the answer is.
    ///
    /// - Parameters:
    ///   - count: How many annotations were asked.
    ///   - what: What one of them is called.
    ///   - kind: The index that was walked; nil for what is no index, and walks nothing.
    static func say(
      _ listing: Listing, of count: Int, _ what: String = "position",
      in kind: PositionIndexKind? = nil
    ) {
      if let plan = listing.plan {
        Console.remark("explain: plan: \(TerminalText.sanitized(words(plan, listing)))")
      }
      guard let kind, listing.plan?.search == .nearest else {
        let shown = grouped(listing.rows.count, "is", "are")
        return Console.remark("explain: of \(grouped(count, what)), \(shown) in the answer")
      }
      let statistics = listing.statistics
      let leaves =
        kind == .tree
        ? grouped(statistics.leavesRead, "leaf", "leaves")
        : grouped(statistics.leavesRead, "run") + " of the sorted list of geohashes"
      Console.remark(
        """
        explain: of \(grouped(count, "position")), \(grouped(statistics.candidates)) came near enough \
        to be candidates, in \(leaves); \
        \(grouped(statistics.nodeGroupsTested, "group")) of nodes tested
        """)
      Console.remark(
        """
        explain: \(grouped(statistics.geodesics, "geodesic")) computed; the filter was called \
        \(grouped(statistics.predicateCalls, "time")) and refused \
        \(grouped(statistics.predicateRejections))
        """)
    }

    /// The plan, and what the rest of the query asks of each annotation or needs all of them for.
    private static func words(_ plan: QueryPlan, _ listing: Listing) -> String {
      let query = listing.query
      var asked: [String] = []
      switch plan.search {
      case .lookup, .lookupNumbers: if query.area != .everywhere { asked.append("in the area") }
      case .nearest, .area, .scan: break
      }
      if query.clip != nil { asked.append("in the box") }
      if let dates = query.dates { asked.append("on \(dates)") }
      if let open = listing.question.open {
        let instant = ClockText.iso(open.condition.instant, open.own)
        asked.append(
          open.condition.isOnArrival ? "open on arrival, from \(instant)" : "open at \(instant)")
      }
      var parts = ["\(plan)"]
      if !asked.isEmpty {
        parts.append(
          (plan.condition == nil ? "asking each: " : "") + asked.joined(separator: ", "))
      }
      if let order = query.order, order != .distance {
        let isOfBands = order.band != nil && query.limit < .max
        parts.append(isOfBands ? "ordered by \(order)" : "all that match ordered by \(order)")
      }
      return parts.joined(separator: ", ")
    }
  }
#endif
