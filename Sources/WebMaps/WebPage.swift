internal import CNearbyPageAssets
import GeoJSONCoding
import Geodesy
import MapAnnotations

/// A page for a browser that shows annotations on a map and in a list: one file that needs no server
/// and, with the map library inside or without one, no network.
///
///     var page = WebPage(title: "Deals in Yaizu")
///     page.library = .embedded(script: leafletScript, style: leafletStyle)
///     let bytes = page.bytes(showing: featureCollection)
///
/// Text from the data stays text: markup in a name is shown, not read. The page forbids by its own
/// policy to load anything that its settings do not name, and to run any script or take any style sheet
/// inside it but its own and its library's, which the policy knows by their hashes.
public struct WebPage: Sendable {
  /// What stands above the map and in the browser's tab.
  public var title: String
  /// The language of the page's own words; nil for the reader's.
  public var language: Language?
  /// A map to lie under the annotations; nil for the built-in land, which loads nothing.
  public var tiles: TileSource?
  /// The land of the world behind the annotations, finer near a box; nil for none.
  public var land: PageLand? = PageLand()
  /// What lies on the land, closer in; nil for nothing.
  public var basemap: PageBasemap?
  /// When what the page shows is open; nil leaves hours out.
  public var hours: HoursTable?
  /// Where the features are fetched from, as `deals.geojson` beside the page; nil when they are inside.
  ///
  /// Browsers refuse that to a page opened from a file, so it needs a server. From an archive of tiles, whose name
  /// ends in `.pmtiles`, the page loads the points in sight. What is no point with a position stands in the page then,
  /// and `hours` are of that alone: each point has its own in the tiles.
  public var dataAddress: String?
  /// Where a page whose points are in tiles finds them by their texts, a `PageSearchFile` beside it; nil leaves its
  /// search with what is in sight.
  public var searchAddress: String?
  /// Where changes come from while the page is open, as events of a server; nil for nowhere.
  ///
  /// Each event `diff` has `upsert`, features to put in the place of those with their ids, and `remove`, ids.
  public var liveAddress: String?
  /// How many of each kind there are in an archive of tiles and in the page together, for the legend.
  public var kinds: [(name: String, count: Int)] = []

  /// Makes a page in the reader's language, with the land of the world.
  public init(title: String) { self.title = title }

  /// The languages that the page's own words come in.
  public enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case japanese = "ja"
    case korean = "ko"
  }

  /// A map in pictures, zoom by zoom.
  public struct TileSource: Sendable {
    /// With `{z}`, `{x}` and `{y}`, as `https://example.org/{z}/{x}/{y}.png`.
    public var address: String
    /// Its attribution, as text.
    public var attribution: String

    /// Makes a reference to a map in pictures.
    public init(address: String, attribution: String) {
      self.address = address
      self.attribution = attribution
    }
  }

  /// The page as HTML in UTF-8.
  ///
  /// - Parameter collection: A GeoJSON feature collection in UTF-8, points and features without a
  ///   geometry; left out of the page where `dataAddress` names it. Beside tiles it has what they have not.
  /// - Complexity: O(*n*) in the bytes of the collection, which are copied once.
  public func bytes(showing collection: [UInt8]) -> [UInt8] {
    var page: [UInt8] = []
    page.reserveCapacity(collection.count + 400_000)
    PageTemplate.fill(page_template().buffer) { place, out in
      switch place {
      case "title": out.append(escaped: title)
      case "policy": out.append(escaped: policy)
      case "style": out.append(page_style().buffer)
      case "script": out.append(page_script().buffer)
      case "data": appendData(collection, to: &out)
      default: preconditionFailure("the page's template has a place \(place) that nothing fills")
      }
    } into: {
      page.append(contentsOf: $0)
    }
    return page
  }

  /// The names of the page's own script and style sheet; they stand behind a line feed in the template.
  private static let scriptName = PageBytes.policyName(of: [0x0A] + page_script().buffer)
  private static let styleName = PageBytes.policyName(of: [0x0A] + page_style().buffer)

  /// What the browser may load and run: nothing that is not named here.
  private var policy: String {
    let pictures = tiles.map { " " + PageTemplate.origin(of: $0.address) } ?? ""
    let fetches = dataAddress == nil && liveAddress == nil ? "'none'" : "'self'"
    return "default-src 'none'; script-src \(WebPage.scriptName); "
      + "style-src \(WebPage.styleName); img-src data:\(pictures); "
      + "connect-src \(fetches); base-uri 'none'; form-action 'none'"
  }

  private func appendData(_ collection: [UInt8], to out: inout PageBytes) {
    out.append("<script type=\"application/json\" id=\"settings\">")
    out.append(json: settings)
    out.append("</script>")
    if let basemap {
      out.append("\n<script type=\"application/geo+json\" id=\"basemap\">")
      out.append(json: basemap.collection)
      out.append("</script>")
    }
    guard dataAddress == nil || isTiled && !collection.isEmpty else { return }
    out.append("\n<script type=\"application/geo+json\" id=\"data\">")
    out.append(json: collection)
    out.append("</script>")
  }

  private var isTiled: Bool { dataAddress?.lowercased().hasSuffix(".pmtiles") ?? false }

  private var settings: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    if let language { json.member("language", .string(language.rawValue)) }
    if let dataAddress { json.member("data", .string(dataAddress)) }
    if let searchAddress { json.member("search", .string(searchAddress)) }
    if let liveAddress { json.member("live", .string(liveAddress)) }
    if !kinds.isEmpty {
      json.name("kinds")
      json.beginArray()
      for kind in kinds {
        json.beginArray()
        json.string(kind.name)
        json.number(kind.count)
        json.endArray()
      }
      json.endArray()
    }
    if let tiles {
      json.name("tiles")
      json.beginObject()
      json.member("url", .string(tiles.address))
      json.member("attribution", .string(tiles.attribution))
      json.endObject()
    }
    if let land {
      json.name("land")
      land.write(to: &json)
    }
    if let hours {
      json.name("hours")
      hours.write(to: &json)
    }
    json.endObject()
    return json.bytes
  }
}

extension page_bytes {
  fileprivate var buffer: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes, count: count)
  }
}
