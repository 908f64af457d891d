import Geodesy

/// What the order by distance in the plane of longitude and latitude, in degrees, says about distances on WGS 84.
///
/// Take the shortest curve from the origin to a position that is at least *d* degrees away in the plane. Either it meets
/// ±180° or a pole, or it leaves the circle of *d* degrees around the origin. A step in the circle is at least the
/// step in the plane, in radians, times the smallest radius of curvature, a(1 − e²), times the smallest cosine of a
/// latitude there. So the curve is at least *d* times both long.
struct PlaneOrder {
  private let latitude: Double
  /// A lower bound of the distance to the meridian of ±180°, which contains the poles, in meters.
  private let edge: Double
  private static let metersPerDegree = 6_335_439.327 * Double.pi / 180
  /// The effect of rounding on distances on both sides, in meters.
  private static let slack = 0.01

  init(from origin: Coordinate) {
    latitude = abs(origin.latitude)
    edge = BoundingBox(unchecked: -90, -180, 90, -180).leastDistance(from: origin).meters
  }

  /// A lower bound of the distance to all positions that are at least some degrees away in the plane, in meters.
  func leastDistance(beyond degrees: Double) -> Double {
    // The product below grows up to here, at least; what is farther away leaves the smaller circle, too.
    let degrees = min(degrees, (90 - latitude) / 2)
    let least = degrees * PlaneOrder.metersPerDegree * cosine((latitude + degrees) * .pi / 180)
    return min(least, edge) - PlaneOrder.slack
  }

  /// How many of evenly spread positions are not farther in the plane than the farthest of the `count` nearest.
  func count(ofNearest count: Int) -> Int {
    // A circle on the ground is narrow from north to south in the plane. Close to a pole, circles will not do.
    let widening = 1 / max(cosine(latitude * .pi / 180), 0.125)
    return Int(Double(count) * 1.2 * widening) + 5
  }
}

/// A rectangle of longitudes and latitudes, in degrees, that does not cross ±180°.
struct PlaneSpan: Hashable {
  let west: Double, south: Double, east: Double, north: Double

  /// Rectangles that contain every position within a distance of a box, in meters.
  static func spans(of box: BoundingBox, wider meters: Double) -> [PlaneSpan] {
    // A degree of latitude has at least 110.5 km.
    let margin = meters / 110_000 + 1e-9
    let south = max(-90, box.south - margin), north = min(90, box.north + margin)
    // The cosine of a latitude is at least the chord below it.
    let share = 1 - max(abs(south), abs(north)) / 90
    let across = share > 0 ? meters / (110_000 * share) + 1e-9 : meters > 0 ? 360 : 1e-9
    let west = box.west - across
    let east = box.east + across + (box.west > box.east ? 360 : 0)
    guard east - west < 360 else {
      return [PlaneSpan(west: -180, south: south, east: 180, north: north)]
    }
    var spans = [PlaneSpan(west: max(west, -180), south: south, east: min(east, 180), north: north)]
    if west < -180 {
      spans.append(PlaneSpan(west: west + 360, south: south, east: 180, north: north))
    }
    if east > 180 {
      spans.append(PlaneSpan(west: -180, south: south, east: east - 360, north: north))
    }
    return spans
  }

  /// A few rectangles that cover all of some: these themselves, unless they are many.
  ///
  /// Many are sorted from west to east and cut into four strips of equally many, and each strip from south to north into
  /// four parts; the answer has the bounds of each part. As none of them crosses ±180°, neither do the bounds.
  static func cover(of spans: [PlaneSpan]) -> [PlaneSpan] {
    // Each binds four values in each branch of a statement, and a statement has at most 65,535 values.
    guard spans.count > 32 else { return spans }
    return quarters(of: spans.sorted { $0.west < $1.west })
      .flatMap { quarters(of: $0.sorted { $0.south < $1.south }) }
      .map { part in
        part.dropFirst().reduce(part[part.startIndex]) { bounds, span in
          PlaneSpan(
            west: min(bounds.west, span.west), south: min(bounds.south, span.south),
            east: max(bounds.east, span.east), north: max(bounds.north, span.north))
        }
      }
  }

  /// Up to four slices of the same length, the last of which may be shorter; none is empty.
  private static func quarters(of spans: [PlaneSpan]) -> [ArraySlice<PlaneSpan>] {
    let length = (spans.count + 3) / 4
    return stride(from: 0, to: spans.count, by: length).map {
      spans[$0..<min($0 + length, spans.count)]
    }
  }
}
