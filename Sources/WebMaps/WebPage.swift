internal import CNearbyPageAssets
import GeoJSONCoding
import MapAnnotations

/// A page for a browser that shows annotations on a map and in a list.
///
/// It is one file that needs no server and, if no setting names an address, no network.
///
///     var page = WebPage(title: "Deals in Yaizu")
///     let bytes = page.bytes(showing: featureCollection)
///
/// Text from the data stays text: markup in a name is displayed, not interpreted. The page's policy forbids loading
/// anything that its settings do not name, and running any script or style sheet other than its own, which it
/// identifies by hash.
public struct WebPage: Sendable {
  /// The title above the map and in the browser's tab.
  public var title: String
  /// The language of the page's own texts; nil for the reader's language.
  public var language: Language?
  /// A raster map under the annotations; nil for the built-in land, which loads nothing.
  public var tiles: TileSource?
  /// The world's land behind the annotations, detailed near a box; nil for none.
  public var land: PageLand? = PageLand()
  /// A detailed map on top of the land; nil for none.
  public var basemap: PageBasemap?
  /// When the places on the page are open; nil for no opening hours.
  public var hours: HoursTable?
  /// The address of the features, such as `deals.geojson` beside the page; nil if they are embedded.
  ///
  /// Browsers refuse to load it for a page opened from a file, so it needs a server. From an archive of tiles, whose
  /// name ends in `.pmtiles`, the page loads the visible points. All other features are then embedded in the page, and
  /// `hours` applies to them alone: each point has its own hours in the tiles.
  public var dataAddress: String?
  /// The address of a `PageSearchFile` for a page whose points are in tiles; nil to search visible
  /// points only.
  public var searchAddress: String?
  /// The address of a server's events with changes while the page is open; nil for none.
  ///
  /// Each event `diff` has `upsert`, features that replace those with the same ids, and `remove`, ids; a `snapshot` has
  /// all features, and after `dropped`, or `reset` with a `version`, the page is loaded again. To reconnect, the page
  /// sends the id of its last event as the parameter `since`.
  public var liveAddress: String?
  /// A sentence above the map, in English, such as one that says what is not on it; nil for none.
  public var note: String?
  /// Links above the map, beside the note.
  public var links: [(text: String, address: String)] = []
  /// The number of annotations of each kind in the tile archive and the page together, for the legend.
  public var kinds: [(name: String, count: Int)] = []

  /// Makes a page in the reader's language, with the world's land.
  public init(title: String) { self.title = title }

  /// The languages of the page's own texts.
  public enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case japanese = "ja"
    case korean = "ko"
  }

  /// A raster map in tiles.
  public struct TileSource: Sendable {
    /// The address with `{z}`, `{x}` and `{y}`, as `https://example.org/{z}/{x}/{y}.png`.
    public var address: String
    /// The attribution, as text.
    public var attribution: String

    /// Makes a reference to a raster map.
    public init(address: String, attribution: String) {
      self.address = address
      self.attribution = attribution
    }
  }

  /// The page as HTML in UTF-8.
  ///
  /// - Parameter collection: A GeoJSON feature collection in UTF-8, of points and features without a geometry; not
  ///   embedded if `dataAddress` names it. With tiles, the features that these lack.
  /// - Complexity: O(*n*) in the bytes of the collection, which are copied once.
  public func bytes(showing collection: [UInt8]) -> [UInt8] {
    PageTemplate.filled(page_template().buffer, reserving: collection.count + 400_000) {
      place, out in
      switch place {
      case "title": out.append(escaped: title)
      case "policy": out.append(escaped: policy)
      case "about": appendAbout(to: &out)
      case "style": out.append(page_style().buffer)
      case "script": out.append(page_script().buffer)
      case "data": appendData(collection, to: &out)
      default: preconditionFailure("the page's template has a place \(place) that nothing fills")
      }
    }
  }

  /// The policy hashes of the page's own script and style sheet; in the template they follow a line feed.
  private static let scriptName = PageBytes.policyName(of: [0x0A] + page_script().buffer)
  private static let styleName = PageBytes.policyName(of: [0x0A] + page_style().buffer)

  /// The content security policy: the browser may load and run only what is named here.
  private var policy: String {
    let pictures = tiles.map { " " + PageTemplate.origin(of: $0.address) } ?? ""
    let addresses = [dataAddress, searchAddress, liveAddress].compactMap(\.self)
    // The page's own host as well, which an address may spell in a way that a policy cannot, such
    // as IPv6.
    let origins = Set(["'self'"] + addresses.map { PageTemplate.origin(of: $0) })
    let fetches = addresses.isEmpty ? "'none'" : origins.sorted().joined(separator: " ")
    return "default-src 'none'; script-src \(WebPage.scriptName); "
      + "style-src \(WebPage.styleName); img-src data:\(pictures); "
      + "connect-src \(fetches); base-uri 'none'; form-action 'none'"
  }

  private func appendAbout(to out: inout PageBytes) {
    guard note != nil || !links.isEmpty else { return }
    out.append("\n<div id=\"about\" lang=\"en\">")
    if let note {
      out.append("<span>")
      out.append(escaped: note)
      out.append("</span>")
    }
    for link in links {
      out.append("\n<a href=\"")
      out.append(escaped: link.address)
      out.append("\">")
      out.append(escaped: link.text)
      out.append("</a>")
    }
    out.append("</div>")
  }

  private func appendData(_ collection: [UInt8], to out: inout PageBytes) {
    out.append(json: settings, type: "json", id: "settings")
    if let basemap {
      out.append("\n")
      out.append(json: basemap.collection, type: "geo+json", id: "basemap")
    }
    guard dataAddress == nil || isTiled && !collection.isEmpty else { return }
    out.append("\n")
    out.append(json: collection, type: "geo+json", id: "data")
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
      let pairs = kinds.map { PropertyValue.array([.string($0.name), .integer($0.count)]) }
      json.member("kinds", .array(pairs))
    }
    if let tiles {
      json.member(
        "tiles",
        .object(["url": .string(tiles.address), "attribution": .string(tiles.attribution)]))
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
