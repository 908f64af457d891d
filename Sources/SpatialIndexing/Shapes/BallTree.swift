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
