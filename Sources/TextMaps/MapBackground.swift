import Geodesy
import WorldOutlines

// What lies behind the markers of a map.

// MARK: Meridians and parallels

/// Meridians and parallels at round degrees, with labels on the frame.
struct Graticule {
  private let window: MapWindow
  private let style: TextMap.Style
  private let parallels: (step: DegreeStep, visible: ClosedRange<Double>)
  /// Degrees relative to the central meridian, so that the range continues across ±180.
  private let meridians: (step: DegreeStep, visible: ClosedRange<Double>)
  /// Whether the lines are rays and circles about a pole.
  private let hasPole: Bool

  /// The minimum number of rows between parallels, and of columns between meridians.
  private static let leastSpacing = (rows: 5.0, columns: 14.0)

  init(window: MapWindow, style: TextMap.Style) {
    self.window = window
    self.style = style
    let metersPerRow = window.metersPerColumn * 2
    let (latitudes, offsets, hasPole) = Graticule.visibleDegrees(of: window)
    self.hasPole = hasPole
    parallels = (
      .atLeast(Graticule.leastSpacing.rows * metersPerRow / SphereProjection.metersPerDegree),
      latitudes
    )
    let center = window.projection.center
    // On the plate carrée a degree of longitude is as wide as one of latitude everywhere.
    let shrink =
      window.projection.kind == .plateCarree ? 1 : max(cosine(radians(center.latitude)), 1e-9)
    let least = Graticule.leastSpacing.columns * window.metersPerColumn
    meridians = (
      hasPole ? .atLeast(45) : .atLeast(least / (SphereProjection.metersPerDegree * shrink)),
      (center.longitude + offsets.lowerBound)...(center.longitude + offsets.upperBound)
    )
  }

  /// The range of degrees that a window shows, slightly enlarged.
  private static func visibleDegrees(
    of window: MapWindow
  ) -> (latitudes: ClosedRange<Double>, offsets: ClosedRange<Double>, hasPole: Bool) {
    var (south, north, west, east) = (90.0, -90.0, 180.0, -180.0)
    let samples = 8
    for row in 0...samples {
      for column in 0...samples {
        let dot = DotPoint(
          x: Double(2 * window.columns * column) / Double(samples),
          y: Double(4 * window.rows * row) / Double(samples))
        guard let position = window.position(at: dot) else { continue }
        let offset = Coordinate.wrappedLongitude(
          position.longitude - window.projection.center.longitude)
        (south, north) = (min(south, position.latitude), max(north, position.latitude))
        (west, east) = (min(west, offset), max(east, offset))
      }
    }
    // Between the samples a curved line may reach a little farther.
    let spareLatitude = max(0, north - south) / 8, spareLongitude = max(0, east - west) / 8
    (south, north) = (max(south - spareLatitude, -90), min(north + spareLatitude, 90))
    (west, east) = (max(west - spareLongitude, -180), min(east + spareLongitude, 180))
    guard window.projection.kind == .azimuthalEquidistant else {
      // The corners of a world map lie outside the world.
      return (-90...90, -180...180, false)
    }
    var hasPole = false
    for pole in [Coordinate(unchecked: 90, 0), Coordinate(unchecked: -90, 0)]
    where window.cell(of: pole) != nil {
      hasPole = true
      (west, east) = (-180, 180)
      (south, north) = (min(south, pole.latitude), max(north, pole.latitude))
    }
    return (south...max(south, north), west...max(west, east), hasPole)
  }

  private var visibleParallels: Range<Int> { parallels.step.lines(in: parallels.visible) }
  private var visibleMeridians: Range<Int> { meridians.step.lines(in: meridians.visible) }

  private func position(latitude: Double, longitude: Double) -> Coordinate {
    Coordinate(unchecked: latitude, Coordinate.wrappedLongitude(longitude))
  }

  // MARK: Lines

  /// Draws the lines as rows of single dots.
  func draw(on canvas: inout DotCanvas) {
    for line in visibleParallels {
      let latitude = parallels.step.degrees(of: line)
      dot(along: meridians.visible, on: &canvas) {
        position(latitude: latitude, longitude: $0)
      }
    }
    for line in visibleMeridians {
      let longitude = meridians.step.degrees(of: line)
      dot(along: parallels.visible, on: &canvas) {
        position(latitude: $0, longitude: longitude)
      }
    }
  }

  private func dot(
    along range: ClosedRange<Double>, on canvas: inout DotCanvas,
    position: (Double) -> Coordinate
  ) {
    // Enough pieces for the most curved line, a small circle about a pole, to look round.
    let pieces = 32
    // Straight lines need fewer dots than curves.
    let pen = DotCanvas.Pen.dotted(every: hasPole ? 4 : 8)
    let positions = (0...pieces).map { piece in
      let share = Double(piece) / Double(pieces)
      return position(range.lowerBound + (range.upperBound - range.lowerBound) * share)
    }
    window.path(through: positions, on: &canvas, pen: pen)
  }

  /// Marks the crossings of the lines, for styles too coarse for lines.
  func drawCrosses(on canvas: inout MapCanvas) {
    for parallel in visibleParallels {
      for meridian in visibleMeridians {
        let crossing = position(
          latitude: parallels.step.degrees(of: parallel),
          longitude: meridians.step.degrees(of: meridian))
        if let cell = window.cell(of: crossing) {
          canvas[cell.column, cell.row] = ("+", .faint)
        }
      }
    }
  }

  // MARK: Labels

  /// Writes the degrees where lines reach the frame: meridians above, parallels at the left.
  ///
  /// A label is omitted if it would cover something on the map or the label before it.
  func drawLabels(on canvas: inout MapCanvas) {
    // A world map may be empty at its edge; its lines are straight, so its middle has the same degrees.
    func position(_ edge: DotPoint, _ middle: DotPoint) -> Coordinate? {
      window.position(at: edge) ?? window.position(at: middle)
    }
    let top = (0..<window.columns).map { column in
      let x = Double(2 * column + 1)
      return position(DotPoint(x: x, y: 0), DotPoint(x: x, y: Double(2 * window.rows)))?.longitude
    }
    let left = (0..<window.rows).map { row in
      let y = Double(4 * row + 2)
      return position(DotPoint(x: 0, y: y), DotPoint(x: Double(window.columns), y: y))?.latitude
    }
    var free = 1
    for crossing in crossings(top, meridians.step) {
      let label = meridians.step.longitudeLabel(of: crossing.line, style: style)
      let width = label.unicodeScalars.count
      let column = crossing.place - (width - 1) / 2
      guard column >= free, column + width < window.columns else { continue }
      canvas.write(label, .faint, column: column, row: -1)
      free = column + width + 2
    }
    for crossing in crossings(left, parallels.step) {
      let label = parallels.step.latitudeLabel(of: crossing.line, style: style)
      // One column more than the label needs, so that no number touches it.
      let width = label.unicodeScalars.count
      guard canvas.isBackground(row: crossing.place, columns: 0..<width) else { continue }
      canvas.write(label, .faint, column: -1, row: crossing.place)
    }
  }

  /// Where the lines of a step pass between the cells of one edge, by the degrees in the middle of each.
  private func crossings(
    _ degrees: [Double?], _ step: DegreeStep
  ) -> [(line: Int, place: Int)] {
    var found: [(line: Int, place: Int)] = []
    var previous: Double?
    for (place, here) in degrees.enumerated() {
      guard let here else {
        previous = nil
        continue
      }
      if let before = previous {
        // By the shorter way, so that ±180 is crossed like any other meridian.
        let turned = Coordinate.wrappedLongitude(here - before)
        let range = min(before, before + turned)...max(before, before + turned)
        for line in step.lines(in: range) where found.last?.line != line {
          let isNearerToPrevious =
            abs(step.degrees(of: line) - before) < abs(turned) / 2
          found.append((line, isNearerToPrevious ? place - 1 : place))
        }
      }
      previous = here
    }
    return found
  }
}

/// A round distance between the lines of a graticule, stored as an integer to avoid rounding.
struct DegreeStep: Hashable, Sendable {
  /// The step in units of 10 to the power of −`decimals` degrees.
  let units: Int
  /// The number of decimals needed to distinguish neighboring lines.
  let decimals: Int

  /// All steps, finest first: 1, 2 and 5 of each decimal place, then divisors of a right angle.
  private static let all: [DegreeStep] =
    (1...5).reversed().flatMap { decimals in
      [1, 2, 5].map { DegreeStep(units: $0, decimals: decimals) }
    } + [1, 2, 5, 10, 15, 30, 45, 90].map { DegreeStep(units: $0, decimals: 0) }

  /// The finest step of at least `degrees`; 90° if there is none.
  static func atLeast(_ degrees: Double) -> DegreeStep {
    all.first { $0.degrees(of: 1) >= degrees } ?? DegreeStep(units: 90, decimals: 0)
  }

  private var unitsPerDegree: Int { (0..<decimals).reduce(1) { power, _ in power * 10 } }

  /// The degrees of a numbered line; line 0 is the equator or the meridian of Greenwich.
  func degrees(of line: Int) -> Double { Double(line * units) / Double(unitsPerDegree) }

  /// The numbers of the lines in a range of degrees, both ends included.
  func lines(in range: ClosedRange<Double>) -> Range<Int> {
    let step = degrees(of: 1)
    let first = Int((range.lowerBound / step).rounded(.up))
    let last = Int((range.upperBound / step).rounded(.down))
    return first..<max(first, last + 1)
  }

  /// The label of a parallel: `37.57°N`; without the degree sign in 7-bit text.
  func latitudeLabel(of line: Int, style: TextMap.Style) -> String {
    label(units: line * units, positive: "N", negative: "S", style: style)
  }

  /// The label of a meridian, −180…180 whatever line the count starts from: `126.98°E`, `180°`.
  func longitudeLabel(of line: Int, style: TextMap.Style) -> String {
    let turn = 360 * unitsPerDegree
    var east = line * units % turn
    if east > turn / 2 { east -= turn }
    if east < -turn / 2 { east += turn }
    return abs(east) == turn / 2
      ? (style == .ascii ? "180" : "180°")
      : label(units: east, positive: "E", negative: "W", style: style)
  }

  private func label(
    units: Int, positive: String, negative: String, style: TextMap.Style
  ) -> String {
    var text = fixedDecimal(Double(abs(units)) / Double(unitsPerDegree), decimals: decimals)
    if style != .ascii { text += "°" }
    return units == 0 ? text : text + (units > 0 ? positive : negative)
  }
}

// MARK: - Coasts and borders

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
