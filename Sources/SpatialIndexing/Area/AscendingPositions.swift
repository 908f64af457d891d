extension UnsafeBufferPointer<UInt32> {
  /// The numbers in ascending order.
  ///
  /// - Complexity: O(*n*) for many: a radix sort from the lowest digit, which for thousands takes a sixth of the time
  ///   of a comparison sort.
  func ascending() -> [Int] {
    // For few numbers, counting digits would take longer.
    guard count > 128, let greatest = self.max(), let first = baseAddress else {
      return sorted().map { Int($0) }
    }
    let bits = Swift.max(UInt32.bitWidth - greatest.leadingZeroBitCount, 1)
    let passes = (bits + 10) / 11
    let width = (bits + passes - 1) / passes
    let mask: UInt32 = 1 << UInt32(width) - 1
    return [Int](unsafeUninitializedCapacity: count) { result, resultCount in
      resultCount = count
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * count + 1 << width) { memory in
        guard let spare = memory.baseAddress, let result = result.baseAddress else { return }
        let ends = spare + 2 * count
        var from = first
        var to = spare
        for pass in 0..<passes {
          let shift = UInt32(pass * width)
          ends.update(repeating: 0, count: 1 << width)
          for index in 0..<count { ends[Int(from[index] >> shift & mask)] &+= 1 }
          var sum: UInt32 = 0
          for digit in 0..<1 << width {
            let start = sum
            sum &+= ends[digit]
            ends[digit] = start
          }
          let isLast = pass == passes - 1
          for index in 0..<count {
            let number = from[index]
            let place = Int(ends[Int(number >> shift & mask)])
            ends[Int(number >> shift & mask)] &+= 1
            if isLast { result[place] = Int(number) } else { to[place] = number }
          }
          from = UnsafePointer(to)
          to = to == spare ? spare + count : spare
        }
      }
    }
  }
}
