import Geodesy
import MapAnnotations
import MapProjections

/// The annotations of a session and their order; what is shown keeps the ones it was made of.
struct MapData<Item: Annotation>: Sendable {
  /// By offset; one that was removed stays until its place is needed.
  private(set) var items: [Item]
  private var offsets: [AnnotationID: Int]
  private var freeOffsets: [Int] = []
  private(set) var index: ClusterIndex<[Item]>
  /// Which version of the annotations this is.
  private(set) var generation = 0
  private let aggregates: ClusterAggregates
  /// nil where none opts out.
  private let optsOut: (@Sendable (Item) -> Bool)?

  init(
    _ annotations: some Sequence<Item>, rule: ClusterRule, aggregates: ClusterAggregates,
    optsOut: (@Sendable (Item) -> Bool)?
  ) {
    var offsets: [AnnotationID: Int] = [:]
    var items: [Item] = []
    for annotation in annotations {
      if let known = offsets[annotation.id] {
        items[known] = annotation
      } else {
        offsets[annotation.id] = items.count
        items.append(annotation)
      }
    }
    self.items = items
    self.offsets = offsets
    self.aggregates = aggregates
    self.optsOut = optsOut
    index = ClusterIndex(items, rule: rule, aggregates: aggregates, optsOut: optsOut)
  }

  func offset(of id: AnnotationID) -> Int? { offsets[id] }

  /// Other annotations, drawn by the same rules; the first generation of them.
  func made(of annotations: some Sequence<Item>) -> MapData {
    MapData(annotations, rule: index.rule, aggregates: aggregates, optsOut: optsOut)
  }

  /// Puts other annotations into the place of all.
  mutating func replaceAll(by other: MapData) {
    let next = generation + 1
    self = other
    generation = next
  }

  /// Applies changes in their order.
  ///
  /// - Returns: The offsets at which something else stands now.
  mutating func apply(_ edits: some Collection<MapEdit<Item>>) -> [Int] {
    generation += 1
    var touched: Set<Int> = []
    for edit in edits {
      switch edit {
      case .upsert(let item):
        if let known = offsets[item.id] {
          items[known] = item
          touched.insert(known)
        } else if let free = freeOffsets.popLast() {
          items[free] = item
          offsets[item.id] = free
          touched.insert(free)
        } else {
          offsets[item.id] = items.count
          touched.insert(items.count)
          items.append(item)
        }
      case .remove(let id):
        guard let known = offsets.removeValue(forKey: id) else { continue }
        freeOffsets.append(known)
        touched.insert(known)
      }
    }
    reorder(touched)
    return touched.sorted()
  }

  private mutating func reorder(_ touched: Set<Int>) {
    var isTouched = [Bool](repeating: false, count: items.count)
    for offset in touched { isTouched[offset] = true }
    var shapes = index.shapes
    shapes.remove { isTouched[$0] }
    var coordinates: [Coordinate] = []
    var places: [UInt32] = []
    for offset in touched.sorted() where offsets[items[offset].id] == offset {
      guard let coordinate = items[offset].coordinate else { continue }
      coordinates.append(coordinate)
      places.append(UInt32(offset))
      if let shape = items[offset].shape { shapes.append(shape, offset: UInt32(offset)) }
    }
    let (items, optsOut) = (items, optsOut)
    let order = index.tree.order.replacing(
      where: { isTouched[Int($0)] }, by: coordinates, places: places
    ) { ClusterIndex<[Item]>.precedes(items[Int($0)], items[Int($1)]) }
    index = ClusterIndex(
      items,
      tree: ClusterTree(
        order, rule: index.rule,
        isLoner: optsOut.map { optsOut in { optsOut(items[Int($0)]) } }),
      shapes: shapes, aggregates: aggregates)
  }
}
