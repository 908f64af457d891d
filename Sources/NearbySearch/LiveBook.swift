import Geodesy
import MapAnnotations
import SpatialIndexing

/// What a live index knows of its annotations, whatever their type: the number of each id, and how changes affect
/// positions, kinds and shapes.
struct LiveBook: Sendable {
  /// Where the annotation with an id is stored.
  struct Entry: Sendable {
    let number: UInt32
    let isPlaced: Bool
    /// The version that inserted it.
    let birth: Int
  }

  private var entries: [AnnotationID: Entry] = [:]
  /// The annotations without a coordinate, by number, all at one meaningless position.
  private let unplacedIndex = LiveIndex()
  private var unplacedChanges: [LiveChange] = []
  private(set) var categories = KindCategories([])
  private var shapeList: LiveShapes.List = [:] { didSet { sharedShapes = nil } }
  private var sharedShapes: LiveShapes?
  /// The changes of positions since the last `takeMoves`.
  private var moves: [LiveChange] = []

  /// The number of the annotation with an id; nil where there is none.
  func number(of id: AnnotationID) -> Int? { entries[id].map { Int($0.number) } }

  mutating func reserveMoves(_ count: Int) { moves.reserveCapacity(count) }

  mutating func takeMoves() -> [LiveChange] {
    defer { moves = [] }
    return moves
  }

  /// The annotations without a coordinate, for a snapshot.
  mutating func takeUnplaced() -> LiveSnapshot {
    guard !unplacedChanges.isEmpty else { return unplacedIndex.snapshot }
    defer { unplacedChanges = [] }
    return unplacedIndex.apply(unplacedChanges)
  }

  /// The lines and areas, shared by snapshots until they change; nil for none.
  mutating func takeShapes() -> LiveShapes? {
    if sharedShapes == nil, !shapeList.isEmpty { sharedShapes = LiveShapes(shapeList) }
    return sharedShapes
  }

  /// Records the number of an annotation.
  ///
  /// - Returns: The previous entry of its id.
  mutating func put(
    _ key: LiveKey, at coordinate: Coordinate?, kind: AnnotationKind?, shape: GroundShape?,
    number: Int, version: Int
  ) -> Entry? {
    let old = entries.updateValue(
      Entry(number: UInt32(number), isPlaced: coordinate != nil, birth: version), forKey: key.id)
    if let old { forget(old) }
    guard let coordinate else {
      if let old, old.isPlaced { moves.append(.remove(UInt64(old.number))) }
      unplacedChanges.append(
        .put(LiveObject(id: UInt64(number), at: LiveBook.nowhere, expiry: key.expiry)))
      return old
    }
    let object = LiveObject(
      id: UInt64(number), at: coordinate, categories: categories.set(adding: kind),
      expiry: key.expiry)
    if let old, old.isPlaced {
      moves.append(.replace(UInt64(old.number), with: object))
    } else {
      moves.append(.put(object))
    }
    if let shape { shapeList[number] = (key.id, shape) }
    return old
  }

  /// Records that there is no annotation with an id any more.
  ///
  /// - Returns: Its previous entry.
  mutating func remove(_ id: AnnotationID) -> Entry? {
    guard let old = entries.removeValue(forKey: id) else { return nil }
    forget(old)
    if old.isPlaced { moves.append(.remove(UInt64(old.number))) }
    return old
  }

  private mutating func forget(_ old: Entry) {
    if !old.isPlaced { unplacedChanges.append(.remove(UInt64(old.number))) }
    if !shapeList.isEmpty { shapeList[Int(old.number)] = nil }
  }

  private static var nowhere: Coordinate { Coordinate(unchecked: 0, 0) }
}
