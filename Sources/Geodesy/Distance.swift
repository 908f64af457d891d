/// A length on the ground whose unit is explicit.
///
///     let walk = Distance.meters(800)
///     print(walk < .kilometers(1))  // true
public struct Distance: Hashable, Comparable, Sendable {
  /// The length in meters; never NaN nor −0, may be infinite.
  public let meters: Double

  /// - Precondition: `meters` is not NaN.
  public static func meters(_ meters: Double) -> Distance { Distance(meters) }
  /// - Precondition: `kilometers` is not NaN.
  public static func kilometers(_ kilometers: Double) -> Distance { Distance(kilometers * 1_000) }
  /// International miles of 1,609.344 m.
  ///
  /// - Precondition: `miles` is not NaN.
  public static func miles(_ miles: Double) -> Distance { Distance(miles * 1_609.344) }

  /// A length of 0.
  public static let zero = Distance(0)
  /// Longer than any distance on the Earth.
  public static let infinity = Distance(.infinity)

  private init(_ meters: Double) {
    precondition(!meters.isNaN, "a distance cannot be NaN")
    // Adding 0 turns −0 into 0.
    self.meters = meters + 0
  }

  /// The length in kilometers.
  public var kilometers: Double { meters / 1_000 }

  /// Whether the left length is the shorter.
  public static func < (left: Distance, right: Distance) -> Bool { left.meters < right.meters }
  /// The sum of two lengths.
  ///
  /// - Precondition: They are not ∞ and −∞.
  public static func + (left: Distance, right: Distance) -> Distance {
    Distance(left.meters + right.meters)
  }
  /// The difference of two lengths; may be negative.
  ///
  /// - Precondition: They are not both ∞ or both −∞.
  public static func - (left: Distance, right: Distance) -> Distance {
    Distance(left.meters - right.meters)
  }
  /// The length multiplied by a number.
  ///
  /// - Precondition: `factor` is not NaN, and not 0 for an infinite length nor infinite for 0.
  public static func * (left: Distance, factor: Double) -> Distance {
    Distance(left.meters * factor)
  }
  /// The length divided by a number.
  ///
  /// - Precondition: `divisor` is not NaN, and not infinite for an infinite length nor 0 for 0.
  public static func / (left: Distance, divisor: Double) -> Distance {
    Distance(left.meters / divisor)
  }
}

extension Distance: CustomStringConvertible {
  /// The length in meters, as `639.337 m`.
  public var description: String { "\(meters) m" }
}

// MARK: - Ranges

/// The distances between which results lie: beyond one, exclusive, up to another, inclusive.
///
/// So two ranges that share an end neither overlap nor leave a gap.
public struct DistanceRange: Hashable, Sendable {
  /// Farther than this; nil for no such limit.
  public var beyond: Distance?
  /// The greatest distance; infinite for no such limit.
  public var within: Distance

  /// A range; empty where `beyond` is not less than `within`.
  @inlinable
  public init(beyond: Distance? = nil, within: Distance = .infinity) {
    self.beyond = beyond
    self.within = within
  }

  /// Whether a distance lies in the range.
  @inlinable
  public func contains(_ distance: Distance) -> Bool {
    distance <= within && beyond.map { distance > $0 } ?? true
  }

  /// Whether it contains every distance.
  package var isEverything: Bool { within == .infinity && beyond == nil }

  /// The distances in both ranges.
  package func intersection(_ other: DistanceRange) -> DistanceRange {
    DistanceRange(
      beyond: [beyond, other.beyond].compactMap { $0 }.max(), within: min(within, other.within))
  }
}

// MARK: - On the Earth

extension DistanceRange {
  /// A length in meters that no geodesic reaches, however it is rounded.
  package static let longestGeodesic = WGS84.longestDistance + 1

  /// The range without limits that hold for every two positions on the Earth.
  package var effective: DistanceRange {
    DistanceRange(
      beyond: beyond.flatMap { $0 < .zero ? nil : $0 },
      within: within.meters < DistanceRange.longestGeodesic ? within : .infinity)
  }

  /// Whether no position can lie in the range.
  package var isEmpty: Bool {
    guard within >= .zero else { return true }
    guard let beyond else { return false }
    return beyond >= within || beyond.meters >= DistanceRange.longestGeodesic
  }
}
