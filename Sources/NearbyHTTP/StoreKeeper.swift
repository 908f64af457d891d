#if Store
  import AnnotationImport
  import AnnotationSources
  import Geodesy
  import MapAnnotations
  import SQLiteStore

  /// Stores what clients write in a layer of a store.
  public final class StoreKeeper: AnnotationKeeping {
    private let layer: String
    private let now: @Sendable () -> Instant
    private let store: SharedValue<Box>

    /// Unchecked: a store is one connection for one task at a time, which the lock ensures.
    private final class Box: @unchecked Sendable {
      let store: AnnotationStore
      var stamp: ChangeStamp?

      init(_ store: AnnotationStore) { self.store = store }
    }

    /// Opens a store for writing to a layer.
    ///
    /// - Throws: `StoreError`.
    public init(_ file: String, layer: String, now: @escaping @Sendable () -> Instant) throws {
      self.layer = layer
      self.now = now
      let box = Box(try AnnotationStore(file, .readWrite, patience: 5_000))
      box.stamp = try box.store.changeStamp()
      store = SharedValue(box)
    }

    /// Writes to the store's layer, in one transaction.
    public func apply(
      putting annotations: [ImportedAnnotation], removing ids: [AnnotationID]
    ) throws(KeepingError) {
      let outcome: Result<Void, KeepingError> = store.withLock { box in
        do {
          try box.store.put(annotations, removing: ids, in: layer, at: now())
          box.stamp = try box.store.changeStamp()
          return .success(())
        } catch let error as StoreError {
          return .failure(KeepingError(error))
        } catch {
          return .failure(KeepingError("store", "\(error)", isPassing: false))
        }
      }
      try outcome.get()
    }

    /// Whether someone else has changed the store since the last call, or since the last change made here.
    public func isChangedByOthers() -> Bool {
      store.withLock { box in
        guard let stamp = try? box.store.changeStamp(), stamp != box.stamp else { return false }
        box.stamp = stamp
        return true
      }
    }
  }

  extension KeepingError {
    fileprivate init(_ error: StoreError) {
      let isPassing =
        switch error.reason {
        case .busy, .cannotWrite: true
        default: false
        }
      self.init(error.code, "\(error)", isPassing: isPassing)
    }
  }
#endif
