import Geodesy

/// Eight consecutive pieces of a border, in single precision around a point among them.
///
/// A piece is a chord, the segment from one of nine vertices to the next, with everything that deviates from it by at
/// most the greatest `EdgePiece.sag` of the eight.
package struct EdgePieceGroup: BitwiseCopyable, Sendable {
  /// The ball around all pieces.
  package let place: ECEFPosition
  package let radius: Double
  /// The vertices, in meters from `place`; after the last, that vertex again.
  private let x, y, z: SIMD8<Float>
  private let lastX, lastY, lastZ: Float
  private let sag: Float
  /// The number of pieces.
  private let pieceCount: Int32
  /// Padding to a multiple of 32 bytes: the group is written to files as it lies in memory.
  private let zeros: (Int32, Int32, Int32) = (0, 0, 0)

  static let size = 8

  var count: Int { Int(pieceCount) }

  @inline(__always)
  init(_ edges: EightEdges) {
    let start = edges.start, last = edges.last
    let sag = edges.sag.greatest
    place = ECEFPosition(
      x: start.x.middle(with: last.x), y: start.y.middle(with: last.y),
      z: start.z.middle(with: last.z))
    let x = start.x - place.x, y = start.y - place.y, z = start.z - place.z
    let (lastX, lastY, lastZ) = (last.x - place.x, last.y - place.y, last.z - place.z)
    let squared: SIMD8<Double> = x * x + y * y + z * z
    let lastSquared = lastX * lastX + lastY * lastY + lastZ * lastZ
    // A chord reaches no farther than its ends.
    radius = Swift.max(squared.greatest, lastSquared).squareRoot() + sag + EdgePiece.rounding
    (self.x, self.y, self.z) = (SIMD8<Float>(x), SIMD8<Float>(y), SIMD8<Float>(z))
    (self.lastX, self.lastY, self.lastZ) = (Float(lastX), Float(lastY), Float(lastZ))
    self.sag = Float(sag).nextUp
    pieceCount = Int32(edges.count)
  }

  /// The next vertex of each piece.
  @inline(__always)
  private func next(_ corners: SIMD8<Float>, _ last: Float) -> SIMD8<Float> {
    SIMD8(
      corners[1], corners[2], corners[3], corners[4], corners[5], corners[6], corners[7], last)
  }

  /// A lower bound of the distance in space to any piece, in meters.
  @inline(__always)
  package func leastChord(to position: ECEFPosition) -> Double {
    place.squaredChord(to: position).squareRoot() - radius
  }

  /// The maximum error of a length within this group or to it, in meters.
  private static let slack = 1e-3

  /// Lower and upper bounds of the distance in space from a position to each piece, in meters; NaN
  /// for none.
  @inline(__always)
  private func chords(to position: ECEFPosition) -> (least: SIMD8<Float>, most: SIMD8<Float>) {
    let (dx, dy, dz) = (position.x - place.x, position.y - place.y, position.z - place.z)
    let wayX = next(x, lastX) - x, wayY = next(y, lastY) - y, wayZ = next(z, lastZ) - z
    let qx = Float(dx) - x, qy = Float(dy) - y, qz = Float(dz) - z
    let squaredLength = wayX * wayX + wayY * wayY + wayZ * wayZ
    // A chord of a millimeter may be taken for its start: the slack covers that, too.
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

  /// A lower bound of the distance in space from a position to each piece, in meters; NaN for none.
  @inline(__always)
  func leastChords(to position: ECEFPosition) -> SIMD8<Float> { chords(to: position).least }

  /// Lower and upper bounds of the distance in space from a position to the nearest piece, in
  /// meters.
  @inline(__always)
  package func chordBounds(to position: ECEFPosition) -> (lower: Double, upper: Double) {
    let (least, most) = chords(to: position)
    return (Double(least.leastNumber), Double(most.leastNumber))
  }

  /// The pieces that may be within a distance in space of a position, in meters.
  @inline(__always)
  package func pieces(within chord: Double, of position: ECEFPosition) -> EightChoices {
    EightChoices(chords(to: position).least .<= Float(chord).nextUp)
  }

  /// The pieces whose balls a capsule touches, and perhaps some that it nearly touches.
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
  /// The greatest of these numbers.
  @inline(__always)
  fileprivate var greatest: Double {
    let four = lowHalf.replacing(with: highHalf, where: highHalf .> lowHalf)
    let two = four.lowHalf.replacing(with: four.highHalf, where: four.highHalf .> four.lowHalf)
    return Swift.max(two.x, two.y)
  }

  /// The midpoint between the least and the greatest of these numbers and another.
  @inline(__always)
  fileprivate func middle(with other: Double) -> Double {
    let least = -(-self).greatest
    return (Swift.min(least, other) + Swift.max(greatest, other)) / 2
  }
}

extension SIMD8<Float> {
  /// The least of the numbers, ignoring NaN unless all are.
  @inline(__always)
  fileprivate var leastNumber: Float {
    let numbers = replacing(with: .infinity, where: self .!= self)
    let four = pointwiseMin(numbers.lowHalf, numbers.highHalf)
    let two = pointwiseMin(four.lowHalf, four.highHalf)
    return Swift.min(two.x, two.y)
  }
}

/// Eight edges in space.
struct EightEdges {
  /// The number of edges; the other lanes repeat the last vertex.
  let count: Int
  /// The start of each edge, in meters.
  let start: EightPlaces
  /// The end of the last edge, in meters; each of the others ends where the next one starts.
  let last: ECEFPosition
  /// The maximum deviation of each edge from its chord, in meters: `EdgePiece.sag`, or hardly more.
  let sag: SIMD8<Double>

  /// Eight points in space, in meters.
  struct EightPlaces {
    var x = SIMD8<Double>(), y = SIMD8<Double>(), z = SIMD8<Double>()
  }

  /// - Parameter first: The vertex where the edges begin.
  @inline(__always)
  private init(_ chain: Chain, _ first: Int) {
    count = min(8, chain.count - 1 - first)
    start = EightPlaces(
      x: chain.eight(.x, first), y: chain.eight(.y, first), z: chain.eight(.z, first))
    last = ECEFPosition(
      x: chain.one(.x, first + 8), y: chain.one(.y, first + 8), z: chain.one(.z, first + 8))
    func differences(_ column: Chain.Column) -> SIMD8<Double> {
      let difference = chain.eight(column, first + 1) - chain.eight(column, first)
      return difference.replacing(with: -difference, where: difference .< 0) * (.pi / 180)
    }
    let north = differences(.latitude), east = differences(.longitude)
    let before = chain.eight(.cosine, first), after = chain.eight(.cosine, first + 1)
    var widest = before.replacing(with: after, where: before .< after)
    let sides = chain.eight(.latitude, first) * chain.eight(.latitude, first + 1)
    widest.replace(with: 1, where: sides .<= 0)
    let squares: SIMD8<Double> = north * north + 2 * north * east + widest * east * east
    sag = squares * (EdgePiece.radius / 8) + 10 * EdgePiece.rounding
  }

  /// Calls `body` with the edges of a chain, by eights, and the first vertex of each eight.
  ///
  /// - Parameter vertices: Latitudes and unrolled longitudes, with an edge from each to the next.
  static func forEachEight(
    of vertices: UnsafeBufferPointer<SIMD2<Double>>, _ body: (EightEdges, Int) -> Void
  ) {
    guard vertices.count > 1 else { return }
    // Whole eights, of which the last begins past the last vertex.
    let length = (vertices.count + 15) & ~7
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 6 * length) { numbers in
      guard let start = numbers.baseAddress else { return }
      let chain = Chain(count: vertices.count, numbers: start, length: length)
      chain.fill(from: vertices)
      for first in stride(from: 0, to: vertices.count - 1, by: 8) {
        body(EightEdges(chain, first), first)
      }
    }
  }

  /// Vertices in space, one column per quantity, with the last vertex repeated eight times or more.
  private struct Chain {
    let count: Int
    let numbers: UnsafeMutablePointer<Double>
    /// The length of each column.
    let length: Int

    enum Column: Int { case latitude, longitude, cosine, x, y, z }

    @inline(__always)
    func eight(_ column: Column, _ first: Int) -> SIMD8<Double> {
      UnsafeRawPointer(start(of: column) + first)
        .loadUnaligned(as: SIMD8<Double>.self)
    }

    @inline(__always)
    func one(_ column: Column, _ place: Int) -> Double { start(of: column)[place] }

    @inline(__always)
    private func set(_ column: Column, _ first: Int, _ eight: SIMD8<Double>) {
      UnsafeMutableRawPointer(start(of: column) + first)
        .storeBytes(of: eight, as: SIMD8<Double>.self)
    }

    private func start(of column: Column) -> UnsafeMutablePointer<Double> {
      numbers + column.rawValue * length
    }

    /// Reads the vertices, and computes their coordinates in space, right to 20 nm.
    func fill(from vertices: UnsafeBufferPointer<SIMD2<Double>>) {
      let latitudes = start(of: .latitude), longitudes = start(of: .longitude)
      for place in 0..<length {
        let vertex = vertices[min(place, count - 1)]
        (latitudes[place], longitudes[place]) = (vertex.x, vertex.y)
      }
      // The compiler handles two vertices at once only if nothing in the loop can trap or branch.
      let sines = start(of: .z), cosines = start(of: .cosine)
      let eastSines = start(of: .y), eastCosines = start(of: .x)
      var place = 0
      while place < length {
        let latitude = latitudes[place], longitude = longitudes[place]
        sines[place] = quarterTurnSine(radians(latitude))
        cosines[place] = quarterTurnSine(radians(90 - abs(latitude)))
        // Whole turns are taken away: the sum has no room for a fraction.
        let turned = longitude - 360 * ((longitude / 360 + 0x1.8p52) - 0x1.8p52)
        let away = abs(turned)
        let eastSine = quarterTurnSine(radians(away > 90 ? 180 - away : away))
        eastSines[place] = turned < 0 ? -eastSine : eastSine
        eastCosines[place] = quarterTurnSine(radians(90 - away))
        place &+= 1
      }
      for first in stride(from: 0, to: length, by: 8) {
        let sine = eight(.z, first)
        let squared = WGS84.eccentricitySquared
        let flattened: SIMD8<Double> = 1 - squared * (sine * sine)
        let normal = WGS84.equatorialRadius / flattened.squareRoot()
        let parallel = normal * eight(.cosine, first)
        set(.x, first, parallel * eight(.x, first))
        set(.y, first, parallel * eight(.y, first))
        set(.z, first, normal * sine * (1 - squared))
      }
    }
  }
}
