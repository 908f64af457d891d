import Geodesy
import SpatialIndexing
import NearbyTestSupport

/// The judge of a live index: a dictionary, every object of which is measured and sorted.
struct LiveModel {
  private(set) var objects: [UInt64: LiveObject] = [:]

  mutating func apply(_ changes: [LiveChange]) {
    for change in changes {
      switch change {
      case .put(let object): objects[object.id] = object
      case .remove(let id): objects[id] = nil
      case .replace(let id, let object):
        objects[id] = nil
        objects[object.id] = object
      }
    }
  }

  mutating func dropExpired(now: Double) {
    objects = objects.filter { $0.value.expiry > now }
  }

  func counted(categories: CategorySet = .any, now: Double = -.infinity) -> [LiveObject] {
    objects.values
      .filter {
        $0.expiry > now && (categories == .any || !$0.categories.isDisjoint(with: categories))
      }
      .sorted { $0.id < $1.id }
  }

  func ranked(
    from origin: Coordinate, within outer: Distance = .infinity, categories: CategorySet = .any,
    now: Double = -.infinity, where isIncluded: (LiveObject) -> Bool = { _ in true }
  ) -> [LiveNeighbor] {
    counted(categories: categories, now: now).filter(isIncluded)
      .map { LiveNeighbor(object: $0, distance: origin.distance(to: $0.coordinate)) }
      .filter { $0.distance <= outer }
      .sorted { ($0.distance, $0.object.id) < ($1.distance, $1.object.id) }
  }
}

/// Random batches over a world of one shape.
struct LiveWorld {
  let points: [Coordinate]
  let origin: Coordinate
  let idCount: UInt64
  let hasAttributes: Bool
  var generator: SeededGenerator

  init(_ pointSet: PointSet, count: Int, seed: UInt64, hasAttributes: Bool = true) {
    (points, origin) = pointSet.sample(count, seed: seed)
    idCount = UInt64(count) / 2
    self.hasAttributes = hasAttributes
    generator = SeededGenerator(seed: seed &+ 77)
  }

  mutating func object(id: UInt64) -> LiveObject {
    let place = points.randomElement(using: &generator) ?? origin
    guard hasAttributes, Bool.random(using: &generator) else {
      return LiveObject(id: id, at: place)
    }
    return LiveObject(
      id: id, at: place,
      categories: CategorySet(category: Int.random(in: 0..<3, using: &generator)),
      expiry: Bool.random(using: &generator)
        ? .infinity : Double(Int.random(in: 0..<100, using: &generator)))
  }

  /// Insertions, moves, removals and replacements, some of one object twice.
  mutating func batch(_ count: Int, removing share: Int = 4) -> [LiveChange] {
    (0..<count).map { _ in
      // Far apart, so that the table meets more than small numbers.
      let id = anyID()
      if Int.random(in: 0..<share, using: &generator) == 0 { return .remove(id) }
      // By another that may be there already, or by itself.
      let other = Int.random(in: 0..<8, using: &generator) == 0 ? id : anyID()
      return Bool.random(using: &generator)
        ? .put(object(id: id)) : .replace(id, with: object(id: other))
    }
  }

  private mutating func anyID() -> UInt64 {
    UInt64.random(in: 0..<idCount, using: &generator) &* 0x9E37_79B9_7F4A_7C15
  }
}
