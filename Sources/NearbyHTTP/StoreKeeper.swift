#if Store
  import AnnotationImport
  import AnnotationSources
  import Geodesy
  import MapAnnotations
  import SQLiteStore

  /// Stores what clients write in a layer of a store.
  package final class StoreKeeper: AnnotationKeeping {
    private let file: String
    private let layer: String
    private let load: @Sendable () throws(ReportedError) -> ImportedAnnotations
    private let now: @Sendable () -> Instant
    private let connection: Connection

    /// A store that is open for writing, for all layers of it that are served.
    private final class Connection: Sendable {
      let box: SharedValue<Box>

      init(_ box: Box) { self.box = SharedValue(box) }
    }

    /// Unchecked: a store is one connection for one task at a time, which the lock ensures.
    private final class Box: @unchecked Sendable {
      /// The store, or why it is not open any more.
      var store: Result<AnnotationStore, StoreError>
      /// The states of the store in which its layers are known.
      var stamps: [String: ChangeStamp] = [:]

      init(_ store: AnnotationStore) { self.store = .success(store) }

      /// The store, if its file is still the one of its name; otherwise lets go of it.
      func storeInPlace() throws -> AnnotationStore {
        let store = try self.store.get()
        do throws(StoreError) {
          try store.checkPlace()
        } catch {
          if try store.abandon() {
            self.store = .failure(error)
            stamps = [:]
          }
          throw error
        }
        return store
      }
    }

    /// Opens a store for writing to a layer; what is read of the layer afterwards is known.
    ///
    /// - Parameters:
    ///   - other: A keeper of another layer of the same store; nil for the first.
    ///   - load: Reads the layer.
    package init(
      _ file: String, layer: String, beside other: StoreKeeper? = nil,
      load: @escaping @Sendable () throws(ReportedError) -> ImportedAnnotations,
      now: @escaping @Sendable () -> Instant
    ) throws(ReportedError) {
      self.file = file
      self.layer = layer
      self.load = load
      self.now = now
      connection = try ReportedError.ofStore {
        try other?.connection ?? Connection(Box(try StoreKeeper.open(file)))
      }
      try withBox { box in box.stamps[layer] = try box.storeInPlace().changeStamp() }
    }

    private static func open(_ file: String) throws -> AnnotationStore {
      try AnnotationStore(file, .readWrite, patience: 5_000)
    }

    /// Writes to the store's layer, in one transaction.
    package func apply(
      by deadline: ContinuousClock.Instant,
      _ change: (_ news: ImportedAnnotations?) -> (
        putting: [ImportedAnnotation], removing: [AnnotationID]
      )
    ) throws(ReportedError) {
      do throws(ReportedError) {
        try withBox { box in
          let store = try box.storeInPlace()
          let patience = max(0, Int((deadline - .now) / .milliseconds(1)))
          let (before, after) = try store.writing(patience: patience) {
            () throws -> (before: ChangeStamp?, after: ChangeStamp?) in
            let (annotations, ids) = change(try news(of: store, box))
            let before = box.stamps[layer]
            guard !annotations.isEmpty || !ids.isEmpty else { return (before, before) }
            try store.put(annotations, removing: ids, in: layer, at: now())
            // Still in the transaction: what others write afterwards has another stamp.
            return (before, try store.changeStamp())
          }
          // The other layers are as they were.
          box.stamps = box.stamps.compactMapValues { $0 == before ? after : $0 }
        }
      } catch {
        // The message goes to clients.
        throw ReportedError(
          error.code, FileName(file).folderHidden(in: error.description), fault: error.fault)
      }
    }

    /// The layer's annotations if someone else has changed the store since they were last read; otherwise nil.
    ///
    /// - Parameter reopening: Whether another store that is in the place of the one that was opened is opened.
    package func news(reopening: Bool = true) throws(ReportedError) -> ImportedAnnotations? {
      try withBox { box in
        do {
          _ = try box.storeInPlace()
        } catch {
          guard reopening, case .failure = box.store else { throw error }
          let store = try StoreKeeper.open(file)
          try store.checkPlace()
          box.store = .success(store)
        }
        return try news(of: box.store.get(), box)
      }
    }

    /// Lets go of the store if its file is no longer the one of its name, so that its log is not left for the one that
    /// is there now.
    ///
    /// - Throws: Why it is not.
    package func checkPlace() throws(ReportedError) {
      try withBox { box in _ = try box.storeInPlace() }
    }

    private func news(of store: AnnotationStore, _ box: Box) throws -> ImportedAnnotations? {
      let stamp = try store.changeStamp()
      // A store without a stamp does not tell whether it has changed.
      guard stamp == nil || stamp != box.stamps[layer] else { return nil }
      let annotations = try load()
      // That of before: what was written while they were read is read again.
      box.stamps[layer] = stamp
      return annotations
    }

    private func withBox<Value: Sendable>(
      _ body: (Box) throws -> Value
    ) throws(ReportedError) -> Value {
      try ReportedError.ofStore { try connection.box.withLock { box in try body(box) } }
    }
  }
#endif
