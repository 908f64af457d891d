#if PostgreSQL
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbySearch

  /// Fetched annotations, and the distance up to which they are complete.
  package struct Candidates {
    package let annotations: ImportedAnnotations
    private let context: QueryContext<ImportedAnnotation>
    /// The names of all properties that annotations of the layer have or had.
    package var columns: [String] { context.columns }
    /// An index instead of a scan: so distances equal those from an index of all annotations to the last bit.
    private let index: AnnotationIndex<ImportedAnnotations>
    /// All other annotations are farther than this; infinite if there are none.
    var reach = Double.infinity
    /// The servers that did not answer, and the minimum distance of their annotations from the origin.
    ///
    /// No servers if all that they have is farther away than the query asks for: only how far the origin may move is
    /// unknown then.
    package var missing: (servers: [String], clearance: Distance)?
    /// The kinds that annotations of the layer have or had.
    package var kinds: [AnnotationKind] = []
    /// How many seconds of changes may be missing, if a replica was queried.
    package var lag: Double?

    init(
      _ annotations: ImportedAnnotations, _ context: QueryContext<ImportedAnnotation>,
      reach: Double = .infinity
    ) {
      self.annotations = annotations
      self.context = context
      self.reach = reach
      var shortcuts: IndexingShortcuts = [.unindexedKinds, .unsortedPositions]
      if annotations.idsAscend { shortcuts.insert(.idsAscend) }
      index = AnnotationIndex(annotations, shortcuts: shortcuts)
    }

    /// Reads the features in the first column of some rows, sorted by the ranks in the second, so that ids ascend.
    ///
    /// - Parameter limit: The maximum number of features.
    init(
      _ rows: PostgreSQLRows?, limit: Int, of layer: PostGISLayer,
      _ context: QueryContext<ImportedAnnotation>, reach: Double
    ) throws(PostGISError) {
      var found: [(rank: UnsafeBufferPointer<UInt8>, feature: UnsafeBufferPointer<UInt8>)] = []
      for row in 0..<(rows?.count ?? 0) {
        guard let feature = rows?.bytes(row, 0), let rank = rows?.bytes(row, 1) else { continue }
        found.append((rank, feature))
      }
      found.sort { $0.rank.lexicographicallyPrecedes($1.rank) }
      let annotations = try withExtendedLifetime(rows) { () throws(PostGISError) in
        try Candidates.annotations(found.prefix(limit).map(\.feature), of: layer)
      }
      self.init(annotations, context, reach: reach)
    }

    private static func annotations(
      _ features: [UnsafeBufferPointer<UInt8>], of layer: PostGISLayer
    ) throws(PostGISError) -> ImportedAnnotations {
      var stored = StoredFeatures(tellAnnotations: true)
      for feature in features { stored.append(line: feature) }
      var options = ImportOptions()
      options.requiresPositions = false
      options.allowsNullIsland = true
      options.isStrict = true
      do throws(ImportError) {
        let result = try AnnotationImporter(options: options).read(
          [.features(stored)], named: layer.description)
        // Row numbers are valid only within this answer.
        return result.annotations.withoutOrigins
      } catch {
        // The error as a whole names an option that nobody chose.
        let example = error.report?.examples[error.code]
        throw PostGISError(layer.store.server, .unreadableRow(example ?? "\(error)"))
      }
    }

    func answer(_ query: NearbyQuery) throws(QueryError) -> NearbyAnswer<ImportedAnnotation> {
      try index.answer(query, in: context).lacking(missing, in: query, lag: lag)
    }

    /// The answer of rows that are not all; nil if a property of theirs has another type than a condition compares with,
    /// which others may have.
    func answerSoFar(_ query: NearbyQuery) throws(QueryError) -> NearbyAnswer<ImportedAnnotation>? {
      do throws(QueryError) {
        return try answer(query)
      } catch .condition(let error) where error.reason == .type {
        return nil
      }
    }
  }
#endif
