import Geodesy
import MapProjections

/// The problem with one record of a source.
///
/// `code` is for programs, and `sentence` is for people, beginning with the location in the source.
public enum RowProblem: Error, Sendable {
  /// The number of cells differs from the header's.
  case fieldCount(Int, expected: Int)
  /// A quote that is never closed.
  case unclosedQuote
  /// Text between the quote that closes a cell and the cell's end.
  case textAfterQuote
  /// One coordinate cell is empty or null; holds the other's text.
  case halfCoordinate(empty: CoordinateAxis, other: String)
  /// Both coordinate cells are empty or null; only a strict import rejects this.
  case noCoordinate
  /// Cells without a valid position: not a number, out of range, or swapped.
  case position(CoordinateError)
  /// Numbers so large that they are meters in a plane, as written.
  case notDegrees(latitude: String, longitude: String)
  /// A point whose text names an unsupported reference system.
  case foreignSRID(Int)
  /// Numbers of a CRS that have no position on WGS 84.
  case crs(CRSError)
  /// Both coordinates are below 0.0005°, as written, or both numbers of a plane are 0.
  case nullIsland(latitude: String, longitude: String)
  /// A valid position outside the required region.
  ///
  /// The distance to the region is computed only for the message, because it takes longer than
  /// reading the record.
  case outsideRegion(Coordinate, Region)
  /// Not a GeoJSON feature; holds the reader's code and message.
  case feature(code: String, message: String)

  /// The problem with the texts of two coordinates that are not both numbers; nil if neither has a text.
  ///
  /// - Parameters:
  ///   - latitude: nil for an empty text, and the same for the longitude.
  ///   - isNumber: Whether the latitude is a number.
  static func unread(latitude: String?, longitude: String?, isNumber: Bool) -> RowProblem? {
    switch (latitude, longitude) {
    case (nil, nil): nil
    case (nil, let other?): .halfCoordinate(empty: .latitude, other: other)
    case (let other?, nil): .halfCoordinate(empty: .longitude, other: other)
    case (let latitude?, let longitude?):
      .position(.notANumber(isNumber ? longitude : latitude))
    }
  }

  /// The code, for programs: `row-fields`, `lat-range`.
  public var code: String {
    switch self {
    case .fieldCount: "row-fields"
    case .unclosedQuote, .textAfterQuote: "row-quote"
    case .halfCoordinate: "row-half-coordinate"
    case .noCoordinate: "row-no-coordinate"
    case .position(let error): error.code
    case .notDegrees: "crs-unknown"
    case .foreignSRID: "crs-unsupported"
    case .crs(let error): error.code
    case .nullIsland: "null-island"
    case .outsideRegion: "outside-region"
    case .feature(let code, _): code
    }
  }

  /// What is wrong and what to do, without the location.
  var message: String {
    switch self {
    case .fieldCount(let count, let expected):
      "\(count) \(count == 1 ? "field" : "fields"), header has \(expected); row skipped"
    case .unclosedQuote:
      "quote opened here never closes; reading continues at the next record"
    case .textAfterQuote:
      "text follows a closing quote; write \"\" for a quote inside quotes"
    case .halfCoordinate(let empty, let other):
      "\(empty) is empty, \(empty.other) is \(other); give both or neither"
    case .noCoordinate:
      "both coordinates are empty; fill them in, or leave `isStrict` out to keep the row unplaced"
    case .position(let error):
      error.description
    case .notDegrees(let latitude, let longitude):
      "latitude \(latitude), longitude \(longitude) are meters, not degrees; "
        + "name their CRS with `crs` EPSG:n"
    case .foreignSRID(let srid):
      "the point names SRID \(srid), and is not read as degrees on WGS 84; say `crs` EPSG:\(srid)"
    case .crs(let error):
      error.description
    case .nullIsland(let latitude, let longitude):
      "\(latitude),\(longitude) is what devices send when they have no fix; "
        + "if it is meant, pass `allowsNullIsland`"
    case .outsideRegion(let coordinate, let region):
      "\(coordinate) is \(roughLength(region.distance(to: coordinate))) outside \(region.name)"
        + (RowProblem.isSwapped(coordinate, in: region)
          ? ", and inside it if exchanged: these look swapped; "
          : "; ") + "correct it or widen `region`"
    case .feature(_, let message):
      message
    }
  }

  /// Whether a position lies in a region after swapping latitude and longitude.
  private static func isSwapped(_ position: Coordinate, in region: Region) -> Bool {
    abs(position.longitude) <= 90
      && region.contains(Coordinate(unchecked: position.longitude, position.latitude))
  }
}

/// A rejected record, for a file of rejects or a remark.
public struct RejectedRecord: Sendable {
  /// The source's name, as given to the importer.
  public let source: String
  /// The record's number in its source, from 1, without the header.
  public let record: Int
  /// The line of the problem, from 1.
  public let line: Int
  /// The offset of the record's first byte in the unpacked source, from 0; nil if the source was
  /// converted from another encoding, or is a database.
  public let byteOffset: Int?
  /// The problem.
  public let problem: RowProblem
  /// The record as written, without the line end; in UTF-8 if the source was converted.
  public let bytes: [UInt8]

  /// The location and the problem in one line.
  public var sentence: String {
    // Only a row with a wrong number of cells needs the byte, to find its cells in a hex viewer. Where one line holds
    // several records, it says too little.
    let place =
      if case .fieldCount = problem, let byteOffset {
        " (byte \(grouped(byteOffset)))"
      } else if record > line {
        " (record \(grouped(record)))"
      } else {
        ""
      }
    return "\(source):\(line)\(place): \(problem.message)"
  }
}

extension CoordinateAxis {
  var other: CoordinateAxis { self == .latitude ? .longitude : .latitude }
}
