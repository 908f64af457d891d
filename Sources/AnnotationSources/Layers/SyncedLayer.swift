#if Store
  import AnnotationImport
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations
  import SQLiteStore

  /// A layer that is brought up to date: in a store's file, or on a server whose address stands in its place.
  package struct SyncedLayer {
    /// What is known of it.
    struct State {
      var source: String?
      var version: SourceVersion?
      var refreshed: Instant?
      var policy = MergePolicy.replace
      var count = 0
    }

    let name: String
    let place: StorePlace

    /// What it holds; nil where it is not there.
    func state() throws(ReportedError) -> State? {
      if case .server(let address) = place {
        guard let held = try PostgresSource.held(address, layer: name) else { return nil }
        return State(held.note, count: held.count)
      }
      guard Files.exists(try place.file()) else { return nil }
      return try place.withStore(.readOnly) { store in
        guard try store.layerNames().contains(where: { $0.isSameBytes(as: name) }) else {
          return nil
        }
        let layer = try store.layer(name)
        return State(
          source: layer.source, version: layer.version, refreshed: layer.refreshed,
          policy: layer.policy, count: layer.count)
      }
    }

    /// Whether any annotation has a position from its source; not those that `geocode` looked up.
    func hasSourcePlaces() throws(ReportedError) -> Bool {
      if case .server(let address) = place {
        return try PostgresSource.hasPlaces(address, layer: name) == true
      }
      return try place.withStore(.readOnly) { try $0.hasOwnPlaces(in: name) }
    }

    /// What is known of the last fetch; nil where something else has written the layer since.
    func lastFetch() throws(ReportedError) -> LayerFetch? {
      if case .server(let address) = place {
        return try PostgresSource.held(address, layer: name).flatMap { LayerFetch($0.note) }
      }
      guard Files.exists(try place.file()) else { return nil }
      return try place.withStore(.readOnly) { try $0.lastFetch(of: name) }
    }

    /// Brings a delivery in, with the fetch that it came by.
    func apply(
      _ update: LayerUpdate, _ annotations: ImportedAnnotations, _ progress: ProgressReport
    ) throws(ReportedError) -> UpdateOutcome {
      if case .server(let address) = place {
        guard update.policy == .replace, update.licence == nil, update.denied.isEmpty else {
          throw SyncedLayer.onlyReplaced
        }
        if let held = try state()?.version, update.isNothingNew(since: held) {
          return .upToDate(held)
        }
        var note = SyncedLayer.note(of: update)
        update.fetch?.append(to: &note)
        let outcome = try PostgresSource.replace(
          address, layer: name, with: annotations, note: note)
        return .applied(outcome.counts)
      }
      return try place.withWrittenStore { store in
        try store.apply(update) { writer in try writer.append(annotations, progress) }
      }
    }

    /// Takes down that it is what its source has.
    ///
    /// - Parameter fetch: The fetch that brought the same content again; nil if nothing came.
    func confirm(at now: Instant, by fetch: LayerFetch?) throws(ReportedError) {
      guard case .server(let address) = place else {
        return try place.withStore(.readWrite) { try $0.confirm(name, at: now, by: fetch) }
      }
      try PostgresSource.changeNote(address, layer: name) { note in
        State(refreshed: now).append(to: &note)
        if let fetch, LayerFetch(note)?.hasContent(of: fetch) == true { fetch.append(to: &note) }
      }
    }

    /// What a layer in PostgreSQL remembers of a delivery.
    package static func note(of update: LayerUpdate) -> Properties {
      var note = Properties()
      State(source: update.source, version: update.version, refreshed: update.refreshed)
        .append(to: &note)
      return note
    }

    package static let onlyReplaced = ReportedError(
      "postgres-policy",
      "a layer in PostgreSQL is replaced, without versions, licences and denied ids; leave these options out",
      fault: .usage)
  }

  // As a layer in PostgreSQL remembers them.

  extension SyncedLayer.State {
    init(_ note: Properties, count: Int) {
      source = note["source"]?.text
      if let number = note["number"]?.wholeNumber {
        version = .number(number)
      } else {
        version = note["tag"]?.text.map { .tag($0) }
      }
      refreshed = note["refreshed"]?.number.flatMap { Instant(secondsSince1970: $0) }
      self.count = count
    }

    fileprivate func append(to note: inout Properties) {
      if let source { note["source"] = .string(source) }
      switch version {
      case .number(let number): note["number"] = .integer(number)
      case .tag(let tag): note["tag"] = .string(tag)
      case nil: break
      }
      if let refreshed { note["refreshed"] = .integer(Int(refreshed.seconds)) }
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
