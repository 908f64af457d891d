import CNearbyKernels
import NearbyTestSupport
import Testing

/// The kernels that put candidates in order, each beside a plain twin.
@Suite struct KernelSortingTests {
  @Test(arguments: UInt64(0)..<20)
  func `what is at most a limit is counted, and slots are numbered`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let floats = (0..<16 * Int(seed)).map { _ in
      Int.random(in: 0..<9, using: &generator) == 0
        ? Float.infinity : .random(in: 0...9, using: &generator)
    }
    let limit = floats.randomElement(using: &generator) ?? 1
    #expect(
      nearby_count_at_most(floats, Int64(seed), limit)
        == Int64(floats.count { $0 <= limit }))
    var numbers = [UInt32](repeating: 0, count: 16)
    let first = UInt32.random(in: 0...UInt32.max - 16, using: &generator)
    nearby_number(&numbers, first)
    #expect(numbers == Array(first..<first + 16))
  }

  @Test(arguments: UInt64(0)..<20)
  func `of the least floats the last is found, also when all are infinite`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let quads = 1 + Int(seed) % 7
    let floats = (0..<4 * quads).map { _ in
      Float(Int.random(in: 0..<5, using: &generator))
    }
    let least = floats.min()
    #expect(nearby_last_of_least(floats, Int64(quads)) == Int64(floats.lastIndex { $0 == least }!))
    let infinite = [Float](repeating: .infinity, count: 8)
    #expect(nearby_last_of_least(infinite, 2) == 7)
  }

  @Test(arguments: UInt64(0)..<20)
  func `running sums are those one by one`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var counts = (0..<8 * (1 + Int(seed))).map { _ in
      UInt16.random(in: 0..<300, using: &generator)
    }
    var sum: UInt16 = 0
    let expected = counts.map { count in
      sum += count
      return sum
    }
    nearby_running_sums(&counts, Int64(counts.count / 8))
    #expect(counts == expected)
  }

  private static func candidates(
    _ count: Int, upTo greatest: Float, using generator: inout SeededGenerator
  ) -> [UInt64] {
    (0..<count).map { _ in
      let square = Float.random(in: 0...greatest, using: &generator)
      return UInt64(square.bitPattern) << 32 | UInt64.random(in: 0..<1 << 32, using: &generator)
    }
  }

  @Test(arguments: UInt64(0)..<30)
  func `candidates are shared out by their squares, into buckets that are there`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let greatest: Float = [Float(bitPattern: 71_362), 1e-3, 1, 1e6, 6e12][Int(seed) % 5]
    let count = 17 + Int(seed) * 3
    var candidates = KernelSortingTests.candidates(count, upTo: greatest, using: &generator)
    if seed % 7 == 0 { candidates = Array(repeating: candidates[0], count: count) }
    let padded = candidates + [.max, .max, .max]
    var entries = [UInt32](repeating: 0, count: count + 3)
    nearby_share_out(padded, Int64(count), 128, &entries)
    let sorted = zip(candidates, entries).sorted { $0.0 < $1.0 }.map { $0.1 & 0xFFFF }
    #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(sorted.allSatisfy { $0 < 128 })
    if seed % 7 != 0, greatest > 1e-30 { #expect(sorted.first! < 2 && sorted.last! > 125) }
  }

  @Test(arguments: UInt64(0)..<30)
  func `the first tie is the one that is found one by one`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = 5 + Int(seed)
    let sorted =
      KernelSortingTests.candidates(count, upTo: 1e6, using: &generator).sorted()
    let padded = sorted + Array(repeating: sorted[count - 1], count: 5)
    func square(_ index: Int) -> Float { Float(bitPattern: UInt32(sorted[index] >> 32)) }
    for factor: Float in [1.001, 1.02, 1.2] {
      for first in 0..<count {
        let expected = (first..<count - 1).first {
          square($0 + 1) <= square($0) * (square($0) * 1e-9 + factor) + 1e-6
        }
        let found = nearby_first_tie(padded, Int64(first), Int64(count), factor, 1e-9, 1e-6)
        if let expected {
          #expect(found == Int64(expected))
        } else {
          #expect(found >= Int64(count - 1))
        }
      }
    }
  }
}
