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
/// - Complexity: O(*n* + *v*) to build for *n* polygons of *v* vertices; some 40 bytes a polygon, beside the
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
  /// The boxes of the polygons by eights, then those around each eight by eights, and so on up to one eight.
  private let boxes: [EightBoxes]
  /// Where each level begins in `boxes`, the lowest first.
  private let levels: [Int]

  /// A box that does not cross ±180°.
  private struct Span {
    var south, west, north, east: Double

    mutating func extend(over other: Span) {
      south = min(south, other.south)
      west = min(west, other.west)
      north = max(north, other.north)
      east = max(east, other.east)
    }

    var middle: Coordinate { Coordinate(unchecked: (south + north) / 2, (west + east) / 2) }
  }

  /// Eight boxes, looked at at once: whether a position is in each would be guessed wrong too often.
  ///
  /// Rounded outward to single precision, to which a position is rounded, too: as rounding keeps the order of numbers,
  /// none is missed, and the polygons decide.
  private struct EightBoxes {
    private var south = SIMD8<Float>(repeating: .infinity)
    private var west = SIMD8<Float>(repeating: .infinity)
    private var north = SIMD8<Float>(repeating: -.infinity)
    private var east = SIMD8<Float>(repeating: -.infinity)

    init(_ spans: ArraySlice<Span>) {
      for (place, span) in spans.enumerated() {
        south[place] = EightBoxes.below(span.south)
        west[place] = EightBoxes.below(span.west)
        north[place] = -EightBoxes.below(-span.north)
        east[place] = -EightBoxes.below(-span.east)
      }
    }

    private static func below(_ number: Double) -> Float {
      let near = Float(number)
      return Double(near) <= number ? near : near.nextDown
    }

    @inline(__always)
    func holding(_ latitude: Float, _ longitude: Float) -> EightChoices {
      EightChoices(
        south .<= latitude .& north .>= latitude .& west .<= longitude .& east .>= longitude)
    }
  }

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
    var boxes: [EightBoxes] = []
    var levels: [Int] = []
    var level = order.map { spans[Int($0)].span }
    while !level.isEmpty {
      levels.append(boxes.count)
      var around: [Span] = []
      for start in stride(from: 0, to: level.count, by: 8) {
        let eight = level[start..<min(start + 8, level.count)]
        boxes.append(EightBoxes(eight))
        around.append(eight.dropFirst().reduce(into: eight[start]) { $0.extend(over: $1) })
      }
      level = around.count > 1 ? around : []
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
    guard !boxes.isEmpty else { return }
    let latitude = Float(position.latitude), longitude = Float(position.longitude)
    let top = levels.count - 1
    // By level, which eight is looked at, and which of it are still to be.
    typealias Waiting = (eight: Int, choices: EightChoices)
    withUnsafeTemporaryAllocation(of: Waiting.self, capacity: top + 1) { waiting in
      boxes.withUnsafeBufferPointer { boxes in
        levels.withUnsafeBufferPointer { levels in
          polygons.withUnsafeBufferPointer { polygons in
            var level = top
            waiting[top] = (0, boxes[levels[top]].holding(latitude, longitude))
            while level <= top {
              guard let choice = waiting[level].choices.next() else {
                level += 1
                continue
              }
              let place = waiting[level].eight * 8 + choice
              if level > 0 {
                level -= 1
                waiting[level] = (
                  place, boxes[levels[level] + place].holding(latitude, longitude)
                )
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
