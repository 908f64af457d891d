/// The smallest box around positions that arrive one by one and are not kept.
///
/// It is `BoundingBox(around:)` in constant memory of a megabyte: the westernmost and easternmost
/// position in each of 65,536 longitude bins. That finds every gap wider than a bin, 0.0055°;
/// without such a gap, the positions lie all round the Earth, and so does the box.
package struct GrowingBox {
  private static let parts = 65_536
  private static let width = 360.0 / Double(parts)

  private var south = 90.0, north = -90.0
  /// The extreme longitudes of each bin; infinite, with west > east, in an empty bin.
  private var west: [Double] = []
  private var east: [Double] = []

  package init() {}

  /// Extends the box to contain a position.
  package mutating func add(_ position: Coordinate) {
    if west.isEmpty {
      west = Array(repeating: .infinity, count: GrowingBox.parts)
      east = Array(repeating: -.infinity, count: GrowingBox.parts)
    }
    south = min(south, position.latitude)
    north = max(north, position.latitude)
    let longitude = position.longitude
    let part = min(GrowingBox.parts - 1, Int((longitude + 180) / GrowingBox.width))
    west[part] = min(west[part], longitude)
    east[part] = max(east[part], longitude)
  }

  /// The box; nil before the first position.
  package var box: BoundingBox? {
    let taken = zip(west, east).filter { $0 <= $1 }.map { (west: $0, east: $1) }
    guard let box = BoundingBox(around: taken, south, north) else { return nil }
    // A wider gap may lie within a bin.
    let isOpen = 360 - box.width > GrowingBox.width
    return isOpen ? box : BoundingBox(unchecked: south, -180, north, 180)
  }
}
