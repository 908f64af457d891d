#if PostgreSQL
  import Geodesy
  import NearbyTestSupport
  import Testing

  @testable import PostGISStore

  struct PlaneSpanTests {
    @Test(arguments: [1, 32, 33, 50, 2_000], UInt64(0)..<5)
    func `a few spans cover all of many, also across 180°`(count: Int, seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      let boxes = try (0..<count).map { _ in
        let south = Double.random(in: -90...89, using: &generator)
        let west = Double.random(in: 175...184, using: &generator)
        func longitude(_ degrees: Double) -> Double { degrees > 180 ? degrees - 360 : degrees }
        return try BoundingBox(
          south: south, west: longitude(west), north: south + 1, east: longitude(west + 1))
      }
      let spans = boxes.flatMap { PlaneSpan.spans(of: $0, wider: 1_000) }
      let cover = PlaneSpan.cover(of: spans)
      #expect(spans.count > 32 ? cover.count <= 16 : cover == spans)
      for span in spans {
        #expect(cover.contains { $0.holds(span) }, "seed \(seed)")
      }
      let earth = PlaneSpan(west: -180, south: -90, east: 180, north: 90)
      #expect(cover.allSatisfy { earth.holds($0) && $0.west <= $0.east })
    }
  }

  extension PlaneSpan {
    fileprivate func holds(_ other: PlaneSpan) -> Bool {
      west <= other.west && south <= other.south && east >= other.east && north >= other.north
    }
  }
#endif
