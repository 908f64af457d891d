import Geodesy
import WorldOutlines

/// The coasts and borders drawn faintly behind a map's markers.
public struct Basemap: Sendable {
  /// Lines from the caller.
  let outlines: [[Coordinate]]
  /// Whether the built-in coasts are drawn too.
  let includesBuiltIn: Bool

  /// Makes a basemap of the caller's lines, from a GeoJSON file for example.
  ///
  /// - Parameter outlines: Coasts, borders or streets, each through its positions in order; a closed ring repeats its
  ///   first position at the end, as in GeoJSON.
  public init(_ outlines: [[Coordinate]]) {
    self.outlines = outlines
    includesBuiltIn = false
  }

  private init(includesBuiltIn: Bool) {
    outlines = []
    self.includesBuiltIn = includesBuiltIn
  }

  /// Nothing behind the markers.
  public static let none = Basemap([])

  /// The coasts and borders of the world, from Natural Earth.
  ///
  /// They are accurate to about 600 m, so maps with less than 300 m to a column omit them.
  public static let world = Basemap(includesBuiltIn: true)
}

extension Basemap {
  /// Draws the lines inside a window.
  func draw(on canvas: inout DotCanvas, in window: MapWindow) {
    for outline in outlines {
      window.path(through: outline, on: &canvas, pen: .solid, isDrawn: Basemap.isCoast)
    }
    guard includesBuiltIn, window.metersPerColumn >= Basemap.leastMetersPerColumn else { return }
    let detail: WorldOutlines.Detail =
      window.metersPerColumn < 4_000 ? .fine : window.metersPerColumn < 20_000 ? .middle : .coarse
    for arc in WorldOutlines.shared.arcs
    // On a world map, borders would hide the coasts.
    where !(arc.isBorder && window.metersPerColumn > 40_000)
      && (window.projection.kind == .plateCarree || window.mayShow(arc.box))
    {
      window.path(
        through: arc.positions(detail), on: &canvas, pen: .solid, isDrawn: Basemap.isCoast)
    }
  }

  /// The finest map for the built-in lines, which may be about 600 m off.
  static let leastMetersPerColumn = 300.0

  /// Whether an edge is a coast, and not a cut at ±180° or at the poles.
  private static func isCoast(from start: Coordinate, to end: Coordinate) -> Bool {
    let isCut =
      (abs(start.longitude) == 180 && abs(end.longitude) == 180)
      || (start.isPole && start.latitude == end.latitude)
      // The edge of Mercator's plane.
      || (start.latitude < -85.05 && end.latitude < -85.05)
    return !isCut
  }
}

extension MapWindow {
  /// Whether a box may be visible in the window; also true for some boxes near it.
  ///
  /// It compares circles about the box and about the window, which is valid anywhere on Earth.
  func mayShow(_ box: WorldOutlines.Box) -> Bool {
    guard let center = projection.unproject(middle) else { return true }
    let place = box.middle
    return center.greatCircleDistance(to: place).meters <= box.reach.meters + reach
  }

  /// Draws the lines from each position to the next.
  func path(
    through positions: [Coordinate], on canvas: inout DotCanvas, pen: DotCanvas.Pen,
    isDrawn: (Coordinate, Coordinate) -> Bool = { _, _ in true }
  ) {
    let points = positions.map(projection.project)
    for next in points.indices.dropFirst() where isDrawn(positions[next - 1], positions[next]) {
      line(from: points[next - 1], to: points[next], on: &canvas, pen: pen)
    }
  }

  /// Draws a line between two points of the plane, by the shorter way round the Earth.
  func line(
    from start: PlanePoint, to end: PlanePoint, on canvas: inout DotCanvas,
    pen: DotCanvas.Pen
  ) {
    switch projection.kind {
    case .azimuthalEquidistant:
      // Near the antipode a short line might be drawn across the whole plane; no window is there.
      let edge = 150 * SphereProjection.metersPerDegree
      if hypotenuse(start.x, start.y) > edge || hypotenuse(end.x, end.y) > edge { return }
      canvas.line(from: dot(of: start), to: dot(of: end), pen: pen)
    case .plateCarree:
      let turn = 360 * SphereProjection.metersPerDegree
      guard abs(end.x - start.x) > turn / 2 else {
        canvas.line(from: dot(of: start), to: dot(of: end), pen: pen)
        return
      }
      // Across the edge of the world: out at one side and in at the other.
      let shift = end.x > start.x ? turn : -turn
      let out = PlanePoint(x: end.x - shift, y: end.y)
      canvas.line(from: dot(of: start), to: dot(of: out), pen: pen)
      let into = PlanePoint(x: start.x + shift, y: start.y)
      canvas.line(from: dot(of: into), to: dot(of: end), pen: pen)
    }
  }
}
