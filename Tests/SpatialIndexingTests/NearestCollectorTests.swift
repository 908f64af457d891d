import CKernels
import Geodesy
import TestSupport
import Testing

@testable import SpatialIndexing

@Suite struct NearestCollectorTests {
  /// A crowd as large as may stay, and then a whole leaf: batches keep the gaps of another walk right
  /// behind.
  @Test(arguments: [17, 18, 19, 20, 21, 40])
  func `many nearest stay within their memory, however many tie`(limit: Int) {
    let metric = LocalMetric(PointSet.legal(37.5, 127))
    let byteCount = ManyNearest.byteCount(limit: limit)
    let behind = 256
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: byteCount + behind, alignment: 64)
    defer { memory.deallocate() }
    let growth = metric.growth(upTo: metric.squaredReach)
    for crowd in limit...ManyNearest.greatestCount(limit: limit) {
      memory.initializeMemory(as: UInt8.self, repeating: 0xA5)
      var collector = ManyNearest(limit: limit, memory: memory.baseAddress!)
      var slot = 0
      func add(_ count: Int, at square: Float) {
        for start in stride(from: 0, to: count, by: 16) {
          let bits = UInt32(1) << UInt32(min(16, count - start)) - 1
          _ = collector.add(
            slot: slot, bits: bits, squares: [Float](repeating: square, count: 16),
            limit: metric.positionLimit(upTo: metric.squaredReach), growth: growth)
          slot += 16
        }
      }
      add(crowd, at: 1)
      // What is farther is let go for a crowd that stays.
      add(ManyNearest.greatestCount(limit: limit) - crowd, at: 100)
      for _ in 0..<4 { add(16, at: 1) }
      let isUntouched = memory[byteCount...].allSatisfy { $0 == 0xA5 }
      #expect(isUntouched, "\(crowd) at one place")
    }
  }
}
