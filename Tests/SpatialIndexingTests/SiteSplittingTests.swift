import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// How ranges of sites are split, judged by sorting.
@Suite struct SiteSplittingTests {
  enum Values: String, CaseIterable, Sendable {
    case random, equal, two, sorted, reversed, steps, outlier, extremes

    /// Latitude and longitude of a site; longitude reaches farther.
    func site(_ index: Int, of count: Int, using generator: inout SeededGenerator) -> (Int32, Int32)
    {
      let width: Int32 = 1_800_000_000
      let value: Int32 =
        switch self {
        case .random: Int32.random(in: -width..<width, using: &generator)
        case .equal: 37
        case .two: index % 3 == 0 ? -5 : 5
        case .sorted: Int32(index) * 100
        case .reversed: -Int32(index) * 100
        case .steps: Int32(index % 7) * 1_000
        case .outlier: index == count / 2 ? -width : Int32.random(in: 0..<1_000, using: &generator)
        case .extremes: index % 2 == 0 ? -width : width
        }
      return (0, value)
    }
  }

  private func sites(_ values: Values, count: Int, seed: UInt64) -> [Int32] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).flatMap { index in
      let (latitude, longitude) = values.site(index, of: count, using: &generator)
      return [latitude, longitude, Int32(index)]
    }
  }

  @Test(arguments: Values.allCases, [17, 64, 256, 257, 1_000, 5_000])
  func `a split moves the least to the left and loses none`(values: Values, count: Int) {
    var sites = sites(values, count: count, seed: UInt64(count))
    for rank in [1, 16, count / 2, count - 1] {
      var target = [Int32](repeating: 0, count: sites.count)
      sites.withUnsafeMutableBufferPointer { sites in
        target.withUnsafeMutableBufferPointer { target in
          KDOrder.split(
            sites.baseAddress!, count: count, rank: rank, into: target.baseAddress!, axis: 1)
        }
      }
      expectSameSites(sites, target)
      let keys = (0..<count).map { target[$0 * 3 + 1] }
      #expect(keys[..<rank].max()! <= keys[rank...].min()!, "rank \(rank)")
    }
  }

  @Test(arguments: Values.allCases)
  func `a partition fills sixteen parts with all sites, or leaves them alone`(values: Values) {
    let count = 40_000
    let original = sites(values, count: count, seed: 1)
    var sites = original
    var target = [Int32](repeating: 0, count: sites.count)
    guard let partition = SitePartition(count: count, leastCount: 1) else {
      Issue.record("too few sites")
      return
    }
    let isDone = sites.withUnsafeMutableBufferPointer { sites in
      target.withUnsafeMutableBufferPointer { target in
        partition.split(sites.baseAddress!, into: target.baseAddress!)
      }
    }
    #expect(partition.partCounts.reduce(0, +) == count)
    // A sample cannot tell equal values apart.
    guard isDone else {
      #expect(sites == original)
      #expect(![.random, .sorted, .reversed].contains(values))
      return
    }
    expectSameSites(original, target)
    // Four splits at the longitude: up to what the sample got wrong, the parts follow each other.
    var start = 0, misplaced = 0
    let sorted = (0..<count).map { original[$0 * 3 + 1] }.sorted()
    for part in partition.partCounts {
      let bounds = sorted[start]...sorted[start + part - 1]
      misplaced += (start..<start + part).count { !bounds.contains(target[$0 * 3 + 1]) }
      start += part
    }
    #expect(misplaced < count / 200)
  }

  @Test func `the left part is the largest power of two of leaves that leaves some for the right`()
  {
    for count in 17..<3_000 {
      let leaves = (count + 15) / 16
      let left = (0..<12).map { 1 << $0 }.last { $0 < leaves }!
      #expect(KDOrder.leftCount(of: count) == left * 16)
    }
  }

  private func expectSameSites(_ a: [Int32], _ b: [Int32]) {
    func ordered(_ sites: [Int32]) -> [[Int32]] {
      stride(from: 0, to: sites.count, by: 3).map { Array(sites[$0..<$0 + 3]) }
        .sorted { $0[2] < $1[2] }
    }
    #expect(ordered(a) == ordered(b))
  }
}
