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

// MARK: Links of map programs

/// A link that map programs copy.
package struct MapLink {
  /// Those that write the latitude first, which others do not; the last two shorten links.
  private static let programs: Set = [
    "google", "apple", "openstreetmap", "osm", "naver", "kakao", "goo", "kko",
  ]
  /// How the hosts of these end, where no `https://` tells a link from the name of a file.
  private static let domains: Set = ["com", "org", "kr", "jp", "gl", "to", "me", "apple"]
  private static let maximumLength = 2_000

  private let host: [String]
  private let path: [String]
  private var values: [String: String] = [:]

  /// nil for any other text.
  package init?(_ text: String) {
    guard text.utf8.count <= MapLink.maximumLength else { return nil }
    var rest = trimmed(text)[...]
    let scheme = ["https://", "http://"].first { rest.lowercased().hasPrefix($0) }
    rest = rest.dropFirst(scheme?.count ?? 0)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    host = rest[..<slash].lowercased().split(separator: ".").map(String.init)
    guard host.contains(where: MapLink.programs.contains),
      scheme != nil || host.count > 1 && host.last.map(MapLink.domains.contains) == true
    else { return nil }
    let sections = rest[slash...].split(omittingEmptySubsequences: false) {
      $0 == "?" || $0 == "#"
    }
    path = sections[0].split(separator: "/").compactMap {
      percentDecoded($0.utf8, plusIsBlank: true)
    }
    for parameter in sections.dropFirst().flatMap({ $0.split(separator: "&") }) {
      let words = parameter.split(separator: "=", maxSplits: 1)
      guard words.count == 2 else { continue }
      values[String(words[0])] = percentDecoded(words[1].utf8, plusIsBlank: true)
    }
  }

  /// Whether it is to a map, and not to a file that one of the programs keeps.
  package var isToMap: Bool {
    host.contains { ["map", "maps", "goo", "kko"].contains($0) } || path.first == "maps"
      || host.suffix(2) == ["osm", "org"] || host == ["naver", "me"]
      || host.drop { $0 == "www" } == ["openstreetmap", "org"]
  }

  /// The position of the place, or else of the middle of the map; nil if there is none, or several places.
  var position: PositionText? {
    if let ends { return ends.count == 1 ? MapLink.place(ends[0]) : nil }
    for (latitude, longitude) in [("mlat", "mlon"), ("lat", "lng"), ("lat", "lon")] {
      if let latitude = values[latitude], let longitude = values[longitude] {
        return MapLink.pair([latitude[...], longitude[...]])
      }
    }
    for name in ["q", "query", "ll", "coordinate", "center", "marker", "viewpoint", "sll"] {
      if let place = values[name].flatMap(MapLink.place) { return place }
    }
    // Two are the ends of a route.
    let places = path.compactMap(MapLink.place)
    guard places.count < 2 else { return nil }
    if let place = places.first { return place }
    // Google's place, and its map: `@37.57,126.97,17z/data=!8m2!3d37.5701!4d126.9702`.
    let data = path.last?.split(separator: "!") ?? []
    let pairs = zip(data, data.dropFirst()).filter { $0.hasPrefix("3d") && $1.hasPrefix("4d") }
    if pairs.count == 1 { return MapLink.pair([pairs[0].0.dropFirst(2), pairs[0].1.dropFirst(2)]) }
    if let view = path.first(where: { $0.hasPrefix("@") }) {
      return MapLink.pair(view.dropFirst().split(separator: ",").prefix(2))
    }
    return values["map"].flatMap { MapLink.pair($0.split(separator: "/").dropFirst()) }
  }

  /// The ends of a route and the stops between them, as far as they are given; nil where the link is about no route.
  ///
  /// The middle of the map of a route is no place that anybody means.
  private var ends: [String]? {
    func given(_ names: String...) -> [String] { names.compactMap { values[$0] } }
    let ends = given("saddr", "daddr")
    if path.starts(with: ["maps", "dir"]) {
      // `@37.53,126.93,13z` and `data=…` behind them are the map.
      let stops = path.dropFirst(2).filter { !$0.hasPrefix("@") && !$0.contains("=") }
      return ends + given("origin", "destination") + stops
    }
    if path.first == "directions" {
      let stops = values["route"]?.split(separator: ";").map(String.init) ?? []
      return ends + given("origin", "from", "destination", "to") + stops
    }
    return ends.isEmpty ? nil : ends
  }

  /// The position in a text that may as well be a name: `37.57,126.97`, `loc:37.57,126.97`, `서울역,37.55,126.97`.
  private static func place(_ text: String) -> PositionText? {
    if text.contains("°") { return try? PositionText.read(text) }
    let text = text.hasPrefix("loc:") ? text.dropFirst(4) : text[...]
    let parts = text.split(separator: ",").suffix(2)
    return parts.allSatisfy { $0.contains(".") } ? pair(parts) : nil
  }

  private static func pair(_ parts: some Collection<Substring>) -> PositionText? {
    guard parts.count == 2 else { return nil }
    return try? PositionText.read(parts.joined(separator: ","))
  }
}
