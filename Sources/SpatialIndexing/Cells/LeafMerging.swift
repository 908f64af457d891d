import Geodesy

/// Merges sorted changes into consecutive leaves.
///
/// Slots between two changes shift by the surplus of insertions over removals before them. If these
/// balance, nothing moves, so the work is confined to ranges of the list that begin and end without a
/// shift.
struct LeafMerging {
  private let encoding: LeafEncoding
  private let oldCount, newCount: Int
  private let old: UnsafeRawPointer
  private let isInPlace: Bool
  private let filling: TreeFilling

  /// - Parameters:
  ///   - old: The present leaves: in `memory`, or somewhere else.
  ///   - memory: The memory for the new leaves, which is not shared.
  init(
    _ old: TreeView, into memory: TreeMemory, isInPlace: Bool, newCount: Int
  ) {
    encoding = old.encoding
    oldCount = old.shape.count
    self.newCount = newCount
    self.isInPlace = isInPlace
    self.old = old.firstLeaf
    filling = TreeFilling(
      into: UnsafeMutableRawPointer(mutating: memory.bytes.baseAddress.unsafelyUnwrapped),
      shape: TreeShape(count: newCount, isInGeohashOrder: true), encoding: encoding,
      categoryEncoding: .none, codes: nil)
    if !isInPlace { filling.copyLeaves(of: old) }
  }

  /// - Parameter events: In list order, each with its slot.
  func merge(_ events: [ListEvent]) {
    var changed: [Int] = []
    var scratch = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    defer { scratch.deallocate() }
    var start = 0
    var surplus = 0
    for index in events.indices {
      surplus += events[index].isRemoval ? -1 : 1
      guard surplus == 0 || index == events.count - 1 else { continue }
      changed += rewrite(events[start...index], untilTheEnd: surplus != 0, by: &scratch)
      start = index + 1
    }
    if isInPlace {
      filling.fillNodes(aboveLeaves: changed)
    } else {
      filling.fillGaps(sets: [])
      filling.fillNodesAboveLeaves()
    }
  }

  /// - Parameter scratch: Scratch memory, which grows if needed.
  /// - Returns: The leaves written.
  private func rewrite(
    _ events: ArraySlice<ListEvent>, untilTheEnd: Bool,
    by scratch: inout UnsafeMutableRawBufferPointer
  ) -> Range<Int> {
    guard let first = events.first?.slot, let last = events.last else { return 0..<0 }
    let end = untilTheEnd ? oldCount : last.isRemoval ? last.slot + 1 : max(first, last.slot)
    // Save what is overwritten before it is read.
    let firstLeaf = first >> 4, leafEnd = (max(end, first + 1) + 15) >> 4
    let from = old + firstLeaf * encoding.leafSize
    var source = from
    if isInPlace {
      let size = (min(leafEnd, (oldCount + 15) >> 4) - firstLeaf) * encoding.leafSize
      if scratch.count < max(size, 1) {
        scratch.deallocate()
        scratch = .allocate(byteCount: 2 * max(size, 1), alignment: 64)
      }
      let copy = scratch.baseAddress.unsafelyUnwrapped
      copy.copyMemory(from: from, byteCount: size)
      source = UnsafeRawPointer(copy)
    }

    var next = first, slot = first
    func copyOld(upTo end: Int) {
      guard end > next else { return }
      filling.copy(end - next, from: source, next - (firstLeaf << 4), to: slot)
      slot += end - next
      next = end
    }
    for event in events {
      copyOld(upTo: event.slot)
      if event.isRemoval {
        next = event.slot + 1
      } else {
        filling.put(event.coordinate, event.number, at: slot)
        slot += 1
      }
    }
    copyOld(upTo: end)
    // Only a removal at the end of the list writes nothing.
    let leaves = firstLeaf..<max(firstLeaf + 1, (slot + 15) >> 4)
    let held = leaves.clamped(to: 0..<((newCount + 15) >> 4))
    for leaf in held { filling.finishLeaf(leaf, count: min(16, newCount - (leaf << 4))) }
    return held
  }
}

extension TreeFilling {
  /// Copies all leaves of a tree, with their edges, as far as there is room.
  fileprivate func copyLeaves(of tree: TreeView) {
    let leafCount = min(tree.shape.leafCount, shape.leafCount)
    leaves.copyMemory(from: tree.firstLeaf, byteCount: leafCount * encoding.leafSize)
    UnsafeMutableRawPointer(edgesOfGroup(level: 0, 0)).copyMemory(
      from: tree.groupMemory(level: 0, 0),
      byteCount: ((leafCount + 15) >> 4) * TreeSections.groupSize)
    for leaf in 0..<leafCount { nodeCodes(level: 0)[leaf] = tree.firstCode(ofLeaf: leaf) }
  }

  /// Copies slots from other leaves.
  ///
  /// - Parameter source: Leaves that contain the slot `first`.
  fileprivate func copy(_ count: Int, from source: UnsafeRawPointer, _ first: Int, to slot: Int) {
    let coordinateSize = encoding == .decimal ? 4 : 8
    var from = first, to = slot, left = count
    while left > 0 {
      let lane = to & 15, fromLane = from & 15
      let count = min(left, 16 - lane, 16 - fromLane)
      let target = leaves + (to >> 4) &* encoding.leafSize
      let leaf = source + (from >> 4) &* encoding.leafSize
      for half in 0..<2 {
        (target + (half << 4 &+ lane) &* coordinateSize).copyMemory(
          from: leaf + (half << 4 &+ fromLane) &* coordinateSize,
          byteCount: count &* coordinateSize)
      }
      (target + (encoding.positionsOffset &+ lane << 2)).copyMemory(
        from: leaf + (encoding.positionsOffset &+ fromLane << 2), byteCount: count << 2)
      from &+= count
      to &+= count
      left &-= count
    }
  }

  /// Writes a position into a slot.
  fileprivate func put(_ coordinate: Coordinate, _ number: UInt32, at slot: Int) {
    let leaf = leaves + (slot >> 4) &* encoding.leafSize
    let lane = slot & 15
    switch encoding {
    case .decimal:
      let words = leaf.assumingMemoryBound(to: Int32.self)
      words[lane] = Int32((coordinate.latitude * 1e7).rounded())
      words[lane + 16] = Int32((coordinate.longitude * 1e7).rounded())
    case .degrees:
      let degrees = leaf.assumingMemoryBound(to: Double.self)
      degrees[lane] = coordinate.latitude
      degrees[lane + 16] = coordinate.longitude
    }
    (leaf + encoding.positionsOffset).assumingMemoryBound(to: UInt32.self)[lane] = number
  }
}
