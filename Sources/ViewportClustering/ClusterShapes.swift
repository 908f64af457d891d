import Geodesy
import MapAnnotations

/// The boxes of lines and areas in an index, to find those that may reach into a view whose cells
/// do not contain their representative position.
///
/// The shapes themselves stay with their annotations, and are read if a box is not enough.
@usableFromInline
struct ClusterShapes: Sendable {
  private struct Member: Sendable {
    let offset: UInt32
    let box: ShapeBox
    /// The rank among the positions of the order.
    var rank: UInt32 = 0
  }

  /// Members, sorted by rank once ranks are known.
  private var members: [Member] = []
  /// The box around each block of members: members with consecutive ranks are usually near each other.
  private var blocks: [ShapeBox] = []

  private static var blockSize: Int { 64 }

  @usableFromInline init() {}

  /// Adds the shape of an annotation, without its rank.
  @usableFromInline
  mutating func append(_ shape: GroundShape, offset: UInt32) {
    members.append(Member(offset: offset, box: ShapeBox(around: shape)))
  }

  /// Removes the shapes of some annotations.
  mutating func remove(where isRemoved: (_ offset: Int) -> Bool) {
    members.removeAll { isRemoved(Int($0.offset)) }
  }

  /// The same shapes with their ranks in an order that contains all of them.
  ///
  /// - Complexity: O(positions of the order); O(1) without shapes.
  func ranked(in order: ClusterOrder) -> ClusterShapes {
    guard !members.isEmpty, let last = order.places.max() else { return self }
    var ranks = [UInt32](repeating: 0, count: Int(last) + 1)
    for (rank, place) in order.places.enumerated() { ranks[Int(place)] = UInt32(rank) }
    var ranked = self
    for number in members.indices {
      ranked.members[number].rank = ranks[Int(members[number].offset)]
    }
    ranked.members.sort { $0.rank < $1.rank }
    ranked.blocks = []
    for (number, member) in ranked.members.enumerated() {
      if number % Self.blockSize == 0 { ranked.blocks.append(ShapeBox()) }
      ranked.blocks[number / Self.blockSize].extend(over: member.box)
    }
    return ranked
  }

  /// The ranks of the shapes that reach into cells that do not contain their own position, ascending.
  ///
  /// - Parameters:
  ///   - box: The box of the cells.
  ///   - isIncluded: Whether the annotation with a rank counts.
  ///   - meets: Whether the shape of an annotation intersects the box; called if their boxes do.
  /// - Complexity: O(*s* / 64) for *s* shapes and O(1) for each near the box, and the cost of `meets`.
  func ranksReaching(
    into cells: CellBlock, _ box: BoundingBox, of order: ClusterOrder,
    isIncluded: (_ rank: Int) -> Bool, meets: (_ offset: Int) -> Bool
  ) -> [UInt32] {
    var ranks: [UInt32] = []
    for (block, around) in blocks.enumerated() where around.mayMeet(box) {
      let first = block * Self.blockSize
      for member in members[first..<min(first + Self.blockSize, members.count)] {
        let rank = Int(member.rank)
        guard member.box.mayMeet(box), !cells.hold(order.codes[rank]), isIncluded(rank),
          meets(Int(member.offset))
        else { continue }
        ranks.append(member.rank)
      }
    }
    return ranks
  }

  var isEmpty: Bool { members.isEmpty }
  /// The size in bytes.
  var byteCount: Int {
    members.count * MemoryLayout<Member>.stride + blocks.count * MemoryLayout<ShapeBox>.stride
  }
}
