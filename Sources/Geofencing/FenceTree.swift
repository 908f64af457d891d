import Geodesy

/// All places no farther than a distance from a straight line in space, which may be a point.
struct FenceCapsule {
  let start: ECEFPosition
  /// From the start of the line to its end, in meters.
  let x, y, z: Double
  /// 1 / m²; 0 for a point.
  let perSquaredLength: Double
  /// In meters.
  var reach: Double

  init(from start: ECEFPosition, to end: ECEFPosition, reach: Double) {
    self.start = start
    (x, y, z) = (end.x - start.x, end.y - start.y, end.z - start.z)
    let squared = x * x + y * y + z * z
    // Shorter than rounding is a point.
    perSquaredLength = squared > 1e-20 ? 1 / squared : 0
    self.reach = reach
  }

  /// The nearest place of the line, as a part of it, and how far it is, squared.
  @inline(__always)
  func nearest(to place: ECEFPosition) -> (fraction: Double, squaredDistance: Double) {
    nearest(place.x, place.y, place.z)
  }

  @inline(__always)
  func nearest(
    _ placeX: Double, _ placeY: Double, _ placeZ: Double
  ) -> (fraction: Double, squaredDistance: Double) {
    let (px, py, pz) = (placeX - start.x, placeY - start.y, placeZ - start.z)
    let along = (px * x + py * y + pz * z) * perSquaredLength
    // As two choices, which need no branch.
    let atLeast = along > 0 ? along : 0
    let fraction = atLeast < 1 ? atLeast : 1
    let (qx, qy, qz) = (px - fraction * x, py - fraction * y, pz - fraction * z)
    return (fraction, qx * qx + qy * qy + qz * qz)
  }

  /// The place of the line at a part of it.
  func place(at fraction: Double) -> ECEFPosition {
    ECEFPosition(
      x: start.x + fraction * x, y: start.y + fraction * y, z: start.z + fraction * z)
  }
}

/// Balls in space, in groups of eight neighbors that have a ball around them, these in groups of eight,
/// and so on up to one.
///
/// Found are those that a capsule touches, in one way from the top: those near a place as those that a
/// path may lead through.
///
/// - Complexity: O(*n* log *n*) to build. O(log *n* + *m*) expected for *m* balls touched, some 20 ns a
///   group looked at. 25 bytes a ball.
struct FenceTree: Sendable {
  /// The groups; the top first.
  private var groups: [Group] = []
  /// Where each level begins, counted in groups; the top first.
  private var levels: [Int] = []
  /// The numbers of the balls by their places on the lowest level.
  private var numbers: [Int32] = []

  /// A ball, and what it is called.
  struct Ball {
    var number: Int32
    var place: ECEFPosition
    var radius: Double

    func coordinate(_ axis: Int) -> Double {
      axis == 0 ? place.x : axis == 1 ? place.y : place.z
    }
  }

  private static let size = 8

  /// Eight balls in single precision, whose radii are the longer for it; what is not there is nowhere.
  private struct Group {
    var x = SIMD8<Float>(repeating: .nan), y = SIMD8<Float>(repeating: .nan)
    var z = SIMD8<Float>(repeating: .nan), radius = SIMD8<Float>(repeating: .nan)
  }

  /// What a length in single precision may be wrong by, as a part of it and in meters.
  ///
  /// Places are rounded by 0.43 m at most, and a dozen operations by 2⁻²⁴ of their results each.
  private static let slackFactor = 1e-5, slack = 4.0
  /// What a radius computed from balls in it may be too short by, in meters, many times over.
  private static let rounding = 1e-6

  init(_ balls: [Ball]) {
    guard !balls.isEmpty else { return }
    var balls = balls
    FenceTree.arrange(&balls, balls.indices)
    numbers = balls.map(\.number)
    var rows: [[Group]] = []
    while true {
      var row: [Group] = []
      var parents: [Ball] = []
      for first in stride(from: 0, to: balls.count, by: FenceTree.size) {
        let members = balls[first..<min(first + FenceTree.size, balls.count)]
        var group = Group()
        for (place, ball) in members.enumerated() {
          group.x[place] = Float(ball.place.x)
          group.y[place] = Float(ball.place.y)
          group.z[place] = Float(ball.place.z)
          group.radius[place] = Float(ball.radius * (1 + FenceTree.slackFactor) + FenceTree.slack)
        }
        row.append(group)
        parents.append(FenceTree.ball(around: members))
      }
      rows.append(row)
      if parents.count == 1 { break }
      balls = parents
    }
    for row in rows.reversed() {
      levels.append(groups.count)
      groups += row
    }
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

  /// Appends the numbers of the balls that a capsule touches.
  func appendBalls(touching capsule: FenceCapsule, to found: inout [Int32]) {
    guard !levels.isEmpty else { return }
    let question = Question(capsule)
    groups.withUnsafeBufferPointer { groups in
      levels.withUnsafeBufferPointer { levels in
        look(at: 0, onLevel: 0, groups, levels, question, &found)
      }
    }
  }

  private func look(
    at group: Int, onLevel level: Int, _ groups: UnsafeBufferPointer<Group>,
    _ levels: UnsafeBufferPointer<Int>, _ question: Question, _ found: inout [Int32]
  ) {
    var touched = question.touched(groups[group])
    let first = (group &- levels[level]) &* FenceTree.size
    while touched != 0 {
      let place = first &+ touched.trailingZeroBitCount
      touched &= touched &- 1
      if level &+ 1 == levels.count {
        found.append(numbers[place])
      } else {
        look(
          at: levels[level &+ 1] &+ place, onLevel: level &+ 1, groups, levels, question, &found)
      }
    }
  }

  /// A capsule in single precision, which is the wider for it.
  private struct Question {
    let startX, startY, startZ, x, y, z, perSquaredLength, reach: Float

    init(_ capsule: FenceCapsule) {
      (startX, startY, startZ) = (
        Float(capsule.start.x), Float(capsule.start.y), Float(capsule.start.z)
      )
      (x, y, z) = (Float(capsule.x), Float(capsule.y), Float(capsule.z))
      perSquaredLength = Float(capsule.perSquaredLength)
      let length =
        (capsule.x * capsule.x + capsule.y * capsule.y + capsule.z * capsule.z).squareRoot()
      reach = Float(
        capsule.reach + (capsule.reach + length) * FenceTree.slackFactor + FenceTree.slack)
    }

    /// Which balls of a group the capsule touches, a bit for each.
    @inline(__always)
    func touched(_ group: Group) -> UInt32 {
      let px = group.x - startX, py = group.y - startY, pz = group.z - startZ
      var along = (px * x + py * y + pz * z) * perSquaredLength
      along.replace(with: 0, where: along .< 0)
      along.replace(with: 1, where: along .> 1)
      let qx = px - along * x, qy = py - along * y, qz = pz - along * z
      let reach = group.radius + reach
      let isTouched = qx * qx + qy * qy + qz * qz .<= reach * reach
      let bits = SIMD8<Int32>(1, 2, 4, 8, 16, 32, 64, 128)
      return UInt32(
        truncatingIfNeeded: SIMD8<Int32>.zero.replacing(with: bits, where: isTouched)
          .wrappedSum())
    }
  }

  // MARK: Arranging

  /// Puts balls that are near each other side by side: halves, by the axis along which they spread
  /// the most, down to eight.
  private static func arrange(_ balls: inout [Ball], _ range: Range<Int>) {
    guard range.count > size else { return }
    var block = size
    while block * size < range.count { block *= size }
    let blocks = (range.count + block - 1) / block
    let middle = range.lowerBound + (blocks / 2) * block
    let spreads = (0..<3).map { axis in
      var least = Double.infinity, greatest = -Double.infinity
      for place in range {
        least = min(least, balls[place].coordinate(axis))
        greatest = max(greatest, balls[place].coordinate(axis))
      }
      return greatest - least
    }
    let axis = (0..<3).max { spreads[$0] < spreads[$1] } ?? 0
    divide(&balls, range, at: middle, by: axis)
    arrange(&balls, range.lowerBound..<middle)
    arrange(&balls, middle..<range.upperBound)
  }

  /// Brings the least balls by an axis, equal ones by number, before a place and the others behind it.
  ///
  /// Source: C. A. R. Hoare, "Algorithm 65: Find", CACM 4(7), 1961, doi:10.1145/366622.366647.
  private static func divide(
    _ balls: inout [Ball], _ range: Range<Int>, at middle: Int, by axis: Int
  ) {
    func key(_ ball: Ball) -> (Double, Int32) { (ball.coordinate(axis), ball.number) }
    var low = range.lowerBound, high = range.upperBound - 1
    var rounds = 0
    while low < high {
      rounds += 1
      // An order that keeps halving from working ends in a sort, whose cost is bounded.
      guard rounds < 64 else {
        balls[low...high].sort { key($0) < key($1) }
        return
      }
      let pivot = [key(balls[low]), key(balls[(low + high) / 2]), key(balls[high])]
        .sorted { $0 < $1 }[1]
      var left = low, right = high
      while left <= right {
        while key(balls[left]) < pivot { left += 1 }
        while pivot < key(balls[right]) { right -= 1 }
        if left <= right {
          balls.swapAt(left, right)
          left += 1
          right -= 1
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
