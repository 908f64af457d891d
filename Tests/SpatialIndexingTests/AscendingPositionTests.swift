import NearbyTestSupport
import Testing

@testable import SpatialIndexing

@Suite struct AscendingPositionTests {
  @Test(arguments: [0, 1, 2, 128, 129, 1_500, 70_000])
  func `positions come out as comparing sorts them`(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    for greatest in [UInt32(0), 1, 2_047, 2_048, 1_000_000, .max] {
      let numbers = (0..<count).map { _ in UInt32.random(in: 0...greatest, using: &generator) }
      for order in [numbers, numbers.sorted(), numbers.sorted(by: >)] {
        #expect(
          order.withUnsafeBufferPointer { $0.ascending() } == numbers.sorted().map { Int($0) })
      }
    }
  }
}
