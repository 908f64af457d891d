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
    var source = OldLeaves(
      old, count: (oldCount + 15) >> 4, size: encoding.leafSize,
      lag: isInPlace ? LeafMerging.longestLag(events) : nil)
    defer { source.deallocate() }
    var changed: [Int] = []
    var start = 0
    var surplus = 0
    for index in events.indices {
      surplus += events[index].isRemoval ? -1 : 1
      guard surplus == 0 || index == events.count - 1 else { continue }
      changed += rewrite(events[start...index], untilTheEnd: surplus != 0, from: &source)
      start = index + 1
    }
    if isInPlace {
      filling.fillNodes(aboveLeaves: changed)
    } else {
      filling.fillGaps(sets: [])
      filling.fillNodesAboveLeaves()
    }
  }

  /// The largest surplus of insertions over removals before any change.
  private static func longestLag(_ events: [ListEvent]) -> Int {
    var surplus = 0
    return events.reduce(0) { longest, event in
      surplus += event.isRemoval ? -1 : 1
      return max(longest, surplus)
    }
  }

  /// Rewrites the leaves of changes from front to back.
  ///
  /// - Returns: The leaves written.
  private func rewrite(
    _ events: ArraySlice<ListEvent>, untilTheEnd: Bool, from source: inout OldLeaves
  ) -> Range<Int> {
    guard let first = events.first?.slot, let last = events.last else { return 0..<0 }
    let end = untilTheEnd ? oldCount : last.isRemoval ? last.slot + 1 : max(first, last.slot)
    let firstLeaf = first >> 4
    source.begin(at: firstLeaf)
    // The slots to be read and written next, and the first leaf whose edges are not written.
    var next = first, slot = first, unfinished = firstLeaf
    func finishLeaves() {
      while unfinished < slot >> 4 {
        filling.finishLeaf(unfinished, count: 16)
        unfinished += 1
      }
    }
    func copyOld(upTo end: Int) {
      while next < end {
        let leaf = slot >> 4, from = next >> 4, lane = next & 15
        var count = 16
        if slot & 15 == 0, lane == 0, end - next >= 16 {
          source.save(before: leaf + 1)
          filling.copyLeaf(leaf, from: source[from])
        } else if slot & 15 == 0, end - next >= 32 {
          source.save(before: leaf + 2)
          filling.copyLeaf(leaf, from: source[from], lane, source[from + 1])
        } else {
          count = min(end - next, 16 - slot & 15, 16 - lane)
          source.save(before: leaf + 1)
          filling.copy(count, from: source[from], lane, to: slot)
        }
        next += count
        slot += count
        finishLeaves()
      }
    }
    for event in events {
      copyOld(upTo: event.slot)
      if event.isRemoval {
        next = event.slot + 1
      } else {
        source.save(before: slot >> 4 + 1)
        filling.put(event.coordinate, event.number, at: slot)
        slot += 1
        finishLeaves()
      }
    }
    copyOld(upTo: end)
    // Only a removal at the end of the list writes nothing.
    let leaves = firstLeaf..<max(firstLeaf + 1, (slot + 15) >> 4)
    let held = leaves.clamped(to: 0..<((newCount + 15) >> 4))
    for leaf in held where leaf >= unfinished {
      filling.finishLeaf(leaf, count: min(16, newCount - (leaf << 4)))
    }
    return held
  }
}

/// The leaves of a list while they are overwritten from front to back.
///
/// The new list lags behind the old one by no more slots than were inserted so far, so the few leaves that are still
/// to be read are kept in a ring, which stays in the caches.
private struct OldLeaves {
  private let leaves: UnsafeRawPointer
  private let count: Int
  private let size: Int
  /// The leaves from those read next to `savedEnd`; nil if none is overwritten.
  private let ring: UnsafeMutableRawPointer?
  private let mask: Int
  private var savedEnd = 0

  /// How many bytes after a leaf may be read with it.
  private static let margin = 128

  /// - Parameter lag: How many slots the new list may lag behind; nil if it lies somewhere else.
  init(_ leaves: UnsafeRawPointer, count: Int, size: Int, lag: Int?) {
    self.leaves = leaves
    self.count = count
    self.size = size
    // With the leaf that is read, the two that are written, and one that is begun.
    let room = lag.map { 1 << (Int.bitWidth - ($0 / 16 + 4).leadingZeroBitCount) }
    mask = (room ?? 1) - 1
    ring = room.map { .allocate(byteCount: $0 * size + OldLeaves.margin, alignment: 64) }
  }

  func deallocate() { ring?.deallocate() }

  /// Leaves from one on will be read and written.
  mutating func begin(at leaf: Int) { savedEnd = leaf }

  /// An old leaf, and at least as many bytes after it as one column of a leaf has.
  @inline(__always)
  subscript(leaf: Int) -> UnsafeRawPointer {
    guard let ring, leaf < savedEnd else { return leaves + leaf &* size }
    return UnsafeRawPointer(ring) + (leaf & mask) &* size
  }

  /// Saves those leaves below `end` that are not saved, since they are about to be overwritten.
  @inline(__always)
  mutating func save(before end: Int) {
    guard let ring else { return }
    while savedEnd < min(end, count) {
      (ring + (savedEnd & mask) &* size).copyMemory(
        from: leaves + savedEnd &* size, byteCount: size)
      savedEnd += 1
    }
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

  /// Copies a whole leaf.
  @inline(__always)
  fileprivate func copyLeaf(_ leaf: Int, from source: UnsafeRawPointer) {
    (leaves + leaf &* encoding.leafSize).copyMemory(from: source, byteCount: encoding.leafSize)
  }

  /// Fills a leaf with the slots from a lane of one leaf on, and as many of the next as there is room for.
  ///
  /// Columns are copied whole, the second over the end of the first, since a copy whose length is known takes a few
  /// instructions. So it reads beyond `first`, and writes into the first column of the next leaf, which must still be
  /// written.
  @inline(__always)
  fileprivate func copyLeaf(
    _ leaf: Int, from first: UnsafeRawPointer, _ lane: Int, _ second: UnsafeRawPointer
  ) {
    let target = leaves + leaf &* encoding.leafSize
    func copyColumn<Number>(of type: Number.Type, at offset: Int) {
      let size = MemoryLayout<Number>.size
      (target + offset).copyMemory(from: first + offset + lane &* size, byteCount: 16 * size)
      (target + offset + (16 &- lane) &* size).copyMemory(
        from: second + offset, byteCount: 16 * size)
    }
    switch encoding {
    case .decimal:
      copyColumn(of: Int32.self, at: 0)
      copyColumn(of: Int32.self, at: 64)
    case .degrees:
      copyColumn(of: Double.self, at: 0)
      copyColumn(of: Double.self, at: 128)
    }
    copyColumn(of: UInt32.self, at: encoding.positionsOffset)
  }

  /// Copies slots of a leaf into a leaf.
  fileprivate func copy(_ count: Int, from leaf: UnsafeRawPointer, _ lane: Int, to slot: Int) {
    let coordinateSize = encoding == .decimal ? 4 : 8
    let target = leaves + (slot >> 4) &* encoding.leafSize
    for half in 0..<2 {
      (target + (half << 4 &+ slot & 15) &* coordinateSize).copyMemory(
        from: leaf + (half << 4 &+ lane) &* coordinateSize, byteCount: count &* coordinateSize)
    }
    (target + (encoding.positionsOffset &+ (slot & 15) << 2)).copyMemory(
      from: leaf + (encoding.positionsOffset &+ lane << 2), byteCount: count << 2)
  }
}
