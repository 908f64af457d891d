import Geodesy

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
private struct Item {
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
    divide(items, at: middle, by: axis)
    arrange(UnsafeMutableBufferPointer(rebasing: items[..<middle]))
    arrange(UnsafeMutableBufferPointer(rebasing: items[middle...]))
  }

  /// Partitions items along an axis: the least ones before an offset, the others after it.
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
      // If the order keeps bisection from working, fall back on a sort, whose cost is bounded.
      guard rounds < 64 else {
        var rest = UnsafeMutableBufferPointer(rebasing: items[low...high])
        rest.sort { $0.numbers[axis] < $1.numbers[axis] }
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
