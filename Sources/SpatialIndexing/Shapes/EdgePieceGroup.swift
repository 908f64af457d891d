import Geodesy

/// Eight pieces of a border that follow each other, in single precision around a place among them.
///
/// A piece is its chord, the line from one of nine corners to the next, and what bends away from that by no more than
/// the greatest `EdgePiece.sag` of the eight.
package struct EdgePieceGroup: BitwiseCopyable, Sendable {
  /// The ball around all.
  package let place: ECEFPosition
  package let radius: Double
  /// The corners, in meters from the place; behind the last, that once more.
  private let x, y, z: SIMD8<Float>
  private let lastX, lastY, lastZ: Float
  private let sag: Float
  /// How many pieces there are.
  private let pieceCount: Int32
  /// Fill it up to a multiple of 32 bytes: it is written to files as it lies in memory.
  private let zeros: (Int32, Int32, Int32) = (0, 0, 0)

  static let size = 8

  var count: Int { Int(pieceCount) }

  init(_ edges: EightEdges) {
    let start = edges.start, end = edges.end
    func middle(_ a: SIMD8<Double>, _ b: SIMD8<Double>) -> Double {
      (a.least(b) + a.greatest(b)) / 2
    }
    let (middleX, middleY, middleZ) = (
      middle(start.x, end.x), middle(start.y, end.y), middle(start.z, end.z)
    )
    let (x, y, z) = (start.x - middleX, start.y - middleY, start.z - middleZ)
    let (lastX, lastY, lastZ) = (end.x[7] - middleX, end.y[7] - middleY, end.z[7] - middleZ)
    let last = lastX * lastX + lastY * lastY + lastZ * lastZ
    let squared = x * x + y * y + z * z
    let sag = edges.sag.greatest(edges.sag)
    place = ECEFPosition(x: middleX, y: middleY, z: middleZ)
    // A chord reaches no farther than its ends.
    radius = Swift.max(squared.greatest(squared), last).squareRoot() + sag + EdgePiece.rounding
    (self.x, self.y, self.z) = (SIMD8<Float>(x), SIMD8<Float>(y), SIMD8<Float>(z))
    (self.lastX, self.lastY, self.lastZ) = (Float(lastX), Float(lastY), Float(lastZ))
    self.sag = Float(sag).nextUp
    pieceCount = Int32(edges.count)
  }

  /// The next corner of each.
  @inline(__always)
  private func next(_ corners: SIMD8<Float>, _ last: Float) -> SIMD8<Float> {
    SIMD8(
      corners[1], corners[2], corners[3], corners[4], corners[5], corners[6], corners[7], last)
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
    let wayX = next(x, lastX) - x, wayY = next(y, lastY) - y, wayZ = next(z, lastZ) - z
    let qx = Float(dx) - x, qy = Float(dy) - y, qz = Float(dz) - z
    let squaredLength = wayX * wayX + wayY * wayY + wayZ * wayZ
    // A chord of a millimeter may be taken for its start: that is slack, too.
    var along = (qx * wayX + qy * wayY + qz * wayZ) / (squaredLength + 1e-6)
    along.replace(with: 0, where: along .< 0)
    along.replace(with: 1, where: along .> 1)
    let rx = qx - along * wayX, ry = qy - along * wayY, rz = qz - along * wayZ
    var chord = (rx * rx + ry * ry + rz * rz).squareRoot()
    chord.replace(with: .nan, where: SIMD8(0, 1, 2, 3, 4, 5, 6, 7) .>= pieceCount)
    let distance = (dx * dx + dy * dy + dz * dz).squareRoot()
    let slack = EdgePieceGroup.slack + (distance + radius) * EightBalls.slackFactor
    let reach = sag + Float(slack)
    return (chord - reach, chord + reach)
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
    let halfX = (next(x, lastX) - x) / 2, halfY = (next(y, lastY) - y) / 2
    let halfZ = (next(z, lastZ) - z) / 2
    var reach = (halfX * halfX + halfY * halfY + halfZ * halfZ).squareRoot() + sag
    reach.replace(with: .nan, where: SIMD8(0, 1, 2, 3, 4, 5, 6, 7) .>= pieceCount)
    let balls = EightBalls(x + halfX, y + halfY, z + halfZ, radii: reach)
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
