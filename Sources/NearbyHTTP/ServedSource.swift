import AnnotationImport
import AnnotationSources
import Geodesy

#if Store
  import SQLiteStore
#endif

/// A collection and where it comes from.
package final class ServedSource: Sendable {
  package let collection: ServedCollection
  private let file: FileName?
  private let load: @Sendable () throws(ReportedError) -> ImportedAnnotations
  #if Store
    private let keeper: StoreKeeper?
  #endif
  /// Reads the mark of a layer on a server; nil for other sources.
  private let mark: (@Sendable () throws(ReportedError) -> String)?
  /// Whether it is a file whose end shows whether it is whole.
  private let isText: Bool
  private let watch: SharedValue<Watch>

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
  private struct Watch {
    /// The source as it was read last, or could not be read; nil if it is to be read again.
    var read: Stamp?
    /// The source as it was at the last look.
    var seen: Stamp?
    /// Whether what is served ends within a line.
    var endsWithinLine: Bool
    /// Why what is served may be out of date; nil if it is not.
    var failure: String?
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
    var sources: [ServedSource] = []
    if files.isEmpty {
      let plain = Reading(value: reading)
      for file in Source.sampleFiles {
        sources.append(
          try ServedSource(
            name(file.name), file.name, nil, layer: nil, keepsChanges: false, began, now
          ) { () throws(ReportedError) in
            try Source.check([file], plain.value, isSilent: true).annotations
          })
      }
    }
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
            keepsChanges: keepsChanges, beside: sources.last { $0.file == file }, began, now,
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
    _ now: @escaping @Sendable () -> Instant,
    mark: (@Sendable () throws(ReportedError) -> String)? = nil,
    _ load: @escaping @Sendable () throws(ReportedError) -> ImportedAnnotations
  ) throws(ReportedError) {
    self.file = file
    self.load = load
    self.mark = mark
    isText = file != nil && layer == nil && mark == nil
    let stamp: Stamp? =
      if let mark { .mark(try mark()) } else { file.flatMap { Stamp($0) } }
    let endsWithinLine = isText && file.map { Files.endsWithinLine($0) } ?? false
    watch = SharedValue(Watch(read: stamp, seen: stamp, endsWithinLine: endsWithinLine))
    #if Store
      do {
        keeper =
          if let layer, let file, try AnnotationStore.isStore(file.storeName()), keepsChanges {
            try StoreKeeper(
              file.storeName(), layer: layer, beside: other?.keeper, load: load,
              now: now)
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
  package func refresh(_ service: NearbyService, _ log: (String, [String: String]) -> Void) {
    guard let file else { return }
    let now: Stamp?
    do throws(ReportedError) {
      now = if let mark { .mark(try mark()) } else { Stamp(file) }
    } catch {
      // Once the server is back, the layer is read again, which ends the failure.
      watch.withLock { $0.read = nil }
      return fail("\(error)", service, log)
    }
    let isRegular = mark != nil || Files.isRegular(file)
    let (isSettled, isRead) = watch.withLock { state in
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
      watch.withLock { $0.read = nil }
      return fail(
        "\(file.text) is \(now == nil ? "gone" : "not a file any more")", service, log)
    }
    guard isSettled, !isRead else { return }
    watch.withLock { $0.read = stamp }
    take(service, log) {
      let endsWithinLine = isText && Files.endsWithinLine(file)
      guard !endsWithinLine || watch.withLock({ $0.endsWithinLine }) else {
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
      watch.withLock { $0.endsWithinLine = endsWithinLine }
      return annotations
    }
  }

  /// Lets go of a store that is written to if its file is no longer the one of its name, so that its log is not left
  /// for the one that is there now.
  ///
  /// - Throws: `KeepingError` if it is not.
  package func checkPlace() throws(KeepingError) {
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
      if mark != nil { watch.withLock { $0.read = nil } }
      fail("\(error)", service, log)
    }
  }

  /// Says why what is served may be out of date, to the log once.
  private func fail(
    _ failure: String, _ service: NearbyService, _ log: (String, [String: String]) -> Void
  ) {
    service.note(failure: failure, of: collection.name)
    let isNew = watch.withLock { state in
      defer { state.failure = failure }
      return state.failure != failure
    }
    if isNew { log("source not read", ["collection": collection.name, "error": failure]) }
  }
}
