import Geodesy

/// The border of polygons, cut into pieces that lie in groups.
struct FenceOutline: Sendable {
  let area: MultiPolygon
  let pieces: [FencePiece]
  private let groups: [Group]

  /// A ball around some pieces that follow each other.
  private struct Group {
    let place: ECEFPosition
    let radius: Double
    let pieces: Range<Int>

    /// No piece is nearer in space, in meters.
    @inline(__always)
    func leastChord(to position: ECEFPosition) -> Double {
      place.squaredChord(to: position).squareRoot() - radius
    }
  }

  private static let longestPiece = 0.25
  private static let groupSize = 8

  init(_ area: MultiPolygon) {
    self.area = area
    var pieces: [FencePiece] = []
    for polygon in area.polygons {
      polygon.forEachEdge { start, end in
        let north = end.latitude - start.latitude, east = end.longitude - start.longitude
        let count = max(
          1, Int((max(abs(north), abs(east)) / FenceOutline.longestPiece).rounded(.up)))
        func corner(_ number: Int) -> (latitude: Double, longitude: Double) {
          if number == 0 { return start }
          if number == count { return end }
          let fraction = Double(number) / Double(count)
          return (start.latitude + north * fraction, start.longitude + east * fraction)
        }
        for number in 0..<count {
          pieces.append(FencePiece(start: corner(number), end: corner(number + 1)))
        }
      }
    }
    self.pieces = pieces
    groups = stride(from: 0, to: pieces.count, by: FenceOutline.groupSize).map { first in
      let range = first..<min(first + FenceOutline.groupSize, pieces.count)
      return FenceOutline.group(pieces, range)
    }
  }

  private static func group(_ pieces: [FencePiece], _ range: Range<Int>) -> Group {
    let ends = pieces[range].flatMap { [$0.start, $0.end] }
    let count = Double(ends.count)
    let middle = ECEFPosition(
      x: ends.reduce(0) { $0 + $1.x } / count, y: ends.reduce(0) { $0 + $1.y } / count,
      z: ends.reduce(0) { $0 + $1.z } / count)
    let radius = pieces[range].reduce(0) {
      let chord = max($1.start.squaredChord(to: middle), $1.end.squaredChord(to: middle))
      return max($0, chord.squareRoot() + $1.sag)
    }
    return Group(place: middle, radius: radius, pieces: range)
  }

  /// Bounds of the distance on the ground to the border, in meters.
  ///
  /// - Complexity: O(*n*) with a small constant: some 2 ns for eight pieces that are far.
  func distanceBounds(to point: ECEFPosition) -> (lower: Double, upper: Double) {
    var lower = Double.infinity, upper = Double.infinity
    groups.withUnsafeBufferPointer { groups in
      pieces.withUnsafeBufferPointer { pieces in
        for group in groups where group.leastChord(to: point) < lower {
          for number in group.pieces {
            let chord = pieces[number].chordDistance(to: point), sag = pieces[number].sag
            lower = min(lower, chord - sag)
            upper = min(upper, chord + sag)
          }
        }
      }
    }
    // No line on the ground is shorter than the straight one.
    return (max(0, lower), ChordBracket.longestGeodesic(chord: upper))
  }

  /// The distance on the ground to the border, in meters; right to a millimeter within 1,000 km.
  func distance(to position: Coordinate) -> Double {
    let origin = LineOrigin(position)
    return least(from: ECEFPosition(position)) { $0.distance(from: origin) }
  }

  /// The same at a tenth of the cost, for showing: right to a millimeter, but not to the same bits.
  func shownDistance(to view: FenceViewpoint) -> Double {
    least(from: view.place) { $0.shownDistance(from: view) }
  }

  /// The least of the distances to the pieces that may be nearest, in meters.
  @inline(__always)
  private func least(from point: ECEFPosition, _ distance: (FencePiece) -> Double) -> Double {
    let nearest = nearestPiece(to: point)
    var least = distance(pieces[nearest])
    for group in groups where group.leastChord(to: point) <= least {
      for number in group.pieces
      where number != nearest
        && pieces[number].chordDistance(to: point) - pieces[number].sag <= least
      {
        least = min(least, distance(pieces[number]))
      }
    }
    return least
  }

  /// The number of the piece whose chord is nearest to a place in space.
  private func nearestPiece(to point: ECEFPosition) -> Int {
    var nearest = 0, least = Double.infinity
    for group in groups where group.leastChord(to: point) < least {
      for number in group.pieces {
        let chord = pieces[number].chordDistance(to: point)
        if chord < least { (nearest, least) = (number, chord) }
      }
    }
    return nearest
  }

  /// Whether a way may touch the border; no for certain.
  func mayTouch(_ trail: FenceTrail) -> Bool {
    for group in groups where trail.mayTouch(group.place, group.radius) {
      for number in group.pieces {
        let ball = pieces[number].ball
        if trail.mayTouch(ball.middle, ball.reach) { return true }
      }
    }
    return false
  }

  /// Calls `body` with every piece that a way may touch.
  func forEachPiece(near trail: FenceTrail, _ body: (FencePiece) -> Void) {
    for group in groups where trail.mayTouch(group.place, group.radius) {
      for number in group.pieces {
        let ball = pieces[number].ball
        if trail.mayTouch(ball.middle, ball.reach) { body(pieces[number]) }
      }
    }
  }

  /// A circle around the border.
  func circle() -> (center: Coordinate, reach: Double) {
    let count = Double(pieces.count)
    let x = pieces.reduce(0) { $0 + $1.start.x } / count
    let y = pieces.reduce(0) { $0 + $1.start.y } / count
    let z = pieces.reduce(0) { $0 + $1.start.z } / count
    let isCentral = x * x + y * y + z * z < 1e6
    let center =
      isCentral
      ? pieces[0].position(at: 0)
      : Coordinate(
        unchecked: degrees(
          arcTangent(y: z, x: hypotenuse(x, y) * (1 - WGS84.eccentricitySquared))),
        degrees(arcTangent(y: y, x: x)))
    let origin = LineOrigin(center)
    var reach = 0.0
    for piece in pieces {
      // Every place of a piece is within a sixteenth of its length of one of nine.
      for eighth in 0...8 {
        let place = piece.position(at: Double(eighth) / 8)
        reach = max(reach, origin.distance(to: place) + piece.greatestLength / 16)
      }
    }
    return (center, reach + 1e-6)
  }
}
