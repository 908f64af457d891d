import BusinessHours
import Geodesy
import MapAnnotations
import SpatialIndexing

extension NearbyAnswer: Encodable where Item: Encodable {
  /// Encodes an object of `results`, each as a `NearbyResult` without its origin, `origin`, `validRadius` in meters,
  /// `validUntil` in seconds, `passedOver`, `next`, `facets`, `matched`, `missing` and `replicaLag` in seconds.
  ///
  /// What is nil or empty is left out, except `results`. How the answer was found (`statistics`, `plan`) is left out,
  /// as by `==`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnswerKey.self)
    try container.encode(map { CodedResult($0, origin: nil) }, forKey: .results)
    try container.encodeIfPresent(origin, forKey: .origin)
    try container.encodeIfPresent(validRadius, forKey: .validRadius)
    try container.encodeIfPresent(validUntil, forKey: .validUntil)
    try container.encodeUnlessEmpty(passedOver, forKey: .passedOver)
    try container.encodeIfPresent(next, forKey: .next)
    try container.encodeUnlessEmpty(facets, forKey: .facets)
    try container.encodeIfPresent(matched, forKey: .matched)
    try container.encodeIfPresent(missing, forKey: .missing)
    try container.encodeIfPresent(replicaLag, forKey: .replicaLag)
  }
}

extension NearbyAnswer: Decodable where Item: Decodable {
  /// Decodes what `encode(to:)` writes, with results in the order in which they are written.
  ///
  /// - Throws: `DecodingError`, as its parts do, and where some results have an `openStatus` and others do not.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnswerKey.self)
    let results = try container.decode([CodedResult<Item>].self, forKey: .results)
    let statuses = results.compactMap(\.openStatus)
    guard statuses.isEmpty || statuses.count == results.count else {
      throw decoder.refusal(
        "\(statuses.count) of \(results.count) results have an openStatus; give all of them one, or none"
      )
    }
    self.init(
      results.enumerated().map { Neighbor(offset: $0, distance: $1.distance ?? .infinity) },
      on: AnnotationShelf(results.map(\.annotation)),
      from: try container.decodeIfPresent(Coordinate.self, forKey: .origin),
      validRadius: try container.decodeIfPresent(Distance.self, forKey: .validRadius))
    openStatuses = statuses
    validUntil = try container.decodeIfPresent(Instant.self, forKey: .validUntil)
    passedOver =
      try container.decodeIfPresent([NearbyResult<Item>].self, forKey: .passedOver) ?? []
    next = try container.decodeIfPresent(String.self, forKey: .next)
    facets = try container.decodeIfPresent([Facet].self, forKey: .facets) ?? []
    matched = try container.decodeIfPresent(Int.self, forKey: .matched)
    if let matched, matched < 0 {
      throw decoder.refusal("nothing matches \(matched) times; give 0 or more as matched")
    }
    missing = try container.decodeIfPresent(MissingParts.self, forKey: .missing)
    replicaLag = try container.decodeIfPresent(Double.self, forKey: .replicaLag)
  }
}

private enum AnswerKey: String, CodingKey {
  case results, origin, validRadius, validUntil, passedOver, next, facets, matched, missing,
    replicaLag
}

extension NearbyResult: Encodable where Item: Encodable {
  /// Encodes `{"annotation": …, "distance": 639.337, "origin": …, "openStatus": …}`; an infinite distance, and what is
  /// nil, is left out.
  public func encode(to encoder: any Encoder) throws {
    try CodedResult(self, origin: origin).encode(to: encoder)
  }
}

extension NearbyResult: Decodable where Item: Decodable {
  /// - Throws: `DecodingError`, as its parts do.
  public init(from decoder: any Decoder) throws {
    let result = try CodedResult<Item>(from: decoder)
    self.init(
      Neighbor(offset: 0, distance: result.distance ?? .infinity),
      on: AnnotationShelf([result.annotation]), from: result.origin,
      openStatus: result.openStatus)
  }
}

/// The encoded form of a result.
private struct CodedResult<Item: Annotation> {
  let annotation: Item
  /// nil for an infinite distance.
  let distance: Distance?
  let origin: Coordinate?
  let openStatus: OpenStatus?

  init(_ result: NearbyResult<Item>, origin: Coordinate?) {
    annotation = result.annotation
    distance = result.distance == .infinity ? nil : result.distance
    self.origin = origin
    openStatus = result.openStatus
  }
}

extension CodedResult: Encodable where Item: Encodable {}
extension CodedResult: Decodable where Item: Decodable {}

extension OpenStatus: Codable {
  private enum Key: String, CodingKey { case instant, state, business, comment, nextChange, opens }

  /// Encodes `{"instant": 1795435200, "state": "open", "nextChange": 1795456800}`, with instants in seconds.
  ///
  /// What is nil is left out, as is `business` where it is unknown.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(instant, forKey: .instant)
    try container.encode(state, forKey: .state)
    if business != .unknown { try container.encode(business, forKey: .business) }
    try container.encodeIfPresent(comment, forKey: .comment)
    try container.encodeIfPresent(nextChange, forKey: .nextChange)
    try container.encodeIfPresent(opens, forKey: .opens)
  }

  /// - Throws: `DecodingError`, as its parts do.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      instant: try container.decode(Instant.self, forKey: .instant),
      state: try container.decode(OpenState.self, forKey: .state),
      comment: try container.decodeIfPresent(String.self, forKey: .comment),
      nextChange: try container.decodeIfPresent(Instant.self, forKey: .nextChange),
      opens: try container.decodeIfPresent(Instant.self, forKey: .opens))
    business = try container.decodeIfPresent(BusinessStatus.self, forKey: .business) ?? .unknown
  }
}

extension MissingParts: Decodable {
  private enum Key: String, CodingKey { case names, certainCount }

  /// Decodes `{"names": ["seoul"], "certainCount": 2}`.
  ///
  /// - Throws: `DecodingError` for a count below 0.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let count = try container.decode(Int.self, forKey: .certainCount)
    guard count >= 0 else {
      throw decoder.refusal("\(count) results cannot be certain; give 0 or more as certainCount")
    }
    self.init(names: try container.decode([String].self, forKey: .names), certainCount: count)
  }
}

extension Facet.Count: Decodable {
  private enum Key: String, CodingKey { case value, count }

  /// Decodes `{"value": "mart", "count": 12}`; a value of nil is left out.
  ///
  /// - Throws: `DecodingError` for a count below 0.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let count = try container.decode(Int.self, forKey: .count)
    guard count >= 0 else {
      throw decoder.refusal("nothing is counted \(count) times; give 0 or more")
    }
    self.init(value: try container.decodeIfPresent(String.self, forKey: .value), count: count)
  }
}
