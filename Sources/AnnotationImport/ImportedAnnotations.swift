import MapAnnotations

/// The kept records of one source or several, in the order of the sources and their records.
///
/// Values are cheap to copy and can be read from any number of tasks at once.
public struct ImportedAnnotations: RandomAccessCollection, Sendable {
  let tables: [SourceTable]
  /// Where records are read one by one; nil where `tables` hold them.
  let packed: (any PackedRecords)?
  /// Whether records are read where they are kept, and `tables` have none.
  var isPacked: Bool { packed != nil }
  /// The index of each table's first row.
  private let starts: [Int]
  /// How many records there are.
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

  /// Records that are read where they are kept, in their order there.
  package init(_ packed: any PackedRecords) {
    tables = packed.unpacking.tables
    self.packed = packed
    starts = tables.map { _ in 0 }
    endIndex = packed.count
  }

  /// The records of several imports, one behind another.
  public init(joining parts: some Sequence<ImportedAnnotations>) {
    let tables = parts.flatMap(\.tables)
    // One that is empty still says its name, its columns and what stands beside its features.
    self.init(tables: tables.filter { tables.count == 1 || !$0.latitudes.isEmpty })
  }

  /// The same records without an origin: for those whose numbers are of this moment, and whose ids differ.
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

  /// 0: indices count the records that were kept.
  public var startIndex: Int { 0 }

  /// One record.
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

  /// Whether no id comes before the one ahead of it; false when that is not known.
  ///
  /// Equal distances are then already in the order of results.
  public var idsAscend: Bool {
    // Equal ids on either side of a border would be ordered by the sources' names.
    packed == nil && tables.allSatisfy(\.idsAscend)
      && starts.dropFirst().allSatisfy { self[$0 - 1].id < self[$0].id }
  }

  /// What GeoJSON collections say beyond RFC 7946, as `metadata` or `name`; of a name that several
  /// sources have, what the first says.
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

  /// The names of the sources, in order; one may repeat.
  public var sources: [String] { tables.map(\.source) }

  /// The columns that `properties` can have, each once, in the order they first appear.
  ///
  /// GeoJSON features name their own, and add none.
  public var columns: [String] {
    tables.flatMap(\.columns).withoutRepeats
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
