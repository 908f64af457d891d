import Geodesy

/// What columns beside those of a coordinate's number say of it.
enum CoordinateDetail: Equatable {
  /// The letter of the hemisphere, where numbers have no sign: `N/S`, `lat_dir`, `GPSLatitudeRef`.
  case hemisphere
  /// Minutes or seconds beside whole degrees.
  case minutes
  /// The greatest value, beside which `lat_min` is the least.
  case maximum

  /// What a column of this name says, and of which coordinate; nil for any other name.
  static func of(_ name: String) -> (axis: CoordinateAxis, detail: CoordinateDetail)? {
    let words = CoordinateNames.words(of: KnownNames.normalized(spaced(name)))
    let text = words.joined()
    if ["ns", "남북", "북위남위", "南北"].contains(text) { return (.latitude, .hemisphere) }
    if ["ew", "동서", "동경서경", "東西"].contains(text) { return (.longitude, .hemisphere) }
    let together = runTogether.first { text.hasSuffix($0) }
    guard let word = words.last(where: { details[$0] != nil }) ?? together,
      let detail = details[word]
    else { return nil }
    let head = text.dropLast(together?.count ?? 0)
    let others = words + [String(head), String(head.dropFirst(head.hasPrefix("gps") ? 3 : 0))]
    let axis = [CoordinateAxis.latitude, .longitude].first { axis in
      others.contains { CoordinateNames.words(for: axis).contains($0) }
    }
    return axis.map { ($0, detail) }
  }

  /// Whether a column of this name says it of a coordinate.
  func isSaid(of axis: CoordinateAxis, by name: String) -> Bool {
    CoordinateDetail.of(name).map { $0 == (axis, self) } ?? false
  }

  /// Words that are found also where no sign parts them from the coordinate's: `latdir`.
  private static let runTogether = ["hemisphere", "hemi", "direction", "dir", "ref"]

  private static let details: [String: CoordinateDetail] = {
    var details: [String: CoordinateDetail] = [:]
    for word in [
      "dir", "direction", "hem", "hemi", "hemisphere", "ref", "ns", "ew", "방향", "方向",
    ] { details[word] = .hemisphere }
    for word in [
      "min", "mins", "minute", "minutes", "분", "分", "sec", "secs", "second", "seconds", "초", "秒",
    ] { details[word] = .minutes }
    for word in ["max", "maximum"] { details[word] = .maximum }
    return details
  }()

  /// `latRef` as two words.
  private static func spaced(_ name: String) -> String {
    var spaced = ""
    for character in name {
      if character.isUppercase, spaced.last?.isLowercase ?? false { spaced.append(" ") }
      spaced.append(character)
    }
    return spaced
  }

  /// The columns of minutes and seconds of a coordinate; empty beside a column of the greatest value.
  static func minutes(
    of axis: CoordinateAxis, beside column: Int, among names: [String]
  ) -> [Int] {
    func columns(_ detail: CoordinateDetail) -> [Int] {
      names.indices.filter { $0 != column && detail.isSaid(of: axis, by: names[$0]) }
    }
    return columns(.maximum).isEmpty ? columns(.minutes) : []
  }

  /// Whether a text is a number of degrees without a part.
  static func isWhole(_ text: String) -> Bool {
    1...3 ~= text.utf8.count(where: \.isASCIIDigit) && !text.utf8.contains(UInt8(ascii: "."))
  }
}

// MARK: - For other readers

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

/// The columns with the letters of hemispheres beside columns of numbers, as loggers write them: `N/S`, `lat_dir`.
package struct HemisphereColumns: Hashable, Sendable {
  let latitude, longitude: Int?

  init(_ names: [String], beside position: (latitude: Int, longitude: Int)) {
    func column(_ axis: CoordinateAxis, beside own: Int) -> Int? {
      names.indices.first {
        $0 != own && CoordinateDetail.hemisphere.isSaid(of: axis, by: names[$0])
      }
    }
    latitude = column(.latitude, beside: position.latitude)
    longitude = column(.longitude, beside: position.longitude)
  }

  /// Whether there are any.
  var isEmpty: Bool { latitude == nil && longitude == nil }

  /// Whether a letter or word means the south or the west; `lat_ref` may also hold `WGS84`.
  static func isNegative(_ letter: String?) -> Bool {
    letter.map { negativeWords.contains(KnownNames.normalized($0)) } ?? false
  }

  private static let negativeWords: Set<String> = [
    "s", "w", "south", "west", "남", "서", "남위", "서경", "南", "西", "南緯", "西経",
  ]
}
