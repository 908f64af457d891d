#if Store
  import AnnotationImport
  import GeoJSONCoding
  import Geodesy
  import IndexFiles
  import MapAnnotations
  import NearbySearch
  import SQLiteStore

  /// The annotations of a store on their way into an index file.
  ///
  /// What they say stays in the store: their positions, ids and kinds are gathered, and when the
  /// tree is built each row is read and written in the tree's order. The file is, byte for byte,
  /// the one that reading the whole store as any source gives, which takes twice as long and three
  /// times the memory, except for one layer of texts: that is read as a table. Where there are several layers, each has a tree of its own besides, over its
  /// rows among those of the whole, so that `--layer` asks as quickly and finds nothing else.
  package struct StoreIndexing {
    private let store: AnnotationStore
    private let layers: [String]
    private var points: [StoredPoint] = []
    private var rows: [Int] = []
    /// Where each layer's points begin.
    private var starts: [Int] = []
    /// Which layers have lines or areas.
    private var haveShapes: [Bool] = []

    /// Gathers all layers; nil where a reader of GeoJSON would have something to object to.
    private init?(_ store: AnnotationStore) throws {
      self.store = store
      layers = try store.layerNames()
      var isPlain = true
      for layer in layers {
        starts.append(points.count)
        haveShapes.append(false)
        try store.forEachRow(in: layer) { row in
          let isPlaced = row.coordinate.map { !$0.isNullIsland }
          isPlain = isPlain && (isPlaced ?? !row.hasGeometry)
          let hasShape = row.hasShape && isPlaced == true
          if hasShape { haveShapes[haveShapes.count - 1] = true }
          points.append(
            StoredPoint(
              id: row.id, kind: row.kind, coordinate: row.coordinate,
              shape: hasShape ? row.shape : nil,
              record: points.count + 1))
          rows.append(row.row)
        }
      }
      if !isPlain || points.isEmpty { return nil }
    }

    /// Writes the index of a store.
    ///
    /// - Returns: Whether it did; otherwise the store has to be read as any source is.
    package static func write(
      _ name: FileName, _ state: IndexedSources.StoreState, to target: FileName,
      _ progress: ProgressReport
    ) throws -> Bool {
      let store = try AnnotationStore(name.storeName(), .readOnly)
      return try store.reading {
        if let table = try StoreSource.table(of: store, layer: nil), table.count > 0 {
          let annotations = try AnnotationImporter().read(table, named: name.text).annotations
          let sources = IndexedSources(store: state, records: annotations.count)
          try IndexDocument.write(annotations, sources, to: target, keptBeside: name)
          return true
        }
        guard let indexing = try StoreIndexing(store) else { return false }
        try indexing.write(name, state, to: target, progress)
        return true
      }
    }

    private func write(
      _ name: FileName, _ state: IndexedSources.StoreState, to target: FileName,
      _ progress: ProgressReport
    ) throws {
      var sources = IndexedSources(store: state, records: points.count)
      let index = AnnotationIndex(points)
      let layerFiles = layers.count > 1 ? try layerFiles(of: index, name) : []
      if layers.count > 1 {
        sources.layers = layerFiles.map {
          IndexedSources.Layer(name: $0.layer, byteCount: $0.bytes.count)
        }
      }
      let recordFrame = try recordFrame(
        name, layers.count == 1 ? try store.collectionMembers(of: layers[0]) : [:],
        hasShapes: haveShapes.contains(true))
      let readers = try layers.map { (layer) throws(StoreError) in
        try store.rowReader(of: layer)
      }
      var failure: StoreError?
      var done = 0
      do {
        try IndexDocument.write(
          index, recordFrame: recordFrame, sources, to: target, keptBeside: name,
          layers: layerFiles.map(\.bytes)
        ) { number, bytes throws(IndexFileFailure) in
          progress.update(rows: done, of: points.count)
          done += 1
          do throws(StoreError) {
            try append(number, readers, to: &bytes)
          } catch {
            failure = error
            throw IndexFileFailure(
              target.text, .system(attempt: "write", message: "\(error)"))
          }
        }
      } catch {
        throw failure ?? error
      }
    }

    /// What records of the store are read with: what an empty collection has.
    private func recordFrame(
      _ name: FileName, _ members: Properties, hasShapes: Bool
    ) throws(ImportError) -> [UInt8] {
      let none = try AnnotationImporter().read(
        StoredFeatures(tellAnnotations: true, members: members), named: name.text)
      return RecordPacking(none.annotations).frame(hasShapes: hasShapes)
    }

    /// The index files of the layers that have rows, which are read as quickly where they are.
    private func layerFiles(
      of index: AnnotationIndex<[StoredPoint]>, _ name: FileName
    ) throws -> [(layer: String, bytes: [UInt8])] {
      var rowsOfLayers: [[UInt32]] = layers.map { _ in [] }
      let numbers = index.rowOrder
      for (row, number) in numbers.enumerated() {
        rowsOfLayers[layer(of: number)].append(UInt32(row))
      }
      return try layers.indices.filter { !rowsOfLayers[$0].isEmpty }.map { layer in
        let rows = rowsOfLayers[layer]
        // In the order of ties in the whole, which is that in the layer.
        let own = AnnotationIndex(rows.map { points[numbers[Int($0)]] }, shortcuts: .idsAscend)
        return (
          layers[layer],
          IndexDocument.layerFile(
            own,
            recordFrame: try recordFrame(
              name, try store.collectionMembers(of: layers[layer]), hasShapes: haveShapes[layer]),
            rows: rows, firstRecord: starts[layer] + 1)
        )
      }
    }

    /// The layer that a point is of; one without rows begins where the next one does.
    private func layer(of number: Int) -> Int { starts.lastIndex { $0 <= number } ?? 0 }

    private func append(
      _ number: Int, _ readers: [StoredRowReader], to bytes: inout [UInt8]
    ) throws(StoreError) {
      let annotation = try readers[layer(of: number)].annotation(row: rows[number])
      RecordPacking.append(
        table: 0, record: number + 1, points[number].coordinate, to: &bytes)
      var writer = JSONWriter()
      writer.feature(StoreSource.feature(of: annotation))
      bytes += writer.bytes
    }
  }

  /// What an index sorts and selects by.
  private struct StoredPoint: Annotation {
    let id: AnnotationID
    let kind: AnnotationKind?
    let coordinate: Coordinate?
    let shape: GroundShape?
    let record: Int

    /// They are all of one source, and equal ids stand in its order.
    var origin: RecordOrigin? { RecordOrigin(source: "", record: record) }
  }
#endif
