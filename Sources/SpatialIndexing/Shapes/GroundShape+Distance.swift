import Geodesy

extension GroundShape {
  /// The place of the shape that is nearest to an origin, and how far it is on WGS 84; the origin itself and 0 inside
  /// of an area, nil for a shape that is nowhere.
  ///
  /// To the last bit what ``ShapeIndex`` finds, which asks many shapes in far less time.
  ///
  /// - Complexity: O(*n*) in the vertices: all edges are cut into pieces first, some 0.1 µs each.
  public func nearest(to origin: Coordinate) -> (point: Coordinate, distance: Distance)? {
    if area.contains(origin) { return (origin, .zero) }
    var pieces: [EdgePiece] = []
    forEachEdge { start, end in EdgePiece.append(from: start, to: end, to: &pieces) }
    let place = ECEFPosition(origin)
    let line = LineOrigin(origin)
    let chords = pieces.map { $0.chordDistance(to: place) }
    let least = zip(pieces, chords).reduce(Double.infinity) { min($0, $1.1 + $1.0.sag) }
    // No line on the ground is shorter than the straight one.
    let reach = ChordBracket.geodesics(chord: least).longest
    var best: (point: Coordinate, distance: Double)?
    for (piece, chord) in zip(pieces, chords) where chord - piece.sag <= reach {
      let nearest = piece.nearest(from: line, at: place)
      if nearest.distance < best?.distance ?? .infinity {
        best = (piece.position(at: nearest.fraction), nearest.distance)
      }
    }
    return best.map { ($0.point, .meters($0.distance)) }
  }
}
