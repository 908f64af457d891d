import Geodesy
import Testing
import WorldOutlines

@Suite struct `The land of the world` {
  private static let world = WorldOutlines.shared

  /// The rings of a country, put together from arcs.
  private static func rings(
    of country: WorldOutlines.Country, _ detail: WorldOutlines.Detail
  ) -> [[Coordinate]] {
    country.rings.map { ring in
      ring.flatMap { number in
        let positions = world.arcs[number < 0 ? -1 - number : number].positions(detail)
        return number < 0 ? positions.reversed() : positions
      }
    }
  }

  /// Whether rings hold a position, by counting the edges east of it.
  private static func holds(_ rings: [[Coordinate]], _ position: Coordinate) -> Bool {
    var isInside = false
    for ring in rings {
      for (start, end) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        guard (start.latitude > position.latitude) != (end.latitude > position.latitude)
        else { continue }
        let share = (position.latitude - start.latitude) / (end.latitude - start.latitude)
        let longitude = start.longitude + share * (end.longitude - start.longitude)
        if longitude > position.longitude { isInside.toggle() }
      }
    }
    return isInside
  }

  @Test func `is all there`() throws {
    let world = Self.world
    #expect(world.arcs.count > 5_000 && world.arcs.filter(\.isBorder).count > 300)
    #expect(world.countries.count > 240 && world.lakes.count > 200 && world.cities.count > 400)
    #expect(
      ["KR", "JP", "FR", "NO", "XK", "TW"].allSatisfy { code in
        world.countries.contains { $0.code == code }
      })
    for (number, arc) in world.arcs.enumerated() where number % 7 == 0 {
      for detail in WorldOutlines.Detail.allCases {
        // Rounded to whole positions, of which one is 300 m at the equator.
        for position in arc.positions(detail) {
          let place = try BoundingBox(
            south: position.latitude, west: position.longitude, north: position.latitude,
            east: position.longitude)
          #expect(arc.box.widened(by: 1).meets(WorldOutlines.Box(place)))
        }
      }
    }
  }

  @Test func `is closed at every detail`() {
    for country in Self.world.countries {
      for detail in WorldOutlines.Detail.allCases {
        for ring in Self.rings(of: country, detail) where !ring.isEmpty {
          #expect(ring.first == ring.last, "\(country.code)")
        }
      }
    }
  }

  @Test(arguments: [
    ("KR", 36.35, 127.38), ("KR", 33.36, 126.53), ("KR", 37.5, 130.87), ("KR", 37.2417, 131.8647),
    ("JP", 35.01, 135.77), ("JP", 43.77, 142.37), ("JP", 26.6, 128.0), ("JP", 38.05, 138.4),
    ("GB", 52.5, -1.5), ("FR", 47.0, 2.5), ("US", 40.0, -100.0), ("AU", -25.0, 134.0),
    ("FJ", -17.8, 178.0), ("NZ", -43.5, 171.5), ("AQ", -80.0, 40.0), ("LS", -29.5, 28.3),
  ])
  func `has inland places in their country alone`(code: String, latitude: Double, longitude: Double)
  {
    let position = Coordinate(unchecked: latitude, longitude)
    let holding = Self.world.countries.filter { Self.holds(Self.rings(of: $0, .fine), position) }
    #expect(holding.map(\.code) == [code])
  }

  @Test(arguments: [
    (36.0, 124.0), (37.5, 131.4), (34.4, 128.9), (41.5, 140.6), (33.0, 138.0), (50.0, -4.2),
    (0.0, -30.0), (-40.0, 170.0), (0.0, 180.0),
  ])
  func `leaves the sea to nobody`(latitude: Double, longitude: Double) {
    let position = Coordinate(unchecked: latitude, longitude)
    for detail in WorldOutlines.Detail.allCases {
      #expect(!Self.world.countries.contains { Self.holds(Self.rings(of: $0, detail), position) })
    }
  }

  @Test func `says where boxes meet, over 180 degrees too`() throws {
    let fiji = WorldOutlines.Box(try BoundingBox(south: -20, west: 176, north: -12, east: -178))
    let east = WorldOutlines.Box(try BoundingBox(south: -18, west: -179.5, north: -17, east: -179))
    let seoul = WorldOutlines.Box(try BoundingBox(south: 37, west: 126, north: 38, east: 127))
    #expect(fiji.meets(east) && east.meets(fiji) && !fiji.meets(seoul))
    #expect(fiji.east > WorldOutlines.size)
  }
}
