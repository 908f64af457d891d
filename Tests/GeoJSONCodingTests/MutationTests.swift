import MapAnnotations
import NearbyTestSupport
import Testing

@testable import GeoJSONCoding

/// Texts broken at random: whatever comes in, the answer is features or errors, never a crash.
@Suite struct MutationTests {
  static let samples: [[UInt8]] = [
    """
    {"type":"FeatureCollection","bbox":[1,2,3,4],"name":"\\u00e9\\ud83d\\ude00","features":[
    {"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[126.97,-37.5e0,3]},
     "properties":{"name":"서울","n":-1.5e-3,"list":[1,[],{},null,true,false]}},
    {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]},
     "properties":null}]}
    """,
    """
    {"type":"Feature","geometry":null,"properties":{}}
    {"geometry":{"geometries":[{"type":"Point","coordinates":[1,2]},
    {"type":"Feature","properties":{"a":"\\n"},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}
    """,
    "\u{1E}{\"type\":\"MultiPoint\",\"coordinates\":[[1,2]]}\n\u{1E}{\"type\":\"Point\"}\n",
  ].map { Array($0.utf8) }

  /// Bytes that mean something to the reader, so that broken texts get past its first checks.
  static let telling =
    Array("{}[]\",:\\u/0123456789.eE+-tfn \n\u{1E}".utf8) + [0x00, 0x80, 0xED, 0xFF]

  @Test(arguments: UInt64(0)..<100)
  func `a broken text gives features or errors`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      var bytes = Self.samples[Int.random(in: 0..<Self.samples.count, using: &generator)]
      for _ in 0..<Int.random(in: 1...4, using: &generator) { mutate(&bytes, using: &generator) }
      for framing in [GeoJSONReader.Framing.automatic, .document, .sequence] {
        check(bytes, framing, seed)
      }
    }
  }

  @Test func `a text cut off anywhere gives features or errors`() {
    for sample in Self.samples {
      for count in 0...sample.count { check(Array(sample[..<count]), .automatic, UInt64(count)) }
    }
  }

  private func mutate(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    let byte = Self.telling[Int.random(in: 0..<Self.telling.count, using: &generator)]
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: bytes[place] = byte
    case 1: bytes.remove(at: place)
    case 2: bytes.insert(byte, at: place)
    case 3: bytes.removeSubrange(place..<min(bytes.count, place + 20))
    default:
      let start = Int.random(in: 0..<bytes.count, using: &generator)
      bytes.insert(contentsOf: bytes[start..<min(bytes.count, start + 30)], at: place)
    }
  }

  private func check(_ bytes: [UInt8], _ framing: GeoJSONReader.Framing, _ seed: UInt64) {
    let outcome = Outcome(reading: bytes, framing: framing)
    #expect(!outcome.errors.isEmpty || outcome.document?.isComplete == true, "seed \(seed)")
    #expect(outcome.records.map(\.number) == Array(1..<outcome.records.count + 1), "seed \(seed)")
    for error in outcome.errors {
      #expect((0...bytes.count).contains(error.byteOffset), "seed \(seed)")
      #expect(error.line >= 1 && error.column >= 1, "seed \(seed)")
    }
    // Whatever was taken can be written, and is then good.
    let written = GeoJSONWriter.bytes(of: outcome.features)
    #expect(Outcome(reading: written).features == outcome.features, "seed \(seed)")
    for feature in outcome.features {
      _ = try? feature.geometry?.representativePoint()
    }
  }
}
