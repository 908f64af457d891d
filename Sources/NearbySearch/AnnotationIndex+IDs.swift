import Geodesy
import MapAnnotations

// Looking annotations up by their ids, in whose order the places are.

extension AnnotationIndex {
  func places(withIDs ids: Set<AnnotationID>) -> [Int]? {
    ids.sorted().flatMap(places(withID:))
  }

  private func places(withID id: AnnotationID) -> Range<Int> {
    // From the first id that is not less, for as long as ids are equal.
    let start = firstPlace { !($0 < id) }
    var end = start
    while end < placedCount, shelf[end].id == id { end += 1 }
    return start..<end
  }

  func places(withNumbers numbers: Set<DecimalNumber>) -> [Int]? {
    var places: [Int] = []
    let oddNumbers = idTables.oddNumbers.kept { oddNumberPlaces() }
    for number in numbers {
      // The plan looks up no other numbers.
      guard let ids = number.canonicalIDs else { return nil }
      places += ids.flatMap(self.places(withID:)) + (oddNumbers[number] ?? [])
    }
    return places.sorted()
  }

  /// The ids that are numbers but not in canonical form, such as `07`: they come after all that are.
  private func oddNumberPlaces() -> [DecimalNumber: [Int]] {
    var places: [DecimalNumber: [Int]] = [:]
    for place in firstPlace(where: { !$0.isNumber })..<placedCount {
      if let number = PropertyValue.string(shelf[place].id.text).decimal {
        places[number, default: []].append(place)
      }
    }
    return places
  }

  /// The first place whose id satisfies a predicate; ids ascend, and once it is true it stays true.
  private func firstPlace(where isSo: (AnnotationID) -> Bool) -> Int {
    // The shelf would choose at each step where to fetch from.
    let fetch = shelf.fetch
    return (0..<placedCount).partitioningCount { !isSo(fetch($0).id) }
  }

  /// - Complexity: O(*n*) and a sort of the unplaced annotations at first; then O(1).
  var everythingByID: (places: [Int], shelf: AnnotationShelf<Item>)? {
    let (all, shelf) = everything
    let order = idTables.order.kept {
      let placed = tieOrderedOffsets
      guard placed.count < all.count else { return placed }
      var isPlaced = [Bool](repeating: false, count: all.count)
      for offset in placed { isPlaced[offset] = true }
      var others = all.filter { !isPlaced[$0] }.map { ResultOrderKey(shelf[$0], place: $0) }
        .sorted()[...]
      var merged: [Int] = []
      merged.reserveCapacity(all.count)
      for offset in placed {
        let key = ResultOrderKey(shelf[offset], place: offset)
        let before = others.prefix { $0 < key }
        merged += before.map(\.place)
        others = others.dropFirst(before.count)
        merged.append(offset)
      }
      return merged + others.map(\.place)
    }
    return (order, shelf)
  }
}
