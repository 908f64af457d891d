#if CommandLine && Server
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import Geofencing
  import MapAnnotations
  import NearbyHTTP
  import NearbySampleData

  #if Store
    import SQLiteStore
  #endif

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
          curl 'http://127.0.0.1:8080/collections/shops/nearest?lat=37.57&lon=126.97&k=3'
        """)

    @OptionGroup var input: InputOptions

    @Option(
      help: ArgumentHelp(
        "The address to listen on; 0.0.0.0 for all addresses of the machine.", valueName: "address")
    )
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port to listen on; 0 for any free one.", valueName: "n"))
    var port = 8080

    @Flag(help: "Follow changes in the sources while serving.")
    var watch = false

    @Option(
      help: ArgumentHelp(
        "Let clients that know the token in this file write to layers of stores.",
        valueName: "file"), completion: .file())
    var tokenFile: String?

    @Option(
      help: ArgumentHelp(
        "Report on /fences/ID/events what enters and leaves these areas as clients write.",
        valueName: "file"), completion: .file())
    var fences: String?

    @Option(
      help: ArgumentHelp(
        "Where clients reach the server if it is behind another: https://example.org/maps.",
        valueName: "address", visibility: .rare))
    var servedAt: String?

    @Option(
      help: ArgumentHelp(
        "How many requests per second a client may make; 0 means no limit.",
        valueName: "n", visibility: .rare))
    var rate: Double = 0

    @Flag(help: ArgumentHelp("Log each request on standard error.", visibility: .rare))
    var logRequests = false

    @OptionGroup(title: "Fences", visibility: .rare) var fenceOptions: FenceOptions
    @OptionGroup(visibility: .rare) var fenceReading: SourceOptions<FenceSide>
    @OptionGroup(title: "Opening hours") var zone: ZoneOptions

    func run() throws {
      guard (0...65_535).contains(port) else {
        throw ReportedError(
          "bad-port", "--port \(port) is outside 0…65535; write 8080", fault: .usage)
      }
      guard rate >= 0, rate.isFinite else {
        throw ReportedError("bad-rate", "--rate \(rate) is below 0; write 10", fault: .usage)
      }
      let clocks = try zone.clocks()
      let token = try tokenFile.map(ServeCommand.token)
      let began = Console.now
      var sources = try ServedSource.sources(of: input, keepsChanges: token != nil, began)
      if token != nil, !sources.contains(where: { $0.collection.isWritable }) {
        throw ReportedError(
          "read-only",
          "--token-file lets clients write to layers of stores, and no layer of a store is served; nearby import makes one",
          fault: .usage)
      }
      var limits = ServerLimits()
      limits.rate = rate
      let watched = try fences.map { name throws(ReportedError) in
        try fenceOptions.fences(
          of: FileName(argument: name), fenceReading,
          unpacking: try input.reading.reading().options.unpackingLimit)
      }
      let service = NearbyService(
        sources.map(\.collection),
        fences: try watched.map { ServedFences($0, try fenceOptions.rules(), began: began) },
        clocks: clocks, token: token, address: try address(), limits: limits,
        allowsNullIsland: input.reading.allowNullIsland, isWatched: watch, now: { Console.now })
      #if Store
        let keepers = sources.compactMap(\.keeper)
      #endif
      if !watch { sources = [] }
      let watching = sources
      let (host, port, logs) = (host, port, logRequests)
      let server = HummingbirdServer(service, host: host, port: port, logsRequests: logs)
      do {
        try AwaitedWork.result {
          try await server.run { port in
            let name = host.contains(":") ? "[\(host)]" : host
            Console.remark("serving http://\(name):\(port)/ (end with Ctrl-C)")
          } eachSecond: { log in
            for source in watching { source.refresh(service, log) }
          }
        }
        #if Store
          // The log of a store that was replaced is not left for the one that is there now.
          var told: Set<String> = []
          for keeper in keepers {
            do throws(KeepingError) {
              try keeper.checkPlace()
            } catch {
              if told.insert(error.description).inserted { Console.remark(error.description) }
            }
          }
        #endif
      } catch let error as ReportedError {
        throw error
      } catch {
        throw ReportedError(
          "cannot-listen",
          "cannot listen on \(host):\(port): \(error); choose another with --port or --host",
          fault: .unavailable)
      }
    }

    private func address() throws(ReportedError) -> String? {
      guard var address = servedAt.map(ArgumentPreparation.restored) else { return nil }
      guard address.hasPrefix("https://") || address.hasPrefix("http://") else {
        throw ReportedError(
          "bad-address", "--served-at \(address) is not the address of a server; write https://…",
          fault: .usage)
      }
      while address.last == "/" { address.removeLast() }
      return address
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

  /// A collection and where it comes from.
  struct ServedSource: Sendable {
    let collection: ServedCollection
    let file: FileName?
    let load: @Sendable () throws(ReportedError) -> ImportedAnnotations
    #if Store
      let keeper: StoreKeeper?
    #endif
    /// Reads the mark of a layer on a server; nil for other sources.
    private let mark: (@Sendable () throws(ReportedError) -> String)?
    /// Whether it is a file whose end shows whether it is whole.
    private let isText: Bool
    private let watch: Watch

    /// What changes with a source.
    private enum Stamp: Equatable {
      case file(FileStamp, FileIdentity?, changed: Int)
      case mark(String)

      /// nil for no file.
      init?(_ file: FileName) {
        guard let stamp = Files.stamp(of: file), let changed = Files.changed(of: file) else {
          return nil
        }
        self = .file(stamp, FileIdentity(file: file), changed: changed)
      }
    }

    /// What is known of a source that may change.
    private final class Watch: Sendable {
      struct State {
        /// The source as it was read last, or could not be read; nil if it is to be read again.
        var read: Stamp?
        /// The source as it was at the last look.
        var seen: Stamp?
        /// Whether what is served ends within a line.
        var endsWithinLine = false
        /// Why what is served may be out of date; nil if it is not.
        var failure: String?
      }

      let state: SharedValue<State>

      init(_ stamp: Stamp?, endsWithinLine: Bool) {
        state = SharedValue(State(read: stamp, seen: stamp, endsWithinLine: endsWithinLine))
      }
    }

    /// How a source is read; unchecked, because one task at a time reads a source.
    private struct Reading: @unchecked Sendable {
      let value: SourceReading
    }

    /// The collections of the sources: of each file, of each layer of a store, of each file of the sample.
    static func sources(
      of input: InputOptions, keepsChanges: Bool, _ began: Instant
    ) throws(ReportedError) -> [ServedSource] {
      let reading = try input.sourceReading()
      var files = input.files
      if files.isEmpty, !input.sample, let store = try Source.storeFile() { files = [store] }
      if files.contains(where: \.isStandardInput) {
        throw ReportedError(
          "serve-standard-input", "standard input (-) cannot be served; name a file",
          fault: .usage)
      }
      var names: Set<String> = []
      func name(_ title: String) -> String {
        let stem = String(title.prefix { $0 != "." })
        let base = stem.isEmpty ? "annotations" : stem
        var name = base
        var number = 2
        while !names.insert(name).inserted {
          name = "\(base)-\(number)"
          number += 1
        }
        return name
      }
      if files.isEmpty {
        let plain = Reading(value: reading)
        var sources: [ServedSource] = []
        for file in SampleData.files {
          let bytes = Array(file.bytes)
          sources.append(
            try ServedSource(
              name(file.name), file.name, nil, layer: nil, keepsChanges: false, began
            ) {
              () throws(ReportedError) in
              try Source.check([(file.name, bytes)], plain.value, isSilent: true).annotations
            })
        }
        return sources
      }
      var sources: [ServedSource] = []
      for file in files {
        let isServer = PostgresSource.answers(for: file)
        let isDatabase = try StoreSource.answers(for: file, reading.format)
        let layers: [String?] =
          if let layer = reading.layer {
            [layer]
          } else if let own = try Source.layers(of: file, reading.format) {
            own
          } else {
            [nil]
          }
        for layer in layers {
          let title = layer ?? file.lastComponent.text
          var ownReading = reading
          ownReading.layer = layer
          let readingOfLayer = Reading(value: ownReading)
          sources.append(
            try ServedSource(
              name(title), layer ?? file.title, file, layer: isDatabase ? layer : nil,
              keepsChanges: keepsChanges, beside: sources.last { $0.file == file }, began,
              mark: isServer ? try PostgresSource.mark(of: file, layer: layer) : nil
            ) { () throws(ReportedError) in
              try Source.read([file], readingOfLayer.value).annotations
            })
        }
      }
      return sources
    }

    private init(
      _ name: String, _ title: String, _ file: FileName?, layer: String?, keepsChanges: Bool,
      beside other: ServedSource? = nil, _ began: Instant,
      mark: (@Sendable () throws(ReportedError) -> String)? = nil,
      _ load: @escaping @Sendable () throws(ReportedError) -> ImportedAnnotations
    ) throws(ReportedError) {
      self.file = file
      self.load = load
      self.mark = mark
      isText = file != nil && layer == nil && mark == nil
      let stamp: Stamp? =
        if let mark { .mark(try mark()) } else { file.flatMap { Stamp($0) } }
      watch = Watch(
        stamp, endsWithinLine: isText && file.map { Files.endsWithinLine($0) } ?? false)
      #if Store
        do {
          keeper =
            if let layer, let file, try AnnotationStore.isStore(file.storeName()), keepsChanges {
              try StoreKeeper(
                file.storeName(), layer: layer, beside: other?.keeper, load: load,
                now: { Console.now })
            } else {
              nil
            }
        } catch {
          throw ReportedError(storeError: error)
        }
        collection = ServedCollection(
          name: name, title: title, try load(), keeper: keeper, began: began)
      #else
        collection = ServedCollection(name: name, title: title, try load(), began: began)
      #endif
    }

    /// Takes in what has changed; what cannot be read is logged, and what was read before goes on being served.
    ///
    /// A file is read once it is as it was at the last look: until then someone may be writing it.
    func refresh(_ service: NearbyService, _ log: (String, [String: String]) -> Void) {
      guard let file else { return }
      let now: Stamp?
      do throws(ReportedError) {
        now = if let mark { .mark(try mark()) } else { Stamp(file) }
      } catch {
        // Once the server is back, the layer is read again, which ends the failure.
        watch.state.withLock { $0.read = nil }
        return fail("\(error)", service, log)
      }
      let isRegular = mark != nil || Files.isRegular(file)
      let (isSettled, isRead) = watch.state.withLock { state in
        defer { state.seen = now }
        return (mark != nil || state.seen == now, state.read == now)
      }
      #if Store
        if let keeper {
          return take(service, log) { try keeper.news(reopening: isSettled && isRegular) }
        }
      #endif
      // A pipe that stands in its place would be waited for.
      guard let stamp = now, isRegular else {
        watch.state.withLock { $0.read = nil }
        return fail(
          "\(file.text) is \(now == nil ? "gone" : "not a file any more")", service, log)
      }
      guard isSettled, !isRead else { return }
      watch.state.withLock { $0.read = stamp }
      take(service, log) {
        let endsWithinLine = isText && Files.endsWithinLine(file)
        guard !endsWithinLine || watch.state.withLock({ $0.endsWithinLine }) else {
          throw ReportedError(
            "source-cut-off",
            "\(file.text) ends within a line, as it did not before; end it with a line end if it is whole",
            fault: .badData)
        }
        let annotations = try load()
        guard mark != nil || Stamp(file) == stamp else {
          throw ReportedError(
            "source-changing",
            "\(file.text) changed while it was read; wait until it is read again", fault: .badData)
        }
        watch.state.withLock { $0.endsWithinLine = endsWithinLine }
        return annotations
      }
    }

    /// Takes in what a source has.
    ///
    /// - Parameter read: Reads the source; nil if it is as it was.
    private func take(
      _ service: NearbyService, _ log: (String, [String: String]) -> Void,
      _ read: () throws -> ImportedAnnotations?
    ) {
      do {
        let (changed, removed) = try collection.replace(with: read)
        watch.state.withLock { $0.failure = nil }
        service.note(failure: nil, of: collection.name)
        guard changed + removed > 0 else { return }
        log(
          "source read again",
          ["collection": collection.name, "changed": "\(changed)", "removed": "\(removed)"])
      } catch {
        if mark != nil { watch.state.withLock { $0.read = nil } }
        fail("\(error)", service, log)
      }
    }

    /// Says why what is served may be out of date, to the log once.
    private func fail(
      _ failure: String, _ service: NearbyService, _ log: (String, [String: String]) -> Void
    ) {
      service.note(failure: failure, of: collection.name)
      let isNew = watch.state.withLock { state in
        defer { state.failure = failure }
        return state.failure != failure
      }
      if isNew { log("source not read", ["collection": collection.name, "error": failure]) }
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
