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
