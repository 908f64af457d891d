import Geodesy
import MapProjections

/// What is wrong with one record of a source.
///
/// `code` is its name for programs, and `sentence` says it to people, beginning with the place in
/// the source.
public enum RowProblem: Error, Sendable {
  /// Another number of cells than the header has.
  case fieldCount(Int, expected: Int)
  /// A quote that is opened and never properly closed.
  case unclosedQuote
  /// One coordinate cell is empty or null; holds the other's text.
  case halfCoordinate(empty: Axis, other: String)
  /// Both coordinate cells are empty or null, which only a strict import rejects.
  case noCoordinate
  /// Cells that are no legal position: not a number, out of range, or exchanged.
  case position(CoordinateError)
  /// Numbers so large that they are metres on a plane, as they were written.
  case notDegrees(latitude: String, longitude: String)
  /// A point in a reference system that its text names and that is not read.
  case foreignSRID(Int)
  /// Numbers of a CRS that have no position on WGS 84.
  case crs(CRSError)
  /// Both coordinates are smaller than 0.0005°, as they were written, or both numbers of a plane 0.
  case nullIsland(latitude: String, longitude: String)
  /// A legal position outside the region that was asked for.
  ///
  /// How far it lies outside is found only when the sentence is asked for: it takes longer than
  /// reading the record.
  case outsideRegion(Coordinate, RegionCheck)
  /// Not a GeoJSON feature; holds the reader's code and sentence.
  case feature(code: String, message: String)

  /// One of the two coordinates.
  public typealias Axis = CoordinateAxis

  /// The problem's name, for programs: `row-fields`, `lat-range`.
  public var code: String {
    switch self {
    case .fieldCount: "row-fields"
    case .unclosedQuote: "row-quote"
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

  /// What is wrong and what to do, without the place.
  var message: String {
    switch self {
    case .fieldCount(let count, let expected):
      "\(count) \(count == 1 ? "field" : "fields"), header has \(expected); row skipped"
    case .unclosedQuote:
      "quote opened here never closes; continuing at the next record"
    case .halfCoordinate(let empty, let other):
      "\(empty) is empty, \(empty.other) is \(other); give both or neither"
    case .noCoordinate:
      "both coordinates are empty; fill them in, or leave --strict out to keep the row unplaced"
    case .position(let error):
      error.description
    case .notDegrees(let latitude, let longitude):
      "latitude \(latitude), longitude \(longitude) are metres, not degrees; "
        + "name their CRS with --crs EPSG:n"
    case .foreignSRID(let srid):
      "the point names SRID \(srid), and is not read as degrees on WGS 84; say --crs EPSG:\(srid)"
    case .crs(let error):
      error.description
    case .nullIsland(let latitude, let longitude):
      "\(latitude),\(longitude) is what devices send when they have no fix; "
        + "if it is meant, pass --allow-null-island"
    case .outsideRegion(let coordinate, let region):
      "\(coordinate) is \(roughLength(region.distance(coordinate))) outside \(region.name)"
        + (RowProblem.isSwapped(coordinate, in: region)
          ? ", and inside it if exchanged: these look swapped; "
          : "; ") + "correct it or widen --region"
    case .feature(_, let message):
      message
    }
  }

  /// Whether a position lies in a region once latitude and longitude are exchanged.
  private static func isSwapped(_ position: Coordinate, in region: RegionCheck) -> Bool {
    abs(position.longitude) <= 90
      && region.contains(Coordinate(unchecked: position.longitude, position.latitude))
  }
}

/// A record that was left out, for a file of rejects or a remark.
public struct RejectedRecord: Sendable {
  /// The source's name, as it was given to the importer.
  public let source: String
  /// The record's number in its source, from 1, the header not counted.
  public let record: Int
  /// The line the problem is on, from 1.
  public let line: Int
  /// The offset of the record's first byte in the unpacked source, from 0.
  public let byteOffset: Int
  /// What is wrong with it.
  public let problem: RowProblem
  /// The record as it was written, without the line end.
  public let bytes: [UInt8]

  /// The place and the problem in one line.
  public var sentence: String {
    RejectedRecord.sentence(problem, source: source, line: line, byteOffset: byteOffset)
  }

  static func sentence(
    _ problem: RowProblem, source: String, line: Int, byteOffset: Int
  ) -> String {
    // Only a miscounted row needs the byte: its cells are found with a hex viewer.
    let byte = if case .fieldCount = problem { " (byte \(grouped(byteOffset)))" } else { "" }
    return "\(source):\(line)\(byte): \(problem.message)"
  }
}

extension CoordinateAxis {
  var other: CoordinateAxis { self == .latitude ? .longitude : .latitude }
}
