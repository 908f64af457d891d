import MapAnnotations
import NearbyTestSupport
import Testing

@testable import GeoJSONCoding

/// `Tests/Vectors/features.jsonl`, written after RFC 7946.
@Suite struct FeatureVectorTests {
  private struct Vector: Decodable {
    var text: String
    var features: Int?
  }

  @Test func `a document has its features, and what is none says so`() throws {
    let vectors: [Vector] = try Vectors.values("features.jsonl")
    #expect(vectors.count == 19)
    for vector in vectors {
      let outcome = Outcome(reading: Array(vector.text.utf8), framing: .document)
      if let count = vector.features {
        #expect(outcome.errors.isEmpty && outcome.features.count == count, "\(vector.text)")
      } else {
        #expect(!outcome.errors.isEmpty && outcome.features.isEmpty, "\(vector.text)")
      }
    }
  }
}
