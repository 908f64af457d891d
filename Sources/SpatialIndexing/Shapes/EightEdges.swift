import Geodesy

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
    // The cosines are right to 10⁻¹³, which changes the bend of an edge by less than a micrometer.
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
    let length = vertices.count + 16
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 6 * length) { numbers in
      guard let start = numbers.baseAddress else { return }
      let chain = Chain(count: vertices.count, numbers: start, length: length)
      chain.fill(from: vertices)
      for first in stride(from: 0, to: vertices.count - 1, by: 8) {
        body(EightEdges(chain, first), first)
      }
    }
  }

  /// Vertices in space, one column per quantity, with the last vertex repeated sixteen times.
  private struct Chain {
    let count: Int
    let numbers: UnsafeMutablePointer<Double>
    /// The length of each column.
    let length: Int

    enum Column: Int { case latitude, longitude, cosine, x, y, z }

    @inline(__always)
    func eight(_ column: Column, _ first: Int) -> SIMD8<Double> {
      UnsafeRawPointer(numbers + column.rawValue * length + first)
        .loadUnaligned(as: SIMD8<Double>.self)
    }

    @inline(__always)
    func one(_ column: Column, _ place: Int) -> Double { numbers[column.rawValue * length + place] }

    @inline(__always)
    private func set(_ column: Column, _ first: Int, _ eight: SIMD8<Double>) {
      UnsafeMutableRawPointer(numbers + column.rawValue * length + first)
        .storeBytes(of: eight, as: SIMD8<Double>.self)
    }

    /// Reads the vertices, and computes their coordinates in space, right to a micrometer.
    ///
    /// Sines and cosines are those of one base vertex, rotated by the difference to the others, for which a few terms
    /// are enough. Eight vertices far from it start with a base of their own.
    func fill(from vertices: UnsafeBufferPointer<SIMD2<Double>>) {
      var base = Base(vertices[0])
      for first in stride(from: 0, to: count + 8, by: 8) {
        let eight = Chain.eight(of: vertices, from: first)
        let latitudes = eight.evenHalf, longitudes = eight.oddHalf
        var areNear = base.isNear(latitudes, longitudes)
        if !areNear {
          base = Base(SIMD2(latitudes[0], longitudes[0]))
          areNear = base.isNear(latitudes, longitudes)
        }
        let north = Turns((latitudes - base.vertex.x) * (.pi / 180), areSmall: areNear)
        let east = Turns((longitudes - base.vertex.y) * (.pi / 180), areSmall: areNear)
        let (latitude, cosine) = north.turn(base.latitude)
        let (eastSine, eastCosine) = east.turn(base.longitude)
        let squared = WGS84.eccentricitySquared
        let flattened: SIMD8<Double> = 1 - squared * (latitude * latitude)
        let normal = WGS84.equatorialRadius / flattened.squareRoot()
        set(.latitude, first, latitudes)
        set(.longitude, first, longitudes)
        set(.cosine, first, cosine)
        set(.x, first, normal * cosine * eastCosine)
        set(.y, first, normal * cosine * eastSine)
        set(.z, first, normal * latitude * (1 - squared))
      }
    }

    /// Eight vertices, with the last one repeated past the end.
    @inline(__always)
    private static func eight(
      of vertices: UnsafeBufferPointer<SIMD2<Double>>, from first: Int
    ) -> SIMD16<Double> {
      if first + 8 <= vertices.count, let start = vertices.baseAddress {
        return UnsafeRawPointer(start + first).loadUnaligned(as: SIMD16<Double>.self)
      }
      var eight = SIMD16<Double>()
      for lane in 0..<8 {
        let vertex = vertices[min(first + lane, vertices.count - 1)]
        (eight[2 * lane], eight[2 * lane + 1]) = (vertex.x, vertex.y)
      }
      return eight
    }
  }

  /// A base vertex from which others are rotated.
  private struct Base {
    /// The latitude and the unrolled longitude.
    let vertex: SIMD2<Double>
    let latitude, longitude: (sine: Double, cosine: Double)

    init(_ vertex: SIMD2<Double>) {
      self.vertex = vertex
      let phi = radians(vertex.x), lambda = radians(vertex.y)
      latitude = (sine(phi), cosine(phi))
      longitude = (sine(lambda), cosine(lambda))
    }

    /// The distance in degrees up to which a rotation needs no sine of its own.
    private static let near = 0.19 * 180 / Double.pi

    @inline(__always)
    func isNear(_ latitudes: SIMD8<Double>, _ longitudes: SIMD8<Double>) -> Bool {
      func isNear(_ degrees: SIMD8<Double>) -> Bool {
        all((degrees .< Base.near) .& (degrees .> -Base.near))
      }
      return isNear(latitudes - vertex.x) && isNear(longitudes - vertex.y)
    }
  }

  /// Sines and cosines of eight angles to be added to another.
  private struct Turns {
    private let sine, cosine: SIMD8<Double>

    /// - Parameters:
    ///   - angles: In radians.
    ///   - areSmall: Whether all are less than 0.2, below which the omitted terms are less than 10⁻¹⁵.
    @inline(__always)
    init(_ angles: SIMD8<Double>, areSmall: Bool) {
      guard areSmall else {
        var sines = SIMD8<Double>(), cosines = SIMD8<Double>()
        for lane in 0..<8 {
          sines[lane] = Geodesy.sine(angles[lane])
          cosines[lane] = Geodesy.cosine(angles[lane])
        }
        (sine, cosine) = (sines, cosines)
        return
      }
      let square = angles * angles
      var sines = 1 - square * (1.0 / 72), cosines = 1 - square * (1.0 / 90)
      sines = 1 - square * (1.0 / 42) * sines
      sines = 1 - square * (1.0 / 20) * sines
      sines = 1 - square * (1.0 / 6) * sines
      cosines = 1 - square * (1.0 / 56) * cosines
      cosines = 1 - square * (1.0 / 30) * cosines
      cosines = 1 - square * (1.0 / 12) * cosines
      cosines = 1 - square * 0.5 * cosines
      (sine, cosine) = (angles * sines, cosines)
    }

    /// The sines and cosines of an angle plus each of these.
    @inline(__always)
    func turn(
      _ angle: (sine: Double, cosine: Double)
    ) -> (sine: SIMD8<Double>, cosine: SIMD8<Double>) {
      let sines: SIMD8<Double> = angle.sine * cosine + angle.cosine * sine
      let cosines: SIMD8<Double> = angle.cosine * cosine - angle.sine * sine
      return (sines, cosines)
    }
  }
}
