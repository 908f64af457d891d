import AnnotationImport
import GeoJSONCoding
import Geodesy
import MapAnnotations
import Testing

@Suite struct `Features of a store` {
  private static let shop = BasicAnnotation(
    id: "7", name: "Tea", kind: "mart", coordinate: nil, properties: ["title": "no name"])

  private static func feature(_ longitude: Double?) -> Feature {
    Feature(
      id: "x", geometry: longitude.map { .point(Position(longitude: $0, latitude: 37)) },
      properties: ["title": "no name"])
  }

  private static func read(_ features: StoredFeatures) throws(ImportError) -> ImportResult {
    try AnnotationImporter().read([.features(features)], named: "s.gpkg")
  }

  @Test func `are what their annotations were`() throws {
    var features = StoredFeatures(tellAnnotations: true, members: ["license": "free"])
    var feature = Self.feature(127)
    StoredMember.put(Self.shop, into: &feature)
    features.append(feature)
    let annotations = try Self.read(features).annotations
    let shop = try #require(annotations.first)
    #expect(shop.id == "7")
    #expect(shop.name == "Tea")
    #expect(shop.kind == "mart")
    #expect(shop.coordinate == (try Coordinate(latitude: 37, longitude: 127)))
    #expect(shop.feature == Self.feature(127))
    #expect(annotations.collectionMembers == ["license": "free"])
  }

  @Test func `are told apart from a file that has their member`() throws {
    var feature = Self.feature(127)
    StoredMember.put(Self.shop, into: &feature)
    let file = try importing(GeoJSONWriter.bytes(of: [feature]), named: "a.geojson").annotations
    let own = try #require(file.first)
    #expect(own.id == "x")
    #expect(own.name == "no name")
    #expect(own.kind == nil)
    #expect(own.feature == feature)
    // In a store it is replaced by the annotation's own.
    var again = feature
    StoredMember.put(Self.shop, into: &again)
    #expect(again == feature)
  }

  @Test func `are on WGS 84, whatever their file declared`() throws {
    var features = StoredFeatures(tellAnnotations: false)
    var feature = Self.feature(127)
    feature.foreignMembers["crs"] = .object(["properties": .object(["name": "EPSG:4301"])])
    features.append(feature)
    let result = try Self.read(features)
    #expect(result.annotations.map(\.coordinate?.longitude) == [127])
    #expect(result.report.warnings.isEmpty && result.report.remarks.isEmpty)
  }

  @Test func `that cannot be read are rejected by number, the others are read`() throws {
    var features = StoredFeatures(tellAnnotations: false)
    features.append(Self.feature(126))
    features.append(Self.feature(nil), unreadable: "cut off after 3 bytes")
    features.append(Self.feature(127))
    features.append(Self.feature(nil), ofType: "CURVEPOLYGON")
    let result = try Self.read(features)
    #expect(result.report.rejected == ["geometry-damaged": 1, "geometry-type": 1])
    #expect(
      result.report.examples["geometry-type"]
        == "s.gpkg:4: a CURVEPOLYGON is not read; write it as lines and polygons, for example with "
        + "ogr2ogr -nlt CONVERT_TO_LINEAR; row skipped")
    #expect(
      result.report.examples["geometry-damaged"]
        == "s.gpkg:2: its geometry cannot be read (cut off after 3 bytes); row skipped")
    #expect(result.annotations.map(\.coordinate?.longitude) == [126, 127])
    #expect(result.annotations.map(\.origin?.record) == [1, 3])
  }

  @Test func `may be none`() throws {
    let result = try Self.read(StoredFeatures(tellAnnotations: true, members: ["a": 1]))
    #expect(result.annotations.isEmpty)
    #expect(result.annotations.collectionMembers == ["a": 1])
  }
}
