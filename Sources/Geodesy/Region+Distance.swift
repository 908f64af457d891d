extension Region {
  /// The distance on WGS 84 from a position to the nearest position of the region.
  ///
  /// - Returns: 0 inside and on the border; infinity for an empty region. Accurate to a meter, and
  ///   much better near the region.
  /// - Complexity: Tens of microseconds for each box that may be the nearest, a microsecond for
  ///   each edge of a polygon. For messages, not for searching.
  public func distance(to position: Coordinate) -> Distance {
    var least = Distance.infinity
    for box in boxes where box.leastDistance(from: position) < least {
      least = min(least, box.geodesicDistance(to: position))
    }
    for polygon in polygons where polygon.boundingBox.leastDistance(from: position) < least {
      least = min(least, polygon.geodesicDistance(to: position))
    }
    return least
  }
}

extension BoundingBox {
  /// The distance on WGS 84 from a position to the nearest position of the box; 0 inside.
  ///
  /// At any one latitude the distance grows with the difference of longitude. So the nearest
  /// position is straight north or south if the box spans the position's meridian, and otherwise on
  /// the closer of its two meridians.
  func geodesicDistance(to position: Coordinate) -> Distance {
    if contains(position) { return .zero }
    let gap = longitudeGap(to: position.longitude)
    guard gap > 0 else {
      let nearest = min(max(position.latitude, south), north)
      return Distance.meters(
        Geodesic.distance(
          latitude1: position.latitude, longitude1: 0, latitude2: nearest, longitude2: 0))
    }
    let meridian = StraightEdge(
      start: (latitude: south, longitude: gap), end: (latitude: north, longitude: gap))
    return .meters(meridian.distance(fromLatitude: position.latitude, longitude: 0))
  }
}

extension Polygon {
  /// The distance on WGS 84 from a position to the nearest position of the polygon; 0 inside.
  func geodesicDistance(to position: Coordinate) -> Distance {
    if contains(position) { return .zero }
    var least = Double.infinity
    for ring in [outer] + holes {
      ring.forEachEdge { start, end in
        let edge = StraightEdge(
          start: (start.latitude, start.x), end: (end.latitude, end.x))
        least = min(
          least,
          edge.distance(
            fromLatitude: position.latitude, longitude: position.longitude, below: least))
      }
    }
    return .meters(least)
  }
}

/// A line that is straight in longitude and latitude, in degrees; longitudes may pass ±180.
private struct StraightEdge {
  typealias Place = (latitude: Double, longitude: Double)
  let start: Place
  let end: Place

  /// The distance in meters from a position to the nearest point of the line.
  ///
  /// The line is cut into pieces of at most a degree. The distance changes along a piece by no more
  /// than the piece's length, so a piece with two far ends is skipped. In the other pieces the
  /// distance falls and then rises, and golden-section search finds its minimum.
  ///
  /// - Parameter limit: Pieces that cannot be nearer than this are skipped.
  func distance(
    fromLatitude latitude: Double, longitude: Double, below limit: Double = .infinity
  ) -> Double {
    func distance(at fraction: Double) -> Double {
      Geodesic.distance(
        latitude1: latitude, longitude1: longitude,
        latitude2: start.latitude + (end.latitude - start.latitude) * fraction,
        longitude2: Coordinate.wrappedLongitude(
          start.longitude + (end.longitude - start.longitude) * fraction))
    }
    let span = max(abs(end.latitude - start.latitude), abs(end.longitude - start.longitude))
    let pieces = max(1, Int(span.rounded(.up)))
    // An upper bound: no degree of latitude or longitude is longer on the ground.
    let longestPiece =
      radians(abs(end.latitude - start.latitude) + abs(end.longitude - start.longitude))
      * WGS84.largestCurvatureRadius / Double(pieces)
    let ends = (0...pieces).map { distance(at: Double($0) / Double(pieces)) }
    var least = ends.reduce(limit, min)
    for piece in 0..<pieces where (ends[piece] + ends[piece + 1] - longestPiece) / 2 < least {
      let range = Double(piece) / Double(pieces)...Double(piece + 1) / Double(pieces)
      least = min(least, leastPlace(in: range, of: distance).value)
    }
    return least
  }
}
