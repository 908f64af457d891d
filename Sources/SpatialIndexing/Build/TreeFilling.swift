import CNearbyKernels
import Geodesy

/// Writes leaves and nodes of a tree into its memory.
///
/// Different leaves may be written concurrently.
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
  ///   - leaf: The number of the leaf.
  ///   - sites: The sites that include the leaf's.
  ///   - numbers: The offsets of the leaf's sites: sixteen, or fewer in the last leaf.
  ///   - input: The source of doubles and categories.
  @inline(__always)
  func fillLeaf(
    _ leaf: Int, _ sites: Sites, _ numbers: UnsafeBufferPointer<UInt16>, _ input: TreeInput
  ) {
    switch encoding {
    case .decimal:
      let words = (leaves + leaf &* encoding.leafSize).assumingMemoryBound(to: Int32.self)
      for rank in 0..<numbers.count {
        let site = sites + Int(numbers[rank]) &* KDOrder.siteWords
        words[rank] = site[0]
        words[rank &+ 16] = site[1]
        words[rank &+ 32] = site[2]
      }
    case .degrees:
      for rank in 0..<numbers.count {
        let position = UInt32(bitPattern: sites[Int(numbers[rank]) &* KDOrder.siteWords &+ 2])
        put(input.coordinates[Int(position)], position, at: leaf << 4 &+ rank)
      }
    }
    finishLeaf(leaf, count: numbers.count)
    if categoryEncoding != .none { fillCategories(of: leaf, count: numbers.count, input) }
  }

  /// Writes a position into a slot.
  @inline(__always)
  func put(_ coordinate: Coordinate, _ position: UInt32, at slot: Int) {
    let leaf = slot >> 4, lane = slot & 15
    let memory = leaves + leaf &* encoding.leafSize
    switch encoding {
    case .decimal:
      let words = memory.assumingMemoryBound(to: Int32.self)
      words[lane] = Int32((coordinate.latitude * 1e7).rounded())
      words[lane &+ 16] = Int32((coordinate.longitude * 1e7).rounded())
    case .degrees:
      let degrees = memory.assumingMemoryBound(to: Double.self)
      degrees[lane] = coordinate.latitude
      degrees[lane &+ 16] = coordinate.longitude
    }
    positions(of: leaf)[lane] = position
  }

  /// The offsets in the input of a leaf's positions.
  @inline(__always)
  private func positions(of leaf: Int) -> UnsafeMutablePointer<UInt32> {
    (leaves + leaf &* encoding.leafSize + encoding.positionsOffset)
      .assumingMemoryBound(to: UInt32.self)
  }

  /// Writes the edges of a leaf whose positions are written, and empties its remaining lanes.
  ///
  /// - Parameter firstCode: The geohash of its first position, if known.
  @inline(__always)
  func finishLeaf(_ leaf: Int, count: Int, firstCode: UInt64? = nil) {
    let memory = leaves + leaf &* encoding.leafSize
    switch encoding {
    case .decimal:
      let words = memory.assumingMemoryBound(to: Int32.self)
      for rank in count..<16 {
        words[rank] = words[0]
        words[rank &+ 16] = words[16]
      }
      nearby_set_decimal_edges(words, edges(ofLeaf: leaf))
      for rank in count..<16 {
        words[rank] = .max
        words[rank &+ 16] = .max
      }
    case .degrees:
      let degrees = memory.assumingMemoryBound(to: Double.self)
      nearby_leaf_edges(degrees, Int32(truncatingIfNeeded: count), edges(ofLeaf: leaf))
      for rank in count..<16 {
        degrees[rank] = .infinity
        degrees[rank &+ 16] = .infinity
      }
    }
    let positions = positions(of: leaf)
    for rank in count..<16 { positions[rank] = .max }
    if shape.isInGeohashOrder {
      nodeCodes(level: 0)[leaf] = firstCode ?? encoding.geohash(memory, lane: 0)
    }
  }

  /// Writes whole leaves from positions in input order.
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

  /// Writes whole leaves from positions in geohash order; the entries of a leaf may lie where it does.
  func fill(_ entries: UnsafePointer<GeohashEntry>, _ range: Range<Int>, _ input: TreeInput) {
    withUnsafeTemporaryAllocation(of: GeohashEntry.self, capacity: 16) { copy in
      for start in stride(from: range.lowerBound, to: range.upperBound, by: 16) {
        let count = min(16, range.upperBound - start)
        let leaf = start >> 4
        let memory = leaves + leaf &* encoding.leafSize
        let firstCode = entries[start].code
        if encoding == .decimal, count == 16 {
          // Decode the codes; the positions they were made of are scattered across memory.
          (entries + start).withMemoryRebound(to: UInt32.self, capacity: 3 * count) {
            nearby_fill_decimal_leaf(
              $0, memory.assumingMemoryBound(to: Int32.self), edges(ofLeaf: leaf))
          }
          nodeCodes(level: 0)[leaf] = firstCode
        } else {
          for rank in 0..<count { copy[rank] = entries[start &+ rank] }
          for rank in 0..<count {
            let entry = copy[rank]
            switch encoding {
            case .decimal:
              let words = memory.assumingMemoryBound(to: Int32.self)
              nearby_decimal_site(entry.code, words + rank, words + (rank &+ 16))
              positions(of: leaf)[rank] = entry.position
            case .degrees:
              put(input.coordinates[Int(entry.position)], entry.position, at: start &+ rank)
            }
          }
          finishLeaf(leaf, count: count, firstCode: firstCode)
        }
        if categoryEncoding != .none { fillCategories(of: leaf, count: count, input) }
      }
    }
  }

  private func fillCategories(of leaf: Int, count: Int, _ input: TreeInput) {
    let positions = positions(of: leaf)
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

  /// The southern edge of a leaf; the others follow at steps of sixteen lanes.
  @inline(__always)
  private func edges(ofLeaf leaf: Int) -> UnsafeMutablePointer<Float> {
    edgesOfGroup(level: 0, leaf >> 4) + (leaf & 15)
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

  /// Writes the nodes of all levels but the lowest from their children.
  func fillNodesAboveLeaves() {
    for level in stride(from: 1, to: shape.levelCount, by: 1) {
      for node in 0..<shape.nodeCount(level: level) { fillNode(node, level: level) }
    }
  }

  /// Writes the nodes above some leaves from their children.
  ///
  /// - Parameter leaves: Ascending.
  func fillNodes(aboveLeaves leaves: [Int]) {
    var nodes = leaves
    for level in stride(from: 1, to: shape.levelCount, by: 1) {
      var last = -1
      nodes = nodes.compactMap { child in
        guard child >> 4 != last else { return nil }
        last = child >> 4
        return last
      }
      for node in nodes { fillNode(node, level: level) }
    }
  }

  private func fillNode(_ node: Int, level: Int) {
    nearby_node_edges(
      edgesOfGroup(level: level - 1, node), edgesOfGroup(level: level, node >> 4) + (node & 15))
    if shape.isInGeohashOrder {
      nodeCodes(level: level)[node] = nodeCodes(level: level - 1)[node << 4]
    }
    guard categoryEncoding != .none else { return }
    let below = nodeCategories(level: level - 1) + node * TreeShape.fanOut
    var union: UInt64 = 0
    for lane in 0..<16 { union |= below[lane] }
    nodeCategories(level: level)[node] = union
  }

  /// Writes the bytes that belong to no node and no position, so that equal trees have equal bytes:
  /// lanes past the last node of a level, the sets of the codes, and the gaps between sections.
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

// MARK: - Memory

/// The bytes of an index: its own, or borrowed from an owner such as a mapped file.
///
/// They do not change once they are shared, so any number of threads may read them.
final class TreeMemory: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  /// Keeps borrowed bytes alive; nil for the index's own.
  private let lender: AnyObject?

  /// Allocates bytes, aligned to cache lines of 64, which the caller fills before sharing them.
  init(byteCount: Int) {
    let size = max(byteCount, 64)
    bytes = UnsafeRawBufferPointer(start: LargePages.allocate(byteCount: size), count: size)
    lender = nil
  }

  /// Borrows bytes that `lender` keeps in place and unchanged as long as it lives.
  init(lent bytes: UnsafeRawBufferPointer, by lender: AnyObject) {
    self.bytes = bytes
    self.lender = lender
  }

  deinit {
    if lender == nil { bytes.deallocate() }
  }
}

/// Memory with scattered reads.
package enum LargePages {
  /// Allocates memory aligned to 64 bytes, in large pages if it is big enough.
  ///
  /// A query's reads are scattered over an index. With pages of 4 KB, address translation takes as
  /// long as the reads themselves, and getting the pages from the system takes a fifth of the build
  /// time.
  package static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
    let largePage = 1 << 21
    guard byteCount >= largePage else { return .allocate(byteCount: byteCount, alignment: 64) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: largePage)
    nearby_prefer_large_pages(memory, byteCount)
    return memory
  }

  /// Allocates memory for some 32-bit numbers.
  static func allocate(_ count: Int) -> UnsafeMutablePointer<Int32> {
    allocate(byteCount: count * 4).bindMemory(to: Int32.self, capacity: count)
  }
}

/// Memory operations for code outside the indexes.
package enum Memory {
  /// Prefetches the cache line at an address, without waiting; any address will do.
  @inline(__always)
  package static func prefetch(_ address: UInt) {
    nearby_prefetch_later(UnsafeRawPointer(bitPattern: address))
  }

  /// Prefetches bytes that are read next: their first and their last cache line, because every other row of 32 bytes lies
  /// in two.
  package static func prefetch(_ address: UInt, byteCount: Int) {
    nearby_prefetch(UnsafeRawPointer(bitPattern: address))
    nearby_prefetch(UnsafeRawPointer(bitPattern: address &+ UInt(byteCount &- 1)))
  }
}
