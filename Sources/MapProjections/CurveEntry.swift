/// The key of a place on a curve through the plane, and the number of what lies there.
package struct CurveEntry: BitwiseCopyable, Sendable {
  package var key: UInt64
  package var number: UInt32

  @inlinable
  package init(key: UInt64, number: UInt32) {
    self.key = key
    self.number = number
  }
}

extension [CurveEntry] {
  /// Sorts by the upper bits of the keys; entries that have the same ones keep their order.
  ///
  /// A radix sort, 11 bits at a time.
  ///
  /// - Parameter lowest: The number of the lowest bit that counts.
  /// - Complexity: O(*n*) time and, temporarily, 16 bytes for each entry.
  package mutating func sortStably(fromBit lowest: Int = 0) {
    let digitBits = 11
    let size = 1 << digitBits
    let passes = (UInt64.bitWidth - lowest + digitBits - 1) / digitBits
    let other = UnsafeMutableBufferPointer<CurveEntry>.allocate(capacity: count)
    defer { other.deallocate() }
    func digit(_ key: UInt64, _ pass: Int) -> Int {
      Int(truncatingIfNeeded: key &>> UInt64(lowest + pass * digitBits)) & (size - 1)
    }
    var starts = [Int](repeating: 0, count: passes * size)
    withUnsafeMutableBufferPointer { entries in
      starts.withUnsafeMutableBufferPointer { starts in
        for entry in entries {
          for pass in 0..<passes { starts[pass * size + digit(entry.key, pass)] += 1 }
        }
        var (from, to) = (entries, other)
        for pass in 0..<passes where !from.isEmpty {
          let own = UnsafeMutableBufferPointer(rebasing: starts[pass * size..<(pass + 1) * size])
          // All have the same digit: nothing to do.
          if own[digit(from[0].key, pass)] == from.count { continue }
          var start = 0
          for value in 0..<size { (own[value], start) = (start, start + own[value]) }
          for entry in from {
            let value = digit(entry.key, pass)
            to.initializeElement(at: own[value], to: entry)
            own[value] += 1
          }
          (from, to) = (to, from)
        }
        if from.baseAddress != entries.baseAddress { _ = entries.update(fromContentsOf: from) }
      }
    }
  }
}
