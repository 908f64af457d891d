import Geodesy

extension ShapeIndex {
  /// Calls `body` with the shapes one after the other, nearest first, ties by number, until it returns false.
  ///
  /// The queue is ordered by least possible distance. A shape is returned once its distance is below that of everything
  /// in the queue.
  ///
  /// The chord bounds the geodesic to less than a millimeter nearby, but only to a few percent far away, which might
  /// admit thousands of edges. There a ball is bounded by the ground distance to the point under its center, less the
  /// ball's extent.
  package func forEachNearest(to origin: Coordinate, _ body: (ShapeNeighbor) -> Bool) {
    var walk = ShapeWalk(self, origin)
    while let neighbor = walk.next() {
      guard body(neighbor) else { return }
    }
  }
}

/// A search for the nearest shapes that continues on demand.
private struct ShapeWalk {
  private let index: ShapeIndex
  private let position: Coordinate
  private let origin: LineOrigin
  private let place: ECEFPosition
  private let ground: GroundBalls
  private var waiting = Heap<Waiting>()
  /// Shapes measured but not returned yet, some of them more than once.
  private var measured = Heap<Measured>()
  /// Parts of long edges.
  private var parts: [EdgePiece] = []
  /// The shapes already returned.
  private var isGiven: Set<Int32> = []

  /// An item still to be examined, and its least possible distance, in meters on the ground.
  private struct Waiting: Comparable {
    var least: Double
    var what: What
    /// Whether the bound cannot be improved without opening the item.
    var isFinal = false

    enum What {
      /// Eight balls of the tree.
      case balls(Int32)
      /// A group of edges.
      case group(Int32)
      /// An edge of a group.
      case edge(Int32, number: Int8)
      /// A part of a long edge, by its offset in `parts`.
      case part(Int, shape: Int32)
    }

    static func < (a: Waiting, b: Waiting) -> Bool { a.least < b.least }
    static func == (a: Waiting, b: Waiting) -> Bool { a.least == b.least }
  }

  private struct Measured: Comparable {
    var distance: Double
    var shape: Int32
    /// The nearest point; nil for a shape that contains the origin.
    var point: Coordinate?

    static func < (a: Measured, b: Measured) -> Bool {
      (a.distance, a.shape) < (b.distance, b.shape)
    }
  }

  init(_ index: ShapeIndex, _ position: Coordinate) {
    self.index = index
    self.position = position
    origin = LineOrigin(position)
    place = ECEFPosition(position)
    ground = GroundBalls(from: place)
    for shape in index.containing(position) {
      measured.insert(Measured(distance: 0, shape: Int32(shape)))
    }
    if !index.tables.tree.groups.isEmpty { waiting.insert(Waiting(least: 0, what: .balls(0))) }
  }

  mutating func next() -> ShapeNeighbor? {
    while true {
      if let best = measured.first {
        if isGiven.contains(best.shape) {
          _ = measured.removeFirst()
          continue
        }
        let isInside = best.point == nil && index.tables.hasAreasAlone
        if isInside || waiting.first.map({ $0.least > best.distance }) ?? true {
          _ = measured.removeFirst()
          isGiven.insert(best.shape)
          return neighbor(best)
        }
      }
      guard let first = waiting.removeFirst() else { return nil }
      lookAt(first)
    }
  }

  private func neighbor(_ found: Measured) -> ShapeNeighbor {
    ShapeNeighbor(
      shape: Int(found.shape), distance: .meters(found.distance),
      nearestPoint: found.point ?? position)
  }

  /// The distance in meters beyond which the geodesic gives better bounds than the chord.
  private static let far = 200_000.0

  private func way(_ chord: Double) -> Double {
    chord <= 0 ? 0 : ChordBracket.geodesics(chord: chord).shortest
  }

  /// Puts an item back in the queue if a closer look has shown it to be farther; returns whether it
  /// did.
  private mutating func postpones(_ first: Waiting, until least: Double) -> Bool {
    guard let next = waiting.first, least > next.least else { return false }
    waiting.insert(Waiting(least: max(least, first.least), what: first.what, isFinal: true))
    return true
  }

  private mutating func lookAt(_ first: Waiting) {
    switch first.what {
    case .balls(let number):
      let balls = Int(number)
      if !first.isFinal, first.least > ShapeWalk.far {
        let around = index.tables.tree.groups[balls].ballAround
        let least = ground.least(around.place, radius: around.radius + BallTree.slack)
        if postpones(first, until: least) { return }
      }
      let child = index.tables.tree.child(of: balls)
      let isInner = balls < index.tables.tree.leaves
      let least = index.tables.tree.groups[balls].leastChords(to: place, slack: BallTree.slack)
      for place in 0..<8 where !least[place].isNaN {
        let inner = child &+ place
        let what: Waiting.What =
          isInner ? .balls(Int32(inner)) : .group(index.tables.tree.numbers[inner])
        waiting.insert(Waiting(least: max(first.least, way(Double(least[place]))), what: what))
      }
    case .group(let number):
      let group = Int(number)
      let shape = index.tables.owners[group]
      // The nearest edge of a returned shape is already known. (A file may name a shape that does not exist.)
      guard shape >= 0, shape < index.count, !isGiven.contains(shape) else { return }
      if !first.isFinal, first.least > ShapeWalk.far {
        let around = index.tables.groups[group]
        let least = ground.least(around.place, radius: around.radius)
        if postpones(first, until: least) { return }
      }
      let least = index.tables.groups[group].leastChords(to: place)
      for edge in 0..<8 where !least[edge].isNaN {
        waiting.insert(
          Waiting(
            least: max(first.least, way(Double(least[edge]))),
            what: .edge(number, number: Int8(edge))))
      }
    case .edge(let group, let number):
      let edge = index.tables.edge(group, Int(number)), shape = index.tables.owners[Int(group)]
      // The nearest point of an edge is rounded, so a position on the edge would be some nanometers away from it.
      if first.least == 0, !isGiven.contains(shape), edge.contains(position) {
        measured.insert(Measured(distance: 0, shape: shape, point: position))
      } else {
        lookAt(edge, of: shape, first)
      }
    case .part(let number, let shape): lookAt(parts[number], of: shape, first)
    }
  }

  private mutating func lookAt(_ piece: EdgePiece, of shape: Int32, _ first: Waiting) {
    guard !isGiven.contains(shape) else { return }
    if !first.isFinal {
      let isFar = first.least > ShapeWalk.far && !piece.isLong
      let least =
        isFar
        ? ground.least(piece.ball.middle, radius: piece.ball.reach)
        : way(piece.chordDistance(to: place) - piece.sag)
      if postpones(first, until: least) { return }
    }
    guard !piece.isLong else {
      let halves = piece.halves
      for half in [halves.0, halves.1] {
        let least = max(first.least, way(half.chordDistance(to: place) - half.sag))
        waiting.insert(Waiting(least: least, what: .part(parts.count, shape: shape)))
        parts.append(half)
      }
      return
    }
    let nearest = piece.nearest(from: origin, at: place, ground)
    measured.insert(
      Measured(
        distance: nearest.distance, shape: shape, point: piece.position(at: nearest.fraction)))
  }

}

extension GroundShape {
  /// The point of the shape nearest to an origin, and its distance on WGS 84.
  ///
  /// That is the origin itself and 0 inside an area, and nil for an empty shape.
  ///
  /// Bit for bit the answer of ``ShapeIndex``, which searches many shapes in far less time.
  ///
  /// - Complexity: O(*n* log *n*) in the vertices: an index of this one shape is built.
  public func nearest(to origin: Coordinate) -> (point: Coordinate, distance: Distance)? {
    if area.contains(origin) { return (origin, .zero) }
    return ShapeIndex([self]).nearest(1, to: origin).first.map { ($0.nearestPoint, $0.distance) }
  }
}
