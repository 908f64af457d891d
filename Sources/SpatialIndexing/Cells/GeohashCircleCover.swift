import Geodesy

/// The cells of one precision that may contain positions within a distance of a center, in name
/// order.
///
/// Each position within the radius, measured on WGS 84 and the edge included, lies in one of these
/// cells. A few cells may lie just outside: a cell is left out only if a lower bound, at most
/// 0.34 % and 1 m short of the distance, proves it too far. Poles inside the circle and ±180° need no
/// special care.
///
///     let cells = GeohashCircleCover(around: cityHall, radius: .kilometers(2), precision: 6)
///
/// Cells are generated lazily; take a `prefix` if the radius is untrusted.
public struct GeohashCircleCover: Sequence, Sendable {
  /// The center of the circle.
  public let center: Coordinate
  /// The radius of the circle on the ground.
  public let radius: Distance
  /// The number of characters of each cell, 1…12.
  public let precision: Int

  /// - Parameters:
  ///   - center: Where distances are measured from.
  ///   - radius: Not negative; infinity covers the whole Earth.
  ///   - precision: The number of characters.
  /// - Precondition: `precision` is 1…12 and `radius` at least 0.
  /// - Complexity: O(1). Each cell then takes O(`precision`) tests, each a fraction of a
  ///   microsecond.
  public init(around center: Coordinate, radius: Distance, precision: Int) {
    precondition(
      Geohash.legalPrecisions.contains(precision), "geohash precision \(precision); use 1…12")
    precondition(radius >= .zero, "a circle of radius \(radius)")
    self.center = center
    self.radius = radius
    self.precision = precision
  }

  /// Begins with the cell whose name comes first.
  public func makeIterator() -> Iterator {
    Iterator(descent: GeohashDescent(area: self, precision: precision))
  }

  /// Yields the cells in name order.
  public struct Iterator: IteratorProtocol {
    var descent: GeohashDescent<GeohashCircleCover>

    /// The next cell; `nil` after the last.
    public mutating func next() -> Geohash? { descent.next() }
  }
}

extension GeohashCircleCover: GeohashArea {
  func touches(_ block: GeohashBlock) -> Bool {
    block.box.leastDistance(from: center) <= radius
  }
}
