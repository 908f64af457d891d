#if Store
  import AnnotationImport
  import IndexFiles
  import MapAnnotations
  import NearbySearch
  import SQLiteStore

  extension StoreSource {
    /// The index of a store or of one layer, from the file beside it if that is of the store's state;
    /// nil where all has to be read: of a GeoPackage that is no store, which tells nobody when it
    /// changes, and of a layer for which nothing can be kept.
    ///
    /// Where the file cannot be kept the answer is the same, and standard error says why.
    package static func index(
      of file: FileName, _ reading: SourceReading
    ) throws(ReportedError) -> OpenedIndex? {
      ReadFiles.note(file)
      let state: IndexedSources.StoreState?
      var isOnlyLayer = false
      do {
        guard try AnnotationStore.isStore(file.storeName()) else { return nil }
        let store = try AnnotationStore(file.storeName(), .readOnly)
        // Before the rows: what is written meanwhile makes the index out of date, and not wrong.
        state = try store.reading {
          if let layer = reading.layer {
            let names = try store.layerNames()
            if !names.contains(where: { $0.utf8.elementsEqual(layer.utf8) }) {
              // The store says that there is none of that name.
              _ = try store.layer(layer)
            }
            isOnlyLayer = names.count == 1
          }
          let name = try store.name()
          return try store.changeStamp().map {
            IndexedSources.StoreState(name: name, stamp: "\($0)")
          }
        }
      } catch {
        throw ReportedError(storeError: error)
      }
      let beside = FileName(bytes: file.bytes + ".nbx".utf8)
      guard let state else {
        reading.surroundings.remark(
          "\(beside.text) is not kept: some changes to \(file.text) would not be noticed; import its "
            + "layers again, and drop those that another program has removed")
        return try index(ofFeaturesIn: file, reading)
      }
      /// What a file answers with; nil where it has no index of the layer.
      func opened(_ document: IndexDocument) throws(ReportedError) -> OpenedIndex? {
        guard let layer = reading.layer else { return try document.openedIndex(source: file.text) }
        if document.sources.layers == nil, isOnlyLayer {
          return try document.openedIndex(source: file.text)
        }
        return try document.openedIndex(ofLayer: layer, source: file.text)
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
        do throws(IndexFileFailure) {
          try IndexFile.checkCanBeMade(pathBytes: beside.bytes)
        } catch {
          throw ReportedError(error, fault: .cannotWrite)
        }
      } catch {
        reading.surroundings.remark("\(beside.text) is not kept: \(error.description)")
        return try index(ofFeaturesIn: file, reading)
      }
      let progress = reading.surroundings.progress("indexed in \(beside.text)")
      defer { progress.finish() }
      do {
        if try StoreIndexing.write(file, state, to: beside, progress) {
          progress.finish()
          let document = try IndexDocument(beside, followsLinks: false)
          // Another process may have put one of another state there.
          guard document.sources.store == state, let index = try opened(document) else {
            return try index(ofFeaturesIn: file, reading)
          }
          return told(index, beside, of: file, reading)
        }
      } catch let error as ReportedError {
        progress.finish()
        reading.surroundings.remark("\(beside.text) is not kept: \(error.description)")
        return try index(ofFeaturesIn: file, reading)
      } catch {
        throw ReportedError(storeError: error)
      }
      progress.finish()
      return try index(ofFeaturesIn: file, reading, state, beside: beside)
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
          Files.remove(beside)
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
      do throws(IndexFileFailure) {
        try IndexFile.checkMayBeKept(pathBytes: beside.bytes)
      } catch {
        throw ReportedError(error, fault: .cannotWrite)
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

    /// The index of a store that is read as GeoJSON, with what there is to say of its rows; nil for one
    /// layer, which is then read as a file is.
    ///
    /// - Parameter state: For the file that is kept beside it; nil where none is.
    private static func index(
      ofFeaturesIn file: FileName, _ reading: SourceReading,
      _ state: IndexedSources.StoreState? = nil, beside: FileName? = nil
    ) throws(ReportedError) -> OpenedIndex? {
      var whole = reading
      whole.layer = nil
      guard reading.layer == nil || state != nil else { return nil }
      let annotations = try Source.read([file], whole).annotations
      if let state, let beside {
        var sources = IndexedSources(store: state, records: annotations.count)
        // What readers object to is said each time that a layer is read.
        sources.layers = []
        do throws(ReportedError) {
          try IndexDocument.write(annotations, sources, to: beside, keptBeside: file)
        } catch {
          // Where nothing can be written the answer is the same, and takes as long the next time.
          reading.surroundings.remark("\(beside.text) is not kept: \(error.description)")
        }
      }
      return reading.layer == nil
        ? OpenedIndex(AnnotationIndex(forManyQuestions: annotations)) : nil
    }
  }
#endif
