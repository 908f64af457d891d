/// The distinct sets of categories met so far, as long as a byte can tell them apart.
struct DistinctSets: Sendable {
  static let most = 256

  /// False once there are more than 256 sets.
  private(set) var areFew = true
  private(set) var sets: Set<UInt64> = []

  /// Adds the sets of a range.
  mutating func insert(_ categories: UnsafeBufferPointer<CategorySet>, _ range: Range<Int>) {
    // The same few sets repeat often: a small table in front of the set answers nearly always.
    var seen = [UInt64](repeating: 0, count: 256)
    // 0 marks an empty entry of the table.
    var hasEmpty = false
    for position in range {
      let set = categories[position].rawValue
      let place = Int(truncatingIfNeeded: (set &* 0x9E37_79B9_7F4A_7C15) >> 56)
      if seen[place] == set {
        hasEmpty = hasEmpty || set == 0
        continue
      }
      seen[place] = set
      insert(set)
      guard areFew else { return }
    }
    if hasEmpty { insert(0) }
  }

  mutating func formUnion(_ other: DistinctSets) {
    areFew = areFew && other.areFew
    for set in other.sets where areFew { insert(set) }
  }

  private mutating func insert(_ set: UInt64) {
    sets.insert(set)
    if sets.count > DistinctSets.most {
      areFew = false
      sets = []
    }
  }
}

/// A one-byte code for each position that stands for its set of categories.
///
/// Codes ascend with the sets, so they do not depend on the order in which sets were found.
final class CategoryCoding: @unchecked Sendable {
  /// The sets that codes stand for.
  let table: [UInt64]
  /// The code of each position.
  let codes: UnsafeMutablePointer<UInt8>
  /// Open addressing: the offset of each set in `table`, plus 1.
  private let places: [UInt16]

  private static let placeCount = 1_024

  init(_ distinct: DistinctSets, count: Int) {
    table = distinct.sets.sorted()
    codes = .allocate(capacity: max(count, 1))
    var places = [UInt16](repeating: 0, count: CategoryCoding.placeCount)
    for (code, set) in table.enumerated() {
      var place = CategoryCoding.firstPlace(of: set)
      while places[place] != 0 { place = (place + 1) % CategoryCoding.placeCount }
      places[place] = UInt16(code + 1)
    }
    self.places = places
  }

  deinit { codes.deallocate() }

  /// Encodes a range of positions.
  func code(_ categories: UnsafeBufferPointer<CategorySet>, _ range: Range<Int>) {
    places.withUnsafeBufferPointer { places in
      table.withUnsafeBufferPointer { table in
        for position in range {
          let set = categories[position].rawValue
          var place = CategoryCoding.firstPlace(of: set)
          while table[Int(places[place]) &- 1] != set {
            place = (place &+ 1) % CategoryCoding.placeCount
          }
          codes[position] = UInt8(truncatingIfNeeded: places[place] &- 1)
        }
      }
    }
  }

  private static func firstPlace(of set: UInt64) -> Int {
    Int(truncatingIfNeeded: (set &* 0x9E37_79B9_7F4A_7C15) >> 54)
  }
}
