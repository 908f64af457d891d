import Geodesy
import MapAnnotations
import SpatialIndexing

extension AnnotationSearching {
  /// Answers one query from many origins, on all cores: for example, the two nearest stops of each shop.
  ///
  ///     let stops = try await index.answers(NearbyQuery(from: anywhere, limit: 2), from: shops)
  ///
  /// Origins are taken in spatial order, so that each finds in the processor's caches what the one before it has read.
  ///
  /// - Parameters:
  ///   - query: The query; its own origin is ignored.
  ///   - origins: Where distances are measured from, one answer each.
  ///   - context: What the query does not say.
  /// - Returns: One answer for each origin, in their order.
  /// - Throws: ``QueryError``, where the query does not fit the annotations.
  public func answers(
    _ query: NearbyQuery, from origins: [Coordinate],
    in context: QueryContext<Item> = QueryContext()
  ) async throws(QueryError) -> [NearbyAnswer<Item>] {
    let results = await mappedInSpatialOrder(origins) { place in
      var query = query
      query.origin = origins[place]
      do throws(QueryError) {
        return Result<NearbyAnswer<Item>, QueryError>.success(try answer(query, in: context))
      } catch {
        return .failure(error)
      }
    }
    return try results.map { (result) throws(QueryError) in try result.get() }
  }
}
