import Geodesy

/// The lowest level of a tree of balls while it is built.
///
/// Eight balls each of which touches the next are a leaf, as the groups of edges of one border are, which follow each
/// other. The others are brought together by where they are.
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
    // Balls that follow each other and touch, the last of them at the place before this one.
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

  /// The leaves in an order in which near ones stand side by side; the one that may have less than eight balls is last.
  func order() -> [Int] {
    guard let last = around.indices.last else { return [] }
    var items = around.indices.dropLast().map { Item(around[$0].place, $0) }
    Item.arrange(&items)
    return items.map(\.number) + [last]
  }
}

extension BallTree.Ball {
  /// Whether it has a place in common with another.
  @inline(__always)
  fileprivate func touches(_ other: BallTree.Ball) -> Bool {
    let reach = radius + other.radius
    return place.squaredChord(to: other.place) <= reach * reach
  }
}

/// Where something is, in single precision, and its number, in the bits of the last: small, as items are moved a dozen
/// times.
private struct Item {
  private let numbers: SIMD4<Float>

  init(_ place: ECEFPosition, _ number: Int) {
    numbers = SIMD4(
      Float(place.x), Float(place.y), Float(place.z), Float(bitPattern: UInt32(number)))
  }

  var number: Int { Int(numbers.w.bitPattern) }

  /// Brings items that are near each other side by side: halves, by the axis along which they spread the most, down to
  /// eight.
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
