import Geodesy

extension GroundShape {
  /// The points, each alone, the lines and the rings of areas, for a map.
  ///
  /// A map joins positions by straight lines in its own plane, the shorter way round. Edges are straight in longitude
  /// and latitude, and may go all the way round, so they are divided: a piece leaves its edge by less than 10 m.
  package var outlines: [[Coordinate]] {
    var outlines = points.map { [$0] }
    GroundShape(lines: lines, area: area).forEachChain { outlines.append($0.dividedPositions) }
    return outlines
  }
}

extension VertexChain {
  /// The longest piece of an edge, in degrees of longitude or latitude.
  private static let longestPiece = 0.25

  /// The vertices, and positions between those that are far apart.
  fileprivate var dividedPositions: [Coordinate] {
    let vertices = [SIMD2<Double>](unsafeUninitializedCapacity: count) { buffer, filled in
      guard let start = buffer.baseAddress else { return }
      write(to: start)
      filled = count
    }
    var positions: [Coordinate] = []
    positions.reserveCapacity(vertices.count)
    for (start, end) in zip(vertices, vertices.dropFirst()) {
      let step = end - start
      let pieces = max(
        1, (max(abs(step.x), abs(step.y)) / VertexChain.longestPiece).rounded(.up))
      for piece in 0..<Int(pieces) {
        positions.append(Coordinate(place: start + step * Double(piece) / pieces))
      }
    }
    if let last = vertices.last { positions.append(Coordinate(place: last)) }
    return positions
  }
}

extension Coordinate {
  /// The position at a latitude and an unrolled longitude.
  fileprivate init(place: SIMD2<Double>) {
    self.init(unchecked: place.x, Coordinate.wrappedLongitude(place.y))
  }
}
