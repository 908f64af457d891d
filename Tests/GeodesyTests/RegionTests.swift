import Testing
import NearbyTestSupport

@testable import Geodesy

@Suite struct RegionTests {
  @Test(arguments: [
    ("Seoul", 37.5666, 126.9784), ("Busan", 35.1796, 129.0756), ("Homigot", 36.0768, 129.5675),
    ("Daejin, Goseong", 38.5, 128.43), ("Jeju", 33.4996, 126.5312), ("Marado", 33.1167, 126.2667),
    ("Chujado", 33.96, 126.3), ("Ulleungdo", 37.4845, 130.9057), ("Dokdo", 37.2411, 131.8647),
    ("Baengnyeongdo", 37.97, 124.66), ("Yeonpyeongdo", 37.667, 125.7), ("Heuksando", 34.68, 125.43),
    ("Hongdo", 34.69, 125.2), ("Gageodo", 34.06, 125.12), ("Geomundo", 34.03, 127.31),
    ("Paju", 37.94, 126.68), ("Eocheongdo", 36.12, 125.98),
  ])
  func `KR holds its cities and islands`(name: String, latitude: Double, longitude: Double) throws {
    let position = try Coordinate(latitude: latitude, longitude: longitude)
    #expect(Region.southKorea.contains(position) && !Region.japan.contains(position), "\(name)")
    #expect(Region.southKorea.distance(to: position) == .zero)
  }

  @Test(arguments: [
    ("Tokyo", 35.6812, 139.7671), ("Osaka", 34.7025, 135.4959), ("Sapporo", 43.0686, 141.3508),
    ("Cape Soya", 45.5228, 141.9367), ("Nosappu", 43.385, 145.8168), ("Rebun", 45.43, 141.03),
    ("Sado", 38.02, 138.37), ("Wajima", 37.39, 136.9), ("Oki", 36.2, 133.3),
    ("Fukuoka", 33.59, 130.4),
    ("Kagoshima", 31.58, 130.54), ("Tsushima", 34.2, 129.29), ("Mitsushima", 34.7, 129.44),
    ("Goto", 32.7, 128.84), ("Kochi", 33.56, 133.53), ("Hachijojima", 33.11, 139.79),
    ("Amami", 28.38, 129.49), ("Yakushima", 30.34, 130.53), ("Yoron", 27.04, 128.42),
    ("Naha", 26.2124, 127.6792), ("Miyako", 24.8, 125.28), ("Yonaguni", 24.45, 122.95),
    ("Chichijima", 27.09, 142.19), ("Iwo", 24.78, 141.32), ("Minamitorishima", 24.2867, 153.98),
    ("Omaezaki", 34.6, 138.22),
  ])
  func `JP holds its cities and islands`(name: String, latitude: Double, longitude: Double) throws {
    let position = try Coordinate(latitude: latitude, longitude: longitude)
    #expect(Region.japan.contains(position) && !Region.southKorea.contains(position), "\(name)")
  }

  @Test(arguments: [
    ("Pyongyang", 39.0392, 125.7625), ("Kaesong", 37.9708, 126.5544), ("Taipei", 25.033, 121.5654),
    ("Qingdao", 36.0671, 120.3826), ("Vladivostok", 43.1155, 131.8855),
    ("Cape Krillon", 45.9, 142.08),
    ("a fixture at sea", 36.5, 131), ("Paris", 48.85, 2.35), ("0,0", 0, 0),
    ("Seoul without its 1", 37.5666, 26.9784),
  ])
  func `neither holds the neighbors`(name: String, latitude: Double, longitude: Double) throws {
    let position = try Coordinate(latitude: latitude, longitude: longitude)
    #expect(!Region.southKorea.contains(position) && !Region.japan.contains(position), "\(name)")
  }

  @Test func `edges belong to a region`() throws {
    let mart = Region(
      name: "mart", boxes: [try BoundingBox(south: 33, west: 126, north: 39, east: 130)])
    for (latitude, longitude) in [(33.0, 126.0), (33, 130), (39, 126), (39, 130)] {
      #expect(mart.contains(PointSet.legal(latitude, longitude)))
    }
    #expect(!mart.contains(PointSet.legal(33.0.nextDown, 126)))
    #expect(!mart.contains(PointSet.legal(39, 130.0.nextUp)))
  }

  @Test(arguments: UInt64(0)..<300)
  func `a box lies to another as their positions say`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    // Whole tens of degrees, so that edges meet and ±180 comes up often.
    func box() throws -> BoundingBox {
      let rows = (0..<2).map { _ in Double(Int.random(in: -9...9, using: &generator)) * 10 }
        .sorted()
      return try BoundingBox(
        south: rows[0], west: Double(Int.random(in: -18...18, using: &generator)) * 10,
        north: rows[1], east: Double(Int.random(in: -18...18, using: &generator)) * 10)
    }
    let (area, other) = (try box(), try box())
    var inside = 0, outside = 0
    for latitude in stride(from: -90.0, through: 90, by: 5) {
      for longitude in stride(from: -180.0, to: 180, by: 5) {
        let position = PointSet.legal(latitude, longitude)
        guard other.contains(position) else { continue }
        if area.contains(position) { inside += 1 } else { outside += 1 }
      }
    }
    switch area.relation(to: other) {
    case .covers: #expect(outside == 0)
    case .disjoint: #expect(inside == 0)
    case .unknown: #expect(inside > 0, "\(area) \(other)")
    }
  }

  @Test func `names are found in capital and small letters`() {
    #expect(Region(named: "KR") == .southKorea && Region(named: "kr") == .southKorea)
    #expect(Region(named: "Jp") == .japan)
    #expect(Region(named: "FR") == nil && Region(named: "") == nil)
  }

  @Test func `Paris is 8,830 km outside KR, at the corner nearest to it`() throws {
    let paris = try Coordinate(latitude: 48.85, longitude: 2.35)
    let distance = Region.southKorea.distance(to: paris)
    #expect(distance.kilometers.rounded() == 8_830)
    let corners = Region.southKorea.boxes.flatMap { box in
      [(box.south, box.west), (box.south, box.east), (box.north, box.west), (box.north, box.east)]
    }
    let nearest = corners.map { latitude, longitude in
      Geodesic.inverse(from: paris, to: PointSet.legal(latitude, longitude)).distance
    }.min()
    #expect(distance == nearest)
  }
}

@Suite struct RegionDistanceTests {
  /// The least distance to places along the four edges of a box: 400 on each, and 800 more
  /// around the nearest of these.
  private func sampled(_ box: BoundingBox, from position: Coordinate) -> Double {
    func distance(_ latitude: Double, _ longitude: Double) -> Double {
      let end = PointSet.legal(latitude, Coordinate.wrappedLongitude(longitude))
      return Geodesic.inverse(from: position, to: end).distance.meters
    }
    let east = box.west + box.width
    let edges: [(Double) -> Double] = [
      { distance(box.south + (box.north - box.south) * $0, box.west) },
      { distance(box.south + (box.north - box.south) * $0, east) },
      { distance(box.south, box.west + (east - box.west) * $0) },
      { distance(box.north, box.west + (east - box.west) * $0) },
    ]
    return edges.map { edge in
      let steps = 400
      let best =
        (0...steps).min { edge(Double($0) / Double(steps)) < edge(Double($1) / Double(steps)) } ?? 0
      return (-steps...steps).map { step in
        let fraction = (Double(best) + Double(step) / Double(steps)) / Double(steps)
        return edge(min(1, max(0, fraction)))
      }.min() ?? .infinity
    }.min() ?? .infinity
  }

  @Test(arguments: UInt64(0)..<40)
  func `the distance to a box agrees with places along its edges`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let corner = PointSet.anywhere(using: &generator)
    let height = Double.random(in: 0...30, using: &generator)
    let north = seed.isMultiple(of: 5) ? 90 : min(90, corner.latitude + height)
    let box = try BoundingBox(
      south: min(corner.latitude, north), west: corner.longitude, north: north,
      east: Coordinate.wrappedLongitude(
        corner.longitude + Double.random(in: 0...60, using: &generator)))
    let region = Region(name: "box", boxes: [box])
    let toleranceInMeters = 1.0
    for _ in 0..<3 {
      let position = PointSet.anywhere(using: &generator)
      let distance = region.distance(to: position).meters
      #expect((distance == 0) == box.contains(position))
      guard distance > 0 else { continue }
      #expect(
        abs(distance - sampled(box, from: position)) < toleranceInMeters, "\(box) \(position)")
      let bound = box.leastDistance(from: position).meters
      #expect(bound <= distance && bound >= distance * 0.9966 - 1.1, "\(box) \(position)")
    }
  }

  @Test(arguments: UInt64(0)..<20)
  func `the distance to a box and to the polygon of its corners agree`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let south = Double.random(in: -80...60, using: &generator)
    let west = seed.isMultiple(of: 2) ? 175 : Double.random(in: -180...150, using: &generator)
    let east = Coordinate.wrappedLongitude(west + 20)
    let box = try BoundingBox(south: south, west: west, north: south + 20, east: east)
    let polygon = try Polygon(
      outer: [(south, west), (south, east), (south + 20, east), (south + 20, west)].map {
        try PolygonVertex(latitude: $0.0, longitude: $0.1)
      })
    for _ in 0..<10 {
      let position = PointSet.anywhere(using: &generator)
      let toBox = Region(name: "box", boxes: [box]).distance(to: position).meters
      let toPolygon = Region(name: "polygon", polygons: [polygon]).distance(to: position).meters
      #expect(abs(toBox - toPolygon) < 0.001)
      #expect(box.contains(position) == polygon.contains(position))
    }
  }

  @Test func `distances across the antimeridian and from the poles are the short ones`() throws {
    let region = Region(
      name: "east", boxes: [try BoundingBox(south: -10, west: 170, north: 10, east: 180)])
    #expect(region.distance(to: PointSet.legal(0, -180)) == .zero)
    let oneDegree = 111_319.490793
    #expect(abs(region.distance(to: PointSet.legal(0, -179)).meters - oneDegree) < 0.001)
    let pole = PointSet.legal(90, -30)
    let alongMeridian = Geodesic.inverse(from: pole, to: PointSet.legal(10, 175)).distance
    #expect(abs(region.distance(to: pole).meters - alongMeridian.meters) < 0.001)
    #expect(Region(name: "nothing").distance(to: pole) == .infinity)
    #expect(!Region(name: "nothing").contains(pole))
  }

  @Test func `a polygon across the antimeridian is as far as the same one at Greenwich`() throws {
    func region(turn: Double) throws -> Region {
      let corners = [(-15.0, -1.5), (-19.0, 2.0), (-12.0, 1.0)].map {
        PointSet.legal($0.0, Coordinate.wrappedLongitude($0.1 + turn))
      }
      return Region(name: "islands", polygons: [try Polygon(outer: corners)])
    }
    let (across, atGreenwich) = (try region(turn: 180), try region(turn: 0))
    for (latitude, longitude) in [(5.0, 0.25), (-16, -9), (-30, 40), (-12, 3)] {
      let there = across.distance(
        to: PointSet.legal(latitude, Coordinate.wrappedLongitude(longitude + 180)))
      let here = atGreenwich.distance(to: PointSet.legal(latitude, longitude))
      #expect(abs(there.meters - here.meters) < 1e-4)
    }
  }
}
