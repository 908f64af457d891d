import GeoJSONCoding
import Geodesy
import MapAnnotations

extension MapChange {
  /// The change as a diff of a GeoJSON `FeatureCollection`, for web clients.
  ///
  /// The form is that of `GeoJSONSource.updateData` in MapLibre GL JS 3 and later:
  /// `{"remove":[ids],"add":[features],"update":[…]}`. Ids are texts, so the source needs a
  /// property to find features by: each feature's `id` is also among its properties, and the source
  /// needs `promoteId: "id"`.
  ///
  ///     const source = map.getSource("shops")
  ///     events.onmessage = event => source.updateData(JSON.parse(event.data))
  ///
  /// Pins are the features of `Feature(_:)`, points at their coordinates, with `id` and, if it is
  /// not 0, `look`; ``geoJSON(drawing:)`` takes other features. Clusters have the properties of
  /// supercluster: `cluster` true, `cluster_id`, `point_count` and `point_count_abbreviated`. An
  /// update sets the geometry and all properties again.
  ///
  /// - Complexity: O(changes); unchanged features are not written.
  public var geoJSON: [UInt8] {
    geoJSON { pin in
      var feature = Feature(pin)
      feature.geometry = pin.coordinate.map { .point(Position($0)) }
      return feature
    }
  }

  /// The same diff, with features from the caller for pins, such as lines and areas.
  ///
  /// - Parameter feature: Returns the feature of a pin; its id becomes the text of the annotation's.
  public func geoJSON(drawing feature: (Item) -> Feature) -> [UInt8] {
    /// The feature of a pin, with its id and look among its properties.
    func mapFeature(of pin: Item) -> Feature {
      var feature = feature(pin)
      feature.id = .string(pin.id.text)
      var properties = feature.properties ?? Properties()
      properties["id"] = .string(pin.id.text)
      if let look = looks[pin.id] { properties["look"] = .integer(look) }
      feature.properties = properties
      return feature
    }
    var json = JSONWriter()
    json.beginObject()
    let removed = pins.removed.map(\.id.text) + clusters.removed.map(\.id.description)
    json.member("remove", each: removed) { $0.string($1) }
    let added = pins.added.map { mapFeature(of: $0) } + clusters.added.map(\.mapFeature)
    json.member("add", each: added) { $0.feature($1) }
    let updated = pins.updated.map { mapFeature(of: $0) } + clusters.updated.map(\.mapFeature)
    json.member("update", each: updated) { $0.update(to: $1) }
    json.endObject()
    return json.bytes
  }

  /// The whole change: features of what is added and updated, ids of what is removed and kept.
  ///
  /// - Parameter feature: Returns the feature of a pin.
  package func json(drawing feature: (Item) -> Feature) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("zoom", .integer(zoom))
    json.bbox(box.edges)
    json.name("annotations")
    json.beginObject()
    json.member("added", each: pins.added) { $0.feature(feature($1)) }
    json.member("removed", each: pins.removed) { $0.string($1.id.text) }
    json.member("updated", each: pins.updated) { $0.feature(feature($1)) }
    json.member("kept", each: pins.kept) { $0.string($1.id.text) }
    json.endObject()
    json.name("clusters")
    json.beginObject()
    json.member("added", each: clusters.added) { $0.feature($1.feature) }
    json.member("removed", each: clusters.removed) { $0.number($1.id.number) }
    json.member("updated", each: clusters.updated) { $0.feature($1.feature) }
    json.member("kept", each: clusters.kept) { $0.number($1.id.number) }
    json.member("births", each: clusters.births) { $0.number($1.number) }
    json.member("deaths", each: clusters.deaths) { $0.number($1.number) }
    json.member("splits", each: clusters.splits) {
      $0.parts($1.clusters, $1.annotations, of: $1.parent, called: "parent")
    }
    json.member("merges", each: clusters.merges) {
      $0.parts($1.clusters, $1.annotations, of: $1.cluster, called: "cluster")
    }
    json.endObject()
    json.endObject()
    return json.bytes
  }
}

extension JSONWriter {
  /// Writes what a cluster was split into, or merged from.
  fileprivate mutating func parts(
    _ clusters: [ClusterID], _ annotations: [AnnotationID], of whole: ClusterID,
    called name: String
  ) {
    beginObject()
    member(name, .integer(whole.number))
    member("clusters", each: clusters) { $0.number($1.number) }
    member("annotations", each: annotations) { $0.string($1.text) }
    endObject()
  }
}

extension MapCluster {
  /// The cluster as a feature, with the properties that web maps use to style clusters: `cluster` true, `cluster_id` (a
  /// number below 2⁵³), `point_count` and `point_count_abbreviated` (1.2k, 12k).
  ///
  /// Its id is the text of the cluster's id, which no annotation has by accident. Its position has seven decimals, 11
  /// mm; the grid has 9 mm.
  public var feature: Feature {
    let place = coordinate
    func decimals(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return Feature(
      id: .string(id.description),
      geometry: .point(
        Position(longitude: decimals(place.longitude), latitude: decimals(place.latitude))),
      properties: [
        "cluster": true, "cluster_id": .integer(id.number), "point_count": .integer(count),
        "point_count_abbreviated": .string(abbreviatedCount),
      ])
  }

  /// The feature with its id among the properties.
  fileprivate var mapFeature: Feature {
    var feature = feature
    feature.properties?["id"] = .string(id.description)
    return feature
  }

  /// The count, short enough for a circle: `999`, `1.2k`, `45k`, `1.3M`.
  package var abbreviatedCount: String {
    // In tenths, rounded to nearest; 9.95k is 10k.
    func short(_ unit: Int, _ name: String) -> String {
      let tenths = (count * 10 + unit / 2) / unit
      guard tenths < 100 else { return "\((count + unit / 2) / unit)\(name)" }
      return tenths % 10 == 0 ? "\(tenths / 10)\(name)" : "\(tenths / 10).\(tenths % 10)\(name)"
    }
    switch count {
    case ..<1_000: return "\(count)"
    case ..<999_500: return short(1_000, "k")
    default: return short(1_000_000, "M")
    }
  }
}

extension JSONWriter {
  /// Writes one entry of `update`: a feature's new geometry and properties.
  fileprivate mutating func update(to feature: Feature) {
    beginObject()
    member("id", feature.id ?? .null)
    if let geometry = feature.geometry {
      name("newGeometry")
      self.geometry(geometry)
    }
    member("removeAllProperties", true)
    member("addOrUpdateProperties", each: feature.properties?.entries ?? []) { json, entry in
      json.beginObject()
      json.member("key", .string(entry.name))
      json.member("value", entry.value)
      json.endObject()
    }
    endObject()
  }
}

extension ClusterSummary {
  /// The summary as properties of a cluster's feature: counts by kind as `kinds`, and for each
  /// summed property `_min`, `_max` and, if it is finite, `_sum`.
  public var featureProperties: Properties {
    var properties = Properties()
    if !kinds.isEmpty {
      let kinds = kinds.sorted { $0.key.rawValue < $1.key.rawValue }
      properties.append(
        "kinds",
        .object(
          Properties(
            kinds.map { Properties.Entry(name: $0.key.rawValue, value: .integer($0.value)) })))
    }
    for (name, numbers) in self.properties.sorted(by: { $0.key < $1.key }) {
      properties.append("\(name)_min", .double(numbers.minimum))
      properties.append("\(name)_max", .double(numbers.maximum))
      if numbers.sum.isFinite { properties.append("\(name)_sum", .double(numbers.sum)) }
    }
    return properties
  }
}
