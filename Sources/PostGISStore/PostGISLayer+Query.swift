#if PostgreSQL
  import AnnotationImport
  import NearbySearch

  extension PostGISLayer: AnnotationSearching {
    /// The type of annotations in answers.
    public typealias Item = ImportedAnnotation

    /// Answers a query exactly as an index of the same annotations does.
    ///
    /// PostgreSQL finds candidates that contain the answer. Selecting and ordering the results is done here, by the
    /// same code as for an index.
    ///
    /// If a server of some partitions does not answer within the store's time limit, the answer comes from the others:
    /// `missing` names the server, and says how many results are certain without it.
    ///
    /// - Throws: `QueryError`; its `source` if the server cannot be queried.
    /// - Complexity: For the nearest without a condition, two statements, the second of which fetches about 2*k* rows,
    ///   and perhaps a third. With a condition, as many rows as are examined until *k* are found. If the answer is
    ///   ordered otherwise, or counted, all rows in the area.
    public func answer(
      _ query: NearbyQuery, in context: QueryContext<ImportedAnnotation>
    ) throws(QueryError) -> NearbyAnswer<ImportedAnnotation> {
      try candidates(for: query, in: context).answer(query)
    }

    /// Candidates that contain the answer to a query.
    ///
    /// - Parameter context: The context of the query.
    package func candidates(
      for query: NearbyQuery, in context: QueryContext<ImportedAnnotation>
    ) throws(QueryError) -> Candidates {
      try CandidateSearch.candidates(for: query, context, in: self)
    }
  }
#endif
