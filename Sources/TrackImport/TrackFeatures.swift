import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations

/// Makes fixes from GeoJSON: from lines with separate times, and from points with their own time; and
/// from rows in plain JSON.
///
/// The times of a line are in its properties as `coordTimes` or `times`, or in those of
/// `coordinateProperties`: one for each position; for several lines a list of lists. Consecutive
/// points form one part.
///
/// A fix past ±180° in a line with a near neighbor lies across the antimeridian; any other fix past
/// ±180°, and any such point, stays off the Earth.
struct TrackFeatures {
  private let options: TrackOptions
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
  /// The names in the last row with a position, and which of them are the position; nil before it.
  private var row: (names: [String], position: PositionColumns)?
  /// The names of the last record's members, and these prepared for comparison.
  private var names: (own: [String], plain: [String]) = ([], [])
  /// Whether there were rows.
  private(set) var hasRows = false
  private var hasFixes = false
  private var firstRefusal: TrackError?
  /// Why no record is a fix, if other options would make rows fixes.
  var refusal: TrackError? { hasFixes ? nil : firstRefusal }

  init(_ options: TrackOptions) { self.options = options }

  /// The fixes of a record.
  mutating func points(of record: GeoJSONRecord) -> [TrackPoint] {
    switch record.feature {
    case .failure(let error):
      return [
        TrackPoint(
          TrackProblem(.feature, error.message), part: max(1, part), line: record.line)
      ]
    case .success(let feature):
      hasFixes = true
      guard let geometry = feature.geometry else {
        beginPoints()
        return [point(at: nil, feature.properties, line: record.line)]
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
      return [point(at: position, properties, line: line)]
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
      guard past > 180, past <= 360 else { return position }
      let wrapped = position.wrapped
      // A fix past 180° only by rounding is not across it.
      if wrapped.longitude.magnitude == 180 { return wrapped }
      guard isNear else { return position }
      acrossCount += 1
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
        time: (time.flatMap(TrackTime.read)?.by(options.zone), time),
        elevation: position.altitude, part: part, line: line)
    }
  }

  /// The fix of a row with the columns of a log; what is wrong if it has no position.
  mutating func point(ofRow members: Properties, line: Int) -> TrackPoint {
    hasRows = true
    let position: PositionColumns
    do throws(ImportError) { position = try self.position(in: members.entries.map(\.name)) } catch {
      if firstRefusal == nil, error.blame == .usage { firstRefusal = TrackError(error) }
      return TrackPoint(
        TrackProblem(.feature, TrackFeatures.sentence(error)), part: max(1, part), line: line)
    }
    hasFixes = true
    beginPoints()
    var point = point(at: nil, members, hasDay: true, line: line)
    let texts = position.texts { members.entries[$0].value.text }
    point.setPosition(latitude: texts.latitude, longitude: texts.longitude)
    return point
  }

  private mutating func position(in names: [String]) throws(ImportError) -> PositionColumns {
    if let row, row.names == names { return row.position }
    let position = try PositionColumns(
      names, latitudeField: options.latitudeField, longitudeField: options.longitudeField,
      source: options.source)
    row = (names, position)
    return position
  }

  /// Why a row has no position, without the options that the error of the whole text names.
  private static func sentence(_ error: ImportError) -> String {
    switch error.reason {
    case .unknownField(let name, _, _): "this row has no \"\(name)\""
    case .ambiguousCoordinateFields(let axis, let columns):
      "\(columns.joined(separator: ",")) may each be the \(axis)"
    default: "this row has no latitude and longitude"
    }
  }

  /// - Parameter hasDay: Whether the day and the time of day may be separate.
  private mutating func point(
    at position: Position?, _ properties: Properties?, hasDay: Bool = false, line: Int
  ) -> TrackPoint {
    let entries = properties?.entries ?? []
    let own = entries.map(\.name)
    // Mostly those of the record before; preparing them takes longer than the rest.
    if names.own != own { names = (own, own.map(FieldNames.plain)) }
    let plain = names.plain
    func entry(_ known: [String], _ chosen: String? = nil) -> (name: String, text: String)? {
      for name in chosen.map({ [FieldNames.plain($0)] }) ?? known {
        guard let place = plain.firstIndex(of: name), let text = entries[place].value.text,
          !text.isEmpty
        else { continue }
        return (own[place], text)
      }
      return nil
    }
    func text(_ known: [String], _ chosen: String? = nil) -> String? { entry(known, chosen)?.text }
    let day = hasDay ? entry(FieldNames.date) : nil
    let time = entry(FieldNames.time, options.timeField)
    let read = TrackTime.read(day: day?.text, time: time?.text, arePacked: false)
    let isUTC = [time, day].contains { $0.map { FieldNames.saysUTC($0.name) } ?? false }
    return TrackPoint(
      latitude: position?.latitude, longitude: position?.longitude,
      time: (
        read?.by(isUTC ? FieldNames.utc : options.zone),
        read == nil ? TrackTime.text(day?.text, time?.text) : nil
      ),
      accuracy: text(FieldNames.accuracy, options.accuracyField), speed: text(FieldNames.speed),
      isSimulated: text(FieldNames.simulated),
      elevation: position?.altitude ?? text(FieldNames.elevation).flatMap(finiteNumber), part: part,
      line: line)
  }

  private static func times(_ properties: Properties) -> [PropertyValue] {
    for name in ["coordTimes", "times", "timestamps"] {
      if case .array(let times)? = properties[name] { return times }
    }
    if case .object(let inner)? = properties["coordinateProperties"] { return times(inner) }
    return []
  }
}
