#if CommandLine && PostgreSQL
  import AnnotationImport
  import GeoJSONCoding
  import MapAnnotations
  import NearbySearch
  import PostGISStore
  import TextMaps

  /// Layers in PostgreSQL as sources, by their address in the place of a file's name.
  enum PostgresSource {
    /// Whether a name is an address.
    static func answers(for file: FileName) -> Bool { PostGISStore.isAddress(file.text) }

    /// A source as messages and stores name it: of an address the server and database, without a password.
    static func shown(_ file: FileName) -> String {
      guard answers(for: file) else { return file.text }
      return (try? PostGISStore(file.text).server) ?? "postgres"
    }

    private static func layer(
      of file: FileName, named name: String?
    ) throws(PostGISError) -> PostGISLayer {
      try PostGISStore(file.text).layer(named: name)
    }

    /// All features of a layer, and its server's name, which has no password.
    static func features(
      of file: FileName, layer name: String?
    ) throws(CommandError) -> (text: [UInt8], source: FileName) {
      do throws(PostGISError) {
        let layer = try layer(of: file, named: name)
        return (try layer.features(), FileName(bytes: Array("\(layer)".utf8)))
      } catch {
        throw CommandError(error)
      }
    }

    /// An index of a few annotations that contain the answer to a question.
    static func index(
      of file: FileName, _ reading: SourceReading, for question: Question
    ) throws(CommandError) -> OpenedIndex {
      do {
        let layer = try layer(of: file, named: reading.layer)
        var query = question.query
        // The cursor of the next page is worked out only where a page is asked for.
        if query.after == nil, !query.isPerKind { query.after = "" }
        let found = try layer.candidates(
          for: query, in: QueryContext(hours: question.open?.clocks.reader))
        var opened = OpenedIndex(AnnotationIndex(forOneQuestion: found.annotations))
        opened.fields = found.columns
        opened.missing = found.missing
        opened.replicaLag = found.lag
        return opened
      } catch let error as PostGISError {
        throw CommandError(error)
      } catch let error as QueryError {
        throw CommandError(error, in: question.condition)
      } catch {
        throw CommandError("postgres", "\(error)", status: .inputOutput)
      }
    }

    /// The SQL that makes the tables.
    static func schema() throws(CommandError) -> String { PostGISSchema.script }

    /// Puts annotations into a layer, in the place of what was there.
    ///
    /// - Parameter note: What is remembered of where they are from.
    /// - Returns: How many there are, and where.
    static func replace(
      _ address: String, layer name: String, with annotations: ImportedAnnotations,
      note: Properties
    ) throws(CommandError) -> (count: Int, layer: String) {
      do throws(PostGISError) {
        let store = try PostGISStore(address, timeLimit: 3_600_000)
        try store.prepare()
        let layer = try store.layer(named: name, makingIt: true)
        return (try layer.replace(with: annotations, note: text(note)), "\(layer)")
      } catch {
        throw CommandError(error)
      }
    }

    /// What is remembered of where a layer is from, and how many annotations it has; nil where there is no such layer.
    static func held(
      _ address: String, layer name: String
    ) throws(CommandError) -> (note: Properties, count: Int)? {
      do throws(PostGISError) {
        let store = try PostGISStore(address)
        let layer = try store.layer(named: name)
        // An earlier version may have made it, which remembered nothing.
        try store.prepare()
        let note = try? PropertyValue(json: Array(try layer.note().utf8))
        guard case .object(let members)? = note else { return (Properties(), try layer.count()) }
        return (members, try layer.count())
      } catch {
        switch error.reason {
        case .notAStore, .unknownLayer: return nil
        default: throw CommandError(error)
        }
      }
    }

    /// Remembers where a layer is from.
    static func remember(
      _ note: Properties, _ address: String, layer name: String
    ) throws(CommandError) {
      do throws(PostGISError) {
        try PostGISStore(address).layer(named: name).remember(text(note))
      } catch {
        throw CommandError(error)
      }
    }

    private static func text(_ note: Properties) -> String {
      var writer = JSONWriter()
      writer.value(.object(note))
      return writer.text
    }
  }

  extension CommandError {
    fileprivate init(_ error: PostGISError) {
      let status: ExitStatus =
        switch error.reason {
        case .address, .unknownLayer, .severalLayers, .badLayerName: .usage
        case .unreachable, .partUnreachable, .busy: .unavailable
        case .denied, .notAStore: .noInput
        case .newer, .zeroCharacter, .unreadableRow: .badData
        case .timeLimit, .statement: .inputOutput
        }
      self.init(error.code, TerminalText.sanitized(error.description), status: status)
    }
  }
#elseif CommandLine
  import AnnotationImport
  import MapAnnotations

  /// The program without PostgreSQL: what remains when the trait `PostgreSQL` is off.
  enum PostgresSource {
    static func answers(for file: FileName) -> Bool {
      file.text.hasPrefix("postgres://") || file.text.hasPrefix("postgresql://")
    }

    static func shown(_ file: FileName) -> String { answers(for: file) ? "postgres" : file.text }

    static func features(
      of file: FileName, layer name: String?
    ) throws(CommandError) -> (text: [UInt8], source: FileName) { throw withoutPostgreSQL }

    static func index(
      of file: FileName, _ reading: SourceReading, for question: Question
    ) throws(CommandError) -> OpenedIndex { throw withoutPostgreSQL }

    static func replace(
      _ address: String, layer name: String, with annotations: ImportedAnnotations,
      note: Properties
    ) throws(CommandError) -> (count: Int, layer: String) { throw withoutPostgreSQL }

    static func held(
      _ address: String, layer name: String
    ) throws(CommandError) -> (note: Properties, count: Int)? { throw withoutPostgreSQL }

    static func remember(
      _ note: Properties, _ address: String, layer name: String
    ) throws(CommandError) { throw withoutPostgreSQL }

    static func schema() throws(CommandError) -> String { throw withoutPostgreSQL }

    private static let withoutPostgreSQL = CommandError(
      "no-postgres",
      "nearby was built without the trait PostgreSQL; build it with it: swift build -c release --traits default,PostgreSQL",
      status: .usage)
  }
#endif
