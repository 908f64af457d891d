/// Bytes that arrive piece by piece, handed on line by line.
struct LineBuffer {
  /// What has come of the line that has not ended yet.
  private var rest: [UInt8] = []
  /// How many lines have ended.
  private(set) var count = 0

  /// Hands over each line that ends in these bytes, without its line end.
  mutating func read<Failure: Error>(
    _ bytes: [UInt8], _ receive: ([UInt8], _ line: Int) throws(Failure) -> Void
  ) throws(Failure) {
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      rest.append(contentsOf: bytes[start..<end])
      start = end + 1
      try emit(receive)
    }
    rest.append(contentsOf: bytes[start...])
  }

  /// Hands over a last line that has no end.
  mutating func finish<Failure: Error>(
    _ receive: ([UInt8], _ line: Int) throws(Failure) -> Void
  ) throws(Failure) {
    if !rest.isEmpty { try emit(receive) }
  }

  /// A carriage return ends a line, too, alone or before a line feed.
  private mutating func emit<Failure: Error>(
    _ receive: ([UInt8], _ line: Int) throws(Failure) -> Void
  ) throws(Failure) {
    while rest.last == 0x0D { rest.removeLast() }
    let whole = rest
    rest.removeAll(keepingCapacity: true)
    for line in whole.split(separator: 0x0D, omittingEmptySubsequences: false) {
      count += 1
      try receive(Array(line), count)
    }
  }
}
