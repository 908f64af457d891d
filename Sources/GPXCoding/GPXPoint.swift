import Geodesy

/// One point of a GPX file, as written and not judged.
///
/// Positions may be missing or off the Earth, and times may go back; the caller decides what that
/// means. A track consists of consecutive points with the same `track` and `segment`.
public struct GPXPoint: Hashable, Sendable {
  /// What the point belongs to; each is counted from 1 in its file.
  public enum Role: Hashable, Sendable {
    /// A waypoint.
    case waypoint
    /// A point of a route.
    case routePoint(route: Int)
    /// A point of a recorded track; the way between two segments is unknown.
    case trackPoint(track: Int, segment: Int)
  }

  /// A data field of a point: an element's name and its text.
  public struct Field: Hashable, Sendable {
    /// The element's name without its prefix, such as `name`, `ele`, `hr`.
    ///
    /// A `time`, `ele` or `name` that is not the point's own, because it is within `extensions` or of another
    /// namespace, keeps its prefix (`gh:time`) or gets the prefix `extensions:`. Those that ``GPXWriter`` wrote into
    /// `extensions` are the point's own.
    public let name: String
    /// The text, without white space around it.
    public let text: String

    /// Pairs a name with a text.
    public init(name: String, text: String) {
      self.name = name
      self.text = text
    }
  }

  /// What the point belongs to.
  public let role: Role
  /// The name of its track or route; nil if it has none.
  public let groupName: String?
  /// The attribute `lat` as written; nil if there is none.
  public let latitudeText: String?
  /// The attribute `lon` as written; nil if there is none.
  public let longitudeText: String?
  /// All other fields in the order of the file; the innermost elements of `extensions`, without
  /// empty ones.
  public let fields: [Field]
  /// The line where the point begins, from 1.
  public let line: Int
  /// The range of its element.
  package let element: GPXElementRange

  /// The number of bytes before it.
  public var byteOffset: Int { element.start }

  /// The text of the first field with a name; nil if there is none.
  public func text(_ name: String) -> String? { fields.first { $0.name == name }?.text }

  /// Degrees north as written, possibly past 90; nil if it is not a number.
  public var latitude: Double? { latitudeText.flatMap(finiteNumber) }

  /// Degrees east as written, possibly past 180; nil if it is not a number.
  public var longitude: Double? { longitudeText.flatMap(finiteNumber) }

  /// The position on the Earth.
  ///
  /// - Throws: `CoordinateError` if a number is missing, invalid or out of range.
  public func coordinate() throws(CoordinateError) -> Coordinate {
    guard let latitude else { throw .notANumber(latitudeText ?? "") }
    guard let longitude else { throw .notANumber(longitudeText ?? "") }
    return try Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Meters above sea level; nil if missing or not a number.
  public var elevation: Double? { text("ele").flatMap(finiteNumber) }

  /// Seconds since 1970 in UTC; nil if missing or not an ISO 8601 time.
  public var time: Double? { text("time").flatMap(GPXTime.seconds) }
}

/// The byte range of a point's element in its file.
package struct GPXElementRange: Hashable, Sendable {
  /// The offset of the white space directly before the element of a track point; `start` if there is none.
  package let blankStart: Int
  /// The offset of its start tag.
  package let start: Int
  /// The offset after its end tag.
  package let end: Int
}
