/// Finds repeated keys among millions, most of which occur once.
///
/// A dictionary takes five times as long, and sorting ten times.
enum EqualKeys {
  /// A key of two words, compared for equality.
  struct Key: Hashable {
    let first: UInt64
    let second: UInt64

    init(_ first: UInt64, _ second: UInt64) {
      self.first = first
      self.second = second
    }

    fileprivate func bucket(_ bits: Int) -> Int {
      // The upper bits of a product depend on all bits of its factor.
      let mixed = (first &* 0x9E37_79B9_7F4A_7C15 ^ second) &* 0xD6E8_FEB8_6659_FD93
      return Int((mixed ^ (first >> 7 &* 0xA24B_AED4_963E_E407)) >> UInt64(64 - bits))
    }
  }

  /// Calls `body` with the indices of each repeated key, ascending; keys come in no order.
  ///
  /// - Complexity: O(*n*) expected; 8 to 12 bytes of memory for each key.
  static func forEachGroup(of keys: [Key], _ body: ([Int]) -> Void) {
    guard keys.count > 1 else { return }
    // One to two buckets for each key.
    let bits = Int.bitWidth - (keys.count - 1).leadingZeroBitCount
    var ends = [UInt32](repeating: 0, count: 1 << bits + 1)
    for key in keys { ends[key.bucket(bits) + 1] += 1 }
    for bucket in 1..<ends.count { ends[bucket] += ends[bucket - 1] }
    var starts = ends
    let places = [UInt32](unsafeUninitializedCapacity: keys.count) { places, count in
      for (place, key) in keys.enumerated() {
        let bucket = key.bucket(bits)
        places.initializeElement(at: Int(starts[bucket]), to: UInt32(place))
        starts[bucket] += 1
      }
      count = keys.count
    }
    for bucket in 0..<1 << bits where ends[bucket + 1] - ends[bucket] > 1 {
      let members = places[Int(ends[bucket])..<Int(ends[bucket + 1])].map(Int.init)
      guard members.count > 2 || keys[members[0]] == keys[members[1]] else { continue }
      for group in Dictionary(grouping: members, by: { keys[$0] }).values where group.count > 1 {
        body(group)
      }
    }
  }
}
