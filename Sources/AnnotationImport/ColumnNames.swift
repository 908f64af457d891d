import GeoJSONCoding
import Geodesy
import MapAnnotations

/// Known column names, in the languages of the supported sources.
///
/// Case and surrounding spaces are ignored. The order is that of preference, except for
/// coordinates, where a second candidate is an error and never a guess.
enum KnownNames {
  static let latitude = ["lat", "latitude", "위도", "緯度", "y", "좌표정보(y)"]
  static let longitude = ["lon", "lng", "long", "longitude", "경도", "経度", "x", "좌표정보(x)"]
  static let id = ["id", "uid", "address_id"]
  static let name = [
    "name", "이름", "명칭", "사업장명", "상호명", "상호", "시설명", "도서관명", "시장명", "축제명",
    "행사명", "주차장명", "업소명", "매장명", "점포명", "지점명", "관광지명", "장소명", "지하철역명", "역명",
    "병원명", "약국명", "학교명", "기관명", "영화관명", "공원명", "화장실명", "단체명",
    "名称", "名前", "店舗名", "施設名", "クーポン名", "店名", "商号", "イベント名", "駅名", "公園名",
    "学校名", "病院名", "title", "제목", "theatername", "eventname",
    "branchname", "branch", "article_title", "nick",
  ]
  /// Addresses; names for addresses of buildings first.
  static let address = [
    "address", "addr", "주소", "소재지도로명주소", "도로명주소", "도로명전체주소", "소재지주소", "소재지",
    "소재지지번주소", "지번주소", "소재지전체주소", "소재지번지", "住所", "所在地", "店舗住所", "所在地_連結表記",
    "full_address", "road_address",
  ]
  static let place = ["place_id", "placeid"]
  static let kind = ["kind", "종류", "업종", "업태구분명", "種別", "種類", "業種", "marttype", "brand"]
  static let hours = [
    "opening_hours", "openinghours", "opening hours", "hours", "영업시간", "운영시간", "営業時間",
  ]
  static let validFrom = ["valid_from"]
  static let validUntil = ["valid_until"]

  /// The column that is taken for the hours without options.
  static func hoursColumn(of columns: [String]) -> Int? {
    let names = columns.map(normalized)
    return hours.lazy.compactMap { names.firstIndex(of: $0) }.first
  }

  /// A name prepared for comparison.
  static func normalized(_ name: String) -> String {
    let blanks: Set<Character> = [" ", "\t", "\u{FEFF}", "\u{3000}"]
    return trimmed(name, where: blanks.contains).lowercased()
  }
}

/// The role of each column of a source, counted from 0.
///
/// One column may hold both coordinates; it then has both roles.
struct ColumnRoles: Hashable, Sendable {
  let latitude: Int
  let longitude: Int
  let id: Int?
  let name: Int?
  /// The template of a name made from several columns; `name` is nil then.
  private(set) var nameTemplate: ColumnTemplate?
  let place: Int?
  let kind: Int?
  let hours: Int?
  let validFrom: Int?
  let validUntil: Int?
  /// Whether a column of both coordinates has the longitude first.
  private(set) var isLongitudeFirst: Bool

  /// Whether one column holds both coordinates.
  var isPaired: Bool { latitude == longitude }

  /// The column of both coordinates if there is none: no row is so wide, so its cell is always
  /// missing, and a row without its cells has no position.
  static let noColumn = Int(Int32.max)
  /// Whether no column holds coordinates.
  var areUnplaced: Bool { latitude == ColumnRoles.noColumn }

  /// Takes the columns in the order of declaration above; nil unless both coordinates have one.
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
    isLongitudeFirst = false
  }

  /// Finds the columns in a header.
  ///
  /// - Parameter coordinates: The columns of both coordinates, if they were found other than by
  ///   name.
  /// - Throws: `ImportError` if a coordinate has no column or several, or an option names a missing
  ///   one.
  init(
    _ columns: [String], options: ImportOptions, source: String,
    coordinates: (latitude: Int, longitude: Int)? = nil
  ) throws(ImportError) {
    let names = columns.map(KnownNames.normalized)

    func coordinate(_ axis: CoordinateAxis) throws(ImportError) -> Int {
      let isLatitude = axis == .latitude
      if let chosen = isLatitude ? options.latitudeField : options.longitudeField {
        return try column(
          named: chosen, option: isLatitude ? "latitudeField" : "longitudeField")
      }
      let found = KnownNames.columns(of: axis, in: names)
      guard let first = found.first else {
        throw ImportError(source, .noCoordinateFields(columns: columns))
      }
      // Behind these, a table that was written here has its source's own, such as `lat`.
      if columns.starts(with: KnownProperties.firstColumns) { return isLatitude ? 3 : 4 }
      guard found.count == 1 else {
        throw ImportError(
          source, .ambiguousCoordinateFields(axis, columns: found.map { columns[$0] }))
      }
      return first
    }

    func optional(
      _ chosen: String?, _ option: String, _ known: [String]
    ) throws(ImportError) -> Int? {
      if let chosen { return try column(named: chosen, option: option) }
      return known.lazy.compactMap { names.firstIndex(of: $0) }.first
    }

    func column(named name: String, option: String) throws(ImportError) -> Int {
      if let place = KnownNames.place(of: name, in: columns, normalized: names) { return place }
      throw ImportError(source, .unknownField(name, option: option, columns: columns))
    }

    if let coordinates {
      (latitude, longitude) = coordinates
    } else if !options.requiresPositions, options.coordinateColumns(in: columns) == nil,
      options.latitudeField == nil, options.longitudeField == nil
    {
      (latitude, longitude) = (ColumnRoles.noColumn, ColumnRoles.noColumn)
    } else {
      latitude = try coordinate(.latitude)
      longitude = try coordinate(.longitude)
    }
    isLongitudeFirst =
      latitude == longitude && columns.indices.contains(latitude)
      && CoordinateNames.isLongitudeFirst(columns[latitude])
    id =
      options.idField == ImportOptions.recordNumberField
      ? nil : try optional(options.idField, "idField", KnownNames.id)
    if let template = options.nameField.flatMap(NameTemplate.init),
      let text = options.nameField, !columns.contains(text)
    {
      name = nil
      var places: [Int] = []
      for field in template.fields {
        places.append(try column(named: field, option: "nameField"))
      }
      nameTemplate = ColumnTemplate(template: template, columns: places)
    } else {
      name = try optional(options.nameField, "nameField", KnownNames.name)
    }
    place = try optional(nil, "", KnownNames.place)
    kind = try optional(options.kindField, "kindField", KnownNames.kind)
    hours = try optional(options.hoursField, "hoursField", KnownNames.hours)
    validFrom = try optional(nil, "", KnownNames.validFrom)
    validUntil = try optional(nil, "", KnownNames.validUntil)
  }
}

extension ColumnRoles {
  /// A name template with the column of each field.
  struct ColumnTemplate: Hashable, Sendable {
    let template: NameTemplate
    let columns: [Int]
  }

  /// Sets the name template from columns, when stored roles are read again.
  mutating func takeNames(by text: String, from columns: [String]) {
    guard let template = NameTemplate(text) else { return }
    let names = columns.map(KnownNames.normalized)
    let places = template.fields.compactMap { field in
      KnownNames.place(of: field, in: columns, normalized: names)
    }
    guard places.count == template.fields.count else { return }
    nameTemplate = ColumnTemplate(template: template, columns: places)
  }

  /// Takes the order of a column of both coordinates from its data, unless its name states it.
  mutating func takeOrder(of positions: LeadingRecords.PositionColumn?, named name: String) {
    guard isPaired, let positions, positions.column == latitude, positions.isLongitudeFirst,
      !CoordinateNames.saysOrder(name)
    else { return }
    isLongitudeFirst = true
  }
}

extension ImportOptions {
  /// The value of `idField` for ids that are record numbers.
  public static let recordNumberField = "#"

  /// The first column that a record names for each coordinate; nil if it names none for one.
  func coordinateColumns(in columns: [String]) -> (latitude: Int, longitude: Int)? {
    let names = columns.map(KnownNames.normalized)
    func column(_ chosen: String?, _ axis: CoordinateAxis) -> Int? {
      guard let chosen else { return KnownNames.columns(of: axis, in: names).first }
      return names.firstIndex(of: KnownNames.normalized(chosen))
    }
    guard let latitude = column(latitudeField, .latitude),
      let longitude = column(longitudeField, .longitude)
    else { return nil }
    return (latitude, longitude)
  }
}

extension KnownNames {
  /// The column with a name; nil if there is none.
  ///
  /// Exact matches come first, so that columns that differ only by case, or only in whether `é` is one
  /// code point or two, can both be named. The second column called `name` is also found as `name_2`, as it is shown.
  static func place(of name: String, in columns: [String], normalized names: [String]) -> Int? {
    columns.firstIndex { $0.isSameBytes(as: name) } ?? columns.firstIndex(of: name)
      ?? names.firstIndex(of: normalized(name)) ?? distinct(columns).firstIndex(of: name)
  }

  /// The names with a number appended to each repeated one.
  static func distinct(_ names: [String]) -> [String] {
    Properties(names.map { Properties.Entry(name: $0, value: .null) }).withDistinctNames.entries
      .map(\.name)
  }

  /// The columns that may hold a coordinate, among normalized names: those with a known name, or
  /// otherwise those with a name in the wider sense.
  static func columns(of axis: CoordinateAxis, in names: [String]) -> [Int] {
    let known = axis == .latitude ? latitude : longitude
    let exact = names.indices.filter { known.contains(names[$0]) }
    return exact.isEmpty ? names.indices.filter { CoordinateNames.means(axis, names[$0]) } : exact
  }
}
