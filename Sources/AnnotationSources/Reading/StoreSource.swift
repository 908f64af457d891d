#if Store
  import AnnotationImport
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import MapProjections
  import NearbySearch
  import PROJTransforms
  import SQLiteStore
  import TextMaps

  /// Stores and GeoPackages as sources.
  ///
  /// A store's layer comes as a table if its rows are texts; all other rows come as features, so that every option of
  /// reading works on them as on a file. A store's index is kept in a file beside it, and built again when the store has
  /// changed.
  package enum StoreSource {
    /// Refuses to build an index of a store or GeoPackage, and says what to do instead.
    package static func refuseIndex(of file: FileName) throws(ReportedError) {
      guard try Source.isDatabase(file, nil) else { return }
      let isStore = try ReportedError.ofStore { try AnnotationStore.isStore(file.storeName()) }
      throw ReportedError(
        "index-of-store",
        isStore
          ? "\(file.text) is a store, and its index \(file.text).nbx is kept automatically; "
            + "search the store itself"
          : "\(file.text) is a database and no store; nearby import a GeoPackage into a store, "
            + "whose index is kept automatically", fault: .badData)
    }

    // MARK: Rows

    static func rows(
      of file: FileName, _ reading: SourceReading
    ) throws(ReportedError) -> Source.Content {
      try ReportedError.ofStore {
        guard try AnnotationStore.isStore(file.storeName()) else {
          let features = try foreignFeatures(of: file, reading)
          return .stored([.features(features)], areOwn: false)
        }
        ReadFiles.note(file)
        try reading.refuseCRS(of: file.text)
        let store = try AnnotationStore(file.storeName(), .readOnly)
        if reading.options.takeStoresAsTheyAre {
          return .stored(try layers(of: store, file, reading).map(\.rows), areOwn: true)
        }
        // Options look for properties, each of which may be in any layer.
        let progress = reading.surroundings.progress(file.text)
        defer { progress.finish() }
        let rows = try store.reading {
          try features(of: store.layerNames(only: reading.layer), in: store, progress)
        }
        return .stored([.features(rows)], areOwn: true)
      }
    }

    /// The layers of a store that have rows, in order, or the one that is asked for.
    static func layers(
      of store: AnnotationStore, _ file: FileName, _ reading: SourceReading
    ) throws -> [(name: String, rows: StoredRows)] {
      let progress = reading.surroundings.progress(file.text)
      defer { progress.finish() }
      return try store.reading {
        let layers = try store.layerNames(only: reading.layer).map { name in
          (
            name: name,
            rows: try table(of: name, in: store).map(StoredRows.table)
              ?? .features(try features(of: [name], in: store, progress))
          )
        }
        // Only of nothing at all is it said that there is nothing.
        let full = layers.filter { $0.rows.count > 0 }
        return full.isEmpty ? Array(layers.prefix(1)) : full
      }
    }

    /// The rows of a layer where they are plain texts, as those of CSV are.
    private static func table(
      of layer: String, in store: AnnotationStore
    ) throws -> StoredTable? {
      guard try store.collectionMembers(of: layer).entries.isEmpty else { return nil }
      var table = StoredTable?.none
      let isTable = try store.readTexts(
        in: layer, begin: { table = StoredTable(names: $0, roles: $1) }
      ) { coordinate, cell in table?.append(coordinate, cell: cell) ?? false }
      return isTable && table?.isUTF8 == true ? table : nil
    }

    private static func features(
      of layers: [String], in store: AnnotationStore, _ progress: ProgressReport
    ) throws -> StoredFeatures {
      var features = StoredFeatures(
        tellAnnotations: false,
        members: layers.count == 1 ? try store.collectionMembers(of: layers[0]) : [:])
      let total = try layers.reduce(0) { try $0 + store.layer($1).count }
      for layer in layers {
        try store.forEachRow(in: layer) { row in
          progress.update(rows: features.count, of: total)
          if let members = row.feature,
            try features.append(
              members: members, row.geometry(), role: { row.text(ofRole: $0.rawValue) })
          {
            return
          }
          let annotation = try row.annotation()
          // A row of a table has its id as text, as it would have if it were converted.
          var feature =
            annotation.feature
            ?? Feature(
              id: .string(annotation.id.text), geometry: nil, properties: annotation.properties)
          feature.geometry = annotation.geometry
          // Another program may have given such a row a line or an area.
          let isRow =
            annotation.feature == nil
            && annotation.geometry == annotation.coordinate.map { Geometry.point(Position($0)) }
          features.append(feature, of: annotation, isRow: isRow)
        }
      }
      return features
    }

    /// The layers of a store or GeoPackage, in order.
    package static func layers(of file: FileName) throws(ReportedError) -> [String] {
      ReadFiles.note(file)
      return try ReportedError.ofStore {
        try AnnotationStore.isStore(file.storeName())
          ? try AnnotationStore(file.storeName(), .readOnly).layerNames()
          : try GeoPackageFile(file.storeName()).layers.map(\.name)
      }
    }

    private static func foreignFeatures(
      of file: FileName, _ reading: SourceReading
    ) throws -> StoredFeatures {
      let package = try GeoPackageFile(file.storeName())
      var layers = package.layers
      if let name = reading.layer {
        // Two may differ only in the Unicode form of their names.
        guard
          let layer = layers.first(where: { $0.name.isSameBytes(as: name) })
            ?? layers.first(where: { $0.name == name })
        else {
          throw ReportedError(
            "unknown-layer",
            TerminalText.sanitized(
              "\(file.text) has no layer \"\(name)\"; layers are "
                + layers.map(\.name).joined(separator: ", ")), fault: .usage)
        }
        layers = [layer]
      }
      let tables = layers.isEmpty ? try package.tables : []
      if let table = tables.first {
        throw ReportedError(
          "no-layers",
          TerminalText.sanitized(
            "\(file.text) has no layer with geometry, only \(tables.joined(separator: ", ")); read a table as CSV: "
              + "ogr2ogr \(table).csv \(file.lastComponent.text) \(table)"), fault: .badData)
      }
      var features = StoredFeatures(tellAnnotations: false)
      let progress = reading.surroundings.progress(file.text)
      defer { progress.finish() }
      for layer in layers {
        let total = progress.isShown ? try package.count(of: layer) ?? 0 : 0
        let before = features.count
        try package.forEachRow(in: layer, transform(of: layer, file, reading)) { row in
          progress.update(rows: features.count - before, of: total)
          switch row {
          case .feature(let feature): features.append(feature)
          case .unreadable(let feature, let why): features.append(feature, unreadable: why)
          case .unsupported(let feature, let type): features.append(feature, ofType: type)
          }
        }
      }
      return features
    }

    /// How the positions of a GeoPackage's layer are read; nil where they are degrees, or the file does not say what
    /// they are.
    private static func transform(
      of layer: GeoPackageFile.Layer, _ file: FileName, _ reading: SourceReading
    ) throws(ReportedError) -> GeoPackageFile.PositionTransform? {
      let name = "\(file.text): layer \"\(layer.name)\""
      func remark(_ words: String) {
        reading.surroundings.remark(TerminalText.sanitized("\(name) \(words)"))
      }
      let asked: String
      switch reading.options.crs {
      case .declared:
        guard !layer.isWGS84, let crs = layer.crs else { return nil }
        let transform: any CoordinateTransform
        do throws(CRSError) { transform = try CRSCatalog.toWGS84(crs) } catch {
          throw ReportedError(
            error.code, TerminalText.sanitized("\(name): \(error)"), fault: .badData)
        }
        remark("read from \(crs) by \(transform.operation)")
        return { x, y in
          guard let place = try? transform.coordinate(of: PlanePosition(x: x, y: y)) else {
            return nil
          }
          return (place.longitude, place.latitude)
        }
      case .wgs84: asked = "EPSG:4326"
      case .transformed(let crs, _): asked = crs
      }
      if let crs = layer.crs, crs != asked {
        remark("states \(crs), but is read as \(asked), as asked")
      }
      // The importer transforms them, as it does those of other sources.
      return { ($0, $1) }
    }
  }

  extension AnnotationStore {
    /// The name of one layer, as the store has it; those of all, in order, for nil.
    package func layerNames(only layer: String?) throws -> [String] {
      try layer.map { [try self.layer(named($0)).name] } ?? layerNames()
    }

    /// A layer's name as the store has it; the same name if there is none.
    package func named(_ layer: String) throws -> String {
      try layerNames().first(sameAs: layer) ?? layer
    }

    /// Whether there is a layer of exactly that name.
    package func holds(_ layer: String) throws -> Bool {
      try layerNames().contains { $0.isSameBytes(as: layer) }
    }
  }

  extension FileName {
    /// The name as SQLite takes it, all of it; of a link to nothing, the name of what would be made.
    ///
    /// - Throws: For a name that is not UTF-8: as text it would be that of another file.
    package func storeName() throws(ReportedError) -> String {
      let file = Files.exists(self) ? self : Files.absolute(self)
      guard let name = String(validating: file.bytes, as: UTF8.self) else {
        throw ReportedError(
          "bad-file-name",
          "the name \(file.text) is not UTF-8, which stores and GeoPackages need; rename it or name another",
          fault: .usage)
      }
      return name
    }
  }

  extension ReportedError {
    /// Wraps what a store threw, and lets pass what the program did.
    private init(storeError error: any Error) {
      switch error {
      case let error as ReportedError: self = error
      case let error as StoreError:
        // Names in a file may hold line breaks.
        self.init(
          error.code, TerminalText.sanitized(error.description), fault: error.fault)
      case let error as CRSError: self.init(error, fault: .badData)
      default: self.init("store", "\(error)", fault: .inputOutput)
      }
    }

    /// Runs work on a store, and wraps the errors that it throws.
    package static func ofStore<Result>(
      _ work: () throws -> Result
    ) throws(ReportedError) -> Result {
      do { return try work() } catch { throw ReportedError(storeError: error) }
    }
  }

  extension StoreError {
    fileprivate var fault: ReportedError.Fault {
      switch reason {
      case .missing, .cannotRead, .cannotReadLog: .noInput
      case .notADatabase, .notAGeoPackage, .notAStore, .newer, .unknownCRS, .undefinedCRS,
        .missingColumn, .unreadableLayer, .workLimit, .unfinishedChange:
        .badData
      case .busy, .cannotWrite, .strayLog, .lost: .cannotWrite
      case .unknownLayer, .badLayerName, .nameTaken, .unknownAnnotation, .notAFavorite, .badMoment,
        .insideUpdate:
        .usage
      case .statement: .inputOutput
      }
    }
  }
#else
  import AnnotationImport
  import NearbySearch

  /// The program without stores: what remains when the trait `Store` is off.
  package enum StoreSource {
    package static func refuseIndex(of file: FileName) throws(ReportedError) {}

    static func rows(
      of file: FileName, _ reading: SourceReading
    ) throws(ReportedError) -> Source.Content { throw withoutStore }

    package static func layers(of file: FileName) throws(ReportedError) -> [String] {
      throw withoutStore
    }

    package static func index(
      of file: FileName, _ reading: SourceReading
    ) throws(ReportedError) -> OpenedIndex? { nil }

    package static let withoutStore = ReportedError(
      "no-store", "nearby was built without the trait Store; build it with it", fault: .usage)
  }
#endif
