#if CommandLine && Store
  import AnnotationImport
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import SQLiteStore
  import SourceFetching
  import SpatialIndexing

  /// `nearby sync SOURCE|URL --store FILE --layer NAME`: a layer as its source has it now.
  struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sync",
      abstract: "Update a layer of a store from its source, completely or not at all.",
      usage: "nearby sync <source> --layer <name> [<options>]",
      discussion: """
        The source is a file or an http(s) address. --layer, which is required, names the layer to \
        update, or to make. The source's version is the number in the field that \
        --version-field names, or else its ETag, its date, or a digest of its content. Versions \
        that are not newer are skipped. The layer can be read during the update, and if anything \
        fails, it stays unchanged.

          nearby sync https://example.org/deals.json --layer deals --store places.gpkg
        """)

    @Argument(
      help: .usual("A file, or an http(s) address.", valueName: "source"), completion: .file())
    var source: String

    @OptionGroup(title: "Input") var reading: ReadingOptions
    @OptionGroup(title: "Store") var store: StoreOptions
    @OptionGroup(title: "Layer") var kept: LayerOptions
    @OptionGroup(title: "Web") var web: FetchingOptions

    @Flag(help: "Remove edits and what the source no longer has (the default for a new layer).")
    var replace = false

    @Flag(help: "Merge records by id, and remove none.")
    var upsert = false

    @Option(
      help: .usual(
        "The member of a JSON feed that holds its version, a growing number.", valueName: "field"))
    var versionField: String?

    @Option(help: .usual("How often to try a server that fails (default: 4).", valueName: "n"))
    var attempts: Int?

    @Flag(help: "Accept a source without records (but not an empty file) or without positions.")
    var allowEmpty = false

    func run() throws {
      guard let layer = reading.source.layer?.asTyped else {
        throw ReportedError(
          "missing-layer", "say which layer the source is for: --layer NAME", fault: .usage)
      }
      guard !FileName(argument: source).isStandardInput else {
        throw ReportedError(
          "sync-standard-input",
          "standard input (-) has no version to compare; name a file, or use nearby import -",
          fault: .usage)
      }
      let address = try parsed { () throws(FetchError) in try SourceAddress(source) }
      // Its rejected rows may not take its place.
      if case .file(let path) = address { ReadFiles.note(FileName(argument: path)) }
      let policy = try mergePolicy()
      let sync = LayerSync(
        layer: layer, address: address, in: try store.place(), options: words, policy: policy,
        now: { Console.now }, remark: Console.remark)
      var options = try web.options()
      try requireCount(attempts, option: "--attempts")
      if let attempts { options.attempts = attempts }
      options.unpackingLimit = try reading.maxUnpacked.map { (text) throws(ReportedError) in
        try parseByteCount(text, option: "--max-unpacked")
      }
      let fetcher = SourceFetcher(options: options, surroundings: FetchingOptions.surroundings())
      guard let content = try sync.fetch(with: fetcher) else { return }
      var reading = try reading.reading()
      reading.layer = nil
      reading.adopt(content, from: address, takesCharset: self.reading.source.encoding == nil)
      let annotations = try sync.keepingLayer { () throws(ReportedError) in
        try read(content, reading)
      }
      var update = LayerUpdate(
        layer: layer, refreshed: Console.now)
      update.source = "\(address)"
      update.licence = kept.licence?.asTyped
      update.members = annotations.collectionMembers
      update.denied = kept.denied
      let progress = reading.surroundings.progress(layer)
      defer { progress.finish() }
      try sync.apply(
        annotations, content, update, versionField: versionField?.asTyped, allowEmpty: allowEmpty,
        progress)
    }

    /// The options that decide which annotations the layer holds.
    private var words: [String] {
      var reading = reading
      reading.source.layer = nil
      return reading.words + (reading.source.strict ? ["--strict"] : [])
        + kept.denied.sorted().map { "--deny=\($0)" }
        + (kept.licence.map { ["--licence=\($0.asTyped)"] } ?? [])
    }

    private func parsed<Value>(
      _ body: () throws(FetchError) -> Value
    ) throws(ReportedError) -> Value {
      do throws(FetchError) { return try body() } catch { throw ReportedError(error) }
    }

    private func read(
      _ content: FetchedContent, _ reading: SourceReading
    ) throws(ReportedError) -> ImportedAnnotations {
      let bytes = try parsed { () throws(FetchError) in try content.file.bytes() }
      func refuse(_ what: String) -> ReportedError {
        ReportedError(
          "format-unknown",
          "\(content.address) is \(what), which sync does not read; nearby import it",
          fault: .badData)
      }
      if bytes.starts(with: OutputFiles.databaseMark) { throw refuse("a store or a GeoPackage") }
      if IndexFileFormat.isMark(bytes) { throw refuse("an index") }
      return try Source.check([(content.address, bytes)], reading).annotations
    }

    private func mergePolicy() throws(ReportedError) -> MergePolicy? {
      guard !(replace && upsert) else {
        throw ReportedError(
          "bad-policy", "--replace and --upsert are both given; give only one", fault: .usage)
      }
      let rules = try kept.rules(merges: upsert, by: "--upsert")
      return upsert ? .upsert(rules: rules) : replace ? .replace : nil
    }
  }
#endif
