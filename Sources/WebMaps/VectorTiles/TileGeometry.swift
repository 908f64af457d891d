/// A position in a tile, in units of its side: x to the east and y to the south from its northwest
/// corner.
///
/// A layer defines the number of units along the side (its extent, usually 4096). Positions in the
/// tile's buffer are below 0 or beyond the extent.
public struct TilePosition: Sendable, Hashable {
  /// Eastward.
  public var x: Int32
  /// Southward.
  public var y: Int32

  /// Makes a position from any two numbers.
  @inlinable
  public init(x: Int32, y: Int32) {
    self.x = x
    self.y = y
  }
}

/// Points, lines or polygons of one feature, in a tile.
public struct TileGeometry: Sendable, Hashable {
  /// The kind of the parts; the numbers are those of the vector tile specification.
  public enum Kind: UInt8, Sendable {
    case point = 1
    case line = 2
    case polygon = 3
  }

  /// The kind of the parts.
  public var kind: Kind
  /// The parts: one with all points; one for each line; or one for each ring, with every exterior
  /// ring followed by its holes, none with its closing point.
  ///
  /// Exterior rings have a positive area by the surveyor's formula in tile positions (clockwise on
  /// a screen), holes a negative one.
  public var parts: [[TilePosition]]

  /// Makes a geometry of the given parts, unchecked.
  public init(kind: Kind, parts: [[TilePosition]]) {
    self.kind = kind
    self.parts = parts
  }

  /// Twice the area of a ring by the surveyor's formula: positive for an exterior ring, negative
  /// for a hole.
  ///
  /// A `Double`, which is exact up to 2⁵³: malicious positions could make an integer overflow.
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
