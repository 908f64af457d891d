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
      guard isStore else { return nil }
      var isOnlyLayer = false
      var isEarlier = false
      var fields: [String] = []
      // Before the rows: what is written meanwhile makes the index out of date, and not wrong.
      let state = try ReportedError.ofStore { () throws -> IndexedSources.StoreState? in
        let store = try AnnotationStore(file.storeName(), .readOnly)
        return try store.reading {
          if let layer = reading.layer {
            let names = try store.layerNames()
            if !names.contains(where: { $0.isSameBytes(as: layer) }) {
              // The store says that there is none of that name.
              _ = try store.layer(layer)
            }
            isOnlyLayer = names.count == 1
          }
          // A layer that cannot be read says so where it is read.
          fields = try store.layerNames(only: reading.layer)
            .flatMap { (try? store.propertyNames(of: $0)) ?? [] }.withoutRepeats
          isEarlier = try store.isOfEarlierSchema()
          let name = try store.name()
          return try store.changeStamp().map {
            IndexedSources.StoreState(name: name, changeStamp: "\($0)")
          }
        }
      }
      let beside = FileName(bytes: file.bytes + ".nbx".utf8)
      guard let state else {
        reading.surroundings.remark(
          "\(beside.text) is not kept: some changes to \(file.text) would not be noticed; "
            + (isEarlier
              ? "an earlier version made it, and anything that writes to it upgrades it, as nearby store compact"
              : "import its layers again, and drop those that another program has removed"))
        return nil
      }
      /// What a file answers with; nil where it has no index of the layer.
      func opened(_ document: IndexDocument) throws(ReportedError) -> OpenedIndex? {
        var index: OpenedIndex?
        if let layer = reading.layer, document.sources.layers != nil || !isOnlyLayer {
          index = try document.openedIndex(ofLayer: layer, source: file.text)
        } else {
          index = try document.openedIndex(source: file.text)
        }
        // The file itself has the properties of features only one by one.
        index?.fields = fields
        return index
      }
      do throws(ReportedError) {
        if let document = try kept(beside, file), document.sources.store == state {
          do throws(ReportedError) {
            if let index = try opened(document) { return told(index, beside, of: file, reading) }
            // A layer that is left out there is read each time.
            if document.sources.layers != nil { return nil }
          } catch {
            // A damaged one is made anew, as one that does not open.
          }
        }
        try ReportedError.wrapping(.cannotWrite) { () throws(IndexFileFailure) in
          try IndexFile.checkCanBeMade(pathBytes: beside.bytes)
        }
      } catch {
        reading.surroundings.remark("\(beside.text) is not kept: \(error.description)")
        return nil
      }
      let read: ReadStore
      do throws(ReportedError) {
        read = try readStore(file, reading)
      } catch {
        // One layer can be read even if another cannot.
        guard reading.layer != nil else { throw error }
        reading.surroundings.remark("\(beside.text) is not kept: \(error.description)")
        return nil
      }
      do throws(ReportedError) {
        var sources = IndexedSources(store: state, records: read.result.annotations.count)
        // What readers object to is said each time that a layer is read.
        if !read.isPlain { sources.layers = [] }
        try IndexDocument.write(
          read.result.annotations, sources, to: beside, keptBeside: file,
          layers: read.isPlain ? read.layers : [])
        if read.isPlain {
          let document = try IndexDocument(beside, followsLinks: false)
          // Another process may have put one of another state there.
          if document.sources.store == state, let index = try opened(document) {
            return told(index, beside, of: file, reading)
          }
        }
      } catch {
        // Where nothing can be written the answer is the same, and takes as long the next time.
        reading.surroundings.remark("\(beside.text) is not kept: \(error.description)")
      }
      // One layer is then read as a file is.
      guard reading.layer == nil else { return nil }
      if !read.isPlain { reading.tell(read.result.report, of: file) }
      return OpenedIndex(AnnotationIndex(forManyQuestions: read.result.annotations))
    }

    /// All of a store, read to be indexed.
    private struct ReadStore {
      let layers: [(name: String, count: Int)]
      let result: ImportResult
      /// Whether there are rows, and all of them are annotations.
      var isPlain: Bool { result.report.records > 0 && result.report.rejectedCount == 0 }
    }

    private static func readStore(
      _ file: FileName, _ reading: SourceReading
    ) throws(ReportedError) -> ReadStore {
      var whole = reading
      whole.layer = nil
      let layers = try ReportedError.ofStore {
        try Self.layers(of: AnnotationStore(file.storeName(), .readOnly), file, whole)
      }
      return ReadStore(
        layers: layers.map { ($0.name, $0.rows.count) },
        result: try Source.read(.stored(layers.map(\.rows), areOwn: true), of: file, whole))
    }

    /// An index that is kept beside a store; of one of a layer standard error says how many positions are
    /// missing, as it does where the layer is read.
    private static func told(
      _ index: OpenedIndex, _ beside: FileName, of file: FileName, _ reading: SourceReading
    ) -> OpenedIndex {
      if reading.layer != nil, reading.tellsUnplaced {
        reading.tellUnplaced(
          index.index.unplacedCount, of: index.index.annotations.count, in: file.text)
      }
      var index = index
      index.readAgain = { () throws(ReportedError) in
        reading.surroundings.remark(
          beside.path.remove()
            ? "\(beside.text) was damaged and has been removed; the next search builds it again"
            : "\(beside.text) is damaged and cannot be removed: \(systemMessage()); delete it")
        // What there is to say of the store was said.
        return OpenedIndex(
          AnnotationIndex(
            forManyQuestions: try Source.read([file], reading, isSilent: true).annotations))
      }
      return index
    }

    /// The index that was kept beside a store; nil where there is none that can be used.
    ///
    /// - Throws: Where something else has its name, which is not to be replaced.
    private static func kept(
      _ beside: FileName, _ file: FileName
    ) throws(ReportedError) -> IndexDocument? {
      try ReportedError.wrapping(.cannotWrite) { () throws(IndexFileFailure) in
        try IndexFile.checkMayBeKept(pathBytes: beside.bytes)
      }
      guard let document = try? IndexDocument(beside, followsLinks: false) else { return nil }
      guard document.sources.store != nil else {
        throw ReportedError(
          "file-in-use",
          "\(beside.text) is an index of other sources and stays as it is; move it away",
          fault: .cannotWrite)
      }
      // One that more people may read than the store is made anew.
      return Files.mayBeRead(beside, byOthersThan: file) ? nil : document
    }
  }
#endif
