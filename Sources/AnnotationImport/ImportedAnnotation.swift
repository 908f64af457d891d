import GeoJSONCoding
import Geodesy
import MapAnnotations

/// One record of a source, as an annotation.
///
/// It is a row number and a reference to its source, so a million of them cost only their
/// coordinates. All other fields are read from the source's bytes on demand.
///
/// - Complexity: `coordinate` and `origin` are O(1) and O(log *r*) for *r* rejected records; every
///   other member reads its record again, O(its length).
public struct ImportedAnnotation: StorableAnnotation {
  let table: SourceTable
  let row: Int

  /// The position; nil for a record without one.
  public var coordinate: Coordinate? { table.coordinate(ofRow: row) }

  /// The id from the id column or feature, or a substitute.
  ///
  /// If the source has no ids at all, the id is the record number. If other records have one, a number might equal
  /// another record's id, and would change when a record is inserted before it. So the id is then `no-id-` and a digest
  /// of the record's content. Such a record is identified only by its content: if that changes it is another record,
  /// and two records with the same content share an id.
  public var id: AnnotationID {
    switch table.rows {
    case .delimited(let rows): rows.id(ofRow: row, record: record)
    case .features(let rows): rows.id(ofRow: row, record: record)
    }
  }

  /// The column or property `place_id`; nil if it is empty or null.
  public var placeID: String? {
    switch table.rows {
    case .delimited(let rows): rows.value(ofRow: row, column: rows.roles.place)
    case .features(let rows): rows.placeID(ofRow: row)
    }
  }

  /// The column or property of names, or several combined; nil if it is empty or null.
  public var name: String? {
    switch table.rows {
    case .delimited(let rows): rows.name(ofRow: row)
    case .features(let rows): rows.name(ofRow: row)
    }
  }

  /// The kind, or the import's default kind.
  public var kind: AnnotationKind? {
    let written: String? =
      switch table.rows {
      case .delimited(let rows): rows.value(ofRow: row, column: rows.roles.kind)
      case .features(let rows): rows.kind(ofRow: row)
      }
    return written.map { AnnotationKind(rawValue: $0) } ?? table.defaultKind
  }

  /// The column or property of opening hours; nil if it is empty or null.
  public var openingHours: String? {
    switch table.rows {
    case .delimited(let rows): rows.value(ofRow: row, column: rows.roles.hours)
    case .features(let rows): rows.openingHours(ofRow: row)
    }
  }

  /// The days from the columns `valid_from` and `valid_until`; a text that is not a date is
  /// left out, caused a warning on import, and leaves days of ``calendar`` undecided.
  public var validDates: [DateSpan] {
    switch table.rows {
    case .delimited(let rows): rows.validDates(ofRow: row)
    case .features(let rows): rows.validDates(ofRow: row)
    }
  }

  /// The source's columns in order, including id, name and kind, without the two coordinates, which
  /// are in `coordinate`; for a feature, its properties.
  public var properties: Properties {
    switch table.rows {
    case .delimited(let rows): rows.properties(ofRow: row)
    case .features(let rows): rows.feature(ofRow: row).properties ?? Properties()
    }
  }

  /// Whether `properties` may have names that are none of its source's `columns`.
  package var mayHaveOtherColumns: Bool {
    guard case .delimited(let rows) = table.rows else { return true }
    return rows.layout.mayLackNames
  }

  /// Its GeoJSON feature, with the whole geometry and the original id; nil for a row of a table.
  public var feature: Feature? {
    switch table.rows {
    case .delimited: nil
    case .features(let rows): completed(rows.feature(ofRow: row), of: rows)
    }
  }

  private func completed(_ feature: Feature, of rows: FeatureRows) -> Feature? {
    if rows.fields.areStored, StoredMember.isRow(feature) { return nil }
    var feature = feature
    // The shape cannot be transformed to degrees again; use its representative position.
    if feature.geometry == nil { feature.geometry = coordinate.map { .point(Position($0)) } }
    // It only repeats the annotation.
    if rows.fields.areStored { feature.foreignMembers[StoredMember.name] = nil }
    return feature
  }

  /// What its members say, each of which reads the record again: all of them and its feature, which is read once.
  ///
  /// The shape is only that of the feature.
  package var whole: (common: BasicAnnotation, feature: Feature?) {
    guard case .features(let rows) = table.rows else {
      return (BasicAnnotation(copying: self), nil)
    }
    return rows.scanned(row) { scanned in
      let fields = rows.fields
      let feature = rows.feature(of: scanned)
      let common = BasicAnnotation(
        id: rows.id(of: scanned, record: record),
        placeID: fields.text(KnownNames.place, of: scanned), name: fields.name(of: scanned),
        kind: fields.text(fields.kind, of: scanned).map { AnnotationKind(rawValue: $0) }
          ?? table.defaultKind,
        coordinate: coordinate, openingHours: fields.text(fields.hours, of: scanned),
        validDates: fields.validDates(of: scanned).spans,
        properties: feature.properties ?? Properties(), origin: origin)
      return (common, completed(feature, of: rows))
    }
  }

  /// The original id of a GeoJSON feature, a number or a string; nil if it has none or is not a
  /// feature.
  public var featureID: PropertyValue? { feature?.id }

  /// The source's name and the record number.
  ///
  /// nil for rows that a database returned in an arbitrary order.
  public var origin: RecordOrigin? {
    table.hasOrigins ? RecordOrigin(source: table.source, record: record) : nil
  }

  private var record: Int { table.numbering.record(ofRow: row) }

  /// Whether the place is in business, from its source; see `Annotation.business`.
  ///
  /// - Complexity: O(1) without a column about this; otherwise that of reading the record again.
  public var business: BusinessRecord {
    let properties =
      switch table.rows {
      case .delimited(let rows): rows.filledCells(ofRow: row, columns: rows.layout.business)
      case .features(let rows): rows.properties(ofRow: row, if: rows.topics.business)
      }
    return properties.isEmpty
      ? BusinessRecord() : BusinessRecord(reading: properties, isOffer: kind == .deal)
  }

  /// Its first filled address column or property.
  ///
  /// - Complexity: That of reading the record again.
  package var address: String? {
    switch table.rows {
    case .delimited(let rows):
      rows.layout.addresses.lazy.compactMap { rows.value(ofRow: row, column: $0) }.first
    case .features(let rows): rows.address(ofRow: row)
    }
  }

  /// The text of its closing-day columns; see `Annotation.closingDays`.
  ///
  /// - Complexity: O(1) without such a column; otherwise that of reading the record again.
  public var closingDays: String? {
    let properties =
      switch table.rows {
      case .delimited(let rows): rows.filledCells(ofRow: row, columns: rows.layout.closingDays)
      case .features(let rows): rows.properties(ofRow: row, if: rows.topics.closingDays)
      }
    return ClosingDayColumns.text(of: properties)
  }

  /// The valid days and sessions; see `Annotation.calendar`.
  ///
  /// - Complexity: O(1) without a column about this; otherwise that of reading the record again.
  public var calendar: AnnotationCalendar {
    let properties =
      switch table.rows {
      case .delimited(let rows): rows.properties(ofRow: row, columns: rows.layout.dates)
      case .features(let rows): rows.properties(ofRow: row, if: rows.topics.calendars)
      }
    return AnnotationCalendar(reading: properties, validDates: validDates)
  }

  /// The lines, polygons or several points of its GeoJSON feature, in degrees; nil for one point,
  /// for no geometry, and for a row of a table.
  ///
  /// `coordinate` is one position that represents them.
  ///
  /// - Complexity: That of reading the feature again.
  public var geometry: Geometry? {
    guard case .features(let rows) = table.rows, let geometry = rows.geometry(ofRow: row),
      !geometry.isEmpty, !geometry.isPoint
    else { return nil }
    return geometry
  }

  /// The same as a shape on the ground, for indexes; nil for one point, and if the import reduced
  /// shapes to representative positions.
  ///
  /// - Complexity: That of reading the feature again.
  public var shape: GroundShape? {
    guard case .features(let rows) = table.rows, rows.hasShapes, coordinate != nil else {
      return nil
    }
    // Positions off the Earth were rejected on import.
    return (try? geometry?.groundShape())?.shape
  }

  /// Whether its feature may be more than a point, also where it is used as one.
  package var mayBeShape: Bool {
    if case .features(let rows) = table.rows { !rows.arePoints } else { false }
  }

  /// The property with a name; a cell that is empty, `\N` or `NULL` is null.
  ///
  /// - Complexity: O(its record), and O(1) for a column that its table does not have; only the one cell becomes a
  ///   string.
  public func property(_ name: String) -> PropertyValue? {
    switch table.rows {
    case .delimited(let rows): rows.property(ofRow: row, name)
    case .features(let rows): rows.property(ofRow: row, name)
    }
  }

  /// The same with the text of each cell as written, as in `properties`: what is shown, not what it means.
  package func writtenProperty(_ name: String) -> PropertyValue? {
    switch table.rows {
    case .delimited(let rows): rows.writtenProperty(ofRow: row, name)
    case .features(let rows): rows.property(ofRow: row, name)
    }
  }

  /// Whether its hours are those of a known name, so that they are read again without options.
  ///
  /// - Complexity: O(1), but for options and stores that name the hours of features: O(its record).
  package var hasKnownHours: Bool {
    switch table.rows {
    case .delimited(let rows): rows.layout.hasKnownHours
    case .features(let rows): rows.hasKnownHours(row)
    }
  }
}

/// The kept records of one source, immutable once built.
final class SourceTable: Sendable {
  /// The data from which records are read again.
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
  /// Whether ids are record numbers, which change when a record is inserted.
  let isNumbered: Bool
  /// Whether a record's number identifies it; false if rows come in any order.
  let hasOrigins: Bool
  /// Whether its rows are those of a store, in which a record's line is its number.
  let isStored: Bool
  /// What `textColumns` has made: most questions read no row as text.
  private let madeTextColumns = SharedValue<TextColumns?>(nil)

  init(
    source: String, latitudes: [Double], longitudes: [Double], numbering: RecordNumbering,
    idsAscend: Bool, defaultKind: AnnotationKind?, rows: Rows, isNumbered: Bool? = nil,
    hasOrigins: Bool = true, isStored: Bool = false
  ) {
    self.hasOrigins = hasOrigins
    self.isStored = isStored
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
  }

  /// The meaning of its rows' columns; nil for features, and if columns are more than plain texts.
  var textColumns: TextColumns? {
    guard case .delimited(let rows) = rows else { return nil }
    return madeTextColumns.withLock { made in
      made = made ?? rows.textColumns(defaultKind: defaultKind)
      return made
    }
  }

  /// The position of a row; nil if it has none.
  @inline(__always)
  func coordinate(ofRow row: Int) -> Coordinate? {
    let latitude = latitudes[row]
    return latitude.isNaN ? nil : Coordinate(unchecked: latitude, longitudes[row])
  }

  /// The line where a record begins, from 1.
  func line(ofRow row: Int) -> Int {
    if isStored { return numbering.record(ofRow: row) }
    return switch rows {
    case .delimited(let rows):
      rows.bytes.withUnsafeBufferPointer { bytes in
        let end: UInt8 = rows.dialect.endsAtCarriageReturn ? .carriageReturn : .lineFeed
        return bytes[..<rows.offsets[row]].count { $0 == end } + 1
      }
    case .features(let rows):
      rows.records.bytes[..<rows.records.starts[row]].count { $0 == .lineFeed } + 1
    }
  }

  /// Whether a row may have hours, closing days, dates or sessions, or a cell under one of `names`.
  fileprivate func maySpeakOfTime(or names: [String]) -> Bool {
    switch rows {
    case .delimited(let rows):
      rows.roles.hours != nil || !rows.layout.dates.isEmpty || !rows.layout.closingDays.isEmpty
        || rows.columns.contains(where: names.contains)
    case .features(let rows):
      rows.topics.hours || rows.topics.validDates || rows.topics.calendars
        || rows.topics.closingDays || names.contains(where: rows.topics.mayHave)
    }
  }
}

extension ImportedAnnotations {
  /// The rows that may have opening hours, days or sessions: all except those of tables without
  /// such a column.
  ///
  /// - Parameter names: Further columns that count, none of them a number.
  /// - Returns: Rows, ascending.
  package func rows(withTimesOr names: [String]) -> [Int] {
    guard !isPacked else { return Array(indices) }
    var rows: [Int] = []
    var start = 0
    for table in tables {
      let end = start + table.latitudes.count
      if table.maySpeakOfTime(or: names) { rows += start..<end }
      start = end
    }
    return rows
  }

  /// Whether some annotations may be lines or areas, not single points.
  public var hasShapes: Bool {
    tables.contains { table in
      if case .features(let rows) = table.rows { rows.hasShapes } else { false }
    }
  }
}
