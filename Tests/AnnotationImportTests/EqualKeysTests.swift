import NearbyTestSupport
import Testing

@testable import AnnotationImport

/// Keys that come more than once, beside a dictionary of all of them.
@Suite struct EqualKeysTests {
  @Test(arguments: [0, 1, 2, 3, 1_000, 70_000], [1, 2, 50, 1_000_000])
  func `groups are those of a dictionary`(count: Int, kinds: Int) {
    var generator = SeededGenerator(seed: UInt64(count * 31 + kinds))
    let keys = (0..<count).map { _ in
      // Words that differ in their lowest or in their highest bits alone.
      let number = UInt64(Int.random(in: 0..<kinds, using: &generator))
      return number % 2 == 0
        ? EqualKeys.Key(number, number >> 3) : EqualKeys.Key(number << 50, ~number)
    }
    var found: [EqualKeys.Key: [Int]] = [:]
    EqualKeys.forEachGroup(of: keys) { places in
      #expect(found.updateValue(places, forKey: keys[places[0]]) == nil)
    }
    let expected = Dictionary(grouping: keys.indices, by: { keys[$0] }).filter { $1.count > 1 }
    #expect(found == expected)
  }
}
