#if Store
  import AnnotationImport
  import IndexFiles
  import MapAnnotations
  import NearbySearch
  import SQLiteStore
  import SystemCalls

  extension StoreSource {
    /// The index of a store or of one layer, from the file beside it if that is of the store's state;
    /// nil where the source has to be read: of a GeoPackage that is no store, which tells nobody when it
    /// changes, and where nothing can be kept.
    ///
    /// Where the file cannot be kept the answer is the same, and standard error says why.
    package static func index(
      of file: FileName, _ reading: SourceReading
    ) throws(ReportedError) -> OpenedIndex? {
      ReadFiles.note(file)
      let isStore = try ReportedError.ofStore { try AnnotationStore.isStore(file.storeName()) }
      return isStore ? try KeptIndex(beside: file, reading).opened() : nil
    }
  }

  /// The index file that is kept beside a store.
  private struct KeptIndex {
    private let store: FileName
    private var reading: SourceReading
    private let file: FileName
    /// The state of the store; nil where some changes to it would not be noticed.
    private var state: IndexedSources.StoreState?
    private var isOfEarlierSchema = false
    /// Whether the layer that is asked for is the only one.
    private var isOnlyLayer = false
    /// The properties of what is asked for, which the file has only one by one.
    private var fields: [String] = []

    init(beside store: FileName, _ reading: SourceReading) throws(ReportedError) {
      self.store = store
      self.reading = reading
      file = FileName(bytes: store.bytes + ".nbx".utf8)
      try ReportedError.ofStore { try look(into: AnnotationStore(store.storeName(), .readOnly)) }
    }

    /// Comes before the rows are read: what is written meanwhile makes the index out of date, and not wrong.
    private mutating func look(into store: AnnotationStore) throws {
      try store.reading {
        if let layer = try reading.layer.map(store.named) {
          reading.layer = layer
          // The store says that there is none of that name.
          if try !store.holds(layer) { _ = try store.layer(layer) }
          isOnlyLayer = try store.layerNames().count == 1
        }
        // A layer that cannot be read says so where it is read.
        fields = try store.layerNames(only: reading.layer)
          .flatMap { (try? store.propertyNames(of: $0)) ?? [] }.withoutRepeats
        isOfEarlierSchema = try store.isOfEarlierSchema()
        let name = try store.name()
        state = try store.changeStamp().map {
          IndexedSources.StoreState(name: name, changeStamp: "\($0)")
        }
      }
    }

    /// The index in the file, which is built first if need be; nil where the source has to be read.
    func opened() throws(ReportedError) -> OpenedIndex? {
      guard let state else {
        sayNotKept(
          "some changes to \(store.text) would not be noticed; "
            + (isOfEarlierSchema
              ? "an earlier version made it, and anything that writes to it upgrades it, as nearby store compact"
              : "import its layers again, and drop those that another program has removed"))
        return nil
      }
      do throws(ReportedError) {
        if let document = try usable(), document.sources.store == state {
          do throws(ReportedError) {
            if let index = try index(in: document) { return index }
            // A layer that is left out there is read each time.
            if document.sources.layers != nil { return nil }
          } catch {
            // A damaged one is made anew, as one that does not open.
          }
        }
        try ReportedError.wrapping(.cannotWrite) { () throws(IndexFileFailure) in
          try IndexFile.checkCanBeMade(pathBytes: file.bytes)
        }
      } catch {
        sayNotKept(error.description)
        return nil
      }
      let read: ReadStore
      do throws(ReportedError) { read = try readStore() } catch {
        // One layer can be read even if another cannot.
        guard reading.layer != nil else { throw error }
        sayNotKept(error.description)
        return nil
      }
      do throws(ReportedError) {
        if let index = try written(read, state) { return index }
      } catch {
        // Where nothing can be written the answer is the same, and takes as long the next time.
        sayNotKept(error.description)
      }
      // One layer is then read as a file is.
      guard reading.layer == nil else { return nil }
      if !read.isPlain { reading.tell(read.result.report, of: store) }
      return OpenedIndex(index: AnnotationIndex(forManyQuestions: read.result.annotations))
    }

    private func sayNotKept(_ why: String) {
      reading.surroundings.remark("\(file.text) is not kept: \(why)")
    }

    /// All of a store, read to be indexed.
    private struct ReadStore {
      let layers: [(name: String, count: Int)]
      let result: ImportResult
      /// Whether there are rows, and all of them are annotations.
      var isPlain: Bool { result.report.records > 0 && result.report.rejectedCount == 0 }
    }

    private func readStore() throws(ReportedError) -> ReadStore {
      var whole = reading
      whole.layer = nil
      let layers = try ReportedError.ofStore {
        try StoreSource.layers(of: AnnotationStore(store.storeName(), .readOnly), store, whole)
      }
      return ReadStore(
        layers: layers.map { ($0.name, $0.rows.count) },
        result: try Source.read(
          .stored(layers.map(\.rows), areOwn: true), of: store, whole, isSilent: true))
    }

    /// Writes the file and opens it; nil where it does not have what is asked for.
    private func written(
      _ read: ReadStore, _ state: IndexedSources.StoreState
    ) throws(ReportedError) -> OpenedIndex? {
      var sources = IndexedSources(store: state, records: read.result.annotations.count)
      // What readers object to is said each time that a layer is read.
      if !read.isPlain { sources.layers = [] }
      try IndexDocument.write(
        read.result.annotations, sources, to: file, keptBeside: store,
        layers: read.isPlain ? read.layers : [])
      guard read.isPlain else { return nil }
      let document = try IndexDocument(file, followsLinks: false)
      // Another process may have put one of another state there.
      return document.sources.store == state ? try index(in: document) : nil
    }

    /// What is in the file; nil where there is nothing that can be used.
    ///
    /// - Throws: Where something else has its name, which is not to be replaced.
    private func usable() throws(ReportedError) -> IndexDocument? {
      try ReportedError.wrapping(.cannotWrite) { () throws(IndexFileFailure) in
        try IndexFile.checkMayBeKept(pathBytes: file.bytes)
      }
      guard let document = try? IndexDocument(file, followsLinks: false) else { return nil }
      guard document.sources.store != nil else {
        throw ReportedError(
          "file-in-use",
          "\(file.text) is an index of other sources and stays as it is; move it away",
          fault: .cannotWrite)
      }
      // One that more people may read than the store is made anew.
      return Files.mayBeRead(file, byOthersThan: store) ? nil : document
    }

    /// The index of what is asked for, nil where the file has none; standard error says how many positions of a layer
    /// are missing, as it does where the layer is read.
    private func index(in document: IndexDocument) throws(ReportedError) -> OpenedIndex? {
      let found: OpenedIndex?
      if let layer = reading.layer, document.sources.layers != nil || !isOnlyLayer {
        found = try document.openedIndex(ofLayer: layer, source: store.text)
      } else {
        found = try document.openedIndex(source: store.text)
      }
      guard var opened = found else { return nil }
      opened.fields = fields
      opened.readAgain = readAgain
      if reading.layer != nil, reading.tellsUnplaced {
        reading.tellUnplaced(
          opened.index.unplacedCount, of: opened.index.annotations.count, in: store.text)
      }
      return opened
    }

    /// Removes the file, which was damaged, and reads the store itself.
    private func readAgain() throws(ReportedError) -> OpenedIndex {
      reading.surroundings.remark(
        file.path.remove()
          ? "\(file.text) was damaged and has been removed; the next search builds it again"
          : "\(file.text) is damaged and cannot be removed: \(systemMessage()); delete it")
      // What there is to say of the store was said.
      return OpenedIndex(
        index: AnnotationIndex(
          forManyQuestions: try Source.read([store], reading, isSilent: true).annotations))
    }
  }
#endif
