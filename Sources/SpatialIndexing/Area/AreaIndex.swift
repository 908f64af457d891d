import Geodesy

/// An index of areas that finds those containing a position: the district of each shop.
///
///     let index = AreaIndex(districts)
///     index.areas(containing: shop)         // numbers, in the order the districts were given
///     index.smallestArea(containing: shop)  // the one that covers the least ground
///
/// Containment is that of `MultiPolygon.contains(_:)`: borders belong to an area, the insides of holes do
/// not, and rounding never decides. Areas may overlap or lie in one another.
///
/// The bounding boxes of all polygons are kept in a tree, so few polygons are tested for a position.
///
/// - Complexity: O(*n* + *v*) to build for *n* polygons of *v* vertices; about 40 bytes per polygon, besides
///   the areas themselves.
public struct AreaIndex: Sendable {
  /// The areas, in the order they were given: an area's number is its offset here.
  public let areas: [MultiPolygon]

  /// The polygons of all areas, and the area each belongs to.
  private let polygons: [Polygon]
  private let owners: [Int32]
  /// The ground each area covers, in square meters.
  private let sizes: [Double]
  private let boxes: BoxTree

  /// Builds an index.
  ///
  /// - Parameter areas: In any order; an area without polygons contains nothing.
  /// - Precondition: fewer than 2³⁰ polygons.
  public init(_ areas: [MultiPolygon]) {
    self.areas = areas
    polygons = areas.flatMap(\.polygons)
    precondition(polygons.count < 1 << 30, "\(polygons.count) polygons are too many")
    owners = areas.enumerated().flatMap { number, area in
      repeatElement(Int32(number), count: area.polygons.count)
    }
    sizes = areas.map(\.squareMeters)
    boxes = BoxTree(polygons.map(\.boundingBox))
  }

  /// The numbers of the areas that contain a position, ascending; borders belong to their areas.
  ///
  /// - Complexity: O(log *n* + *r*) expected for *r* polygons whose boxes contain the position, each of
  ///   which is tested: tens of nanoseconds for the outline of a country.
  public func areas(containing position: Coordinate) -> [Int] {
    var numbers: [Int] = []
    appendAreas(containing: position, to: &numbers)
    return numbers
  }

  /// Appends what `areas(containing:)` returns, so that millions of queries can share one array.
  package func appendAreas(containing position: Coordinate, to numbers: inout [Int]) {
    let start = numbers.count
    forEachOwner(of: position) { number in
      // If parts of an area touch, several may contain the position.
      if !numbers[start...].contains(number) { numbers.append(number) }
    }
    if numbers.count > start + 1 { numbers[start...].sort() }
  }

  /// The number of the area that contains a position and covers the least ground; nil if none contains it.
  ///
  /// If several are equally small, the first of them is returned.
  ///
  /// The ground an area covers is `MultiPolygon.squareMeters`.
  ///
  /// - Complexity: That of `areas(containing:)`.
  public func smallestArea(containing position: Coordinate) -> Int? {
    var smallest: Int?
    forEachOwner(of: position) { number in
      guard let best = smallest else { return smallest = number }
      if (sizes[number], number) < (sizes[best], best) { smallest = number }
    }
    return smallest
  }

  /// Calls `body` with the area number of each polygon that contains a position.
  @inline(__always)
  private func forEachOwner(of position: Coordinate, _ body: (Int) -> Void) {
    polygons.withUnsafeBufferPointer { polygons in
      boxes.forEachMember(holding: position) { member in
        if polygons[member].contains(position) { body(Int(owners[member])) }
      }
    }
  }
}
