import Geodesy

extension [GroundShape] {
  /// The points, each alone, the lines and the rings of areas, for a map.
  ///
  /// A map joins positions by straight lines in its own plane, the shorter way round. Edges are straight in longitude
  /// and latitude, and may go all the way round, so they are divided: a piece leaves its edge by less than 10 m. If they
  /// would have millions of pieces, they cover the map, and the pieces are longer.
  package var outlines: [[Coordinate]] {
    var chains: [VertexChain] = []
    for shape in self {
      GroundShape(lines: shape.lines, area: shape.area).forEachChain { chains.append($0) }
    }
    let length = chains.reduce(0) { $0 + $1.lengthOfLongEdges }
    // Of two ways round, a piece must be the shorter.
    let piece = Swift.min(90, Swift.max(VertexChain.piece, length / VertexChain.mostPieces))
    return flatMap(\.points).map { [$0] } + chains.map { $0.positions(every: piece) }
  }
}

extension VertexChain {
  /// The longest piece of an edge, in degrees of longitude or latitude.
  fileprivate static let piece = 0.25
  /// How many pieces long edges are divided into, 16 bytes each.
  fileprivate static let mostPieces = 2_000_000.0

  /// The latitudes and unrolled longitudes of the vertices.
  private var places: [SIMD2<Double>] {
    [SIMD2<Double>](unsafeUninitializedCapacity: count) { buffer, filled in
      guard let start = buffer.baseAddress else { return }
      write(to: start)
      filled = count
    }
  }

  /// How long the edges of several pieces are together, in degrees.
  fileprivate var lengthOfLongEdges: Double {
    let places = places
    return zip(places, places.dropFirst()).reduce(0) { sum, edge in
      let length = (edge.1 - edge.0).greatest
      return length > VertexChain.piece ? sum + length : sum
    }
  }

  /// The vertices, and positions between those that are far apart.
  fileprivate func positions(every piece: Double) -> [Coordinate] {
    let places = places
    var positions: [Coordinate] = []
    positions.reserveCapacity(places.count)
    for (start, end) in zip(places, places.dropFirst()) {
      let step = end - start
      let pieces = max(1, (step.greatest / piece).rounded(.up))
      for number in 0..<Int(pieces) {
        positions.append(Coordinate(place: start + step * Double(number) / pieces))
      }
    }
    if let last = places.last { positions.append(Coordinate(place: last)) }
    return positions
  }
}

extension SIMD2<Double> {
  /// The greater of both absolute values.
  fileprivate var greatest: Double { Swift.max(abs(x), abs(y)) }
}

extension Coordinate {
  /// The position at a latitude and an unrolled longitude.
  fileprivate init(place: SIMD2<Double>) {
    self.init(unchecked: place.x, Coordinate.wrappedLongitude(place.y))
  }
}
