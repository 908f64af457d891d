#if CommandLine && Server
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import Geofencing
  import MapAnnotations
  import NearbyHTTP

  /// `nearby serve SOURCE…`: annotations over HTTP.
  struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Serve annotations over HTTP: OGC API Features, nearest search, tiles, changes.",
      discussion: """
        Each source is a collection, and so is each layer of a store. QGIS, ogr2ogr and OWSLib \
        read http://127.0.0.1:8080/, a browser shows a map of each collection there, and MapLibre \
        reads /tiles/NAME/tilejson.json.

          nearby serve shops.csv cinemas.geojson
          curl 'http://127.0.0.1:8080/collections/shops/nearest?lat=37.5&lon=127'
        """)

    @OptionGroup var input: InputOptions

    @Option(
      help: .usual(
        "The address to listen on; 0.0.0.0 for all addresses of the machine.", valueName: "address")
    )
    var host = "127.0.0.1"

    @Option(help: .usual("The port to listen on; 0 for any free one.", valueName: "n"))
    var port = 8080

    @Flag(help: "Follow changes in the sources while serving.")
    var watch = false

    @Option(
      help: .usual(
        "Let clients that know the token in this file write to layers of stores.", valueName: "file"
      ), completion: .file())
    var tokenFile: String?

    @Option(
      help: .usual(
        "Report on /fences/ID/events what enters and leaves these areas as clients write.",
        valueName: "file"), completion: .file())
    var fences: String?

    @Option(
      help: .rare(
        "Where clients reach the server if it is behind another: https://example.org/maps.",
        valueName: "address"))
    var servedAt: String?

    @Option(
      help: .rare(
        "How many requests per second a client may make after the first 100; any number without it.",
        valueName: "n"))
    var rate: Double?

    @Flag(help: .rare("Log each request on standard error."))
    var logRequests = false

    @OptionGroup(title: "Fences", visibility: .rare) var fenceOptions: FenceOptions
    @OptionGroup(visibility: .rare) var fenceReading: SourceOptions<FenceSide>
    @OptionGroup(title: "Opening hours") var zone: ZoneOptions

    func run() throws {
      try checkOptions()
      let began = Console.now
      let clocks = try zone.clocks()
      let token = try tokenFile.map(ServeCommand.token)
      let sources = try ServedSource.sources(
        of: try files(), try input.sourceReading(), keepsChanges: token != nil, began: began,
        now: { Console.now })
      if token != nil, !sources.contains(where: { $0.collection.isWritable }) {
        throw ReportedError(
          "read-only",
          "--token-file lets clients write to layers of stores, and no layer of a store is served; nearby import makes one",
          fault: .usage)
      }
      var limits = ServerLimits()
      limits.rate = rate ?? 0
      let service = NearbyService(
        sources.map(\.collection), fences: try servedFences(began: began), clocks: clocks,
        token: token,
        address: try servedAt.map { text throws(ReportedError) in
          try parseServerAddress(text, option: "--served-at")
        }, limits: limits, allowsNullIsland: input.reading.allowNullIsland, isWatched: watch,
        now: { Console.now })
      try serve(service, sources)
      ServeCommand.remarkOnPlaces(of: sources)
    }

    private func checkOptions() throws(ReportedError) {
      try requireNumber(port, in: 0...65_535, option: "--port", code: "bad-port", "write 8080")
      if let rate, !(rate >= 0 && rate.isFinite) {
        throw ReportedError("bad-rate", "--rate \(rate) is below 0; write 10", fault: .usage)
      }
      if fences == nil { try fenceOptions.refuseWithoutFences() }
      guard tokenFile == nil || input.places == nil else {
        throw ReportedError(
          "places-of-written",
          "--token-file lets clients write to layers whose records have their own places; leave out --places",
          fault: .usage)
      }
    }

    /// What is served; nothing for the sample.
    private func files() throws(ReportedError) -> [FileName] {
      let files = try input.sourceFiles()
      guard !files.contains(where: \.isStandardInput) else {
        throw ReportedError(
          "serve-standard-input", "standard input (-) cannot be served; name a file",
          fault: .usage)
      }
      return files
    }

    private func servedFences(began: Instant) throws(ReportedError) -> ServedFences? {
      guard let fences else { return nil }
      let watched = try fenceOptions.fences(
        of: FileName(argument: fences), fenceReading,
        unpacking: try UnpackingLimit(option: input.reading.maxUnpacked),
        allowsNullIsland: input.reading.allowNullIsland)
      return ServedFences(watched, try fenceOptions.rules(), began: began)
    }

    /// Serves until a signal ends it.
    private func serve(_ service: NearbyService, _ sources: [ServedSource]) throws {
      let (host, watches) = (host, watch)
      let server = HummingbirdServer(service, host: host, port: port, logsRequests: logRequests)
      do {
        try AwaitedWork.result {
          try await server.run { port in
            let name = host.contains(":") ? "[\(host)]" : host
            Console.remark("serving http://\(name):\(port)/ (end with Ctrl-C)")
          } eachSecond: { log in
            for source in sources {
              if watches { source.refresh(service, log) }
              source.tellRemarks(log)
            }
          }
        }
      } catch let error as ReportedError {
        throw error
      } catch {
        throw ReportedError(
          "cannot-listen",
          "cannot listen on \(host.isEmpty ? "\"\"" : host):\(port): \(error); "
            + "choose another with --port or --host",
          fault: .unavailable)
      }
    }

    /// Says of each store, once, if its file is no longer the one of its name.
    private static func remarkOnPlaces(of sources: [ServedSource]) {
      var told: Set<String> = []
      for source in sources {
        do throws(ReportedError) {
          try source.checkPlace()
        } catch {
          if told.insert(error.description).inserted { Console.remark(error.description) }
        }
      }
    }

    /// What clients that write have to know: the first line of a file, so that no list of processes shows it.
    private static func token(_ name: String) throws(ReportedError) -> String {
      let file = FileName(argument: name)
      let text = String(decoding: try Files.bytes(of: file), as: UTF8.self)
      let token = trimmed(text.prefix { $0 != "\n" && $0 != "\r\n" })
      guard token.utf8.count >= 16, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        throw ReportedError(
          "bad-token",
          "\(file.text) needs a token of at least 16 letters, digits and signs in its first line; openssl rand -hex 32 makes one",
          fault: .badData)
      }
      return token
    }
  }
#elseif CommandLine
  import AnnotationSources
  import ArgumentParser

  /// The program without a server: says how to get one.
  struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Serve annotations over HTTP: OGC API Features, nearest search, tiles, changes.",
      discussion: """
        This nearby was built without its server, which takes minutes to build. \
        swift run -c release --traits Server nearby serve builds it.
        """)

    @Argument(parsing: .captureForPassthrough) var rest: [String] = []

    func run() throws {
      if rest.contains("--help") || rest.contains("-h") { throw CleanExit.helpRequest(self) }
      throw ReportedError(
        "no-server",
        "this nearby was built without its server; swift run -c release --traits Server nearby serve builds it",
        fault: .usage)
    }
  }
#endif
