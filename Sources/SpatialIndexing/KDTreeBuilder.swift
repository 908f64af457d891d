import Geodesy

/// Packs positions into a `KDTreeIndex`.
///
/// Each range of positions is split at the median of its longest side in space, at a multiple of
/// the leaf capacity, until a leaf is left. The left part always takes a power of two of leaves,
/// so that sixteen neighbors in the order of the leaves form one node, with no pointer anywhere.
enum KDTreeBuilder {
  /// What the splitting moves about: the place in meters, as floats, which only shapes the tree.
  private struct Site {
    let x, y, z: Float
    let position: UInt32
  }

  static func build(
    _ coordinates: some Collection<Coordinate>, categories: [CategorySet],
    leafOrder: KDTreeIndex.LeafOrder
  ) -> KDTreeIndex {
    let shape = TreeShape(count: coordinates.count)
    precondition(coordinates.count < Int(UInt32.max), "an index holds fewer than 2³² positions")

    let coordinates = ContiguousArray(coordinates)
    let places = ContiguousArray(coordinates.lazy.map { ECEFPosition($0) })
    var sites = ContiguousArray<Site>()
    sites.reserveCapacity(coordinates.count)
    for (position, place) in places.enumerated() {
      sites.append(
        Site(
          x: Float(place.x), y: Float(place.y), z: Float(place.z), position: UInt32(position)))
    }
    // The bounds of the nodes follow the leaves, so that any order of them gives right answers.
    if leafOrder == .spatial { sites.withUnsafeMutableBufferPointer { order($0) } }

    var leaves = [Double](
      repeating: .infinity,
      count: (shape.nodeCounts.first ?? 0) * 5 * KDTreeIndex.leafCapacity)
    for (slot, site) in sites.enumerated() {
      let place = places[Int(site.position)], coordinate = coordinates[Int(site.position)]
      let base = (slot >> 5) * 5 * KDTreeIndex.leafCapacity + (slot & 31)
      leaves[base] = place.x
      leaves[base + 32] = place.y
      leaves[base + 64] = place.z
      leaves[base + 96] = coordinate.latitude
      leaves[base + 128] = coordinate.longitude
    }
    let slotCategories =
      categories.isEmpty ? [] : sites.map { categories[Int($0.position)].rawValue }
    return KDTreeIndex(
      count: coordinates.count, leaves: leaves, positions: sites.map(\.position),
      groups: nodeBounds(leaves: leaves, shape: shape), slotCategories: slotCategories,
      nodeCategories: nodeCategories(slotCategories, shape: shape), shape: shape)
  }

  // MARK: Order

  private static func order(_ sites: UnsafeMutableBufferPointer<Site>) {
    let leafCount = (sites.count + KDTreeIndex.leafCapacity - 1) / KDTreeIndex.leafCapacity
    guard leafCount > 1 else { return }
    // The largest power of two below the number of leaves, so that the left part is complete.
    let leftLeaves = 1 << (Int.bitWidth - 1 - (leafCount - 1).leadingZeroBitCount)
    let middle = leftLeaves * KDTreeIndex.leafCapacity
    switch longestAxis(of: sites) {
    case .x: select(middle, of: sites) { $0.x }
    case .y: select(middle, of: sites) { $0.y }
    case .z: select(middle, of: sites) { $0.z }
    }
    order(UnsafeMutableBufferPointer(rebasing: sites[..<middle]))
    order(UnsafeMutableBufferPointer(rebasing: sites[middle...]))
  }

  private enum Axis {
    case x, y, z
  }

  /// The axis along which the sites reach farthest.
  ///
  /// Some hundred sites tell that well enough: the choice shapes the tree, never its answers.
  private static func longestAxis(of sites: UnsafeMutableBufferPointer<Site>) -> Axis {
    func extent(_ value: (Site) -> Float) -> Float {
      var low = Float.infinity, high = -Float.infinity
      for index in stride(from: 0, to: sites.count, by: max(1, sites.count / 256)) {
        low = min(low, value(sites[index]))
        high = max(high, value(sites[index]))
      }
      return high - low
    }
    let x = extent { $0.x }, y = extent { $0.y }, z = extent { $0.z }
    if x >= y { return x >= z ? .x : .z }
    return y >= z ? .y : .z
  }

  /// Moves the `middle` sites of smallest value to the front: Hoare's quickselect.
  ///
  /// Equal values are swapped, not skipped, so a million equal positions split in the middle like
  /// any others.
  @inline(__always)
  private static func select(
    _ middle: Int, of sites: UnsafeMutableBufferPointer<Site>, by value: (Site) -> Float
  ) {
    var low = 0, high = sites.count - 1
    while low < high {
      let pivot = pivot(of: sites, low: low, high: high, rank: middle, by: value)
      var left = low, right = high
      while left <= right {
        while value(sites[left]) < pivot { left += 1 }
        while value(sites[right]) > pivot { right -= 1 }
        if left <= right {
          sites.swapAt(left, right)
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

  /// A value near the wanted rank.
  ///
  /// It comes from a sorted sample of a long range, which spares most of the further passes, and is
  /// the median of three of a short one.
  @inline(__always)
  private static func pivot(
    of sites: UnsafeMutableBufferPointer<Site>, low: Int, high: Int, rank: Int,
    by value: (Site) -> Float
  ) -> Float {
    let length = high - low + 1
    guard length > 2_048 else {
      return medianOfThree(
        value(sites[low]), value(sites[low + length / 2]), value(sites[high]))
    }
    let sampleSize = 127
    let sample = (0..<sampleSize)
      .map { value(sites[low + $0 * (length - 1) / (sampleSize - 1)]) }.sorted()
    return sample[(rank - low) * (sampleSize - 1) / (length - 1)]
  }

  private static func medianOfThree(_ a: Float, _ b: Float, _ c: Float) -> Float {
    max(min(a, b), min(max(a, b), c))
  }

  // MARK: Nodes

  private static func nodeBounds(leaves: [Double], shape: TreeShape) -> [SIMD16<Float>] {
    var empty = [SIMD16<Float>](
      repeating: SIMD16(repeating: .infinity), count: NodeGroup.vectorCount)
    for upper in NodeGroup.upper { empty[upper] = SIMD16(repeating: -.infinity) }
    var groups: [SIMD16<Float>] = []
    groups.reserveCapacity(shape.groupCount * NodeGroup.vectorCount)
    for _ in 0..<shape.groupCount { groups.append(contentsOf: empty) }

    for (level, nodeCount) in shape.nodeCounts.enumerated() {
      for node in 0..<nodeCount {
        let bounds =
          level == 0
          ? boundsOfLeaf(node, leaves: leaves, shape: shape)
          : boundsOfChildren(of: node, level: level, groups: groups, shape: shape)
        let base = (shape.groupOffsets[level] + node / TreeShape.fanOut) * NodeGroup.vectorCount
        for vector in 0..<NodeGroup.vectorCount {
          groups[base + vector][node % TreeShape.fanOut] = bounds[vector]
        }
      }
    }
    return groups
  }

  /// The ten bounds of a leaf, in the order of `NodeGroup`, in the first ten lanes.
  private static func boundsOfLeaf(
    _ leaf: Int, leaves: [Double], shape: TreeShape
  ) -> SIMD16<Float> {
    var bounds = SIMD16<Float>()
    let size = shape.slots(below: leaf, level: 0).count
    for field in 0..<5 {
      let start = (leaf * 5 + field) * KDTreeIndex.leafCapacity
      var low = Double.infinity, high = -Double.infinity
      for value in leaves[start..<start + size] {
        low = min(low, value)
        high = max(high, value)
      }
      bounds[NodeGroup.lower[field]] = roundedDown(low)
      bounds[NodeGroup.upper[field]] = roundedUp(high)
    }
    return bounds
  }

  private static func boundsOfChildren(
    of node: Int, level: Int, groups: [SIMD16<Float>], shape: TreeShape
  ) -> SIMD16<Float> {
    var bounds = SIMD16<Float>()
    let base = (shape.groupOffsets[level - 1] + node) * NodeGroup.vectorCount
    for vector in NodeGroup.lower { bounds[vector] = groups[base + vector].min() }
    for vector in NodeGroup.upper { bounds[vector] = groups[base + vector].max() }
    return bounds
  }

  private static func nodeCategories(_ slotCategories: [UInt64], shape: TreeShape) -> [UInt64] {
    guard !slotCategories.isEmpty else { return [] }
    var union = [UInt64](repeating: 0, count: shape.groupCount * TreeShape.fanOut)
    for (slot, categories) in slotCategories.enumerated() {
      for level in shape.nodeCounts.indices {
        let node = slot / (KDTreeIndex.leafCapacity << (4 * level))
        union[(shape.groupOffsets[level] << 4) + node] |= categories
      }
    }
    return union
  }

  /// The greatest float that is not above a value.
  static func roundedDown(_ value: Double) -> Float {
    let float = Float(value)
    return Double(float) > value ? float.nextDown : float
  }

  /// The least float that is not below a value.
  static func roundedUp(_ value: Double) -> Float {
    let float = Float(value)
    return Double(float) < value ? float.nextUp : float
  }
}
