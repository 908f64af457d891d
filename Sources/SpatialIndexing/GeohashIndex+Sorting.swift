/// Sorts codes and remembers where each stood; equal codes keep their order.
///
/// Radix sort from the lowest digit, 11 bits at a time: six passes, of which those where all codes
/// have the same digit are left out. For a million codes it takes less than half the time of a sort
/// by comparisons.
func sortedByCode(_ codes: [UInt64]) -> (codes: [UInt64], order: [UInt32]) {
  guard codes.count > 1_024 else {
    let order = codes.indices.sorted { (codes[$0], $0) < (codes[$1], $1) }
    return (order.map { codes[$0] }, order.map { UInt32($0) })
  }
  let digitBits = 11
  var from = zip(codes, 0...).map { (code: $0, place: UInt32($1)) }
  var to = from
  for shift in stride(from: 0, to: 64, by: digitBits) {
    func digit(_ code: UInt64) -> Int { Int(code >> UInt64(shift) & (1 << UInt64(digitBits) - 1)) }
    var starts = [Int](repeating: 0, count: 1 << digitBits)
    for entry in from { starts[digit(entry.code)] += 1 }
    guard !starts.contains(codes.count) else { continue }
    var start = 0
    for index in starts.indices {
      let size = starts[index]
      starts[index] = start
      start += size
    }
    for entry in from {
      let value = digit(entry.code)
      to[starts[value]] = entry
      starts[value] += 1
    }
    swap(&from, &to)
  }
  return (from.map(\.code), from.map(\.place))
}
