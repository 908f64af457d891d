/// Splits bytes that arrive in pieces into lines.
package struct LineBuffer {
  /// More bytes than a line has that people or programs read; readers refuse a longer one, which may never end.
  package static let longestLine = 1 << 24
  /// The bytes of the incomplete line.
  private var rest: [UInt8] = []
  /// The number of complete lines.
  package private(set) var count = 0
  /// How many bytes of the incomplete line have come.
  package var waitingByteCount: Int { rest.count }

  package init() {}

  /// Passes on each line that ends in these bytes, without its line break.
  ///
  /// - Parameter isLast: Whether the text ends with them, and so does a last line without a line break.
  package mutating func read<Failure: Error>(
    _ bytes: [UInt8], isLast: Bool, _ receive: ([UInt8], _ line: Int) throws(Failure) -> Void
  ) throws(Failure) {
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      rest.append(contentsOf: bytes[start..<end])
      start = end + 1
      try emit(receive)
    }
    rest.append(contentsOf: bytes[start...])
    if isLast, !rest.isEmpty { try emit(receive) }
  }

  /// A carriage return also ends a line, alone or before a line feed.
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
