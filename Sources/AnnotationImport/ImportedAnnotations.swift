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
  public var columns: [String] {
    tables.flatMap(\.columns).withoutRepeats
  }

  /// The names of the properties of GeoJSON features; nil where a source is none, or all would have to be read again.
  package var featureColumns: [String]? {
    guard packed == nil else { return nil }
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
