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

  /// - Parameter pieces: 1 to 8.
  package init(_ pieces: ArraySlice<EdgePiece>) {
    let ends = pieces.flatMap { [$0.start, $0.end] }
    let count = Double(ends.count)
    let place = ECEFPosition(
      x: ends.reduce(0) { $0 + $1.x } / count, y: ends.reduce(0) { $0 + $1.y } / count,
      z: ends.reduce(0) { $0 + $1.z } / count)
    var radius = 0.0
    var balls = EightBalls()
    var halfX = SIMD8<Float>.zero, halfY = SIMD8<Float>.zero, halfZ = SIMD8<Float>.zero
    for (number, piece) in pieces.enumerated() {
      let chord = max(piece.start.squaredChord(to: place), piece.end.squaredChord(to: place))
      radius = max(radius, chord.squareRoot() + piece.sag)
      let (middle, reach) = piece.ball
      balls.set(
        number, (middle.x - place.x, middle.y - place.y, middle.z - place.z), radius: reach)
      halfX[number] = Float(piece.end.x - middle.x)
      halfY[number] = Float(piece.end.y - middle.y)
      halfZ[number] = Float(piece.end.z - middle.z)
    }
    self.place = place
    self.radius = radius
    self.balls = balls
    (self.halfX, self.halfY, self.halfZ) = (halfX, halfY, halfZ)
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
