#if Store
  import AnnotationImport
  import BusinessHours
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import SQLiteStore

  /// Where layers are stored: in a store's file or on a server.
  package enum StorePlace {
    /// A file; a new one is put in its folder, which is made first if nobody chose it.
    case file(FileName, makesFolder: Bool)
    /// The address of a PostgreSQL server.
    case server(String)

    /// The store's file, which need not exist yet.
    package func file() throws(ReportedError) -> FileName {
      switch self {
      case .file(let file, _):
        // Told before anything is made.
        _ = try file.storeName()
        if Files.isFolder(file) { throw Files.folderFailure(file.text) }
        // What cannot be read is said when it is opened.
        if Files.isRegular(file), Files.stamp(of: file)?.byteCount != 0,
          !Files.begins(file, with: OutputFiles.databaseMark), Files.begins(file, with: [UInt8]())
        {
          throw ReportedError(
            "not-a-store",
            "\(file.text) is neither a store nor another SQLite database; name another file, such as "
              + "store.gpkg", fault: .badData)
        }
        return file
      case .server:
        throw ReportedError(
          "postgres-store",
          "this works on a store's file; layers in PostgreSQL are written by nearby import and sync, listed by nearby "
            + "store info, removed by nearby store drop, and read as sources; name a file",
          fault: .usage)
      }
    }

    private func makeFolder() throws {
      if case .file(let file, true) = self { try Files.makeFolder(of: file) }
    }

    /// Makes and fills a store that does not exist yet; nil, with nothing done, if it does.
    func withNewStore<Result>(
      _ body: (AnnotationStore) throws -> Result
    ) throws(ReportedError) -> Result? {
      let file = try file()
      return try ReportedError.ofStore {
        try makeFolder()
        var result: Result?
        let isMade = try AnnotationStore.writeNew(
          to: file.storeName(), willMake: { PartialFiles.note(FileName($0)) }
        ) { store in
          result = try body(store)
        }
        return isMade ? result : nil
      }
    }

    /// Throws if there is no store.
    package func checkIsMade() throws(ReportedError) {
      let file = try file()
      guard !Files.exists(file) else { return }
      guard case .file(_, makesFolder: true) = self else { return try Files.check(file) }
      throw ReportedError(
        "no-such-file",
        "there is no store yet at \(file.text); "
          + (SimilarNames.question(like: file) ?? "import a source to make it"), fault: .noInput)
    }

    /// Opens a store for the duration of a call.
    package func withStore<Result>(
      _ access: AnnotationStore.Access, _ body: (AnnotationStore) throws -> Result
    ) throws(ReportedError) -> Result {
      let file = try file()
      return try ReportedError.ofStore {
        if access == .create { try makeFolder() }
        if access != .create { try checkIsMade() }
        let store = try AnnotationStore(file.storeName(), access)
        ReadFiles.note(file)
        return try body(store)
      }
    }
  }

  extension StorePlace {
    /// What is in the store, as members of JSON: of each layer what is known of it, on a server less than in a file.
    package func info() throws(ReportedError) -> Properties {
      guard case .server(let address) = self else {
        return try withStore(.readOnly) { try $0.info() }
      }
      let layers = try PostgresSource.heldLayers(address).map { name, held in
        switch held {
        case .success(let (note, count)):
          let state = LayerState(note, count: count)
          return PropertyValue.object([
            "name": .string(name), "annotations": .integer(count), "source": .text(state.source),
            "version": state.version.member, "refreshed": state.refreshed.member,
          ])
        case .failure(let error):
          return .object(unreadable(name, error))
        }
      }
      return ["layers": .array(layers)]
    }

    /// Removes a layer; marks on its annotations stay.
    package func drop(_ layer: String) throws(ReportedError) {
      guard case .server(let address) = self else {
        return try withStore(.readWrite) { try $0.removeLayer($0.named(layer)) }
      }
      try PostgresSource.drop(address, layer: layer)
    }
  }

  extension AnnotationStore {
    /// What is in a store: its stamp, and of each layer what is known of it, or why it cannot be read.
    fileprivate func info() throws -> Properties {
      try reading {
        let layers = try layerNames().map { PropertyValue.object(try members(ofLayer: $0)) }
        let stamp = try changeStamp()
        return ["stamp": .text(stamp.map { "\($0)" }), "layers": .array(layers)]
      }
    }

    private func members(ofLayer name: String) throws(StoreError) -> Properties {
      do throws(StoreError) {
        // Only for its error, if a column is missing.
        _ = try propertyNames(of: name)
        return try layer(name).members
      } catch {
        switch error.reason {
        case .missingColumn, .unreadableLayer:
          return unreadable(name, error)
        default: throw error
        }
      }
    }
  }

  /// What is said of a layer that cannot be read.
  private func unreadable(_ name: String, _ error: some CodedError) -> Properties {
    let members: Properties = [
      "code": .string(error.code), "message": .string(error.description),
    ]
    return ["name": .string(name), "error": .object(members)]
  }

  extension StoreLayer {
    fileprivate var members: Properties {
      let policyName =
        switch policy {
        case .replace: "replace"
        case .upsert: "upsert"
        }
      return [
        "name": .string(name), "annotations": .integer(count), "unplaced": .integer(unplacedCount),
        "source": .text(source), "crs": .string(crs), "licence": .text(licence),
        "policy": .string(policyName), "version": version.member, "refreshed": refreshed.member,
        "bbox": .box(extent),
      ]
    }
  }

  extension SourceVersion? {
    fileprivate var member: PropertyValue {
      switch self {
      case .number(let number): .integer(number)
      case .tag(let tag): .string(tag)
      case nil: .null
      }
    }
  }

  extension Instant? {
    fileprivate var member: PropertyValue { .text(map { ClockText.iso($0, HoursSetting()) }) }
  }

  // MARK: A layer that is brought up to date

  /// What is known of a layer.
  struct LayerState {
    var source: String?
    var version: SourceVersion?
    var refreshed: Instant?
    var policy = MergePolicy.replace
    var count = 0
    /// Whether it was edited since it was fetched; edits in PostgreSQL go unnoticed.
    var isEdited = false
    /// The last fetch; nil where another delivery has come since.
    var fetch: LayerFetch?
  }

  extension StorePlace {
    /// What a layer holds; nil where it is not there.
    func state(of name: String) throws(ReportedError) -> LayerState? {
      if case .server(let address) = self {
        guard let held = try PostgresSource.held(address, layer: name) else { return nil }
        return LayerState(held.note, count: held.count)
      }
      guard Files.exists(try file()) else { return nil }
      return try withStore(.readOnly) { store in
        guard try store.holds(name) else { return nil }
        let layer = try store.layer(name)
        return LayerState(
          source: layer.source, version: layer.version, refreshed: layer.refreshed,
          policy: layer.policy, count: layer.count, isEdited: try store.isEdited(name),
          fetch: try store.lastFetch(of: name))
      }
    }

    /// Whether any annotation has a position from its source; not those that `geocode` looked up.
    func hasSourcePlaces(in name: String) throws(ReportedError) -> Bool {
      if case .server(let address) = self {
        return try PostgresSource.hasPlaces(address, layer: name) == true
      }
      return try withStore(.readOnly) { try $0.hasOwnPlaces(in: name) }
    }

    /// The marks on annotations, hidden ones among them; a server keeps none.
    func favorites() throws(ReportedError) -> [Favorite] {
      guard case .file = self else { return [] }
      return try withStore(.readOnly) { try $0.favorites(includesHidden: true) }
    }

    /// Brings a delivery in, with the fetch that it came by.
    func apply(
      _ update: LayerUpdate, _ annotations: ImportedAnnotations, _ progress: ProgressReport
    ) throws(ReportedError) -> UpdateOutcome {
      if case .server(let address) = self {
        guard update.policy == .replace, update.licence == nil, update.denied.isEmpty else {
          throw StorePlace.onlyReplaced
        }
        if let held = try state(of: update.layer)?.version, update.isNothingNew(since: held) {
          return .upToDate(held)
        }
        let outcome = try PostgresSource.replace(
          address, layer: update.layer, with: annotations, note: StorePlace.note(of: update))
        return .applied(outcome.counts)
      }
      func apply(to store: AnnotationStore) throws -> UpdateOutcome {
        try store.apply(update) { writer in try writer.append(annotations, progress) }
      }
      if let outcome = try withNewStore(apply) { return outcome }
      return try withStore(.create, apply)
    }

    /// Takes down that a layer is what its source has.
    ///
    /// - Parameter fetch: The fetch that brought the same content again; nil if nothing came.
    func confirm(_ name: String, at now: Instant, by fetch: LayerFetch?) throws(ReportedError) {
      guard case .server(let address) = self else {
        return try withStore(.readWrite) { try $0.confirm(name, at: now, by: fetch) }
      }
      try PostgresSource.changeNote(address, layer: name) { note in
        let isSame = fetch.map { LayerFetch(note)?.hasContent(of: $0) == true } ?? false
        LayerState(refreshed: now, fetch: isSame ? fetch : nil).append(to: &note)
      }
    }

    /// What a layer in PostgreSQL remembers of a delivery.
    static func note(of update: LayerUpdate) -> Properties {
      var note = Properties()
      LayerState(
        source: update.source, version: update.version, refreshed: update.refreshed,
        fetch: update.fetch
      ).append(to: &note)
      return note
    }

    static let onlyReplaced = ReportedError(
      "postgres-policy",
      "a layer in PostgreSQL is replaced, without versions, licences and denied ids; leave these options out",
      fault: .usage)
  }

  // As a layer in PostgreSQL remembers them.

  extension LayerState {
    init(_ note: Properties, count: Int) {
      source = note["source"]?.text
      if let number = note["number"]?.wholeNumber {
        version = .number(number)
      } else {
        version = note["tag"]?.text.map { .tag($0) }
      }
      refreshed = note["refreshed"]?.number.flatMap { Instant(secondsSince1970: $0) }
      self.count = count
      fetch = LayerFetch(note)
    }

    fileprivate func append(to note: inout Properties) {
      if let source { note["source"] = .string(source) }
      switch version {
      case .number(let number): note["number"] = .integer(number)
      case .tag(let tag): note["tag"] = .string(tag)
      case nil: break
      }
      if let refreshed { note["refreshed"] = .integer(Int(refreshed.seconds)) }
      fetch?.append(to: &note)
    }
  }

  extension LayerFetch {
    fileprivate init?(_ note: Properties) {
      guard let address = note["address"]?.text, let digest = note["digest"]?.text else {
        return nil
      }
      var fields: [String] = []
      if case .array(let names)? = note["fields"] { fields = names.compactMap(\.text) }
      self.init(
        addressDigest: address, entityTag: note["etag"]?.text,
        lastModified: note["lastModified"]?.text, contentDigest: digest, fields: fields)
    }

    fileprivate func append(to note: inout Properties) {
      note["address"] = .string(addressDigest)
      note["etag"] = entityTag.map { .string($0) }
      note["lastModified"] = lastModified.map { .string($0) }
      note["digest"] = .string(contentDigest)
      note["fields"] = .array(fields.map { .string($0) })
    }
  }
#endif
