import Geodesy
import SpatialIndexing

/// The shortest line between two fixes, the assumed path of the object.
struct FencePath {
  let start, end: Coordinate
  /// In meters.
  let length: Double
  /// The azimuth at the start, in degrees.
  private let azimuth: Double

  init(from start: Coordinate, to end: Coordinate) {
    self.start = start
    self.end = end
    let line = Geodesic.inverse(from: start, to: end)
    length = line.distance.meters
    azimuth = line.azimuth1
  }

  /// The position at a distance in meters along the path.
  func position(at along: Double) -> Coordinate {
    if along <= 0 { return start }
    if along >= length { return end }
    return start.destination(bearing: azimuth, distance: .meters(along))
  }

  /// The position and direction of the path at a distance in meters along it.
  private func heading(at along: Double) -> (position: Coordinate, azimuth: Double) {
    let place = Geodesic.direct(
      latitude: start.latitude, longitude: start.longitude, azimuth: azimuth, distance: along)
    return (Coordinate(unchecked: place.latitude, place.longitude), place.azimuth)
  }

  /// The maximum length of a part in meters, so that along each part the distance to a fence's
  /// center falls and then rises.
  private static let longestPart = 2_000_000.0

  /// The path in parts of at most 2,000 km.
  var parts: [FencePath] {
    let count = Int((length / FencePath.longestPart).rounded(.up))
    guard count > 1 else { return [self] }
    let corners = (0...count).map { position(at: length * Double($0) / Double(count)) }
    return zip(corners, corners.dropFirst()).map { FencePath(from: $0, to: $1) }
  }

  /// Where the first part that comes within a radius of a center comes nearest to it, and that distance, in meters;
  /// nil if none does.
  func approach(
    of center: Coordinate, within radius: Double
  ) -> (distance: Double, position: Coordinate)? {
    for part in parts {
      let (distance, along) = part.nearestApproach(to: center)
      if distance <= radius { return (distance, part.position(at: along)) }
    }
    return nil
  }

  /// The nearest approach of the path to a center: the distance, and how far along it is, in meters.
  ///
  /// The derivative of the distance is −cos of the angle between the path and the line to the center. In the plane the
  /// foot lies cos times the distance ahead. Steps of that length, kept within a bracket around the foot, converge in
  /// three or four iterations.
  ///
  /// - Precondition: The path is at most 2,000 km long, and the center less than 9,000 km away: balls of a radius below
  ///   π b / 2 are convex, so the distance has one minimum.
  func nearestApproach(to center: Coordinate) -> (distance: Double, along: Double) {
    var low = 0.0, high = length
    var best = (distance: start.distance(to: center).meters, along: 0.0)
    let atEnd = end.distance(to: center).meters
    if atEnd < best.distance { best = (atEnd, length) }
    guard length > 0 else { return best }
    var along = min(length, max(0, (length + best.distance - atEnd) / 2))
    for _ in 0..<64 {
      let place = heading(at: along)
      let line = Geodesic.inverse(from: place.position, to: center)
      let distance = line.distance.meters
      if distance < best.distance { best = (distance, along) }
      guard distance > 0 else { break }
      let ahead = distance * cosine(radians(line.azimuth1 - place.azimuth))
      if ahead > 0 { low = along } else { high = along }
      var next = along + ahead
      if !(low < next && next < high) { next = (low + high) / 2 }
      // Being a micrometer off the foot does not affect the distance.
      if abs(next - along) < 1e-7 || high - low < 1e-7 { break }
      along = next
    }
    return best
  }

  /// The distance in meters along the path to its first meeting with a border; nil if there is none.
  ///
  /// Touching counts. Each part of the path is tested with each piece of the border: in space, to exclude pairs that
  /// are too far apart; then in the plane of longitudes and latitudes, where the border is straight and the path nearly
  /// so. The bend of the path is bounded:
  ///
  ///     λ″ = 2 sin α cos α sin φ / ρ²,   φ″ = −sin²α sin φ / (ρM) − cos²α M′ / M³
  ///
  /// with ρ the distance from the axis, so over a length ℓ it deviates from its chord by at most ℓ²/8 times 1/ρ² and
  /// 1/(ρM) + 0.0102/M². Undecided parts are halved, down to 0.1 m, over which a path bends by less than a nanometer.
  ///
  /// - Parameter trail: The lines of the path.
  func firstMeeting(_ outline: FenceOutline, on trail: FenceTrail) -> Double? {
    var pieces: [EdgePiece] = []
    pieces.reserveCapacity(8)
    outline.forEachPiece(near: trail) { pieces.append($0) }
    return firstMeeting(
      PathPart(from: start, to: end, length: length), &pieces, outline.area)
  }

  /// The first meeting of a part of the path with some pieces, in meters along the path.
  ///
  /// - Parameter pieces: Reduced to those that the part as a whole may meet.
  private func firstMeeting(
    _ part: PathPart, _ pieces: inout [EdgePiece], _ area: MultiPolygon
  ) -> Double? {
    var first = Double.infinity
    pieces.removeAll { piece in
      switch part.flatMeeting(piece) {
      case .apart: return true
      case .crossing(let fraction):
        first = min(first, part.start.along + fraction * part.length)
        return true
      case .unknown: return false
      }
    }
    if !pieces.isEmpty {
      let middle = (part.start.along + part.end.along) / 2
      let center = PathPart.End(along: middle, position: position(at: middle))
      let place = ECEFPosition(center.position)
      let reach = part.length / 2 + PathPart.rounding
      pieces.removeAll { $0.chordDistance(to: place) > reach + $0.sag }
      if part.length <= PathPart.shortest {
        if pieces.contains(where: { part.touches($0) ?? area.contains(center.position) }) {
          first = min(first, middle)
        }
      } else if !pieces.isEmpty {
        var others = pieces
        let meeting =
          firstMeeting(PathPart(start: part.start, end: center), &pieces, area)
          ?? firstMeeting(PathPart(start: center, end: part.end), &others, area)
        first = min(first, meeting ?? .infinity)
      }
    }
    return first < .infinity ? first : nil
  }

  /// Whether a path may meet a border, judged by its ends alone; false is certain.
  ///
  /// - Parameter length: An upper bound of the path's length, in meters.
  static func mayMeet(
    _ outline: FenceOutline, on trail: FenceTrail, from start: Coordinate, to end: Coordinate,
    length: Double
  ) -> Bool {
    let part = PathPart(from: start, to: end, length: length)
    var mayMeet = false
    outline.forEachPiece(near: trail) { piece in
      if !mayMeet { mayMeet = part.flatMeeting(piece).isPossible }
    }
    return mayMeet
  }
}

extension PathPart {
  /// A whole path.
  fileprivate init(from start: Coordinate, to end: Coordinate, length: Double) {
    self.start = End(along: 0, position: start)
    self.end = End(along: length, position: end)
  }
}

/// A part of a path.
private struct PathPart {
  struct End {
    /// In meters from the start of the path.
    let along: Double
    let position: Coordinate
  }
  let start, end: End

  /// The possible error of distances in space, in meters.
  static let rounding = 1e-6
  /// Parts up to this long count as straight, in meters.
  static let shortest = 0.1
  /// Parts longer than this bend too much to be tested in the plane, in meters.
  private static let longestFlat = 1_000.0

  var length: Double { end.along - start.along }

  enum FlatMeeting {
    case apart
    /// Certain, at about this fraction of the part.
    case crossing(fraction: Double)
    case unknown

    var isPossible: Bool { if case .apart = self { false } else { true } }
  }

  /// The ends in degrees, with longitudes moved by whole turns next to a piece.
  private func ends(
    beside piece: EdgePiece
  ) -> (ax: Double, ay: Double, bx: Double, by: Double) {
    let middle = (piece.startLongitude + piece.endLongitude) / 2
    let ax = middle + Coordinate.wrappedLongitude(start.position.longitude - middle)
    let turn = Coordinate.wrappedLongitude(end.position.longitude - start.position.longitude)
    return (ax, start.position.latitude, ax + turn, end.position.latitude)
  }

  /// Whether the part meets a piece, as far as that is certain in the plane.
  func flatMeeting(_ piece: EdgePiece) -> FlatMeeting {
    guard length <= PathPart.longestFlat else { return .unknown }
    let steepest = max(abs(start.position.latitude), abs(end.position.latitude))
    // The distance from the axis changes by at most the length of the path.
    let axial = 6_356_000 * cosine(radians(steepest)) - length
    guard axial > length else { return .unknown }
    let bend = length * length / 8
    // 1e-12° is 0.1 µm: ten times the possible error of positions on a path.
    let marginX = degrees(bend / (axial * axial)) + 1e-13 * 6_378_137 / axial + 1e-12
    let marginY = degrees(bend * (1 / (axial * 6_335_000) + 2.6e-16)) + 1e-12
    let meeting = flatMeeting(piece, ends(beside: piece), within: (marginX, marginY))
    // Certain to meet; the location is given once the part bends by less than a millimeter.
    if case .crossing = meeting, bend >= 1e-3 * axial { return .unknown }
    return meeting
  }

  /// Whether the line between two ends meets a piece, if each may be off by some margins.
  private func flatMeeting(
    _ piece: EdgePiece, _ ends: (ax: Double, ay: Double, bx: Double, by: Double),
    within margins: (x: Double, y: Double)
  ) -> FlatMeeting {
    let (ax, ay, bx, by) = ends, (marginX, marginY) = margins
    let (cx, cy) = (piece.startLongitude, piece.startLatitude)
    let (dx, dy) = (piece.endLongitude, piece.endLatitude)
    if min(ax, bx) - marginX > max(cx, dx) || max(ax, bx) + marginX < min(cx, dx)
      || min(ay, by) - marginY > max(cy, dy) || max(ay, by) + marginY < min(cy, dy)
    {
      return .apart
    }
    let (px, py) = (bx - ax, by - ay), (qx, qy) = (dx - cx, dy - cy)
    // The sides of the piece on which the part's ends lie, and vice versa.
    let a = qx * (ay - cy) - qy * (ax - cx), b = qx * (by - cy) - qy * (bx - cx)
    let c = px * (cy - ay) - py * (cx - ax), d = px * (dy - ay) - py * (dx - ax)
    let offPiece = abs(qx) * marginY + abs(qy) * marginX
    let offPart = abs(px) * marginY + abs(py) * marginX
    if (a > offPiece && b > offPiece) || (a < -offPiece && b < -offPiece) { return .apart }
    if (c > offPart && d > offPart) || (c < -offPart && d < -offPart) { return .apart }
    guard min(abs(a), abs(b)) > offPiece, min(abs(c), abs(d)) > offPart else { return .unknown }
    return .crossing(fraction: a / (a - b))
  }

  /// Whether a part so short that it is straight touches a piece; nil at a pole, where degrees do
  /// not form a plane.
  func touches(_ piece: EdgePiece) -> Bool? {
    let ends = ends(beside: piece)
    guard abs(ends.bx - ends.ax) < 90 else { return nil }
    return flatMeeting(piece, ends, within: (0, 0)).isPossible
  }
}
