import CNearbyKernels
import Geodesy

/// The last answers to far queries of a batch, each of which also answers the queries from around its origin.
///
/// From far away, neighbors mostly have one answer: a third of the places of the world have one postcode of the whole
/// United Kingdom nearest to them. And a far search takes ten times as long as a near one.
struct HeldAnswers {
  private struct Answer {
    /// The query that it answers.
    var question = 0
    /// Its origin, in degrees.
    var latitude = 0.0, longitude = 0.0
    /// The cosine of the latitude.
    var cosine = 0.0
    /// How far the origin may move, in meters.
    var clearance = 0.0
    /// The distance of the farthest position, in meters.
    var reached = 0.0

    /// An upper bound of the distance of a position from the origin, in meters.
    func way(to position: Coordinate) -> Double {
      let radian = Double.pi / 180
      let rise = abs(position.latitude - latitude) * radian
      let apart = abs(position.longitude - longitude)
      // A straight line on the map is no shorter than the geodesic; a cosine grows by no more than the latitude.
      let width = min(apart, 360 - apart) * radian * min(1, cosine + rise)
      return WGS84.largestCurvatureRadius * (rise * rise + width * width).squareRoot()
    }
  }

  private var answers: [Answer] = []
  /// The one to be replaced next.
  private var next = 0
  private var wasUsed = false
  /// How many answers in a row were held for nothing, up to six.
  private var failures = 0
  /// How many answers will not be held.
  private var pause = 0

  /// What limited the latest; its neighbors are mostly limited by the same.
  private var border: Int?

  private static let capacity = 8
  /// Searches for what is farther, in meters, hardly ever end with flat squared chords.
  private static let far = 400_000.0

  /// The query with the answer to a query from a position; nil if none is held.
  mutating func question(answering position: Coordinate) -> Int? {
    for answer in answers where answer.way(to: position) < answer.clearance {
      wasUsed = true
      return answer.question
    }
    return nil
  }

  private var latest: Answer? {
    answers.isEmpty ? nil : answers[(next + answers.count - 1) % answers.count]
  }

  /// Whether everything is known to be far from a position.
  func isFar(_ position: Coordinate) -> Bool {
    latest.map { $0.reached - $0.way(to: position) > HeldAnswers.far } ?? false
  }

  /// A distance from a position, in meters, within which there are as many as wanted.
  func bound(from position: Coordinate) -> Double {
    let bounds = answers.lazy.map { $0.reached + $0.way(to: position) }
    return (bounds.min() ?? .infinity) + GroundMetric.margin
  }

  /// Holds an answer, unless the last ones were of no use.
  ///
  /// - Parameter walk: Finds how far its origin may move, in about the time of a search.
  mutating func hold(
    _ question: Int, from origin: Coordinate, _ walk: (_ border: Int?) -> ClearanceWalk
  ) {
    if pause > 0 {
      pause -= 1
      return
    }
    failures = wasUsed || answers.isEmpty ? 0 : min(failures + 1, 6)
    pause = 1 << failures - 1
    wasUsed = false
    let walk = walk(border)
    border = walk.border
    let answer = Answer(
      question: question, latitude: origin.latitude, longitude: origin.longitude,
      cosine: cosine(radians(origin.latitude)), clearance: walk.clearance, reached: walk.reached)
    if answers.count < HeldAnswers.capacity {
      answers.append(answer)
    } else {
      answers[next] = answer
    }
    next = (next + 1) % HeldAnswers.capacity
  }
}

/// Finds how far the origin of a search may move without there being another answer or another order.
///
/// Let *a* be the last of the answer, *q* anything that is not in it, and *f* the distance of *q* less that of *a*. Moving
/// by a meter changes *f* by at most |∇*f*| = 2 sin θ/2, θ being the angle at the origin between the geodesics to both.
/// That is at most 2; and from far away it is small, so that an answer holds for half a country.
///
/// The curvature of the ellipsoid is at most 1/*b*². So its injectivity radius is at least π*b*, and within π*b*/2 of an
/// origin no angle of a triangle is greater than in the triangle with the same sides on a sphere of radius *b*. There, with
/// distances *s* and *t*, in radii, and *D* between *a* and *q*,
///
///     sin² θ/2 = (cos (s − t) − cos D) / (2 sin s sin t) ≤ sin² D/2 / (sin s sin t),
///
/// so |∇*f*| ≤ *D* / sin *s* for *s* ≤ *t*. If the origin moves by at most *r*, *s* is at least the distance of *a* less
/// *r*. Where *t* might exceed the 9,900 km for which that is used, *q* is more than 2*r* farther than *a*, and stays so.
///
/// Sources: W. Klingenberg, "Contributions to Riemannian geometry in the large", Annals of Mathematics 69 (1959), for the
/// injectivity radius; M. Bridson and A. Haefliger, "Metric Spaces of Non-Positive Curvature" (1999), II.1, for angles
/// where curvature is bounded above.
struct ClearanceWalk {
  private let tree: PackedTree
  private let answer: [Int]
  private let last: Int
  private let fromOrigin: GroundMetric
  private let fromLast: GroundMetric
  /// The distance of the last of the answer, in meters.
  let reached: Double
  /// By how much |∇*f*| grows with each meter of *D*.
  private let slope: Double
  /// How far the origin may move, in meters.
  private(set) var clearance: Double
  /// The slot of the position that does not let it move farther, if it is not in the answer.
  private(set) var border: Int?

  private static let greatestDistance = 9.9e6

  /// - Parameters:
  ///   - answer: The slots of the positions, in order; not empty.
  ///   - border: The slot of a position that may not let the origin move far, such as that of a walk from nearby: the
  ///     earlier it is measured, the less is read.
  init(_ tree: PackedTree, origin: Coordinate, answer: [Int], border: Int? = nil) {
    self.tree = tree
    self.answer = answer
    last = answer[answer.count - 1]
    fromOrigin = GroundMetric(origin)
    let view = tree.view
    func meters(_ slot: Int, _ metric: GroundMetric) -> Double {
      metric.geodesic(latitude: view.latitude(slot), longitude: view.longitude(slot))
    }
    let distances = answer.map { [fromOrigin] in meters($0, fromOrigin) }
    reached = distances[answer.count - 1]
    let nearest = distances[0]
    let move = min(nearest / 4, (ClearanceWalk.greatestDistance - reached) / 3)
    // Little could be moved just short of it.
    if move > 100_000 {
      slope = 1 / (WGS84.polarRadius * sine((nearest - move) / WGS84.polarRadius))
      clearance = move
    } else {
      slope = .infinity
      clearance = nearest / 4
    }
    fromLast = GroundMetric(view.coordinate(last))
    for place in answer.indices.dropFirst() where !areTogether(answer[place - 1], answer[place]) {
      let apart = meters(answer[place - 1], GroundMetric(view.coordinate(answer[place])))
      limit(gap: distances[place] - distances[place - 1], apart: apart)
    }
    if let border {
      let apart = fromLast.geodesic(
        latitude: view.latitude(border), longitude: view.longitude(border))
      measure(border, apart: apart + GroundMetric.margin)
    }
    visit(tree.root)
  }

  private func areTogether(_ one: Int, _ other: Int) -> Bool {
    // A pole is one point, whatever its longitude.
    tree.latitude(one) == tree.latitude(other)
      && (tree.longitude(one) == tree.longitude(other) || abs(tree.latitude(one)) == 90)
  }

  /// How far the origin may move before what is farther by a gap could be as near.
  private func allowance(gap: Double, apart: Double) -> Double {
    (gap - 4 * GroundMetric.margin) / min(2, (apart + GroundMetric.margin) * slope)
  }

  private mutating func limit(gap: Double, apart: Double) {
    clearance = max(0, min(clearance, allowance(gap: gap, apart: apart)))
  }

  private mutating func visit(_ block: PackedTree.Block) {
    if tree.isLeaf(block) { return read(block) }
    var near = nearby_bounds(), wide = nearby_bounds()
    fromOrigin.bound(nodes: tree.lanes(block), reach: .infinity, &near)
    fromLast.bound(nodes: tree.lanes(block), reach: .infinity, &wide)
    var children: [(move: Double, lane: Int)] = []
    for lane in 0..<TreeShape.fanOut {
      let move = allowance(gap: near.least(lane) - reached, apart: wide.greatest(lane))
      if move < clearance, tree.mayCount(block, lane) { children.append((move, lane)) }
    }
    children.sort { $0.move < $1.move }
    for child in children where child.move < clearance { visit(tree.child(block, child.lane)) }
  }

  private mutating func read(_ leaf: PackedTree.Block) {
    var near = nearby_bounds(), wide = nearby_bounds()
    fromOrigin.bound(positions: tree.lanes(leaf), isDecimal: tree.isDecimal, &near)
    fromLast.bound(positions: tree.lanes(leaf), isDecimal: tree.isDecimal, &wide)
    tree.counting(leaf).forEachBit { lane in
      let gap = near.least(lane) - reached
      guard allowance(gap: gap, apart: wide.greatest(lane)) < clearance else { return }
      measure(tree.candidate(leaf, lane), apart: wide.greatest(lane))
    }
  }

  /// Takes a position into account, unless it is in the answer or moves with its last.
  private mutating func measure(_ slot: Int, apart: Double) {
    if answer.contains(slot) || areTogether(slot, last) { return }
    let meters = fromOrigin.geodesic(
      latitude: tree.latitude(slot), longitude: tree.longitude(slot))
    let before = clearance
    limit(gap: meters - reached, apart: apart)
    if clearance < before { border = slot }
  }
}
