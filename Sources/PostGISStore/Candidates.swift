#if PostgreSQL
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbySearch

  /// Some annotations, and up to where there are no others.
  struct Candidates {
    let annotations: ImportedAnnotations
    let context: QueryContext<ImportedAnnotation>
    /// Not a scan: a distance is then the same to the last bit as that from an index of all.
    private let index: AnnotationIndex<ImportedAnnotations>
    /// What else there is is farther than this; infinite where there is nothing else.
    var reach = Double.infinity
    /// The servers that did not answer, and how far from the origin all is that they have.
    var missing: (servers: [String], clearance: Distance)?
    /// For how many seconds changes may be missing, where a replica was asked.
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
