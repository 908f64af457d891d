#if CommandLine && Store
  import AnnotationSources
  import ArgumentParser
  import Geodesy
  import MapAnnotations
  import SQLiteStore

  /// `nearby import SOURCE… --store FILE --layer NAME`: sources into layers of a store.
  struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Read sources into layers of a store, each completely or not at all.",
      discussion: """
        A layer is named after its source's file; --layer names one layer for all sources. What \
        was in the layer is replaced. With --policy upsert rows are merged with it by id, and a missing \
        position or value (blank, null, - or n/a) keeps the old one; a layer that was merged goes on \
        being merged until --policy replace. Without any ids, rows are \
        merged by their numbers; where only some have one, the others are identified by their \
        whole content. If one source cannot be read, none is stored. The store is a GeoPackage, \
        which QGIS opens as it is.

          nearby import shops.csv cinemas.geojson --store places.gpkg
          nearby import marts-2026.csv --layer marts --policy upsert --store places.gpkg
        """)

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Store") var store: StoreOptions
    @OptionGroup(title: "Layer") var kept: LayerOptions

    @Option(
      help: .usual(
        "replace or upsert (default: as the layer was imported before).", valueName: "policy"))
    var policy: String?

    @Option(
      help: .usual(
        "The source's version, a growing number or any text; a version that is not newer is skipped.",
        valueName: "version"))
    var dataVersion: String?

    func run() throws {
      guard !input.files.isEmpty || input.sample else {
        throw ReportedError(
          "missing-source", "say what to import: nearby import shops.csv", fault: .usage)
      }
      // Rejected rows are written before the store is opened, those of all sources in one file.
      if case .file(let file, _) = try store.place() { ReadFiles.note(file) }
      var reading = try input.sourceReading()
      // Here it names the layer that is written.
      reading.layer = nil
      let policy = try mergePolicy()
      let version = try dataVersion.map(ImportCommand.version)
      // All are read before the store is touched: what cannot be read changes nothing.
      var read: [StorePlace.Delivery] = []
      for delivery in try deliveries() {
        reading.layer = delivery.sourceLayer
        var update = LayerUpdate(layer: delivery.layer, refreshed: Console.now)
        update.source = delivery.files.map(\.text).joined(separator: ", ")
        update.licence = kept.licence?.asTyped
        update.denied = kept.denied
        update.version = version
        do throws(ReportedError) {
          let files = try Source.files(delivery.files, asksForSample: input.sample)
          read.append((update, try Source.annotations(of: files, reading)))
        } catch {
          if input.files.count > 1 { Console.remark("nothing is stored") }
          throw error
        }
      }
      try store.place().deliver(
        read, policy: policy, areJoined: reading.places != nil,
        progress: reading.surroundings.progress, remark: Console.remark)
    }

    // MARK: Options

    /// What goes into one layer.
    private struct Delivery {
      let layer: String
      let files: [FileName]
      /// The one layer of a GeoPackage or database; nil for all there is.
      var sourceLayer: String?
    }

    private func deliveries() throws(ReportedError) -> [Delivery] {
      let format = try input.reading.readingUnclaimed().format
      if let layer = input.reading.source.layer {
        for file in input.files { try ImportCommand.refuseSeveralLayers(of: file, format) }
        return [Delivery(layer: layer.asTyped, files: input.files)]
      }
      if input.files.isEmpty { return [Delivery(layer: "sample", files: [])] }
      var deliveries: [Delivery] = []
      for file in input.files {
        guard let layers = try Source.layers(of: file, format) else {
          deliveries.append(Delivery(layer: file.stem, files: [file]))
          continue
        }
        for layer in layers {
          deliveries.append(Delivery(layer: layer, files: [file], sourceLayer: layer))
        }
      }
      try ImportCommand.refuseRepeats(in: deliveries)
      return deliveries
    }

    /// Refuses a source of several layers for one, which would hold the rows of all of them.
    private static func refuseSeveralLayers(
      of file: FileName, _ format: SourceFormat?
    ) throws(ReportedError) {
      guard let layers = try Source.layers(of: file, format), layers.count > 1 else { return }
      // An address may have a password in it.
      let name = file.isServerAddress ? "the database" : file.text
      throw ReportedError(
        "several-layers",
        "\(name) has \(layers.count) layers, and --layer names the one that is written; leave out --layer to import "
          + "all under their names, or read one first: "
          + "nearby convert SOURCE --layer NAME -o NAME.geojson", fault: .usage)
    }

    /// Refuses two sources for one layer, of which the second would replace the first.
    private static func refuseRepeats(in deliveries: [Delivery]) throws(ReportedError) {
      var sources: [ExactText: FileName] = [:]
      for delivery in deliveries {
        guard let file = delivery.files.first,
          // A store has no two layers whose names differ only by case.
          let other = sources.updateValue(
            file, forKey: ExactText(delivery.layer.lowercased()))
        else { continue }
        throw ReportedError(
          "same-layer",
          "\(other.text) and \(file.text) both go into layer \"\(delivery.layer)\", which would hold only the last; "
            + "name one layer for all of them with --layer, or import each with a --layer of its own",
          fault: .usage)
      }
    }

    private func mergePolicy() throws(ReportedError) -> MergePolicy? {
      let word = try policy.map { (text) throws(ReportedError) -> PolicyWord in
        try parseWord(text, option: "--policy")
      }
      let rules = try kept.rules(merges: word == .upsert, by: "--policy upsert")
      return word.map { $0 == .upsert ? .upsert(rules: rules) : .replace }
    }

    private enum PolicyWord: String, CaseIterable { case replace, upsert }

    private static func version(_ text: String) throws(ReportedError) -> SourceVersion {
      let text = text.asTyped
      if let number = Int(text) { return .number(number) }
      // As a text it would not be compared with a lower number.
      guard wholeNumber(text) == nil else {
        throw ReportedError(
          "bad-data-version", "--data-version \(text) is too large; write at most 18 digits",
          fault: .usage)
      }
      return .tag(text)
    }
  }
#endif
