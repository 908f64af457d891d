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
