import Geodesy

/// The conditions for walks over a tree to stay inside its memory, and for their answers to be
/// correct.
struct TreeVerification {
  let tree: TreeView

  /// Verifies that nothing is found where there is no node and no position.
  ///
  /// Only the last group of each level and the last leaf need checks. By the shape, every other
  /// lane has its node, and every node its children.
  ///
  /// - Complexity: O(levels).
  func verifyEnds() throws(IndexFileError) {
    for level in 0..<tree.shape.levelCount {
      let nodes = tree.shape.nodeCount(level: level)
      let last = tree.group(level: level, (nodes - 1) >> 4)
      for lane in (nodes - 1) & 15 + 1..<16 {
        guard last.south[lane] == .infinity, last.west[lane] == .infinity,
          last.north[lane] == -.infinity, last.east[lane] == -.infinity
        else { throw .invalid("there is a node past the last of level \(level)") }
      }
    }
    guard tree.shape.count > 0 else { return }
    _ = tree.leaf(tree.shape.leafCount - 1)
    let isEnd = (tree.shape.count..<tree.shape.leafCount << 4).allSatisfy { slot in
      tree.storedDegrees(slot, half: 0) > 91 && tree.storedDegrees(slot, half: 1) > 181
    }
    guard isEnd else { throw .invalid("there is a position past the last") }
  }

  /// Verifies everything that answers depend on.
  ///
  /// Each position occurs once, coordinates are on the Earth, and nodes contain what is below them,
  /// categories included.
  ///
  /// - Complexity: O(*n*); an eighth of a byte per position while it runs.
  func verifyAll() throws(IndexFileError) {
    try verifyEnds()
    let count = tree.shape.count
    try verifySlots(of: "it", mostPositions: count) { (slot, position) throws(IndexFileError) in
      guard position < count else { throw .invalid("it names position \(position) of \(count)") }
      let latitude = tree.storedDegrees(slot, half: 0)
      let longitude = tree.storedDegrees(slot, half: 1)
      guard (-90...90).contains(latitude), (-180..<180).contains(longitude) else {
        throw .invalid("position \(position) is at \(latitude),\(longitude)")
      }
    }
  }

  /// Verifies that positions are in the order of their 64-bit geohashes.
  ///
  /// - Complexity: O(*n*).
  func verifyGeohashOrder() throws(IndexFileError) {
    let codes = SortedCodes(tree: tree)
    for slot in 0..<tree.shape.count {
      guard slot == 0 || codes.code(slot - 1) <= codes.code(slot) else {
        throw .invalid("position \(tree.position(slot)) stands behind one of a greater geohash")
      }
      guard slot & 15 != 0 || tree.firstCode(ofLeaf: slot >> 4) == codes.code(slot) else {
        throw .invalid("leaf \(slot >> 4) does not begin with the geohash in its table")
      }
    }
  }

  /// Verifies the category data of the tree's positions.
  ///
  /// Wholly means that each category has the stated number of positions, and that its own tree holds
  /// only its positions, each once and at the right coordinate.
  ///
  /// - Complexity: O(levels), or wholly O(*n* + positions in the trees of categories), and 4 bytes
  ///   per position if there are such trees.
  func verify(_ categories: IndexTrees, wholly: Bool) throws(IndexFileError) {
    for own in categories.ownViews { try TreeVerification(tree: own.view).verifyEnds() }
    let count = tree.shape.count
    guard wholly, count > 0 else { return }
    guard CategoryCounts((0..<count).lazy.map(tree.categories)) == categories.counts else {
      throw .invalid("its header has a wrong number of positions for a category")
    }
    guard !categories.owners.isEmpty else { return }
    // `verifyAll` has verified that each position has its slot.
    var slots = [UInt32](repeating: 0, count: count)
    for slot in 0..<count { slots[Int(tree.position(slot))] = UInt32(truncatingIfNeeded: slot) }
    for own in categories.ownViews {
      try TreeVerification(tree: own.view).verifyAll(of: own.category, in: tree, slots: slots)
    }
  }

  /// Verifies that a tree is that of a category.
  ///
  /// - Parameters:
  ///   - whole: The tree of all positions, verified.
  ///   - slots: The slot of each position in that tree.
  private func verifyAll(
    of category: CategorySet, in whole: TreeView, slots: [UInt32]
  ) throws(IndexFileError) {
    try verifySlots(of: "the tree of a category", mostPositions: slots.count) {
      (slot, position) throws(IndexFileError) in
      guard position < slots.count, whole.slot(Int(slots[position]), isIn: category) else {
        throw .invalid("the tree of a category names position \(position), which is not in it")
      }
      for half in 0..<2 {
        let degrees = tree.storedDegrees(slot, half: half)
        let known = whole.storedDegrees(Int(slots[position]), half: half)
        guard degrees.bitPattern == known.bitPattern else {
          throw .invalid(
            "the tree of a category has position \(position) at \(degrees) instead of \(known)")
        }
      }
    }
  }

  /// Verifies each slot, that no position has two, and the nodes above.
  ///
  /// - Parameters:
  ///   - name: What messages call the tree.
  ///   - verifySlot: Throws for any position from `mostPositions` on.
  private func verifySlots(
    of name: String, mostPositions: Int,
    _ verifySlot: (_ slot: Int, _ position: Int) throws(IndexFileError) -> Void
  ) throws(IndexFileError) {
    var isSeen = [UInt64](repeating: 0, count: mostPositions / 64 + 1)
    // This checks the pages of all leaves, too.
    let slots =
      tree.shape.count > 0 ? tree.slots(below: 0, level: tree.shape.topLevel) : 0..<0
    for slot in slots {
      let position = Int(tree.storedPosition(slot))
      try verifySlot(slot, position)
      let bit = UInt64(1) << UInt64(position & 63)
      guard isSeen[position >> 6] & bit == 0 else {
        throw .invalid("\(name) names position \(position) twice")
      }
      isSeen[position >> 6] |= bit
    }
    for level in 0..<tree.shape.levelCount {
      for node in 0..<tree.shape.nodeCount(level: level) { try verify(node, level) }
    }
  }

  private func verify(_ node: Int, _ level: Int) throws(IndexFileError) {
    let group = tree.group(level: level, node >> 4)
    let lane = node & 15
    let south = group.south[lane], west = group.west[lane]
    let north = group.north[lane], east = group.east[lane]
    var contains = true
    if level == 0 {
      for slot in tree.slots(below: node, level: 0) {
        let latitude = tree.latitude(slot), longitude = tree.longitude(slot)
        contains =
          contains && Double(south) <= latitude && latitude <= Double(north)
          && Double(west) <= longitude && longitude <= Double(east)
          && tree.node(node, level: 0, holdsAllOf: tree.categories(slot))
      }
    } else {
      let children = tree.group(level: level - 1, node)
      let childCount = min(16, tree.shape.nodeCount(level: level - 1) - node << 4)
      for child in 0..<childCount {
        contains =
          contains && south <= children.south[child] && children.north[child] <= north
          && west <= children.west[child] && children.east[child] <= east
          && tree.node(
            node, level: level,
            holdsAllOf: tree.nodeCategories(node << 4 + child, level: level - 1))
      }
    }
    guard contains else {
      throw .invalid("node \(node) of level \(level) does not contain what is below it")
    }
  }
}
