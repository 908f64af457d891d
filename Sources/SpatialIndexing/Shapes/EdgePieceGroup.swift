import Geodesy

/// Eight pieces of a border that follow each other, in single precision around a place among them.
///
/// A piece is its chord, a line from middle − half to middle + half, and a ball around that, which
/// reaches beyond the chord's ends by `EdgePiece.sag` at least.
package struct EdgePieceGroup: Sendable {
  /// The ball around all.
  package let place: ECEFPosition
  package let radius: Double
  private let balls: EightBalls
  private let halfX, halfY, halfZ: SIMD8<Float>

  package static let size = 8

  package init(_ edges: EightEdges) {
    let start = edges.start, end = edges.end
    func middle(_ a: SIMD8<Double>, _ b: SIMD8<Double>) -> Double {
      (a.least(b) + a.greatest(b)) / 2
    }
    let (x, y, z) = (middle(start.x, end.x), middle(start.y, end.y), middle(start.z, end.z))
    let middleX = (start.x + end.x) / 2 - x, middleY = (start.y + end.y) / 2 - y
    let middleZ = (start.z + end.z) / 2 - z
    let halfX = (end.x - start.x) / 2, halfY = (end.y - start.y) / 2
    let halfZ = (end.z - start.z) / 2
    let half = (halfX * halfX + halfY * halfY + halfZ * halfZ).squareRoot()
    let offset = (middleX * middleX + middleY * middleY + middleZ * middleZ).squareRoot()
    place = ECEFPosition(x: x, y: y, z: z)
    let reach = half + edges.sag
    let farthest = offset + reach
    radius = farthest.greatest(farthest) + EdgePiece.rounding
    let isNone = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7) .>= Int32(edges.count)
    func single(_ numbers: SIMD8<Double>) -> SIMD8<Float> {
      SIMD8<Float>(numbers).replacing(with: .nan, where: isNone)
    }
    balls = EightBalls(single(middleX), single(middleY), single(middleZ), radii: single(reach))
    (self.halfX, self.halfY, self.halfZ) = (single(halfX), single(halfY), single(halfZ))
  }

  /// No piece is nearer in space, in meters.
  @inline(__always)
  package func leastChord(to position: ECEFPosition) -> Double {
    place.squaredChord(to: position).squareRoot() - radius
  }

  /// What a length of this group and to it is off by at most, in meters.
  private static let slack = 1e-3

  /// How far in space a position is from each piece at least and at most, in meters; NaN for none.
  @inline(__always)
  private func chords(to position: ECEFPosition) -> (least: SIMD8<Float>, most: SIMD8<Float>) {
    let (dx, dy, dz) = (position.x - place.x, position.y - place.y, position.z - place.z)
    let qx = balls.x - Float(dx), qy = balls.y - Float(dy), qz = balls.z - Float(dz)
    let squaredHalf = halfX * halfX + halfY * halfY + halfZ * halfZ
    // A chord of a millimeter may be taken for its middle: that is slack, too.
    var along = (qx * halfX + qy * halfY + qz * halfZ) / (squaredHalf + 1e-6)
    along.replace(with: -1, where: along .< -1)
    along.replace(with: 1, where: along .> 1)
    let rx = qx - along * halfX, ry = qy - along * halfY, rz = qz - along * halfZ
    let chord = (rx * rx + ry * ry + rz * rz).squareRoot()
    let distance = (dx * dx + dy * dy + dz * dz).squareRoot()
    let slack = EdgePieceGroup.slack + (distance + radius) * EightBalls.slackFactor
    // How far the ball reaches beyond the chord's ends.
    let sag = balls.radius - squaredHalf.squareRoot() + Float(slack)
    return (chord - sag, chord + sag)
  }

  /// How far in space a position is from each piece at least, in meters; NaN for none.
  @inline(__always)
  func leastChords(to position: ECEFPosition) -> SIMD8<Float> { chords(to: position).least }

  /// How far in space a position is from the nearest piece at least and at most, in meters.
  @inline(__always)
  package func chordBounds(to position: ECEFPosition) -> (lower: Double, upper: Double) {
    let (least, most) = chords(to: position)
    return (Double(least.leastNumber), Double(most.leastNumber))
  }

  /// The pieces that may be as near in space as this, in meters.
  @inline(__always)
  package func pieces(within chord: Double, of position: ECEFPosition) -> EightChoices {
    EightChoices(chords(to: position).least .<= Float(chord).nextUp)
  }

  /// The pieces whose balls a line touches, and perhaps some that it nearly touches.
  @inline(__always)
  package func pieces(touching line: Capsule) -> EightChoices {
    let slack = EdgePieceGroup.slack + radius * EightBalls.slackFactor
    return EightfoldCapsule(line, from: place, slack: slack).touched(balls)
  }
}

extension SIMD8<Double> {
  /// The least of these numbers and others.
  @inline(__always)
  fileprivate func least(_ other: Self) -> Double {
    let eight = replacing(with: other, where: other .< self)
    let four = eight.lowHalf.replacing(with: eight.highHalf, where: eight.highHalf .< eight.lowHalf)
    return Swift.min(Swift.min(four.x, four.y), Swift.min(four.z, four.w))
  }

  /// The greatest of these numbers and others.
  @inline(__always)
  fileprivate func greatest(_ other: Self) -> Double { -(-self).least(-other) }
}

extension SIMD8<Float> {
  /// The least of the numbers that are none, if not all are.
  @inline(__always)
  fileprivate var leastNumber: Float {
    let numbers = replacing(with: .infinity, where: self .!= self)
    let four = pointwiseMin(numbers.lowHalf, numbers.highHalf)
    let two = pointwiseMin(four.lowHalf, four.highHalf)
    return Swift.min(two.x, two.y)
  }
}
