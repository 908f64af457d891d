import Geodesy

/// The rectangle of the plane that a map shows, and its scale.
struct MapWindow: Sendable {
  let projection: SphereProjection
  /// The middle of the window on the plane.
  let middle: PlanePoint
  /// The size in text cells.
  let columns: Int
  let rows: Int
  /// The meters in a column; a row is two columns high, a dot half a column wide and high.
  let metersPerColumn: Double
  /// The scale bar that fixes the scale.
  let scaleBar: ScaleBar

  /// Half the width and the height of the window, in meters.
  var halfWidth: Double { metersPerColumn * Double(columns) / 2 }
  var halfHeight: Double { metersPerColumn * Double(rows) }
  /// The meters from the middle of the window to its corners.
  var reach: Double { hypotenuse(halfWidth, halfHeight) }

  /// The point of a position, in dots from the top left corner.
  func dot(of position: Coordinate) -> DotPoint { dot(of: projection.project(position)) }

  func dot(of point: PlanePoint) -> DotPoint {
    let dotsPerMeter = 2 / metersPerColumn
    return DotPoint(
      x: (point.x - middle.x) * dotsPerMeter + Double(columns),
      y: (middle.y - point.y) * dotsPerMeter + Double(rows * 2))
  }

  /// The position at a point in dots; nil if the point is not on the Earth.
  func position(at dot: DotPoint) -> Coordinate? {
    let metersPerDot = metersPerColumn / 2
    return projection.unproject(
      PlanePoint(
        x: middle.x + (dot.x - Double(columns)) * metersPerDot,
        y: middle.y - (dot.y - Double(rows * 2)) * metersPerDot))
  }

  /// The cell of a position; nil outside the window.
  func cell(of position: Coordinate) -> (column: Int, row: Int)? {
    let dot = dot(of: position)
    // The edges are included, as for a viewport; rounding may put their positions beyond them.
    let slack = 1e-6
    guard dot.x >= -slack, dot.y >= -slack, dot.x <= Double(columns * 2) + slack,
      dot.y <= Double(rows * 4) + slack
    else { return nil }
    return (min(Int(dot.x / 2), columns - 1), min(Int(dot.y / 4), rows - 1))
  }
}

extension MapWindow {
  /// The smallest extent of a map's content in meters: a single position has no extent to set a
  /// scale.
  private static let leastExtent = 200.0
  /// The farthest distance from the middle of an azimuthal map, in meters: 60° of a great circle.
  private static let azimuthalReach = 60 * SphereProjection.metersPerDegree

  /// The smallest window that contains some positions, with a margin.
  ///
  /// - Parameters:
  ///   - positions: The positions to show; if empty, the window shows the world.
  ///   - viewport: The box whose outline the positions are; nil if they are not an outline.
  ///   - margin: Columns, and half as many rows, to keep free at each side.
  init(
    holding positions: [Coordinate], viewport: BoundingBox? = nil, margin: Int, columns: Int,
    rows: Int
  ) {
    if let middle = MapWindow.middle(of: positions) {
      // Twice: about the mean first, then about the middle of that map, because distances are
      // correct only from the projection's center.
      let first = SphereProjection(.azimuthalEquidistant, center: middle)
      let extent = Extent(of: positions, in: first)
      if extent.reach <= MapWindow.azimuthalReach,
        let center = first.unproject(extent.middle)
      {
        let projection = SphereProjection(.azimuthalEquidistant, center: center)
        self.init(
          projection, Extent(of: positions, in: projection),
          margin: margin, columns: columns, rows: rows)
        if reach <= MapWindow.azimuthalReach { return }
      }
    }
    let box = viewport ?? MapWindow.box(around: positions)
    let center = Coordinate(unchecked: 0, Coordinate.wrappedLongitude(box.west + box.width / 2))
    let projection = SphereProjection(.plateCarree, center: center)
    // An outline has 180° as −180°, so its positions do not reach the east of a box round the Earth.
    let extent =
      viewport != nil || positions.isEmpty
      ? Extent(of: box) : Extent(of: positions, in: projection)
    self.init(projection, extent, margin: margin, columns: columns, rows: rows)
  }

  private init(
    _ projection: SphereProjection, _ extent: Extent, margin: Int, columns: Int, rows: Int
  ) {
    let width = max(extent.width, MapWindow.leastExtent)
    let roomAcross = Double(max(columns - 2 * margin, 1))
    let roomDown = Double(max(rows - margin, 1))
    let least = max(width / roomAcross, extent.height / (2 * roomDown))
    scaleBar = ScaleBar(metersPerColumn: least, columns: columns)
    // Slightly coarser than needed, so that the bar fills whole columns.
    metersPerColumn = scaleBar.metersPerColumn
    var middle = extent.middle
    if projection.kind == .plateCarree {
      // No empty strip beyond one pole while part of the Earth is cut off at the other.
      let slack = max(0, 90 * SphereProjection.metersPerDegree - metersPerColumn * Double(rows))
      middle.y = min(max(middle.y, -slack), slack)
    }
    self.projection = projection
    self.middle = middle
    self.columns = columns
    self.rows = rows
  }

  /// The mean direction of some positions; nil if there is none.
  private static func middle(of positions: [Coordinate]) -> Coordinate? {
    var x = 0.0, y = 0.0, z = 0.0
    for position in positions {
      let latitude = radians(position.latitude), longitude = radians(position.longitude)
      x += cosine(latitude) * cosine(longitude)
      y += cosine(latitude) * sine(longitude)
      z += sine(latitude)
    }
    let across = hypotenuse(x, y)
    // Positions all around the Earth have no middle.
    guard hypotenuse(across, z) > 1e-3 * Double(positions.count) else { return nil }
    return Coordinate(
      unchecked: degrees(arcTangent(y: z, x: across)), degrees(arcTangent(y: y, x: x)))
  }

  /// The smallest box, which omits the widest gap between longitudes.
  private static func box(around positions: [Coordinate]) -> BoundingBox {
    // For positions all around the Earth, use the usual world map.
    guard let box = BoundingBox(around: positions), box.width <= 340 else { return .world }
    return box
  }
}

/// The axis-parallel bounding rectangle of some points of the plane, in meters.
private struct Extent {
  var west, south, east, north: Double

  var width: Double { east - west }
  var height: Double { north - south }
  var reach: Double { hypotenuse(width, height) / 2 }
  var middle: PlanePoint { PlanePoint(x: (west + east) / 2, y: (south + north) / 2) }
}

extension Extent {
  /// The extent of a box on the plate carrée about its middle meridian.
  init(of box: BoundingBox) {
    east = box.width / 2 * SphereProjection.metersPerDegree
    west = -east
    south = box.south * SphereProjection.metersPerDegree
    north = box.north * SphereProjection.metersPerDegree
  }

  /// - Precondition: `positions` is not empty.
  init(of positions: [Coordinate], in projection: SphereProjection) {
    precondition(!positions.isEmpty, "no positions have no extent")
    (west, south, east, north) = (.infinity, .infinity, -.infinity, -.infinity)
    for position in positions {
      let point = projection.project(position)
      (west, east) = (min(west, point.x), max(east, point.x))
      (south, north) = (min(south, point.y), max(north, point.y))
    }
  }
}

/// A round length and the exact number of columns it fills.
struct ScaleBar: Hashable, Sendable {
  /// The length, 1, 2 or 5 times a power of ten.
  let meters: Double
  /// Columns from the middle of one end to the middle of the other.
  let columns: Int

  /// The meters in a column.
  var metersPerColumn: Double { meters / Double(columns) }

  /// The longest round length within a third of a map.
  ///
  /// It fills whole columns; for that the map becomes coarser by at most one part in the bar's
  /// columns.
  init(metersPerColumn least: Double, columns mapColumns: Int) {
    // No distance exceeds half the Earth's circumference.
    let room = min(max(Double(mapColumns) / 3, 2) * least, 20_000_000)
    var decade = 1.0
    while decade * 10 <= room { decade *= 10 }
    let leading = [5.0, 2.0].first { $0 * decade <= room } ?? 1
    meters = leading * decade
    columns = max(1, Int(meters / least))
  }

  /// The length as text: `500 m`, `2 km`.
  var label: String {
    meters < 1_000 ? "\(Int(meters)) m" : "\(Int(meters / 1_000)) km"
  }
}

/// A point of the map's plane, in meters: x toward the east of the map, y toward its north.
struct PlanePoint: Hashable, Sendable {
  var x: Double
  var y: Double
}

/// The projection of the mean sphere to the plane and back.
///
/// The sphere differs from the ellipsoid by up to 0.56 %, which is a third of a column on a map of
/// 64 columns.
///
/// Source: J. P. Snyder, "Map Projections: A Working Manual", USGS Professional Paper 1395, 1987,
/// chapters 12 and 25.
struct SphereProjection: Sendable {
  enum Kind: Sendable {
    /// Directions and distances from the center are correct; for areas up to a continent.
    case azimuthalEquidistant
    /// Latitude and longitude as plane coordinates; for the world.
    case plateCarree
  }

  static let radius = WGS84.meanRadius
  /// The meters in a degree of a great circle.
  static let metersPerDegree = radius * .pi / 180

  let kind: Kind
  let center: Coordinate
  private let sineOfLatitude: Double
  private let cosineOfLatitude: Double

  init(_ kind: Kind, center: Coordinate) {
    self.kind = kind
    self.center = center
    sineOfLatitude = sine(radians(center.latitude))
    cosineOfLatitude = cosine(radians(center.latitude))
  }

  func project(_ position: Coordinate) -> PlanePoint {
    let east = Coordinate.wrappedLongitude(position.longitude - center.longitude)
    guard kind == .azimuthalEquidistant else {
      return PlanePoint(
        x: east * Self.metersPerDegree,
        y: (position.latitude - center.latitude) * Self.metersPerDegree)
    }
    let latitude = radians(position.latitude), longitude = radians(east)
    let sineLatitude = sine(latitude), cosineLatitude = cosine(latitude)
    let cosineLongitude = cosine(longitude)
    // The unit vector toward the position, rotated so that z points at the center of the map.
    let x = cosineLatitude * sine(longitude)
    let y = cosineOfLatitude * sineLatitude - sineOfLatitude * cosineLatitude * cosineLongitude
    let z = sineOfLatitude * sineLatitude + cosineOfLatitude * cosineLatitude * cosineLongitude
    let horizontal = hypotenuse(x, y)
    guard horizontal > 0 else {
      // The center, or its antipode, which is a circle in this plane and is placed at its north.
      return PlanePoint(x: 0, y: z > 0 ? 0 : .pi * Self.radius)
    }
    let scale = Self.radius * arcTangent(y: horizontal, x: z) / horizontal
    return PlanePoint(x: x * scale, y: y * scale)
  }

  /// The position of a point; nil if the point is not on the Earth.
  func unproject(_ point: PlanePoint) -> Coordinate? {
    switch kind {
    case .plateCarree:
      let east = point.x / Self.metersPerDegree
      let latitude = center.latitude + point.y / Self.metersPerDegree
      guard abs(east) <= 180, abs(latitude) <= 90 else { return nil }
      return Coordinate(
        unchecked: latitude, Coordinate.wrappedLongitude(center.longitude + east))
    case .azimuthalEquidistant:
      let distance = hypotenuse(point.x, point.y)
      guard distance > 0 else { return center }
      let angle = distance / Self.radius
      guard angle <= .pi else { return nil }
      let sineAngle = sine(angle), cosineAngle = cosine(angle)
      let latitude = arcSine(
        min(
          max(
            cosineAngle * sineOfLatitude + point.y / distance * sineAngle * cosineOfLatitude, -1),
          1))
      let east = arcTangent(
        y: point.x / distance * sineAngle,
        x: cosineOfLatitude * cosineAngle - point.y / distance * sineOfLatitude * sineAngle)
      return Coordinate(
        unchecked: degrees(latitude),
        Coordinate.wrappedLongitude(center.longitude + degrees(east)))
    }
  }
}
