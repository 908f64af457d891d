/// A point in the plane of unrolled longitudes and latitudes: `turns` whole turns east of
/// `longitude`.
///
/// The sum longitude + 360 · turns is not always a `Double`, so its two parts are stored, with the
/// rounded sum for decisions that are clear.
struct UnrolledPoint: Hashable, Sendable {
  let longitude: Double
  let latitude: Double
  let turns: Int
  /// longitude + 360 · turns, rounded: relative error at most 2⁻⁵³.
  let x: Double

  init(longitude: Double, latitude: Double, turns: Int) {
    self.longitude = longitude
    self.latitude = latitude
    self.turns = turns
    x = turns == 0 ? longitude : longitude + 360 * Double(turns)
  }

  @inline(__always)
  init(_ vertex: PolygonVertex, turns: Int) {
    self.init(longitude: vertex.longitude, latitude: vertex.latitude, turns: turns)
  }

  /// The vertex as it was given.
  var vertex: PolygonVertex { PolygonVertex(unchecked: latitude, longitude) }

  fileprivate var exactX: PolygonExactNumber {
    PolygonExactNumber(longitude) + PolygonExactNumber(360 * Double(turns))
  }

  /// Whether `self` lies west (−1) or east (1) of `other`, or on its meridian (0); exact.
  func sideOfMeridian(of other: UnrolledPoint) -> Int {
    if turns == other.turns {
      return longitude < other.longitude ? -1 : longitude > other.longitude ? 1 : 0
    }
    let difference = x - other.x
    if abs(difference) > 1e-6 { return difference < 0 ? -1 : 1 }
    return (exactX - other.exactX).sign
  }

  /// Whether the two points are equal; exact.
  func coincides(with other: UnrolledPoint) -> Bool {
    latitude == other.latitude && sideOfMeridian(of: other) == 0
  }
}

/// Whether `c` lies to the left of the line from `a` to `b` (1), to its right (−1) or on it (0);
/// exact for any finite numbers.
///
/// The sign of the determinant (bx − ax)(cy − ay) − (by − ay)(cx − ax). It is computed in floating
/// point first, and trusted when it exceeds its maximum rounding error; otherwise, for points on or
/// very near the line, it is computed again with integers.
///
/// Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
/// Predicates", Discrete & Computational Geometry 18, 1997, for the bound. Instead of its
/// expansions we use integers, which cannot underflow.
func orientation(_ a: UnrolledPoint, _ b: UnrolledPoint, _ c: UnrolledPoint) -> Int {
  let left = (b.x - a.x) * (c.latitude - a.latitude)
  let right = (b.latitude - a.latitude) * (c.x - a.x)
  let determinant = left - right
  // Shewchuk's (3 + 16 ε) ε for the sums and products, and the rounding of each unrolled x.
  let arithmetic = 3.330_669_073_875_472e-16 * (abs(left) + abs(right))
  let isUnrolled = a.turns != 0 || b.turns != 0 || c.turns != 0
  let unrolling =
    isUnrolled
    ? 0x1p-52 * (abs(a.x) + abs(b.x) + abs(c.x))
      * (abs(c.latitude - a.latitude) + abs(b.latitude - a.latitude)) : 0
  // Products below this may have lost bits to underflow.
  let underflow = 1e-290
  if abs(determinant) > arithmetic + unrolling + underflow { return determinant < 0 ? -1 : 1 }
  return exactOrientation(a, b, c)
}

private func exactOrientation(_ a: UnrolledPoint, _ b: UnrolledPoint, _ c: UnrolledPoint) -> Int {
  let aLatitude = PolygonExactNumber(a.latitude)
  let left = (b.exactX - a.exactX) * (PolygonExactNumber(c.latitude) - aLatitude)
  let right = (PolygonExactNumber(b.latitude) - aLatitude) * (c.exactX - a.exactX)
  return (left - right).sign
}

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
