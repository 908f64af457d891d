import CKernels
import Geodesy

/// A walk for one span of latitudes and one of longitudes, edges included.
struct BoxWalk {
  private let tree: TreeView
  private let categories: CategorySet
  private var box: nearby_box
  /// The box in degrees, and as the multiples of 10⁻⁷ degrees that lie in it.
  private let south, west, north, east: Double
  private let leastLatitude, leastLongitude, greatestLatitude, greatestLongitude: Int32

  init(
    tree: TreeView, latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>,
    categories: CategorySet
  ) {
    self.tree = tree
    self.categories = categories
    south = latitudes.lowerBound
    north = latitudes.upperBound
    west = longitudes.lowerBound
    east = longitudes.upperBound
    leastLatitude = BoxWalk.leastDecimal(from: south)
    leastLongitude = BoxWalk.leastDecimal(from: west)
    greatestLatitude = -BoxWalk.leastDecimal(from: -north)
    greatestLongitude = -BoxWalk.leastDecimal(from: -east)
    box = nearby_box(
      south: nearby_rounded_down(south), west: nearby_rounded_down(west),
      north: nearby_rounded_up(north), east: nearby_rounded_up(east),
      inner_south: nearby_rounded_up(south), inner_west: nearby_rounded_up(west),
      inner_north: nearby_rounded_down(north), inner_east: nearby_rounded_down(east))
  }

  /// The least whole number that is no less than an edge when divided by 10⁷.
  private static func leastDecimal(from degrees: Double) -> Int32 {
    let scaled = degrees * 1e7
    var number = Int32(scaled)
    if Double(number) < scaled { number += 1 }
    // The product is right to 10⁻⁶, so that only next to a whole number the quotients must tell.
    guard abs(Double(number) - scaled) < 1e-3 || abs(Double(number) - scaled) > 0.999 else {
      return number
    }
    while Double(number - 1) / 1e7 >= degrees { number -= 1 }
    while Double(number) / 1e7 < degrees { number += 1 }
    return number
  }

  /// Calls `whole` with nodes that lie in the box and `part` with leaves and the bits of those slots
  /// that do; together they hold every position in the box once.
  @inline(__always)
  func run(
    whole: (_ node: Int, _ level: Int) -> Void, part: (_ leaf: Int, _ bits: UInt32) -> Void
  ) {
    guard tree.shape.count > 0 else { return }
    visit(group: 0, level: tree.shape.firstLevel, whole, part)
  }

  private func visit(
    group: Int, level: Int, _ whole: (Int, Int) -> Void, _ part: (Int, UInt32) -> Void
  ) {
    let memory = tree.groupMemory(level: level, group)
    var meeting = withUnsafePointer(to: box) { nearby_nodes_in_box($0, memory) }
    let inside = meeting >> 16
    meeting &= 0xffff
    tree.prefetch(children: meeting, of: group, level: level)
    while meeting != 0 {
      let lane = meeting.trailingZeroBitCount
      meeting &= meeting &- 1
      let node = group << 4 &+ lane
      guard tree.node(node, level: level, holds: categories) else { continue }
      if inside >> lane & 1 != 0 {
        whole(node, level)
      } else if level > 0 {
        visit(group: node, level: level &- 1, whole, part)
      } else {
        let bits = bits(ofLeaf: node)
        if bits != 0 { part(node, bits) }
      }
    }
  }

  /// Slots past the end lie north of every box.
  @inline(__always)
  private func bits(ofLeaf leaf: Int) -> UInt32 {
    tree.encoding == .decimal
      ? nearby_decimal_leaf_in_box(
        leastLatitude, leastLongitude, greatestLatitude, greatestLongitude, tree.leaf(leaf))
      : nearby_degrees_leaf_in_box(south, west, north, east, tree.leaf(leaf))
  }
}
