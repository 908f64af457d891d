import Geodesy

/// The position columns of a header, for readers of rows other than annotations.
package struct PositionColumns: Sendable {
  /// The columns, counted from 0.
  package let latitude, longitude: Int
  private let hemispheres: HemisphereColumns
  private let minutes: (latitude: [Int], longitude: [Int])

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
    hemispheres = HemisphereColumns(columns, beside: (latitude, longitude))
    minutes = (
      CoordinateDetail.minutes(of: .latitude, beside: latitude, among: columns),
      CoordinateDetail.minutes(of: .longitude, beside: longitude, among: columns)
    )
    guard !roles.isPaired else { throw ImportError(source, .noCoordinateFields(columns: columns)) }
  }

  /// The texts of a row's coordinates, with the sign that a letter in a column of its own means; whole degrees with the
  /// minutes and seconds beside them, which are no number.
  ///
  /// - Parameter cell: The text of a column; nil for an empty one.
  package func texts(
    _ cell: (Int) -> String?
  ) -> (latitude: String?, longitude: String?) {
    func text(_ column: Int, _ minutes: [Int], _ letter: Int?) -> String? {
      guard let text = cell(column) else { return nil }
      if !minutes.isEmpty, CoordinateDetail.isWhole(text) {
        return ([text] + minutes.compactMap(cell)).joined(separator: " ")
      }
      let isNegative = HemisphereColumns.isNegative(letter.flatMap(cell))
      return isNegative && !text.hasPrefix("-") ? "-" + text : text
    }
    return (
      text(latitude, minutes.latitude, hemispheres.latitude),
      text(longitude, minutes.longitude, hemispheres.longitude)
    )
  }

  /// The column with a name, found as the importer of annotations does; nil if there is none.
  package static func place(of name: String, in columns: [String]) -> Int? {
    KnownNames.place(of: name, in: columns, normalized: columns.map(KnownNames.normalized))
  }
}
