import CNearbyKernels
import Geodesy

/// A search for everything in one span of latitudes and one of longitudes, edges included, done
/// entirely in C.
struct BoxSearch {
  private let tree: TreeView
  private let categories: CategorySet
  let span: nearby_span

  @inline(__always)
  init(
    tree: TreeView, latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>,
    categories: CategorySet
  ) {
    self.tree = tree
    self.categories = categories
    let south = latitudes.lowerBound, north = latitudes.upperBound
    let west = longitudes.lowerBound, east = longitudes.upperBound
    span = nearby_span(
      box: nearby_box(latitudes, longitudes),
      least_latitude: BoxSearch.leastDecimal(from: south),
      least_longitude: BoxSearch.leastDecimal(from: west),
      greatest_latitude: -BoxSearch.leastDecimal(from: -north),
      greatest_longitude: -BoxSearch.leastDecimal(from: -east),
      south: south, west: west, north: north, east: east)
  }

  /// The least integer that, divided by 10⁷, is no less than an edge.
  private static func leastDecimal(from degrees: Double) -> Int32 {
    let scaled = degrees * 1e7
    var number = Int32(scaled)
    if Double(number) < scaled { number += 1 }
    // The product is right to 10⁻⁶, so the quotients are needed only next to an integer.
    guard abs(Double(number) - scaled) < 1e-3 || abs(Double(number) - scaled) > 0.999 else {
      return number
    }
    while Double(number - 1) / 1e7 >= degrees { number -= 1 }
    while Double(number) / 1e7 < degrees { number += 1 }
    return number
  }

  /// Writes the positions in the box, in no particular order.
  @inline(__always)
  func find(into sink: inout PositionSink) { run(NEARBY_POSITIONS, into: &sink) }

  /// The slots of the positions in the box.
  func slots() -> [Int] {
    let storage = PositionStorage(capacity: 2 * Int(NEARBY_GROUP_SLOTS))
    var sink = PositionSink(into: storage)
    run(NEARBY_SLOTS, into: &sink)
    return withExtendedLifetime(storage) { sink.numbers.map { Int($0) } }
  }

  @inline(__always)
  private func run(_ answer: nearby_answer, into sink: inout PositionSink) {
    var walk = tree.areaWalk(answer)
    while sink.lend(to: &walk, { resume(&$0) }) == NEARBY_FULL {
      sink.reserve(2 * Int(NEARBY_GROUP_SLOTS))
    }
  }

  /// The number of positions in the box.
  func count() -> Int {
    var walk = tree.areaWalk(NEARBY_COUNT)
    walk.capacity = .max
    while resume(&walk) == NEARBY_FULL {}
    return walk.count
  }

  @inline(__always)
  private func resume(_ walk: inout nearby_area_walk) -> nearby_outcome {
    withUnsafePointer(to: span) { span in
      tree.withSearched(categories, nil) { searched, filter in
        nearby_find_in_span(tree.level.rawValue, searched, filter, span, &walk)
      }
    }
  }
}

extension nearby_box {
  /// A box whose edges are included, rounded outward and, for what lies wholly inside, inward.
  @inline(__always)
  init(_ latitudes: ClosedRange<Double>, _ longitudes: ClosedRange<Double>) {
    let south = latitudes.lowerBound, north = latitudes.upperBound
    let west = longitudes.lowerBound, east = longitudes.upperBound
    self.init(
      south: nearby_rounded_down(south), west: nearby_rounded_down(west),
      north: nearby_rounded_up(north), east: nearby_rounded_up(east),
      inner_south: nearby_rounded_up(south), inner_west: nearby_rounded_up(west),
      inner_north: nearby_rounded_down(north), inner_east: nearby_rounded_down(east))
  }
}

extension TreeView {
  /// Makes a walk through an area, which a search for a span or a circle resumes.
  @inline(__always)
  func areaWalk(_ answer: nearby_answer) -> nearby_area_walk {
    var walk = nearby_area_walk()
    var searched = searched
    nearby_begin_area(&walk, &searched, answer)
    return walk
  }
}
