/// Which column names mean a coordinate.
///
/// The names of `KnownNames` are looked for first. Where none of them is there, a name counts that
/// is made of one word for an axis and of words that say no more than what kind of number it is:
/// `Y좌표`, `x_coord`, `lat_dd`, `GPS위도`, `緯度(世界測地系)`, `東経`, `좌표X`.
enum CoordinateNames {
  private static let latitudeWords: Set<String> = [
    "lat", "latitude", "y", "위도", "緯度", "北緯", "纬度", "북위", "northing",
  ]
  private static let longitudeWords: Set<String> = [
    "lon", "lng", "long", "longitude", "x", "경도", "経度", "經度", "東経", "经度", "동경", "easting",
  ]
  /// What may stand beside the axis.
  private static let qualifiers: Set<String> = [
    "coord", "coords", "coordinate", "coordinates", "crd", "crdnt", "cord", "pos", "position",
    "point", "pt", "location", "loc", "map", "gps", "geo", "wgs", "epsg", "dd", "deg", "degree",
    "degrees", "decimal", "dec", "value", "val", "no", "info", "jgd", "itrf", "grs", "site",
    "좌표", "좌표정보", "좌표값", "지도", "위치", "위치정보", "값", "도", "정보", "십진", "십진수",
    "진수", "진법", "소재지", "시설", "공간", "지도좌표", "중심", "중심점", "중심좌표", "세계측지계",
    "座標", "座標値", "値", "進", "進数", "進法", "十進", "十進法", "度", "世界測地系", "日本測地系",
    "位置", "位置情報", "地図", "施設", "所在地", "代表点", "小数", "度表記", "表記",
  ]

  /// Whether a name, as `KnownNames.normalized` gives it, means an axis in the wider sense.
  static func means(_ axis: RowProblem.Axis, _ name: String) -> Bool {
    guard name.utf8.count <= 60 else { return false }
    let words = words(of: name)
    let (own, other) =
      axis == .latitude ? (latitudeWords, longitudeWords) : (longitudeWords, latitudeWords)
    guard words.count(where: own.contains) == 1, !words.contains(where: other.contains) else {
      return false
    }
    return words.allSatisfy { own.contains($0) || qualifiers.contains($0) }
  }

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

  /// The words of a name: letters of one script; digits and signs part them.
  ///
  /// A word of Hangul or kanji that holds an axis is parted there, as `GPS위도` and `Y좌표` are
  /// where the script changes, and `緯度世界測地系` behind its axis.
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
    if word.utf8.first.map({ $0 < 0x80 }) ?? true { return [word] }
    for axis in axisTexts where word != axis {
      if word.hasPrefix(axis) { return [axis] + parted(String(word.dropFirst(axis.count))) }
      if word.hasSuffix(axis) { return parted(String(word.dropLast(axis.count))) + [axis] }
    }
    return [word]
  }

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

    /// A full-width letter as an ASCII one, in small letters.
    func plain(_ character: Unicode.Scalar) -> Unicode.Scalar {
      guard self == .latin else { return character }
      let value = character.value >= 0xFF21 ? character.value - 0xFEE0 : character.value
      return Unicode.Scalar(value < 0x61 ? value + 32 : value) ?? character
    }
  }
}
