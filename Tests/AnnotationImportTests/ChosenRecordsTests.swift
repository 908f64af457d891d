import NearbyTestSupport
import Testing

@testable import AnnotationImport

/// Some of the records of an import.
@Suite struct `Chosen records` {
  private static func sources() throws -> ImportedAnnotations {
    // Record 3 is rejected, the last source names no ids.
    let table = try importing(
      "id,name,lat,lon\n7,A,1,1\n3,B,2,2\n9,X,200,300\n4,C,,\n5,D,4,4\n", named: "a.csv")
    let features = try importing(
      """
      {"type":"FeatureCollection","note":"kept","features":[
      {"type":"Feature","properties":{"name":"E"},"geometry":{"type":"Point","coordinates":[5,5]}},
      {"type":"Feature","properties":{"name":"F"},
       "geometry":{"type":"LineString","coordinates":[[6,6],[7,7]]}},
      {"type":"Feature","properties":{"name":"G"},"geometry":null}]}
      """, named: "b.geojson")
    return ImportedAnnotations(joining: [table.annotations, features.annotations])
  }

  @Test(arguments: UInt64(0)..<40)
  func `say what they say among the others`(seed: UInt64) throws {
    let all = try Self.sources()
    try #require(all.count == 7)
    var random = SeededGenerator(seed: seed)
    let offsets = all.indices.filter { _ in Bool.random(using: &random) }
    let chosen = all.keeping(offsets)
    #expect(chosen.count == offsets.count)
    for (place, offset) in offsets.enumerated() {
      let (one, other) = (chosen[place], all[offset])
      #expect(one.id == other.id)
      #expect(one.origin == other.origin)
      #expect(one.coordinate == other.coordinate)
      #expect(one.properties == other.properties)
      #expect(one.shape == other.shape)
    }
    var rows: [String?] = []
    chosen.forEachWithRow { annotation, _ in rows.append(annotation.name) }
    #expect(rows == offsets.map { all[$0].name })
    // And again, of what is left.
    let again = chosen.keeping(Array(chosen.indices.dropFirst()))
    #expect(again.map(\.origin) == offsets.dropFirst().map { all[$0].origin })
  }

  @Test func `of all or none are all or none`() throws {
    let all = try Self.sources()
    #expect(all.keeping(Array(all.indices)).map(\.id) == all.map(\.id))
    #expect(all.keeping([]).isEmpty)
    #expect(all.keeping([0]).columns == all.columns)
    #expect(all.keeping([5]).hasShapes)
  }
}
