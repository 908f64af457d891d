/// A position in a tile, in parts of its side: x to the east and y to the south from its northwest
/// corner.
///
/// A layer says into how many parts the side is cut (its extent, 4096 as a rule). What lies in the
/// tile's margin has positions below 0 or beyond the extent.
public struct TilePosition: Sendable, Hashable {
  /// To the east.
  public var x: Int32
  /// To the south.
  public var y: Int32

  /// A position of two numbers, which may be any.
  @inlinable
  public init(x: Int32, y: Int32) {
    self.x = x
    self.y = y
  }
}

/// Points, lines or polygons of one feature, in a tile.
public struct TileGeometry: Sendable, Hashable {
  /// What the parts are; the numbers are those of the vector tile specification.
  public enum Kind: UInt8, Sendable {
    case point = 1
    case line = 2
    case polygon = 3
  }

  /// What the parts are.
  public var kind: Kind
  /// Of points one part with all of them; of lines a part each; of polygons a part for each ring,
  /// every exterior ring followed by its holes, none with its closing point.
  ///
  /// Exterior rings have a positive area by the surveyor's formula in tile positions (clockwise on a
  /// screen), holes a negative one.
  public var parts: [[TilePosition]]

  /// Points, lines or rings as they are.
  public init(kind: Kind, parts: [[TilePosition]]) {
    self.kind = kind
    self.parts = parts
  }

  /// Twice the area of a ring by the surveyor's formula: positive for an exterior ring, negative for a
  /// hole.
  ///
  /// A `Double`, which is exact up to 2⁵³: hostile positions could make a whole number overflow.
  public static func doubledArea(of ring: [TilePosition]) -> Double {
    guard var last = ring.last else { return 0 }
    var sum = 0.0
    for position in ring {
      sum += Double(last.x) * Double(position.y) - Double(position.x) * Double(last.y)
      last = position
    }
    return sum
  }
}
