import Geodesy

extension GeohashIndex {
  /// Applies changes, all of them or none.
  ///
  ///     try index.apply(ships.map { .move(number: $0.number, from: $0.last, to: $0.position) })
  ///
  /// The list is merged with the sorted changes in place: the entries between two changes shift by the
  /// surplus of insertions over removals before them, mostly by none, because a position that moves a
  /// little stays near in the list. Of the boxes above, only those that contain a change are
  /// recomputed.
  ///
  /// - Parameter changes: In any order; no number may occur twice, nor be inserted if it exists.
  ///   Inserted positions belong to no category.
  /// - Throws: ``GeohashChangeError`` if a change does not fit; then nothing is changed. A number inserted
  ///   at a second coordinate is not noticed, and then names both positions.
  /// - Precondition: The index owns its memory; it is not in a file.
  /// - Complexity: O(*m* log *n*) for *m* changes, and O(*n*) at worst, as if many move to the other
  ///   end of the list. If another copy of the index is in use, the number of positions changes, or
  ///   positions have categories, everything is copied.
  public mutating func apply(_ changes: [GeohashChange]) throws(GeohashChangeError) {
    precondition(
      tree.trees.checks == nil, "an index in a file does not change; build one in memory")
    guard !changes.isEmpty else { return }
    let events = try events(of: changes)
    guard tree.withTree({ $0.categoryEncoding == .none }) else { return rebuild(events) }
    let inserted = events.count { !$0.isRemoval }
    let count = tree.count + inserted - (events.count - inserted)
    guard tree.count > 0, count > 0 else { return rebuild(events) }
    let encoding = tree.withTree { $0.encoding }
    guard encoding == .degrees || events.allSatisfy({ $0.isRemoval || $0.isDecimal }) else {
      return rebuild(events)
    }
    let view = tree.withTree { $0 }
    // This index must not hold the memory during the check for unique ownership.
    var memory = tree.trees.whole.memory
    tree = KDTreeIndex([])
    let isInPlace = count == view.shape.count && isKnownUniquelyReferenced(&memory)
    let shape = TreeShape(count: count, isInGeohashOrder: true)
    let target =
      isInPlace
      ? memory
      : TreeMemory(
        byteCount: TreeSections(shape: shape, leaves: encoding, categories: .none).byteCount)
    let merging = LeafMerging(view, into: target, isInPlace: isInPlace, newCount: count)
    withExtendedLifetime(memory) { merging.merge(events) }
    let whole = BuiltTree(
      memory: target, shape: shape, encoding: encoding, categoryEncoding: .none)
    tree = KDTreeIndex(IndexTrees(whole))
  }

  /// Returns the union of two indexes.
  ///
  /// - Parameter other: Its positions are numbered from `firstNumber` on.
  /// - Parameter firstNumber: Added to the numbers of `other`.
  /// - Returns: An index that answers like one built over both lists of positions.
  /// - Precondition: No number of this index is `firstNumber` or greater; both have categories, or
  ///   neither has.
  /// - Complexity: O(*n* + *m*).
  public func merged(with other: GeohashIndex, numberedFrom firstNumber: Int) -> GeohashIndex {
    var list = PositionRun(self)
    let added = PositionRun(other, addingToNumbers: firstNumber)
    list.append(added, added.numbers.indices)
    return GeohashIndex(list)
  }

  // MARK: Sorting changes

  /// The changes in list order, each with the slot that it concerns.
  private func events(of changes: [GeohashChange]) throws(GeohashChangeError) -> [ListEvent] {
    var events: [ListEvent] = []
    events.reserveCapacity(2 * changes.count)
    for change in changes {
      let (number, old, new) = change.sides
      guard number >= 0, number < IndexFileFormat.mostPositions else {
        throw .illegalNumber(number)
      }
      if let old { events.append(ListEvent(number, old, isRemoval: true)) }
      if let new { events.append(ListEvent(number, new, isRemoval: false)) }
    }
    // In list order, so that each lookup begins where the one before has ended. All leaves are asked of memory before one
    // is read, so that they are waited for together.
    events.sort()
    for (event, next) in zip(events, events.dropFirst()) where !(event < next) {
      throw .changedTwice(number: Int(event.number), at: event.coordinate)
    }
    let missing = withCodes { codes -> ListEvent? in
      var leaf = 0
      for index in events.indices {
        leaf = codes.lastLeaf(from: leaf, beginningBelow: events[index].code)
        events[index].slot = leaf << 4
        codes.tree.prefetch(leaf: leaf)
      }
      for index in events.indices {
        guard let slot = codes.slot(of: events[index], from: events[index].slot) else {
          return events[index]
        }
        events[index].slot = slot
      }
      return nil
    }
    if let missing {
      throw .notThere(number: Int(missing.number), at: missing.coordinate)
    }
    return events
  }

  /// Applies changes by rebuilding the list: if there are categories, or memory must be laid out
  /// differently.
  private mutating func rebuild(_ events: [ListEvent]) {
    let old = PositionRun(self)
    var list = PositionRun()
    list.reserveCapacity(old.numbers.count + events.count)
    // A moved position keeps its categories.
    let moved =
      old.categories.isEmpty
      ? nil
      : Dictionary(
        events.lazy.filter(\.isRemoval).map { ($0.number, old.categories[$0.slot]) },
        uniquingKeysWith: { first, _ in first })
    var start = 0
    for event in events {
      list.append(old, start..<event.slot)
      start = event.isRemoval ? event.slot + 1 : event.slot
      if event.isRemoval { continue }
      list.coordinates.append(event.coordinate)
      list.numbers.append(event.number)
      if let moved { list.categories.append(moved[event.number] ?? []) }
    }
    list.append(old, start..<old.numbers.count)
    self = GeohashIndex(list)
  }

  private init(_ list: PositionRun) {
    // Numbered in list order, which is that of ties; where they ascend by geohash, nothing is sorted.
    let built = list.coordinates.withUnsafeBufferPointer { coordinates in
      list.categories.withUnsafeBufferPointer { categories in
        CategoryTreeBuilder.build(
          coordinates, categories: categories, leafOrder: .geohash, ownTrees: .rareCategories)
      }
    }
    built.whole.replacePositions(with: list.numbers)
    for tree in built.ofCategories { tree.replacePositions(with: list.numbers) }
    tree = KDTreeIndex(built)
  }
}

/// A position that is removed from the list or inserted into it.
struct ListEvent: Comparable {
  let code: UInt64
  let number: UInt32
  let isRemoval: Bool
  let coordinate: Coordinate
  /// The slot that is removed, or the one that the position is inserted before.
  var slot = 0

  init(_ number: Int, _ coordinate: Coordinate, isRemoval: Bool) {
    code = BinaryGeohash(coordinate, bitCount: 64).bits
    self.number = UInt32(truncatingIfNeeded: number)
    self.isRemoval = isRemoval
    self.coordinate = coordinate
  }

  /// List order: by geohash, then by number; removals before insertions.
  static func < (one: ListEvent, other: ListEvent) -> Bool {
    if one.code != other.code { return one.code < other.code }
    if one.number != other.number { return one.number < other.number }
    return one.isRemoval && !other.isRemoval
  }

  /// Whether a leaf of integer 10⁻⁷ degrees can hold the position.
  var isDecimal: Bool {
    (coordinate.latitude * 1e7).rounded() / 1e7 == coordinate.latitude
      && (coordinate.longitude * 1e7).rounded() / 1e7 == coordinate.longitude
  }
}

extension SortedCodes {
  /// The slot of a removed position, or the one that an insertion precedes; nil if there is nothing
  /// to remove.
  ///
  /// A position inserted at its old location goes after itself.
  ///
  /// - Parameter start: The first slot of the last leaf that begins below the event's code, or of the first leaf.
  fileprivate func slot(of event: ListEvent, from start: Int) -> Int? {
    /// Positions with one geohash are in number order; one location may have many.
    func isBefore(_ slot: Int) -> Bool {
      let code = codeRead(slot), number = position(slot)
      return code < event.code
        || code == event.code
          && (number < event.number || number == event.number && !event.isRemoval)
    }
    var slot = firstSlot(in: start..<min(start + 16, count), atOrAbove: event.code)
    slot += (slot..<count).gallopingCount(isBefore)
    guard event.isRemoval else { return slot }
    return slot < count && codeRead(slot) == event.code && position(slot) == event.number
      && tree.coordinate(slot) == event.coordinate ? slot : nil
  }
}

/// Positions in list order, with their numbers and categories.
private struct PositionRun {
  var coordinates: [Coordinate] = []
  var numbers: [UInt32] = []
  /// Empty if positions have no categories.
  var categories: [CategorySet] = []

  init(_ index: GeohashIndex, addingToNumbers first: Int = 0) {
    index.tree.withTree { tree in
      let slots = 0..<tree.shape.count
      coordinates = slots.map(tree.coordinate)
      numbers = slots.map { tree.position($0) + UInt32(truncatingIfNeeded: first) }
      if tree.categoryEncoding != .none { categories = slots.map(tree.categories) }
    }
  }

  /// Makes an empty run.
  init() {}

  mutating func reserveCapacity(_ count: Int) {
    coordinates.reserveCapacity(count)
    numbers.reserveCapacity(count)
  }

  /// Appends some positions of another run.
  mutating func append(_ run: PositionRun, _ places: Range<Int>) {
    coordinates += run.coordinates[places]
    numbers += run.numbers[places]
    if !run.categories.isEmpty { categories += run.categories[places] }
  }
}

/// A change to a ``GeohashIndex``.
///
/// A position keeps its number for life. A change also states where the position was: the list is
/// sorted by location and has no lookup by number, which would take a third more memory.
public enum GeohashChange: Hashable, Sendable {
  /// Adds a position.
  ///
  /// `number` names it from now on, as an offset in the input names the others.
  case insert(number: Int, at: Coordinate)
  /// Moves a position to another coordinate.
  case move(number: Int, from: Coordinate, to: Coordinate)
  /// Removes a position; its number becomes free.
  case remove(number: Int, at: Coordinate)

  /// Where a position was, and where it is now.
  var sides: (number: Int, old: Coordinate?, new: Coordinate?) {
    switch self {
    case .insert(let number, let place): (number, nil, place)
    case .move(let number, let old, let new): (number, old, new)
    case .remove(let number, let place): (number, place, nil)
    }
  }
}

/// Why changes could not be applied.
public enum GeohashChangeError: CodedError, Hashable {
  /// No position with this number is where the change says.
  case notThere(number: Int, at: Coordinate)
  /// Two changes remove the position from one place, or put it there.
  case changedTwice(number: Int, at: Coordinate)
  /// A number below 0 or above the maximum.
  case illegalNumber(Int)

  /// The error's name, for programs.
  public var code: String {
    switch self {
    case .notThere, .changedTwice: "geohash-change"
    case .illegalNumber: "geohash-number"
    }
  }

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .notThere(let number, let place):
      "position \(number) is not at \(place.latitude),\(place.longitude); say where it was last put"
    case .changedTwice(let number, let place):
      "two changes concern position \(number) at \(place.latitude),\(place.longitude); give one for each position"
    case .illegalNumber(let number):
      "a position cannot have the number \(number); use 0…\(IndexFileFormat.mostPositions - 1)"
    }
  }
}
