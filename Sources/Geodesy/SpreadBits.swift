/// Puts a zero above each bit: bit i moves to bit 2 i.
///
/// Two such numbers are interleaved like shuffled cards: in geohashes, and in the cells of clusters. Five
/// steps; each moves the upper half of every group up by the size of the half.
///
/// Source: "Interleave bits by Binary Magic Numbers", S. E. Anderson, Bit Twiddling Hacks.
@inlinable
package func spreadBits(_ value: UInt32) -> UInt64 {
  var bits = UInt64(value)
  bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
  bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
  bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
  bits = (bits | bits << 2) & 0x3333_3333_3333_3333
  return (bits | bits << 1) & 0x5555_5555_5555_5555
}
