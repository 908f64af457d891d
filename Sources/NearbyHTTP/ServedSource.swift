import AnnotationImport
import AnnotationSources
import Geodesy
import MapAnnotations
import SystemCalls

#if Store
  import SQLiteStore
#endif

/// A collection and where it comes from.
package final class ServedSource: Sendable {
  package let collection: ServedCollection
  /// The files that it is read from, first its own; none for the sample, and none of its own for a server.
  private let files: [FileName]
  private let origin: Origin
  #if Store
    private let keeper: StoreKeeper?
  #endif
  /// The files whose ends show whether they are whole.
  private let textFiles: [FileName]
  /// Words an error as the command line does.
  private let worded: @Sendable (String) -> String
  private let watch: SharedValue<Watch>

  /// What a source is, and how it is read.
  private struct Origin: Sendable {
    let name: String
    let title: String
    /// nil for the sample.
    var file: FileName?
    /// The layer of a store; nil for other sources.
    var layer: String?
    /// Whether clients may write to it.
    var keepsChanges = false
    /// Reads the mark of a layer on a server; nil for other sources.
    var mark: (@Sendable () throws(ReportedError) -> String)?
    let remarks: Remarks
    let load: @Sendable () throws(ReportedError) -> ImportedAnnotations

    /// Reads a layer that clients write to, and keeps for the log how many annotations of it are not served.
    func loadWritten() throws(ReportedError) -> ImportedAnnotations {
      let annotations = try load()
      let hidden = annotations.count - Set(annotations.map(\.id)).count
      if hidden > 0 {
        remarks.begin()
        _ = remarks.keep(
          "warning: duplicate-id: \(grouped(hidden, "annotation")) not served: a later one has the same id, by which "
            + "clients write; give each its own")
      }
      return annotations
    }
  }

  /// What changes with a source.
  private struct Stamp: Equatable {
    let files: [FileState]
    let mark: String?

    /// nil if a file is gone.
    init?(
      _ files: [FileName], _ mark: (@Sendable () throws(ReportedError) -> String)?
    ) throws(ReportedError) {
      self.files = files.compactMap { FileState($0) }
      self.mark = try mark?()
      guard self.files.count == files.count else { return nil }
    }

    /// What must stay the same for a moment before it is read: a log is added to in transactions, which readers see whole
    /// or not at all.
    var ownStates: [FileState.Own] { files.map(\.own) }

    /// Whether a later stamp is that of files which were not written while they were read.
    func isStill(_ other: Stamp?) -> Bool {
      guard let other else { return false }
      return zip(files, other.files).allSatisfy { before, after in
        // The last to close a database moves its log into it, and that may have been this reader.
        before.own == after.own
          || (before.log ?? after.log) != nil && before.own.identity == after.own.identity
      }
    }
  }

  /// What changes with a file.
  private struct FileState: Equatable {
    struct Own: Equatable {
      let stamp: FileStamp
      let identity: FileIdentity?
      let changed: Int
    }

    let own: Own
    /// The log beside a database.
    let log: FileStamp?

    /// nil for no file.
    init?(_ file: FileName) {
      guard let stamp = Files.stamp(of: file), let changed = Files.changed(of: file) else {
        return nil
      }
      own = Own(stamp: stamp, identity: file.regularFileIdentity, changed: changed)
      log = Files.logStamp(of: file)
    }
  }

  /// What is known of a source that may change.
  private struct Watch {
    /// The source as it was read last, or could not be read; nil if it is to be read again.
    var read: Stamp?
    /// The source as it was at the last look.
    var seen: Stamp?
    /// The files of which what is served ends within a line.
    var endsWithinLine: [FileName]
    /// Why what is served may be out of date; nil if it is not.
    var failure: String?
  }

  /// What there is to say of a source each time it is read: kept for the log once it is served.
  private final class Remarks: Sendable {
    private let kept = SharedValue<[String]?>(nil)
    /// The layers of the file that have been served or told; nil where another source tells of them.
    private let layers: SharedValue<[String]?>

    init(layers: [String]? = nil) { self.layers = SharedValue(layers) }

    /// Whether the source is served.
    var areKept: Bool { kept.withLock { $0 != nil } }

    /// Says which layers are new in the file: only those of the start are served.
    func tell(_ now: [String]?) {
      let new = layers.withLock { before in
        guard let now, let known = before else { return [String]() }
        let new = now.filter { !known.contains($0) }
        before = known + new
        return new
      }
      for layer in new {
        _ = keep(
          "warning: new-layer: layer \"\(layer)\" is new and not served; start the server again to serve it"
        )
      }
    }

    func begin() { kept.withLock { $0 = $0 ?? [] } }

    /// Keeps a remark; false as long as the source is not served.
    func keep(_ remark: String) -> Bool {
      kept.withLock { kept in
        kept?.append(remark)
        return kept != nil
      }
    }

    /// What has been kept since the last call.
    func take() -> [String] {
      kept.withLock { kept in
        defer { if kept != nil { kept = [] } }
        return kept ?? []
      }
    }
  }

  /// How a source is read; unchecked, because one task at a time reads a source.
  private struct Reading: @unchecked Sendable {
    let value: SourceReading
  }

  /// The collections of the sources: of each file, of each layer of a store, of each file of the sample.
  ///
  /// - Parameters:
  ///   - files: What is served; none for the sample.
  ///   - keepsChanges: Whether clients may write to layers of stores.
  ///   - began: When the server began.
  ///   - now: The clock of writes.
  package static func sources(
    of files: [FileName], _ reading: SourceReading, keepsChanges: Bool, began: Instant,
    now: @escaping @Sendable () -> Instant
  ) throws(ReportedError) -> [ServedSource] {
    var names: Set<String> = []
    func name(_ title: String) -> String {
      // A segment of dots alone would lead elsewhere.
      (title.allSatisfy { $0 == "." } ? "annotations" : title)
        .firstFree("-") { names.insert($0).inserted }
    }
    /// The name of a file up to its endings.
    func stem(_ file: String) -> String { String(file.prefix { $0 != "." }) }
    var sources: [ServedSource] = []
    func add(_ origin: Origin) throws(ReportedError) {
      let other = sources.last { origin.file != nil && $0.origin.file == origin.file }
      sources.append(try ServedSource(origin, reading, beside: other, began: began, now: now))
    }
    if files.isEmpty {
      let plain = Reading(value: reading)
      for file in Source.sampleFiles {
        try add(
          Origin(name: name(stem(file.name)), title: file.name, remarks: Remarks()) {
            () throws(ReportedError) in
            try Source.check([file], plain.value, isSilent: true).annotations
          })
      }
    }
    for file in files {
      let isServer = file.isServerAddress
      let isDatabase = try Source.isDatabase(file, reading.format)
      var layers = [reading.layer]
      if reading.layer == nil, let own = try Source.layers(of: file, reading.format) {
        layers = own
      }
      for (place, layer) in layers.enumerated() {
        let remarks = Remarks(
          layers: isDatabase && reading.layer == nil && place == 0 ? layers.compactMap(\.self) : nil
        )
        try add(
          Origin(
            name: name(layer ?? stem(file.lastComponent.text)), title: layer ?? file.title,
            file: file, layer: isDatabase ? layer : nil, keepsChanges: keepsChanges,
            mark: isServer ? try PostgresSource.mark(of: file, layer: layer) : nil,
            remarks: remarks,
            load: load(layer, of: file, reading, keeping: remarks, isDatabase: isDatabase)))
      }
    }
    return sources
  }

  /// What reads a file or a layer of it, now and each time that it has changed.
  private static func load(
    _ layer: String?, of file: FileName, _ reading: SourceReading, keeping remarks: Remarks,
    isDatabase: Bool
  ) -> @Sendable () throws(ReportedError) -> ImportedAnnotations {
    let remark = reading.surroundings.remark
    var reading = reading
    reading.layer = layer
    reading.surroundings.remark = { if !remarks.keep($0) { remark($0) } }
    let ownReading = Reading(value: reading)
    return { () throws(ReportedError) in
      var reading = ownReading.value
      if remarks.areKept {
        // It was a store when it was read first.
        if isDatabase, try !Source.isDatabase(file, reading.format) {
          throw ReportedError(
            "no-layers", "\(file.text) is not a store any more; put the store back",
            fault: .badData)
        }
        if isDatabase { remarks.tell(try Source.layers(of: file, reading.format)) }
        if let places = reading.placesReading {
          reading.places = try places.read(reading.surroundings)
        }
      }
      return try Source.read([file], reading).annotations
    }
  }

  private init(
    _ origin: Origin, _ reading: SourceReading, beside other: ServedSource?, began: Instant,
    now: @escaping @Sendable () -> Instant
  ) throws(ReportedError) {
    let file = origin.file
    let places = file == nil ? nil : reading.placesReading
    let ownFiles = origin.mark == nil ? file.map { [$0] } ?? [] : []
    // What came through a pipe cannot be read again.
    let placesFiles = places.map { Files.isRegular($0.file) ? [$0.file] : [] } ?? []
    let files = ownFiles + placesFiles
    let textFiles = (origin.layer == nil ? ownFiles : []) + placesFiles
    let stamp = try Stamp(files, origin.mark)
    // The places were read before.
    let areAsRead =
      placesFiles.isEmpty || places.map { Files.stamp(of: $0.file) == $0.stamp } ?? true
    #if Store
      let keeper = try ReportedError.ofStore { () throws -> StoreKeeper? in
        guard let layer = origin.layer, let file, origin.keepsChanges,
          try AnnotationStore.isStore(file.storeName())
        else { return nil }
        return try StoreKeeper(
          file.storeName(), layer: layer, beside: other?.keeper,
          load: { () throws(ReportedError) in try origin.loadWritten() }, now: now)
      }
    #else
      let keeper: (any AnnotationKeeping)? = nil
    #endif
    let annotations = try keeper == nil ? origin.load() : origin.loadWritten()
    collection = ServedCollection(
      name: origin.name, title: origin.title, annotations, keeper: keeper, began: began)
    #if Store
      self.keeper = keeper
    #endif
    // All that may fail comes before: the compiler (6.3.1) fails on an error once `watch` is there.
    self.origin = origin
    worded = reading.surroundings.worded
    self.files = files
    self.textFiles = textFiles
    watch = SharedValue(
      Watch(
        read: areAsRead ? stamp : nil, seen: stamp,
        endsWithinLine: textFiles.filter(Files.endsWithinLine)))
    origin.remarks.begin()
  }

  /// Takes in what has changed; what cannot be read is logged, and what was read before goes on being served.
  ///
  /// A file is read once it is as it was at the last look: until then someone may be writing it. The log of a database
  /// needs no such rest.
  package func refresh(_ service: NearbyService, _ log: (String, [String: String]) -> Void) {
    guard !files.isEmpty || origin.mark != nil else { return }
    let now: Stamp?
    do throws(ReportedError) {
      now = try Stamp(files, origin.mark)
    } catch {
      // Once the server is back, the layer is read again, which ends the failure.
      watch.withLock { $0.read = nil }
      return fail("\(error)", service, log)
    }
    let missing = files.first { !Files.isRegular($0) }
    let (isSettled, isRead) = watch.withLock { state in
      defer { state.seen = now }
      return (state.seen?.ownStates == now?.ownStates, state.read == now)
    }
    #if Store
      if let keeper {
        return take(service, log) { try keeper.news(reopening: isSettled && missing == nil) }
      }
    #endif
    // A pipe that stands in its place would be waited for.
    guard let stamp = now, missing == nil else {
      watch.withLock { $0.read = nil }
      let file = missing ?? files[0]
      return fail(
        "\(file.text) is \(Files.exists(file) ? "not a file any more" : "gone")", service, log)
    }
    guard isSettled, !isRead else { return }
    watch.withLock { $0.read = stamp }
    take(service, log) {
      let endsWithinLine = textFiles.filter(Files.endsWithinLine)
      let before = watch.withLock { $0.endsWithinLine }
      if let file = endsWithinLine.first(where: { !before.contains($0) }) {
        throw ReportedError(
          "source-cut-off",
          "\(file.text) ends within a line, as it did not before; end it with a line end if it is whole",
          fault: .badData)
      }
      let annotations = try origin.load()
      guard stamp.isStill(try Stamp(files, nil)) else {
        throw ReportedError(
          "source-changing",
          "\(files[0].text) changed while it was read; wait until it is read again",
          fault: .badData)
      }
      watch.withLock { $0.endsWithinLine = endsWithinLine }
      return annotations
    }
  }

  /// Logs what there was to say of the source while it was read again.
  package func tellRemarks(_ log: (String, [String: String]) -> Void) {
    for remark in origin.remarks.take() {
      var details = ["collection": collection.name]
      let parts = worded(remark).split(separator: ": ", maxSplits: 2)
      if parts.count == 3, parts[0] == "warning" {
        details["warning"] = String(parts[1])
        details["remark"] = String(parts[2])
      } else {
        details["remark"] = trimmed(worded(remark))
      }
      log("source remark", details)
    }
  }

  /// Lets go of a store that is written to if its file is no longer the one of its name, so that its log is not left
  /// for the one that is there now.
  ///
  /// - Throws: Why it is not.
  package func checkPlace() throws(ReportedError) {
    #if Store
      try keeper?.checkPlace()
    #endif
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
      watch.withLock { $0.failure = nil }
      service.note(failure: nil, of: collection.name)
      guard changed + removed > 0 else { return }
      log(
        "source read again",
        ["collection": collection.name, "changed": "\(changed)", "removed": "\(removed)"])
    } catch {
      if origin.mark != nil { watch.withLock { $0.read = nil } }
      fail("\(error)", service, log)
    }
  }

  /// Says why what is served may be out of date, to the log once.
  private func fail(
    _ error: String, _ service: NearbyService, _ log: (String, [String: String]) -> Void
  ) {
    let failure = worded(error)
    service.note(
      failure: files.reduce(failure) { $1.folderHidden(in: $0) }, of: collection.name)
    let isNew = watch.withLock { state in
      defer { state.failure = failure }
      return state.failure != failure
    }
    if isNew { log("source not read", ["collection": collection.name, "error": failure]) }
  }
}
