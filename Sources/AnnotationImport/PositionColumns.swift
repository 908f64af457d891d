/// The columns of a header that hold positions: what readers of other rows than annotations need.
package struct PositionColumns: Hashable, Sendable {
  /// The columns, counted from 0; the same where one holds both.
  package let latitude, longitude: Int
  /// Whether a column of both has the longitude first.
  package let isLongitudeFirst: Bool

  /// Finds them as the importer of annotations does.
  ///
  /// - Parameters:
  ///   - columns: The header's cells.
  ///   - latitudeField: The column's name where it was said, and the same for the longitude.
  /// - Throws: `ImportError` when a coordinate has no column or several, or a name is not there.
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

  /// A name as it is compared with known ones.
  package static func normalized(_ name: String) -> String { KnownNames.normalized(name) }
}

extension ImportError {
  /// No column of a header holds the position.
  package init(noCoordinatesIn columns: [String], source: String) {
    self.init(source, .noCoordinateFields(columns: columns))
  }

  /// An option names a column that is not there.
  package init(unknownField name: String, option: String, in columns: [String], source: String) {
    self.init(source, .unknownField(name, option: option, columns: columns))
  }
}
