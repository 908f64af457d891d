import GeoJSONCoding
import Geodesy
import MapAnnotations

/// The kept records of one or several sources, in the order of the sources and their records.
///
/// Values are cheap to copy and can be read from any number of tasks at once.
public struct ImportedAnnotations: RandomAccessCollection, Sendable {
  let tables: [SourceTable]
  /// The storage of records that are read one by one; nil if `tables` hold them.
  let packed: (any PackedRecords)?
  /// Whether records are in packed storage, and `tables` have none.
  var isPacked: Bool { packed != nil }
  /// The index of each table's first row.
  private let starts: [Int]
  /// The number of records.
  public let endIndex: Int

  init(_ table: SourceTable) { self.init(tables: [table]) }

  private init(tables: [SourceTable]) {
    self.tables = tables
    packed = nil
    var starts: [Int] = []
    var count = 0
    for table in tables {
      starts.append(count)
      count += table.latitudes.count
    }
    self.starts = starts
    endIndex = count
  }

  /// Makes a collection of records in packed storage, in their order there.
  package init(_ packed: any PackedRecords) {
    tables = packed.unpacking.tables
    self.packed = packed
    starts = tables.map { _ in 0 }
    endIndex = packed.count
  }

  /// Joins the records of several imports in order.
  public init(joining parts: some Sequence<ImportedAnnotations>) {
    let tables = parts.flatMap(\.tables)
    // A header without records still names columns, and a single empty table all that it has.
    self.init(
      tables: tables.filter {
        tables.count == 1 || !$0.latitudes.isEmpty || !$0.columns.isEmpty
      })
  }

  /// The same records without an origin: for records with arbitrary numbers and distinct ids.
  package var withoutOrigins: ImportedAnnotations {
    precondition(packed == nil, "records in an index file have their numbers")
    return ImportedAnnotations(
      tables: tables.map { table in
        SourceTable(
          source: table.source, latitudes: table.latitudes, longitudes: table.longitudes,
          numbering: table.numbering, idsAscend: table.idsAscend, defaultKind: table.defaultKind,
          rows: table.rows, isNumbered: table.isNumbered, hasOrigins: false)
      })
  }

  /// Always 0: indices count the kept records.
  public var startIndex: Int { 0 }

  /// The record at an index.
  ///
  /// - Precondition: `position` is at least 0 and less than `endIndex`.
  /// - Complexity: O(1) for one source, O(log *s*) for *s* sources.
  public subscript(position: Int) -> ImportedAnnotation {
    precondition(indices.contains(position), "there is no annotation \(position) of \(count)")
    if let packed { return packed.annotation(position) }
    if tables.count == 1 { return ImportedAnnotation(table: tables[0], row: position) }
    let (place, row) = place(of: position)
    return ImportedAnnotation(table: tables[place], row: row)
  }

  /// The position of a record, without making an annotation: the same as `self[position].coordinate`.
  package func coordinate(at position: Int) -> Coordinate? {
    guard tables.count == 1, !isPacked else { return self[position].coordinate }
    return tables[0].coordinate(ofRow: position)
  }

  /// The table of a record, and its row there.
  func place(of position: Int) -> (table: Int, row: Int) {
    let place = starts.partitioningCount { $0 <= position } - 1
    return (place, position - starts[place])
  }

  /// Whether every id is at least the previous one; false if unknown.
  ///
  /// Results at equal distances are then already in order.
  public var idsAscend: Bool {
    // Equal ids of two sources would be ordered by the sources' names.
    packed == nil && tables.allSatisfy(\.idsAscend)
      && starts.dropFirst().allSatisfy {
        // A table without records may be the first or the last.
        $0 == 0 || $0 == count || self[$0 - 1].id < self[$0].id
      }
  }

  /// The members of GeoJSON collections beyond RFC 7946, such as `metadata` or `name`; the first
  /// source with a name wins.
  public var collectionMembers: Properties {
    var members = Properties()
    var seen: Set<ExactText> = []
    for case .features(let rows) in tables.map(\.rows) {
      for entry in rows.collectionMembers.entries
      where seen.insert(ExactText(entry.name)).inserted {
        members.append(entry.name, entry.value)
      }
    }
    return members
  }

  /// The names of the sources, each once, in order.
  public var sources: [String] { tables.map(\.source).withoutRepeats }

  /// The columns that `properties` can have, each once, in the order of their first occurrence.
  ///
  /// GeoJSON features have their own names, which are not included.
  public var columns: [String] { tables.flatMap(\.columns).withoutRepeats }

  /// The columns that may hold names, where the sources are tables without a known column for them or for ids: all that
  /// are not known for something else.
  package var columnsForNames: [String] {
    var names: [String] = []
    for table in tables {
      guard case .delimited(let rows) = table.rows, rows.roles.id == nil,
        rows.roles.name == nil, rows.roles.nameTemplate == nil
      else { return [] }
      let roles = rows.roles
      let known = [roles.kind, roles.hours, roles.place, roles.validFrom, roles.validUntil]
      names += table.columns.filter { name in
        !KnownNames.address.contains(KnownNames.normalized(name))
          && !known.contains { $0.map { rows.columns[$0] } == name }
      }
    }
    return names.withoutRepeats
  }

  /// The names of the properties of GeoJSON features; nil where a source is none, or all would have to be read again.
  package var featureColumns: [String]? {
    var names: [String] = []
    for table in tables {
      guard case .features(let rows) = table.rows, let columns = rows.columns else { return nil }
      names += columns
    }
    return names.withoutRepeats
  }
}

// MARK: - One of them

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
        coordinate: coordinate, openingHours: fields.hours(of: scanned),
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
  public var business: BusinessRecord { statedBusiness ?? BusinessRecord() }

  /// The same; nil where its source has no column about this, or nothing there.
  package var statedBusiness: BusinessRecord? {
    let properties =
      switch table.rows {
      case .delimited(let rows): rows.filledCells(ofRow: row, columns: rows.layout.business)
      case .features(let rows): rows.properties(ofRow: row, if: rows.topics.business)
      }
    return properties.isEmpty
      ? nil : BusinessRecord(reading: properties, isOffer: kind == .deal)
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

  /// Whether it may have some of `TimesColumns`.
  package var mayHaveTimesColumns: Bool { table.mayHaveTimesColumns }

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

// MARK: - Subsets

extension ImportedAnnotations {
  /// A subset of the records in the same order, as if the import had left out the others.
  ///
  /// Each record keeps its number, id and content, and the sources their names and columns.
  ///
  /// - Parameter offsets: The offsets to keep, ascending, without duplicates.
  /// - Precondition: Every offset is one of `indices`.
  /// - Complexity: O(*k* + *s*) for *k* offsets and *s* sources, and a number for each omitted record. The bytes of the
  ///   sources are shared.
  public func keeping(_ offsets: [Int]) -> ImportedAnnotations {
    precondition(
      zip(offsets, offsets.dropFirst()).allSatisfy { $0 < $1 }, "offsets do not ascend")
    if let packed { return ImportedAnnotations(ChosenRecords(packed, offsets)) }
    var rest = offsets[...]
    var end = 0
    let parts = tables.map { table in
      let start = end
      end += table.latitudes.count
      let chosen = rest.prefix { $0 < end }
      rest = rest.dropFirst(chosen.count)
      return ImportedAnnotations(table.keeping(chosen.map { $0 - start }))
    }
    precondition(rest.isEmpty, "there is no annotation \(rest.first ?? 0) of \(count)")
    return ImportedAnnotations(joining: parts)
  }
}

extension SourceTable {
  fileprivate func keeping(_ chosen: [Int]) -> SourceTable {
    let rows: Rows =
      switch rows {
      case .delimited(let rows):
        .delimited(rows.over(rows.bytes, rows.offsets.keeping(chosen)))
      case .features(let rows):
        .features(
          FeatureRows(
            rows.records.keeping(chosen), fields: rows.fields, naming: rows.naming,
            collectionMembers: rows.collectionMembers, plane: rows.plane,
            hasShapes: rows.hasShapes, arePoints: rows.arePoints, topics: rows.topics))
      }
    return SourceTable(
      source: source, latitudes: chosen.map { latitudes[$0] },
      longitudes: chosen.map { longitudes[$0] }, numbering: numbering.keeping(chosen),
      idsAscend: idsAscend, defaultKind: defaultKind, rows: rows, isNumbered: isNumbered)
  }
}

/// A subset of packed records.
private final class ChosenRecords: PackedRecords {
  private let records: any PackedRecords
  private let chosen: [Int]

  init(_ records: any PackedRecords, _ chosen: [Int]) {
    self.records = records
    self.chosen = chosen
  }

  var count: Int { chosen.count }
  var unpacking: RecordUnpacking { records.unpacking }
  func annotation(_ row: Int) -> ImportedAnnotation { records.annotation(chosen[row]) }
  func bytes(ofRow row: Int) -> [UInt8]? { records.bytes(ofRow: chosen[row]) }
}
