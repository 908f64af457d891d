import GeoJSONCoding
import Geodesy
import MapAnnotations

/// One record of a source, as an annotation.
///
/// It is a row number and a reference to its source, so a million cost what their coordinates
/// cost. Everything but the coordinate is read from the source's bytes when it is asked for.
///
/// - Complexity: `coordinate` and `origin` are O(1) and O(log *r*) for *r* rejected records; every
///   other member reads its record again, O(its length).
public struct ImportedAnnotation: Annotation {
  let table: SourceTable
  let row: Int

  /// Where it is; nil for a record without a position.
  public var coordinate: Coordinate? {
    let latitude = table.latitudes[row]
    return latitude.isNaN ? nil : Coordinate(unchecked: latitude, table.longitudes[row])
  }

  /// What its id column or feature says, or what stands for a missing id.
  ///
  /// That is the record's number where the source has no ids at all. Where other records have one, a
  /// number might be another record's id, and would pass on to another record when one is put in
  /// before it; so it is `no-id-` and a digest of what the record says. Such a record has no identity
  /// but its content: when that changes it is another record, and two that say the same share an id.
  public var id: AnnotationID {
    switch table.rows {
    case .delimited(let rows): rows.id(ofRow: row, record: record)
    case .features(let rows): rows.id(ofRow: row, record: record)
    }
  }

  /// What a column or property `place_id` says; nil when that is empty or null.
  public var placeID: String? {
    switch table.rows {
    case .delimited(let rows): rows.value(ofRow: row, column: rows.roles.place)
    case .features(let rows): rows.value(ofRow: row, KnownNames.place)
    }
  }

  /// What its column or property of names says, or several of them together; nil when that is empty
  /// or null.
  public var name: String? {
    switch table.rows {
    case .delimited(let rows): rows.name(ofRow: row)
    case .features(let rows): rows.name(ofRow: row)
    }
  }

  /// Its kind, or the one that the import gives to every annotation without.
  public var kind: AnnotationKind? {
    let written: String? =
      switch table.rows {
      case .delimited(let rows): rows.value(ofRow: row, column: rows.roles.kind)
      case .features(let rows): rows.value(ofRow: row, rows.fields.kind)
      }
    return written.map { AnnotationKind(rawValue: $0) } ?? table.defaultKind
  }

  /// What its column or property of opening hours says; nil when that is empty or null.
  public var openingHours: String? {
    switch table.rows {
    case .delimited(let rows): rows.value(ofRow: row, column: rows.roles.hours)
    case .features(let rows): rows.value(ofRow: row, rows.fields.hours)
    }
  }

  /// What the columns `valid_from` and `valid_until` say; a text there that is no date says
  /// nothing, and was a warning when the source was read.
  public var validDates: [DateSpan] {
    switch table.rows {
    case .delimited(let rows): rows.validDates(ofRow: row)
    case .features(let rows): rows.validDates(ofRow: row)
    }
  }

  /// The source's own columns in order, id, name and kind among them, without the two coordinates,
  /// which `coordinate` has; of a feature, its properties.
  public var properties: Properties {
    switch table.rows {
    case .delimited(let rows): rows.properties(ofRow: row)
    case .features(let rows): rows.feature(ofRow: row).properties ?? Properties()
    }
  }

  /// All that the source says, the coordinates as they were written; of a feature, its properties.
  public var sourceRecord: Properties {
    switch table.rows {
    case .delimited(let rows): rows.record(ofRow: row)
    case .features(let rows): rows.feature(ofRow: row).properties ?? Properties()
    }
  }

  /// The GeoJSON feature it was read from, with its whole geometry and its id as it was written;
  /// nil for a row of a table.
  public var feature: Feature? {
    switch table.rows {
    case .delimited: return nil
    case .features(let rows):
      var feature = rows.feature(ofRow: row)
      // Its position stands for a shape that cannot be brought to degrees again.
      if feature.geometry == nil { feature.geometry = coordinate.map { .point(Position($0)) } }
      // It was added on the way here, and says nothing that the annotation does not.
      if !feature.foreignMembers.isEmpty { feature.foreignMembers[StoredMember.name] = nil }
      return feature
    }
  }

  /// The id of a GeoJSON feature as its source wrote it, a number or a string; nil when it has
  /// none or is no feature.
  public var featureID: PropertyValue? { feature?.id }

  /// The source's name and its record number there.
  ///
  /// nil for what a database gave in an order of the moment.
  public var origin: RecordOrigin? {
    table.hasOrigins ? RecordOrigin(source: table.source, record: record) : nil
  }

  private var record: Int { table.numbering.record(ofRow: row) }
}

/// The kept records of one source, immutable once built.
final class SourceTable: Sendable {
  /// What records are read from again.
  enum Rows: Sendable {
    case delimited(DelimitedRows)
    case features(FeatureRows)
  }

  let source: String
  /// Degrees; NaN for a row without a position.
  let latitudes: [Double]
  let longitudes: [Double]
  let numbering: RecordNumbering
  let idsAscend: Bool
  let defaultKind: AnnotationKind?
  let rows: Rows
  /// Whether ids are made of record numbers: a record that is put in gives the others another.
  let isNumbered: Bool
  /// Whether a record's number identifies it; false where rows come in any order.
  let hasOrigins: Bool
  /// What the columns of its rows say; nil for features, and where columns say more than texts do.
  let textColumns: TextColumns?

  init(
    source: String, latitudes: [Double], longitudes: [Double], numbering: RecordNumbering,
    idsAscend: Bool, defaultKind: AnnotationKind?, rows: Rows, isNumbered: Bool? = nil,
    hasOrigins: Bool = true
  ) {
    self.hasOrigins = hasOrigins
    let hasNumbers =
      switch rows {
      case .delimited(let rows): rows.roles.id == nil
      case .features(let rows): rows.naming == .numbers
      }
    self.isNumbered = isNumbered ?? hasNumbers
    self.source = source
    self.latitudes = latitudes
    self.longitudes = longitudes
    self.numbering = numbering
    self.idsAscend = idsAscend
    self.defaultKind = defaultKind
    self.rows = rows
    textColumns =
      if case .delimited(let rows) = rows { rows.textColumns(defaultKind: defaultKind) } else {
        nil
      }
  }
}

extension SourceTable {
  /// Reads what the first filled column or property of addresses of a row says.
  var addressReader: (Int) -> String? {
    switch rows {
    case .delimited(let rows):
      let columns = rows.addressColumns
      return { row in
        columns.lazy.compactMap { rows.value(ofRow: row, column: $0) }.first
      }
    case .features(let rows): return { rows.value(ofRow: $0, KnownNames.address) }
    }
  }

  /// The line a record begins on, from 1.
  func line(ofRow row: Int) -> Int {
    switch rows {
    case .delimited(let rows):
      rows.bytes.withUnsafeBufferPointer { bytes in
        let end: UInt8 = rows.dialect.endsAtCarriageReturn ? .carriageReturn : .lineFeed
        return bytes[..<rows.offsets[row]].count { $0 == end } + 1
      }
    case .features(let rows): rows.bytes[..<rows.starts[row]].count { $0 == .lineFeed } + 1
    }
  }
}
