import Geodesy

/// What must be so of a tree for walks over it to stay inside its memory, and what for their answers
/// to be right.
struct TreeVerification {
  let tree: TreeView

  /// Makes sure that nothing is found where no node and no position is.
  ///
  /// These are the last group of each level and the last leaf. Every other lane has its node, and
  /// every node its children, because the shape says so.
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
    let isEnd = tree.withBoxes(ofLeaf: tree.shape.leafCount - 1) { positions in
      ((tree.shape.count - 1) & 15 + 1..<16).allSatisfy {
        positions.south[$0] > 91 && positions.west[$0] > 181
      }
    }
    guard isEnd else { throw .invalid("there is a position past the last") }
  }

  /// Makes sure of everything that answers follow from: positions are each there once, coordinates
  /// are on the Earth, nodes contain what is below them, and so do their categories.
  ///
  /// - Complexity: O(*n*); an eighth of a byte a position while it runs.
  func verifyAll() throws(IndexFileError) {
    try verifyEnds()
    let count = tree.shape.count
    var isSeen = [UInt64](repeating: 0, count: count / 64 + 1)
    for slot in count > 0 ? tree.slots(below: 0, level: tree.shape.topLevel) : 0..<0 {
      let position = Int(tree.storedPosition(slot))
      guard position < count else {
        throw .invalid("it names position \(position) of \(count)")
      }
      let bit = UInt64(1) << UInt64(position & 63)
      guard isSeen[position >> 6] & bit == 0 else {
        throw .invalid("it names position \(position) twice")
      }
      isSeen[position >> 6] |= bit
      let latitude = tree.storedDegrees(slot, half: 0)
      let longitude = tree.storedDegrees(slot, half: 1)
      guard (-90...90).contains(latitude), (-180..<180).contains(longitude) else {
        throw .invalid("position \(position) is at \(latitude),\(longitude)")
      }
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
