import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import SpatialIndexing

/// An annotation as a row of a layer's table.
struct StoredRow {
  /// A key that sorts bytewise like ids: numbers by value, then texts by their bytes.
  let rank: [UInt8]
  let id: String
  let kind: String?
  /// Twelve characters of a geohash; empty without a position.
  let cell: String
  let coordinate: Coordinate?
  /// 0 for a point; *s* for a shape that reaches up to 4^s m from its position.
  let size: Int
  let feature: [UInt8]
  let properties: Properties

  /// The maximum length of a rank, in bytes, so that every id of 2,600 bytes is stored.
  ///
  /// An entry of a B-tree has at most 2,704 bytes: the rank with its header of 4, the cell of at most 13, and 8 of the
  /// entry itself, rounded up to a multiple of 8. That leaves 2,679; PostgreSQL may compress a rank, but need not succeed.
  static let maximumRankLength = 2_605

  init(_ annotation: ImportedAnnotation) {
    id = annotation.id.text
    rank = StoredRow.rank(of: annotation.id)
    kind = annotation.kind?.rawValue
    coordinate = annotation.coordinate
    cell = coordinate.map { "\(Geohash($0, precision: 12))" } ?? ""
    size = annotation.shape.map { StoredRow.size(of: $0, around: annotation.coordinate) } ?? 0
    properties = annotation.properties
    var json = JSONWriter()
    json.feature(StoredRow.feature(of: annotation, properties))
    feature = json.bytes
  }

  /// The annotation as a feature, with its stored fields, whatever its columns are called.
  private static func feature(
    of annotation: ImportedAnnotation, _ properties: Properties
  ) -> Feature {
    var feature =
      annotation.feature
      ?? Feature(
        id: .string(annotation.id.text),
        geometry: annotation.coordinate.map { .point(Position($0)) },
        properties: properties)
    StoredMember.put(annotation, into: &feature, isRow: annotation.feature == nil)
    return feature
  }

  /// The sort key of an id.
  static func rank(of id: AnnotationID) -> [UInt8] {
    let text = Array(id.text.utf8)
    guard id.isNumber else { return [3] + text }
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? Array(text.dropFirst()) : text
    // Longer numbers are larger; for equal lengths the digits decide. For negative numbers the order is reversed.
    let length = (0..<4).map { UInt8(truncatingIfNeeded: digits.count >> (24 - 8 * $0)) }
    let key = length + digits
    return isNegative ? [1] + key.map { ~$0 } : [2] + key
  }

  /// The condition that positions lie in some boxes, or up to some meters outside.
  ///
  /// - Parameter values: The bound values, to which this adds.
  static func isInside(
    _ boxes: [BoundingBox], wider meters: Double, _ values: inout [String?]
  ) -> String {
    let spans = PlaneSpan.cover(of: boxes.flatMap { PlaneSpan.spans(of: $0, wider: meters) })
    guard !spans.isEmpty else { return " AND false" }
    let parts = spans.map { span in
      for edge in [span.west, span.south, span.east, span.north] { values.append("\(edge)") }
      let last = values.count
      return
        "place::geometry && ST_MakeEnvelope($\(last - 3), $\(last - 2), $\(last - 1), $\(last), 4326)"
    }
    return " AND (" + parts.joined(separator: " OR ") + ")"
  }

  /// The SQL condition of ids that are texts and one of some numbers, such as `07`: they begin with a tab, a blank, a
  /// sign, a point or a digit.
  ///
  /// PostgreSQL's numbers have limits, which no id exceeds whose exponent has up to four digits. Ids with longer ones
  /// are included, whatever their number. The first test of a text is all that another server does by itself.
  ///
  /// - Parameter numbers: The SQL of an array of numbers.
  static func isText(ofNumberIn numbers: String) -> String {
    let isNumber = #"id ~ '^[ \t]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?[ \t]*$'"#
    return #"rank >= '\x0309'::bytea AND rank < '\x033a'::bytea AND \#(isNumber)"#
      + #" AND CASE WHEN id ~ '[eE][+-]?0*[1-9][0-9]{4}' THEN true WHEN \#(isNumber)"#
      + " THEN id::numeric = ANY(\(numbers)) ELSE false END"
  }

  /// A number as PostgreSQL reads it; nil if it has more digits, or begins more digits after the point, than an id with
  /// an exponent of up to four digits.
  static func numeric(_ number: DecimalNumber) -> String? {
    let (digits, exponent) = number.scaled
    guard digits.utf8.count <= maximumRankLength, exponent > -16_000 else { return nil }
    return "\(digits)e\(exponent)"
  }

  /// The size class of a shape, by its reach from its representative position.
  private static func size(of shape: GroundShape, around place: Coordinate?) -> Int {
    guard let place else { return 0 }
    var reach = 0.0
    shape.forEachEdge { start, end in
      let corner = Coordinate(
        unchecked: start.latitude, Coordinate.wrappedLongitude(start.longitude))
      // Whichever way an edge goes, no point of it is farther from both ends than half of its maximum length.
      let edge =
        111_700
        * (abs(end.latitude - start.latitude) + abs(end.longitude - start.longitude))
      reach = max(reach, place.distance(to: corner).meters + edge / 2)
    }
    // A shape that covers so large a part of the Earth may contain the antipode.
    guard reach < 5e6 else { return wholeEarth }
    var size = 1
    while StoredRow.reach(of: size) < reach { size += 1 }
    return size
  }

  /// The maximum reach of a size class, in meters.
  static func reach(of size: Int) -> Double {
    guard size > 0 else { return 0 }
    return size >= wholeEarth ? 21e6 : Double(1 << (2 * size))
  }

  /// The size class of shapes that may be anywhere.
  static let wholeEarth = 13

  // MARK: Binary rows

  /// The header of PostgreSQL's binary format for COPY.
  static let copyHead: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0]
    + [UInt8](repeating: 0, count: 8)
  static let copyEnd: [UInt8] = [0xFF, 0xFF]

  /// Appends the row in that format: rank, id, kind, cell, place, size, feature.
  func append(to bytes: inout [UInt8]) {
    func word<Word: FixedWidthInteger>(_ value: Word) {
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
    func field(_ content: some Collection<UInt8>) {
      word(Int32(content.count))
      bytes.append(contentsOf: content)
    }
    word(Int16(7))
    field(rank)
    field(id.utf8)
    if let kind { field(kind.utf8) } else { word(Int32(-1)) }
    field(cell.utf8)
    if let coordinate {
      // EWKB, little-endian: a point with an SRID.
      word(Int32(25))
      bytes.append(1)
      for value in [UInt32(0x2000_0001), 4326] {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
      }
      for value in [coordinate.longitude, coordinate.latitude] {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
      }
    } else {
      word(Int32(-1))
    }
    word(Int32(2))
    word(Int16(size))
    field(feature)
  }
}
