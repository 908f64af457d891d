import CNearbyKernels
import Geodesy

extension PositionIndex {
  /// Returns every position within a distance (inclusive), nearest first.
  ///
  /// - Returns: Neighbors by ascending (distance, offset); empty for a negative radius.
  /// - Complexity: O(log *n* + *r* log *r*) expected for *r* results.
  public func neighbors(
    within radius: Distance, of origin: Coordinate, categories: CategorySet = .any,
    where isIncluded: (Int) -> Bool = { _ in true }
  ) -> [Neighbor] {
    let distances = DistanceRange(within: radius).effective
    guard !distances.isEmpty else { return [] }
    return withoutActuallyEscaping(isIncluded) { isIncluded in
      packed.withTree(of: categories) { tree, categories in
        guard tree.shape.count > 0, tree.canTell(categories) else { return [] }
        if let search = CircleSearch(
          tree: tree, origin: origin, radius: distances.within, categories: categories)
        {
          let slots = search.slots().filter { isIncluded(Int(tree.position($0))) }
          return tree.measuredNeighbors(of: slots, from: origin).0
        }
        var walk = GroundWalk(
          PackedTree(tree, categories: categories, asking: PredicateAsking(isIncluded)),
          origin: origin, limit: .max, at: distances)
        return tree.measuredNeighbors(of: walk.run(), from: origin).0
      }
    }
  }

  /// Returns the number of positions within a distance (inclusive); 0 for a negative radius.
  ///
  /// - Complexity: O(√*n*) expected: nodes inside the circle are counted whole, and geodesics are
  ///   computed only where chords cannot decide.
  public func count(within radius: Distance, of origin: Coordinate) -> Int {
    guard radius >= .zero else { return 0 }
    return packed.withTree { tree in
      guard tree.shape.count > 0 else { return 0 }
      if let search = CircleSearch(
        tree: tree, origin: origin, radius: radius, categories: .any)
      {
        return search.count()
      }
      return CircleCount(tree: tree, metric: GroundMetric(origin), radius: radius.meters)
        .count(group: 0, level: tree.shape.firstLevel)
    }
  }

  /// Returns the positions inside a box, in ascending order.
  ///
  /// Edges are included, and 180° and −180° are one meridian, as in `BoundingBox.contains`.
  ///
  /// - Complexity: O(√*n* + *r* log *r*) expected for *r* results.
  public func positions(in box: BoundingBox, categories: CategorySet = .any) -> [Int] {
    var buffer = QueryBuffer()
    packed.find(in: box, categories: categories, into: &buffer)
    return buffer.positions.withUnsafeBufferPointer { $0.ascending() }
  }

  /// Returns the positions inside an area, in ascending order; its border belongs to it.
  ///
  /// - Complexity: O(*m* · *v*) for *m* positions in nodes on the border and *v* vertices of the
  ///   area; nodes that lie wholly inside or outside are taken or skipped as a whole.
  public func positions(in area: some Area, categories: CategorySet = .any) -> [Int] {
    var positions: [UInt32] = []
    packed.withTree(of: categories) { tree, categories in
      guard tree.shape.count > 0 else { return }
      let walk = AreaWalk(tree: tree, area: area, categories: categories)
      walk.visit(group: 0, level: tree.shape.firstLevel) { slot in
        positions.append(tree.position(slot))
      }
    }
    return positions.withUnsafeBufferPointer { $0.ascending() }
  }
}

extension KDTreeIndex {
  /// Returns the number of positions inside a box, without listing them.
  ///
  /// - Complexity: O(√*n*) expected; positions in nodes inside the box are not read.
  public func count(in box: BoundingBox) -> Int {
    guard count > 0 else { return 0 }
    return withTree { tree in
      var count = 0
      forEachSpan(of: box, tree: tree, categories: .any) { count += $0.count() }
      return count
    }
  }

  /// Calls `body` with a search for each longitude span of a box.
  ///
  /// The spans share no longitude that a position can have, so no position is found twice.
  @inline(__always)
  func forEachSpan(
    of box: BoundingBox, tree: TreeView, categories: CategorySet, _ body: (BoxSearch) -> Void
  ) {
    let spans = box.longitudeSpans
    body(
      BoxSearch(
        tree: tree, latitudes: box.south...box.north, longitudes: spans.first,
        categories: categories))
    if let second = spans.second {
      body(
        BoxSearch(
          tree: tree, latitudes: box.south...box.north, longitudes: second,
          categories: categories))
    }
  }
}

/// A walk for an area with straight edges in longitude and latitude.
private struct AreaWalk<Shape: Area> {
  let tree: TreeView
  let area: Shape
  let categories: CategorySet

  func visit(group: Int, level: Int, _ body: (Int) -> Void) {
    let bounds = tree.group(level: level, group)
    for lane in 0..<TreeShape.fanOut where bounds.south[lane] < .infinity {
      let node = group << 4 + lane
      guard tree.node(node, level: level, holds: categories) else { continue }
      // Edges rounded outward may exceed the legal range, and a file may hold any value.
      let south = min(90, max(-90, Double(bounds.south[lane])))
      let west = min(180, max(-180, Double(bounds.west[lane])))
      let box = BoundingBox(
        unchecked: south, west,
        max(south, min(90, Double(bounds.north[lane]))),
        max(west, min(180, Double(bounds.east[lane]))))
      switch area.relation(to: box) {
      case .disjoint:
        continue
      case .covers:
        for slot in tree.slots(below: node, level: level)
        where tree.slot(slot, isIn: categories) { body(slot) }
      case .unknown where level > 0:
        visit(group: node, level: level - 1, body)
      case .unknown:
        for slot in tree.slots(below: node, level: 0)
        where tree.slot(slot, isIn: categories)
          && area.contains(Coordinate(unchecked: tree.latitude(slot), tree.longitude(slot)))
        {
          body(slot)
        }
      }
    }
  }
}

extension UnsafeBufferPointer<UInt32> {
  /// The numbers in ascending order.
  ///
  /// - Complexity: O(*n*) for many: a radix sort from the lowest digit, which for thousands takes a sixth of the time
  ///   of a comparison sort.
  func ascending() -> [Int] {
    // For few numbers, counting digits would take longer.
    guard count > 128, let greatest = self.max(), let first = baseAddress else {
      return sorted().map { Int($0) }
    }
    let bits = Swift.max(UInt32.bitWidth - greatest.leadingZeroBitCount, 1)
    let passes = (bits + 10) / 11
    let width = (bits + passes - 1) / passes
    let mask: UInt32 = 1 << UInt32(width) - 1
    return [Int](unsafeUninitializedCapacity: count) { result, resultCount in
      resultCount = count
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * count + 1 << width) { memory in
        guard let spare = memory.baseAddress, let result = result.baseAddress else { return }
        let ends = spare + 2 * count
        var from = first
        var to = spare
        for pass in 0..<passes {
          let shift = UInt32(pass * width)
          ends.update(repeating: 0, count: 1 << width)
          for index in 0..<count { ends[Int(from[index] >> shift & mask)] &+= 1 }
          var sum: UInt32 = 0
          for digit in 0..<1 << width {
            let start = sum
            sum &+= ends[digit]
            ends[digit] = start
          }
          let isLast = pass == passes - 1
          for index in 0..<count {
            let number = from[index]
            let place = Int(ends[Int(number >> shift & mask)])
            ends[Int(number >> shift & mask)] &+= 1
            if isLast { result[place] = Int(number) } else { to[place] = number }
          }
          from = UnsafePointer(to)
          to = to == spare ? spare + count : spare
        }
      }
    }
  }
}

/// A search for everything in one span of latitudes and one of longitudes, edges included, done
/// entirely in C.
struct BoxSearch: KernelSearch {
  let tree: TreeView
  private let categories: CategorySet
  let span: nearby_span

  @inline(__always)
  init(
    tree: TreeView, latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>,
    categories: CategorySet
  ) {
    self.tree = tree
    self.categories = categories
    let south = latitudes.lowerBound, north = latitudes.upperBound
    let west = longitudes.lowerBound, east = longitudes.upperBound
    span = nearby_span(
      box: nearby_box(latitudes, longitudes),
      least_latitude: BoxSearch.leastDecimal(from: south),
      least_longitude: BoxSearch.leastDecimal(from: west),
      greatest_latitude: -BoxSearch.leastDecimal(from: -north),
      greatest_longitude: -BoxSearch.leastDecimal(from: -east),
      south: south, west: west, north: north, east: east)
  }

  /// The least integer that, divided by 10⁷, is no less than an edge.
  private static func leastDecimal(from degrees: Double) -> Int32 {
    let scaled = degrees * 1e7
    var number = Int32(scaled)
    if Double(number) < scaled { number += 1 }
    // The product is right to 10⁻⁶, so the quotients are needed only next to an integer.
    guard abs(Double(number) - scaled) < 1e-3 || abs(Double(number) - scaled) > 0.999 else {
      return number
    }
    while Double(number - 1) / 1e7 >= degrees { number -= 1 }
    while Double(number) / 1e7 < degrees { number += 1 }
    return number
  }

  @inline(__always)
  func resume(_ walk: inout nearby_area_walk) -> nearby_outcome {
    withUnsafePointer(to: span) { span in
      tree.withSearched(categories, nil) { searched, filter in
        nearby_find_in_span(tree.level.rawValue, searched, filter, span, &walk)
      }
    }
  }

  /// Never asked: floats decide which boxes to open, and numbers as stored what lies in them.
  @inline(__always)
  func includes(undecided slot: Int) -> Bool { false }
}

/// A search for everything within a radius that `LocalMetric` can judge, done entirely in C.
///
/// Flat squares tell which nodes and positions are certainly inside or certainly outside. The
/// undecided ones come back and are measured here.
struct CircleSearch: KernelSearch {
  let tree: TreeView
  private let origin: Coordinate
  private let radius: Double
  private let categories: CategorySet
  let circle: nearby_circle

  /// The squared chords for which only the geodesic can tell inside from outside.
  private let shell: ClosedRange<Double>

  /// - Returns: nil where the metric cannot judge everything within the radius.
  @inline(__always)
  init?(
    tree: TreeView, origin: Coordinate, radius: Distance, categories: CategorySet
  ) {
    shell = ChordBracket.shell(around: radius.meters)
    guard
      let circle = nearby_circle(around: origin, outer: shell.upperBound, inner: shell.lowerBound)
    else { return nil }
    self.circle = circle
    self.tree = tree
    self.origin = origin
    self.radius = radius.meters
    self.categories = categories
  }

  @inline(__always)
  func resume(_ walk: inout nearby_area_walk) -> nearby_outcome {
    withUnsafePointer(to: circle) { circle in
      tree.withSearched(categories, nil) { searched, filter in
        nearby_find_in_circle(tree.level.rawValue, searched, filter, circle, &walk)
      }
    }
  }

  func includes(undecided slot: Int) -> Bool {
    // Few positions get here, so what this needs of the origin is computed only on demand.
    let squaredChord = LineOrigin(origin).squaredChord(
      latitude: tree.latitude(slot), longitude: tree.longitude(slot))
    if squaredChord < shell.lowerBound { return true }
    return squaredChord <= shell.upperBound
      && tree.geodesic(from: origin, toSlot: slot) <= radius
  }
}

/// A walk that counts the positions within a radius, anywhere on the Earth.
private struct CircleCount {
  let tree: TreeView
  let metric: GroundMetric
  let radius: Double

  func count(group: Int, level: Int) -> Int {
    let memory = tree.groupMemory(level: level, group)
    var siblings = nearby_bounds()
    metric.bound(nodes: memory, reach: .infinity, &siblings)
    var count = 0
    for lane in 0..<TreeShape.fanOut where siblings.least(lane) <= radius {
      // An empty lane is infinitely far, and the radius may be infinite, too.
      guard siblings.least(lane) < .infinity else { continue }
      let node = group << 4 + lane
      if siblings.isVague(lane), siblings.greatest(lane) > radius {
        metric.sharpen(lane, of: memory, &siblings)
      }
      if siblings.greatest(lane) <= radius {
        count += tree.shape.slots(below: node, level: level).count
      } else if siblings.least(lane) <= radius {
        count += level > 0 ? self.count(group: node, level: level - 1) : self.count(leaf: node)
      }
    }
    return count
  }

  private func count(leaf: Int) -> Int {
    var positions = nearby_bounds()
    metric.bound(
      positions: tree.leaf(leaf), isDecimal: tree.encoding == .decimal, &positions)
    let first = leaf << 4
    return (0..<tree.slots(below: leaf, level: 0).count).count { lane in
      positions.greatest(lane) <= radius
        || positions.least(lane) <= radius
          && tree.geodesic(from: metric.coordinate, toSlot: first + lane) <= radius
    }
  }
}

/// A search in C for everything in an area, which stops where memory or a measurement is needed.
protocol KernelSearch {
  var tree: TreeView { get }

  /// Continues a walk until it is done, there is no room, or there are too many undecided slots.
  func resume(_ walk: inout nearby_area_walk) -> nearby_outcome

  /// Whether a slot on the edge lies inside.
  func includes(undecided slot: Int) -> Bool
}

extension KernelSearch {
  /// Writes the positions in the area, in no particular order.
  @inline(__always)
  func find(into sink: inout PositionSink) {
    run(NEARBY_POSITIONS, into: &sink) { tree.position($0) }
  }

  /// The slots of the positions in the area.
  func slots() -> [Int] {
    var sink = PositionSink()
    run(NEARBY_SLOTS, into: &sink) { UInt32(truncatingIfNeeded: $0) }
    return sink.numbers
  }

  /// The number of positions in the area.
  @inline(__always)
  func count() -> Int {
    var edge = 0
    let count = withWalk(NEARBY_COUNT) { walk in
      walk.capacity = .max
      while true {
        let outcome = resume(&walk)
        forEachInside(&walk) { _ in edge += 1 }
        guard outcome == NEARBY_FULL else { return walk.count }
      }
    }
    return count + edge
  }

  /// - Parameter number: What the sink gets for a slot on the edge.
  @inline(__always)
  private func run(
    _ answer: nearby_answer, into sink: inout PositionSink, edge number: (_ slot: Int) -> UInt32
  ) {
    withWalk(answer) { walk in
      while true {
        let outcome = sink.lend(to: &walk) { resume(&$0) }
        forEachInside(&walk) {
          sink.reserve(1)
          sink.append(number($0))
        }
        guard outcome == NEARBY_FULL else { return }
        sink.reserve(2 * Int(NEARBY_GROUP_SLOTS))
      }
    }
  }

  /// Runs `body` with a walk that has a kilobyte of stack memory for undecided slots.
  @inline(__always)
  private func withWalk<Result>(
    _ answer: nearby_answer, _ body: (inout nearby_area_walk) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Int(NEARBY_GROUP_SLOTS)) { undecided in
      var walk = nearby_area_walk()
      var searched = tree.searched
      nearby_begin_area(&walk, &searched, answer)
      walk.undecided = undecided.baseAddress
      return body(&walk)
    }
  }

  /// Calls `body` with the undecided slots that lie inside, and removes all undecided slots.
  @inline(__always)
  private func forEachInside(_ walk: inout nearby_area_walk, _ body: (_ slot: Int) -> Void) {
    for index in 0..<Int(walk.undecided_count) {
      let slot = Int(walk.undecided[index])
      if includes(undecided: slot) { body(slot) }
    }
    walk.undecided_count = 0
  }
}

extension nearby_box {
  /// A box whose edges are included, rounded outward and, for what lies wholly inside, inward.
  @inline(__always)
  init(_ latitudes: ClosedRange<Double>, _ longitudes: ClosedRange<Double>) {
    let south = latitudes.lowerBound, north = latitudes.upperBound
    let west = longitudes.lowerBound, east = longitudes.upperBound
    self.init(
      south: nearby_rounded_down(south), west: nearby_rounded_down(west),
      north: nearby_rounded_up(north), east: nearby_rounded_up(east),
      inner_south: nearby_rounded_up(south), inner_west: nearby_rounded_up(west),
      inner_north: nearby_rounded_down(north), inner_east: nearby_rounded_down(east))
  }
}

extension nearby_circle {
  /// A circle between whose squared chords only geodesics can tell inside from outside; nil where flat
  /// squares cannot judge it.
  @inline(__always)
  init?(around origin: Coordinate, outer: Double, inner: Double) {
    let metric = LocalMetric(origin)
    let outer = nearby_rounded_up(outer), inner = nearby_rounded_down(inner)
    guard outer <= metric.squaredReach else { return nil }
    self.init(
      metric: metric.kernel,
      outer_node: metric.nodeLimit(upTo: outer), inner_node: metric.innerNodeLimit(upTo: inner),
      outer_position: metric.positionLimit(upTo: outer),
      inner_position: metric.innerPositionLimit(upTo: inner))
  }
}
