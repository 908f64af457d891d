import Geodesy

/// Balls in space, in groups of eight neighbors that have a ball around them, these in groups of eight,
/// and so on up to one.
///
/// Found are those that a capsule touches, in one way from the top: those near a place as those that a
/// path may lead through.
///
/// - Complexity: O(*n* log *n*) to build. O(log *n* + *m*) expected for *m* balls touched, some 15 ns a
///   group looked at. 25 bytes a ball.
package struct BallTree: Sendable {
  /// The groups; the top first.
  let groups: PlainTable<EightBalls>
  /// Where each level begins, the top first.
  private let levels: [Int]
  /// Where the lowest level begins.
  let leaves: Int
  /// The numbers of the balls by their places on the lowest level, where neighbors are side by side.
  let numbers: PlainTable<Int32>
  /// The same as a list.
  package var order: [Int32] { (0..<numbers.count).map { numbers[$0] } }

  /// A ball, and what it is called.
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

  private static let size = 8
  /// How many groups can wait to be looked at: seven of each level on the way down, and one.
  private static let mostWaiting = 7 * 11 + 1

  /// What places in single precision may be wrong by, in meters: they are rounded by 0.43 m at most.
  static let slack = 4.0
  /// What a radius computed from balls in it may be too short by, in meters, many times over.
  private static let rounding = 1e-6

  package init(_ balls: [Ball]) { self.init(count: balls.count) { balls[$0] } }

  /// - Parameter ball: Gives a ball by its place, some times.
  init(count: Int, _ ball: (Int) -> Ball) {
    let order = BallTree.order(count, ball)
    let sizes = BallTree.levelSizes(ofBalls: count)
    (levels, leaves) = BallTree.levels(sizes)
    var numbers = PlainTable<Int32>.Builder(capacity: count)
    var groups = PlainTable<EightBalls>.Builder(capacity: sizes.reduce(0, +))
    var level: [Ball] = [], members: [Ball] = []
    for (height, (size, start)) in zip(sizes, levels.reversed()).enumerated() {
      var parents: [Ball] = []
      parents.reserveCapacity(size)
      let memberCount = height == 0 ? count : level.count
      for number in 0..<size {
        var group = EightBalls()
        members.removeAll(keepingCapacity: true)
        let first = number * BallTree.size
        for place in first..<min(first + BallTree.size, memberCount) {
          let member = height == 0 ? ball(Int(order[place].w.bitPattern)) : level[place]
          if height == 0 { numbers.append(member.number) }
          group.set(
            place - first, (member.place.x, member.place.y, member.place.z),
            radius: member.radius)
          members.append(member)
        }
        groups.set(start + number, group)
        if size > 1 { parents.append(BallTree.ball(around: members[...])) }
      }
      level = parents
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

  /// Where the children of a group begin: among the groups, on the lowest level among the numbers.
  @inline(__always)
  func child(of group: Int) -> Int {
    if group >= leaves { return (group &- leaves) &* BallTree.size }
    var level = levels.count - 2
    while levels[level] > group { level -= 1 }
    return levels[level + 1] &+ (group &- levels[level]) &* BallTree.size
  }

  /// How many groups each level has, the lowest first.
  static func levelSizes(ofBalls count: Int) -> [Int] {
    var sizes: [Int] = []
    var count = count
    while count > 0, sizes.last != 1 {
      count = (count + size - 1) / size
      sizes.append(count)
    }
    return sizes
  }

  /// A tree whose tables stand in a file.
  init(groups: PlainTable<EightBalls>, numbers: PlainTable<Int32>) {
    (self.groups, self.numbers) = (groups, numbers)
    (levels, leaves) = BallTree.levels(BallTree.levelSizes(ofBalls: numbers.count))
  }

  private static func ball(around group: ArraySlice<Ball>) -> Ball {
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

  /// Appends the places of the balls that a capsule touches, ascending and counted from `first`.
  ///
  /// - Precondition: The tree stands in memory.
  package func appendBalls(touching capsule: Capsule, from first: Int32, to found: inout [Int32]) {
    guard !groups.isEmpty else { return }
    // The slack of the balls' places, and of the capsule's.
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
            // The last to wait is looked at first.
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

  // MARK: Arranging

  /// Where a ball is, in single precision, and its place in the list, in the bits of the last: small, as they are moved
  /// a dozen times.
  private typealias Item = SIMD4<Float>

  /// An order in which balls that are near each other stand side by side: halves, by the axis along which they spread
  /// the most, down to eight.
  private static func order(_ count: Int, _ ball: (Int) -> Ball) -> [Item] {
    var items = (0..<count).map { place in
      let ball = ball(place).place
      return Item(
        Float(ball.x), Float(ball.y), Float(ball.z), Float(bitPattern: UInt32(place)))
    }
    items.withUnsafeMutableBufferPointer { arrange($0) }
    return items
  }

  private static func arrange(_ items: UnsafeMutableBufferPointer<Item>) {
    guard items.count > size else { return }
    var block = size
    while block * size < items.count { block *= size }
    let blocks = (items.count + block - 1) / block
    let middle = blocks / 2 * block
    var least = items[0], greatest = items[0]
    for item in items {
      least.replace(with: item, where: item .< least)
      greatest.replace(with: item, where: item .> greatest)
    }
    let spread = greatest - least
    let axis = (0..<3).max { spread[$0] < spread[$1] } ?? 0
    divide(items, at: middle, by: axis)
    arrange(UnsafeMutableBufferPointer(rebasing: items[..<middle]))
    arrange(UnsafeMutableBufferPointer(rebasing: items[middle...]))
  }

  /// Brings the least items by an axis before a place and the others behind it.
  ///
  /// Source: C. A. R. Hoare, "Algorithm 65: Find", CACM 4(7), 1961, doi:10.1145/366622.366647.
  private static func divide(
    _ items: UnsafeMutableBufferPointer<Item>, at middle: Int, by axis: Int
  ) {
    guard let start = items.baseAddress else { return }
    let numbers = UnsafeRawPointer(start)
    func key(_ place: Int) -> Float {
      numbers.load(fromByteOffset: place &* 16 &+ axis &* 4, as: Float.self)
    }
    var low = 0, high = items.count - 1
    var rounds = 0
    while low < high {
      rounds += 1
      // An order that keeps halving from working ends in a sort, whose cost is bounded.
      guard rounds < 64 else {
        var rest = UnsafeMutableBufferPointer(rebasing: items[low...high])
        rest.sort { $0[axis] < $1[axis] }
        return
      }
      let (a, b, c) = (key(low), key((low + high) / 2), key(high))
      let pivot = max(min(a, b), min(max(a, b), c))
      var left = low, right = high
      while left <= right {
        while key(left) < pivot { left &+= 1 }
        while pivot < key(right) { right &-= 1 }
        if left <= right {
          (start[left], start[right]) = (start[right], start[left])
          left &+= 1
          right &-= 1
        }
      }
      if middle <= right {
        high = right
      } else if middle >= left {
        low = left
      } else {
        return
      }
    }
  }
}
