import AnnotationImport
import Geodesy
import MapAnnotations
import MapProjections
import NearbySampleData
import NearbySearch
import PROJTransforms
import SpatialIndexing
import SystemCalls
import TextMaps

/// The formats that sources come in: those of the importer, and the program's own.
package enum SourceFormat: Equatable {
  case imported(InputFormat)
  case index
  case geoPackage
}

/// Where annotations come from: the program's own, files, standard input, all in one sequence.
package enum Source {
  /// The annotations of some sources, in order; without any, the sample's.
  package static func annotations(
    of files: [FileName], _ reading: SourceReading
  ) throws(ReportedError) -> ImportedAnnotations {
    try read(files, reading).annotations
  }

  /// The annotations of some sources, to be asked.
  ///
  /// One index file, read with no other options than it was built with, is asked where it is; all
  /// else is read and indexed now.
  ///
  /// - Parameters:
  ///   - kind: A list of geohashes is made anew, whatever an index file holds.
  ///   - isAskedOnce: Whether what pays only later is left out.
  ///   - question: The only one that is asked; a server then sends no more than it takes to answer it, unless the time
  ///     or day that is asked about depends on where the annotations are.
  package static func index(
    of files: [FileName], _ reading: SourceReading,
    by kind: PositionIndexKind = .tree, isAskedOnce: Bool, for question: Question? = nil
  ) throws(ReportedError) -> OpenedIndex {
    if let file = files.first, files.count == 1, kind == .tree, reading.rejects == nil,
      !reading.differsBeyondLayer
    {
      if let question, question.isSettled, file.isServerAddress {
        return try PostgresSource.index(of: file, reading, for: question)
      }
      if let document = try indexFile(of: files, reading) { return try document.openedIndex() }
      if try Source.isDatabase(file, reading.format),
        let index = try StoreSource.index(of: file, reading)
      {
        return index
      }
    }
    let annotations = try annotations(of: files, reading)
    return OpenedIndex(
      index: isAskedOnce && kind == .tree
        ? AnnotationIndex(forOneQuestion: annotations)
        : AnnotationIndex(forManyQuestions: annotations, by: kind))
  }

  /// One index file that is read with no other options than it was built with; nil for other sources.
  static func indexFile(
    of files: [FileName], _ reading: SourceReading
  ) throws(ReportedError) -> IndexDocument? {
    guard files.count == 1, !reading.differs, reading.rejects == nil, reading.isIndex(files[0])
    else { return nil }
    let document = try IndexDocument.open(files[0])
    if !reading.allowsStale { try document.sources.checkSources(beside: files[0]) }
    return document
  }

  /// Whether a file is a store or a GeoPackage: by the format that was asked for, or else its first bytes.
  package static func isDatabase(
    _ file: FileName, _ format: SourceFormat?
  ) throws(ReportedError) -> Bool {
    #if Store
      return format == .geoPackage
        || format == nil && Files.isRegular(file)
          && Files.begins(file, with: OutputFiles.databaseMark)
    #else
      if format == .geoPackage { throw StoreSource.withoutStore }
      return false
    #endif
  }

  /// Whether a source may have several layers.
  package static func hasLayers(
    _ file: FileName, _ format: SourceFormat?
  ) throws(ReportedError) -> Bool {
    if file.isServerAddress { return true }
    return try Source.isDatabase(file, format)
  }

  /// The names of the layers of a store or a database, in order; nil for another file.
  package static func layers(
    of file: FileName, _ format: SourceFormat?
  ) throws(ReportedError) -> [String]? {
    if file.isServerAddress { return try PostgresSource.layers(of: file) }
    return try Source.isDatabase(file, format) ? try StoreSource.layers(of: file) : nil
  }

  /// Reads sources, says on standard error what was wrong with them, and keeps the reports.
  package static func read(
    _ files: [FileName], _ reading: SourceReading, isSilent: Bool = false
  ) throws(ReportedError) -> ImportResult {
    if files.isEmpty {
      guard reading.differs else { return try sample() }
      // Options are for it as for any other source.
      return try check(sampleFiles, reading, isSilent: isSilent)
    }
    guard files.filter(\.isStandardInput).count < 2 else {
      throw ReportedError(
        "one-standard-input", "standard input (-) can be read once; name it once", fault: .usage)
    }
    var results: [ImportResult] = []
    for file in files { ReadFiles.note(file) }
    try reading.rejects?.check()
    for file in files { results.append(try read(file, reading, isSilent: isSilent)) }
    try reading.rejects?.write()
    return ImportResult(joining: results)
  }

  private static func read(
    _ file: FileName, _ reading: SourceReading, isSilent: Bool
  ) throws(ReportedError) -> ImportResult {
    if file.isServerAddress {
      try reading.refuseCRS(of: PostgresSource.shown(file))
      let (features, layer) = try PostgresSource.features(of: file, layer: reading.layer)
      return try read(
        .stored([.features(features)], areOwn: true), of: layer, reading, isSilent: isSilent)
    }
    if try Source.isDatabase(file, reading.format) {
      return try read(StoreSource.rows(of: file, reading), of: file, reading, isSilent: isSilent)
    }
    if let layer = reading.layer {
      // Whether a file that cannot be read has layers is not known.
      if !file.isStandardInput { _ = try Files.openForReading(file) }
      throw ReportedError(
        "no-layers",
        "\(file.text) has no layers; leave out `layer` \"\(TerminalText.truncated(layer, to: 60))\"",
        fault: .usage)
    }
    if reading.isIndex(file) {
      return try read(IndexDocument.open(file), of: file, reading, isSilent: isSilent)
    }
    let bytes = try Files.bytes(of: file)
    if reading.format == nil, IndexFileFormat.isMark(bytes) {
      return try read(
        IndexDocument(bytes, named: file.text), of: file, reading, isSilent: isSilent)
    }
    return try read(.bytes(bytes), of: file, reading, isSilent: isSilent)
  }

  /// Reads an index file; what was said of its sources when it was built is not said again.
  private static func read(
    _ document: IndexDocument, of file: FileName, _ reading: SourceReading, isSilent: Bool
  ) throws(ReportedError) -> ImportResult {
    guard reading.places == nil else {
      throw ReportedError(
        "places-of-index",
        "\(file.text) is an index, whose records have their places; give its source, or leave out `places`",
        fault: .usage)
    }
    if document.sources.store != nil {
      throw ReportedError(
        "index-of-store", "\(file.text) belongs to the store beside it; name the store",
        fault: .usage)
    }
    if !reading.allowsStale { try document.sources.checkSources(beside: file) }
    // What was wrong with the sources only they can tell.
    guard reading.differs || reading.rejects != nil || reading.options.comparesRecords else {
      return try document.read()
    }
    var rejected: [RejectedRecord] = []
    let result = try document.sources.read(
      beside: file, reading.options, reading.surroundings,
      onReject: reading.rejects == nil ? nil : { rejected.append($0) })
    reading.rejects?.append(rejected)
    if !isSilent, reading.differs { reading.tell(result.report, of: file) }
    return result
  }

  /// What is read of a source.
  enum Content {
    case bytes([UInt8])
    /// - Parameter areOwn: Whether this program wrote the rows, and judged them then.
    case stored([StoredRows], areOwn: Bool)
  }

  /// Reads content, and says what was wrong with it.
  static func read(
    _ content: Content, of file: FileName, _ reading: SourceReading, isSilent: Bool
  ) throws(ReportedError) -> ImportResult {
    let importer = AnnotationImporter(options: reading.options)
    let progress = reading.surroundings.progress(file.text)
    // Comparing begins when all is read, and its bar with it.
    lazy var comparing = reading.surroundings.progress("compared")
    var rejected: [RejectedRecord] = []
    let onReject: ((RejectedRecord) -> Void)? =
      reading.rejects == nil ? nil : { rejected.append($0) }
    let onProgress = { progress.update($0, of: $1) }
    let onCompare = {
      progress.finish()
      comparing.update(rows: $0, of: $1)
    }
    do throws(ImportError) {
      var result: ImportResult
      switch content {
      case .bytes(let bytes):
        var format: InputFormat?
        if case .imported(let given)? = reading.format { format = given }
        result = try importer.read(
          bytes, named: file.isStandardInput ? "-" : file.text, format: format,
          onReject: onReject, onProgress: onProgress, onCompare: onCompare)
      case .stored(let layers, let areOwn):
        result = try importer.read(
          layers, named: file.text, areOwn: areOwn, onReject: onReject, onProgress: onProgress,
          onCompare: onCompare)
      }
      progress.finish()
      comparing.finish()
      reading.rejects?.append(rejected)
      rejected = []
      if let places = reading.places {
        result = try places.join(result, isStrict: reading.options.isStrict)
      }
      if !isSilent { reading.tell(result.report, of: file) }
      return result
    } catch {
      progress.finish()
      reading.rejects?.append(rejected)
      try reading.rejects?.write()
      error.remarks.forEach(reading.surroundings.remark)
      throw ReportedError(error)
    }
  }

  /// Reads sources whose bytes are at hand, and says what was wrong with them.
  package static func check(
    _ parts: [(name: String, bytes: [UInt8])], _ reading: SourceReading, isSilent: Bool = false
  ) throws(ReportedError) -> ImportResult {
    var results: [ImportResult] = []
    try reading.rejects?.check()
    for part in parts {
      results.append(
        try read(.bytes(part.bytes), of: FileName(part.name), reading, isSilent: isSilent))
    }
    try reading.rejects?.write()
    return ImportResult(joining: results)
  }

  /// The files of the program's own annotations.
  package static var sampleFiles: [(name: String, bytes: [UInt8])] {
    SampleData.files.map { ($0.name, Array($0.bytes)) }
  }

  /// The program's own annotations.
  ///
  /// They are checked by its tests, so that an error here is a damaged program.
  private static func sample() throws(ReportedError) -> ImportResult {
    do throws(ImportError) {
      return ImportResult(
        joining: try sampleFiles.map { (file) throws(ImportError) in
          try AnnotationImporter().read(plainCSV: file.bytes, named: file.name)
        })
    } catch {
      throw ReportedError(error)
    }
  }
}

/// An index to be asked, and whether what was read for the answer was whole.
package struct OpenedIndex {
  package let index: AnnotationIndex<ImportedAnnotations>
  /// Properties that the source has, although perhaps nothing here does.
  package var fields: [String] = []
  /// Kinds that the source has, although perhaps nothing here is of them.
  package var kinds: [AnnotationKind] = []
  /// Whether it has no more of the source than one question takes.
  package var isPart = false
  /// The servers that did not answer, and how far from the origin all is that they have.
  package var missing: (servers: [String], clearance: Distance)?
  /// For how many seconds changes may be missing, where a replica was asked.
  package var replicaLag: Double?
  /// Removes a damaged file that was kept beside a store, for which nobody asked, and reads the store itself; nil for
  /// other files.
  var readAgain: (() throws(ReportedError) -> OpenedIndex)?
  /// nil where the annotations were all read before.
  var rows: IndexedRows?
  /// The index file, for errors; empty where there is none.
  var name = ""

  /// Answers a question, and makes sure that all that was read for it was whole.
  ///
  /// - Parameter ask: Asks the index that it is given, twice where the first was damaged: this is the other one then.
  /// - Throws: The damage, rather than what the question says of damaged records.
  package mutating func answer<Answer>(
    _ ask: (OpenedIndex) throws(ReportedError) -> Answer
  ) throws(ReportedError) -> Answer {
    let asked = self
    let answer = Result { () throws(ReportedError) -> Answer in try ask(asked) }
    do throws(ReportedError) {
      try check()
    } catch {
      guard let readAgain else { throw error }
      self = try readAgain()
      return try ask(self)
    }
    return try answer.get()
  }

  /// Some of the annotations, or all, read into memory in the order of their sources.
  ///
  /// - Precondition: It is an index file.
  func inOrderOfSources(
    _ annotations: ImportedAnnotations
  ) throws(ReportedError) -> ImportedAnnotations {
    let read = annotations.inOrderOfSources()
    try check()
    guard let read else { throw IndexedSources.damaged(name, "a row is not a record") }
    return read
  }

  /// Throws what was wrong with the pages that were read so far.
  package func check() throws(ReportedError) {
    guard let rows, let failure = rows.failure else { return }
    throw IndexDocument.commandError(failure, named: name)
  }
}

extension AnnotationIndex where Annotations == ImportedAnnotations {
  /// An index that is asked once, so that what only pays later is left out.
  package init(forOneQuestion annotations: ImportedAnnotations) {
    var shortcuts: IndexingShortcuts = [.unindexedKinds, .unsortedPositions]
    if annotations.idsAscend { shortcuts.insert(.idsAscend) }
    self.init(annotations, shortcuts: shortcuts)
  }

  /// An index that is asked again and again.
  package init(
    forManyQuestions annotations: ImportedAnnotations, by kind: PositionIndexKind = .tree
  ) {
    self.init(annotations, by: kind, shortcuts: annotations.idsAscend ? .idsAscend : [])
  }
}

/// What the program provides while sources are read: where remarks and progress go, and how it words its options.
package struct SourceSurroundings {
  /// Takes what a person should know.
  package var remark: (String) -> Void = { _ in }
  /// Shows how far the work of some name is.
  package var progress: (_ name: String) -> ProgressReport = {
    ProgressReport(
      mode: .never, name: $0, isOnTerminal: false, clock: { 0 }, write: { _ in })
  }
  /// How an index file had its sources read, by the words and the area that it keeps; nil where these are not
  /// understood.
  package var options:
    ([String], _ regionArea: [UInt8]?) throws(ReportedError) -> (
      options: ImportOptions, format: InputFormat?
    )? = { _, _ in nil }
  /// Words a message: what libraries call a setting, a person may know as an option.
  package var worded: @Sendable (String) -> String = { $0 }

  package init() {}
}

/// How the places of records are read, for those who look whether they have changed.
package struct PlacesReading {
  package let file: FileName
  /// The stamp of the file before it was read first.
  package let stamp: FileStamp?
  /// Reads them, and says what is wrong with them.
  package let read: (SourceSurroundings) throws(ReportedError) -> PlaceJoin

  package init(
    _ file: FileName, read: @escaping (SourceSurroundings) throws(ReportedError) -> PlaceJoin
  ) {
    self.file = file
    stamp = Files.stamp(of: file)
    self.read = read
  }
}

/// How a source is to be read, and what is to be said about it.
package struct SourceReading {
  /// They know every CRS.
  package var options = ImportOptions()
  /// nil to tell by name and content.
  package var format: SourceFormat?
  /// The one layer of a store or a GeoPackage that is wanted; nil for all.
  package var layer: String?
  /// Where what is rejected is kept; nil where nobody asked for it.
  package var rejects: RejectFile?
  package var allowsStale = false
  /// Whether the options ask for anything but what a source gives by itself.
  package var differs = false
  /// Whether they do so beyond the one layer.
  package var differsBeyondLayer = false
  package var surroundings = SourceSurroundings()
  /// Where the places of records are found; nil where records have their own.
  package var places: PlaceJoin?
  /// How they are read again; nil where records have their own.
  package var placesReading: PlacesReading?

  package init() {
    options.transformNamed = { (name) throws(CRSError) in try CRSCatalog.toWGS84(name) }
  }

  /// Whether a file is an index by what was asked for, or else by its name.
  func isIndex(_ file: FileName) -> Bool {
    format == .index || format == nil && file.text.hasSuffix(".nbx")
  }

  /// Refuses a CRS for a source whose positions are on WGS 84, whatever anybody says.
  func refuseCRS(of source: String) throws(ReportedError) {
    guard case .transformed(let crs, _) = options.crs else { return }
    throw ReportedError(
      "crs-of-store",
      "\(source) is a store, whose positions are degrees on WGS 84 and not in \(crs); leave out `crs`",
      fault: .usage)
  }

  /// Who does not ask for positions is not told that some are missing.
  var tellsUnplaced: Bool { options.requiresPositions || places != nil }
}

extension SourceReading {
  /// Says what there is to say of a source that was read.
  func tell(_ report: ImportReport, of file: FileName) {
    lines(report, name: file.isStandardInput ? "standard input" : file.text)
      .forEach(surroundings.remark)
  }

  /// Says how many records of a source have no position, where some have none.
  func tellUnplaced(_ count: Int, of records: Int, in name: String) {
    if count > 0 { surroundings.remark(SourceReading.unplaced(count, of: records, in: name)) }
  }

  private static func unplaced(
    _ count: Int, of records: Int, _ noun: String = "record", in name: String,
    _ example: String? = nil
  ) -> String {
    "\(name): \(grouped(count)) of \(grouped(records, noun)) \(count == 1 ? "has" : "have") no position "
      + (example.map { "(row-no-coordinate); first: \($0)" } ?? "(unplaced)")
  }

  private func lines(_ report: ImportReport, name: String) -> [String] {
    var lines = report.remarks
    if report.rejectedCount > 0 {
      lines.append(
        "\(name): \(report.rejectionSummary)" + (rejects == nil ? "; `onReject` keeps them" : ""))
      // The first row of each reason, so that a person knows where to look.
      for reason in report.rankedReasons.prefix(3) {
        if let example = report.examples[reason.code] {
          lines.append("  \(reason.code): \(example)")
        }
      }
    }
    if report.unplaced > 0, tellsUnplaced {
      lines.append(
        SourceReading.unplaced(
          report.unplaced, of: report.records, places == nil ? "record" : "annotation", in: name,
          report.examples["row-no-coordinate"]))
    }
    for warning in report.rankedWarnings {
      let example = report.examples[warning.code] ?? name
      let count =
        warning.count == 1 ? "" : "\(name): \(grouped(warning.count)) records; first: "
      lines.append("warning: \(warning.code): \(count)\(example)")
    }
    return lines
  }
}
