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
/// The boxes of all polygons, those across ±180° in two parts, stand in a packed tree in the order of their
/// middles, so that few polygons are asked about a position.
///
/// - Complexity: O(*n* + *v*) to build for *n* polygons of *v* vertices; 90 bytes a polygon, beside the
///   areas themselves.
///
/// Source: I. Kamel and C. Faloutsos, "On Packing R-trees", CIKM 1993, doi:10.1145/170088.170403; the curve
/// is that of geohashes in place of Hilbert's.
public struct AreaIndex: Sendable {
  /// The areas, in the order they were given: an area's number is its place here.
  public let areas: [MultiPolygon]

  /// The polygons of all areas, and of which area each is.
  private let polygons: [Polygon]
  private let owners: [Int32]
  /// How much ground each area covers, in square meters.
  private let sizes: [Double]
  /// The polygon of each box of the lowest level.
  private let members: [Int32]
  /// The boxes of the polygons, then those around each eight of these, and so on up to eight or fewer.
  private let boxes: [Span]
  /// Where each level begins in `boxes`, the lowest first, and where the last ends.
  private let levels: [Int]

  /// A box that does not cross ±180°.
  private struct Span {
    var south, west, north, east: Double

    @inline(__always)
    func contains(_ position: Coordinate) -> Bool {
      south <= position.latitude && position.latitude <= north && west <= position.longitude
        && position.longitude <= east
    }

    mutating func extend(over other: Span) {
      south = min(south, other.south)
      west = min(west, other.west)
      north = max(north, other.north)
      east = max(east, other.east)
    }

    var middle: Coordinate { Coordinate(unchecked: (south + north) / 2, (west + east) / 2) }
  }

  private static let fanOut = 8

  /// Builds an index.
  ///
  /// - Parameter areas: In any order; one without polygons holds nothing.
  /// - Precondition: fewer than 2³⁰ polygons.
  public init(_ areas: [MultiPolygon]) { self.init(areas, isMeasured: true) }

  /// - Parameter isMeasured: Whether `smallestArea` will be asked for, for which all are measured.
  init(_ areas: [MultiPolygon], isMeasured: Bool) {
    self.areas = areas
    polygons = areas.flatMap(\.polygons)
    precondition(polygons.count < 1 << 30, "\(polygons.count) polygons are too many")
    owners = areas.enumerated().flatMap { number, area in
      repeatElement(Int32(number), count: area.polygons.count)
    }
    sizes = isMeasured ? areas.map(\.squareMeters) : []
    var spans: [(span: Span, member: Int32)] = []
    for (member, polygon) in polygons.enumerated() {
      let box = polygon.boundingBox
      let longitudes = box.longitudeSpans
      for part in [longitudes.first, longitudes.second].compactMap(\.self) {
        spans.append(
          (
            Span(
              south: box.south, west: part.lowerBound, north: box.north, east: part.upperBound),
            Int32(member)
          ))
      }
    }
    let order = [UInt32](unsafeUninitializedCapacity: spans.count) { offsets, count in
      guard let start = offsets.baseAddress else { return }
      SpatialOrder.order(spans.map(\.span.middle), spans.indices, into: start)
      count = spans.count
    }
    members = order.map { spans[Int($0)].member }
    var boxes = order.map { spans[Int($0)].span }
    var levels = [0, boxes.count]
    var level = 0..<boxes.count
    while level.count > AreaIndex.fanOut {
      for start in stride(from: level.lowerBound, to: level.upperBound, by: AreaIndex.fanOut) {
        var group = boxes[start]
        for place in start..<min(start + AreaIndex.fanOut, level.upperBound) {
          group.extend(over: boxes[place])
        }
        boxes.append(group)
      }
      level = level.upperBound..<boxes.count
      levels.append(boxes.count)
    }
    self.boxes = boxes
    self.levels = levels
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
  ///
  /// A loop over plain pointers: a function that called itself would copy the index for each level, and
  /// count a reference to each of its arrays, which two threads cannot do at once.
  @inline(__always)
  private func forEachOwner(of position: Coordinate, _ body: (Int) -> Void) {
    let top = levels.count - 2
    withUnsafeTemporaryAllocation(of: Range<Int>.self, capacity: top + 1) { waiting in
      boxes.withUnsafeBufferPointer { boxes in
        levels.withUnsafeBufferPointer { levels in
          polygons.withUnsafeBufferPointer { polygons in
            var level = top
            waiting[top] = levels[top]..<levels[top + 1]
            while level <= top {
              guard let place = waiting[level].first else {
                level += 1
                continue
              }
              waiting[level] = place + 1..<waiting[level].upperBound
              guard boxes[place].contains(position) else { continue }
              if level > 0 {
                let start = levels[level - 1] + (place - levels[level]) * AreaIndex.fanOut
                waiting[level - 1] = start..<min(start + AreaIndex.fanOut, levels[level])
                level -= 1
                continue
              }
              let member = Int(members[place])
              if polygons[member].contains(position) { body(Int(owners[member])) }
            }
          }
        }
      }
    }
  }
}
