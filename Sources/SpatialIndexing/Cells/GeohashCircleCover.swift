import Geodesy

/// The cells of one precision that may hold positions within a distance of a center, in the order
/// of their names.
///
/// Each position within the radius, measured on WGS 84 and the edge included, lies in one of these
/// cells. A few cells may lie just outside: what is left out is proved to be too far, by a lower
/// bound that is at most 0.34 % and 1 m short of the distance. Poles inside the circle and ±180°
/// need nothing special.
///
///     let cells = GeohashCircleCover(around: cityHall, radius: .kilometers(2), precision: 6)
///
/// The cells are made one by one as they are asked for; take a `prefix` where the radius comes from
/// outside.
public struct GeohashCircleCover: Sequence, Sendable {
  /// Where the circle's middle is.
  public let center: Coordinate
  /// How far the circle reaches on the ground.
  public let radius: Distance
  /// The number of characters of each cell, 1…12.
  public let precision: Int

  /// - Parameters:
  ///   - center: Where distances are measured from.
  ///   - radius: Not negative; infinity asks for every cell of the Earth.
  ///   - precision: The number of characters.
  /// - Precondition: `precision` is 1…12 and `radius` at least 0.
  /// - Complexity: O(1). Each cell then takes O(`precision`) tests of a fraction of a microsecond.
  public init(around center: Coordinate, radius: Distance, precision: Int) {
    precondition(
      Geohash.legalPrecisions.contains(precision), "geohash precision \(precision); use 1…12")
    precondition(radius >= .zero, "a circle of radius \(radius)")
    self.center = center
    self.radius = radius
    self.precision = precision
  }

  /// Begins with the cell whose name is first.
  public func makeIterator() -> Iterator {
    Iterator(descent: GeohashDescent(area: self, precision: precision))
  }

  /// Yields the cells in the order of their names.
  public struct Iterator: IteratorProtocol {
    var descent: GeohashDescent<GeohashCircleCover>

    /// The next cell, `nil` after the last.
    public mutating func next() -> Geohash? { descent.next() }
  }
}

extension GeohashCircleCover: GeohashArea {
  func touches(_ block: GeohashBlock) -> Bool {
    block.box.leastDistance(from: center) <= radius
  }
}
