import GPXCoding
import Geodesy
import LocationFiltering

/// One fix of a track as recorded: a track point, a row or a sentence that should have a position.
///
/// It is not judged: positions may be missing or off the Earth and times may go back; a gate
/// decides what that means. If the text itself is broken, `problem` says how, and the fix has no
/// position.
public struct TrackPoint: Hashable, Sendable {
  /// The position, its time in seconds since 1970 in UTC, and the accuracy in meters.
  public var fix: Fix
  /// The number of the unbroken part of the track, from 1 in its text.
  ///
  /// A part is a GPX segment or a GeoJSON line. The way between two parts is unknown.
  public var part: Int
  /// Meters above sea level; nil if unknown.
  public var elevation: Double?
  /// The speed reported by the device, in meters per second; nil if unknown.
  public var speed: Double?
  /// Whether the day of the time is known; otherwise the time counts from an unknown midnight.
  public var isDated: Bool
  /// Whether the time has no zone and `TrackOptions.zone` names none, so that it was taken as UTC.
  public var assumesUTC = false
  /// The line where the point begins, from 1.
  public var line: Int
  /// The text of a latitude or longitude that is not a number, which is NaN in `fix`; nil if there is none.
  public var unreadDegrees: String?
  /// The text of a time that was not understood; nil if the time was read or is missing.
  public var unreadTime: String?
  /// The text of an accuracy that was not understood; nil if the accuracy was read or is missing.
  public var unreadAccuracy: String?
  /// Why the text is not a fix; nil if it is one.
  public var problem: TrackProblem?
  /// The range of its element in the text; only for GPX.
  package var element: GPXElementRange?

  /// Makes a point of a track.
  public init(
    fix: Fix, part: Int = 1, elevation: Double? = nil, speed: Double? = nil, isDated: Bool = true,
    line: Int, problem: TrackProblem? = nil, unreadDegrees: String? = nil,
    unreadTime: String? = nil, unreadAccuracy: String? = nil
  ) {
    self.fix = fix
    self.part = part
    self.elevation = elevation
    self.speed = speed
    self.isDated = isDated
    self.line = line
    self.problem = problem
    self.unreadDegrees = unreadDegrees
    self.unreadTime = unreadTime
    self.unreadAccuracy = unreadAccuracy
  }

  /// Makes a point from the texts of its source; nil for what that does not say.
  ///
  /// - Parameter time: What was read of the time's text, and that text.
  init(
    latitude: Double? = nil, longitude: Double? = nil, time: (read: TrackTime?, text: String?),
    accuracy: String? = nil, speed: String? = nil, isSimulated: String? = nil, elevation: Double?,
    part: Int = 1, line: Int
  ) {
    let meters = accuracy.flatMap(writtenMeters)
    self.init(
      fix: Fix(
        latitude: latitude, longitude: longitude, time: time.read?.seconds, accuracy: meters,
        isSimulated: isSimulated.map(FieldNames.isTrue) ?? false),
      part: part, elevation: elevation, speed: speed.flatMap(finiteNumber), line: line,
      unreadTime: time.read == nil ? time.text : nil,
      unreadAccuracy: meters == nil ? accuracy : nil)
    assumesUTC = time.read.map { !$0.hasZone } ?? false
  }

  /// Makes a point for a text that is not a fix.
  init(_ problem: TrackProblem, part: Int = 1, line: Int) {
    self.init(
      fix: Fix(latitude: nil, longitude: nil), part: part, line: line, problem: problem)
  }

  /// Takes its position from texts, where these are not empty; NaN for one that is no number, so that a gate can report
  /// it.
  mutating func setPosition(latitude: String?, longitude: String?) {
    func degrees(_ text: String?) -> Double? {
      guard let text, !text.isEmpty else { return nil }
      if let number = finiteNumber(text) { return number }
      unreadDegrees = unreadDegrees ?? text
      return .nan
    }
    fix.latitude = degrees(latitude)
    fix.longitude = degrees(longitude)
  }

  /// The time as text; of one without a day, its seconds from an unknown midnight.
  package var timeText: String? {
    fix.time.flatMap { isDated ? GPXTime.text($0) : $0.isFinite ? plainDecimal($0) : nil }
  }

  /// A gate's reason in a sentence, which quotes degrees that are not a number as they were written.
  package func sentence(_ reason: GateReason) -> String {
    guard reason.code == .notANumber, let unreadDegrees else { return reason.description }
    return CoordinateError.notANumber(unreadDegrees).description
  }
}

/// A length in meters: a number, or one with its unit (`12.5m`, `0.5 km`, `1mi`), or `inf`.
private func writtenMeters(_ text: String) -> Double? {
  if let meters = finiteNumber(text) { return meters }
  let lower = text.lowercased()
  if ["inf", "infinity", "∞"].contains(lower) { return .infinity }
  let units = [("km", 1_000.0), ("mi", 1_609.344), ("m", 1.0)]
  for (unit, length) in units where lower.hasSuffix(unit) {
    let number = lower.dropLast(unit.count)
    return finiteNumber(String(number.last == " " ? number.dropLast() : number))
      .map { $0 * length }
  }
  return nil
}

/// An error in the text of one fix.
public struct TrackProblem: CodedError, Hashable {
  /// The kind of error; its raw value is the `code`.
  public enum Reason: String, CaseIterable, Sendable {
    /// The checksum of an NMEA sentence does not match its bytes.
    case checksum = "nmea-checksum"
    /// An NMEA sentence without checksum ends before its last field.
    case cutOff = "nmea-cut-off"
    /// A field of an NMEA sentence has an invalid value.
    case field = "nmea-field"
    /// A row has a different number of cells than the header.
    case rowFields = "row-fields"
    /// A quote in a row is never closed.
    case rowQuote = "row-quote"
    /// A GeoJSON feature is invalid.
    case feature = "bad-feature"
  }

  /// The kind of error.
  public let reason: Reason
  /// What is wrong, in one lower-case sentence.
  public let description: String

  init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }

  /// The code, such as `nmea-checksum`.
  public var code: String { reason.rawValue }
}
