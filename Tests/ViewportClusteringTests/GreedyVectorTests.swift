import Foundation
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing
import ViewportClustering

/// `Tests/Vectors/clusters.jsonl`, by supercluster's rule in plain Python.
@Suite struct GreedyVectorTests {
  private struct Vector: Decodable {
    var places: [[Double]]
    var minPoints: Int
    var zooms: [Zoom]

    struct Zoom: Decodable {
      var zoom: Int
      var counts: [Int]
    }
  }

  @Test func `clusters at every zoom are as large as those of the plain loops`() throws {
    let vectors: [Vector] = try Vectors.values("clusters.jsonl")
    #expect(vectors.map(\.minPoints) == [2, 5])
    for vector in vectors {
      #expect(vector.places.count == 80 && vector.zooms.count == 17)
      let places = try vector.places.enumerated().map { number, place in
        BasicAnnotation(
          id: AnnotationID(number),
          coordinate: try Coordinate(latitude: place[0], longitude: place[1]))
      }
      let index = GreedyClusterIndex(places, rule: GreedyRule(minCount: vector.minPoints))
      for expected in vector.zooms {
        let view = index.view(of: MapViewport(.world, zoom: expected.zoom))
        let counts = view.clusters.map(\.count) + view.annotations.map { _ in 1 }
        #expect(
          counts.sorted(by: >) == expected.counts,
          "zoom \(expected.zoom), \(vector.minPoints) or more")
      }
    }
  }
}
