import Geodesy

/// The border of polygons, cut into pieces that lie in groups.
struct FenceOutline: Sendable {
  let area: MultiPolygon
  let pieces: [FencePiece]
  private let groups: [Group]

  /// A ball around some pieces that follow each other.
  private struct Group {
    let x, y, z, radius: Double
    let pieces: Range<Int>

    /// No piece is nearer in space, in meters.
    @inline(__always)
    func leastChord(to position: ECEFPosition) -> Double {
      let (dx, dy, dz) = (x - position.x, y - position.y, z - position.z)
      return (dx * dx + dy * dy + dz * dz).squareRoot() - radius
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
        let count = max(1, Int((max(abs(north), abs(east)) / FenceOutline.longestPiece).rounded(.up)))
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
    let x = ends.reduce(0) { $0 + $1.x } / count, y = ends.reduce(0) { $0 + $1.y } / count
    let z = ends.reduce(0) { $0 + $1.z } / count
    var radius = 0.0
    for piece in pieces[range] {
      for end in [piece.start, piece.end] {
        let (dx, dy, dz) = (end.x - x, end.y - y, end.z - z)
        radius = max(radius, (dx * dx + dy * dy + dz * dz).squareRoot() + piece.sag)
      }
    }
    return Group(x: x, y: y, z: z, radius: radius, pieces: range)
  }

  /// Bounds of the distance on the ground to the border, in meters.
  ///
  /// - Complexity: O(*n*) with a small constant: some 2 ns for eight pieces that are far.
  func distanceBounds(to position: Coordinate) -> (lower: Double, upper: Double) {
    let point = ECEFPosition(position)
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
    let point = ECEFPosition(position), origin = LineOrigin(position)
    var least = distanceBounds(to: position).upper
    for group in groups where group.leastChord(to: point) <= least {
      for number in group.pieces
      where pieces[number].chordDistance(to: point) - pieces[number].sag <= least {
        least = min(least, pieces[number].distance(from: origin))
      }
    }
    return least
  }

  /// Calls `body` with every piece that may come within a distance of a point in space, in meters.
  func forEachPiece(
    within meters: Double, of point: ECEFPosition, _ body: (FencePiece) -> Void
  ) {
    for group in groups where group.leastChord(to: point) <= meters {
      for number in group.pieces
      where pieces[number].chordDistance(to: point) - pieces[number].sag <= meters {
        body(pieces[number])
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
