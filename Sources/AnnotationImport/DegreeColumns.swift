/// Two adjacent columns of degrees, recognized by their numbers alone if no names exist.
///
/// Both have numbers in every filled cell, including the first record's, most with at least three
/// decimals; one stays within ±90 and the other exceeds it, so that their order is certain. Ages,
/// heights and hours do not look like that.
struct DegreeColumns {
  let latitude: Int
  let longitude: Int

  /// The number of records examined; in a file sorted by country the first thousand may all lie
  /// within 90° of Greenwich.
  private static let recordsToWeigh = 20_000

  /// The contents of one column.
  private struct Column {
    var filled = 0
    var precise = 0
    var passes90 = false
    var holdsOther = false

    func isDegrees(of records: Int) -> Bool {
      !holdsOther && filled > 0 && filled * 2 >= records && precise * 4 >= filled * 3
    }
  }

  /// nil if several pairs of columns match, or none.
  init?(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, dialect: DelimitedDialect
  ) {
    var reader = DelimitedReader(bytes, dialect: dialect, from: start)
    var columns: [Column] = []
    var records = 0
    while records < DegreeColumns.recordsToWeigh, let record = reader.next() {
      if record.isBlank || record.unclosedQuoteLine != nil { continue }
      if records == 0 { columns = Array(repeating: Column(), count: reader.cellCount) }
      records += 1
      for column in 0..<min(columns.count, reader.cellCount) where !columns[column].holdsOther {
        let cell = reader[column]
        if RowChecks.isNull(cell, in: bytes) { continue }
        guard let number = WrittenDecimal(cell, in: bytes), abs(number.value) <= 180,
          records > 1 || number.digits > 0
        else {
          columns[column].holdsOther = true
          continue
        }
        columns[column].filled += 1
        if number.digits >= 3 { columns[column].precise += 1 }
        if abs(number.value) > 90 { columns[column].passes90 = true }
      }
    }
    var found: [(latitude: Int, longitude: Int)] = []
    for left in columns.indices.dropLast() {
      let right = left + 1
      guard columns[left].isDegrees(of: records), columns[right].isDegrees(of: records),
        columns[left].passes90 != columns[right].passes90
      else { continue }
      found.append(columns[right].passes90 ? (left, right) : (right, left))
    }
    guard found.count == 1 else { return nil }
    (latitude, longitude) = found[0]
  }
}

/// The position columns of a header, for readers of rows other than annotations.
package struct PositionColumns: Hashable, Sendable {
  /// The columns, counted from 0.
  package let latitude, longitude: Int

  /// Finds two columns as the importer of annotations does.
  ///
  /// - Parameters:
  ///   - columns: The header's cells.
  ///   - latitudeField: The column's name if given, and the same for the longitude.
  /// - Throws: `ImportError` if a coordinate has no column or several, one column has both, or a name is missing.
  package init(
    _ columns: [String], latitudeField: String?, longitudeField: String?, source: String
  ) throws(ImportError) {
    var options = ImportOptions()
    options.latitudeField = latitudeField
    options.longitudeField = longitudeField
    let roles = try ColumnRoles(columns, options: options, source: source)
    latitude = roles.latitude
    longitude = roles.longitude
    guard !roles.isPaired else { throw ImportError(source, .noCoordinateFields(columns: columns)) }
  }

  /// The column with a name, found as the importer of annotations does; nil if there is none.
  package static func place(of name: String, in columns: [String]) -> Int? {
    KnownNames.place(of: name, in: columns, normalized: columns.map(KnownNames.normalized))
  }
}
