import AnnotationImport
import AnnotationSources
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch

// Reading and writing single features (after OGC API Features, Part 4).

extension NearbyService {
  /// One feature: read, put or deleted.
  func item(
    _ asked: Asked, _ collection: ServedCollection, _ id: AnnotationID
  ) throws(Problem) -> ServerAnswer {
    switch asked.request.method {
    case "PUT": return try put(asked, collection, id)
    case "DELETE": return try delete(asked, collection, id)
    default: break
    }
    let isHTML = try wantsHTML(asked, .item)
    // Read before the item: a version newer than the item would hide changes from a client that asks since then.
    let state = collection.state
    let found = try Problem.wrapping { () throws(QueryError) in try collection.annotation(id) }
    guard let annotation = found else {
      throw .notFound(
        "no item has the id \(id.text)",
        "/collections/\(collection.name.inPath)/items lists those that there are")
    }
    let address = asked.address(of: collection)
    var feature = annotation.servedFeature()
    if case .array(let others) = feature.foreignMembers["links"] ?? .array([]) {
      let links = NearbyService.links(of: id.text, in: address).map(\.value)
      feature.foreignMembers["links"] = .array(others + links)
    }
    var json = JSONWriter()
    json.feature(feature)
    json.endLine()
    if isHTML, let value = try? PropertyValue(json: json.bytes) {
      let page = HTMLDocument.value(value, titled: annotation.name ?? annotation.id.text)
      return kept(.html(page), asked, of: collection, in: state)
    }
    let content = Content(
      type: NearbyService.geoJSON, bytes: json.bytes, tag: NearbyService.tag(of: annotation))
    return kept(content, asked, of: collection, in: state)
  }

  /// The links that an item gets.
  ///
  /// - Parameter address: That of its collection.
  private static func links(of id: String, in address: String) -> [Link] {
    let own = "\(address)/items/\(id.inPath)"
    return [
      Link("self", geoJSON, own), Link("alternate", "text/html", own + "?f=html"),
      Link("collection", "application/json", address),
    ]
  }

  /// A feature without the links that it gets as an item, whatever host they name: putting back what was read changes
  /// nothing.
  private static func withoutLinks(
    _ feature: PropertyValue, _ collection: ServedCollection
  ) -> PropertyValue {
    guard case .object(var members) = feature, case .array(let given)? = members["links"],
      let id = members["id"]?.text
    else { return feature }
    let served = links(of: id, in: "/collections/\(collection.name.inPath)")
    let others = given.filter { link in
      guard case .object(let link) = link else { return true }
      return !served.contains {
        link["rel"]?.text == $0.relation && link["type"]?.text == $0.type
          && link["href"]?.text?.hasSuffix($0.address) ?? false
      }
    }
    guard others.count < given.count else { return feature }
    members["links"] = others.isEmpty ? nil : .array(others)
    return .object(members)
  }

  /// The entity tag of an annotation.
  private static func tag(of annotation: ImportedAnnotation) -> String {
    String(annotation.digest, radix: 36)
  }

  /// Throws unless a request may write: writing takes the token, no parameters and, but for DELETE, GeoJSON.
  func expectWriting(_ request: ServerRequest) throws(Problem) {
    try expectToken(request)
    try request.parameters.get().expect(.plain)
    guard request.method != "DELETE" else { return }
    let parts = (request.headers["content-type"] ?? "application/geo+json").split(separator: ";")
      .map { trimmed($0).lowercased() }
    let type = parts.first ?? ""
    guard ["application/geo+json", "application/json"].contains(type) else {
      throw Problem(415, "content-type", "\(type) is not accepted here; send application/geo+json")
    }
    for part in parts.dropFirst() where part.hasPrefix("charset=") {
      guard part.filter({ $0.isLetter || $0.isNumber }) == "charsetutf8" else {
        throw Problem(415, "content-type", "\(part) is not accepted here; send UTF-8")
      }
    }
    let crs = trimmed(request.headers["content-crs"] ?? "")
    guard ["", ServerParameter.crs84, ServerParameter.crs84InHeader].contains(crs) else {
      throw Problem(
        400, "content-crs",
        "positions in \(crs) are not accepted here; send longitude and latitude on WGS 84, with "
          + "Content-Crs: \(ServerParameter.crs84InHeader) or without it")
    }
    let encodings = (request.headers["content-encoding"] ?? "").split(separator: ",")
    guard encodings.allSatisfy({ trimmed($0).lowercased() == "identity" }) else {
      throw Problem(
        415, "content-encoding", "bodies are not unpacked here; send it without Content-Encoding",
        // RFC 9110, 15.5.16: so the client knows that it is not the type.
        headers: [("accept-encoding", "identity")])
    }
  }

  /// Throws unless a request has the token.
  private func expectToken(_ request: ServerRequest) throws(Problem) {
    let given = request.headers["authorization"] ?? ""
    guard let token, given.lowercased().hasPrefix("bearer "),
      // Takes as long for a wrong token as for the right one.
      NearbyService.isSame(Array(given.dropFirst(7).utf8), Array(token.utf8))
    else {
      throw Problem(
        401, "token", "writing needs the server's token; send Authorization: Bearer TOKEN",
        headers: [("www-authenticate", "Bearer")])
    }
  }

  private static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    var difference = left.count ^ right.count
    for place in right.indices {
      difference |= Int(right[place] ^ (place < left.count ? left[place] : 0))
    }
    return difference == 0
  }

  /// Inserts a feature, or replaces the one with its id.
  private func put(
    _ asked: Asked, _ collection: ServedCollection, _ id: AnnotationID
  ) throws(Problem) -> ServerAnswer {
    try expectWriting(asked.request)
    let annotations = try NearbyService.annotations(in: asked.request, collection, id: id)
    guard annotations.count == 1 else {
      throw Problem(
        400, "body-features", "the body holds \(annotations.count) features; put one at a time")
    }
    let (added, _) = try write(asked, collection, putting: annotations)
    let tag = "\"\(NearbyService.tag(of: annotations[0]))\""
    var headers = [("etag", tag), ("x-nearby-version", collection.state.tag)]
    guard added > 0 else { return ServerAnswer(204, headers) }
    headers.append(("location", "\(asked.address(of: collection))/items/\(id.text.inPath)"))
    return ServerAnswer(201, headers)
  }

  private func delete(
    _ asked: Asked, _ collection: ServedCollection, _ id: AnnotationID
  ) throws(Problem) -> ServerAnswer {
    try expectWriting(asked.request)
    // Deleting twice is as good as once; only with `If-Match` must the feature have been there.
    _ = try write(asked, collection, putting: [], removing: [id])
    return ServerAnswer(204, [("x-nearby-version", collection.state.tag)])
  }

  /// Inserts the features of a body, or replaces those with their ids: all of them or none.
  func post(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    try expectWriting(asked.request)
    let annotations = try NearbyService.annotations(in: asked.request, collection, id: nil)
    var ids: Set<AnnotationID> = []
    for annotation in annotations where !ids.insert(annotation.id).inserted {
      throw Problem(
        400, "body-ids", "two features have the id \(annotation.id.text); give each its own")
    }
    let (added, changed) = try write(asked, collection, putting: annotations)
    let address = asked.address(of: collection) + "/items"
    let version = collection.state.tag
    let members: Properties = [
      "added": .integer(added), "changed": .integer(changed),
      "ids": .array(annotations.map { .string($0.id.text) }),
      "version": .string(version),
    ]
    let body = PropertyValue.object(members).jsonLine
    var headers = [("content-type", "application/json"), ("x-nearby-version", version)]
    guard added > 0 else { return ServerAnswer(200, headers, body) }
    if annotations.count == 1 {
      headers.append(("location", "\(address)/\(annotations[0].id.text.inPath)"))
    }
    return ServerAnswer(201, headers, body)
  }

  /// Writes annotations if all that is there is what the client expects, and reports their new positions to fences.
  ///
  /// - Returns: How many of the annotations that were put are new, and how many others differ from what was there.
  private func write(
    _ asked: Asked, _ collection: ServedCollection, putting annotations: [ImportedAnnotation],
    removing ids: [AnnotationID] = []
  ) throws(Problem) -> (added: Int, changed: Int) {
    let written: (held: [ImportedAnnotation?], changed: Int)
    do throws(Problem) {
      written = try collection.write(
        putting: annotations, removing: ids, by: asked.request.deadline ?? .now + writePatience
      ) { held in
        held.lazy.compactMap { NearbyService.check(asked.request, $0) }.first
      }
      note(failure: nil, of: collection.name)
    } catch {
      if error.status == 503, error.code != "store-busy" {
        note(failure: error.detail, of: collection.name)
      }
      throw error
    }
    let after = annotations.map { ($0.id, $0.coordinate) } + ids.map { ($0, nil) }
    fences?.take(
      zip(written.held, after).map { ($1.0, $0?.coordinate, $1.1) }, in: collection.name,
      at: asked.now)
    let added = written.held.prefix(annotations.count).count { $0 == nil }
    return (added, written.changed - added)
  }

  /// Checks that the current feature is what a client expects, by `If-Match` and `If-None-Match`.
  private static func check(_ request: ServerRequest, _ held: ImportedAnnotation?) -> Problem? {
    let tag = held.map { "\"\(NearbyService.tag(of: $0))\"" }
    if let expected = request.headers["if-match"],
      tag.map({ holds(expected, $0, weakly: false) }) != true
    {
      guard let tag else { return Problem(412, "if-match", "there is no such item") }
      // Proxies that pack answers make tags weak.
      return Problem(
        412, "if-match",
        holds(expected, tag, weakly: true)
          ? "a weak tag (W/) is not enough to write by; send \(tag)"
          : "the item has changed; read it again")
    }
    if let unexpected = request.headers["if-none-match"], let tag,
      holds(unexpected, tag, weakly: true)
    {
      return Problem(412, "if-none-match", "the item already exists")
    }
    return nil
  }

  /// The features of a body.
  ///
  /// - Parameter id: The id in the URL; nil where features must have their own.
  private static func annotations(
    in request: ServerRequest, _ collection: ServedCollection, id: AnnotationID?
  ) throws(Problem) -> [ImportedAnnotation] {
    let body = try storable(request.body, collection, id: id)
    let result = try imported(body)
    let annotations = Array(result.annotations)
    guard !annotations.isEmpty else {
      throw Problem(400, "body-features", "the body holds no feature; send one or more")
    }
    for annotation in annotations {
      guard !annotation.id.text.utf8.contains(0) else {
        throw Problem(
          400, "body-id", "an id holds a zero character, which no address can have; take it out")
      }
      if let id, annotation.id != id { throw mismatch(annotation.id.text, id) }
    }
    // Where none of them has an id, they have the numbers of their records.
    let lacksIDs =
      !result.annotations.numberedSources.isEmpty || result.report.warnings["no-id"] != nil
    guard id == nil, lacksIDs else { return annotations }
    return Array(try imported(withNewID(body)).annotations)
  }

  /// A body with the id of its address, and without the links that items get.
  private static func storable(
    _ body: [UInt8], _ collection: ServedCollection, id: AnnotationID?
  ) throws(Problem) -> [UInt8] {
    guard !body.allSatisfy(\.isASCIIWhitespace) else {
      throw Problem(400, "empty-input", "the body is empty; send a GeoJSON feature")
    }
    // RFC 8259 allows nothing else, and to guess would store what nobody sent.
    if let offset = body.withUnsafeBufferPointer({ UTF8Validation.firstInvalidOffset(in: $0) }) {
      throw Problem(400, "encoding", "the body is not UTF-8 (byte \(offset)); send it in UTF-8")
    }
    guard let id else {
      // `firstRange` would take as long as all the rest.
      let mayHaveLinks = body.indices.contains {
        body[$0] == UInt8(ascii: "\"") && body[$0...].starts(with: "\"links\"".utf8)
      }
      guard mayHaveLinks,
        case .object(var members)? = try? PropertyValue(json: body)
      else { return body }
      if case .array(let features)? = members["features"] {
        members["features"] = .array(features.map { withoutLinks($0, collection) })
      }
      return withoutLinks(.object(members), collection).json
    }
    // A blank id would be read as none.
    guard !trimmed(id.text).isEmpty else {
      throw Problem(
        400, "path-value", "the id in the address is blank; write the id of the feature there")
    }
    let value = try Problem.wrapping { () throws(GeoJSONError) in try PropertyValue(json: body) }
    guard case .object(var members) = value, members["type"]?.text == "Feature" else {
      throw Problem(400, "body-feature", "the body is not a GeoJSON Feature; send one")
    }
    let given = members["id"]?.text
    guard given == nil || given == id.text else { throw mismatch(given ?? "", id) }
    if members["id"] == nil { members["id"] = .string(id.text) }
    return withoutLinks(.object(members), collection).json
  }

  private static func imported(_ body: [UInt8]) throws(Problem) -> ImportResult {
    var options = ImportOptions()
    options.isStrict = true
    options.encoding = .utf8
    do throws(ImportError) {
      return try AnnotationImporter(options: options).read(body, named: "body", format: .geojson)
    } catch {
      // What a client can do about it.
      guard error.code != "crs-unknown" else {
        throw Problem(
          400, error.code,
          "positions in the body are meters, not degrees; send longitude and latitude on WGS 84")
      }
      let remedies = ["allowsNullIsland": "a position 0.0005° away", "isStrict": "a request"]
      throw Problem(400, error.code, named(remedies, in: "\(error)"))
    }
  }

  /// A single feature with an id from the server: so QGIS can add one, whose features have none.
  private static func withNewID(_ body: [UInt8]) throws(Problem) -> [UInt8] {
    guard case .object(var members)? = try? PropertyValue(json: body),
      members["type"]?.text == "Feature"
    else {
      throw Problem(
        400, "body-id",
        "a feature has no id to find it by; give it one, or post it alone, in no collection")
    }
    members["id"] = .string(String(UInt64.random(in: .min ... .max), radix: 36))
    return PropertyValue.object(members).json
  }

  /// The problem of a feature with another id than the address.
  private static func mismatch(_ given: String, _ id: AnnotationID) -> Problem {
    Problem(
      400, "body-id",
      "the feature has the id \"\(given)\", and the address \"\(id.text)\"; use one for both")
  }
}
