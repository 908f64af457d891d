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
    kept(Content(type: type, bytes: value.jsonLine), asked, of: collection)
  }

  /// Whether a document, or an item, is wanted as HTML.
  func wantsHTML(_ asked: Asked, _ operation: Operation = .document) throws(Problem) -> Bool {
    let parameters = try asked.request.parameters.get()
    try parameters.expect(operation)
    return try format(asked, named: parameters.one("f"), among: .document) == .html
  }

  /// A document as JSON, or as HTML made from the same value.
  func document(
    _ asked: Asked, _ value: PropertyValue, titled title: String,
    _ collection: ServedCollection? = nil, type: String = "application/json"
  ) throws(Problem) -> ServerAnswer {
    guard try wantsHTML(asked) else { return document(asked, value, collection, type: type) }
    return kept(.html(HTMLDocument.value(value, titled: title)), asked, of: collection)
  }

  /// The landing page.
  func landing(_ asked: Asked) throws(Problem) -> ServerAnswer {
    let links = [
      Link("self", "application/json", asked.base + "/", title: "This document"),
      Link("alternate", "text/html", asked.base + "/?f=html", title: "This document as HTML"),
      Link(
        "service-desc", "application/vnd.oai.openapi+json;version=3.0", asked.base + "/api",
        title: "The API"),
      Link("service-doc", "text/html", asked.base + "/api?f=html", title: "The API as HTML"),
      Link("conformance", "application/json", asked.base + "/conformance", title: "Conformance"),
      Link("data", "application/json", asked.base + "/collections", title: "Collections"),
    ]
    if try wantsHTML(asked) {
      return kept(.html(HTMLDocument.landing(collections, asked)), asked)
    }
    return document(
      asked,
      .object([
        "title": "Nearby", "description": "What is near, in a box or open, and how it changes.",
        "links": .array(links.map(\.value)),
      ]))
  }

  /// The standards that the API conforms to.
  func conformance(_ asked: Asked) throws(Problem) -> ServerAnswer {
    let classes =
      [
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30",
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/html",
        "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
        "http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs",
        "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables",
        "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables-query-parameters",
        "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter",
        "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter",
        "http://www.opengis.net/spec/cql2/1.0/conf/cql2-text",
        "http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2",
        // Its permissions allow to refuse properties in the list of IN.
        "http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators",
      ].map { PropertyValue.string($0) }
    return try document(asked, .object(["conformsTo": .array(classes)]), titled: "Conformance")
  }

  /// All collections.
  func collectionList(_ asked: Asked) throws(Problem) -> ServerAnswer {
    if try wantsHTML(asked) {
      return kept(.html(HTMLDocument.landing(collections, asked)), asked)
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
    if try wantsHTML(asked) { return kept(.html(page(asked, collection)), asked, of: collection) }
    return document(asked, members(of: collection, asked), collection)
  }

  private func members(of collection: ServedCollection, _ asked: Asked) -> PropertyValue {
    let state = collection.state
    let address = asked.address(of: collection)
    var members: Properties = [
      "id": .string(collection.name), "title": .string(collection.title),
      "itemType": "feature", "crs": .array([.string(ServerParameter.crs84)]),
      "storageCrs": .string(ServerParameter.crs84),
    ]
    if let box = state.extent {
      members.append(
        "extent",
        .object([
          "spatial": .object(["bbox": .array([.box(box)]), "crs": .string(ServerParameter.crs84)])
        ]))
    }
    // A search needs a position: a corner, for instance.
    let nearest = state.extent.map { box in
      Link(
        "nearest", NearbyService.geoJSON,
        address + "/nearest?lat=\(plainDecimal(box.south))&lon=\(plainDecimal(box.west))",
        title: "The nearest to a position")
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
            "http://www.opengis.net/def/rel/ogc/1.0/queryables", NearbyService.jsonSchema,
            address + "/queryables"),
          Link("describedby", NearbyService.jsonSchema, address + "/schema", title: "The schema"),
          // GDAL 3.6 looks only for this spelling.
          Link("describedBy", NearbyService.jsonSchema, address + "/schema", title: "The schema"),
          // Not `tilesets-vector`, which means a list of tile sets: GDAL would look for that, and not read the items.
          Link(
            "tilejson", "application/json", asked.tileAddress(of: collection) + "/tilejson.json",
            title: "TileJSON"),
          nearest,
          Link("events", "text/event-stream", address + "/live"),
        ].compactMap { $0?.value }))
    return .object(members)
  }

  static let jsonSchema = "application/schema+json"

  /// The fields of a collection that filters can name, as JSON Schema.
  func queryables(_ asked: Asked, _ collection: ServedCollection) throws(Problem) -> ServerAnswer {
    var fields = NearbyService.schemas(of: collection.state.queryables)
    fields["geometry"] = .object(["format": "geometry-any"])
    return try schema(
      asked, collection, "queryables", titled: "Fields of \(collection.title)",
      ["properties": .object(fields), "additionalProperties": .bool(false)])
  }

  /// A feature of a collection, as JSON Schema: clients that take the fields from the first page would miss those that
  /// only later features have.
  func featureSchema(
    _ asked: Asked, _ collection: ServedCollection
  ) throws(Problem) -> ServerAnswer {
    let properties = NearbyService.schemas(
      of: NearbyService.properties(of: collection.state), validating: true)
    return try schema(
      asked, collection, "schema", titled: "Schema of \(collection.title)",
      [
        "required": .array(["type", "geometry", "properties"]),
        "properties": .object([
          "type": .object(["type": "string", "enum": .array(["Feature"])]),
          "id": .object(["type": .array(["string", "number"])]),
          "geometry": .object([
            "oneOf": .array([
              .object(["type": "null"]),
              .object(["$ref": "https://geojson.org/schema/Geometry.json"]),
            ])
          ]),
          "properties": .object([
            "type": "object", "description": "Any value may also be null.",
            "properties": .object(properties),
          ]),
        ]),
      ])
  }

  /// A schema of objects.
  ///
  /// - Parameter path: Where it is, below the collection.
  private func schema(
    _ asked: Asked, _ collection: ServedCollection, _ path: String, titled title: String,
    _ members: Properties
  ) throws(Problem) -> ServerAnswer {
    var schema: Properties = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": .string("\(asked.address(of: collection))/\(path)"),
      "type": "object", "title": .string(collection.title),
    ]
    schema.entries += members.entries
    return try document(
      asked, .object(schema), titled: title, collection, type: NearbyService.jsonSchema)
  }

  /// The schemas of fields.
  ///
  /// - Parameter validating: Whether values are tested by them: then a field of several types has
  ///   no type. No type says that a value may be null: GDAL 3.6 reads a field with two types as
  ///   texts.
  private static func schemas(of fields: [ServedField], validating: Bool = false) -> Properties {
    Properties(
      fields.map { field -> Properties.Entry in
        var members: Properties = ["title": .string(field.name)]
        if !validating || field.hasOneType { members.append("type", .string(field.sort.name)) }
        if field.mayHaveNumbersAsTexts {
          members.append("description", .string(NearbyService.comparison))
        }
        return Properties.Entry(name: field.name, value: .object(members))
      })
  }

  /// How conditions compare fields of texts, which may be numbers, as in CSV.
  private static let comparison =
    "In filter, a text that is a number is compared with a number as a number: 9 < 10. With a text it is compared as a "
    + "text: '10' < '9'."

  /// The properties of features: those of the source, and the `name` and `kind` that options of the server add.
  ///
  /// Without `id`: features have one themselves, and GDAL adds an empty column for another.
  private static func properties(of state: CollectionState) -> [ServedField] {
    var fields = state.fields.filter { $0.name != "id" }
    let missing = ["name", "kind"].filter { name in !fields.contains { $0.name == name } }
    guard !missing.isEmpty else { return fields }
    // Options add them to all features that have a value.
    var query = NearbyQuery()
    query.limit = 1_000
    let features = ((try? state.index.answer(query))?.map(\.annotation) ?? []).map {
      $0.servedFeature()
    }
    for name in missing where features.contains(where: { $0.properties?[name] != nil }) {
      fields.append(ServedField(name: name, sort: .string))
    }
    return fields
  }
}
