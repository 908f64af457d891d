#if PostgreSQL
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbySearch

  /// Fetched annotations, and the distance up to which they are complete.
  struct Candidates {
    let annotations: ImportedAnnotations
    let context: QueryContext<ImportedAnnotation>
    /// An index instead of a scan: so distances equal those from an index of all annotations to the last bit.
    private let index: AnnotationIndex<ImportedAnnotations>
    /// All other annotations are farther than this; infinite if there are none.
    var reach = Double.infinity
    /// The servers that did not answer, and the minimum distance of their annotations from the origin.
    var missing: (servers: [String], clearance: Distance)?
    /// How many seconds of changes may be missing, if a replica was queried.
    var lag: Double?

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

    func answer(_ query: NearbyQuery) throws(QueryError) -> NearbyAnswer<ImportedAnnotation> {
      try index.answer(query, in: context).lacking(missing, in: query, lag: lag)
    }
  }
#endif
