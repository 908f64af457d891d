import AnnotationImport
import AnnotationSources
import BusinessHours
import GeoJSONCoding
import Geodesy
import MapAnnotations
import WebMaps

/// Documents for web browsers.
enum HTMLDocument {
  /// Collections, with links to their maps.
  static func landing(_ collections: [ServedCollection], _ asked: NearbyService.Asked) -> [UInt8] {
    let base = escaped(asked.base)
    var text = "<ul>\n"
    for collection in collections {
      let address = escaped(asked.address(of: collection))
      let tiles = escaped(asked.tileAddress(of: collection))
      text += "<li><a href=\"\(address)?f=html\">\(escaped(collection.title))</a> "
      text += "(\(collection.state.index.count)): "
      text += "<a href=\"\(address)/items?f=html\">items</a>, "
      text += "<a href=\"\(tiles)/tilejson.json\">tiles</a></li>\n"
    }
    text += "</ul>\n<p><a href=\"\(base)/collections?f=html\">Collections</a>, "
    text += "<a href=\"\(base)/api?f=html\">API</a>, "
    text += "<a href=\"\(base)/api\">OpenAPI</a>, "
    text += "<a href=\"\(base)/conformance?f=html\">conformance</a></p>\n"
    return document("Nearby", text)
  }

  /// An annotation, and what the answer adds to its properties, such as its distance.
  typealias Row = (annotation: ImportedAnnotation, added: Properties)

  /// Features as a table, with links to other formats and to the next page.
  ///
  /// - Parameter matched: How many features all pages have; nil if that is not known.
  static func items(
    _ rows: [Row], of collection: ServedCollection, matched: Int?, _ links: [Link],
    _ asked: NearbyService.Asked
  ) -> [UInt8] {
    let address = escaped(asked.address(of: collection))
    var text = "<p><a href=\"\(address)?f=html\">Map</a>"
    for link in links where link.relation == "alternate" {
      text += ", <a rel=\"alternate\" href=\"\(escaped(link.address))\">"
      text += "\(escaped(link.title ?? link.type))</a>"
    }
    let count =
      matched.map { "\(rows.count) of \($0)" }
      ?? (rows.count == 1 ? "1 item" : "\(rows.count) items")
    text += ". \(count).</p>\n<div><table>\n"
    text += "<tr><th>id<th>name<th>kind<th>position<th>more</tr>\n"
    for (annotation, added) in rows {
      let place = annotation.coordinate.map { "\(degrees($0.latitude)),\(degrees($0.longitude))" }
      let shown = [
        "id": annotation.id.text, "name": annotation.name, "kind": annotation.kind?.rawValue,
      ]
      let own = annotation.properties.withDistinctNames.entries.filter { entry in
        let text = entry.value.text
        return text != "" && added[entry.name] == nil
          && shown[entry.name].map { $0 == text } != true
      }
      let more = (added.entries + own).map { "\($0.name): \($0.value.text ?? $0.value.jsonText)" }
      text += "<tr><td><a href=\"\(address)/items/\(annotation.id.text.inPath)?f=html\">"
      text += "\(escaped(annotation.id.text))</a><td>\(escaped(annotation.name ?? ""))"
      text += "<td>\(escaped(annotation.kind?.rawValue ?? ""))<td>\(place ?? "")"
      text += "<td>\(escaped(more.joined(separator: "; ")))</tr>\n"
    }
    text += "</table></div>\n"
    if let next = links.first(where: { $0.relation == "next" }) {
      text += "<p><a rel=\"next\" href=\"\(escaped(next.address))\">Next page</a></p>\n"
    }
    return document(collection.title, text)
  }

  /// Degrees to a centimeter.
  private static func degrees(_ value: Double) -> String {
    plainDecimal((value * 1e7).rounded() / 1e7)
  }

  /// A JSON document as nested lists, its addresses as links.
  static func value(_ value: PropertyValue, titled title: String) -> [UInt8] {
    document(title, list(value) + "\n")
  }

  private static func list(_ value: PropertyValue) -> String {
    switch value {
    case .object(let members):
      let entries = members.entries.map { "<dt>\(escaped($0.name))<dd>\(list($0.value))" }
      return "<dl>\n\(entries.joined(separator: "\n"))\n</dl>"
    case .array(let values) where values.allSatisfy(isNumeric):
      return escaped(value.jsonText)
    case .array(let values):
      return "<ul>\n\(values.map { "<li>\(list($0))" }.joined(separator: "\n"))\n</ul>"
    case .string(let text) where text.hasPrefix("http://") || text.hasPrefix("https://"):
      return "<a href=\"\(escaped(text))\">\(escaped(text))</a>"
    default: return escaped(value.text ?? "null")
    }
  }

  /// Whether a value is a number or a list of numbers, as a position or the coordinates of an area.
  private static func isNumeric(_ value: PropertyValue) -> Bool {
    switch value {
    case .number: true
    case .array(let values): values.allSatisfy(isNumeric)
    default: false
    }
  }

  private static func document(_ title: String, _ body: String) -> [UInt8] {
    Array(
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
      <link rel="icon" href="data:,">
      <title>\(escaped(title))</title>
      <style>:root{color-scheme:light dark}\
      body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}\
      div{overflow-x:auto}table{border-collapse:collapse;font-size:14px}\
      td,th{border:1px solid #999;padding:.2rem .5rem;text-align:left;vertical-align:top}\
      h1,dt,dd,li,td{overflow-wrap:anywhere}td:nth-child(2),td:last-child{min-width:12rem}\
      dd{margin-left:1rem}ul{padding-left:1rem}</style>
      <main>
      <h1>\(escaped(title))</h1>
      \(body)</main>
      </html>

      """.utf8)
  }

  /// Text escaped for HTML.
  static func escaped(_ text: String) -> String {
    var page = PageBytes()
    page.append(escaped: text)
    return String(decoding: page.bytes, as: UTF8.self)
  }
}

extension NearbyService {
  /// The map page of a collection, which follows its changes.
  ///
  /// - Parameter limit: The most annotations that it shows.
  func page(
    _ asked: Asked, _ collection: ServedCollection, upTo limit: Int = NearbyService.largestMap
  ) -> [UInt8] {
    // A change made while the page is built comes twice, and none is missed.
    let last = collection.feed.last
    let state = collection.state
    var page = WebPage(title: collection.title)
    page.land = PageLand(near: state.extent)
    let address = asked.address(of: collection)
    let tiles = asked.tileAddress(of: collection)
    page.liveAddress = "\(address)/live?since=\(last)&named"
    page.links = [
      ("Items", "\(address)/items?f=html"), ("GeoJSON", "\(address)/items?f=json"),
      ("GeoJSON sequence", "\(address)/items?f=jsonseq"), ("Tiles", "\(tiles)/tilejson.json"),
      ("Style", "\(tiles)/style.json"), ("Fields of filters", "\(address)/queryables?f=html"),
      ("Schema", "\(address)/schema?f=html"), ("Description", "\(address)?f=json"),
      ("All collections", "\(asked.base)/collections?f=html"),
    ]
    // Larger collections are better viewed as tiles; a page of all items is limited to what a browser can take.
    let shown = state.index.everything.prefix(limit)
    if shown.count < state.index.count {
      page.note =
        "This map shows \(shown.count) of \(state.index.count) places. "
        + "The items and the tiles have all of them."
    }
    return page.bytes(
      showing: GeoJSONWriter.bytes(
        of: shown.lazy.map { $0.servedFeature(isNamed: true) }, bbox: state.extent))
  }

  static let largestMap = 100_000
}
