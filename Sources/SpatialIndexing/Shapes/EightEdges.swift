import Geodesy

/// Eight edges in space.
struct EightEdges {
  /// How many there are; the others are the last once more.
  let count: Int
  /// The ends, in meters.
  let start, end: EightPlaces
  /// How far each bends away from its chord at most, in meters: `EdgePiece.sag`, or hardly more.
  let sag: SIMD8<Double>

  /// Eight places in space, in meters.
  struct EightPlaces {
    var x = SIMD8<Double>(), y = SIMD8<Double>(), z = SIMD8<Double>()
  }

  /// - Parameter first: The vertex where they begin.
  @inline(__always)
  private init(_ chain: Chain, _ first: Int) {
    count = min(8, chain.count - 1 - first)
    func places(_ first: Int) -> EightPlaces {
      EightPlaces(x: chain.eight(.x, first), y: chain.eight(.y, first), z: chain.eight(.z, first))
    }
    (start, end) = (places(first), places(first + 1))
    func differences(_ column: Chain.Column) -> SIMD8<Double> {
      let difference = chain.eight(column, first + 1) - chain.eight(column, first)
      return difference.replacing(with: -difference, where: difference .< 0) * (.pi / 180)
    }
    let north = differences(.latitude), east = differences(.longitude)
    let before = chain.eight(.cosine, first), after = chain.eight(.cosine, first + 1)
    var widest = before.replacing(with: after, where: before .< after)
    let sides = chain.eight(.latitude, first) * chain.eight(.latitude, first + 1)
    widest.replace(with: 1, where: sides .<= 0)
    // The cosines are right to 10⁻¹³, with which an edge bends by less than a micrometer.
    let squares: SIMD8<Double> = north * north + 2 * north * east + widest * east * east
    sag = squares * (EdgePiece.radius / 8) + 10 * EdgePiece.rounding
  }

  /// Calls `body` with the edges of a chain, by eights, and the vertex where each eight begins.
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

  /// Vertices in space, a column for each number, the last vertex sixteen times more.
  private struct Chain {
    let count: Int
    let numbers: UnsafeMutablePointer<Double>
    /// That of each column.
    let length: Int

    enum Column: Int { case latitude, longitude, cosine, x, y, z }

    @inline(__always)
    func eight(_ column: Column, _ first: Int) -> SIMD8<Double> {
      UnsafeRawPointer(numbers + column.rawValue * length + first)
        .loadUnaligned(as: SIMD8<Double>.self)
    }

    @inline(__always)
    private func set(_ column: Column, _ first: Int, _ eight: SIMD8<Double>) {
      UnsafeMutableRawPointer(numbers + column.rawValue * length + first)
        .storeBytes(of: eight, as: SIMD8<Double>.self)
    }

    /// Sines and cosines are those of one vertex in eight, turned by the way from there to the others, for which a
    /// few terms are enough: places are right to a micrometer.
    func fill(from vertices: UnsafeBufferPointer<SIMD2<Double>>) {
      let last = count - 1
      for first in stride(from: 0, to: count + 8, by: 8) {
        func vertex(_ lane: Int) -> SIMD2<Double> { vertices[min(first + lane, last)] }
        let (a, b, c, d) = (vertex(0), vertex(1), vertex(2), vertex(3))
        let (e, f, g, h) = (vertex(4), vertex(5), vertex(6), vertex(7))
        let latitudes = SIMD8(a.x, b.x, c.x, d.x, e.x, f.x, g.x, h.x)
        let longitudes = SIMD8(a.y, b.y, c.y, d.y, e.y, f.y, g.y, h.y)
        let phi = radians(a.x), lambda = radians(a.y)
        let north = Turns((latitudes - a.x) * (.pi / 180))
        let east = Turns((longitudes - a.y) * (.pi / 180))
        let (latitude, cosine) = north.turn(sine: sine(phi), cosine: Geodesy.cosine(phi))
        let (eastSine, eastCosine) = east.turn(sine: sine(lambda), cosine: Geodesy.cosine(lambda))
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
  }

  /// Sines and cosines of eight angles that are added to another.
  private struct Turns {
    private let sine, cosine: SIMD8<Double>

    /// - Parameter angles: In radians.
    @inline(__always)
    init(_ angles: SIMD8<Double>) {
      // To 0.2 the terms that are left out are less than 10⁻¹⁵.
      guard all(angles .< 0.2) && all(angles .> -0.2) else {
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

    /// The sines and cosines of the angle with these turns added.
    @inline(__always)
    func turn(sine: Double, cosine: Double) -> (sine: SIMD8<Double>, cosine: SIMD8<Double>) {
      let sines: SIMD8<Double> = sine * self.cosine + cosine * self.sine
      let cosines: SIMD8<Double> = cosine * self.cosine - sine * self.sine
      return (sines, cosines)
    }
  }
}
