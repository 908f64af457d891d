import Geodesy

/// The servers that could not be asked, and how much of an answer is certain without them.
///
/// Such an answer is not simply shorter: it says which servers did not answer, and how many of its
/// first results would be the same with them.
public struct MissingParts: Hashable, Sendable, Codable {
  /// The names of the servers that did not answer, in order.
  public let names: [String]
  /// How many of the first results would be the same with them.
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
