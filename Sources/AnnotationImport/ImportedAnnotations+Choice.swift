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
        .delimited(
          DelimitedRows(
            bytes: rows.bytes, dialect: rows.dialect, layout: rows.layout,
            offsets: rows.offsets.keeping(chosen)))
      case .features(let rows):
        .features(
          FeatureRows(
            bytes: rows.bytes, starts: rows.starts.keeping(chosen),
            ends: rows.ends.keeping(chosen), fields: rows.fields, naming: rows.naming,
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
