import GeoJSONCoding
import MapAnnotations

extension NearbyService {
  /// The API as an OpenAPI 3.0 document.
  func openAPI(_ asked: Asked) throws(Problem) -> ServerAnswer {
    var api = OpenAPIDocument()
    api.addDocuments()
    for collection in collections {
      let items = ["collections", collection.name, "items"]
      api.add(collection, isWritable: methods(of: items).contains("POST"))
    }
    return try document(
      asked, api.value(at: asked.base), titled: "Nearby's API",
      type: "application/vnd.oai.openapi+json;version=3.0")
  }
}

private let json = "application/json"
private let html = "text/html"
private let events = "text/event-stream"

/// The OpenAPI 3.0 document of the server, made from the table that also parses requests.
struct OpenAPIDocument {
  private var paths = Properties()

  /// The responses of an operation, without those that every operation has.
  private typealias Answers = [(status: String, about: String, types: [String])]

  /// Adds an operation to a path.
  private mutating func add(
    method: String = "get", _ path: String, _ id: String, _ about: String,
    _ parameters: [PropertyValue] = [], answering answers: Answers
  ) {
    var responses = Properties()
    for answer in answers {
      responses.append(
        answer.status, OpenAPIDocument.response(answer.about, answer.types))
    }
    if method == "get" { responses.append("304", .object(["description": "Nothing new"])) }
    // What any request may get: a wrong parameter, nothing there, too many requests; browsers get it as a page.
    responses.append(
      "default",
      .object([
        "description": "Why there is no answer",
        "content": .object([
          "application/problem+json": .object([
            "schema": .object(["$ref": "#/components/schemas/problem"])
          ]), html: .object(["schema": .object([:])]),
        ]),
      ]))
    let parameters = parameters + (method == "get" ? [] : OpenAPIDocument.conditions)
    var operation: Properties = [
      "operationId": .string(id), "summary": .string(about), "parameters": .array(parameters),
      "responses": .object(responses),
    ]
    if method != "get" { operation.append("security", .array([.object(["token": .array([])])])) }
    if method == "put" || method == "post" {
      operation.append(
        "requestBody",
        .object([
          "required": .bool(true),
          "content": OpenAPIDocument.content([NearbyService.geoJSON, json]),
        ]))
    }
    var operations = Properties()
    if case .object(let others)? = paths[path] { operations = others }
    operations.append(method, .object(operation))
    paths[path] = .object(operations)
  }

  private static func content(_ types: [String]) -> PropertyValue {
    .object(
      Properties(types.map { Properties.Entry(name: $0, value: .object(["schema": .object([:])])) })
    )
  }

  private static func response(_ about: String, _ types: [String]) -> PropertyValue {
    var members: Properties = ["description": .string(about)]
    if !types.isEmpty { members.append("content", content(types)) }
    return .object(members)
  }

  // MARK: Parameters

  private func parameters(
    _ operation: Operation, _ required: Set<String> = []
  ) -> [PropertyValue] {
    ServerParameter.all.filter { $0.operations.contains(operation) }.map { parameter in
      var members: Properties = [
        "name": .string(parameter.name), "in": "query",
        "description": .string(parameter.about),
        "required": .bool(required.contains(parameter.name)), "schema": parameter.schema,
      ]
      if case .numbers = parameter.value {
        members.append("style", "form")
        members.append("explode", .bool(false))
      }
      if case .flag = parameter.value { members.append("allowEmptyValue", .bool(true)) }
      return .object(members)
    }
  }

  private func inPath(_ name: String, _ schema: Properties) -> PropertyValue {
    .object([
      "name": .string(name), "in": "path", "required": .bool(true), "schema": .object(schema),
    ])
  }

  private static func inHeader(_ name: String, _ about: String) -> PropertyValue {
    .object([
      "name": .string(name), "in": "header", "description": .string(about),
      "required": .bool(false), "schema": .object(["type": "string"]),
    ])
  }

  /// The conditions of writing.
  private static let conditions = [
    inHeader("If-Match", "Only if what is there has one of these entity tags; * for any."),
    inHeader("If-None-Match", "Only if what is there has none of these entity tags; * for any."),
  ]

  private static let lastEvent = inHeader(
    "Last-Event-ID", "The number of the last event that the client knows: it gets those after it.")

  /// The fields of a collection that test for equality: those that no parameter has the name of.
  private func fields(of collection: ServedCollection, _ operation: Operation) -> [PropertyValue] {
    let taken = ServerParameter.byOperation[operation] ?? [:]
    return collection.state.queryables.filter { taken[$0.name] == nil }.map {
      field -> PropertyValue in
      let equals =
        switch field.sort {
        case .string where field.mayHaveNumbersAsTexts:
          "Only what equals this text: 4 does not find 4.0, as \"= 4\" in filter does."
        case .mixed: "Only what equals this, as a text, a number, or true or false."
        case .string, .number, .boolean: "Only what equals this."
        }
      return .object([
        "name": .string(field.name), "in": "query", "required": .bool(false),
        "allowEmptyValue": .bool(true),
        "description": .string(equals + " Empty: only what has no value."),
        "schema": .object(["type": .string(field.sort.name)]),
      ])
    }
  }

  // MARK: Paths

  /// Adds what does not belong to a collection.
  mutating func addDocuments() {
    let format = parameters(.document)
    for (path, id, about) in [
      ("/", "landing", "The first document"),
      ("/conformance", "conformance", "The standards that the API conforms to"),
      ("/collections", "collections", "All collections"),
    ] {
      add(path, id, about, format, answering: [("200", about, [json, html])])
    }
    add(
      "/api", "api", "This document", format,
      answering: [("200", "This document", ["application/vnd.oai.openapi+json;version=3.0", html])])
    add("/fences", "fences", "The areas that are watched", answering: [("200", "Fences", [json])])
    add(
      "/fences/{id}/events", "fence-events", "Who enters, leaves, crosses and stays",
      [inPath("id", ["type": "string", "minLength": .integer(1)]), OpenAPIDocument.lastEvent],
      answering: [("200", "A stream of events", [events])])
  }

  /// Adds what belongs to a collection.
  mutating func add(_ collection: ServedCollection, isWritable: Bool) {
    let name = collection.name
    let root = "/collections/\(name.inPath)"
    func all(_ operation: Operation, _ required: Set<String> = []) -> [PropertyValue] {
      parameters(operation, required) + fields(of: collection, operation)
    }
    func get(
      _ path: String, _ id: String, _ about: String, _ parameters: [PropertyValue],
      answering answer: String, _ types: [String]
    ) {
      add(
        root + path, "\(id).\(name)", about, parameters, answering: [("200", answer, types)])
    }
    let format = parameters(.document)
    let features = [NearbyService.geoJSON, NearbyService.sequence, html]
    let schema = [NearbyService.jsonSchema, html]
    let id = inPath("id", ["type": "string", "minLength": .integer(1)])
    get("", "collection", collection.title, format, answering: "The collection", [json, html])
    get(
      "/queryables", "queryables", "The fields that filters can name", format,
      answering: "A schema", schema)
    get("/schema", "schema", "The schema of a feature", format, answering: "A schema", schema)
    get("/items", "items", "Features, page by page", all(.items), answering: "Features", features)
    get(
      "/items/{id}", "item", "One feature", [id] + parameters(.item), answering: "The feature",
      [NearbyService.geoJSON, html])
    if isWritable {
      add(
        method: "post", root + "/items", "post.\(name)",
        "Inserts features, or replaces those with their ids",
        answering: [("200", "All were there before", [json]), ("201", "Some are new", [json])])
      add(
        method: "put", root + "/items/{id}", "put.\(name)", "Inserts a feature, or replaces it",
        [id], answering: [("201", "It is new", []), ("204", "It was there before", [])])
      add(
        method: "delete", root + "/items/{id}", "delete.\(name)", "Removes a feature", [id],
        answering: [("204", "It is not there", [])])
    }
    get(
      "/nearest", "nearest", "The nearest features", all(.nearest, ["lat", "lon"]),
      answering: "Features, nearest first", features)
    get("/facets", "facets", "How many have each value", all(.facets), answering: "Counts", [json])
    get(
      "/clusters", "clusters", "What a map shows", all(.clusters, ["bbox", "zoom"]),
      answering: "Clusters and features", [NearbyService.geoJSON])
    get("/diff", "diff", "What has changed", all(.diff, ["since"]), answering: "Changes", [json])
    get(
      "/live", "live", "What there is, and then what changes",
      all(.live) + [OpenAPIDocument.lastEvent], answering: "A stream of events", [events])
    addTiles(of: name, all(.tiles))
  }

  private mutating func addTiles(of name: String, _ filters: [PropertyValue]) {
    let root = "/tiles/\(name.inPath)"
    add(
      root + "/tilejson.json", "tilejson.\(name)", "TileJSON", filters,
      answering: [("200", "TileJSON", [json])])
    add(
      root + "/style.json", "style.\(name)", "A style for MapLibre", filters,
      answering: [("200", "A style", [json])])
    let number: Properties = ["type": "integer", "minimum": .integer(0)]
    let zoom: Properties = [
      "type": "integer", "minimum": .integer(0),
      "maximum": .integer(ServedTiles.zooms.upperBound),
    ]
    for ending in NearbyService.tileEndings {
      add(
        root + "/{z}/{x}/{y}.\(ending)", "tile-\(ending).\(name)", "A vector tile",
        [inPath("z", zoom), inPath("x", number), inPath("y", number)] + filters,
        answering: [
          ("200", "The tile", ["application/vnd.mapbox-vector-tile"]), ("204", "It is empty", []),
        ])
    }
  }

  // MARK: The document

  /// The document of a server.
  ///
  /// - Parameter address: The beginning of its URLs.
  func value(at address: String) -> PropertyValue {
    let text: PropertyValue = .object(["type": "string"])
    let problem: Properties = [
      "type": "object", "required": .array(["status", "code", "detail"]),
      "properties": .object([
        "type": text, "title": text, "status": .object(["type": "integer"]), "code": text,
        "detail": text, "parameter": text,
      ]),
    ]
    return .object([
      "openapi": "3.0.3",
      "info": .object([
        "title": "Nearby", "version": "1.0.0",
        "description": "Annotations on the map: OGC API Features, nearest search, clusters, tiles.",
      ]),
      "servers": .array([.object(["url": .string(address)])]),
      "paths": .object(paths),
      "components": .object([
        "schemas": .object(["problem": .object(problem)]),
        "securitySchemes": .object(["token": .object(["type": "http", "scheme": "bearer"])]),
      ]),
    ])
  }
}
