import Geodesy

extension Geometry {
  /// The line between two positions, straight in longitude and latitude and by the shorter way; cut
  /// in two where it crosses ±180°, as RFC 7946 §3.1.9 requires.
  package init(lineFrom start: Coordinate, to end: Coordinate) {
    var first = Position(start), last = Position(end)
    // A position on the antimeridian is written on the same side as the other.
    if first.longitude == -180, last.longitude > 0 { first.longitude = 180 }
    if last.longitude == -180, first.longitude > 0 { last.longitude = 180 }
    let step = last.longitude - first.longitude
    guard abs(step) > 180 else {
      self = .lineString([first, last])
      return
    }
    // A step that looks westward crosses 180 eastward, and vice versa.
    let edge: Double = step < 0 ? 180 : -180
    let way = step + 2 * edge
    let share = (edge - first.longitude) / way
    let latitude = first.latitude + (last.latitude - first.latitude) * share
    self = .multiLineString([
      [first, Position(longitude: edge, latitude: latitude)],
      [Position(longitude: -edge, latitude: latitude), last],
    ])
  }
}
