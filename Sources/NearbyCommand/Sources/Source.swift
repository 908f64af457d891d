#if CommandLine
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbySearch
  import SpatialIndexing
  import NearbySampleData

  /// How a source is to be read, and what is to be said about it.
  struct SourceReading {
    var options = ImportOptions()
    /// nil to tell by name and content.
    var format: SourceFormat?
    /// The one layer of a store or a GeoPackage that is wanted; nil for all.
    var layer: String?
    /// Where what is rejected is kept; nil where nobody asked for it.
    var rejects: RejectFile?
    var allowsStale = false
    /// Whether the options ask for anything but what a source gives by itself.
    var differs = false
    /// Whether they do so beyond the one layer.
    var differsBeyondLayer = false
    var progress = ProgressReport.Mode.never
    /// Where the places of records are found; nil where records have their own.
    var places: PlaceJoin?
    /// Who does not ask for positions is not told that some are missing.
    var tellsUnplaced: Bool { options.requiresPositions || places != nil }
  }

  /// The formats that sources come in: those of the importer, and the program's own.
  enum SourceFormat: Equatable {
    case imported(InputFormat)
    case index
    case geoPackage
  }

  /// Where annotations come from: the program's own, files, standard input, all in one sequence.
  enum Source {
    /// The annotations of some sources, in order; without any, those of the store or the program.
    static func annotations(
      of files: [FileName], _ reading: SourceReading, asksForSample: Bool = false
    ) throws(CommandError) -> ImportedAnnotations {
      try read(files, reading, asksForSample: asksForSample).annotations
    }

    /// The annotations of some sources, to be asked.
    ///
    /// One index file, read with no other options than it was built with, is asked where it is; all
    /// else is read and indexed now.
    ///
    /// - Parameters:
    ///   - kind: A list of geohashes is made anew, whatever an index file holds.
    ///   - isAskedOnce: Whether what pays only later is left out.
    ///   - question: The only one that is asked; a server then sends no more than it takes to answer it.
    static func index(
      of files: [FileName], _ reading: SourceReading, asksForSample: Bool = false,
      by kind: PositionIndexKind = .tree, isAskedOnce: Bool, for question: Question? = nil
    ) throws(CommandError) -> OpenedIndex {
      if let question, files.count == 1, PostgresSource.answers(for: files[0]), kind == .tree,
        !asksForSample, !reading.differsBeyondLayer, reading.rejects == nil
      {
        return try PostgresSource.index(of: files[0], reading, for: question)
      }
      if kind == .geohash {
        return OpenedIndex(
          AnnotationIndex(
            forManyQuestions: try annotations(of: files, reading, asksForSample: asksForSample),
            by: kind))
      }
      let store = files.isEmpty && !asksForSample ? try storeFile() : nil
      if let file = files.isEmpty ? store : files.count == 1 && !asksForSample ? files[0] : nil,
        !reading.differs, reading.rejects == nil,
        reading.format == .index || reading.format == nil && file.text.hasSuffix(".nbx")
      {
        let document = try IndexDocument.open(file)
        if !reading.allowsStale { try document.sources.checkSources(beside: file) }
        return try document.openedIndex()
      }
      if let file = files.isEmpty ? store : files.count == 1 && !asksForSample ? files[0] : nil,
        !reading.differsBeyondLayer, reading.rejects == nil,
        try StoreSource.answers(for: file, reading.format),
        let index = try StoreSource.index(of: file, reading)
      {
        return index
      }
      let annotations = try annotations(of: files, reading, asksForSample: asksForSample)
      return OpenedIndex(
        isAskedOnce
          ? AnnotationIndex(forOneQuestion: annotations)
          : AnnotationIndex(forManyQuestions: annotations))
    }

    /// Reads sources, says on standard error what was wrong with them, and keeps the reports.
    static func read(
      _ files: [FileName], _ reading: SourceReading, asksForSample: Bool = false,
      isSilent: Bool = false
    ) throws(CommandError) -> ImportResult {
      if files.isEmpty || asksForSample {
        guard files.isEmpty else {
          throw CommandError(
            "sample-and-source", "--sample and \(files[0].text) are both given; leave one out",
            status: .usage)
        }
        if !asksForSample, let store = try storeFile() {
          return try read([store], reading, isSilent: isSilent)
        }
        guard reading.differs else { return try sample() }
        // Options are for it as for any other source.
        let parts = SampleData.files.map {
          IndexedSources.Part(name: $0.name, origin: nil, bytes: Array($0.bytes))
        }
        return try check(parts, reading, isSilent: isSilent)
      }
      guard files.filter(\.isStandardInput).count < 2 else {
        throw CommandError(
          "one-standard-input", "standard input (-) can be read once; name it once", status: .usage)
      }
      var results: [ImportResult] = []
      for file in files { ReadFiles.note(file) }
      try reading.rejects?.check()
      for file in files { results.append(try read(file, reading, isSilent: isSilent)) }
      try reading.rejects?.write()
      return ImportResult(joining: results)
    }

    /// Reads one source; what was said of an index's sources when it was built is not said again.
    private static func read(
      _ file: FileName, _ reading: SourceReading, isSilent: Bool
    ) throws(CommandError) -> ImportResult {
      if PostgresSource.answers(for: file) {
        var reading = reading
        let features = try PostgresSource.features(of: file, layer: reading.layer)
        reading.format = .imported(.geojsonseq)
        // An empty layer is no mistake, as an empty file would be.
        let text =
          features.text.isEmpty
          ? Array(#"{"type":"FeatureCollection","features":[]}"#.utf8) : features.text
        if features.text.isEmpty { reading.format = .imported(.geojson) }
        let result = try read(text, of: features.source, reading)
        if !isSilent {
          SourceRemarks.say(
            result.report, of: features.source, tellsUnplaced: reading.tellsUnplaced)
        }
        return result
      }
      if try StoreSource.answers(for: file, reading.format) {
        var reading = reading
        let features = try StoreSource.features(
          of: file, layer: reading.layer, reading.progress)
        reading.format = .imported(features.format)
        let result = try read(features.text, of: file, reading)
        if !isSilent {
          SourceRemarks.say(result.report, of: file, tellsUnplaced: reading.tellsUnplaced)
        }
        return result
      }
      if let layer = reading.layer {
        throw CommandError(
          "no-layers", "\(file.text) has no layers; leave out --layer \(layer)", status: .usage)
      }
      let isNamedIndex = reading.format == nil && file.text.hasSuffix(".nbx")
      var bytes: [UInt8] = []
      var document: IndexDocument?
      if isNamedIndex || reading.format == .index {
        document = try IndexDocument.open(file)
      } else {
        bytes = try Files.bytes(of: file)
        if reading.format == nil, IndexDocument.hasMark(bytes) {
          document = try IndexDocument(bytes, named: file.text)
        }
      }
      if let document {
        guard reading.places == nil else {
          throw CommandError(
            "places-of-index",
            "\(file.text) is an index, whose records have their places; give "
              + "its source, or leave out --places", status: .usage)
        }
        if document.sources.store != nil {
          throw CommandError(
            "index-of-store", "\(file.text) belongs to the store beside it; name the store",
            status: .usage)
        }
        let index = try document.wholeSources()
        if !reading.allowsStale { try index.checkSources(beside: file) }
        var rejected: [RejectedRecord] = []
        let result = try index.read(
          named: file.text, reading.options,
          onReject: reading.rejects == nil ? nil : { rejected.append($0) })
        reading.rejects?.append(rejected)
        if !isSilent, reading.differs {
          SourceRemarks.say(result.report, of: file, tellsUnplaced: reading.tellsUnplaced)
        }
        return result
      }
      let result = try read(bytes, of: file, reading)
      if !isSilent {
        SourceRemarks.say(result.report, of: file, tellsUnplaced: reading.tellsUnplaced)
      }
      return result
    }

    private static func read(
      _ bytes: [UInt8], of file: FileName, _ reading: SourceReading
    ) throws(CommandError) -> ImportResult {
      var format: InputFormat?
      if case .imported(let given)? = reading.format { format = given }
      let importer = AnnotationImporter(options: reading.options)
      let progress = ProgressReport(mode: reading.progress, name: file.text)
      // Comparing begins when all is read, and its bar with it.
      lazy var comparing = ProgressReport(mode: reading.progress, name: "compared")
      var rejected: [RejectedRecord] = []
      defer { progress.finish() }
      do throws(ImportError) {
        let result = try importer.read(
          bytes, named: file.isStandardInput ? "-" : file.text, format: format,
          onReject: reading.rejects == nil ? nil : { rejected.append($0) },
          onProgress: { progress.update($0, of: $1) },
          onCompare: {
            progress.finish()
            comparing.update(rows: $0, of: $1)
          })
        comparing.finish()
        reading.rejects?.append(rejected)
        rejected = []
        return try reading.places?.join(result, isStrict: reading.options.isStrict) ?? result
      } catch {
        reading.rejects?.append(rejected)
        try reading.rejects?.write()
        for remark in error.remarks { Console.remark(remark) }
        throw CommandError(error)
      }
    }

    /// Reads sources whose bytes are at hand, and says what was wrong with them.
    static func check(
      _ parts: [IndexedSources.Part], _ reading: SourceReading, isSilent: Bool = false
    ) throws(CommandError) -> ImportResult {
      var results: [ImportResult] = []
      try reading.rejects?.check()
      for part in parts {
        let file = FileName(bytes: Array(part.name.utf8))
        let result = try read(part.bytes, of: file, reading)
        if !isSilent {
          SourceRemarks.say(result.report, of: file, tellsUnplaced: reading.tellsUnplaced)
        }
        results.append(result)
      }
      try reading.rejects?.write()
      return ImportResult(joining: results)
    }

    /// The program's own annotations.
    ///
    /// They are checked by its tests, so that an error here is a damaged program.
    private static func sample() throws(CommandError) -> ImportResult {
      var options = ImportOptions()
      options.delimiter = [UInt8(ascii: ",")]
      let importer = AnnotationImporter(options: options)
      var results: [ImportResult] = []
      for file in SampleData.files {
        do throws(ImportError) {
          results.append(try importer.read(permanentCSV: file.bytes, named: file.name))
        } catch {
          throw CommandError(error, status: .badData)
        }
      }
      return ImportResult(joining: results)
    }

    /// The store that answers when no source is named: `$NEARBY_STORE`, which must be there, or the
    /// one in the data folder of the XDG base directory specification, if it is.
    static func storeFile() throws(CommandError) -> FileName? {
      if let file = Console.file(variable: "NEARBY_STORE") {
        guard Files.exists(file) else {
          throw CommandError(
            "no-such-file",
            "NEARBY_STORE names \(file.text), which is not there; correct or unset it",
            status: .noInput)
        }
        ReadFiles.note(file)
        return file
      }
      return ["/nearby/store.gpkg", "/nearby/store.nbx"].lazy.compactMap(dataFile)
        .first { Files.exists($0) }
    }

    /// A file in the data folder of the XDG base directory specification.
    static func dataFile(_ path: String) -> FileName? {
      Console.file(variable: "XDG_DATA_HOME", path)
        ?? Console.file(variable: "HOME", "/.local/share" + path)
    }
  }

  extension AnnotationIndex where Annotations == ImportedAnnotations {
    /// An index that is asked once, so that what only pays later is left out.
    init(forOneQuestion annotations: ImportedAnnotations) {
      var shortcuts: IndexingShortcuts = [.unindexedKinds, .unsortedPositions]
      if annotations.idsAscend { shortcuts.insert(.idsAscend) }
      self.init(annotations, shortcuts: shortcuts)
    }

    /// An index that is asked again and again.
    init(forManyQuestions annotations: ImportedAnnotations, by kind: PositionIndexKind = .tree) {
      self.init(annotations, by: kind, shortcuts: annotations.idsAscend ? .idsAscend : [])
    }
  }
#endif
