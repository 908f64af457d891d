/// The position columns of a header, for readers of rows other than annotations.
package struct PositionColumns: Hashable, Sendable {
  /// The columns, counted from 0; equal if one column has both.
  package let latitude, longitude: Int
  /// Whether a column of both has the longitude first.
  package let isLongitudeFirst: Bool

  /// Finds the columns as the importer of annotations does.
  ///
  /// - Parameters:
  ///   - columns: The header's cells.
  ///   - latitudeField: The column's name if given, and the same for the longitude.
  /// - Throws: `ImportError` if a coordinate has no column or several, or a name is missing.
  package init(
    _ columns: [String], latitudeField: String?, longitudeField: String?, source: String
  ) throws(ImportError) {
    var options = ImportOptions()
    options.latitudeField = latitudeField
    options.longitudeField = longitudeField
    let roles = try ColumnRoles(columns, options: options, source: source)
    latitude = roles.latitude
    longitude = roles.longitude
    isLongitudeFirst = roles.isLongitudeFirst
  }

  /// The column with a name, found as the importer of annotations does; nil if there is none.
  package static func place(of name: String, in columns: [String]) -> Int? {
    KnownNames.place(of: name, in: columns, normalized: columns.map(KnownNames.normalized))
  }
}
