import GeoJSONCoding
import Geodesy
import MapAnnotations

// Records in an index file: the bytes of each record in its source, and once for all records the
// data needed to read them. Reading them gives the same annotations, to the last column.

/// Writes annotations so that each can be read alone.
package struct RecordPacking {
  private let annotations: ImportedAnnotations

  package init(_ annotations: ImportedAnnotations) { self.annotations = annotations }

  /// The data common to all records, as one JSON object.
  package var frame: [UInt8] { RecordPacking.frame(annotations.tables) }

  /// The data common to the records of one table, as those are read that are renumbered from its first.
  package func frame(ofTable table: Int) -> [UInt8] {
    RecordPacking.frame([annotations.tables[table]])
  }

  private static func frame(_ tables: [SourceTable]) -> [UInt8] {
    PropertyValue.object(["tables": .array(tables.map { .object($0.frame) })]).json
  }

  /// The table of a record.
  package func table(ofRow row: Int) -> Int { annotations.place(of: row).table }

  /// Appends a record: the number of its table, its own number in the source, its position, its text.
  package func append(_ row: Int, to bytes: inout [UInt8]) {
    let (place, row) = annotations.place(of: row)
    let table = annotations.tables[place]
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }
    append(UInt64(place))
    append(UInt64(table.numbering.record(ofRow: row)))
    let coordinate = table.coordinate(ofRow: row)
    append((coordinate?.latitude ?? .nan).bitPattern)
    append((coordinate?.longitude ?? .nan).bitPattern)
    switch table.rows {
    case .delimited(let rows): bytes += rows.text(ofRow: row)
    case .features(let rows): bytes += rows.text(ofRow: row)
    }
  }
}

/// Reads the bytes that `RecordPacking` wrote; malicious bytes cannot crash it.
package struct RecordUnpacking: Sendable {
  /// Tables without rows.
  let tables: [SourceTable]

  /// nil if the frame is invalid.
  ///
  /// - Parameter source: The current name of the source; nil for the name in the frame.
  package init?(frame: [UInt8], source: String? = nil) {
    guard let value = try? PropertyValue(json: frame), case .object(let members) = value,
      case .array(let frames)? = members["tables"]
    else { return nil }
    var tables: [SourceTable] = []
    for case .object(var frame) in frames {
      if let source { frame["source"] = .string(source) }
      guard let table = SourceTable(frame: frame) else { return nil }
      tables.append(table)
    }
    guard tables.count == frames.count else { return nil }
    self.tables = tables
  }

  /// The annotation of a record; nil if the bytes are invalid.
  package func annotation(_ bytes: [UInt8]) -> ImportedAnnotation? {
    guard let header = header(of: bytes) else { return nil }
    return tables[header.table].table(
      record: header.record, latitude: header.latitude, longitude: header.longitude,
      text: Array(bytes[RecordUnpacking.headerLength...])
    )
    .map { ImportedAnnotation(table: $0, row: 0) }
  }

  /// The number of bytes before the text of a record.
  static let headerLength = 32
  /// Far more than any source has, so that numbers in damaged bytes can be added.
  private static let lastRecord = 1 << 48

  /// Renumbers a record relative to another one.
  ///
  /// - Parameters:
  ///   - bytes: The record, whose numbers are reduced; unchanged if the bytes are invalid.
  ///   - first: The number of the record that is to be the first, from 1.
  ///   - table: The number of its table.
  package static func renumber(_ bytes: inout [UInt8], from first: Int, ofTable table: Int) {
    guard bytes.count >= headerLength else { return }
    bytes.withUnsafeMutableBytes {
      for (place, less) in [(0, table), (8, first - 1)] {
        let number = UInt64(
          littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        $0.storeBytes(
          of: (number &- UInt64(less)).littleEndian, toByteOffset: place, as: UInt64.self)
      }
    }
  }

  /// The header of a record; nil if the bytes are invalid.
  func header(
    of bytes: [UInt8]
  ) -> (table: Int, record: Int, latitude: Double, longitude: Double)? {
    guard bytes.count >= RecordUnpacking.headerLength else { return nil }
    func number(_ place: Int) -> UInt64 {
      bytes.withUnsafeBytes {
        UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      }
    }
    guard let place = Int(exactly: number(0)), tables.indices.contains(place),
      let record = Int(exactly: number(8)), (1...RecordUnpacking.lastRecord).contains(record)
    else { return nil }
    let latitude = Double(bitPattern: number(16)), longitude = Double(bitPattern: number(24))
    guard latitude.isNaN || (-90...90).contains(latitude) && (-180...180).contains(longitude)
    else { return nil }
    return (place, record, latitude, longitude)
  }
}

/// Annotations that are read one by one from storage, such as an index file.
package protocol PackedRecords: AnyObject, Sendable {
  /// The number of annotations.
  var count: Int { get }
  /// The data needed to read the annotations.
  var unpacking: RecordUnpacking { get }
  /// An annotation; if it cannot be read, the implementation remembers that and returns any other.
  func annotation(_ row: Int) -> ImportedAnnotation
  /// The bytes of an annotation; nil if they cannot be read, which the implementation remembers.
  func bytes(ofRow row: Int) -> [UInt8]?
}

extension ImportedAnnotations {
  /// Packed records, read into memory in the order of their sources.
  ///
  /// - Returns: nil where some row is not a record, or cannot be read, which the storage remembers.
  /// - Precondition: They are packed.
  /// - Complexity: O(*n* log *n*) for *n* records, which are read twice.
  package func inOrderOfSources() -> ImportedAnnotations? {
    guard let packed else { preconditionFailure("they are in memory") }
    let unpacking = packed.unpacking
    var places: [[(record: Int, row: Int)]] = unpacking.tables.map { _ in [] }
    for row in 0..<packed.count {
      guard let header = packed.bytes(ofRow: row).flatMap(unpacking.header(of:)) else { return nil }
      places[header.table].append((header.record, row))
    }
    var parts: [ImportedAnnotations] = []
    for (table, places) in zip(unpacking.tables, places) {
      guard let whole = table.reading(places.sorted { $0 < $1 }, packed) else { return nil }
      parts.append(ImportedAnnotations(whole))
    }
    return ImportedAnnotations(joining: parts)
  }
}

extension ImportResult {
  /// The records of an index file.
  ///
  /// - Parameter rejected: The number of records that are not in it, by code.
  package init(annotations: ImportedAnnotations, rejected: [String: Int]) {
    var report = ImportReport()
    report.placed = annotations.count { $0.coordinate != nil }
    report.unplaced = annotations.count - report.placed
    report.rejected = rejected
    report.records = annotations.count + report.rejectedCount
    self.init(annotations: annotations, report: report)
  }
}

extension RecordUnpacking {
  /// A placeholder for a record that cannot be read.
  package static let missing: ImportedAnnotation = {
    let text = Array(#"{"type":"Feature","geometry":null,"properties":null}"#.utf8)
    let rows = FeatureRows(
      KeptRecords(only: text), fields: FeatureFields(ImportOptions()), naming: .numbers,
      collectionMembers: Properties())
    return ImportedAnnotation(
      table: SourceTable(
        source: "", latitudes: [.nan], longitudes: [.nan], numbering: RecordNumbering(),
        idsAscend: true, defaultKind: nil, rows: .features(rows)), row: 0)
  }()
}

// MARK: Tables

extension SourceTable {
  fileprivate var frame: Properties {
    var frame: Properties = ["source": .string(source)]
    frame.append("kind", defaultKind.map { .string($0.rawValue) } ?? .null)
    switch rows {
    case .delimited(let rows):
      frame.append("delimiter", .integer(Int(rows.dialect.delimiter[0])))
      if rows.dialect.delimiter.count > 1 {
        frame.append(
          "delimiterTail",
          .array(rows.dialect.delimiter.dropFirst().map { .integer(Int($0)) }))
      }
      frame.append("quote", rows.dialect.quote.map { .integer(Int($0)) } ?? .null)
      frame.append("carriageReturn", .bool(rows.dialect.endsAtCarriageReturn))
      frame.append("columns", .array(rows.columns.map { .string($0) }))
      frame.append("roles", .array(rows.roles.places.map { $0.map { .integer($0) } ?? .null }))
      if rows.layout.hiddenCells > 0 { frame.append("hidden", .integer(rows.layout.hiddenCells)) }
      if let names = rows.roles.nameTemplate {
        frame.append("names", .string(names.template.source))
      }
    case .features(let rows):
      frame.append("fields", .array(rows.fields.lists.map { .array($0.map { .string($0) }) }))
      if let names = rows.fields.nameTemplate { frame.append("names", .string(names.source)) }
      // Only then the id of a record without one is not its number.
      if rows.naming == .mixed { frame.append("naming", .string(rows.naming.rawValue)) }
      frame.append("members", .object(rows.collectionMembers))
      frame.append("shapes", .bool(rows.hasShapes))
      frame.append("stored", .bool(rows.fields.areStored))
      if let columns = rows.columns { frame.append("columns", .array(columns.map { .string($0) })) }
    }
    return frame
  }

  /// A table without rows; nil if the frame is invalid.
  fileprivate convenience init?(frame: Properties) {
    guard let source = frame["source"]?.text else { return nil }
    let rows: Rows
    if let delimiter = frame["delimiter"]?.byte {
      guard case .bool(let endsAtCarriageReturn)? = frame["carriageReturn"],
        case .array(let columns)? = frame["columns"], case .array(let places)? = frame["roles"],
        var roles = ColumnRoles(places: places.map(\.place))
      else { return nil }
      let hiddenCells = frame["hidden"]?.place ?? 0
      // Only damaged bytes say more.
      guard hiddenCells <= DelimitedReader.cellLimit else { return nil }
      let names = columns.map { $0.text ?? "" }
      if let template = frame["names"]?.text { roles.takeNames(by: template, from: names) }
      rows = .delimited(
        DelimitedRows(
          bytes: [],
          dialect: DelimitedDialect(
            delimiter: [delimiter] + (frame["delimiterTail"]?.bytes ?? []),
            quote: frame["quote"]?.byte,
            endsAtCarriageReturn: endsAtCarriageReturn),
          layout: ColumnLayout(columns: names, roles: roles, hiddenCells: hiddenCells),
          offsets: RowOffsets()))
    } else {
      guard case .array(let lists)? = frame["fields"],
        case .object(let members)? = frame["members"],
        // Files of earlier versions do not say it.
        let fields = FeatureFields(
          lists: lists.map(\.strings), areStored: frame["stored"] != .bool(false))
      else { return nil }
      rows = .features(
        FeatureRows(
          KeptRecords(), fields: fields.naming(by: frame["names"]?.text),
          naming: frame["naming"]?.text.flatMap(RecordNaming.init(rawValue:)) ?? .numbers,
          collectionMembers: members,
          // Files of earlier versions lack these members.
          hasShapes: frame["shapes"] != .bool(false), columns: frame["columns"]?.strings))
    }
    self.init(
      source: source, latitudes: [], longitudes: [], numbering: RecordNumbering(),
      idsAscend: true, defaultKind: frame["kind"]?.text.map { AnnotationKind(rawValue: $0) },
      rows: rows)
  }

  /// A table of one row; nil if its text is invalid.
  fileprivate func table(
    record: Int, latitude: Double, longitude: Double, text: [UInt8]
  ) -> SourceTable? {
    let only: Rows
    switch rows {
    case .delimited(let rows):
      only = .delimited(rows.over(text, KeptRecords(only: text).starts))
    case .features(let rows):
      // A feature that cannot be read later would crash, so it is read now.
      guard text.withUnsafeBufferPointer({ ScannedFeature($0) != nil }) else { return nil }
      only = .features(
        FeatureRows(
          KeptRecords(only: text), fields: rows.fields, naming: rows.naming,
          collectionMembers: Properties(), hasShapes: rows.hasShapes))
    }
    return SourceTable(
      source: source, latitudes: [latitude], longitudes: [longitude],
      numbering: RecordNumbering(first: record), idsAscend: true, defaultKind: defaultKind,
      rows: only)
  }

  /// The same table with the records at these places; nil if one of them cannot be read.
  fileprivate func reading(
    _ places: [(record: Int, row: Int)], _ packed: any PackedRecords
  ) -> SourceTable? {
    var kept = KeptRecords()
    var latitudes: [Double] = []
    var longitudes: [Double] = []
    var numbering = RecordNumbering()
    var names = SeenNames()
    var hasIDs = false
    var next = 1
    for (record, row) in places {
      guard let bytes = packed.bytes(ofRow: row), let header = packed.unpacking.header(of: bytes)
      else { return nil }
      let content = bytes[RecordUnpacking.headerLength...]
      if case .features(let rows) = rows {
        let isFeature = content.withUnsafeBufferPointer {
          guard let feature = ScannedFeature($0) else { return false }
          names.read(feature)
          if latitudes.isEmpty { hasIDs = rows.fields.id(of: feature) != nil }
          return true
        }
        guard isFeature else { return nil }
      }
      numbering.skip(afterRows: latitudes.count, record - next)
      next = record + 1
      latitudes.append(header.latitude)
      longitudes.append(header.longitude)
      // The last row of a source may end without a line feed.
      kept.append(content, line: latitudes.count)
    }
    let whole: Rows =
      switch rows {
      case .delimited(let rows): .delimited(rows.over(kept.bytes, kept.starts))
      case .features(let rows):
        .features(
          FeatureRows(
            kept, fields: rows.fields,
            // The file only says whether some have ids and others not: if not, the first tells all.
            naming: hasIDs && rows.naming == .numbers ? .own : rows.naming,
            collectionMembers: rows.collectionMembers, hasShapes: rows.hasShapes,
            columns: names.names))
      }
    return SourceTable(
      source: source, latitudes: latitudes, longitudes: longitudes, numbering: numbering,
      idsAscend: false, defaultKind: defaultKind, rows: whole)
  }
}

extension DelimitedRows {
  /// The bytes of a row.
  fileprivate func text(ofRow row: Int) -> [UInt8] {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = DelimitedReader(buffer, dialect: dialect, from: offsets[row])
      guard reader.next() != nil else { return [] }
      return Array(buffer[offsets[row]..<reader.position])
    }
  }
}

extension ColumnRoles {
  fileprivate var places: [Int?] {
    [latitude, longitude, id, name, place, kind, hours, validFrom, validUntil]
  }
}

extension PropertyValue {
  fileprivate var strings: [String] {
    if case .array(let values) = self { values.compactMap(\.text) } else { [] }
  }

  /// The value of a JSON number that is an integer; nil otherwise.
  package var wholeNumber: Int? { if case .number(let text) = self { Int(text) } else { nil } }

  /// The same, if it is an index in a row.
  fileprivate var place: Int? { wholeNumber.flatMap { $0 < 0 ? nil : $0 } }

  fileprivate var bytes: [UInt8] {
    if case .array(let values) = self { values.compactMap(\.byte) } else { [] }
  }

  fileprivate var byte: UInt8? { place.flatMap { UInt8(exactly: $0) } }
}
