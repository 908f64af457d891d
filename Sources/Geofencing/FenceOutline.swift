import Geodesy
import SpatialIndexing

/// The border of a fence's polygons: groups of eight edges among those of all fences.
///
/// A class, so that copying it counts one reference instead of one for each list.
final class FenceOutline: Sendable {
  let area: MultiPolygon
  private let borders: ShapeIndex
  /// The range of its groups among those of all borders.
  private let groups: Range<Int>

  /// - Parameters:
  ///   - number: The shape with this border.
  ///   - groups: The groups of the shape: see `ShapeIndex.groupsByShape`.
  init(_ borders: ShapeIndex, _ number: Int, groups: Range<Int>) {
    area = borders.shape(number).area
    self.borders = borders
    self.groups = groups
  }

  /// Edges with a larger error bound than this, in meters, are examined piece by piece: a piece
  /// deviates from its chord by at most 62 m, a whole edge perhaps by hundreds of kilometers.
  private static let coarse = 200.0

  /// Bounds of the distance on the ground to the border, in meters.
  ///
  /// - Complexity: O(*n*) with a small constant: about 2 ns for eight far edges.
  func distanceBounds(to point: ECEFPosition) -> (lower: Double, upper: Double) {
    var lower = Double.infinity, upper = Double.infinity
    for number in groups {
      let group = borders.group(number)
      guard group.leastChord(to: point) < upper else { continue }
      let bounds = group.chordBounds(to: point)
      guard bounds.upper - bounds.lower > FenceOutline.coarse else {
        lower = min(lower, bounds.lower)
        upper = min(upper, bounds.upper)
        continue
      }
      forEachPiece(of: number, near: { $0.chordDistance(to: point) - $0.sag <= upper }) { piece in
        let chord = piece.chordDistance(to: point)
        lower = min(lower, chord - piece.sag)
        upper = min(upper, chord + piece.sag)
      }
    }
    // No line on the ground is shorter than the straight one.
    return (max(0, lower), ChordBracket.geodesics(chord: upper).longest)
  }

  /// The distance on the ground to the border, in meters; accurate to a millimeter within 1,000 km.
  func distance(to position: Coordinate) -> Double {
    let origin = LineOrigin(position)
    return least(from: ECEFPosition(position)) { $0.distance(from: origin) }
  }

  /// The same for display at a tenth of the cost: accurate to a millimeter, but not bit for bit equal.
  func shownDistance(to view: FenceViewpoint) -> Double {
    let origin = view.origin
    return least(from: view.place) { $0.shownDistance(from: view.place, origin) }
  }

  /// The minimum distance to the pieces that may be nearest, in meters.
  @inline(__always)
  private func least(from point: ECEFPosition, _ distance: (EdgePiece) -> Double) -> Double {
    let reach = distanceBounds(to: point).upper
    var least = Double.infinity
    for number in groups {
      let group = borders.group(number)
      guard group.leastChord(to: point) <= reach else { continue }
      for edge in group.pieces(within: reach, of: point) {
        borders.edge(number, edge).forEachPiece(
          where: { $0.chordDistance(to: point) - $0.sag <= reach }
        ) { least = min(least, distance($0)) }
      }
    }
    return least
  }

  /// Calls `body` with every piece that a path may touch, once for each line of the path.
  @inline(__always)
  func forEachPiece(near trail: FenceTrail, _ body: (EdgePiece) -> Void) {
    trail.forEachLine { line in
      for number in groups {
        let group = borders.group(number)
        guard FenceTrail.touches(line, group.place, group.radius) else { continue }
        for edge in group.pieces(touching: line) {
          borders.edge(number, edge).forEachPiece(
            where: { piece in
              let ball = piece.ball
              return FenceTrail.touches(line, ball.middle, ball.reach)
            }, body)
        }
      }
    }
  }

  /// Calls `body` with the pieces of a group's edges that pass a test.
  private func forEachPiece(
    of group: Int, near isNear: (EdgePiece) -> Bool, _ body: (EdgePiece) -> Void
  ) {
    for edge in 0..<borders.edgeCount(group) {
      borders.edge(group, edge).forEachPiece(where: isNear, body)
    }
  }

  /// A circle around the border.
  func circle() -> (center: Coordinate, reach: Double) {
    var pieces: [EdgePiece] = []
    for number in groups {
      forEachPiece(of: number, near: { _ in true }) { pieces.append($0) }
    }
    let sum = pieces.reduce(into: SIMD3<Double>.zero) {
      $0 += SIMD3($1.start.x, $1.start.y, $1.start.z)
    }
    let mean = sum / Double(pieces.count)
    // A mean within a kilometer of the center of the Earth has hardly a direction.
    let center =
      (mean * mean).sum() < 1e6
      ? pieces[0].position(at: 0) : ECEFPosition(x: mean.x, y: mean.y, z: mean.z).placeUnder
    let origin = LineOrigin(center)
    var reach = 0.0
    for piece in pieces {
      // Every point of a piece is within a sixteenth of its length of one of nine points.
      for eighth in 0...8 {
        let place = piece.position(at: Double(eighth) / 8)
        reach = max(reach, origin.distance(to: place) + piece.greatestLength / 16)
      }
    }
    return (center, reach + 1e-6)
  }
}
