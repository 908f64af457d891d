extension BoundingBox {
  /// The smallest box around positions, across the antimeridian if that is smaller; nil if there
  /// are none.
  ///
  ///     BoundingBox(around: [fiji, samoa])  // west 178, east −172
  ///
  /// It omits the widest gap between neighboring longitudes; of equal gaps the one across the
  /// antimeridian, so that the box does not cross it.
  ///
  /// - Complexity: O(*n* log *n*).
  public init?(around positions: some Sequence<Coordinate>) {
    var longitudes: [Double] = []
    var south = 90.0
    var north = -90.0
    for position in positions {
      longitudes.append(position.longitude)
      south = min(south, position.latitude)
      north = max(north, position.latitude)
    }
    longitudes.sort()
    self.init(around: longitudes.lazy.map { ($0, $0) }, south, north)
  }

  /// The smallest box around boxes; nil if there are none.
  ///
  /// - Complexity: O(*n* log *n*).
  package init?(around boxes: some Sequence<BoundingBox>) {
    var spans: [(west: Double, east: Double)] = []
    var south = 90.0
    var north = -90.0
    for box in boxes {
      if box.west <= box.east {
        spans.append((box.west, box.east))
      } else {
        spans += [(box.west, 180), (-180, box.east)]
      }
      south = min(south, box.south)
      north = max(north, box.north)
    }
    spans.sort { $0.west < $1.west }
    self.init(around: spans, south, north)
  }

  /// A box of degrees as planes have them, which may run on past ±180.
  ///
  /// - Parameter isWhole: Whether it goes all the way round.
  /// - Throws: `CoordinateError` for what is not on the Earth.
  package init(
    plane: (south: Double, west: Double, north: Double, east: Double), isWhole: Bool
  ) throws(CoordinateError) {
    try self.init(
      south: plane.south, west: isWhole ? -180 : Coordinate.wrappedLongitude(plane.west),
      north: plane.north, east: isWhole ? 180 : Coordinate.wrappedLongitude(plane.east))
  }

  /// The box around spans of longitude, which ascend by their western ends.
  init?(
    around spans: some Sequence<(west: Double, east: Double)>, _ south: Double, _ north: Double
  ) {
    var first: Double?
    var reach = 0.0
    var gap: (width: Double, west: Double, east: Double)?
    for span in spans {
      if first == nil {
        (first, reach) = (span.west, span.east)
        continue
      }
      if span.west - reach > gap?.width ?? 0 { gap = (span.west - reach, span.west, reach) }
      reach = max(reach, span.east)
    }
    guard let first else { return nil }
    var (west, east) = (first, reach)
    if let gap, gap.width > first + 360 - reach { (west, east) = (gap.west, gap.east) }
    // Positions write ±180 as −180; as an eastern edge, 180 is clearer.
    if west > east {
      if east == -180 { east = 180 }
      if west == 180 { west = -180 }
    }
    self.init(unchecked: south, west, north, east)
  }
}
