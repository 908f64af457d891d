import Geodesy
import MapAnnotations
import SpatialIndexing

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

extension SourceTable {
  /// The columns of `properties`; empty for GeoJSON.
  fileprivate var columns: [String] {
    switch rows {
    case .delimited(let rows):
      rows.columns.indices
        .filter { $0 != rows.roles.latitude && $0 != rows.roles.longitude }
        .map { rows.columns[$0] }
    case .features: []
    }
  }
}

/// The ids of records as text, for joins of millions of them: usually without making a string.
package struct IDTexts: Sendable {
  private let annotations: ImportedAnnotations
  /// Whether records are called by their number.
  private let areNumbers: Bool
  /// Kept here, because to look into a table counts a reference, for which several threads wait.
  private let numbering: RecordNumbering

  package init(_ annotations: ImportedAnnotations) {
    self.annotations = annotations
    guard annotations.tables.count == 1, !annotations.isPacked,
      case .delimited(let rows) = annotations.tables[0].rows, rows.roles.id == nil
    else {
      areNumbers = false
      numbering = RecordNumbering()
      return
    }
    areNumbers = true
    numbering = annotations.tables[0].numbering
  }

  /// Appends the text of a record's id as UTF-8: the same as `annotations[position].id.text`.
  package func append(of position: Int, to bytes: inout [UInt8]) {
    if areNumbers { return appendDecimal(numbering.record(ofRow: position), to: &bytes) }
    guard annotations.tables.count == 1, !annotations.isPacked,
      case .delimited(let rows) = annotations.tables[0].rows, let column = rows.roles.id,
      rows.appendID(ofRow: position, column: column, to: &bytes)
    else {
      bytes += annotations[position].id.text.utf8
      return
    }
  }
}

extension ImportedAnnotations {
  /// The position of a record, without making an annotation: the same as `self[position].coordinate`.
  package func coordinate(at position: Int) -> Coordinate? {
    guard tables.count == 1, !isPacked else { return self[position].coordinate }
    return tables[0].coordinate(ofRow: position)
  }
}

extension DelimitedRows {
  /// - Returns: Whether the id is just what its cell says.
  fileprivate func appendID(ofRow row: Int, column: Int, to text: inout [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = DelimitedReader(buffer, dialect: dialect, from: offsets[row])
      guard let cell = reader.cell(column), !cell.hasDoubledQuotes,
        !ContentID.isBlank(buffer[cell.range])
      else { return false }
      text.append(contentsOf: buffer[cell.range])
      return true
    }
  }
}

extension ImportedAnnotations {
  /// Whether the annotations are all features of one source without ids, so that their ids are 1,
  /// 2, … in order; false if unknown.
  package var areNumberedInOrder: Bool {
    guard !isPacked, tables.count == 1, case .features(let rows) = tables[0].rows,
      rows.naming == .numbers, rows.fields.namesIDsItself
    else { return false }
    return isEmpty || tables[0].numbering.record(ofRow: count - 1) == count
  }

  /// The names of the sources whose records have numbers as ids.
  package var numberedSources: [String] {
    tables.filter { $0.isNumbered && !$0.latitudes.isEmpty }.map(\.source)
  }

  /// How many records have an id that a record of an earlier source has, and the first of them; nil if there are none.
  ///
  /// Ids are compared by their hashes, which are the same for two different ones once in 2⁶⁴.
  ///
  /// - Complexity: O(length of the sources), and 8 to 16 bytes for each record; O(*s*) for *s* sources whose ids ascend.
  package var repeatsBetweenSources: (count: Int, id: AnnotationID, source: String)? {
    guard tables.count > 1, !isPacked, !idsAscend else { return nil }
    var earlier: Set<Int> = []
    var found: (count: Int, id: AnnotationID, source: String)?
    for table in tables {
      let hashes = table.latitudes.indices.map {
        ImportedAnnotation(table: table, row: $0).id.hashValue
      }
      for (row, hash) in hashes.enumerated() where earlier.contains(hash) {
        let id = found?.id ?? ImportedAnnotation(table: table, row: row).id
        found = ((found?.count ?? 0) + 1, id, found?.source ?? table.source)
      }
      earlier.formUnion(hashes)
    }
    return found
  }

  /// Which of `id`, `name` and `kind` are columns that only repeat the annotation's fields.
  package var roleColumns: Set<String> {
    func column(_ name: String, _ rows: DelimitedRows) -> Int? {
      switch name {
      case "id": rows.roles.id
      case "name": rows.roles.nameTemplate == nil ? rows.roles.name : nil
      default: rows.roles.kind
      }
    }
    return Set(
      ["id", "name", "kind"].filter { name in
        tables.allSatisfy { table in
          guard case .delimited(let rows) = table.rows else { return false }
          // Behind the columns are cells of a store, which nobody writes again.
          guard let place = column(name, rows), place < rows.columns.count else {
            return !rows.columns.contains(name)
          }
          return rows.columns[place] == name
        }
      })
  }
}

// MARK: Text rows

extension ImportedAnnotations {
  /// Calls `body` with each annotation in order, and with its text row; nil if it has no such row,
  /// or its cells are not its texts.
  ///
  /// - Complexity: O(*n*) for *n* bytes of source, which are read once more, and in order.
  package func forEachWithRow<Failure>(
    _ body: (ImportedAnnotation, TextRow?) throws(Failure) -> Void
  ) throws(Failure) {
    guard !isPacked else {
      for annotation in self { try body(annotation, nil) }
      return
    }
    for table in tables { try table.forEachRow(table.latitudes.count, { $0 }, body) }
  }
}

extension [ImportedAnnotation] {
  /// Calls `body` with each annotation in order, and with its text row; nil if it has none, or
  /// texts do not express all of it.
  ///
  /// Data shared by a table's rows is looked up once for consecutive rows.
  package func forEachWithRow<Failure>(
    _ body: (ImportedAnnotation, TextRow?) throws(Failure) -> Void
  ) throws(Failure) {
    var rest = self[...]
    while let table = rest.first?.table {
      let ofTable = rest.prefix { $0.table === table }
      rest = rest[ofTable.endIndex...]
      try table.forEachRow(ofTable.count, { ofTable[ofTable.startIndex + $0].row }, body)
    }
  }
}

extension SourceTable {
  /// Calls `body` with the annotation of each of some rows, and with its text row.
  ///
  /// - Parameter row: Gives each row by its place among them. Generic code over a collection of rows would look up its
  ///   types for each of them, which took a sixth of a server's answer.
  fileprivate func forEachRow<Failure>(
    _ count: Int, _ row: (Int) -> Int,
    _ body: (ImportedAnnotation, TextRow?) throws(Failure) -> Void
  ) throws(Failure) {
    guard case .delimited(let rows) = rows, let columns = textColumns else {
      for place in 0..<count { try body(ImportedAnnotation(table: self, row: row(place)), nil) }
      return
    }
    try rows.bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
      let source = UnsafeRawBufferPointer(buffer)
      var reader = DelimitedReader(buffer, dialect: rows.dialect)
      reader.reserve(columns.names.count)
      var cells: [UnsafeRawBufferPointer] = []
      cells.reserveCapacity(columns.names.count)
      var asked = 0
      for place in 0..<count {
        if place == asked {
          asked = min(asked + 16, count)
          askMemory(place..<asked, row, rows, source)
        }
        let annotation = ImportedAnnotation(table: self, row: row(place))
        reader.move(to: rows.offsets[annotation.row])
        try body(annotation, rows.textRow(of: annotation, &reader, source, columns, &cells))
      }
    }
  }

  /// Asks memory for what is read of the next rows, without waiting for it.
  ///
  /// What a search finds stands anywhere in the source, and reading it row by row would wait for each of them.
  private func askMemory(
    _ ahead: Range<Int>, _ row: (Int) -> Int, _ rows: DelimitedRows,
    _ source: UnsafeRawBufferPointer
  ) {
    for place in ahead {
      let row = row(place)
      latitudes.prefetch(row)
      longitudes.prefetch(row)
      rows.offsets.prefetch(row)
    }
    let text = UInt(bitPattern: source.baseAddress)
    for place in ahead {
      let start = text &+ UInt(rows.offsets[row(place)])
      Memory.prefetch(start)
      Memory.prefetch(start &+ 64)
    }
  }
}

extension DelimitedRows {
  /// The meaning of the columns; nil if they are more than plain texts.
  func textColumns(defaultKind: AnnotationKind?) -> TextColumns? {
    guard roles.validFrom == nil, roles.validUntil == nil, roles.nameTemplate == nil,
      columns.withoutRepeats.count == columns.count
    else { return nil }
    let found = KnownProperties(
      Properties(
        columns.enumerated().map {
          Properties.Entry(name: $0.element, value: .string(String($0.offset)))
        }))
    return TextColumns(
      names: columns.indices.map {
        $0 == roles.latitude || $0 == roles.longitude ? nil : columns[$0]
      } + repeatElement(nil, count: layout.hiddenCells),
      id: roles.id, name: roles.name, kind: roles.kind, openingHours: roles.hours,
      placeID: roles.place, defaultKind: defaultKind,
      foundName: found.name.flatMap { Int($0) }, foundKind: found.kind.flatMap { Int($0) })
  }

  /// Reads the cells of an annotation's row, which is next, in place; nil unless texts express all of it.
  fileprivate func textRow(
    of annotation: ImportedAnnotation, _ reader: inout DelimitedReader,
    _ source: UnsafeRawBufferPointer, _ columns: TextColumns,
    _ cells: inout [UnsafeRawBufferPointer]
  ) -> TextRow? {
    // Without a header, a row may have more cells than the first, or fewer.
    guard reader.next() != nil, reader.cellCount == columns.names.count else { return nil }
    cells.removeAll(keepingCapacity: true)
    for cell in reader.cells {
      if cell.hasDoubledQuotes { return nil }
      cells.append(UnsafeRawBufferPointer(rebasing: source[cell.range]))
    }
    // The substitute for a missing id is computed, so no cell has it.
    if let id = columns.id, ContentID.isBlank(cells[id]) { return nil }
    let number = annotation.table.numbering.record(ofRow: annotation.row)
    return TextRow(columns, number: number, cells: cells)
  }
}

extension Array {
  /// Asks memory for an element, without waiting for it.
  func prefetch(_ place: Int) {
    withUnsafeBufferPointer {
      Memory.prefetch(
        UInt(bitPattern: $0.baseAddress) &+ UInt(place &* MemoryLayout<Element>.stride))
    }
  }
}

// MARK: Subsets

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
