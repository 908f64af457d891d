import CKernels

/// Writes the positions of whole nodes and of some slots of leaves, those of wanted categories.
struct SlotSelection {
  let tree: TreeView
  let categories: CategorySet
  var sink: PositionSink

  /// Adds all positions below a node.
  @inline(__always)
  mutating func add(node: Int, level: Int) {
    if categories == .any, tree.isTrusted {
      let slots = tree.slots(below: node, level: level)
      sink.reserve(slots.count &+ TreeShape.fanOut)
      var slot = slots.lowerBound
      while slot < slots.upperBound {
        let count = min(TreeShape.fanOut, slots.upperBound &- slot)
        tree.prefetchPositions(ofLeaf: slot >> 4 &+ 8)
        sink.append(leaf: tree.positions(ofLeaf: slot >> 4), count: count)
        slot &+= TreeShape.fanOut
      }
    } else {
      for slot in tree.slots(below: node, level: level)
      where tree.slot(slot, isIn: categories) {
        sink.reserve(1)
        sink.append(tree.position(slot))
      }
    }
  }

  /// Adds the positions of a leaf whose bits are set.
  @inline(__always)
  mutating func add(leaf: Int, bits: UInt32) {
    var bits = bits
    sink.reserve(TreeShape.fanOut)
    if categories == .any, tree.isTrusted {
      let positions = tree.positions(ofLeaf: leaf)
      while bits != 0 {
        sink.append(positions[bits.trailingZeroBitCount])
        bits &= bits &- 1
      }
      return
    }
    while bits != 0 {
      let lane = bits.trailingZeroBitCount
      bits &= bits &- 1
      let slot = leaf << 4 &+ lane
      if tree.slot(slot, isIn: categories) { sink.append(tree.position(slot)) }
    }
  }
}
