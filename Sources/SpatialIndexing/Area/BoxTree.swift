import CNearbyKernels
import Geodesy

/// An index of bounding boxes that finds those containing a position.
///
/// Boxes across ±180° are split in two. All parts form a packed tree in the order of their centers.
///
/// - Complexity: O(*n*) to build for *n* boxes; about 20 bytes per box.
///
/// Source: I. Kamel and C. Faloutsos, "On Packing R-trees", CIKM 1993, doi:10.1145/170088.170403; with the
/// geohash curve in place of Hilbert's.
struct BoxTree: Sendable {
  /// The box of each part of the lowest level.
  let members: PlainTable<Int32>
  /// The parts of the boxes in groups of eight, then the boxes around those groups in groups of eight, up
  /// to a single group.
  let eights: PlainTable<EightBoxes>
  /// Where each level begins in `eights`, the lowest first.
  private let levels: [Int]

  /// A box that does not cross ±180°.
  fileprivate struct Span {
    var south, west, north, east: Double

    mutating func extend(over other: Span) {
      south = min(south, other.south)
      west = min(west, other.west)
      north = max(north, other.north)
      east = max(east, other.east)
    }

    var middle: Coordinate { Coordinate(unchecked: (south + north) / 2, (west + east) / 2) }
  }

  /// Eight boxes tested at once, since a branch per box would be mispredicted too often.
  ///
  /// The boxes are rounded outward to single precision, and positions are rounded too. Rounding preserves order, so no
  /// box is missed; the polygons decide.
  struct EightBoxes: BitwiseCopyable {
    private var south = SIMD8<Float>(repeating: .infinity)
    private var west = SIMD8<Float>(repeating: .infinity)
    private var north = SIMD8<Float>(repeating: -.infinity)
    private var east = SIMD8<Float>(repeating: -.infinity)

    fileprivate init(_ spans: ArraySlice<Span>) {
      for (place, span) in spans.enumerated() {
        south[place] = nearby_rounded_down(span.south)
        west[place] = nearby_rounded_down(span.west)
        north[place] = nearby_rounded_up(span.north)
        east[place] = nearby_rounded_up(span.east)
      }
    }

    @inline(__always)
    func holding(_ latitude: Float, _ longitude: Float) -> EightChoices {
      EightChoices(
        south .<= latitude .& north .>= latitude .& west .<= longitude .& east .>= longitude)
    }
  }

  init(_ boxes: [BoundingBox]) {
    var spans: [(span: Span, member: Int32)] = []
    spans.reserveCapacity(boxes.count)
    for (member, box) in boxes.enumerated() {
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
    let order = SpatialOrder.offsets(of: spans.map(\.span.middle))
    members = PlainTable(order.map { spans[Int($0)].member })
    levels = BoxTree.levels(ofParts: spans.count).starts
    var eights = PlainTable<EightBoxes>.Builder(
      capacity: BoxTree.levels(ofParts: spans.count).count)
    var level = order.map { spans[Int($0)].span }
    while !level.isEmpty {
      var around: [Span] = []
      for start in stride(from: 0, to: level.count, by: 8) {
        let eight = level[start..<min(start + 8, level.count)]
        eights.append(EightBoxes(eight))
        around.append(eight.dropFirst().reduce(into: eight[start]) { $0.extend(over: $1) })
      }
      level = around.count > 1 ? around : []
    }
    self.eights = eights.finished()
  }

  /// A tree whose tables lie in a file.
  init(members: PlainTable<Int32>, eights: PlainTable<EightBoxes>) {
    (self.members, self.eights) = (members, eights)
    levels = BoxTree.levels(ofParts: members.count).starts
  }

  /// The offset where each level begins, and the total number of groups of eight.
  static func levels(ofParts count: Int) -> (starts: [Int], count: Int) {
    var starts: [Int] = []
    var total = 0
    for size in BallTree.levelSizes(ofBalls: count) {
      starts.append(total)
      total += size
    }
    return (starts, total)
  }

  /// Calls `body` with the number of each box that may contain a position, and hardly any others.
  ///
  /// A loop over plain numbers: a recursive function would copy the tree at each level and retain
  /// each of its tables, for which threads would contend.
  @inline(__always)
  func forEachMember(holding position: Coordinate, _ body: (Int) -> Void) {
    guard !levels.isEmpty else { return }
    let latitude = Float(position.latitude), longitude = Float(position.longitude)
    let top = levels.count - 1
    // For each level, the group of eight being visited and its members still to visit.
    typealias Waiting = (eight: Int, choices: EightChoices)
    withUnsafeTemporaryAllocation(of: Waiting.self, capacity: top + 1) { waiting in
      levels.withUnsafeBufferPointer { levels in
        var level = top
        waiting[top] = (0, eights[levels[top]].holding(latitude, longitude))
        while level <= top {
          guard let choice = waiting[level].choices.next() else {
            level += 1
            continue
          }
          let place = waiting[level].eight * 8 + choice
          if level > 0 {
            level -= 1
            waiting[level] = (place, eights[levels[level] + place].holding(latitude, longitude))
            continue
          }
          body(Int(members[place]))
        }
      }
    }
  }
}
