import Geodesy

/// A coast that comes with this library, kept as text until a map needs it.
struct BuiltInOutline: Sendable {
  /// The edges of the box about it, in hundredths of a degree.
  let south, west, north, east: Int
  /// Latitude and longitude in hundredths of a degree, `3338,12694`, with blanks between.
  ///
  /// Text in the program's constant data costs nothing until it is read.
  private let hundredths: StaticString

  init(south: Int, west: Int, north: Int, east: Int, _ hundredths: StaticString) {
    self.south = south
    self.west = west
    self.north = north
    self.east = east
    self.hundredths = hundredths
  }

  /// The finest map the lines are good for: they may be some 3 km off the coast.
  static let leastMetersPerColumn = 1_000.0

  /// The positions, in order.
  ///
  /// - Complexity: O(*n*), some 10 ns a position.
  var positions: [Coordinate] {
    var numbers: [Int] = []
    var number = 0
    hundredths.withUTF8Buffer { bytes in
      for byte in bytes {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
          number = number * 10 + Int(byte - UInt8(ascii: "0"))
        default:
          numbers.append(number)
          number = 0
        }
      }
    }
    numbers.append(number)
    return stride(from: 0, to: numbers.count - 1, by: 2).map { index in
      Coordinate(unchecked: Double(numbers[index]) / 100, Double(numbers[index + 1]) / 100)
    }
  }

  /// Whether the outline may be seen in a window; true for a few near it too.
  ///
  /// Two circles are compared, about the box and about the window, which holds anywhere on Earth.
  func isNear(_ window: MapWindow) -> Bool {
    guard let center = window.projection.unproject(window.middle) else { return true }
    let middle = Coordinate(
      unchecked: Double(south + north) / 200, Double(west + east) / 200)
    let corner = Coordinate(
      unchecked: Double(min(abs(south), abs(north))) / 100, Double(west) / 100)
    // The corner nearer to the equator is the farther one from the middle.
    let radius = middle.greatCircleDistance(to: corner).meters
    return center.greatCircleDistance(to: middle).meters <= radius + window.reach
  }
}

extension Basemap {
  /// Draws what lies in a window.
  func draw(on canvas: inout DotCanvas, in window: MapWindow) {
    for outline in outlines {
      draw(outline.positions, on: &canvas, in: window)
    }
    guard includesBuiltIn, window.metersPerColumn >= BuiltInOutline.leastMetersPerColumn
    else { return }
    for country in [BuiltInOutline.japan, BuiltInOutline.korea] {
      for outline in country where window.projection.kind == .plateCarree || outline.isNear(window)
      {
        draw(outline.positions, on: &canvas, in: window)
      }
    }
  }

  private func draw(
    _ positions: [Coordinate], on canvas: inout DotCanvas, in window: MapWindow
  ) {
    var previous: (position: Coordinate, point: PlanePoint)?
    for position in positions {
      let point = window.projection.project(position)
      if let previous, !Basemap.isCut(from: previous.position, to: position) {
        window.line(from: previous.point, to: point, on: &canvas, pen: .solid)
      }
      previous = (position, point)
    }
  }

  /// Whether an edge is no coast but the cut that formats make at ±180° and at the poles.
  private static func isCut(from start: Coordinate, to end: Coordinate) -> Bool {
    (start.longitude == -180 && end.longitude == -180)
      || (start.isPole && start.latitude == end.latitude)
  }
}

extension MapWindow {
  /// Draws a line between two points of the plane, the short way round the Earth.
  func line(
    from start: PlanePoint, to end: PlanePoint, on canvas: inout DotCanvas,
    pen: DotCanvas.Pen
  ) {
    switch projection.kind {
    case .azimuthalEquidistant:
      // Near the antipode a short line may be drawn across the whole plane; no window is there.
      let edge = 150 * MapProjection.metersPerDegree
      if hypotenuse(start.x, start.y) > edge || hypotenuse(end.x, end.y) > edge { return }
      canvas.line(from: dot(of: start), to: dot(of: end), pen: pen)
    case .plateCarree:
      let turn = 360 * MapProjection.metersPerDegree
      guard abs(end.x - start.x) > turn / 2 else {
        canvas.line(from: dot(of: start), to: dot(of: end), pen: pen)
        return
      }
      // Over the edge of the world: out at one side and in at the other.
      let shift = PlanePoint(x: end.x > start.x ? turn : -turn, y: 0)
      canvas.line(from: dot(of: start), to: dot(of: end - shift), pen: pen)
      canvas.line(from: dot(of: start + shift), to: dot(of: end), pen: pen)
    }
  }
}
