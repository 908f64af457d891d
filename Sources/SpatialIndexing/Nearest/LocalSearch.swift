import CNearbyKernels
import Geodesy

/// One search for the nearest by the local metric, if that can answer.
struct LocalSearch {
  let tree: TreeView
  let origin: Coordinate
  let limit: Int
  let categories: CategorySet
  /// nil if everything counts.
  var asking: PredicateAsking?

  /// False if the search for a few is known to fail.
  var mayBeFew = true

  /// What the search did, even if it found no answer.
  var statistics = SearchStatistics()

  /// Finds the nearest `limit` positions, in order.
  ///
  /// - Parameters:
  ///   - isMeasured: Whether distances are wanted too.
  ///   - scratch: Lends the memory in which the answer lies.
  /// - Returns: The answer, which holds `limit` ranks. nil if it cannot be found this way: fewer
  ///   positions than `limit`, too far, across the antimeridian, or around a pole.
  @inline(__always)
  mutating func run(isMeasured: Bool, _ scratch: inout Scratch) -> NearestRanking? {
    guard mayBeFew, SmallKSearch.canAnswer(limit, categories, in: tree) else {
      return runNearestFirst(isMeasured: isMeasured, hasCoincident: false, &scratch)
    }
    let search = SmallKSearch(
      tree: tree, origin: origin, limit: limit, categories: categories, asking: asking,
      memory: scratch.bytes(SmallKSearch.byteCount))
    let outcome = search.run(into: nil)
    statistics = search.statistics
    // The following search visits the same positions again.
    if outcome != NEARBY_FOUND { asking?.beginAgain() }
    let candidates =
      outcome == NEARBY_FOUND
      ? search.candidates : outcome == NEARBY_LOST ? search.overflowed : nil
    if let candidates {
      return rank(
        candidates, isMeasured: isMeasured, metric: LocalMetric(origin),
        count: candidates.count, memory: search.rankingMemory)
    }
    if outcome == NEARBY_BEYOND { return nil }
    return runNearestFirst(isMeasured: isMeasured, hasCoincident: true, &scratch)
  }

  /// Walks to the nearest node first, with growing memory in case of coincident points.
  ///
  /// - Parameter hasCoincident: Whether there are certainly coincident points.
  @inline(never)
  private mutating func runNearestFirst(
    isMeasured: Bool, hasCoincident: Bool, _ scratch: inout Scratch
  ) -> NearestRanking? {
    typealias Walk = NearestFirstWalk<PackedTree>
    let metric = LocalMetric(origin)
    guard metric.squaredReach > 0, tree.canTell(categories) else { return nil }
    let packed = PackedTree(tree, categories: categories, asking: asking)
    var capacity = Walk.capacity(limit: limit) << (hasCoincident ? 2 : 0)
    while capacity <= NearestRanking.greatestCount {
      let walkBytes = (Walk.byteCount(capacity: capacity) + 63) & ~63
      let memory = scratch.bytes(walkBytes + NearestRanking.byteCount(capacity))
      var walk = Walk(packed, metric: metric, limit: limit, capacity: capacity, memory: memory)
      defer { statistics = statistics + walk.statistics }
      do {
        let candidates = try walk.run()
        return rank(
          candidates, isMeasured: isMeasured, metric: metric, count: capacity,
          memory: memory + walkBytes)
      } catch {
        asking?.beginAgain()
        guard error == .noRoom else { return nil }
        capacity *= 8
      }
    }
    return nil
  }

  @inline(__always)
  private mutating func rank(
    _ candidates: UnsafeMutableBufferPointer<FlatCandidate>, isMeasured: Bool,
    metric: LocalMetric, count: Int, memory: UnsafeMutableRawPointer
  ) -> NearestRanking {
    var ranking = NearestRanking(tree: tree, origin: origin, count: count, memory: memory)
    statistics.geodesics &+=
      isMeasured
      ? ranking.measure(candidates)
      : ranking.order(candidates, limit: limit, metric: metric)
    return ranking
  }
}

// MARK: - The search for a few

/// A search for up to sixteen nearest positions, of all or of those that categories or a predicate admit, done entirely
/// in C.
///
/// It walks depth first by the flat squared chords and limits of `LocalMetric`, and keeps its finds in
/// sorted lanes, so a finished walk is already in order except for ties.
struct SmallKSearch {
  private let tree: TreeView
  private let origin: Coordinate
  private let limit: Int
  private let categories: CategorySet
  private let asking: PredicateAsking?
  private let walk: UnsafeMutablePointer<nearby_walk>
  /// `settlingByteCount` bytes.
  private let settlingMemory: UnsafeMutableRawPointer

  /// Whether few enough positions are wanted, and the tree can tell the categories apart.
  @inline(__always)
  static func canAnswer(_ limit: Int, _ categories: CategorySet, in tree: TreeView) -> Bool {
    limit <= 16 && limit > 0 && tree.canTell(categories)
  }

  /// The memory it needs, in bytes.
  ///
  /// Most of it is for coincident points and is left untouched without any.
  static var byteCount: Int { MemoryLayout<nearby_walk>.stride + settlingByteCount }

  /// The memory needed to sort the candidates of a walk, in bytes.
  static var settlingByteCount: Int {
    8 * (greatestCount + 8) + NearestRanking.byteCount(greatestCount)
  }

  /// The maximum number of candidates at coincident points; otherwise there are fewer than 32.
  static let greatestCount = 512

  /// - Parameters:
  ///   - walk: A walk that a batch has finished; nil for one in `memory`.
  ///   - memory: `byteCount` bytes, aligned to 64; for a finished walk, `settlingByteCount`.
  @inline(__always)
  init(
    tree: TreeView, origin: Coordinate, limit: Int, categories: CategorySet,
    asking: PredicateAsking? = nil, walk: UnsafePointer<nearby_walk>? = nil,
    memory: UnsafeMutableRawPointer
  ) {
    self.tree = tree
    self.origin = origin
    self.limit = limit
    self.categories = categories
    self.asking = asking
    self.walk =
      walk.map { UnsafeMutablePointer(mutating: $0) }
      ?? memory.assumingMemoryBound(to: nearby_walk.self)
    settlingMemory = walk == nil ? memory + MemoryLayout<nearby_walk>.stride : memory
  }

  /// - Parameter positions: Gets the answer, in order; nil if candidates are enough.
  @inline(__always)
  func run(into positions: UnsafeMutablePointer<UInt32>?) -> nearby_outcome {
    nearby_local_at(origin.latitude, origin.longitude, &walk.pointee.local)
    let limit = Int32(truncatingIfNeeded: limit)
    return tree.withSearched(categories, asking) { searched, filter in
      nearby_find(tree.level.rawValue, searched, walk, limit, filter, positions)
    }
  }

  /// Finds the positions in order.
  ///
  /// - Returns: `NEARBY_FOUND`, or why it did not.
  @inline(__always)
  func answer(into positions: UnsafeMutablePointer<UInt32>) -> nearby_outcome {
    let outcome = run(into: positions)
    guard outcome == NEARBY_TIED || outcome == NEARBY_LOST else { return outcome }
    return settle(outcome, into: positions) ? NEARBY_FOUND : outcome
  }

  /// Sorts candidates that are too close to be told apart, or too many to be kept.
  ///
  /// - Returns: Whether there was room for them.
  @inline(never)
  func settle(
    _ outcome: nearby_outcome, into positions: UnsafeMutablePointer<UInt32>
  ) -> Bool {
    guard let found = outcome == NEARBY_TIED ? candidates : overflowed else { return false }
    var ranking = NearestRanking(
      tree: tree, origin: origin, count: found.count, memory: rankingMemory)
    _ = ranking.order(found, limit: limit, metric: LocalMetric(origin))
    for rank in 0..<limit { positions[rank] = ranking.position(rank: rank) }
    return true
  }

  /// Candidates that include the nearest, the rest hardly farther.
  var candidates: UnsafeMutableBufferPointer<FlatCandidate> {
    // Keys have the layout of candidates, and come first.
    let keys = UnsafeMutableRawPointer(walk).assumingMemoryBound(to: FlatCandidate.self)
    return UnsafeMutableBufferPointer(start: keys, count: Int(walk.pointee.count))
  }

  /// The candidates if the walk overflowed, found by a second walk that knows how far to go.
  ///
  /// Mostly they are coincident points: a tower full of offices, or of postcodes.
  ///
  /// - Returns: nil if there are more than `greatestCount`, or fewer than `limit`, as in a forged file
  ///   whose nodes do not contain their positions.
  var overflowed: UnsafeMutableBufferPointer<FlatCandidate>? {
    let keys = settlingMemory.assumingMemoryBound(to: FlatCandidate.self)
    let count = tree.withSearched(categories, asking) { searched, filter in
      nearby_collect(
        tree.level.rawValue, searched, walk, filter, keys, Int32(SmallKSearch.greatestCount))
    }
    guard count >= limit else { return nil }
    return UnsafeMutableBufferPointer(start: keys, count: Int(count))
  }

  /// Memory for a `NearestRanking` of up to `greatestCount`, after the candidates of `overflowed`.
  var rankingMemory: UnsafeMutableRawPointer {
    settlingMemory + 8 * (SmallKSearch.greatestCount + 8)
  }

  var statistics: SearchStatistics {
    var statistics = SearchStatistics()
    statistics.nodeGroupsTested = Int(walk.pointee.node_groups_tested)
    statistics.leavesRead = Int(walk.pointee.leaves_read)
    statistics.candidates = Int(walk.pointee.candidates)
    return statistics
  }
}

/// Instruction sets that `SmallKSearch` is compiled for; all give the same answer.
package enum VectorLevel: Int32, CaseIterable, Sendable {
  /// The target's baseline: SSE2, NEON.
  case target = 0
  case avx2 = 1
  /// AVX-512 as of Ice Lake and Zen 4.
  case avx512 = 2

  /// The highest level this processor supports.
  package static let greatest = VectorLevel(rawValue: nearby_greatest_level()) ?? .target

  /// The levels this processor supports.
  package static var available: [VectorLevel] {
    allCases.filter { $0.rawValue <= greatest.rawValue }
  }
}

// MARK: - The metric

/// The Earth near an origin: squared chords by a few float multiplications, with a proved error bound.
///
/// With ρ the distance from the axis, the squared chord between two positions is
///
///     c² = m² + 4 ρ₁ρ₂ sin²(Δλ/2)
///
/// where m is the chord between their latitudes on one meridian. With M the meridian's radius of
/// curvature at the origin and x = φ₂ − φ₁, that gives a position's *flat* squared chord
///
///     d² = M² x² (1 + μx + βx²) + ρ₁² (1 − τx − σx²) (Δλ² − Δλ⁴/12),
///     μ = M′/M,  β = μ²/4 + M″/3M − 1/12,  τ = M sin φ/ρ₁,  σ = (M cos φ + M′ sin φ)/2ρ₁.
///
/// For a node, the gaps to the edges of its box in latitude and longitude stand for x and Δλ, and
/// the small terms are left out.
///
/// This can be trusted up to `squaredReach`: farther away, across the antimeridian or around a pole,
/// use `GroundMetric`.
///
/// The error of flat squared chords: let c or d be at most D, δ = 1.1 D/R₁ and ω the greatest |Δλ| that
/// occurs. Then |x| ≤ δ, because c is no shorter than the chord of R₁ |x| on a circle of the least
/// radius of curvature R₁.
///
/// - The arc between the latitudes is ∫M dφ. As M = a (1 − e²) W⁻³ with W² = 1 − e² sin²φ, we have |μ|
///   = 3e² |sin φ cos φ|/W² ≤ 0.0102, |M″|/M ≤ 0.021 and |M‴|/M ≤ 0.042, so its square is M²x² (1 + μx
///   + (μ²/4 + M″/3M) x²) to within 0.004 δ³ of itself. The chord subtracts (arc/M)²/12 of that, to
///   within the change of M, 0.001 δ³, and the next term, 0.003 δ⁴. Together less than 0.01 δ³.
/// - ρ′ = −M sin φ and |ρ‴| = |M sin φ − 2M′ cos φ − M″ sin φ| ≤ 1.05 a, so ρ₂ differs from ρ₁ (1 − τx
///   − σx²) by at most 0.175 a δ³; relative to it, as it keeps at least 0.4 of its length within reach,
///   that is 0.44 (a/ρ₁) δ³.
/// - 4 sin²(Δλ/2) lies between Δλ² − Δλ⁴/12 and that plus Δλ⁶/360. Within reach Δλ² is at most 3.6
///   (a/ρ₁)² δ², and (a/ρ₁) δ at most 0.45, so that is 0.016 (a/ρ₁)³ δ³ of it.
///
/// So |c² − d²| ≤ p d², p the sum of the three. For nodes, which leave the small terms out,
/// c² ≥ (1 − ν) d² with ν = max(0.0103 δ + 0.1 δ², τδ + 0.506 (a/ρ₁) δ²) + ω²/12.
///
/// Up to a few kilometers ν does not matter. At 100 km and 55° north it is 0.025, so a walk would read
/// every leaf that begins in the next 1.2 km. Once it reaches a hundredth, nodes get *sharp* gaps in C
/// (`sharpen` of NearestSearch.inc): the flat square of a position at the gaps' nearer edges, with the
/// small terms, on the shorter of the parallels of the box's two edges. That is no greater than the
/// flat square of any position in the box within reach, so sharp gaps are compared with the limit of
/// positions, rounding added:
///
/// - x² (1 + μx + βx²) and Δλ² − Δλ⁴/12 grow with |x| and |Δλ| within reach.
/// - 1 − τx − σx² is concave, as σ ≥ 0: M′ has the sign of sin φ. So over the latitudes of a box it is
///   least at an edge, or at ±δ if the box extends beyond.
struct LocalMetric {
  /// The constants of the kernels.
  let kernel: nearby_metric

  /// The growth of p per cubic meter, and of ν per meter and per squared meter.
  let positionError: Float, nodeSlope: Float, nodeError: Float
  /// The squared limit of valid flat chords; 0 if none is valid.
  let squaredReach: Float

  /// Makes the metric of an origin in C, whose vectors do two things at once; see `nearby_locals`.
  ///
  /// Δλ² is at most 1.44 (a/ρ₁)² δ²/0.4 within reach, where 1 − τδ − σδ² is at least 0.4. The reach ends
  /// far enough from the pole for ρ to keep at least half its length, and far enough from the
  /// antimeridian for no shorter path to cross it; within 1 km of a pole the cosine is not precise
  /// enough.
  @inline(__always)
  init(_ origin: Coordinate) {
    var local = nearby_local()
    nearby_local_at(origin.latitude, origin.longitude, &local)
    kernel = local.metric
    positionError = local.position_error
    nodeSlope = local.node_slope
    nodeError = local.node_error
    squaredReach = local.squared_reach
  }

  /// The squared limit up to which flat squared chords are the better way to search for the
  /// nearest.
  var nearestReach: Float { min(squaredReach, nearby_nearest_reach) }

  /// The greatest flat squared chord of a position that may be nearer than one with this.
  ///
  /// This one has c² ≤ (1 + p) d², so any position no farther has a flat square of at most (1 +
  /// p)/(1 − p) d² ≤ (1 + 4p) d². One square millimeter more covers rounding at less than a meter,
  /// and equal geodesics over unequal chords.
  @inline(__always)
  func positionLimit(upTo squared: Float) -> Float {
    squared * (1 + 4 * relativeError(upTo: squared)) + 1e-6
  }

  /// An upper bound of `positionLimit(upTo:)` for all squares up to this one, in fewer steps.
  ///
  /// It is d² (factor + d² slope) + offset.
  @inline(__always)
  func tieLine(upTo squared: Float) -> (factor: Float, slope: Float, offset: Float) {
    let roundedUp: Float = 1.000_01
    return (
      (1 + 4 * LocalMetric.rounding) * roundedUp,
      4 * positionError * squared.squareRoot() * roundedUp,
      1e-6 * roundedUp
    )
  }

  /// The greatest flat squared gap of a node that may hold a position nearer than one with this flat
  /// squared chord: (1 + p)/(1 − ν) d².
  @inline(__always)
  func nodeLimit(upTo squared: Float) -> Float {
    let position = relativeError(upTo: squared)
    let node = squared.squareRoot() * nodeSlope + squared * nodeError + LocalMetric.rounding
    return squared * (1 + position) / (1 - node) + 1e-6
  }

  /// A flat squared chord whose `nodeLimit(upTo:)` is less than a gap, as both errors grow with it;
  /// negative if there is certainly none.
  @inline(__always)
  func settledSquare(beforeGap gap: Float) -> Float {
    let position = relativeError(upTo: gap)
    let node = gap.squareRoot() * nodeSlope + gap * nodeError + LocalMetric.rounding
    // Besides, the rounding of the last operations.
    return (gap - 1e-6) * ((1 - node) * (1 - position) - 1e-6) - 1e-6
  }

  /// A flat squared chord up to which positions are nearer than one with this squared chord; negative
  /// if none certainly is.
  func innerPositionLimit(upTo squared: Float) -> Float {
    squared * (1 - 2 * relativeError(upTo: squared)) - 1e-6
  }

  /// The greatest flat square of a node's farthest corner for the node to lie nearer than this
  /// squared chord.
  func innerNodeLimit(upTo squared: Float) -> Float {
    let node = squared.squareRoot() * nodeSlope + squared * nodeError + LocalMetric.rounding
    return squared * (1 - node) - 1e-6
  }

  /// The error p, plus rounding.
  @inline(__always)
  private func relativeError(upTo squared: Float) -> Float {
    squared * squared.squareRoot() * positionError + LocalMetric.rounding
  }

  /// The total rounding of a dozen float operations, and of the constants.
  private static let rounding: Float = 2e-6
}

// MARK: - Memory

/// Memory of a search that the next one uses again: its own, or lent by `nearby_lend`.
struct Scratch: ~Copyable {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var isLent = false

  init() {}

  /// - Parameter lent: Memory of `nearby_lend`, which must outlive this.
  init(lent: UnsafeMutableRawPointer) {
    memory = UnsafeMutableRawBufferPointer(start: lent, count: Int(NEARBY_LENT_BYTES))
    isLent = true
  }

  deinit {
    if !isLent { memory.deallocate() }
  }

  /// At least a number of bytes, aligned to 64; their old contents are lost.
  mutating func bytes(_ byteCount: Int) -> UnsafeMutableRawPointer {
    if memory.count < byteCount {
      if !isLent { memory.deallocate() }
      memory = .allocate(byteCount: max(byteCount, 4_096), alignment: 64)
      isLent = false
    }
    return memory.baseAddress.unsafelyUnwrapped
  }
}
