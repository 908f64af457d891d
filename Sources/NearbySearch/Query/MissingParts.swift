import Geodesy

/// What could not be asked, and how much of an answer is certain without it.
///
/// An answer that has one is never simply shorter: it says which servers did not answer, and up to where nothing that
/// they hold could have come between the results.
public struct MissingParts: Hashable, Sendable, Codable {
  /// The names of what did not answer, as servers, in order.
  public let names: [String]
  /// How many results from the first on would be the same with it.
  ///
  /// 0 where results are not ordered by distance: anything may be missing anywhere then.
  public let certainCount: Int

  /// - Parameters:
  ///   - names: Of what did not answer.
  ///   - clearance: How far from the origin all is that they hold, at least.
  ///   - query: What was asked.
  ///   - distances: Those of the results, in their order.
  package init(
    names: [String], clearance: Distance, in query: NearbyQuery,
    distances: some Sequence<Distance>
  ) {
    self.names = names.sorted()
    let isByDistance = query.origin != nil && query.order == nil && !query.isPerKind
    certainCount = isByDistance ? distances.prefix { $0 < clearance }.count : 0
  }
}

extension NearbyAnswer {
  /// The answer as what several servers, or a copy of one, know.
  ///
  /// - Parameters:
  ///   - missing: Those that did not answer, and how far from the origin all is that they have; nil for none. Nobody
  ///     knows then how long the answer holds.
  ///   - query: What was asked.
  ///   - lag: For how many seconds changes may not be in it; nil for what is no copy.
  package func lacking(
    _ missing: (servers: [String], clearance: Distance)?, in query: NearbyQuery, lag: Double?
  ) -> NearbyAnswer {
    if missing == nil, lag == nil { return self }
    var answer = self
    answer.replicaLag = lag
    if let missing {
      if origin != nil { answer.validRadius = .zero }
      answer.missing = MissingParts(
        names: missing.servers, clearance: missing.clearance, in: query, distances: map(\.distance))
    }
    return answer
  }
}
