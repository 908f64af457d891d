import NearbyKit

/// Where answers go, one after another, and sums over them by which a wrong one is noticed.
struct AnswerMemory: ~Copyable {
  var buffer = QueryBuffer()
  private let ids = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 1 << 17)

  deinit { ids.deallocate() }

  /// A sum over the last answer that depends on its order.
  func ordered() -> UInt64 { ordered(buffer.positions) }

  /// A sum over an answer that depends on its order.
  func ordered(_ positions: PositionList) -> UInt64 {
    positions.copy(to: ids)
    var sum: UInt64 = 0
    for rank in 0..<positions.count {
      sum &+= UInt64(ids[rank]) &* UInt64(truncatingIfNeeded: rank &+ 1)
    }
    return sum
  }

  /// A sum over the last answer that does not depend on its order.
  func unordered() -> UInt64 {
    let positions = buffer.positions
    positions.copy(to: ids)
    var sum = UInt64(positions.count)
    for rank in 0..<positions.count { sum &+= UInt64(ids[rank]) &* UInt64(ids[rank]) }
    return sum
  }
}

extension Distance {
  /// Whole millimeters, so that no last bit of a sine makes an answer another.
  var millimeters: UInt64 { UInt64((meters * 1_000).rounded()) }
}
