import Geodesy
import Testing

@testable import TextMaps

@Suite struct `Outlines that come with the library` {
  static let all = BuiltInOutline.korea + BuiltInOutline.japan

  @Test func `lie in the boxes they say`() {
    #expect(!Self.all.isEmpty)
    for outline in Self.all {
      let positions = outline.positions
      #expect(positions.count >= 4)
      func hundredths(_ degrees: Double) -> Int { Int((degrees * 100).rounded()) }
      #expect(positions.map { hundredths($0.latitude) }.min() == outline.south)
      #expect(positions.map { hundredths($0.latitude) }.max() == outline.north)
      #expect(positions.map { hundredths($0.longitude) }.min() == outline.west)
      #expect(positions.map { hundredths($0.longitude) }.max() == outline.east)
    }
  }

  @Test func `are a few hundred positions`() {
    let count = Self.all.reduce(0) { $0 + $1.positions.count }
    #expect((500...900).contains(count), "\(count)")
  }

  @Test func `are closed rings, but for the coasts that meet at a border`() {
    let open = Self.all.filter { $0.positions.first != $0.positions.last }
    #expect(open.count == 3)
    let ends = open.flatMap { [$0.positions.first, $0.positions.last] }
    #expect(Set(ends).count == 2)
  }

  /// Whether a ring holds a position, by counting the edges east of it.
  private func holds(_ ring: [Coordinate], _ position: Coordinate) -> Bool {
    var isInside = false
    for (start, end) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      guard (start.latitude > position.latitude) != (end.latitude > position.latitude)
      else { continue }
      let share = (position.latitude - start.latitude) / (end.latitude - start.latitude)
      let longitude = start.longitude + share * (end.longitude - start.longitude)
      if longitude > position.longitude { isInside.toggle() }
    }
    return isInside
  }

  @Test(arguments: [
    ("Daejeon", 36.35, 127.38), ("Daegu", 35.87, 128.6), ("Hallasan", 33.36, 126.53),
    ("Seonginbong", 37.5, 130.87), ("Kyoto", 35.01, 135.77), ("Nagano", 36.65, 138.19),
    ("Asahikawa", 43.77, 142.37), ("Aso", 32.88, 131.1), ("Matsuyama", 33.84, 132.8),
    ("Sado", 38.05, 138.4), ("Nago", 26.6, 128.0),
  ])
  func `hold the places that lie inland`(name: String, latitude: Double, longitude: Double) {
    let position = Coordinate(unchecked: latitude, longitude)
    #expect(Self.all.contains { holds($0.positions, position) }, "\(name)")
  }

  @Test(arguments: [
    ("Yellow Sea", 36.0, 124.0), ("East of Ulleung", 37.5, 131.4), ("Korea Strait", 34.4, 128.9),
    ("Tsugaru Strait", 41.5, 140.6), ("Pacific", 33.0, 138.0), ("off Naha", 26.2, 127.0),
  ])
  func `leave the sea outside`(name: String, latitude: Double, longitude: Double) {
    let position = Coordinate(unchecked: latitude, longitude)
    #expect(!Self.all.contains { holds($0.positions, position) }, "\(name)")
  }

  @Test func `hold Dokdo`() {
    let dokdo = Coordinate(unchecked: 37.24, 131.87)
    #expect(Self.all.contains { $0.positions.contains(dokdo) })
  }

  @Test func `stay off maps finer than they are`() {
    // Incheon at a scale of 100 m and of 2 km to a column.
    let pin = TextMap.Marker(at: Coordinate(unchecked: 37.45, 126.6), number: 1)
    func map(reach: Double, _ basemap: Basemap) -> String {
      let other = Coordinate(unchecked: 37.45 + reach, 126.6)
      return TextMap(markers: [pin, .init(at: other, number: 2)], basemap: basemap).render()
    }
    #expect(map(reach: 0.02, .koreaAndJapan) == map(reach: 0.02, .none))
    #expect(map(reach: 1, .koreaAndJapan) != map(reach: 1, .none))
  }

  @Test func `are passed over far from Korea and Japan`() {
    let window = MapWindow(
      holding: [Coordinate(unchecked: 48.85, 2.35), Coordinate(unchecked: 52.5, 13.4)],
      margin: 3, columns: 62, rows: 17)
    #expect(!Self.all.contains { $0.isNear(window) })
    let seoul = MapWindow(
      holding: [Coordinate(unchecked: 37, 126), Coordinate(unchecked: 38, 128)],
      margin: 3, columns: 62, rows: 17)
    #expect(Self.all.contains { $0.isNear(seoul) })
    #expect(!Self.all.allSatisfy { $0.isNear(seoul) })
  }
}

@Suite struct `Basemap of one's own` {
  private func render(_ outlines: [Outline]) throws -> String {
    TextMap(
      markers: [], viewport: try BoundingBox(south: -90, west: -180, north: 90, east: 180),
      size: .init(columns: 40, rows: 12), style: .ascii, basemap: Basemap(outlines)
    ).render()
  }

  @Test func `may be empty, or hold empty lines`() throws {
    let bare = try render([])
    #expect(try render([Outline([]), Outline([Coordinate(unchecked: 10, 10)])]) == bare)
  }

  @Test func `has no coast where formats cut polygons`() throws {
    // The edges of Antarctica that Natural Earth draws along 180° and along the pole.
    let bare = try render([])
    let cut = [
      Coordinate(unchecked: -85, 180), Coordinate(unchecked: -90, 180),
      Coordinate(unchecked: -90, -180), Coordinate(unchecked: -85, -180),
    ]
    #expect(try render([Outline(cut)]) == bare)
  }
}
