#if PostgreSQL
  import AnnotationImport
  import Geodesy
  import MapAnnotations
  import NearbySearch

  extension PostGISLayer: AnnotationSearching {
    /// What answers are made of.
    public typealias Item = ImportedAnnotation

    /// Answers a query, exactly as an index of the same annotations does.
    ///
    /// PostgreSQL finds some annotations among which the answer is; which of them they are, and in what order, is
    /// worked out here, by the same code as everywhere.
    ///
    /// Where a server of some partitions does not answer within the store's time, the answer is what the others have:
    /// `missing` names it, and says how many results are certain without it.
    ///
    /// - Throws: `QueryError`; its `source` where the server cannot be asked.
    /// - Complexity: Two statements, the second of which fetches some 2*k* rows, and perhaps a third, for the nearest
    ///   without a condition; with one, as many rows as are looked at until *k* are found. All that lie in the area
    ///   where the answer is ordered otherwise, or counted.
    public func answer(
      _ query: NearbyQuery, in context: QueryContext<ImportedAnnotation>
    ) throws(QueryError) -> NearbyAnswer<ImportedAnnotation> {
      try CandidateSearch.candidates(for: query, context, in: self).answer(query)
    }

    /// Annotations among which the answer to a query is.
    ///
    /// - Parameter context: What the query does not say.
    /// - Returns: The annotations, the properties that those of the layer have or had, the servers that did not answer,
    ///   with how far from the origin all is that they have, and how many seconds a replica may be behind.
    package func candidates(
      for query: NearbyQuery, in context: QueryContext<ImportedAnnotation>
    ) throws(QueryError) -> (
      annotations: ImportedAnnotations, columns: [String],
      missing: (servers: [String], clearance: Distance)?, lag: Double?
    ) {
      let found = try CandidateSearch.candidates(for: query, context, in: self)
      return (found.annotations, found.context.columns, found.missing, found.lag)
    }
  }
#endif
