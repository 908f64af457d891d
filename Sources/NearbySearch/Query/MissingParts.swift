import Geodesy

/// The servers that could not be reached, and how much of an answer is certain without them.
///
/// Such an answer is not simply shorter: it says which servers did not answer, and how many of its
/// first results would be the same with them.
public struct MissingParts: Hashable, Sendable, Codable {
  /// The names of the servers that did not answer, in order.
  public let names: [String]
  /// How many of the first results would be the same with them.
  ///
  /// 0 where results are not ordered by distance: then anything may be missing anywhere.
  public let certainCount: Int

  /// Says by hand what is missing, for previews and tests.
  ///
  /// nil if there are none, as where what they hold is too far away to matter.
  ///
  /// - Parameters:
  ///   - names: The servers that did not answer.
  ///   - certainCount: How many of the first results are certain.
  public init(names: [String], certainCount: Int) {
    self.names = names.sorted()
    self.certainCount = certainCount
  }

  /// nil if there are none, as where what they hold is too far away to matter.
  ///
  /// - Parameters:
  ///   - names: The servers that did not answer.
  ///   - clearance: The least distance from the origin to anything that they hold.
  ///   - query: The query.
  ///   - distances: The distances of the results, in their order.
  package init?(
    names: [String], clearance: Distance, in query: NearbyQuery,
    distances: some Sequence<Distance>
  ) {
    guard !names.isEmpty else { return nil }
    let isByDistance = query.origin != nil && query.order == nil && !query.isPerKind
    self.init(
      names: names,
      certainCount: isByDistance ? distances.prefix { $0 < clearance }.count : 0)
  }
}

extension NearbyAnswer {
  /// The answer with what several servers, or a replica of one, do not know.
  ///
  /// - Parameters:
  ///   - missing: The servers that did not answer, and the least distance from the origin to anything that they hold;
  ///     nil for none. Otherwise, how far the answer holds is unknown. No servers if what they hold is too far away to
  ///     be in the answer.
  ///   - query: The query.
  ///   - lag: For how many seconds changes may be missing from it; nil where it is not from a replica.
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
