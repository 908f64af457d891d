import Geodesy
import SpatialIndexing

/// The border of polygons, cut into pieces that lie in groups.
///
/// A class, so that handing one on counts one reference and not one for each of its lists.
final class FenceOutline: Sendable {
  let area: MultiPolygon
  let pieces: [EdgePiece]
  /// The pieces by eights.
  private let groups: [EdgePieceGroup]

  init(_ area: MultiPolygon) {
    self.area = area
    var pieces: [EdgePiece] = []
    for polygon in area.polygons {
      polygon.forEachEdge { start, end in EdgePiece.append(from: start, to: end, to: &pieces) }
    }
    self.pieces = pieces
    groups = stride(from: 0, to: pieces.count, by: EdgePieceGroup.size).map { first in
      EdgePieceGroup(EightEdges(pieces[first..<min(first + EdgePieceGroup.size, pieces.count)]))
    }
  }

  /// Bounds of the distance on the ground to the border, in meters.
  ///
  /// - Complexity: O(*n*) with a small constant: some 2 ns for eight pieces that are far.
  func distanceBounds(to point: ECEFPosition) -> (lower: Double, upper: Double) {
    var lower = Double.infinity, upper = Double.infinity
    for place in groups.indices where groups[place].leastChord(to: point) < upper {
      let bounds = groups[place].chordBounds(to: point)
      lower = min(lower, bounds.lower)
      upper = min(upper, bounds.upper)
    }
    // No line on the ground is shorter than the straight one.
    return (max(0, lower), ChordBracket.geodesics(chord: upper).longest)
  }

  /// The distance on the ground to the border, in meters; right to a millimeter within 1,000 km.
  func distance(to position: Coordinate) -> Double {
    let origin = LineOrigin(position)
    return least(from: ECEFPosition(position)) { $0.distance(from: origin) }
  }

  /// The same at a tenth of the cost, for showing: right to a millimeter, but not to the same bits.
  func shownDistance(to view: FenceViewpoint) -> Double {
    let origin = view.origin
    return least(from: view.place) { $0.shownDistance(from: view.place, origin) }
  }

  /// The least of the distances to the pieces that may be nearest, in meters.
  @inline(__always)
  private func least(from point: ECEFPosition, _ distance: (EdgePiece) -> Double) -> Double {
    let reach = distanceBounds(to: point).upper
    var least = Double.infinity
    for place in groups.indices where groups[place].leastChord(to: point) <= reach {
      for number in groups[place].pieces(within: reach, of: point) {
        least = min(least, distance(pieces[place * EdgePieceGroup.size + number]))
      }
    }
    return least
  }

  /// Calls `body` with every piece that a way may touch, once for each line of the way.
  @inline(__always)
  func forEachPiece(near trail: FenceTrail, _ body: (EdgePiece) -> Void) {
    trail.forEachLine { line in
      for place in groups.indices
      where FenceTrail.touches(line, groups[place].place, groups[place].radius) {
        for number in groups[place].pieces(touching: line) {
          body(pieces[place * EdgePieceGroup.size + number])
        }
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
