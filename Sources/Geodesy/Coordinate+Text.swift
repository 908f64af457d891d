extension Coordinate {
  /// Reads a position as people copy it from maps, messages and signs.
  ///
  ///     let palace = try Coordinate(parsing: "37°34'46\"N 126°58'37\"E")
  ///     let opera = try Coordinate(parsing: "-33.8568, 151.2153")
  ///
  /// Accepted forms:
  ///
  /// - decimal degrees: `37.57,126.97` · `37.57 126.97` · `37.5665° N, 126.9780° E`;
  /// - degrees and minutes: `37°34.2'N 126°58.2'E` · `37 34.2, 126 58.2`;
  /// - degrees, minutes and seconds: `37°34′12″N 126°58′12″E` · `N37.34.12 E126.58.12` ·
  ///   `37:34:12 126:58:12` · `北緯37度34分12秒 東経126度58分12秒` · `북위 37도, 동경 127도`;
  /// - `geo:` addresses (RFC 5870): `geo:37.57,126.97;u=35`; altitude and uncertainty are ignored;
  /// - named numbers: `lat: 37.57, lng: 126.97` · `{"lon": 126.97, "lat": 37.57}` · `위도 37.57 경도 126.97`;
  /// - links of Google, Apple, Naver and Kakao maps and of OpenStreetMap:
  ///   `https://www.google.com/maps/@37.57,126.97,15z` · `https://www.openstreetmap.org/#map=15/37.57/126.97`. They
  ///   mean the place that they are about, or else the middle of their map; of a route, only its one end. `https://`
  ///   may be missing. Short links (`https://maps.app.goo.gl/…`) hold no position.
  ///
  /// A comma, a semicolon or spaces separate the two numbers; parentheses and brackets may enclose
  /// them. Digits, commas and signs may be full-width. The latitude comes first, also in brackets,
  /// unlike in GeoJSON, unless hemisphere letters, words or names say otherwise. The decimal
  /// separator is a point: `37,57` is two numbers.
  ///
  /// - Parameter text: At most 200 bytes of UTF-8, for a link 2,000.
  /// - Throws: `CoordinateError.notAPosition` for a text of another form or an ambiguous one,
  ///   `notANumber` for `nan` and `inf`, and the errors of ``init(latitude:longitude:)`` for
  ///   numbers out of range. Nothing is corrected.
  /// - Complexity: O(length of `text`).
  public init(parsing text: String) throws(CoordinateError) {
    guard let position = try PositionText.read(text) else { throw .notAPosition(text) }
    try self.init(latitude: position.latitude, longitude: position.longitude)
  }
}

/// The two numbers of a written position, possibly out of range.
struct PositionText {
  let latitude: Double
  let longitude: Double

  /// nil for a text of another form.
  static func read(_ text: String) throws(CoordinateError) -> PositionText? {
    if let link = MapLink(text) { return link.position }
    guard text.utf8.count <= 200 else { return nil }
    var rest = trimmed(text.plainSigns)
    if rest.prefix(4).lowercased() == "geo:" { return address(rest.dropFirst(4)) }
    if let first = rest.first, let last = brackets[first], rest.last == last {
      rest = trimmed(rest.dropFirst().dropLast())
    }
    guard let (first, second) = try angles(rest[...]) else { return nil }
    switch (first.axis, second.axis) {
    case (nil, nil), (.latitude, .longitude), (.latitude, nil), (nil, .longitude):
      return PositionText(latitude: first.degrees, longitude: second.degrees)
    case (.longitude, .latitude):
      return PositionText(latitude: second.degrees, longitude: first.degrees)
    default: return nil
    }
  }

  /// Reads the text after `geo:`.
  private static func address(_ text: Substring) -> PositionText? {
    let parameters = text.prefix { $0 != "?" }.split(
      separator: ";", omittingEmptySubsequences: false)
    for parameter in parameters.dropFirst().map({ $0.lowercased() })
    where parameter.hasPrefix("crs=") && parameter != "crs=wgs84" {
      return nil
    }
    let parts = (parameters.first ?? "").split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { finiteNumber(String($0)) }
    // A third number is the altitude.
    guard (2...3).contains(numbers.count), numbers.count == parts.count else { return nil }
    return PositionText(latitude: numbers[0], longitude: numbers[1])
  }

  private static let brackets: [Character: Character] = ["(": ")", "[": "]", "{": "}"]

  // MARK: Halves

  private static func angles(
    _ text: Substring
  ) throws(CoordinateError) -> (first: AngleText, second: AngleText)? {
    var parts = text.split(omittingEmptySubsequences: false) { $0 == "," || $0 == ";" }
    let words = text.split(separator: " ")
    // The name of the second number separates them, too.
    if parts.count == 1,
      let second = words.dropFirst().first(where: { axis(named: $0[..<endOfName($0)]) != nil })
    {
      parts = [text[..<second.startIndex], text[second.startIndex...]]
    }
    if parts.count > 1 {
      guard parts.count == 2 else { return nil }
      let halves = parts.map { trimmed($0)[...] }
      for half in halves where isNotFinite(half) { throw .notANumber(String(half)) }
      return pair(angle(halves[0]), angle(halves[1]))
    }
    // Plain numbers are split in the middle, whatever separates them.
    let signs = words.count == 2 ? "0123456789.+-:" : "0123456789.+-"
    if [2, 4, 6].contains(words.count), words.allSatisfy({ $0.allSatisfy(signs.contains) }) {
      let middle = words.count / 2
      return pair(
        angle(words[..<middle].joined(separator: " ")[...]),
        angle(words[middle...].joined(separator: " ")[...]))
    }
    guard let tokens = AngleToken.all(in: String(text)), let border = border(in: tokens)
    else { return nil }
    return pair(
      AngleText(tokens[..<border], isHalf: true), AngleText(tokens[border...], isHalf: true))
  }

  private static func pair(
    _ first: AngleText?, _ second: AngleText?
  ) -> (first: AngleText, second: AngleText)? {
    // Where only one of them has points for marks, one is too many: `37.5.7,126.97`.
    guard let first, let second, first.hasPoints == second.hasPoints else { return nil }
    return (first, second)
  }

  private static func angle(_ half: Substring) -> AngleText? {
    if let number = finiteNumber(String(half)) { return AngleText(degrees: number) }
    let end = endOfName(half)
    if let axis = axis(named: half[..<end]) {
      let rest = half[end...]
      let number = rest.first.map(isMark) == true ? rest.dropFirst() : rest
      if let named = angle(trimmed(number)[...]), named.axis ?? axis == axis {
        return AngleText(degrees: named.degrees, axis: axis, hasPoints: named.hasPoints)
      }
    }
    return AngleToken.all(in: String(half)).flatMap { AngleText($0[...], isHalf: true) }
  }

  /// The index behind the name that a text begins with: `lat: 37.57`, `lat 37.57`, `緯度37.57`.
  private static func endOfName(_ text: Substring) -> Substring.Index {
    text.firstIndex(where: isMark) ?? text.firstIndex(of: " ")
      ?? text.firstIndex { !$0.isLetter } ?? text.endIndex
  }

  /// Whether a character stands between a name and its number.
  private static func isMark(_ character: Character) -> Bool {
    character == ":" || character == "="
  }

  private static func axis(named name: Substring) -> CoordinateAxis? {
    names[trimmed(name) { " \"'".contains($0) }.lowercased()]
  }

  private static let names: [String: CoordinateAxis] = [
    "lat": .latitude, "latitude": .latitude, "위도": .latitude, "緯度": .latitude, "纬度": .latitude,
    "lon": .longitude, "lng": .longitude, "long": .longitude, "longitude": .longitude,
    "경도": .longitude, "経度": .longitude, "经度": .longitude,
  ]

  /// The index where the second angle begins, from hemisphere letters or degree signs.
  private static func border(in tokens: [AngleToken]) -> Int? {
    let letters = tokens.indices.filter { if case .hemisphere = tokens[$0] { true } else { false } }
    if letters.count == 2 {
      if letters[0] == 0 { return letters[1] }
      return letters[1] == tokens.count - 1 ? letters[0] + 1 : nil
    }
    let marks = tokens.indices.filter { if case .mark(0) = tokens[$0] { true } else { false } }
    guard letters.isEmpty, marks.count == 2, marks[1] >= 2 else { return nil }
    let number = marks[1] - 1
    if case .sign = tokens[number - 1] { return number - 1 }
    return number
  }

  // MARK: Texts

  private static func isNotFinite(_ text: Substring) -> Bool {
    let number = text.split(whereSeparator: isMark).last ?? text
    let word = trimmed(number).lowercased().drop { $0 == "-" || $0 == "+" }
    return ["nan", "inf", "infinity"].contains(word)
  }
}
