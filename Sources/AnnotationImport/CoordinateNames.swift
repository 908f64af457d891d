import Geodesy

/// Recognizes column names that mean a coordinate.
///
/// The names of `KnownNames` come first. If none of them is present, a name counts if it consists
/// of a word for an axis and words for the kind of number (`Y좌표`, `x_coord`, `lat_dd`,
/// `decimalLatitude`, `緯度(世界測地系)`), or ends in an axis of some thing (`주차장위도`, `store_latitude`).
enum CoordinateNames {
  private static let latitudeWords: Set<String> = [
    "lat", "latitude", "y", "위도", "緯度", "北緯", "纬度", "북위", "northing", "northings", "la", "lttd",
    "ycrd",
  ]
  private static let longitudeWords: Set<String> = [
    "lon", "lng", "long", "longitude", "x", "경도", "経度", "經度", "東経", "经度", "동경", "easting",
    "eastings",
    "lo", "lgtd", "logt", "xcrd",
  ]
  /// The words that may accompany the axis.
  private static let qualifiers: Set<String> = [
    "coord", "coords", "coordinate", "coordinates", "crd", "crdnt", "cord", "pos", "position",
    "point", "pt", "location", "loc", "map", "gps", "geo", "wgs", "epsg", "dd", "deg", "degree",
    "degrees", "decimal", "dec", "value", "val", "info", "jgd", "itrf", "grs", "site", "refine",
    "cord", "center", "centre",
    "좌표", "좌표정보", "좌표값", "지도", "위치", "위치정보", "값", "도", "정보", "십진", "십진수",
    "진수", "진법", "소재지", "시설", "공간", "지도좌표", "중심", "중심점", "중심좌표", "세계측지계",
    "座標", "座標値", "値", "進", "進数", "進法", "十進", "十進法", "度", "世界測地系", "日本測地系",
    "位置", "位置情報", "地図", "施設", "所在地", "代表点", "小数", "度表記", "表記",
  ]

  /// Latin words for an axis that may follow any other word: `store_latitude`.
  private static let headWords: Set<String> = [
    "lat", "latitude", "lon", "lng", "longitude", "easting", "eastings", "northing", "northings",
  ]

  /// Whether a name clearly means eastings.
  static func saysEasting(_ name: String) -> Bool {
    !words(of: KnownNames.normalized(name)).filter { $0 == "easting" || $0 == "eastings" }.isEmpty
  }

  /// Whether a name normalized by `KnownNames.normalized` means an axis in the wider sense.
  static func means(_ axis: CoordinateAxis, _ name: String) -> Bool {
    guard name.utf8.count <= 60 else { return false }
    var words = words(of: name)
    let (own, other) =
      axis == .latitude ? (latitudeWords, longitudeWords) : (longitudeWords, latitudeWords)
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
    "좌표", "좌표값", "좌표정보", "위치", "위치정보", "위경도", "경위도", "座標", "位置", "位置情報", "緯度経度",
    "経緯度",
  ]

  /// Whether a column of two numbers has the longitude first, by its name.
  static func isLongitudeFirst(_ name: String) -> Bool {
    let words = words(of: KnownNames.normalized(name))
    if words == ["lonlat"] || words == ["lnglat"] || words == ["xy"] || words == ["경위도"]
      || words == ["経緯度"]
    {
      return true
    }
    guard let longitude = words.firstIndex(where: longitudeWords.contains),
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

  private static let latitudeFirstWords: Set<String> = [
    "latlng", "latlon", "latlong", "위경도", "緯度経度", "緯経度",
  ]

  /// The words of a name: letters of one script, separated by digits and signs.
  ///
  /// A word of Hangul or kanji that contains an axis is split there: `GPS위도` and `Y좌표` where the
  /// script changes, and `緯度世界測地系` after its axis.
  private static func words(of name: String) -> [String] {
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
