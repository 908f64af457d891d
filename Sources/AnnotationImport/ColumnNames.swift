import Geodesy
import MapAnnotations

/// Known column names, in the languages of the supported sources.
///
/// Case and surrounding spaces are ignored. The order is that of preference, except for
/// coordinates, where a second candidate is an error and never a guess.
package enum KnownNames {
  /// Texts in a coordinate column of a record below the names.
  static let typesAndUnits: Set<String> = [
    "degrees", "degree", "deg", "°", "°n", "°e", "double", "float", "real", "number", "decimal",
    "numeric", "string", "text", "도", "실수", "숫자", "度", "数値", "実数", "小数", "십진수", "十進数",
  ]

  static let latitude = ["lat", "latitude", "위도", "緯度", "y", "좌표정보(y)"]
  static let longitude = ["lon", "lng", "long", "longitude", "경도", "経度", "x", "좌표정보(x)"]
  static let id = ["id", "uid", "address_id"]
  static let name = [
    "name", "이름", "명칭", "사업장명", "상호명", "상호", "시설명", "도서관명", "시장명", "축제명", "행사명", "주차장명", "업소명",
    "매장명", "점포명", "지점명", "관광지명", "장소명", "지하철역명", "역명", "병원명", "약국명", "학교명", "기관명", "영화관명", "공원명",
    "화장실명", "단체명", "업체명", "개방시설명", "공연명", "전시명", "가게명", "식당명", "주유소명", "충전소명", "강좌명", "가맹점명",
    "店舗名称", "事業所名", "会社名", "store_name", "shop_name", "facility_name", "名称", "名前", "店舗名", "施設名",
    "クーポン名", "店名", "商号", "イベント名", "駅名", "公園名", "学校名", "病院名", "title", "제목", "theatername",
    "eventname", "branchname", "branch", "article_title", "nick", "place_name", "displayname",
  ]
  /// Addresses; names for addresses of buildings first.
  package static let address = [
    "address", "addr", "주소", "소재지도로명주소", "도로명주소", "도로명전체주소", "소재지주소", "소재지", "소재지지번주소", "지번주소",
    "소재지전체주소", "소재지번지", "住所", "所在地", "店舗住所", "所在地_連結表記", "full_address", "road_address",
  ]
  static let place = ["place_id", "placeid"]
  static let kind = ["kind", "종류", "업종", "업태구분명", "種別", "種類", "業種", "marttype", "brand"]
  static let hours = [
    "opening_hours", "openinghours", "opening hours", "hours", "영업시간", "운영시간", "営業時間", "영업 시간",
    "운영 시간", "이용시간", "진료시간", "개방시간", "診療時間", "開館時間", "利用時間", "regularopeninghours",
    "openinghoursspecification",
  ]
  static let validFrom = ["valid_from", "validfrom"]
  static let validUntil = ["valid_until", "validuntil", "valid_through", "validthrough"]

  /// The column that is taken for the hours without options.
  package static func hoursColumn(of columns: [String]) -> Int? {
    let names = columns.map(normalized)
    return hours.lazy.compactMap { names.firstIndex(of: $0) }.first
  }

  private static let blanks: Set<Character> = [" ", "\t", "\u{FEFF}", "\u{3000}"]

  /// A name prepared for comparison.
  static func normalized(_ name: String) -> String {
    trimmed(name, where: blanks.contains).lowercased()
  }

  /// The column with a name; nil if there is none.
  ///
  /// Exact matches come first, so that columns that differ only by case, or only in whether `é` is one
  /// code point or two, can both be named. The second column called `name` is also found as `name_2`, as it is shown.
  static func place(of name: String, in columns: [String], normalized names: [String]) -> Int? {
    let own =
      columns.firstIndex { $0.isSameBytes(as: name) } ?? columns.firstIndex(of: name)
      ?? names.firstIndex(of: normalized(name))
    if let own { return own }
    let shown = distinct(columns)
    return shown.firstIndex(of: name) ?? shown.map(normalized).firstIndex(of: normalized(name))
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

/// Recognizes column names that mean a coordinate.
///
/// The names of `KnownNames` come first. If none of them is present, a name counts if it consists of a word for an axis
/// and words for the kind of number (`Y좌표`, `lat_dd`), or ends in an axis of some thing (`주차장위도`, `store_latitude`).
enum CoordinateNames {
  private static let latitudeWords: Set<String> = [
    "lat", "latitude", "y", "위도", "緯度", "北緯", "纬度", "북위", "northing", "northings", "la", "lttd",
    "ycrd",
  ]
  private static let longitudeWords: Set<String> = [
    "lon", "lng", "long", "longitude", "x", "경도", "経度", "經度", "東経", "经度", "동경", "easting",
    "eastings", "lo", "lgtd", "logt", "xcrd",
  ]
  /// The words that may accompany the axis.
  private static let qualifiers: Set<String> = [
    "coord", "coords", "coordinate", "coordinates", "crd", "crdnt", "cord", "pos", "position",
    "point", "pt", "location", "loc", "map", "gps", "geo", "wgs", "epsg", "dd", "deg", "degree",
    "degrees", "decimal", "dec", "value", "val", "info", "jgd", "itrf", "grs", "site", "refine",
    "center", "centre", "좌표", "좌표정보", "좌표값", "지도", "위치", "위치정보", "값", "도", "정보", "십진", "십진수", "진수",
    "진법", "소재지", "시설", "공간", "지도좌표", "중심", "중심점", "중심좌표", "세계측지계", "座標", "座標値", "値", "進", "進数",
    "進法", "十進", "十進法", "度", "世界測地系", "日本測地系", "位置", "位置情報", "地図", "施設", "所在地", "代表点", "小数", "度表記",
    "表記",
  ]

  /// Latin words for an axis that may follow any other word: `store_latitude`.
  private static let headWords: Set<String> = [
    "lat", "latitude", "lon", "lng", "longitude", "easting", "eastings", "northing", "northings",
  ]

  /// The words for an axis.
  static func words(for axis: CoordinateAxis) -> Set<String> {
    axis == .latitude ? latitudeWords : longitudeWords
  }

  /// Whether a name clearly means eastings.
  static func saysEasting(_ name: String) -> Bool {
    words(of: KnownNames.normalized(name)).contains { $0 == "easting" || $0 == "eastings" }
  }

  /// Whether a name normalized by `KnownNames.normalized` means an axis in the wider sense.
  static func means(_ axis: CoordinateAxis, _ name: String) -> Bool {
    guard name.utf8.count <= 60 else { return false }
    // The old datum is 400 m off; 日本測地系2011 and the one of 2000 are not.
    let datum = name.firstRange(of: "日本測地系").map { name[$0.upperBound...] }
    if let datum, !(datum.first?.isNumber ?? false) { return false }
    var words = words(of: name)
    let own = self.words(for: axis)
    let other = self.words(for: axis == .latitude ? .longitude : .latitude)
    guard words.contains(where: own.contains), !words.contains(where: other.contains) else {
      return false
    }
    if words.allSatisfy({ own.contains($0) || qualifiers.contains($0) }) { return true }
    // The last noun decides: the latitude of a parking lot is a latitude.
    while words.count > 1, let last = words.last, qualifiers.contains(last), !isPlane(words) {
      words.removeLast()
    }
    guard let last = words.last else { return false }
    return own.contains(last) && (headWords.contains(last) || axisTexts.contains(last))
      || isPlane(words)
  }

  /// Whether a name ends in `x` or `y` next to a word for coordinates.
  private static func isPlane(_ words: [String]) -> Bool {
    guard words.count > 1 else { return false }
    let pair = words.suffix(2)
    return pair.contains { $0 == "x" || $0 == "y" } && pair.contains(where: planeWords.contains)
  }

  private static let planeWords: Set<String> = [
    "좌표", "좌표정보", "좌표값", "座標", "座標値", "coord", "coords", "coordinate", "coordinates",
  ]

  /// Whether a name means positions: one of its words does, or is an axis.
  static func meansPosition(_ name: String) -> Bool {
    words(of: KnownNames.normalized(name)).contains {
      latitudeWords.contains($0) || longitudeWords.contains($0) || positionWords.contains($0)
    }
  }

  private static let positionWords: Set<String> = [
    "position", "pos", "location", "loc", "coord", "coords", "coordinate", "coordinates", "latlng",
    "latlon", "latlong", "lonlat", "lnglat", "geo", "geom", "geometry", "gps", "point", "wkt", "xy",
    "coordonneesxy", "좌표", "좌표값", "좌표정보", "위치", "위치정보", "위경도", "경위도", "座標", "位置", "位置情報", "緯度経度",
    "経緯度",
  ]

  /// Whether a column of two numbers has the longitude first, by its name.
  static func isLongitudeFirst(_ name: String) -> Bool {
    let words = words(of: KnownNames.normalized(name))
    if words.contains(where: longitudeFirstWords.contains) { return true }
    // Opendatasoft's points are latitudes first, and so is what Paris calls `geom_x_y`.
    guard words != ["geom", "x", "y"],
      let longitude = words.firstIndex(where: longitudeWords.contains),
      let latitude = words.firstIndex(where: latitudeWords.contains)
    else { return false }
    return longitude < latitude
  }

  /// Whether a name states which of two numbers comes first.
  static func saysOrder(_ name: String) -> Bool {
    let words = words(of: KnownNames.normalized(name))
    return isLongitudeFirst(name) || words.contains(where: latitudeFirstWords.contains)
      || words.contains(where: longitudeWords.contains)
        && words.contains(where: latitudeWords.contains)
  }

  /// The last is of France's schema for charging stations.
  private static let longitudeFirstWords: Set<String> = [
    "lonlat", "lnglat", "xy", "경위도", "経緯度", "coordonneesxy",
  ]
  private static let latitudeFirstWords: Set<String> = [
    "latlng", "latlon", "latlong", "위경도", "緯度経度", "緯経度",
  ]

  /// The words of a name: letters of one script, separated by digits and signs.
  ///
  /// A word of Hangul or kanji that contains an axis is split there: `GPS위도` and `Y좌표` where the
  /// script changes, and `緯度世界測地系` after its axis.
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var script = Script.none
    for character in name.unicodeScalars {
      let next = Script(of: character)
      if next != script, !word.isEmpty {
        words.append(word)
        word = ""
      }
      script = next
      if next != .none { word.unicodeScalars.append(next.plain(character)) }
    }
    if !word.isEmpty { words.append(word) }
    return words.flatMap(parted)
  }

  private static let axisTexts = ["위도", "경도", "緯度", "経度", "經度", "北緯", "東経"]

  private static func parted(_ word: String) -> [String] {
    if word.utf8.first.map({ $0 < 0x80 }) ?? true { return partedLatin(word) }
    for axis in axisTexts where word != axis {
      if word.hasPrefix(axis) { return [axis] + parted(String(word.dropFirst(axis.count))) }
      if word.hasSuffix(axis) { return parted(String(word.dropLast(axis.count))) + [axis] }
    }
    return [word]
  }

  /// `mapx`, `ycoord` and `decimallatitude` split into two words.
  private static func partedLatin(_ word: String) -> [String] {
    let count = word.utf8.count
    guard count > 2, !axes.contains(word), !qualifiers.contains(word) else { return [word] }
    // Every word of a header comes here, so try a few cuts instead of comparing with each known word.
    for length in 1...min(longestAxis, count - 2) {
      let behind = (String(word.dropLast(length)), String(word.suffix(length)))
      if axes.contains(behind.1), qualifiers.contains(behind.0) { return [behind.0, behind.1] }
      let ahead = (String(word.prefix(length)), String(word.dropFirst(length)))
      if axes.contains(ahead.0), qualifiers.contains(ahead.1) { return [ahead.0, ahead.1] }
    }
    return [word]
  }

  private static let axes = latitudeWords.union(longitudeWords)
  private static let longestAxis = axes.map(\.count).max() ?? 0

  private enum Script {
    case none, latin, hangul, kanji

    init(of character: Unicode.Scalar) {
      switch character.value {
      case 0x61...0x7A, 0x41...0x5A, 0xFF21...0xFF3A, 0xFF41...0xFF5A: self = .latin
      case 0xAC00...0xD7A3: self = .hangul
      case 0x3041...0x30FF, 0x3400...0x9FFF, 0x3005: self = .kanji
      default: self = .none
      }
    }

    /// A full-width letter as an ASCII one, in lower case.
    func plain(_ character: Unicode.Scalar) -> Unicode.Scalar {
      guard self == .latin else { return character }
      let value = character.halfWidth.value
      return Unicode.Scalar(value < 0x61 ? value + 32 : value) ?? character
    }
  }
}

// MARK: Roles

/// Finds columns of a header by their names.
private struct NamedColumns {
  let columns: [String]
  let names: [String]
  let source: String

  init(_ columns: [String], _ source: String) {
    self.columns = columns
    names = columns.map(KnownNames.normalized)
    self.source = source
  }

  /// The first column that has the most preferred of some known names; nil if none has one.
  func first(of known: [String]) -> Int? {
    known.lazy.compactMap { names.firstIndex(of: $0) }.first
  }

  /// The column that an option names.
  func column(_ name: String, _ option: String) throws(ImportError) -> Int {
    if let place = KnownNames.place(of: name, in: columns, normalized: names) { return place }
    throw ImportError(source, .unknownField(name, option: option, columns: columns))
  }

  /// The column that an option names, or else one with a known name; nil if there is neither.
  func column(
    _ chosen: String?, _ option: String, _ known: [String]
  ) throws(ImportError) -> Int? {
    if let chosen { try column(chosen, option) } else { first(of: known) }
  }

  /// The column of a coordinate, which an option may name.
  func coordinate(_ axis: CoordinateAxis, _ chosen: String?) throws(ImportError) -> Int {
    let isLatitude = axis == .latitude
    if let chosen { return try column(chosen, isLatitude ? "latitudeField" : "longitudeField") }
    let found = KnownNames.columns(of: axis, in: names)
    guard let first = found.first else {
      throw ImportError(source, .noCoordinateFields(columns: columns))
    }
    // Behind these, a table that was written here has its source's own, such as `lat`.
    if columns.starts(with: KnownProperties.firstColumns) { return isLatitude ? 3 : 4 }
    guard found.count == 1 else {
      let names = KnownNames.distinct(columns)
      throw ImportError(source, .ambiguousCoordinateFields(axis, columns: found.map { names[$0] }))
    }
    return first
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
    guard places.count == 9, let latitude = places[0], let longitude = places[1] else { return nil }
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
    let header = NamedColumns(columns, source)
    if let coordinates {
      (latitude, longitude) = coordinates
    } else if !options.requiresPositions, options.coordinateColumns(in: columns) == nil,
      options.latitudeField == nil, options.longitudeField == nil
    {
      (latitude, longitude) = (ColumnRoles.noColumn, ColumnRoles.noColumn)
    } else {
      latitude = try header.coordinate(.latitude, options.latitudeField)
      longitude = try header.coordinate(.longitude, options.longitudeField)
    }
    isLongitudeFirst =
      latitude == longitude && columns.indices.contains(latitude)
      && CoordinateNames.isLongitudeFirst(columns[latitude])
    id =
      options.idField == ImportOptions.recordNumberField
      ? nil : try header.column(options.idField, "idField", KnownNames.id)
    if let text = options.nameField, let template = NameTemplate(text), !columns.contains(text) {
      name = nil
      var places: [Int] = []
      for field in template.fields { places.append(try header.column(field, "nameField")) }
      nameTemplate = ColumnTemplate(template: template, columns: places)
    } else {
      name = try header.column(options.nameField, "nameField", KnownNames.name)
    }
    place = header.first(of: KnownNames.place)
    kind = try header.column(options.kindField, "kindField", KnownNames.kind)
    hours = try header.column(options.hoursField, "hoursField", KnownNames.hours)
    validFrom = header.first(of: KnownNames.validFrom)
    validUntil = header.first(of: KnownNames.validUntil)
  }

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

  /// The fields that options name, apart from coordinates, and what each option is called; those of names first, as
  /// the members of JSON rows have stood, whose ids may come from their contents.
  var namedFields: [(name: String, option: String)] {
    let id = idField == ImportOptions.recordNumberField ? nil : idField
    let names = nameField.map { NameTemplate($0)?.fields ?? [$0] } ?? []
    return names.map { ($0, "nameField") }
      + [(id, "idField"), (kindField, "kindField"), (hoursField, "hoursField")]
      .compactMap { name, option in name.map { ($0, option) } }
  }

  /// The first column that a record names for each coordinate; nil if it names none for one.
  func coordinateColumns(in columns: [String]) -> (latitude: Int, longitude: Int)? {
    let names = columns.map(KnownNames.normalized)
    func column(_ chosen: String?, _ axis: CoordinateAxis) -> Int? {
      guard let chosen else { return KnownNames.columns(of: axis, in: names).first }
      return KnownNames.place(of: chosen, in: columns, normalized: names)
    }
    guard let latitude = column(latitudeField, .latitude),
      let longitude = column(longitudeField, .longitude)
    else { return nil }
    return (latitude, longitude)
  }
}

// MARK: Known names in properties

/// The id, name, kind and hours in properties that are read without options.
package struct KnownProperties {
  package let id: String?
  package let name: String?
  package let kind: String?
  package let hours: String?

  /// - Complexity: O(*n*) for *n* properties.
  package init(_ properties: Properties) {
    var best = [(rank: Int, text: String?)?](repeating: nil, count: 4)
    var seen: Set<String> = []
    for entry in properties.entries {
      let name = entry.name.lowercased()
      // Of names that differ only by case, the first counts.
      guard let known = KnownProperties.ranks[name], seen.insert(name).inserted,
        let text = known.role == 3
          ? entry.value.hoursText : known.role == 1 ? entry.value.nameText : entry.value.text,
        known.rank < best[known.role]?.rank ?? .max
      else { continue }
      let isAbsent = known.role == 0 ? IDKey.isBlank(text.utf8) : NullText.isNull(text)
      best[known.role] = (known.rank, isAbsent ? nil : text)
    }
    id = best[0]?.text
    name = best[1]?.text
    kind = best[2]?.text
    hours = best[3]?.text
  }

  /// The first columns of every table that is written here, before those of its source.
  package static let firstColumns = ["id", "name", "kind", "latitude", "longitude"]

  /// Whether a property is read as one with another known name is.
  package static func isRead(_ name: String, as other: String) -> Bool {
    ranks[name.lowercased()].map { $0.role == ranks[other]?.role } ?? false
  }

  private static let roles = [KnownNames.id, KnownNames.name, KnownNames.kind, KnownNames.hours]

  /// By known name, whether it is that of an id, a name, a kind or hours, and its rank among these.
  private static let ranks = Dictionary(
    uniqueKeysWithValues: roles.enumerated().flatMap { role, names in
      names.enumerated().map { ($0.element, (role: role, rank: $0.offset)) }
    })
}
