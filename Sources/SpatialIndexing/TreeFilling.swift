import Geodesy

/// Writes leaves and nodes of a tree into its memory.
///
/// Different leaves may be written at once.
struct TreeFilling: @unchecked Sendable {
  let shape: TreeShape
  let encoding: LeafEncoding
  let categoryEncoding: CategoryEncoding
  private let codes: UnsafePointer<UInt8>?
  private let bytes: UnsafeMutableRawPointer
  private let sections: TreeSections

  init(
    into bytes: UnsafeMutableRawPointer, shape: TreeShape, encoding: LeafEncoding,
    categoryEncoding: CategoryEncoding, codes: UnsafePointer<UInt8>?
  ) {
    self.shape = shape
    self.encoding = encoding
    self.categoryEncoding = categoryEncoding
    self.codes = codes
    self.bytes = bytes
    sections = TreeSections(shape: shape, leaves: encoding, categories: categoryEncoding)
  }

  /// Where the leaves begin.
  var leaves: UnsafeMutableRawPointer { bytes + sections.leaves }

  // MARK: Leaves

  /// Writes a leaf, its edges and its categories.
  ///
  /// - Parameters:
  ///   - leaf: Which leaf.
  ///   - sites: Among which the leaf's are.
  ///   - numbers: Which of them are the leaf's: sixteen, or fewer in the last leaf.
  ///   - input: Where doubles and categories are taken from.
  @inline(__always)
  func fillLeaf(
    _ leaf: Int, _ sites: Sites, _ numbers: UnsafeBufferPointer<UInt16>, _ input: TreeInput
  ) {
    let memory = leaves + leaf &* encoding.leafSize
    let positions: UnsafeMutablePointer<UInt32>
    switch encoding {
    case .decimal:
      let words = memory.assumingMemoryBound(to: Int32.self)
      for rank in 0..<numbers.count {
        let site = sites + Int(numbers[rank]) &* KDOrder.siteWords
        words[rank] = site[0]
        words[rank &+ 16] = site[1]
        words[rank &+ 32] = site[2]
      }
      positions = (memory + 128).assumingMemoryBound(to: UInt32.self)
    case .degrees:
      let degrees = memory.assumingMemoryBound(to: Double.self)
      positions = (memory + 256).assumingMemoryBound(to: UInt32.self)
      for rank in 0..<numbers.count {
        let position = UInt32(
          bitPattern: sites[Int(numbers[rank]) &* KDOrder.siteWords &+ 2])
        let coordinate = input.coordinates[Int(position)]
        degrees[rank] = coordinate.latitude
        degrees[rank &+ 16] = coordinate.longitude
        positions[rank] = position
      }
    }
    finishLeaf(leaf, count: numbers.count)
    if categoryEncoding != .none {
      fillCategories(of: leaf, positions, count: numbers.count, input)
    }
  }

  /// Writes the edges of a leaf whose first positions are written, and empties its other lanes.
  @inline(__always)
  func finishLeaf(_ leaf: Int, count: Int) {
    let memory = leaves + leaf &* encoding.leafSize
    switch encoding {
    case .decimal:
      let words = memory.assumingMemoryBound(to: Int32.self)
      for rank in count..<16 {
        words[rank] = words[0]
        words[rank &+ 16] = words[16]
      }
      setEdges(
        of: leaf, latitudes: memory.load(as: SIMD16<Int32>.self),
        longitudes: memory.load(fromByteOffset: 64, as: SIMD16<Int32>.self))
      for rank in count..<16 {
        words[rank] = .max
        words[rank &+ 16] = .max
      }
    case .degrees:
      let degrees = memory.assumingMemoryBound(to: Double.self)
      setEdges(of: leaf, degrees, count: count)
      for rank in count..<16 {
        degrees[rank] = .infinity
        degrees[rank &+ 16] = .infinity
      }
    }
    let positions = (memory + encoding.positionsOffset).assumingMemoryBound(to: UInt32.self)
    for rank in count..<16 { positions[rank] = .max }
    if shape.isInGeohashOrder { nodeCodes(level: 0)[leaf] = firstCode(ofLeaf: memory) }
  }

  private func firstCode(ofLeaf memory: UnsafeMutableRawPointer) -> UInt64 {
    switch encoding {
    case .decimal:
      let words = memory.assumingMemoryBound(to: Int32.self)
      return DecimalGeohash.code(words[0], words[16])
    case .degrees:
      let degrees = memory.assumingMemoryBound(to: Double.self)
      return BinaryGeohash(latitude: degrees[0], longitude: degrees[16], bitCount: 64).bits
    }
  }

  /// Writes whole leaves whose positions come as they were given.
  func fillAsGiven(_ sites: Sites, _ range: Range<Int>, _ input: TreeInput) {
    let consecutive: [UInt16] = (0..<16).map { $0 }
    consecutive.withUnsafeBufferPointer { consecutive in
      for start in stride(from: range.lowerBound, to: range.upperBound, by: 16) {
        fillLeaf(
          start / 16, sites + start * KDOrder.siteWords,
          UnsafeBufferPointer(rebasing: consecutive[..<min(16, range.upperBound - start)]), input)
      }
    }
  }

  private func fillCategories(
    of leaf: Int, _ positions: UnsafePointer<UInt32>, count: Int, _ input: TreeInput
  ) {
    var union: UInt64 = 0
    if let codes {
      let table = codeTable
      let slots = (bytes + sections.slotCategories + leaf * 16).assumingMemoryBound(
        to: UInt8.self)
      for rank in 0..<count {
        let code = codes[Int(positions[rank])]
        slots[rank] = code
        union |= table[Int(code)]
      }
      for rank in count..<16 { slots[rank] = 0 }
    } else {
      let slots = (bytes + sections.slotCategories + leaf * 128).assumingMemoryBound(
        to: UInt64.self)
      for rank in 0..<count {
        let set = input.categories[Int(positions[rank])].rawValue
        slots[rank] = set
        union |= set
      }
      for rank in count..<16 { slots[rank] = 0 }
    }
    nodeCategories(level: 0)[leaf] = union
  }

  // MARK: Edges

  @inline(__always)
  private func setEdges(
    of leaf: Int, latitudes: SIMD16<Int32>, longitudes: SIMD16<Int32>
  ) {
    // West and north are negated: then all four are the least, and rounded down.
    setEdges(
      of: leaf,
      SIMD4(
        Double(TreeFilling.least(latitudes)), Double(TreeFilling.least(longitudes)),
        Double(TreeFilling.least(0 &- latitudes)), Double(TreeFilling.least(0 &- longitudes)))
        / 1e7)
  }

  private func setEdges(of leaf: Int, _ degrees: UnsafePointer<Double>, count: Int) {
    var edges = SIMD4<Double>(repeating: .infinity)
    for rank in 0..<count {
      let latitude = degrees[rank], longitude = degrees[rank + 16]
      let negated = SIMD4(latitude, longitude, -latitude, -longitude)
      edges.replace(with: negated, where: negated .< edges)
    }
    setEdges(of: leaf, edges)
  }

  /// Sets the edges of a leaf to south, west, minus north and minus east, rounded outward.
  @inline(__always)
  private func setEdges(of leaf: Int, _ edges: SIMD4<Double>) {
    let rounded = TreeFilling.roundedDown(edges)
    let group = edgesOfGroup(level: 0, leaf >> 4)
    let lane = leaf & 15
    group[lane] = rounded[0]
    group[lane &+ 16] = rounded[1]
    group[lane &+ 32] = 0 - rounded[2]
    group[lane &+ 48] = 0 - rounded[3]
  }

  /// `KDTreeBuilder.roundedDown` of four values, without a branch.
  @inline(__always)
  static func roundedDown(_ values: SIMD4<Double>) -> SIMD4<Float> {
    let nearest = SIMD4<Float>(values)
    // Away from zero the bits of a negative float count up; below zero comes the least of all.
    let bits = unsafeBitCast(nearest, to: SIMD4<Int32>.self)
    let one = SIMD4<Int32>(repeating: 1)
    var below = (bits &- one).replacing(with: bits &+ one, where: bits .< 0)
    below.replace(
      with: SIMD4(repeating: Int32(bitPattern: 0x8000_0001)),
      where: bits .== 0 .| bits .== Int32.min)
    let isAbove = SIMD4<Int32>(
      truncatingIfNeeded: unsafeBitCast(
        SIMD4<Double>(nearest) .> values, to: SIMD4<Int64>.self))
    return unsafeBitCast(bits & ~isAbove | below & isAbove, to: SIMD4<Float>.self)
  }

  @inline(__always)
  private static func least(_ values: SIMD16<Int32>) -> Int32 {
    let eight = values.lowHalf.replacing(
      with: values.highHalf, where: values.highHalf .< values.lowHalf)
    let four = eight.lowHalf.replacing(
      with: eight.highHalf, where: eight.highHalf .< eight.lowHalf)
    return min(min(four[0], four[1]), min(four[2], four[3]))
  }

  // MARK: Nodes

  @inline(__always)
  func edgesOfGroup(level: Int, _ group: Int) -> UnsafeMutablePointer<Float> {
    (bytes + sections.groups + (shape.groupOffset(level: level) &+ group) &* TreeSections.groupSize)
      .assumingMemoryBound(to: Float.self)
  }

  private var codeTable: UnsafeMutablePointer<UInt64> {
    (bytes + sections.codeTable).assumingMemoryBound(to: UInt64.self)
  }

  private func nodeCategories(level: Int) -> UnsafeMutablePointer<UInt64> {
    (bytes + sections.nodeCategories + shape.groupOffset(level: level) * TreeShape.fanOut * 8)
      .assumingMemoryBound(to: UInt64.self)
  }

  func nodeCodes(level: Int) -> UnsafeMutablePointer<UInt64> {
    (bytes + sections.nodeCodes + shape.groupOffset(level: level) * TreeShape.fanOut * 8)
      .assumingMemoryBound(to: UInt64.self)
  }

  /// Writes the nodes of all levels but the lowest, from their children.
  func fillNodesAboveLeaves() {
    for level in stride(from: 1, to: shape.levelCount, by: 1) {
      for node in 0..<shape.nodeCount(level: level) {
        let children = edgesOfGroup(level: level - 1, node)
        let edges = edgesOfGroup(level: level, node >> 4) + (node & 15)
        for side in 0..<4 {
          var bound = children[side * 16]
          for lane in 1..<16 {
            let other = children[side * 16 + lane]
            bound = side < 2 ? min(bound, other) : max(bound, other)
          }
          edges[side * 16] = bound
        }
        if shape.isInGeohashOrder {
          nodeCodes(level: level)[node] = nodeCodes(level: level - 1)[node << 4]
        }
        guard categoryEncoding != .none else { continue }
        let below = nodeCategories(level: level - 1) + node * TreeShape.fanOut
        var union: UInt64 = 0
        for lane in 0..<16 { union |= below[lane] }
        nodeCategories(level: level)[node] = union
      }
    }
  }

  /// Writes what belongs to no node and no position, so that equal trees have equal bytes: lanes
  /// past the last node of a level, the sets of the codes, and the room between the sections.
  func fillGaps(sets: [UInt64]) {
    for level in 0..<shape.levelCount {
      let nodes = shape.nodeCount(level: level)
      for node in nodes..<(nodes + 15) & ~15 {
        let edges = edgesOfGroup(level: level, node >> 4) + (node & 15)
        edges[0] = .infinity
        edges[16] = .infinity
        edges[32] = -.infinity
        edges[48] = -.infinity
        if categoryEncoding != .none { nodeCategories(level: level)[node] = 0 }
        if shape.isInGeohashOrder { nodeCodes(level: level)[node] = .max }
      }
    }
    if categoryEncoding == .coded {
      for code in 0..<256 { codeTable[code] = code < sets.count ? sets[code] : 0 }
    }
    // Leaves of either kind and groups fill whole cache lines; only the slots' codes may not.
    for byte in max(0, sections.byteCount - 64)..<sections.byteCount
    where byte >= sections.slotCategories {
      bytes.storeBytes(of: 0, toByteOffset: byte, as: UInt8.self)
    }
  }
}
