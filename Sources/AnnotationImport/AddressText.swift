import Geodesy

/// The comparable parts of an address: the address without floors and remarks, the street with its
/// first number, and the district.
///
/// Korean and Japanese addresses go from large to small, so their beginnings name the district;
/// other addresses are compared only as a whole.
struct AddressText {
  /// The address without spaces, brackets and anything after a comma; nil without a number in it,
  /// since then it may be a whole town.
  let building: String?
  /// The text through its first number, without the province, since provinces are renamed.
  let street: String
  /// Whether the address numbers buildings on a road, not lots of a quarter; a Korean building has
  /// one address of each kind.
  let isRoad: Bool
  /// Province and district, such as `강원 춘천시` or `静岡県焼津市`; nil if they are not recognized, or
  /// without a province, because there are several 중구 and two 伊達市.
  let district: String?
  /// Korea or Japan, if the address names a province there.
  let country: Region?
  /// The region of the named province, or for some provinces of the district.
  let province: Region?

  /// nil if the text is too short to be an address.
  init?(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count >= 4 else { return nil }
    let isEastAsian = scalars.contains { $0.value >= 0x3041 && $0.value <= 0xD7A3 }
    let plain = AddressText.withoutRemarks(scalars, cutsAtComma: isEastAsian)
    let whole = plain.filter { !AddressText.isBlank($0) }
    guard whole.count >= 3 else { return nil }
    let (region, rest) = isEastAsian ? AddressText.region(plain) : (nil, plain[...])
    if isEastAsian {
      country = region.map {
        $0.unicodeScalars.contains { $0.value >= 0xAC00 } ? .southKorea : .japan
      }
      province = region.flatMap(Province.named).map {
        $0.region(of: AddressText.string(rest.drop(while: AddressText.isBlank)))
      }
    } else {
      let province = Province.ending(text)
      country = province?.country
      self.province = province?.whole
    }
    district = isEastAsian ? AddressText.district(region, rest) : nil
    let hasNumber = whole.contains(where: \.isASCIIDigit)
    building = hasNumber ? AddressText.string(whole[...]) : nil
    let kept = Array(rest.filter { !AddressText.isBlank($0) })
    if isEastAsian, let first = kept.firstIndex(where: \.isASCIIDigit) {
      let end = kept[first...].firstIndex { !$0.isASCIIDigit }
      isRoad = first > 0 && "로길路".unicodeScalars.contains(kept[first - 1])
      street = AddressText.string(kept[..<(end ?? kept.endIndex)])
    } else {
      isRoad = false
      street = AddressText.string(kept[...])
    }
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\u{3000}" || scalar == "\u{A0}"
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view).lowercased()
  }

  /// The text with full-width signs replaced by ASCII and brackets removed with their content.
  private static func withoutRemarks(
    _ scalars: [Unicode.Scalar], cutsAtComma: Bool
  ) -> [Unicode.Scalar] {
    var kept: [Unicode.Scalar] = []
    var depth = 0
    for scalar in scalars {
      let plain = dashes.contains(scalar) ? "-" : scalar.halfWidth
      switch plain {
      case "(", "[": depth += 1
      case ")", "]": depth = max(0, depth - 1)
      case "," where cutsAtComma && depth == 0: return kept
      default: if depth == 0 { kept.append(plain) }
      }
    }
    return kept
  }

  private static let dashes: Set<Unicode.Scalar> = ["‐", "‑", "–", "—", "−", "ー"]

  // MARK: District

  /// The province in a short form that its renamings share, and the text after it.
  private static func region(
    _ text: [Unicode.Scalar]
  ) -> (String?, ArraySlice<Unicode.Scalar>) {
    for length in [3, 4] where text.count > length {
      if let last = text[..<length].last, "都道府県".unicodeScalars.contains(last),
        !text[..<length].contains(where: isBlank)
      {
        return (string(text[..<length]), text[length...])
      }
    }
    let token = text.prefix { !isBlank($0) }
    var name = string(token)
    // 서울시; but 광주시 is also a city of 경기.
    if name.hasSuffix("시"), name != "광주시", shortProvinces.contains(String(name.dropLast())) {
      name.removeLast()
    }
    guard
      name.hasSuffix("도") || name.hasSuffix("특별시") || name.hasSuffix("광역시")
        || name.hasSuffix("특별자치시") || shortProvinces.contains(name)
    else { return (nil, text[...]) }
    let rest = text[token.endIndex...].drop(while: isBlank)
    for (long, short) in longProvinces where name.hasPrefix(long) { return (short, rest) }
    return (String(name.prefix(2)), rest)
  }

  private static let longProvinces = [
    ("전라북", "전북"), ("전라남", "전남"), ("경상북", "경북"), ("경상남", "경남"), ("충청북", "충북"),
    ("충청남", "충남"),
  ]
  private static let shortProvinces = Set(Province.korea.map(\.whole.name))

  private static func district(
    _ region: String?, _ rest: ArraySlice<Unicode.Scalar>
  ) -> String? {
    let words = rest.split(whereSeparator: isBlank)
    guard let region, let first = words.first else { return nil }
    let name = string(first)
    if let last = name.last, name.count >= 2, "시군구".contains(last) {
      var district = "\(region) \(name)"
      // A large city has wards.
      if last == "시", words.count > 1, string(words[1]).hasSuffix("구") {
        district += " \(string(words[1]))"
      }
      return district
    }
    var length = 0
    for scalar in first {
      length += 1
      if length >= 2, length <= 8, "市区町村".unicodeScalars.contains(scalar) {
        return region + string(first.prefix(length))
      }
    }
    return nil
  }
}
