import Geodesy

struct BuiltTree {
  let memory: TreeMemory
  let shape: TreeShape
  let encoding: LeafEncoding
  let categoryEncoding: CategoryEncoding
}

/// Packs positions into a `KDTreeIndex`.
///
/// Each range of positions is split at the median of its longest side in space, at a multiple of
/// the leaf capacity, until a leaf is left. The left part always takes a power of two of leaves,
/// so that sixteen neighbors in the order of the leaves form one node, with no pointer anywhere.
enum KDTreeBuilder {
  private struct Site {
    let x, y, z: Float
    let position: UInt32
  }

  static func build(
    _ coordinates: some Collection<Coordinate>, categories: [CategorySet],
    leafOrder: KDTreeIndex.LeafOrder
  ) -> BuiltTree {
    precondition(coordinates.count < Int(UInt32.max), "an index holds fewer than 2³² positions")
    let shape = TreeShape(count: coordinates.count)
    let coordinates = ContiguousArray(coordinates)
    var sites = ContiguousArray<Site>()
    sites.reserveCapacity(coordinates.count)
    for (position, coordinate) in coordinates.enumerated() {
      let c = cosine(radians(coordinate.latitude))
      sites.append(
        Site(
          x: Float(coordinate.latitude), y: Float(coordinate.longitude), z: Float(c),
          position: UInt32(position)))
    }
    if leafOrder == .spatial { sites.withUnsafeMutableBufferPointer { order($0) } }
    func decimal(_ degrees: Double) -> Int32? {
      let value = (degrees * 1e7).rounded()
      return value / 1e7 == degrees ? Int32(value) : nil
    }
    let isDecimal = coordinates.allSatisfy {
      decimal($0.latitude) != nil && decimal($0.longitude) != nil
    }
    let encoding: LeafEncoding = isDecimal ? .decimal : .degrees
    let categoryEncoding: CategoryEncoding = categories.isEmpty ? .none : .plain
    let sections = TreeSections(shape: shape, leaves: encoding, categories: categoryEncoding)
    let memory = TreeMemory(byteCount: sections.byteCount) { bytes in
      guard shape.count > 0 else { return }
      for slot in 0..<shape.leafCount * 16 {
        let leaf = bytes.baseAddress! + sections.leaves + slot / 16 * encoding.leafSize
        let lane = slot % 16
        let isThere = slot < shape.count
        let position = isThere ? sites[slot].position : UInt32.max
        let c = isThere ? coordinates[Int(position)] : nil
        switch encoding {
        case .decimal:
          leaf.storeBytes(
            of: c.map { decimal($0.latitude)! } ?? .max, toByteOffset: lane * 4, as: Int32.self)
          leaf.storeBytes(
            of: c.map { decimal($0.longitude)! } ?? .max, toByteOffset: 64 + lane * 4,
            as: Int32.self)
          leaf.storeBytes(of: position, toByteOffset: 128 + lane * 4, as: UInt32.self)
        case .degrees:
          leaf.storeBytes(of: c?.latitude ?? .infinity, toByteOffset: lane * 8, as: Double.self)
          leaf.storeBytes(
            of: c?.longitude ?? .infinity, toByteOffset: 128 + lane * 8, as: Double.self)
          leaf.storeBytes(of: position, toByteOffset: 256 + lane * 4, as: UInt32.self)
        }
      }
      let groups = (bytes.baseAddress! + sections.groups).assumingMemoryBound(to: Float.self)
      let masks = (bytes.baseAddress! + sections.nodeCategories).assumingMemoryBound(
        to: UInt64.self)
      let slotMasks = (bytes.baseAddress! + sections.slotCategories).assumingMemoryBound(
        to: UInt64.self)
      for i in 0..<shape.groupCount * 64 { groups[i] = i & 63 < 32 ? .infinity : -.infinity }
      if categoryEncoding == .plain {
        for i in 0..<shape.groupCount * 16 { masks[i] = 0 }
        for (slot, site) in sites.enumerated() {
          slotMasks[slot] = categories[Int(site.position)].rawValue
        }
      }
      for level in 0..<shape.levelCount {
        for node in 0..<shape.nodeCount(level: level) {
          var edges: (Float, Float, Float, Float) = (.infinity, .infinity, -.infinity, -.infinity)
          var mask: UInt64 = 0
          if level == 0 {
            for slot in shape.slots(below: node, level: 0) {
              let c = coordinates[Int(sites[slot].position)]
              edges = (
                min(edges.0, roundedDown(c.latitude)), min(edges.1, roundedDown(c.longitude)),
                max(edges.2, roundedUp(c.latitude)), max(edges.3, roundedUp(c.longitude))
              )
              if categoryEncoding == .plain { mask |= slotMasks[slot] }
            }
          } else {
            let g = groups + (shape.groupOffset(level: level - 1) + node) * 64
            for lane in 0..<16 {
              edges = (
                min(edges.0, g[lane]), min(edges.1, g[16 + lane]), max(edges.2, g[32 + lane]),
                max(edges.3, g[48 + lane])
              )
              if categoryEncoding == .plain {
                mask |= masks[(shape.groupOffset(level: level - 1) + node) * 16 + lane]
              }
            }
          }
          let g = groups + (shape.groupOffset(level: level) + node / 16) * 64
          g[node % 16] = edges.0
          g[16 + node % 16] = edges.1
          g[32 + node % 16] = edges.2
          g[48 + node % 16] = edges.3
          if categoryEncoding == .plain {
            masks[shape.groupOffset(level: level) * 16 + node] = mask
          }
        }
      }
    }
    return BuiltTree(
      memory: memory, shape: shape, encoding: encoding, categoryEncoding: categoryEncoding)
  }

  // MARK: Order

  private static func order(_ sites: UnsafeMutableBufferPointer<Site>) {
    let leafCount = (sites.count + TreeShape.fanOut - 1) / TreeShape.fanOut
    guard leafCount > 1 else { return }
    // The largest power of two below the number of leaves, so that the left part is complete.
    let leftLeaves = 1 << (Int.bitWidth - 1 - (leafCount - 1).leadingZeroBitCount)
    let middle = leftLeaves * TreeShape.fanOut
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
    let x = extent { $0.x }, y = extent { $0.y } * sites[sites.count / 2].z
    return x >= y ? .x : .y
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
