import Geodesy

/// Balls in space in nested groups of eight neighbors, each group with a ball around it, up to a single
/// group.
///
/// A single descent finds the balls that a capsule touches, whether near a point or along a path.
///
/// - Complexity: O(*n* log *n*) to build. O(log *n* + *m*) expected for *m* balls touched, about 15 ns
///   per visited group. 25 bytes per ball.
package struct BallTree: Sendable {
  /// The groups, the top one first.
  let groups: PlainTable<EightBalls>
  /// The offset where each level begins, the top level first.
  private let levels: [Int]
  /// The offset where the lowest level begins.
  let leaves: Int
  /// The numbers of the balls by their offsets on the lowest level, where neighbors are adjacent.
  let numbers: PlainTable<Int32>
  /// The numbers as an array.
  package var order: [Int32] { (0..<numbers.count).map { numbers[$0] } }

  /// A ball and its number.
  package struct Ball {
    package var number: Int32
    package var place: ECEFPosition
    package var radius: Double

    package init(number: Int32, place: ECEFPosition, radius: Double) {
      (self.number, self.place, self.radius) = (number, place, radius)
    }

    func coordinate(_ axis: Int) -> Double {
      axis == 0 ? place.x : axis == 1 ? place.y : place.z
    }
  }

  static let size = 8
  /// The maximum number of groups waiting: seven per level on the way down, plus one.
  private static let mostWaiting = 7 * 11 + 1

  /// The error of coordinates in single precision, in meters, with a margin: rounding is at most
  /// 0.43 m.
  static let slack = 4.0
  /// A generous bound for the rounding of a radius computed from balls, in meters.
  private static let rounding = 1e-6

  package init(_ balls: [Ball]) { self.init(count: balls.count) { balls[$0] } }

  /// - Parameter ball: Returns the ball at an offset; called once or twice for each.
  init(count: Int, _ ball: (Int) -> Ball) {
    let sizes = BallTree.levelSizes(ofBalls: count)
    (levels, leaves) = BallTree.levels(sizes)
    let lowest = BallTreeLeaves(count: count, ball)
    var numbers = PlainTable<Int32>.Builder(capacity: count)
    var groups = PlainTable<EightBalls>.Builder(capacity: sizes.reduce(0, +))
    var level: [Ball] = []
    level.reserveCapacity(lowest.around.count)
    for leaf in lowest.order() {
      for number in lowest.numbers(of: leaf) { numbers.append(number) }
      groups.set(leaves + level.count, lowest.eights[leaf])
      level.append(lowest.around[leaf])
    }
    for (size, start) in zip(sizes, levels.reversed()).dropFirst() {
      let members = level
      level.removeAll(keepingCapacity: true)
      for number in 0..<size {
        let first = number * BallTree.size
        let eight = members[first..<min(first + BallTree.size, members.count)]
        groups.set(start + number, EightBalls(eight))
        if size > 1 { level.append(BallTree.ball(around: eight)) }
      }
    }
    self.numbers = numbers.finished()
    self.groups = groups.finished()
  }

  private static func levels(_ sizes: [Int]) -> (starts: [Int], leaves: Int) {
    var starts: [Int] = []
    var start = 0
    for size in sizes.reversed() {
      starts.append(start)
      start += size
    }
    return (starts, starts.last ?? 0)
  }

  /// The offset of a group's first child: among the groups, or on the lowest level among the
  /// numbers.
  @inline(__always)
  func child(of group: Int) -> Int {
    if group >= leaves { return (group &- leaves) &* BallTree.size }
    var level = levels.count - 2
    while levels[level] > group { level -= 1 }
    return levels[level + 1] &+ (group &- levels[level]) &* BallTree.size
  }

  /// The number of groups on each level, the lowest first.
  static func levelSizes(ofBalls count: Int) -> [Int] {
    var sizes: [Int] = []
    var count = count
    while count > 0, sizes.last != 1 {
      count = (count + size - 1) / size
      sizes.append(count)
    }
    return sizes
  }

  /// A tree whose tables lie in a file.
  init(groups: PlainTable<EightBalls>, numbers: PlainTable<Int32>) {
    (self.groups, self.numbers) = (groups, numbers)
    (levels, leaves) = BallTree.levels(BallTree.levelSizes(ofBalls: numbers.count))
  }

  static func ball(around group: ArraySlice<Ball>) -> Ball {
    func middle(_ axis: Int) -> Double {
      let least = group.reduce(Double.infinity) { min($0, $1.coordinate(axis) - $1.radius) }
      let greatest = group.reduce(-Double.infinity) { max($0, $1.coordinate(axis) + $1.radius) }
      return (least + greatest) / 2
    }
    let center = ECEFPosition(x: middle(0), y: middle(1), z: middle(2))
    let radius = group.reduce(0) {
      max($0, $1.place.squaredChord(to: center).squareRoot() + $1.radius)
    }
    return Ball(number: -1, place: center, radius: radius + rounding)
  }

  // MARK: Asking

  /// Appends the offsets of the balls that a capsule touches, ascending and counted from `first`.
  ///
  /// - Precondition: The tree is in memory.
  package func appendBalls(touching capsule: Capsule, from first: Int32, to found: inout [Int32]) {
    guard !groups.isEmpty else { return }
    // The slack of the balls' coordinates, and of the capsule's.
    let question = EightfoldCapsule(
      capsule, from: ECEFPosition(x: 0, y: 0, z: 0), slack: 2 * BallTree.slack)
    groups.withElements { groups in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: BallTree.mostWaiting) { waiting in
        waiting[0] = 0
        var count = 1
        while count > 0 {
          count &-= 1
          let group = Int(waiting[count])
          let child = Int32(truncatingIfNeeded: child(of: group))
          var touched = question.touched(groups[group])
          if group < leaves {
            // The last one waiting is visited first.
            while let place = touched.popLast() {
              waiting[count] = child &+ Int32(truncatingIfNeeded: place)
              count &+= 1
            }
          } else {
            let base = first &+ child
            for place in touched { found.append(base &+ Int32(truncatingIfNeeded: place)) }
          }
        }
      }
    }
  }

}

extension EightBalls {
  /// Makes a group of at most eight balls; the remaining lanes are empty.
  init(_ balls: ArraySlice<BallTree.Ball>) {
    self.init()
    for (place, ball) in balls.enumerated() {
      set(place, (ball.place.x, ball.place.y, ball.place.z), radius: ball.radius)
    }
  }
}

/// The lowest level of a ball tree under construction.
///
/// Eight balls, each touching the next, form a leaf, like consecutive edge groups of one border. The others are
/// grouped by location.
struct BallTreeLeaves {
  private(set) var eights: [EightBalls] = []
  /// The balls around the leaves.
  private(set) var around: [BallTree.Ball] = []
  /// The numbers of the balls, eight for each leaf but the last.
  private var numbers: [Int32] = []

  init(count: Int, _ ball: (Int) -> BallTree.Ball) {
    let leaves = (count + BallTree.size - 1) / BallTree.size
    eights.reserveCapacity(leaves)
    around.reserveCapacity(leaves)
    numbers.reserveCapacity(count)
    var others: [Item] = []
    // Consecutive balls that touch, the last of them just before this offset.
    var run: [BallTree.Ball] = []
    func endRun(before place: Int) {
      for (number, ball) in run.enumerated() {
        others.append(Item(ball.place, place - run.count + number))
      }
      run.removeAll(keepingCapacity: true)
    }
    for place in 0..<count {
      let ball = ball(place)
      if let last = run.last, !last.touches(ball) { endRun(before: place) }
      run.append(ball)
      if run.count == BallTree.size {
        append(run[...])
        run.removeAll(keepingCapacity: true)
      }
    }
    endRun(before: count)
    Item.arrange(&others)
    for first in stride(from: 0, to: others.count, by: BallTree.size) {
      append(others[first..<min(first + BallTree.size, others.count)].map { ball($0.number) }[...])
    }
  }

  private mutating func append(_ balls: ArraySlice<BallTree.Ball>) {
    eights.append(EightBalls(balls))
    around.append(BallTree.ball(around: balls))
    for ball in balls { numbers.append(ball.number) }
  }

  /// The numbers of the balls of a leaf.
  func numbers(of leaf: Int) -> ArraySlice<Int32> {
    let first = leaf * BallTree.size
    return numbers[first..<min(first + BallTree.size, numbers.count)]
  }

  /// The order of the leaves in which near ones are adjacent; the leaf that may have fewer than eight balls is last.
  func order() -> [Int] {
    guard let last = around.indices.last else { return [] }
    var items = around.indices.dropLast().map { Item(around[$0].place, $0) }
    Item.arrange(&items)
    return items.map(\.number) + [last]
  }
}

extension BallTree.Ball {
  /// Whether the ball shares a point with another.
  @inline(__always)
  fileprivate func touches(_ other: BallTree.Ball) -> Bool {
    let reach = radius + other.radius
    return place.squaredChord(to: other.place) <= reach * reach
  }
}

/// A location in single precision, and a number in the bits of the last lane.
///
/// It is small because items are moved a dozen times.
private struct Item: BitwiseCopyable {
  private let numbers: SIMD4<Float>

  init(_ place: ECEFPosition, _ number: Int) {
    numbers = SIMD4(
      Float(place.x), Float(place.y), Float(place.z), Float(bitPattern: UInt32(number)))
  }

  var number: Int { Int(numbers.w.bitPattern) }

  /// Arranges items so that near ones are adjacent: bisects along the axis of greatest spread, down to eight.
  static func arrange(_ items: inout [Item]) {
    items.withUnsafeMutableBufferPointer { arrange($0) }
  }

  private static func arrange(_ items: UnsafeMutableBufferPointer<Item>) {
    guard items.count > BallTree.size else { return }
    var block = BallTree.size
    while block * BallTree.size < items.count { block *= BallTree.size }
    let blocks = (items.count + block - 1) / block
    let middle = blocks / 2 * block
    var least = items[0].numbers, greatest = least
    for item in items {
      least.replace(with: item.numbers, where: item.numbers .< least)
      greatest.replace(with: item.numbers, where: item.numbers .> greatest)
    }
    let spread = greatest - least
    let axis = (0..<3).max { spread[$0] < spread[$1] } ?? 0
    _ = select(middle, of: items) {
      UnsafeRawPointer($0).load(fromByteOffset: axis &* 4, as: Float.self)
    }
    arrange(UnsafeMutableBufferPointer(rebasing: items[..<middle]))
    arrange(UnsafeMutableBufferPointer(rebasing: items[middle...]))
  }
}
