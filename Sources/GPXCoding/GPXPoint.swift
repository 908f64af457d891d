import Geodesy

/// One point of a GPX file, as it is written: nothing is judged yet.
///
/// Positions may be missing or off the Earth, times may go back; the caller decides what
/// that means. Tracks are points in a row whose `track` and `segment` are the same.
public struct GPXPoint: Hashable, Sendable {
  /// What the point belongs to, each counted from 1 in its file.
  public enum Role: Hashable, Sendable {
    /// A point of its own.
    case waypoint
    /// A point of a route.
    case routePoint(route: Int)
    /// A point of a recorded track; nothing is known of the way between two segments.
    case trackPoint(track: Int, segment: Int)
  }

  /// One thing a point says: an element's name and its text.
  public struct Field: Hashable, Sendable {
    /// The element's name without its prefix, as `name`, `ele`, `hr`.
    public let name: String
    /// Its text, without blanks around it.
    public let text: String

    /// Pairs a name with a text.
    public init(name: String, text: String) {
      self.name = name
      self.text = text
    }
  }

  /// What the point belongs to.
  public let role: Role
  /// The name of its track or route; nil when that has none.
  public let groupName: String?
  /// The attribute `lat` as it is written; nil when there is none.
  public let latitudeText: String?
  /// The attribute `lon` as it is written; nil when there is none.
  public let longitudeText: String?
  /// What else it says, in the order of the file; of `extensions` the innermost elements, and
  /// nothing for empty ones.
  public let fields: [Field]
  /// The line where the point begins, from 1.
  public let line: Int
  /// How many bytes stand before it.
  public let byteOffset: Int
  /// Where its element stands; nil but for points of tracks.
  package var element: GPXElementRange?

  /// The text of the first field of a name; nil when there is none.
  public func text(_ name: String) -> String? { fields.first { $0.name == name }?.text }

  /// Degrees north as written, perhaps past 90; nil for what is no number.
  public var latitude: Double? { latitudeText.flatMap(GPXPoint.number) }

  /// Degrees east as written, perhaps past 180; nil for what is no number.
  public var longitude: Double? { longitudeText.flatMap(GPXPoint.number) }

  /// The position on the Earth.
  ///
  /// - Throws: `CoordinateError` where a number is missing, none, or outside its range.
  public func coordinate() throws(CoordinateError) -> Coordinate {
    guard let latitude else { throw .notANumber(latitudeText ?? "") }
    guard let longitude else { throw .notANumber(longitudeText ?? "") }
    return try Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Meters above sea level; nil when it is not given, or not as a number.
  public var elevation: Double? { text("ele").flatMap(GPXPoint.number) }

  /// Seconds since 1970 in UTC; nil when it is not given, or not as a time of ISO 8601.
  public var time: Double? { text("time").flatMap(GPXTime.seconds) }

  /// A finite decimal number and nothing else.
  static func number(_ text: String) -> Double? {
    let isDecimal = text.utf8.allSatisfy { byte in
      byte &- UInt8(ascii: "0") < 10 || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    return number
  }
}
