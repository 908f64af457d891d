import AnnotationImport
import AnnotationSources
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbySearch

// The documents by which clients discover the API: OGC API Features, Part 1.

extension NearbyService {
  /// A JSON document.
  func document(
    _ asked: Asked, _ value: PropertyValue, _ collection: ServedCollection? = nil,
    type: String = "application/json"
  ) -> ServerAnswer {
    var json = JSONWriter()
    json.value(value)
    json.endLine()
    return kept(asked, type, json.bytes, tag: nil, collection: collection)
  }

  /// Whether a document is wanted as HTML; it takes no parameter but the format.
  private func wantsHTML(_ asked: Asked) throws(Problem) -> Bool {
    let parameters = try RequestParameters(asked.request.query)
    for pair in parameters.pairs where pair.name != "f" {
      throw Problem(
        400, "query-parameter", "only f is allowed here; take this one out", parameter: pair.name)
    }
    switch try parameters.one("f") {
    case "html": return true
    case "json": return false
    case nil: return NearbyService.prefersHTML(asked.request)
    case let other?:
      throw Problem(
        400, "query-value", "\"\(other)\" is not a format here; write json or html", parameter: "f")
    }
  }

  /// The landing page.
  func landing(_ asked: Asked) throws(Problem) -> ServerAnswer {
    let links = [
      Link("self", "application/json", asked.base + "/", title: "This document"),
      Link("alternate", "text/html", asked.base + "/?f=html", title: "This document as HTML"),
      Link(
        "service-desc", "application/vnd.oai.openapi+json;version=3.0", asked.base + "/api",
        title: "The API"),
      Link("conformance", "application/json", asked.base + "/conformance", title: "Conformance"),
      Link("data", "application/json", asked.base + "/collections", title: "Collections"),
    ]
    if try wantsHTML(asked) {
      return kept(
        asked, "text/html; charset=utf-8", HTMLDocument.landing(collections, asked.base), tag: nil,
        collection: nil)
    }
    return document(
      asked,
      .object([
        "title": "Nearby", "description": "What is near, in a box or open, and how it changes.",
        "links": .array(links.map(\.value)),
      ]))
  }

  static let conformance: PropertyValue = .object([
    "conformsTo": .array(
      [
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30",
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/html",
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
        "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables",
        "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables-query-parameters",
        "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter",
        "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter",
        "http://www.opengis.net/spec/cql2/1.0/conf/cql2-text",
        "http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2",
      ].map { .string($0) })
  ])

  /// All collections.
  func collectionList(_ asked: Asked) throws(Problem) -> ServerAnswer {
    if try wantsHTML(asked) {
      return kept(
        asked, "text/html; charset=utf-8", HTMLDocument.landing(collections, asked.base), tag: nil,
        collection: nil)
    }
    return document(
      asked,
      .object([
        "links": .array([
          Link("self", "application/json", asked.base + "/collections").value,
          Link("alternate", "text/html", asked.base + "/collections?f=html").value,
        ]),
        "collections": .array(collections.map { members(of: $0, asked) }),
      ]))
  }

  /// One collection: its description, or its map page.
  func collectionDocument(
    _ asked: Asked, _ collection: ServedCollection
  ) throws(Problem) -> ServerAnswer {
    if try wantsHTML(asked) {
      return kept(
        asked, "text/html; charset=utf-8", page(asked, collection), tag: nil,
        collection: collection)
    }
    return document(asked, members(of: collection, asked), collection)
  }

  private func members(of collection: ServedCollection, _ asked: Asked) -> PropertyValue {
    let state = collection.state
    let address = "\(asked.base)/collections/\(collection.name.inPath)"
    let tiles = "\(asked.base)/tiles/\(collection.name.inPath)"
    var members: Properties = [
      "id": .string(collection.name), "title": .string(collection.title),
      "itemType": "feature", "crs": .array([.string(ServerParameter.crs84)]),
      "storageCrs": .string(ServerParameter.crs84),
    ]
    if let box = state.extent {
      members.append(
        "extent",
        .object([
          "spatial": .object([
            "bbox": .array([
              .array([box.west, box.south, box.east, box.north].map { .double($0) })
            ]), "crs": .string(ServerParameter.crs84),
          ])
        ]))
    }
    members.append(
      "links",
      .array(
        [
          Link("self", "application/json", address),
          Link("alternate", "text/html", address + "?f=html", title: "The map"),
          Link("items", NearbyService.geoJSON, address + "/items"),
          Link("items", "application/geo+json-seq", address + "/items?f=jsonseq"),
          Link("items", "text/html", address + "/items?f=html"),
          Link(
            "http://www.opengis.net/def/rel/ogc/1.0/queryables", "application/schema+json",
            address + "/queryables"),
          Link(
            "http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector", "application/json",
            tiles + "/tilejson.json", title: "TileJSON"),
          Link("nearest", NearbyService.geoJSON, address + "/nearest"),
          Link("events", "text/event-stream", address + "/live"),
        ].map(\.value)))
    return .object(members)
  }

  /// The fields of a collection, as JSON Schema.
  func queryables(_ asked: Asked, _ collection: ServedCollection) -> ServerAnswer {
    var fields = Properties()
    for (name, type) in NearbyService.fields(of: collection.state) {
      fields.append(name, .object(["title": .string(name), "type": .string(type)]))
    }
    fields.append("geometry", .object(["format": "geometry-any"]))
    return document(
      asked,
      .object([
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": .string("\(asked.base)/collections/\(collection.name.inPath)/queryables"),
        "type": "object", "title": .string(collection.title), "properties": .object(fields),
        "additionalProperties": .bool(false),
      ]), collection, type: "application/schema+json")
  }

  /// The fields that can be parameters, and the types of their values.
  private static func fields(of state: CollectionState) -> [(name: String, type: String)] {
    var fields: [(String, String)] = [
      ("id", "string"), ("name", "string"), ("latitude", "number"), ("longitude", "number"),
    ]
    let taken = Set(ServerParameter.all.map(\.name))
    for field in state.fields
    where !fields.contains(where: { $0.0 == field.name }) && !taken.contains(field.name) {
      fields.append((field.name, field.sort.rawValue))
    }
    return fields
  }

  // MARK: OpenAPI

  /// The API as an OpenAPI 3.0 document, made from the table that also parses requests.
  func openAPI(_ asked: Asked) -> ServerAnswer {
    var paths = Properties()
    let problem: PropertyValue = .object([
      "description": "Why there is no answer",
      "content": .object([
        "application/problem+json": .object([
          "schema": .object(["$ref": "#/components/schemas/problem"])
        ])
      ]),
    ])
    func answers(_ types: String..., about: String, others: [Int] = []) -> PropertyValue {
      let content = types.map {
        Properties.Entry(name: $0, value: .object(["schema": .object(Properties())]))
      }
      var answers: Properties = [
        "200": .object([
          "description": .string(about), "content": .object(Properties(content)),
        ])
      ]
      for status in [304] + others {
        answers.append(
          String(status),
          status < 400 ? .object(["description": "Nothing new, or nothing there"]) : problem)
      }
      // What any request may get: method not allowed, too many requests.
      answers.append("default", problem)
      return .object(answers)
    }
    func add(
      _ path: String, _ id: String, _ about: String, _ parameters: [PropertyValue],
      _ answers: PropertyValue
    ) {
      paths.append(
        path,
        .object([
          "get": .object([
            "operationId": .string(id), "summary": .string(about),
            "parameters": .array(parameters), "responses": answers,
          ])
        ]))
    }
    func parameters(_ operation: Operation, _ required: Set<String> = []) -> [PropertyValue] {
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
    func inPath(_ name: String, _ schema: Properties) -> PropertyValue {
      .object([
        "name": .string(name), "in": "path", "required": .bool(true), "schema": .object(schema),
      ])
    }
    let format: PropertyValue = .object([
      "name": "f", "in": "query", "required": .bool(false),
      "description": "The format, instead of the header Accept.",
      "schema": .object(["type": "string", "enum": .array(["json", "html"])]),
    ])
    add(
      "/", "landing", "The first document", [format],
      answers("application/json", "text/html", about: "Links", others: [400]))
    add(
      "/conformance", "conformance", "The standards that the API conforms to", [],
      answers("application/json", about: "Conformance classes"))
    add(
      "/collections", "collections", "All collections", [format],
      answers("application/json", "text/html", about: "Collections", others: [400]))
    for collection in collections {
      let state = collection.state
      let root = "/collections/\(collection.name.inPath)"
      let name = collection.name
      let fields = NearbyService.fields(of: state).map { field -> PropertyValue in
        .object([
          "name": .string(field.name), "in": "query", "required": .bool(false),
          "description": "Only what equals this.",
          "schema": .object(["type": .string(field.type)]),
        ])
      }
      add(
        root, "collection.\(name)", collection.title, [format],
        answers("application/json", "text/html", about: "The collection", others: [400]))
      add(
        root + "/queryables", "queryables.\(name)", "Its fields", [],
        answers("application/schema+json", about: "A schema"))
      add(
        root + "/items", "items.\(name)", "Features, page by page", parameters(.items) + fields,
        answers(
          NearbyService.geoJSON, NearbyService.sequence, "text/html", about: "Features",
          others: [400, 406]))
      add(
        root + "/items/{id}", "item.\(name)", "One feature",
        [inPath("id", ["type": "string", "minLength": 1])] + parameters(.item),
        answers(
          NearbyService.geoJSON, "text/html", about: "The feature", others: [400, 404]))
      add(
        root + "/nearest", "nearest.\(name)", "The nearest features",
        parameters(.nearest, ["lat", "lon"]) + fields,
        answers(
          NearbyService.geoJSON, NearbyService.sequence, "text/html",
          about: "Features, nearest first", others: [400, 406]))
      add(
        root + "/facets", "facets.\(name)", "How many have each value",
        parameters(.facets) + fields, answers("application/json", about: "Counts", others: [400]))
      add(
        root + "/clusters", "clusters.\(name)", "What a map shows",
        parameters(.clusters, ["bbox", "zoom"]),
        answers(NearbyService.geoJSON, about: "Clusters and features", others: [400]))
      add(
        root + "/diff", "diff.\(name)", "What has changed", parameters(.diff, ["since"]) + fields,
        answers("application/json", about: "Changes", others: [400, 410]))
      add(
        "/tiles/\(name.inPath)/tilejson.json", "tilejson.\(name)", "TileJSON", [],
        answers("application/json", about: "TileJSON"))
      let number: Properties = ["type": "integer", "minimum": .integer(0)]
      add(
        "/tiles/\(name.inPath)/{z}/{x}/{y}.mvt", "tile.\(name)", "A vector tile",
        [
          inPath("z", ["type": "integer", "minimum": .integer(0), "maximum": .integer(18)]),
          inPath("x", number), inPath("y", number),
        ],
        answers(
          "application/vnd.mapbox-vector-tile", about: "The tile", others: [204, 404]))
    }
    return document(
      asked,
      .object([
        "openapi": "3.0.3",
        "info": .object([
          "title": "Nearby", "version": "1.0.0",
          "description":
            "Annotations on the map: OGC API Features, nearest search, clusters, tiles.",
        ]),
        "servers": .array([.object(["url": .string(asked.base)])]),
        "paths": .object(paths),
        "components": .object([
          "schemas": .object([
            "problem": .object([
              "type": "object", "required": .array(["status", "code", "detail"]),
              "properties": .object([
                "type": .object(["type": "string"]), "title": .object(["type": "string"]),
                "status": .object(["type": "integer"]), "code": .object(["type": "string"]),
                "detail": .object(["type": "string"]), "parameter": .object(["type": "string"]),
              ]),
            ])
          ])
        ]),
      ]), type: "application/vnd.oai.openapi+json;version=3.0")
  }
}
