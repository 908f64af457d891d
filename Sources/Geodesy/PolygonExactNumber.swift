/// An integer of any size, for exact sums and products of finite `Double`s.
///
/// It serves the few decisions that rounding would make wrong. Every finite `Double` is an integer
/// multiple of 2⁻¹⁰⁷⁴ and is stored as that integer.
struct PolygonExactNumber {
  private var isNegative: Bool
  /// The digits in base 2³², lowest first, without leading zeros; empty for 0.
  private var limbs: [UInt32]

  init(_ value: Double) {
    precondition(value.isFinite, "\(value) has no exact form")
    isNegative = value < 0
    limbs = []
    guard value != 0 else { return }
    // Subnormal numbers have no hidden bit, and the exponent of the smallest normal number.
    let hiddenBit: UInt64 = value.isNormal ? 1 << 52 : 0
    let significand = value.significandBitPattern | hiddenBit
    let shift = Int(max(value.exponentBitPattern, 1)) - 1
    limbs = [UInt32](repeating: 0, count: shift / 32)
    // 53 bits shifted by up to 31 need three digits.
    let low = significand << UInt64(shift % 32)
    let high = shift % 32 == 0 ? 0 : significand >> UInt64(64 - shift % 32)
    limbs += [
      UInt32(truncatingIfNeeded: low), UInt32(truncatingIfNeeded: low >> 32),
      UInt32(truncatingIfNeeded: high),
    ]
    trim()
  }

  private init(isNegative: Bool, limbs: [UInt32]) {
    self.isNegative = isNegative
    self.limbs = limbs
    trim()
  }

  private mutating func trim() {
    while limbs.last == 0 { limbs.removeLast() }
  }

  /// −1, 0 or 1.
  var sign: Int { limbs.isEmpty ? 0 : isNegative ? -1 : 1 }

  static prefix func - (value: Self) -> Self {
    Self(isNegative: !value.isNegative, limbs: value.limbs)
  }

  static func + (left: Self, right: Self) -> Self {
    guard left.isNegative != right.isNegative else {
      return Self(isNegative: left.isNegative, limbs: sum(left.limbs, right.limbs))
    }
    return isLess(left.limbs, right.limbs)
      ? Self(isNegative: right.isNegative, limbs: difference(right.limbs, left.limbs))
      : Self(isNegative: left.isNegative, limbs: difference(left.limbs, right.limbs))
  }

  static func - (left: Self, right: Self) -> Self { left + (-right) }

  /// The product, in the square of the factors' unit: compare and add it only to other products.
  static func * (left: Self, right: Self) -> Self {
    guard left.sign != 0, right.sign != 0 else { return Self(0) }
    var limbs = [UInt32](repeating: 0, count: left.limbs.count + right.limbs.count)
    for (i, a) in left.limbs.enumerated() where a != 0 {
      var carry: UInt64 = 0
      for (j, b) in right.limbs.enumerated() {
        let digit = UInt64(a) * UInt64(b) + UInt64(limbs[i + j]) + carry
        limbs[i + j] = UInt32(truncatingIfNeeded: digit)
        carry = digit >> 32
      }
      limbs[i + right.limbs.count] = UInt32(carry)
    }
    return Self(isNegative: left.isNegative != right.isNegative, limbs: limbs)
  }

  private static func isLess(_ left: [UInt32], _ right: [UInt32]) -> Bool {
    left.count != right.count
      ? left.count < right.count : left.reversed().lexicographicallyPrecedes(right.reversed())
  }

  private static func sum(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
    let (longer, shorter) = left.count >= right.count ? (left, right) : (right, left)
    var limbs = longer
    var carry: UInt64 = 0
    for index in longer.indices {
      let digit =
        UInt64(longer[index]) + (index < shorter.count ? UInt64(shorter[index]) : 0) + carry
      limbs[index] = UInt32(truncatingIfNeeded: digit)
      carry = digit >> 32
    }
    limbs.append(UInt32(carry))
    return limbs
  }

  /// `left` − `right`, where `left` is at least `right`.
  private static func difference(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
    var limbs = left
    var borrow: Int64 = 0
    for index in left.indices {
      var digit = Int64(left[index]) - (index < right.count ? Int64(right[index]) : 0) - borrow
      borrow = digit < 0 ? 1 : 0
      if digit < 0 { digit += 1 << 32 }
      limbs[index] = UInt32(digit)
    }
    return limbs
  }
}
