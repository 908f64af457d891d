import GeoJSONCoding
import Geodesy
import LocationFiltering
import MapAnnotations

/// Makes fixes from GeoJSON: from lines with separate times, and from points with their own time.
///
/// The times of a line are in its properties as `coordTimes` or `times`, or in those of
/// `coordinateProperties`: one for each position; for several lines a list of lists. Consecutive
/// points form one part.
///
/// A fix past ±180° in a line with a near neighbor lies across the antimeridian; any other fix past
/// ±180°, and any such point, stays off the Earth.
struct TrackFeatures {
  private var part = 0
  /// Whether the last part consists of points, so that the next point belongs to it.
  private var isOfPoints = false
  /// The number of features with areas, which are not tracks.
  private(set) var otherFeatures = 0
  /// The number of features with lines that continue past ±180°.
  private(set) var wrappedFeatures = 0
  /// The number of fixes read as lying across the antimeridian.
  private var acrossCount = 0
  /// The maximum difference of longitude in degrees between a fix past ±180° and a neighbor in its
  /// line; mistakes differ by more.
  private static let nearestDegrees = 10.0

  /// The fixes of a record.
  mutating func points(of record: GeoJSONRecord) -> [TrackPoint] {
    switch record.feature {
    case .failure(let error):
      return [
        TrackPoint(
          TrackProblem(.feature, "\(error.code): \(error.message)"), part: max(1, part),
          line: record.line)
      ]
    case .success(let feature):
      guard let geometry = feature.geometry else {
        beginPoints()
        return [point(nil, feature.properties, line: record.line)]
      }
      let count = acrossCount
      let points = points(of: geometry, feature.properties ?? Properties(), line: record.line)
      if acrossCount > count { wrappedFeatures += 1 }
      return points
    }
  }

  private mutating func points(
    of geometry: Geometry, _ properties: Properties, line: Int
  ) -> [TrackPoint] {
    switch geometry {
    case .point(let position):
      beginPoints()
      return [point(position, properties, line: line)]
    case .multiPoint(let positions):
      beginPoints()
      return points(of: positions, TrackFeatures.times(properties), line: line)
    case .lineString(let positions):
      isOfPoints = false
      part += 1
      return points(of: readAcross(positions), TrackFeatures.times(properties), line: line)
    case .multiLineString(let lines):
      isOfPoints = false
      let times = TrackFeatures.times(properties)
      return lines.enumerated().flatMap { place, positions in
        part += 1
        let own: [PropertyValue] =
          if times.indices.contains(place), case .array(let values) = times[place] { values } else {
            []
          }
        return points(of: readAcross(positions), own, line: line)
      }
    case .geometryCollection(let members):
      return members.flatMap { points(of: $0, properties, line: line) }
    case .polygon, .multiPolygon:
      otherFeatures += 1
      return []
    }
  }

  /// The line with its fixes past ±180° moved across the antimeridian if a neighbor is near.
  private mutating func readAcross(_ line: [Position]) -> [Position] {
    line.indices.map { place in
      let position = line[place]
      let past = position.longitude.magnitude
      let isNear = [place - 1, place + 1].contains { neighbor in
        line.indices.contains(neighbor)
          && (line[neighbor].longitude - position.longitude).magnitude
            <= TrackFeatures.nearestDegrees
      }
      guard past > 180, past <= 360, isNear else { return position }
      let wrapped = position.wrapped
      // A fix past 180° only by rounding is not across it.
      if wrapped.longitude.magnitude < 180 { acrossCount += 1 }
      return wrapped
    }
  }

  private mutating func beginPoints() {
    if !isOfPoints { part += 1 }
    isOfPoints = true
  }

  private func points(
    of positions: [Position], _ times: [PropertyValue], line: Int
  ) -> [TrackPoint] {
    positions.enumerated().map { place, position in
      let time = times.indices.contains(place) ? times[place].text : nil
      return TrackPoint(
        latitude: position.latitude, longitude: position.longitude,
        time: (time.flatMap(TrackTime.seconds), time), elevation: position.altitude, part: part,
        line: line)
    }
  }

  private func point(
    _ position: Position?, _ properties: Properties?, line: Int
  ) -> TrackPoint {
    func text(_ names: [String]) -> String? {
      for name in names {
        let entry = properties?.entries.first { FieldNames.plain($0.name) == name }
        if let text = entry?.value.text, !text.isEmpty { return text }
      }
      return nil
    }
    let time = text(FieldNames.time)
    return TrackPoint(
      latitude: position?.latitude, longitude: position?.longitude,
      time: (time.flatMap(TrackTime.seconds), time), accuracy: text(FieldNames.accuracy),
      speed: text(FieldNames.speed), isSimulated: text(FieldNames.simulated),
      elevation: position?.altitude ?? text(FieldNames.elevation).flatMap(finiteNumber),
      part: part, line: line)
  }

  private static func times(_ properties: Properties) -> [PropertyValue] {
    for name in ["coordTimes", "times", "timestamps"] {
      if case .array(let times)? = properties[name] { return times }
    }
    if case .object(let inner)? = properties["coordinateProperties"] { return times(inner) }
    return []
  }
}
