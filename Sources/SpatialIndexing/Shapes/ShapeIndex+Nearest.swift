import Geodesy

extension ShapeIndex {
  /// Calls `body` with the shapes one after the other, nearest first, ties by number, until it returns false.
  ///
  /// What waits is ordered by how near in space it may be at best. A shape is given out once its least distance on
  /// the ground is below what all that waits can reach.
  package func forEachNearest(to origin: Coordinate, _ body: (ShapeNeighbor) -> Bool) {
    var walk = ShapeWalk(self, origin)
    while let neighbor = walk.next() {
      guard body(neighbor) else { return }
    }
  }
}

/// A search for the nearest shapes that goes on as long as it is asked.
private struct ShapeWalk {
  private let index: ShapeIndex
  private let position: Coordinate
  private let origin: LineOrigin
  private let place: ECEFPosition
  private var waiting = Heap<Waiting>()
  /// What was measured and is not given out yet, some of it more than once.
  private var measured = Heap<Measured>()
  /// What was given out.
  private var isGiven: Set<Int32> = []

  /// What is still to be looked at, and how near it may be in space, in meters.
  private struct Waiting: Comparable {
    var chord: Double
    var what: What

    enum What {
      /// Eight balls of the tree.
      case balls(Int32)
      /// A group of pieces.
      case group(Int32)
      /// A piece of a group, as single precision has it.
      case piece(Int32, group: Int32)
    }

    static func < (a: Waiting, b: Waiting) -> Bool { a.chord < b.chord }
    static func == (a: Waiting, b: Waiting) -> Bool { a.chord == b.chord }
  }

  private struct Measured: Comparable {
    var distance: Double
    var shape: Int32
    /// Its place, as a part of a piece; of a shape that holds the origin there is none.
    var piece: Int32
    var fraction: Double

    static func < (a: Measured, b: Measured) -> Bool {
      (a.distance, a.shape) < (b.distance, b.shape)
    }
  }

  init(_ index: ShapeIndex, _ position: Coordinate) {
    self.index = index
    self.position = position
    origin = LineOrigin(position)
    place = ECEFPosition(position)
    for shape in index.containing(position) {
      measured.insert(Measured(distance: 0, shape: Int32(shape), piece: -1, fraction: 0))
    }
    if !index.tree.groups.isEmpty { waiting.insert(Waiting(chord: 0, what: .balls(0))) }
  }

  mutating func next() -> ShapeNeighbor? {
    while true {
      if let best = measured.first {
        if isGiven.contains(best.shape) {
          _ = measured.removeFirst()
          continue
        }
        let isCertain =
          waiting.first.map {
            ChordBracket.geodesics(chord: max(0, $0.chord)).shortest > best.distance
          } ?? true
        if isCertain {
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
      nearestPoint: found.piece < 0
        ? position : index.pieces[Int(found.piece)].position(at: found.fraction))
  }

  private mutating func lookAt(_ first: Waiting) {
    switch first.what {
    case .balls(let number):
      let balls = Int(number)
      let child = index.tree.children[balls]
      let least = index.tree.groups[balls].leastChords(to: place, slack: BallTree.slack)
      for place in 0..<8 where !least[place].isNaN {
        let inner = child + Int32(place)
        let what: Waiting.What =
          balls < index.tree.leaves
          ? .balls(inner) : .group(index.tree.numbers[Int(inner)])
        waiting.insert(Waiting(chord: Double(least[place]), what: what))
      }
    case .group(let number):
      let group = Int(number)
      // What is as near as a piece that was measured is known already.
      guard !isGiven.contains(index.owners[group]) else { return }
      let least = index.groups[group].leastChords(to: place)
      for (offset, piece) in index.members(group).enumerated() {
        waiting.insert(
          Waiting(
            chord: Double(least[offset]), what: .piece(Int32(piece), group: number)))
      }
    case .piece(let number, let group):
      let shape = index.owners[Int(group)]
      guard !isGiven.contains(shape) else { return }
      let piece = index.pieces[Int(number)]
      let chord = piece.chordDistance(to: place) - piece.sag
      if let next = waiting.first, chord > next.chord, chord > first.chord + 1e-6 {
        return waiting.insert(Waiting(chord: chord, what: first.what))
      }
      let nearest = piece.nearest(from: origin, at: place)
      measured.insert(
        Measured(
          distance: nearest.distance, shape: shape, piece: number, fraction: nearest.fraction))
    }
  }
}
