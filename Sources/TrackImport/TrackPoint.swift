import GPXCoding
import Geodesy
import LocationFiltering

/// One fix of a track as it was recorded: a track point, a row or a sentence that should hold a
/// position.
///
/// Nothing is judged yet: positions may be missing or off the Earth and times may go back. A gate
/// says what to make of that. Where the text itself is broken, `problem` says how, and the fix has
/// no position.
public struct TrackPoint: Hashable, Sendable {
  /// The position with its time in seconds since 1970 in UTC, and the accuracy in meters.
  public var fix: Fix
  /// Which unbroken part of the track it belongs to, counted from 1 in its text.
  ///
  /// A segment of GPX, a line of GeoJSON. Nothing is known of the way between two parts.
  public var part: Int
  /// Meters above sea level; nil when not said.
  public var elevation: Double?
  /// The speed that the device says, in meters a second; nil when not said.
  public var speed: Double?
  /// Whether the time counts from a day that is known; without it from some midnight.
  public var isDated: Bool
  /// The line of the text, from 1, where it begins.
  public var line: Int
  /// The text in place of a time, if it was not understood; nil if the time was read, or there is
  /// nothing.
  public var unreadTime: String?
  /// Why the text is no fix; nil where it is one.
  public var problem: TrackProblem?
  /// Where its element stands in the text; nil but for GPX.
  package var element: GPXElementRange?

  /// Makes a point of a track.
  public init(
    fix: Fix, part: Int = 1, elevation: Double? = nil, speed: Double? = nil, isDated: Bool = true,
    line: Int, problem: TrackProblem? = nil, unreadTime: String? = nil
  ) {
    self.fix = fix
    self.part = part
    self.elevation = elevation
    self.speed = speed
    self.isDated = isDated
    self.line = line
    self.problem = problem
    self.unreadTime = unreadTime
  }

  /// A place in the text that is no fix.
  init(_ problem: TrackProblem, part: Int = 1, line: Int) {
    self.init(
      fix: Fix(latitude: nil, longitude: nil), part: part, line: line, problem: problem)
  }
}

/// What is wrong with the text of one fix.
public struct TrackProblem: CodedError, Hashable {
  /// The kind of mistake; its raw value is the `code`.
  public enum Reason: String, CaseIterable, Sendable {
    /// The bytes of an NMEA sentence are not those that its checksum was made of.
    case checksum = "nmea-checksum"
    /// An NMEA sentence without checksum ends before its last field.
    case cutOff = "nmea-cut-off"
    /// A field of an NMEA sentence holds what it cannot hold.
    case field = "nmea-field"
    /// A row has another number of cells than the header.
    case rowFields = "row-fields"
    /// A quote of a row never closes.
    case rowQuote = "row-quote"
    /// A GeoJSON feature is none.
    case feature = "bad-feature"
  }

  /// Which mistake it is.
  public let reason: Reason
  /// What is wrong, in one lower-case sentence.
  public let description: String

  init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }

  /// The mistake's name, as `nmea-checksum`.
  public var code: String { reason.rawValue }
}
