#if CommandLine
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import WebMaps

  /// `nearby export --html SOURCE`: a page that shows the annotations in a browser.
  struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write a web page: map, clusters, legend, list and search in one file.",
      discussion: """
        The page needs no other file and no network. It draws points, lines and areas on its own \
        map of the world, from Natural Earth and GeoNames.

        The page contains the opening hours of --days days. At any time in these days it shows \
        what is open and until when.

          nearby export --html shops.csv -o shops.html
          nearby export shops.csv --bbox 126.9,37.4,127.1,37.6 -o part.html
        """)

    @Flag(help: "Write HTML; needed unless -o ends in .html.")
    var html = false

    @OptionGroup var input: InputOptions

    @Option(
      name: [.short, .long],
      help: .usual("Write to this file instead of standard output.", valueName: "file"),
      completion: .file())
    var output: String?

    @Option(help: .usual("Show only these of the source's own columns.", valueName: "a,b"))
    var fields: String?

    @OptionGroup(title: "Filter") var filter: FilterOptions
    @OptionGroup(title: "Opening hours in the page") var hours: PageHoursOptions
    @OptionGroup(title: "Page") var page: PageOptions

    func run() throws {
      let file = try OutputFiles.claim(output)
      guard try html || ExportFormat.named(by: file, option: "--html") != nil else {
        throw ReportedError(
          "missing-format", "say what to export: --html, or -o page.html", fault: .usage)
      }
      guard file != nil || !Console.showsOnTerminal(nil) else {
        throw ReportedError(
          "missing-output", "a page is for a browser and not for a terminal; say -o page.html",
          fault: .usage)
      }
      var input = input
      let question = try Question(filter, &input)
      var page = try page.page(titled: PageOptions.title(of: input))
      let data = try self.page.dataFile(beside: file)
      page.dataAddress = data?.lastComponent.text
      let search = try data.flatMap { (data) throws(ReportedError) in
        try PageOptions.searchFile(ofTiles: data)
      }
      let (shown, source) = try question.chosen(of: input)
      let fields = try OutputOptions.columns(self.fields, of: source)
      let knowledge = try hours.knowledge(
        filter.open.zone.clocks(), at: question.query.origin, in: source)
      page.land = PageLand(near: shown.extent)
      page.basemap = try self.page.basemap(near: shown.extent)
      page.hours = knowledge.flatMap { $0.hours.table(of: shown, days: $0.days) }
      let mode = try input.reading.progressMode()
      if let data, let search {
        page.searchAddress = search.lastComponent.text
        let rest = try page.moveToTiles(
          shown, keeping: fields, in: data, searchedIn: search,
          ProgressReport(mode: mode, name: data.lastComponent.text), remark: Console.remark)
        return try Files.write(page.bytes(showing: rest), to: file)
      }
      let progress = ProgressReport(mode: mode, name: file?.lastComponent.text ?? "")
      let collection = GeoJSONWriter.bytes(
        of: shown.enumerated().lazy.map { place, annotation in
          progress.update(rows: place, of: shown.count)
          return annotation.drawnFeature(keeping: fields)
        }, bbox: shown.extent)
      progress.finish()
      if collection.count > ExportCommand.largePage {
        Console.remark(
          "note: this is \(grouped(collection.count / 1_000_000)) MB of GeoJSON, which takes a browser long to open; "
            + "with a --data name that ends in .pmtiles the page loads only the tiles it shows"
        )
      }
      if let data { try Files.write(collection, to: data) }
      try Files.write(page.bytes(showing: collection), to: file)
    }

    /// From as many bytes on tiles are better.
    private static let largePage = 100_000_000
  }

  /// What is exported.
  private enum ExportFormat: String, WrittenFormat { case html }

  /// What a page knows of opening hours.
  struct PageHoursOptions: ParsableArguments {
    @Option(
      help: .usual(
        "How many days of opening hours the page contains, 0…366; 0 leaves them out.",
        valueName: "n"))
    var days = 60

    @Option(
      help: .rare("The start of these days: now, 2026-11-22, 2026-11-22T14:00.", valueName: "time"))
    var at: String?

    /// What reads the hours, and for how many days; nil where the page does not show them.
    func knowledge(
      _ clocks: PlaceClocks, at origin: Coordinate?, in source: ImportedAnnotations
    ) throws(ReportedError) -> (hours: AnnotationHours, days: Int)? {
      try requireNumber(days, in: 0...366, option: "--days", code: "bad-days", "write 60")
      var instant = Console.now
      if let at {
        instant = try parseInstant(
          at, option: "--at", setting: clocks.setting(at: origin, orAmong: source), now: instant
        )
      }
      return days == 0 ? nil : (AnnotationHours(clocks, at: instant), days)
    }
  }

  /// What a page looks like and what it draws with.
  struct PageOptions: ParsableArguments {
    @Option(help: .usual("The page's title (default: the source's name).", valueName: "text"))
    var title: String?

    @Option(
      help: .rare(
        "The language of the page's own words: ko, ja or en (default: the reader's).",
        valueName: "code"))
    var lang: String?

    @Option(help: .usual("A background map: https://…/{z}/{x}/{y}.png.", valueName: "address"))
    var tiles: String?

    @Option(help: .usual("The attribution of --tiles.", valueName: "text"))
    var attribution: String?

    @Option(
      help: .usual("GeoJSON or PMTiles drawn on the land when zoomed in.", valueName: "file"),
      completion: .file())
    var basemap: String?

    @Option(
      help: .rare(
        "Write the annotations to this file beside the page, which then needs a web server: x.geojson, or for very many x.pmtiles (tiles; x.search, for searching, is written beside it).",
        valueName: "name"))
    var data: String?

    /// The page, before it has annotations.
    func page(titled title: String) throws(ReportedError) -> WebPage {
      var page = WebPage(title: self.title?.asTyped ?? title)
      page.language = try lang.map { (code) throws(ReportedError) in
        guard let language = WebPage.Language(rawValue: code.lowercased()) else {
          throw ReportedError(
            "bad-lang", "--lang \(code) is not one of the page's languages; use ko, ja or en",
            fault: .usage)
        }
        return language
      }
      page.tiles = try tileSource()
      return page
    }

    private func tileSource() throws(ReportedError) -> WebPage.TileSource? {
      guard let tiles = tiles?.asTyped else {
        try refuse(["--attribution": self.attribution != nil], without: "--tiles")
        return nil
      }
      guard tiles.hasPrefix("https://") || tiles.hasPrefix("http://"),
        ["{z}", "{x}", "{y}"].allSatisfy({ tiles.contains($0) })
      else {
        throw ReportedError(
          "bad-tiles", "--tiles \(tiles) is not a map; write https://…/{z}/{x}/{y}.png",
          fault: .usage
        )
      }
      guard let attribution else {
        throw ReportedError(
          "missing-attribution",
          "a map must be credited; say --attribution '© OpenStreetMap contributors' or whose it is",
          fault: .usage)
      }
      return WebPage.TileSource(address: tiles, attribution: attribution.asTyped)
    }

    /// What --basemap names; only the part near a box of an archive of tiles.
    func basemap(near box: BoundingBox?) throws(ReportedError) -> PageBasemap? {
      guard let file = basemap.map(FileName.init(argument:)) else { return nil }
      guard file.ending?.lowercased() == "pmtiles" else {
        return PageBasemap(try GeoJSONFile.features(of: file))
      }
      let archive = try OpenedArchive(file)
      return try ReportedError.wrapping(.badData, at: file.text) { () throws(PMTilesError) in
        try PageBasemap(try PMTilesArchive(archive), near: box)
      }
    }

    /// Where the annotations go, if not into the page: beside it, where the page looks for them.
    func dataFile(beside page: FileName?) throws(ReportedError) -> FileName? {
      guard let data = data.map(FileName.init(argument:)) else { return nil }
      guard let page, !page.isStandardInput, !data.isStandardInput, data.folder.bytes.isEmpty else {
        throw ReportedError(
          "data-beside",
          """
          --data \(data.text) is written beside the page; say the page's -o file, and for --data a \
          name without a folder
          """, fault: .usage)
      }
      let file = FileName(bytes: page.folder.bytes + data.bytes)
      try OutputFiles.claim(file, option: "--data")
      return file
    }

    /// Where what a page searches goes, if its data are tiles: beside these, under their name but for its ending, so
    /// that the three files that make a page are together wherever they are copied to.
    static func searchFile(ofTiles data: FileName) throws(ReportedError) -> FileName? {
      guard let ending = data.ending, ending.lowercased() == "pmtiles" else { return nil }
      let file = FileName(bytes: data.bytes.dropLast(ending.utf8.count) + Array("search".utf8))
      try OutputFiles.claim(file, option: "the search beside --data")
      return file
    }

    /// The name of the one layer that is read, or those of the sources, without their folders and endings.
    static func title(of input: InputOptions) -> String {
      if input.files.count < 2, let layer = input.reading.source.layer { return layer.asTyped }
      let names = input.files.filter { !$0.isStandardInput }.map(\.title)
      return names.isEmpty ? "Nearby" : names.joined(separator: ", ")
    }
  }
#endif
