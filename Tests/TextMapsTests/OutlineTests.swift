import Geodesy
import Testing

@testable import TextMaps

@Suite struct `Outlines that come with the library` {
  @Test func `stay off maps finer than they are`() {
    // Incheon at a scale of 100 m and of 2 km to a column.
    let pin = TextMap.Marker(at: Coordinate(unchecked: 37.45, 126.6), number: 1)
    func map(reach: Double, _ basemap: Basemap) -> String {
      let other = Coordinate(unchecked: 37.45 + reach, 126.6)
      return TextMap(markers: [pin, .init(at: other, number: 2)], basemap: basemap).render()
    }
    #expect(map(reach: 0.02, .world) == map(reach: 0.02, .none))
    #expect(map(reach: 1, .world) != map(reach: 1, .none))
  }

  @Test func `are there anywhere on Earth`() {
    for (latitude, longitude) in [
      (37.4, 126.7), (51.5, 0.5), (-33.9, 151.2), (-17.8, 179.9), (71, -156),
    ] {
      let pins = [-1.0, 1].map { away in
        TextMap.Marker(at: Coordinate(unchecked: latitude + away, longitude), number: 1)
      }
      #expect(
        TextMap(markers: pins, basemap: .world).render()
          != TextMap(markers: pins, basemap: .none).render(),
        "\(latitude), \(longitude)")
    }
  }
}

@Suite struct `Basemap of one's own` {
  private func render(_ outlines: [[Coordinate]]) throws -> String {
    TextMap(
      markers: [], viewport: try BoundingBox(south: -90, west: -180, north: 90, east: 180),
      size: .init(columns: 40, rows: 12), style: .ascii, basemap: Basemap(outlines)
    ).render()
  }

  @Test func `may be empty, or hold empty lines`() throws {
    let bare = try render([])
    #expect(try render([[], [Coordinate(unchecked: 10, 10)]]) == bare)
  }

  @Test func `has no coast where formats cut polygons`() throws {
    // The edges of Antarctica that Natural Earth draws along 180° and along the pole.
    let bare = try render([])
    let cut = [
      Coordinate(unchecked: -85, 180), Coordinate(unchecked: -90, 180),
      Coordinate(unchecked: -90, -180), Coordinate(unchecked: -85, -180),
    ]
    #expect(try render([cut]) == bare)
  }
}
