import MapAnnotations

/// The sums to prepare in an index of clusters, in addition to counts.
public struct ClusterAggregates: Hashable, Sendable {
  /// Whether annotations are counted by kind.
  public var countsKinds: Bool
  /// The properties whose minimum, maximum and sum are prepared.
  public var properties: [String]

  /// Names what to sum up; by default nothing.
  public init(countsKinds: Bool = false, properties: [String] = []) {
    self.countsKinds = countsKinds
    self.properties = properties
  }

  @usableFromInline
  var isEmpty: Bool { !countsKinds && properties.isEmpty }
}

/// A summary of a cluster's annotations.
public struct ClusterSummary: Hashable, Sendable {
  /// The number of annotations.
  public let count: Int
  /// The number of annotations of each kind; empty if kinds are not counted.
  public let kinds: [AnnotationKind: Int]
  /// The number of annotations without a kind; 0 if kinds are not counted.
  public let unnamedCount: Int
  /// The requested properties for which any annotation has a number.
  public let properties: [String: PropertySummary]

  /// A summary made by hand, for previews and tests.
  public init(
    count: Int, kinds: [AnnotationKind: Int] = [:], unnamedCount: Int = 0,
    properties: [String: PropertySummary] = [:]
  ) {
    self.count = count
    self.kinds = kinds
    self.unnamedCount = unnamedCount
    self.properties = properties
  }
}

/// The numbers of one property.
public struct PropertySummary: Hashable, Sendable {
  /// The number of annotations with a number, at least 1.
  public let count: Int
  /// The minimum.
  public let minimum: Double
  /// The maximum.
  public let maximum: Double
  /// The sum, computed with twice the digits and rounded once; not finite if it overflows on the way.
  public let sum: Double

  /// The numbers of one property, by hand, for previews and tests.
  public init(count: Int, minimum: Double, maximum: Double, sum: Double) {
    (self.count, self.minimum, self.maximum, self.sum) = (count, minimum, maximum, sum)
  }

  /// The mean.
  public var mean: Double { sum / Double(count) }
}

/// Collects numbers for a `PropertySummary`.
struct NumberTally: Sendable {
  private(set) var count = 0
  private var minimum = Double.infinity, maximum = -Double.infinity
  private var sum = 0.0
  /// The accumulated rounding errors.
  private var lost = 0.0

  mutating func add(_ number: Double) {
    count += 1
    minimum = min(minimum, number)
    maximum = max(maximum, number)
    addToSum(number)
  }

  mutating func add(_ other: NumberTally) {
    count += other.count
    minimum = min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
    addToSum(other.sum)
    // If its sum overflowed, its rounding errors are not a number.
    if other.sum.isFinite { addToSum(other.lost) }
  }

  /// Neumaier's summation: the exact error of each addition is accumulated.
  ///
  /// Source: A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen",
  /// ZAMM 54 (1974).
  private mutating func addToSum(_ number: Double) {
    let total = sum + number
    lost += abs(sum) >= abs(number) ? (sum - total) + number : (number - total) + sum
    sum = total
  }

  var summary: PropertySummary? {
    guard count > 0 else { return nil }
    // If the sum overflows, the rounding errors are not a number.
    return PropertySummary(
      count: count, minimum: minimum, maximum: maximum, sum: sum.isFinite ? sum + lost : sum)
  }
}

/// Kinds and numbers of all positions of an order, and their sums over blocks.
@usableFromInline
struct ClusterColumns: Sendable {
  private let kindNames: [AnnotationKind]
  /// The index of each position's kind in `kindNames`, from 1, or 0 for none; empty if not requested.
  private let kinds: [UInt32]
  private let kindCounts: [[UInt32]]
  private let numbers: [(name: String, values: [Double], blocks: [NumberTally])]

  private static var blockSize: Int { 256 }

  init(
    _ aggregates: ClusterAggregates, count: Int, kind: (Int) -> AnnotationKind?,
    number: (Int, String) -> Double?
  ) {
    let blocks = stride(from: 0, to: count, by: ClusterColumns.blockSize).map {
      $0..<min($0 + ClusterColumns.blockSize, count)
    }
    var names: [AnnotationKind] = []
    var codes: [UInt32] = []
    if aggregates.countsKinds {
      var codeOfKind: [AnnotationKind: UInt32] = [:]
      codes.reserveCapacity(count)
      for rank in 0..<count {
        guard let kind = kind(rank) else {
          codes.append(0)
          continue
        }
        let code = codeOfKind[kind] ?? UInt32(names.count + 1)
        if code > names.count {
          names.append(kind)
          codeOfKind[kind] = code
        }
        codes.append(code)
      }
    }
    kindNames = names
    kinds = codes
    // With many kinds, blocks would take more memory than they save time.
    kindCounts =
      codes.isEmpty || names.count > 63
      ? []
      : blocks.map { block in
        var counts = [UInt32](repeating: 0, count: names.count + 1)
        for code in codes[block] { counts[Int(code)] += 1 }
        return counts
      }
    numbers = aggregates.properties.map { name in
      let values = (0..<count).map { number($0, name) ?? .nan }
      let tallies = blocks.map { block in
        var tally = NumberTally()
        for value in values[block] where !value.isNaN { tally.add(value) }
        return tally
      }
      return (name, values, tallies)
    }
  }

  /// - Parameters:
  ///   - members: The positions of the run that count; nil for all.
  ///   - count: The number of these.
  func summary(of run: Range<Int>, _ members: RankSet?, count: Int) -> ClusterSummary {
    var counts = [Int](repeating: 0, count: kindNames.count + 1)
    if !kinds.isEmpty {
      let canSkip = !kindCounts.isEmpty
      forEach(run, members, canSkip: canSkip) {
        counts[Int(kinds[$0])] += 1
      } block: { block in
        for (code, number) in kindCounts[block].enumerated() { counts[code] += Int(number) }
      }
    }
    var properties: [String: PropertySummary] = [:]
    for column in numbers {
      var tally = NumberTally()
      forEach(run, members, canSkip: true) {
        if !column.values[$0].isNaN { tally.add(column.values[$0]) }
      } block: {
        tally.add(column.blocks[$0])
      }
      properties[column.name] = tally.summary
    }
    return ClusterSummary(
      count: count,
      kinds: Dictionary(
        uniqueKeysWithValues: zip(kindNames, counts.dropFirst()).filter { $0.1 > 0 }),
      unnamedCount: kinds.isEmpty ? 0 : counts[0], properties: properties)
  }

  /// Processes a run position by position, or in whole blocks if all positions count.
  private func forEach(
    _ run: Range<Int>, _ members: RankSet?, canSkip: Bool, one: (Int) -> Void,
    block: (Int) -> Void
  ) {
    if let members { return members.forEach(in: run, one) }
    var rank = run.lowerBound
    while rank < run.upperBound {
      if canSkip, rank % ClusterColumns.blockSize == 0,
        rank + ClusterColumns.blockSize <= run.upperBound
      {
        block(rank / ClusterColumns.blockSize)
        rank += ClusterColumns.blockSize
      } else {
        one(rank)
        rank += 1
      }
    }
  }
}
