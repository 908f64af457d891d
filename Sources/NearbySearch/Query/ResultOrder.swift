import Geodesy
import MapAnnotations

/// What results are ordered by.
///
/// Ties are broken by further fields, if there are any, then by (distance, id) where there is a distance, otherwise by
/// id; equal ids by source and record number. So the order is total, and its pages neither lose nor repeat results.
public struct ResultOrder: Hashable, Sendable {
  /// What results are ordered by first.
  public enum Key: Hashable, Sendable {
    /// The id alone: the default without an origin.
    case id
    /// The distance from the query's origin.
    case distance
    /// The value of a field: numbers by their exact values first, then truth values, then texts by their UTF-8 bytes;
    /// annotations without a value come last in both directions.
    case field(Condition.Field)
  }

  /// A field that breaks ties.
  public struct Tie: Hashable, Sendable {
    /// The field; its values are ordered like those of ``Key/field(_:)``, ids like ``Key/id``.
    public let field: Condition.Field
    /// Whether the greatest values come first.
    public let isDescending: Bool

    /// Makes a rule for ties.
    public init(_ field: Condition.Field, isDescending: Bool = false) {
      self.field = field
      self.isDescending = isDescending
    }
  }

  /// What results are ordered by first.
  public let key: Key
  /// Whether the greatest values come first.
  public let isDescending: Bool
  /// The width of distance bands, each of which is sorted separately: the nearest band first,
  /// `band` · *n* inclusive to `band` · (*n* + 1) exclusive; nil for no bands.
  public let band: Distance?
  /// The fields that break ties, in order.
  public let ties: [Tie]

  /// Makes an order.
  ///
  /// - Parameters:
  ///   - key: What to order by.
  ///   - isDescending: Whether the greatest comes first.
  ///   - band: The width of the distance bands that are ordered one after the other; nil for no bands.
  ///   - ties: The fields that break ties before distance and id do; after the id, those of equal ids.
  /// - Precondition: `band` is at least `leastBand`.
  public init(
    _ key: Key, isDescending: Bool = false, band: Distance? = nil, ties: [Tie] = []
  ) {
    precondition(
      band.map { $0 >= ResultOrder.leastBand } ?? true,
      "bands of \(band?.meters ?? 0) m; take at least \(ResultOrder.leastBand.meters) m")
    self.key = key
    self.isDescending = isDescending
    self.band = band
    self.ties = ties
  }

  /// The narrowest band, 1 mm: bands are counted, and no distance is reported more precisely.
  public static let leastBand = Distance.meters(0.001)

  /// By ascending distance, ties by id.
  public static let distance = ResultOrder(.distance)
  /// By ascending id.
  public static let id = ResultOrder(.id)

  /// Whether an origin is needed.
  public var measuresDistance: Bool {
    if band != nil || key == .distance { return true }
    return fields.contains { $0.name == .common(.distance) }
  }
}

extension ResultOrder {
  /// The fields that the order reads.
  var fields: [Condition.Field] {
    var fields = ties.map(\.field)
    if case .field(let field) = key { fields.insert(field, at: 0) }
    return fields
  }
}

extension ResultOrder: CustomStringConvertible {
  /// The order as `--sort` takes it, and the width of its bands: `rating:desc,name in bands of 200 m`.
  public var description: String {
    words + (band.map { " in bands of \(plainDecimal($0.meters)) m" } ?? "")
  }
}
