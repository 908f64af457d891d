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
  /// The library that draws the map; without one the page draws a plain map itself.
  public var library = MapLibrary.none
  /// A map to lie under the annotations; nil for coasts on a plain ground, which loads nothing.
  public var tiles: TileSource?
  /// Lines behind the annotations where there are no tiles.
  public var coasts = Coasts()
  /// When what the page shows is open; nil leaves hours out.
  public var hours: HoursTable?
  /// Where the features are fetched from, as `deals.geojson` beside the page; nil when they are inside.
  ///
  /// Browsers refuse that to a page opened from a file, so it needs a server.
  public var dataAddress: String?

  /// Makes a page in the reader's language, without a library and a map below.
  public init(title: String) { self.title = title }

  /// The languages that the page's own words come in.
  public enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case japanese = "ja"
    case korean = "ko"
  }

  /// Where Leaflet comes from.
  public enum MapLibrary: Sendable {
    /// The page draws its map without a library.
    case none
    /// Inside the page.
    case embedded(script: [UInt8], style: [UInt8])
    /// From an address, if what comes has this hash, as `sha256-…`.
    case linked(script: LinkedFile, style: LinkedFile)
  }

  /// A file on a server, with the hash that it must have.
  public struct LinkedFile: Sendable {
    /// Where it is, as `https://example.org/leaflet.js`.
    public var address: String
    /// Its subresource integrity (W3C SRI), as `sha384-…`.
    public var integrity: String

    /// Makes a reference to a file.
    public init(address: String, integrity: String) {
      self.address = address
      self.integrity = integrity
    }
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

  /// Lines for orientation.
  public struct Coasts: Sendable {
    /// The lines, each its positions in order.
    public var lines: [[Coordinate]]
    /// The last zoom at which they are shown: coarse lines would mislead on a street map.
    public var lastZoom: Int

    /// Makes lines; none by default.
    public init(_ lines: [[Coordinate]] = [], lastZoom: Int = 21) {
      self.lines = lines
      self.lastZoom = lastZoom
    }
  }

  /// The page as HTML in UTF-8.
  ///
  /// - Parameter collection: A GeoJSON feature collection in UTF-8, points and features without a
  ///   geometry; left out of the page where `dataAddress` names it.
  /// - Complexity: O(*n*) in the bytes of the collection, which are copied once.
  public func bytes(showing collection: [UInt8]) -> [UInt8] {
    var page: [UInt8] = []
    page.reserveCapacity(collection.count + 400_000)
    let own = OwnContent(library)
    PageTemplate.fill(page_template().buffer) { place, out in
      switch place {
      case "title": out.append(escaped: title)
      case "policy": out.append(escaped: policy(own))
      case "style": out.append(page_style().buffer)
      case "script": out.append(page_script().buffer)
      case "library-style": appendLibraryStyle(own, to: &out)
      case "library-script": appendLibraryScript(own, to: &out)
      case "data": appendData(collection, to: &out)
      default: preconditionFailure("the page's template has a place \(place) that nothing fills")
      }
    } into: {
      page.append(contentsOf: $0)
    }
    return page
  }

  /// What stands between the tags of the page's script and style elements.
  private struct OwnContent {
    var styles: [[UInt8]] = []
    var scripts: [[UInt8]] = []

    init(_ library: MapLibrary) {
      if case .embedded(let script, let style) = library {
        styles.append(OwnContent.element { $0.append(library: style, endingWith: "</style") })
        scripts.append(OwnContent.element { $0.append(library: script, endingWith: "</script") })
      }
    }

    private static func element(_ write: (inout PageBytes) -> Void) -> [UInt8] {
      var content = PageBytes()
      content.append("\n")
      write(&content)
      content.append("\n")
      return content.bytes
    }
  }

  /// The names of the page's own script and style sheet; they stand behind a line feed in the template.
  private static let scriptName = PageBytes.policyName(of: [0x0A] + page_script().buffer)
  private static let styleName = PageBytes.policyName(of: [0x0A] + page_style().buffer)

  /// What the browser may load and run: nothing that is not named here.
  private func policy(_ own: OwnContent) -> String {
    var scripts = [WebPage.scriptName] + own.scripts.map(PageBytes.policyName)
    var styles = [WebPage.styleName] + own.styles.map(PageBytes.policyName)
    var pictures = "data:"
    if case .linked(let script, let style) = library {
      scripts.append(script.address)
      styles.append(style.address)
    }
    if let tiles { pictures += " " + PageTemplate.origin(of: tiles.address) }
    let fetches = dataAddress == nil ? "'none'" : "'self'"
    return "default-src 'none'; script-src \(scripts.joined(separator: " ")); "
      + "style-src \(styles.joined(separator: " ")); img-src \(pictures); "
      + "connect-src \(fetches); base-uri 'none'; form-action 'none'"
  }

  private func appendLibraryStyle(_ own: OwnContent, to out: inout PageBytes) {
    for style in own.styles {
      out.append("<style>")
      out.bytes += style
      out.append("</style>")
    }
    if case .linked(_, let style) = library {
      out.append("<link rel=\"stylesheet\" href=\"")
      out.append(escaped: style.address)
      out.append("\" integrity=\"")
      out.append(escaped: style.integrity)
      out.append("\" crossorigin=\"anonymous\">")
    }
  }

  private func appendLibraryScript(_ own: OwnContent, to out: inout PageBytes) {
    for script in own.scripts {
      // The licence asks for its notice in every copy.
      out.append(
        """
        <!-- Leaflet, BSD-2-Clause, (c) 2010-2023 Volodymyr Agafonkin, (c) 2010-2011 CloudMade -->
        <script>
        """)
      out.bytes += script
      out.append("</script>")
    }
    if case .linked(let script, _) = library {
      out.append("<script src=\"")
      out.append(escaped: script.address)
      out.append("\" integrity=\"")
      out.append(escaped: script.integrity)
      out.append("\" crossorigin=\"anonymous\"></script>")
    }
  }

  private func appendData(_ collection: [UInt8], to out: inout PageBytes) {
    out.append("<script type=\"application/json\" id=\"settings\">")
    out.append(json: settings)
    out.append("</script>")
    guard dataAddress == nil else { return }
    out.append("\n<script type=\"application/geo+json\" id=\"data\">")
    out.append(json: collection)
    out.append("</script>")
  }

  private var settings: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    if let language { json.member("language", .string(language.rawValue)) }
    if let dataAddress { json.member("data", .string(dataAddress)) }
    if let tiles {
      json.name("tiles")
      json.beginObject()
      json.member("url", .string(tiles.address))
      json.member("attribution", .string(tiles.attribution))
      json.endObject()
    }
    json.name("coasts")
    json.beginObject()
    json.member("lastZoom", .integer(coasts.lastZoom))
    json.name("lines")
    json.beginArray()
    for line in coasts.lines {
      json.beginArray()
      for position in line {
        json.beginArray()
        json.number(position.latitude)
        json.number(position.longitude)
        json.endArray()
      }
      json.endArray()
    }
    json.endArray()
    json.endObject()
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
