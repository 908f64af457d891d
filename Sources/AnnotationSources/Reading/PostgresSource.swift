#if PostgreSQL
  import AnnotationImport
  import GeoJSONCoding
  import MapAnnotations
  import NearbySearch
  import PostGISStore
  import TextMaps

  /// Layers in PostgreSQL as sources, by their address in the place of a file's name.
  package enum PostgresSource {
    /// The server and database of an address, without a password.
    package static func shown(_ file: FileName) -> String {
      (try? PostGISStore(file.address).server) ?? "postgres"
    }

    /// Asks a server, and says what is wrong as the program does.
    private static func asked<Answer>(
      _ ask: () throws(PostGISError) -> Answer
    ) throws(ReportedError) -> Answer {
      do throws(PostGISError) { return try ask() } catch { throw ReportedError(error) }
    }

    /// The names of the layers of a database, in order.
    package static func layers(of file: FileName) throws(ReportedError) -> [String] {
      try asked { () throws(PostGISError) in try PostGISStore(file.address).layerNames() }
    }

    /// Reads the mark of a layer, which changes whenever somebody writes to it; each call asks the server.
    package static func mark(
      of file: FileName, layer name: String?
    ) throws(ReportedError) -> @Sendable () throws(ReportedError) -> String {
      let layer = try asked { () throws(PostGISError) in
        try PostGISStore(file.address, connections: 1, timeLimit: 5_000).layer(named: name)
      }
      return { () throws(ReportedError) in
        try asked { () throws(PostGISError) in try layer.mark() }
      }
    }

    /// All features of a layer, and its name; not its server's, because cursors repeat it to clients of `serve`.
    package static func features(
      of file: FileName, layer name: String?
    ) throws(ReportedError) -> (features: StoredFeatures, source: FileName) {
      try asked { () throws(PostGISError) in
        let layer = try PostGISStore(file.address).layer(named: name)
        return (try layer.features(), FileName(layer.name))
      }
    }

    /// An index of a few annotations that contain the answer to a question.
    package static func index(
      of file: FileName, _ reading: SourceReading, for question: Question
    ) throws(ReportedError) -> OpenedIndex {
      do {
        let layer = try PostGISStore(file.address).layer(named: reading.layer)
        var query = question.query
        // The cursor of the next page is worked out only where a page is asked for.
        if query.after == nil, !query.isPerKind { query.after = "" }
        let found = try layer.candidates(
          for: query, in: QueryContext(hours: question.open?.clocks.reader))
        var opened = OpenedIndex(index: AnnotationIndex(forOneQuestion: found.annotations))
        opened.fields = found.columns
        opened.kinds = found.kinds
        opened.isPart = true
        opened.missing = found.missing
        opened.replicaLag = found.lag
        return opened
      } catch let error as PostGISError {
        throw ReportedError(error)
      } catch QueryError.source(let code, let message) {
        throw ReportedError(postgresCode: code, message)
      } catch let error as QueryError {
        throw ReportedError(error, in: question.condition)
      } catch {
        throw ReportedError("postgres", "\(error)", fault: .inputOutput)
      }
    }

    /// The SQL that makes the tables.
    package static func schema() throws(ReportedError) -> String { PostGISSchema.script }

    /// Puts annotations into a layer, in the place of what was there.
    ///
    /// - Parameter note: What is remembered of where they are from.
    /// - Returns: What became of them, and where.
    package static func replace(
      _ address: String, layer name: String, with annotations: ImportedAnnotations,
      note: Properties
    ) throws(ReportedError) -> (counts: UpdateCounts, layer: String) {
      try asked { () throws(PostGISError) in
        let store = try PostGISStore(address, timeLimit: 3_600_000)
        try store.prepare()
        let layer = try store.layer(named: name, makingIt: true)
        let note = PropertyValue.object(note).jsonText
        return (try layer.replace(with: annotations, note: note), "\(layer)")
      }
    }

    /// What is remembered of where a layer is from, and how many annotations it has; nil where there is no such layer.
    package static func held(
      _ address: String, layer name: String
    ) throws(ReportedError) -> (note: Properties, count: Int)? {
      try ifThere(address, layer: name, held)
    }

    /// Whether any annotation of a layer has a position; nil where there is no such layer.
    package static func hasPlaces(
      _ address: String, layer name: String
    ) throws(ReportedError) -> Bool? {
      try ifThere(address, layer: name) { (layer) throws(PostGISError) in try layer.hasPlaces() }
    }

    private static func ifThere<Answer>(
      _ address: String, layer name: String,
      _ ask: (PostGISLayer) throws(PostGISError) -> Answer
    ) throws(ReportedError) -> Answer? {
      do throws(PostGISError) {
        let store = try PostGISStore(address)
        let layer = try store.layer(named: name)
        // An earlier version may have made it, which remembered nothing.
        try store.prepare()
        return try ask(layer)
      } catch {
        switch error.reason {
        case .notAStore, .unknownLayer: return nil
        default: throw ReportedError(error)
        }
      }
    }

    private static func held(
      _ layer: PostGISLayer
    ) throws(PostGISError) -> (note: Properties, count: Int) {
      let note = try? PropertyValue(json: Array(try layer.note().utf8))
      guard case .object(let members)? = note else { return (Properties(), try layer.count()) }
      return (members, try layer.count())
    }

    /// The layers of a database, in order, with what is remembered of each and how many annotations it has, or why it
    /// cannot be read.
    package static func heldLayers(
      _ address: String
    ) throws(ReportedError) -> [(layer: String, held: HeldLayer)] {
      try asked { () throws(PostGISError) in
        let store = try PostGISStore(address)
        var layers: [(layer: String, held: HeldLayer)] = []
        for name in try store.layerNames() {
          do throws(PostGISError) {
            let (note, count) = try held(try store.layer(named: name))
            layers.append((name, .success((note, count))))
          } catch {
            // Dropped since the names were read.
            if case .unknownLayer = error.reason { continue }
            layers.append((name, .failure(ReportedError(error))))
          }
        }
        return layers
      }
    }

    package static func drop(_ address: String, layer name: String) throws(ReportedError) {
      try asked { () throws(PostGISError) in
        try PostGISStore(address).layer(named: name).drop()
      }
    }

    /// Changes what is remembered of where a layer is from, unless somebody else writes to the layer meanwhile.
    package static func changeNote(
      _ address: String, layer name: String, _ body: (inout Properties) -> Void
    ) throws(ReportedError) {
      try asked { () throws(PostGISError) in
        let layer = try PostGISStore(address).layer(named: name)
        let old = try layer.note()
        guard case .object(var note)? = try? PropertyValue(json: Array(old.utf8)) else { return }
        body(&note)
        try layer.remember(PropertyValue.object(note).jsonText, over: old)
      }
    }
  }

  extension ReportedError {
    fileprivate init(_ error: PostGISError) {
      self.init(postgresCode: error.code, error.description)
    }

    /// An error by its code, which is all that remains of it in a `QueryError`.
    fileprivate init(postgresCode code: String, _ message: String) {
      let fault: Fault =
        switch code {
        case "postgres-address", "unknown-layer", "several-layers", "bad-layer-name",
          "taken-layer-name":
          .usage
        case "postgres-unreachable", "partition-unreachable", "replica-of-partitions",
          "postgres-busy":
          .unavailable
        case "postgres-denied", "postgres-password", "not-a-store": .noInput
        case "postgres-read-only", "postgres-full": .cannotWrite
        case "newer-store", "zero-character", "long-id", "unreadable-row": .badData
        default: .inputOutput
        }
      self.init(code, TerminalText.sanitized(message), fault: fault)
    }
  }
#else
  import AnnotationImport
  import MapAnnotations

  /// The program without PostgreSQL: what remains when the trait `PostgreSQL` is off.
  package enum PostgresSource {
    package static func shown(_ file: FileName) -> String { "postgres" }

    package static func layers(of file: FileName) throws(ReportedError) -> [String] {
      throw withoutPostgreSQL
    }

    package static func mark(
      of file: FileName, layer name: String?
    ) throws(ReportedError) -> @Sendable () throws(ReportedError) -> String {
      throw withoutPostgreSQL
    }

    package static func features(
      of file: FileName, layer name: String?
    ) throws(ReportedError) -> (features: StoredFeatures, source: FileName) {
      throw withoutPostgreSQL
    }

    package static func index(
      of file: FileName, _ reading: SourceReading, for question: Question
    ) throws(ReportedError) -> OpenedIndex { throw withoutPostgreSQL }

    package static func replace(
      _ address: String, layer name: String, with annotations: ImportedAnnotations,
      note: Properties
    ) throws(ReportedError) -> (counts: UpdateCounts, layer: String) {
      throw withoutPostgreSQL
    }

    package static func held(
      _ address: String, layer name: String
    ) throws(ReportedError) -> (note: Properties, count: Int)? { throw withoutPostgreSQL }

    package static func hasPlaces(
      _ address: String, layer name: String
    ) throws(ReportedError) -> Bool? { throw withoutPostgreSQL }

    package static func heldLayers(
      _ address: String
    ) throws(ReportedError) -> [(layer: String, held: HeldLayer)] {
      throw withoutPostgreSQL
    }

    package static func drop(_ address: String, layer name: String) throws(ReportedError) {
      throw withoutPostgreSQL
    }

    package static func changeNote(
      _ address: String, layer name: String, _ body: (inout Properties) -> Void
    ) throws(ReportedError) { throw withoutPostgreSQL }

    package static func schema() throws(ReportedError) -> String { throw withoutPostgreSQL }

    private static let withoutPostgreSQL = ReportedError(
      "no-postgres",
      "nearby was built without the trait PostgreSQL; build it with it: swift build -c release --traits default,PostgreSQL",
      fault: .usage)
  }
#endif

/// What is remembered of a layer on a server and how many annotations it has, or why it cannot be read.
package typealias HeldLayer = Result<(note: Properties, count: Int), ReportedError>
