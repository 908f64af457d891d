/// Column names that say what a column holds, in the languages of the sources at hand.
///
/// Compared without regard to case and to blanks around them. The order is that of preference,
/// except for coordinates, where a second candidate is an error and never a guess.
enum KnownNames {
  static let latitude = ["lat", "latitude", "위도", "緯度", "y", "좌표정보(y)"]
  static let longitude = ["lon", "lng", "long", "longitude", "경도", "経度", "x", "좌표정보(x)"]
  static let id = ["id"]
  static let name = [
    "name", "이름", "명칭", "사업장명", "상호명", "상호", "시설명", "도서관명", "시장명", "축제명",
    "名称", "名前", "店舗名", "施設名", "クーポン名", "title", "제목",
  ]
  static let place = ["place_id", "placeid"]
  static let kind = ["kind", "종류", "업종", "업태구분명", "種別", "種類", "業種"]
  static let hours = [
    "opening_hours", "openinghours", "opening hours", "hours", "영업시간", "운영시간", "営業時間",
  ]
  static let validFrom = ["valid_from"]
  static let validUntil = ["valid_until"]

  /// A name as it is compared.
  static func normalized(_ name: String) -> String {
    let blanks: Set<Character> = [" ", "\t", "\u{FEFF}", "\u{3000}"]
    var rest = name[...]
    while let first = rest.first, blanks.contains(first) { rest.removeFirst() }
    while let last = rest.last, blanks.contains(last) { rest.removeLast() }
    return rest.lowercased()
  }
}

/// Which column of a source holds what, each counted from 0.
struct ColumnRoles: Hashable, Sendable {
  let latitude: Int
  let longitude: Int
  let id: Int?
  let name: Int?
  let place: Int?
  let kind: Int?
  let hours: Int?
  let validFrom: Int?
  let validUntil: Int?

  /// Takes the columns in the order in which they stand above; nil without both coordinates.
  init?(places: [Int?]) {
    guard places.count == 9, let latitude = places[0], let longitude = places[1] else {
      return nil
    }
    self.latitude = latitude
    self.longitude = longitude
    id = places[2]
    name = places[3]
    place = places[4]
    kind = places[5]
    hours = places[6]
    validFrom = places[7]
    validUntil = places[8]
  }

  /// Finds the columns in a header.
  ///
  /// - Throws: `ImportError` when a coordinate has no column or several, or an option names one
  ///   that is not there.
  init(_ columns: [String], options: ImportOptions, source: String) throws(ImportError) {
    let names = columns.map(KnownNames.normalized)

    func coordinate(_ axis: RowProblem.Axis) throws(ImportError) -> Int {
      let isLatitude = axis == .latitude
      if let chosen = isLatitude ? options.latitudeField : options.longitudeField {
        return try column(
          named: chosen, option: isLatitude ? "--lat-field" : "--lon-field", in: columns)
      }
      let known = isLatitude ? KnownNames.latitude : KnownNames.longitude
      let found = names.indices.filter { known.contains(names[$0]) }
      guard let first = found.first else {
        throw ImportError(source, .noCoordinateFields(columns: columns))
      }
      guard found.count == 1 else {
        throw ImportError(
          source, .ambiguousCoordinateFields(axis, columns: found.map { columns[$0] }))
      }
      return first
    }

    func optional(
      _ chosen: String?, _ option: String, _ known: [String]
    ) throws(ImportError) -> Int? {
      if let chosen { return try column(named: chosen, option: option, in: columns) }
      for name in known {
        if let place = names.firstIndex(of: name) { return place }
      }
      return nil
    }

    func column(
      named name: String, option: String, in columns: [String]
    ) throws(ImportError) -> Int {
      // As written first, so that columns that differ only by case can both be named.
      if let exact = columns.firstIndex(of: name) { return exact }
      if let place = names.firstIndex(of: KnownNames.normalized(name)) { return place }
      throw ImportError(source, .unknownField(name, option: option, columns: columns))
    }

    latitude = try coordinate(.latitude)
    longitude = try coordinate(.longitude)
    id =
      options.idField == ImportOptions.recordNumberField
      ? nil : try optional(options.idField, "--id-field", KnownNames.id)
    name = try optional(options.nameField, "--name-field", KnownNames.name)
    place = try optional(nil, "", KnownNames.place)
    kind = try optional(options.kindField, "--kind-field", KnownNames.kind)
    hours = try optional(options.hoursField, "--hours-field", KnownNames.hours)
    validFrom = try optional(nil, "", KnownNames.validFrom)
    validUntil = try optional(nil, "", KnownNames.validUntil)
  }
}

extension ImportOptions {
  /// What `idField` is where ids are the record numbers.
  public static let recordNumberField = "#"

  /// Whether a record names a column for each coordinate.
  func findsCoordinates(in columns: [String]) -> Bool {
    let names = Set(columns.map(KnownNames.normalized))
    func holds(_ chosen: String?, _ known: [String]) -> Bool {
      chosen.map { names.contains(KnownNames.normalized($0)) } ?? !names.isDisjoint(with: known)
    }
    return holds(latitudeField, KnownNames.latitude) && holds(longitudeField, KnownNames.longitude)
  }
}
