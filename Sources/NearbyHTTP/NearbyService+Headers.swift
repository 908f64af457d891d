import Geodesy

// Parsing of request headers.

extension NearbyService {
  /// The values of a header such as `Accept`, in lower case, and their weights from 0 to 1.
  private static func weighted(_ header: String) -> [(name: String, weight: Double)] {
    header.split(separator: ",").compactMap { part in
      let pieces = part.split(separator: ";").map { trimmed($0).lowercased() }
      guard let name = pieces.first, !name.isEmpty else { return nil }
      let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) }
      return (name, weight.map { min(max($0 ?? 0, 0), 1) } ?? 1)
    }
  }

  /// Whether an `Accept-Encoding` header accepts gzip.
  static func takesGzip(_ header: String) -> Bool {
    if header.isEmpty { return false }
    let weighted = weighted(header)
    let weight = ["gzip", "x-gzip", "*"].lazy.compactMap { name in
      weighted.first { $0.name == name }?.weight
    }.first
    return weight ?? 0 > 0
  }

  /// The format that an `Accept` header prefers; the first one where it says nothing, nil where it accepts none.
  ///
  /// Of ranges that include a format, the most specific one counts, and of several that name its types, the one with
  /// the greatest weight; of formats with equal weights, the one whose range stands first.
  ///
  /// - Parameter formats: Each with its media types.
  static func preferred<Format>(
    _ header: String?, among formats: [(format: Format, types: [String])]
  ) -> Format? {
    guard let header, !trimmed(header).isEmpty else { return formats.first?.format }
    let ranges = weighted(header)
    var best: (format: Format, weight: Double, place: Int)?
    for (format, types) in formats {
      let exact = ranges.indices.filter { types.contains(ranges[$0].name) }
      let wider = types.map { String($0.prefix { $0 != "/" }) + "/*" } + ["*/*"]
      let place =
        exact.max { ranges[$0].weight < ranges[$1].weight }
        ?? wider.lazy.compactMap { type in ranges.firstIndex { $0.name == type } }.first
      guard let place, ranges[place].weight > 0 else { continue }
      let weight = ranges[place].weight
      if best.map({ weight > $0.weight || weight == $0.weight && place < $0.place }) ?? true {
        best = (format, weight, place)
      }
    }
    return best?.format
  }

  /// The format of a response.
  enum ResponseFormat: String {
    case json, jsonseq, html

    /// The type of a list of features.
    var type: String {
      switch self {
      case .json: NearbyService.geoJSON
      case .jsonseq: NearbyService.sequence
      case .html: "text/html"
      }
    }
  }

  /// The formats that a response may have.
  struct FormatChoice {
    /// Each with its media types, first the usual one.
    let formats: [(format: ResponseFormat, types: [String])]
    /// As a message names them.
    let names: String

    private static let json = ["application/geo+json", "application/json"]
    private static let documents = [
      "application/schema+json", "application/vnd.oai.openapi+json", "application/openapi+json",
    ]
    private static let html = ["text/html", "application/xhtml+xml"]

    /// The formats of a list of features.
    static let features = FormatChoice(
      formats: [
        (.json, json), (.jsonseq, ["application/geo+json-seq", "application/json-seq"]),
        (.html, html),
      ], names: "application/geo+json, application/geo+json-seq or text/html")
    /// The formats of a document or an item.
    static let document = FormatChoice(
      formats: [(.json, json + documents), (.html, html)], names: "JSON or text/html")
  }

  /// The format that a request asks for, by its parameter `f` or else by its header `Accept`.
  func format(
    _ asked: Asked, named name: String?, among choice: FormatChoice
  ) throws(Problem) -> ResponseFormat {
    if let name, let format = ResponseFormat(rawValue: name) { return format }
    if let preferred = NearbyService.preferred(
      asked.request.headers["accept"], among: choice.formats)
    {
      return preferred
    }
    throw Problem(406, "not-acceptable", "answers come as \(choice.names); ask for one of them")
  }

  /// Whether a list of entity tags contains one, whatever encoding the response with it had.
  ///
  /// - Parameter weakly: Whether W/ before a tag does not matter; otherwise such a tag matches nothing.
  static func holds(_ header: String, _ tag: String, weakly: Bool) -> Bool {
    header.split(separator: ",").contains { part in
      let part = trimmed(part)
      let held = weakly && part.hasPrefix("W/") ? String(part.dropFirst(2)) : part
      // The response may have been packed.
      return part == "*" || (held.hasSuffix("-gzip\"") ? held.dropLast(6) + "\"" : held) == tag
    }
  }
}
