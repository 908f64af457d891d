import AnnotationImport
import AnnotationSources
import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections
import NearbySearch
import ViewportClustering
import WebMaps

// The requests of maps: clusters, tiles, and how to draw them.
extension NearbyService {
  /// What a map shows in a box at a zoom.
  func clusters(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    let state = collection.state
    var understood = try understood(asked, .clusters, state)
    let parameters = try asked.request.parameters.get()
    func missing(_ parameter: String) -> Problem {
      Problem(
        400, "missing-\(parameter)",
        "say which box at which zoom: bbox=126.9,37.4,127.1,37.6&zoom=12", parameter: parameter)
    }
    guard let text = parameters.one("bbox") else { throw missing("bbox") }
    guard let zoom = parameters.one("zoom").flatMap({ Int($0) }) else { throw missing("zoom") }
    let viewport = MapViewport(try RequestParameters.box(text), zoom: zoom)
    let clusters: ClusterIndex<[ImportedAnnotation]>
    var until: Instant?
    if understood.query == NearbyQuery() {
      clusters = state.clusters()
    } else {
      // Clusters are of whole cells, which reach out of the box, whatever is in them.
      understood.confine(to: ClusterRule().box(of: viewport))
      try checkCost(understood, state)
      let answer = try answer(understood, state)
      clusters = ClusterIndex(answer.map(\.annotation))
      until = understood.until([answer.validUntil])
    }
    let view = clusters.view(of: viewport)
    // Nobody writes these back.
    let single = view.annotations.map {
      clusters.annotation(at: $0).servedFeature(isNamed: true)
    }
    let bytes = GeoJSONWriter.bytes(
      of: view.clusters.map(\.feature) + single, bbox: view.box,
      members: ["zoom": .integer(view.zoom), "numberMatched": .integer(view.count)])
    let content = Content(type: NearbyService.geoJSON, bytes: bytes, until: until)
    return kept(content, asked, of: collection, in: state)
  }

  /// The ends of tiles' names: that of vector tiles, and the one by which older clients know them.
  static let tileEndings = ["mvt", "pbf"]

  /// The address of a tile from its segments: zoom, x and y with an ending.
  static func tileAddress(_ parts: [String]) throws(Problem) -> TileAddress {
    let last = parts.last?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    guard parts.count == 3, let zoom = wholeNumber(parts[0]),
      let x = wholeNumber(parts[1]), last.count == 2,
      tileEndings.contains(String(last[1])), let y = wholeNumber(String(last[0])),
      // More digits than fit are read as the greatest number, which nobody wrote.
      max(zoom, x, y) < .max
    else { throw .notFound("there is no such tile", "write zoom/x/y.mvt") }
    let address = try Problem.wrapping(404) { () throws(TileAddressError) in
      try TileAddress(zoom: zoom, x: x, y: y)
    }
    guard ServedTiles.zooms.contains(zoom) else {
      throw Problem(
        404, "tile-zoom",
        "there are tiles of zooms 0 to \(ServedTiles.zooms.upperBound); maps enlarge the deepest beyond that"
      )
    }
    return address
  }

  /// A tile.
  func tile(
    _ asked: Asked, _ collection: ServedCollection, _ address: TileAddress
  ) throws(Problem) -> ServerAnswer {
    let state = collection.state
    var understood = try understood(asked, .tiles, state)
    let isFiltered = understood.query != NearbyQuery()
    var content = Content(type: "", bytes: [])
    // What time alone changes has a tag made from its bytes.
    if !understood.asksForNow {
      var tag = "\(state.tag)-\(address.zoom)-\(address.x)-\(address.y)"
      if isFiltered { tag += "-" + String(asked.request.query.utf8.fnvHash, radix: 36) }
      content.tag = tag
      // A tile that the client has in the encoding that it asks for need not be made again.
      let isPacked = NearbyService.takesGzip(asked.request.headers["accept-encoding"] ?? "")
      let known = "\"\(tag)\(isPacked ? "-gzip" : "")\""
      if asked.request.headers["if-none-match"]?.contains(known) ?? false {
        var answer = kept(content, asked, of: collection, in: state)
        if answer.status == 304 { answer.set("etag", known) }
        return answer
      }
    }
    let tiles = state.tiles()
    var found: NearbyAnswer<ImportedAnnotation>?
    if isFiltered {
      understood.confine(to: tiles.reach(of: address))
      try checkCost(understood, state, "zoom in")
      found = try answer(understood, state)
    }
    // The answer at a fixed time stays what it is.
    content.until = understood.asksForNow ? understood.until([found?.validUntil]) : nil
    let tile: PyramidTile?
    do {
      tile = try tiles.tile(
        address, layer: collection.name, of: state.index, only: found?.map(\.annotation))
    } catch {
      throw Problem(500, (error as? any CodedError)?.code ?? "tile", "\(error)")
    }
    guard let tile, tile.featureCount > 0 else {
      var answer = kept(content, asked, of: collection, in: state)
      if answer.status == 200 {
        answer.status = 204
        answer.headers.removeAll { $0.name == "content-type" }
      }
      return answer
    }
    content.type = "application/vnd.mapbox-vector-tile"
    content.bytes = tile.bytes
    return kept(content, asked, of: collection, in: state)
  }

  /// The address of all tiles of a collection that a request's filters find, with something in place of zoom, x and y.
  ///
  /// - Throws: A `Problem` if each tile would be refused.
  private func tileAddresses(
    _ asked: Asked, _ collection: ServedCollection, _ state: CollectionState, _ place: String
  ) throws(Problem) -> String {
    let understood = try understood(asked, .tiles, state)
    if understood.query != NearbyQuery() { try checkFields(understood, state) }
    return asked.tileAddress(of: collection) + place + understood.queryText()
  }

  /// What describes all tiles of a collection.
  func tileJSON(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    let state = collection.state
    let addresses = try tileAddresses(asked, collection, state, "/{z}/{x}/{y}.mvt")
    let zooms = ServedTiles.zooms
    let layer: PropertyValue = .object([
      "id": .string(collection.name), "fields": .object(state.tileFields()),
      "minzoom": .integer(zooms.lowerBound), "maxzoom": .integer(zooms.upperBound),
    ])
    var members: Properties = [
      "tilejson": "3.0.0", "name": .string(collection.title), "scheme": "xyz",
      "version": "1.0.0",
      "tiles": .array([.string(addresses)]),
      "minzoom": .integer(zooms.lowerBound), "maxzoom": .integer(zooms.upperBound),
      "clusterMaxZoom": .integer(state.tiles().clusterZoom),
    ]
    if let edges = TilePyramid(TileFeatures(within: state.extent)).edges {
      members.append("bounds", edges)
    }
    members.append("vector_layers", .array([layer]))
    return document(asked, .object(members), collection)
  }

  /// A style for MapLibre.
  func style(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    let state = collection.state
    let folder = try tileAddresses(asked, collection, state, "")
    // Colors do not depend on the filter.
    var query = NearbyQuery()
    query.facets = [.common(.kind)]
    query.limit = 1
    let facets = (try? state.index.answer(query, in: context(state)))?.facets
    let kinds = facets?.first?.counts.compactMap(\.value) ?? []
    let pyramid = TilePyramid(
      TileFeatures(within: state.extent),
      rules: TileRules(zooms: ServedTiles.zooms, layer: collection.name))
    let style = pyramid.style(.folder(folder), kinds: kinds, name: collection.title)
    return kept(Content(type: "application/json", bytes: style), asked, of: collection)
  }
}
