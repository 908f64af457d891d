import Geodesy

/// Areas, found by the positions that lie in them: the district of each shop.
///
///     let index = AreaIndex(districts)
///     index.areas(containing: shop)         // numbers, in the order the districts were given
///     index.smallestArea(containing: shop)  // the one that covers the least ground
///
/// What an area holds is what `MultiPolygon.contains(_:)` says: borders belong to it, the insides of holes
/// do not, and no rounding decides. The areas may overlap, and one may lie in another.
///
/// The boxes of all polygons stand in a tree, so that few polygons are asked about a position.
///
/// - Complexity: O(*n* + *v*) to build for *n* polygons of *v* vertices; some 40 bytes a polygon, beside the
///   areas themselves.
public struct AreaIndex: Sendable {
  /// The areas, in the order they were given: an area's number is its place here.
  public let areas: [MultiPolygon]

  /// The polygons of all areas, and of which area each is.
  private let polygons: [Polygon]
  private let owners: [Int32]
  /// How much ground each area covers, in square meters.
  private let sizes: [Double]
  private let boxes: BoxTree

  /// Builds an index.
  ///
  /// - Parameter areas: In any order; one without polygons holds nothing.
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

  /// The numbers of the areas that hold a position, ascending; their borders belong to them.
  ///
  /// - Complexity: O(log *n* + *r*) expected for *r* polygons whose boxes hold the position, each of which
  ///   is asked: some tens of nanoseconds for the outline of a country.
  public func areas(containing position: Coordinate) -> [Int] {
    var numbers: [Int] = []
    appendAreas(containing: position, to: &numbers)
    return numbers
  }

  /// Appends what `areas(containing:)` returns: for questions by the million, which share one array.
  package func appendAreas(containing position: Coordinate, to numbers: inout [Int]) {
    let start = numbers.count
    forEachOwner(of: position) { number in
      // Of an area whose parts touch, several may hold one position.
      if !numbers[start...].contains(number) { numbers.append(number) }
    }
    if numbers.count > start + 1 { numbers[start...].sort() }
  }

  /// The number of the area that holds a position and covers the least ground, of equal ones the first; nil
  /// where none holds it.
  ///
  /// How much ground an area covers is `MultiPolygon.squareMeters`.
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

  /// Calls `body` with the number of the area of each polygon that holds a position.
  @inline(__always)
  private func forEachOwner(of position: Coordinate, _ body: (Int) -> Void) {
    polygons.withUnsafeBufferPointer { polygons in
      boxes.forEachMember(holding: position) { member in
        if polygons[member].contains(position) { body(Int(owners[member])) }
      }
    }
  }
}
