import MapProjections
import NearbyTestSupport
import Testing

@Suite struct CurveEntryTests {
  @Test(arguments: [0, 20, 32, 63], [0, 1, 2, 60, 5_000])
  func `entries are sorted by their upper bits, and keep their order where these are equal`(
    lowest: Int, count: Int
  ) {
    var generator = SeededGenerator(seed: UInt64(lowest + count))
    var entries = (0..<count).map { number in
      // Half of them share a few keys.
      let key = generator.next()
      return CurveEntry(key: number % 2 == 0 ? key : key % 7 << 40, number: UInt32(number))
    }
    let expected = entries.map { ($0.key >> UInt64(lowest), $0.number) }.sorted { $0 < $1 }
    entries.sortStably(fromBit: lowest)
    #expect(entries.map(\.number) == expected.map(\.1))
  }
}
