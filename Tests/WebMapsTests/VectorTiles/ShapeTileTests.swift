import Foundation
import GeoJSONCoding
import Geodesy
import MapProjections
import NearbyTestSupport
import Testing

@testable import WebMaps

@Suite struct ShapeTileTests {
  private func geometry(_ json: String) throws -> Geometry {
    let text = #"{"type":"Feature","properties":null,"geometry":\#(json)}"#
    return try #require(try GeoJSONReader().features(in: Array(text.utf8)).first?.geometry)
  }

  private func shapes(
    _ json: String..., tiling: ShapeTiling = ShapeTiling()
  ) throws -> TileShapes {
    var shapes = TileShapes(tiling)
    for (number, one) in json.enumerated() {
      try shapes.add(try geometry(one), feature: number)
    }
    return shapes
  }

  private func area(_ contents: ShapeTileContents) -> Double {
    contents.pieces.filter { $0.geometry.kind == .polygon }.flatMap(\.geometry.parts)
      .reduce(0) { $0 + TileGeometry.doubledArea(of: $1) / 2 }
  }

  /// A polygon with a wavy outline and a hole, anywhere.
  private func blob(seed: UInt64) -> Geometry { .polygon(rings(seed: seed)) }

  private func rings(seed: UInt64) -> [[Position]] {
    var random = SeededGenerator(seed: seed)
    let center = (
      Double.random(in: -190...190, using: &random), Double.random(in: -60...60, using: &random)
    )
    let size = Double.random(in: 0.01...20, using: &random)
    let corners = Int.random(in: 3...200, using: &random)
    let radii = (0..<corners).map { _ in size * .random(in: 0.5...1, using: &random) }
    func ring(scale: Double) -> [Position] {
      var ring = radii.enumerated().map { corner, radius in
        let angle = 2 * Double.pi * Double(corner) / Double(corners)
        return Position(
          longitude: center.0 + scale * radius * cos(angle),
          latitude: center.1 + scale * radius * sin(angle))
      }
      ring.append(ring[0])
      return ring
    }
    return [ring(scale: 1), ring(scale: 0.4)]
  }

  // MARK: Area and length

  @Test(arguments: UInt64(0)..<60)
  func `the pieces of a polygon in all tiles of a zoom have its area`(seed: UInt64) throws {
    var shapes = TileShapes(ShapeTiling(deepestZoom: 9, buffer: 0, tolerance: 0))
    try shapes.add(blob(seed: seed), feature: 0)
    let whole = shapes.root.shapes.reduce(0) { $0 + area($1) }
    // The trapezoids under the edges, on the map.
    let expected = rings(seed: seed).map { ring in
      let places = ring.map { ($0.longitude / 360, MercatorGrid.height($0.latitude)) }
      return abs(
        zip(places, places.dropFirst()).reduce(0) { sum, edge in
          sum + (edge.1.0 - edge.0.0) * (edge.1.1 + edge.0.1) / 2
        })
    }
    #expect(abs(whole - (expected[0] - expected[1])) <= 1e-9 * expected[0])
    #expect(whole > 0)
    for zoom in [1, 4, 9] {
      var sum = 0.0
      shapes.root.forEach(atZoom: zoom) { tile in
        sum += tile.shapes.reduce(0) { $0 + area($1) }
      }
      #expect(abs(sum - whole) <= 1e-11 * whole, "zoom \(zoom)")
    }
  }

  private func area(_ shape: TileShape) -> Double {
    guard case .polygons(let polygons) = shape.parts else { return 0 }
    return polygons.flatMap { [$0.exterior] + $0.holes }
      .reduce(0) { $0 + ShapePath.area(of: $1.vertices) }
  }

  @Test(arguments: UInt64(0)..<20)
  func `the pieces of a line in all tiles of a zoom have its length`(seed: UInt64) throws {
    let rings = rings(seed: seed)
    var shapes = TileShapes(ShapeTiling(deepestZoom: 9, buffer: 0, tolerance: 0))
    try shapes.add(.lineString(rings[0]), feature: 0)
    func length(_ tile: ShapeTile) -> Double {
      tile.shapes.reduce(0) { sum, shape in
        guard case .lines(let lines) = shape.parts else { return sum }
        return lines.reduce(sum) { $0 + ShapePath.length(of: $1.vertices) }
      }
    }
    let whole = length(shapes.root)
    #expect(whole > 0)
    var sum = 0.0
    shapes.root.forEach(atZoom: 9) { sum += length($0) }
    #expect(abs(sum - whole) <= 1e-11 * whole)
  }

  @Test(arguments: UInt64(0)..<60)
  func `a position is inside the pieces of its tile as often as in the polygon`(
    seed: UInt64
  ) throws {
    let rings = rings(seed: seed)
    var shapes = TileShapes(ShapeTiling(deepestZoom: 6, buffer: 64, tolerance: 0))
    try shapes.add(.polygon(rings), feature: 0)
    var random = SeededGenerator(seed: seed)
    var insideCount = 0
    let longitudes = rings[0].map(\.longitude), latitudes = rings[0].map(\.latitude)
    for _ in 0..<50 {
      let longitude = Double.random(in: longitudes.min()!...longitudes.max()!, using: &random)
      let latitude = Double.random(in: latitudes.min()!...latitudes.max()!, using: &random)
      let position = try Coordinate(latitude: latitude, wrappingLongitude: longitude)
      let tile = shapes.root.tile(at: TileAddress(containing: position, zoom: 6))
      let x = position.longitude / 360 + 0.5, y = MercatorGrid.height(latitude)
      var crossings = 0
      for shape in tile.shapes {
        guard case .polygons(let polygons) = shape.parts else { continue }
        for ring in polygons.flatMap({ [$0.exterior] + $0.holes }) {
          crossings += passages(of: ring.vertices.map { ($0.x, $0.y) }, x, y)
        }
      }
      let plane = rings.map {
        $0.map { ($0.longitude / 360 + 0.5, MercatorGrid.height($0.latitude)) }
      }
      let expected = plane.reduce(0) { $0 + passages(of: $1, longitude / 360 + 0.5, y) }
      #expect(crossings % 2 == expected % 2, "\(longitude), \(latitude)")
      insideCount += expected % 2
    }
    #expect((1..<50).contains(insideCount), "\(insideCount) of 50 are inside")
  }

  /// How many edges of a ring pass east of a place.
  private func passages(of ring: [(Double, Double)], _ x: Double, _ y: Double) -> Int {
    var count = 0
    for (index, b) in ring.enumerated() {
      let a = ring[index == 0 ? ring.count - 1 : index - 1]
      guard (a.1 <= y) != (b.1 <= y) else { continue }
      if a.0 + (b.0 - a.0) * (y - a.1) / (b.1 - a.1) > x { count += 1 }
    }
    return count
  }

  // MARK: Polygons

  @Test func `the teeth of a comb are not tied together along a border`() throws {
    // Ring by ring, clipping would leave one ring here that runs along the border between the teeth.
    let comb = try shapes(
      """
      {"type":"Polygon","coordinates":[[[10,-20],[70,-20],[70,30],[50,30],[50,-10],[45,-10],[45,30],
      [35,30],[35,-10],[30,-10],[30,30],[10,30],[10,-20]]]}
      """, tiling: ShapeTiling(deepestZoom: 1, buffer: 0, tolerance: 0))
    let north = comb.root.tile(at: try TileAddress(zoom: 1, x: 1, y: 0)).contents()
    let south = comb.root.tile(at: try TileAddress(zoom: 1, x: 1, y: 1)).contents()
    #expect(north.pieces.map(\.geometry.parts.count) == [3])
    #expect(north.pieces[0].geometry.parts.allSatisfy { $0.count == 4 })
    #expect(south.pieces.map(\.geometry.parts.count) == [1])
  }

  @Test func `a hole that a border opens becomes part of the outline`() throws {
    let ring = try shapes(
      """
      {"type":"Polygon","coordinates":[[[-40,-40],[40,-40],[40,40],[-40,40],[-40,-40]],
      [[-20,-20],[-20,20],[20,20],[20,-20],[-20,-20]]]}
      """, tiling: ShapeTiling(deepestZoom: 1, buffer: 0, tolerance: 0))
    for child in ring.root.children() {
      let parts = child.contents().pieces.map(\.geometry.parts)
      #expect(parts.count == 1 && parts[0].count == 1 && parts[0][0].count == 6)
    }
    #expect(
      ring.root.contents().pieces[0].geometry.parts.map { TileGeometry.doubledArea(of: $0) > 0 }
        == [true, false])
  }

  @Test func `a hole goes to the piece that it lies in`() throws {
    // Two towers on a base that the tiles above the equator do not see, a hole in the second.
    let towers = try shapes(
      """
      {"type":"Polygon","coordinates":[[[10,-20],[80,-20],[80,60],[50,60],[50,-10],[40,-10],[40,60],
      [10,60],[10,-20]],[[60,20],[60,30],[70,30],[70,20],[60,20]]]}
      """, tiling: ShapeTiling(deepestZoom: 1, buffer: 0, tolerance: 0))
    let parts = try #require(
      towers.root.tile(at: try TileAddress(zoom: 1, x: 1, y: 0)).contents().pieces.first
    ).geometry
      .parts
    let areas = parts.map { TileGeometry.doubledArea(of: $0) }
    #expect(areas.count == 3)
    let hole = try #require(areas.firstIndex { $0 < 0 })
    let exterior = parts[hole - 1].map(\.x)
    #expect(exterior.min()! < parts[hole][0].x && parts[hole][0].x < exterior.max()!)
  }

  @Test func `winding is that of tiles whatever the source has`() throws {
    let clockwise = """
      {"type":"Polygon","coordinates":[[[0,0],[0,10],[10,10],[10,0],[0,0]],
      [[2,2],[2,4],[4,4],[4,2],[2,2]]]}
      """
    let counter = """
      {"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,10],[0,0]],
      [[2,2],[4,2],[4,4],[2,4],[2,2]]]}
      """
    for source in [clockwise, counter] {
      let parts = try shapes(source).root.contents().pieces[0].geometry.parts
      #expect(TileGeometry.doubledArea(of: parts[0]) > 0)
      #expect(TileGeometry.doubledArea(of: parts[1]) < 0)
    }
  }

  @Test(arguments: UInt64(0)..<60)
  func `what is drawn obeys the rules of vector tiles`(seed: UInt64) throws {
    var shapes = TileShapes(ShapeTiling(deepestZoom: 7))
    try shapes.add(blob(seed: seed), feature: 0)
    var drawn = 0
    for zoom in 0...7 {
      shapes.root.forEach(atZoom: zoom) { tile in
        for piece in tile.contents().pieces {
          drawn += 1
          #expect(TileGeometry.doubledArea(of: piece.geometry.parts[0]) > 0)
          for ring in piece.geometry.parts {
            #expect(ring.count > 2 && TileGeometry.doubledArea(of: ring) != 0)
            for (index, position) in ring.enumerated() {
              #expect(position != ring[(index + 1) % ring.count])
              #expect((-64...4161).contains(position.x) && (-64...4161).contains(position.y))
            }
          }
        }
      }
    }
    #expect(drawn > 0)
  }

  @Test func `inside a polygon all tiles are the same`() throws {
    let land = try shapes(
      """
      {"type":"Polygon","coordinates":[[[-100,-70],[0,-70],[100,-70],[100,70],[0,70],[-100,70],
      [-100,-70]]]}
      """)
    #expect(!land.root.isUniform)
    let inside = land.root.tile(at: try TileAddress(zoom: 3, x: 4, y: 3))
    #expect(inside.isUniform)
    let below = inside.tile(at: try TileAddress(zoom: 9, x: 4 << 6 + 5, y: 3 << 6 + 40))
    #expect(below.isUniform)
    #expect(below.contents() == inside.contents())
    #expect(
      inside.contents().pieces.map { Set($0.geometry.parts[0]) } == [
        Set(
          [(-64, -64), (4160, -64), (4160, 4160), (-64, 4160)].map {
            TilePosition(x: $0.0, y: $0.1)
          })
      ])
    #expect(!land.root.tile(at: try TileAddress(zoom: 3, x: 0, y: 0)).isUniform)
  }

  // MARK: What is small

  @Test func `what is too small is counted, and drawn at the deepest zoom`() throws {
    let house = try shapes(
      """
      {"type":"Polygon","coordinates":[[[127,37.5],[127.00001,37.5],[127.00001,37.50001],
      [127,37.50001],[127,37.5]]]}
      """, #"{"type":"LineString","coordinates":[[127,37.5],[127.000001,37.5]]}"#,
      tiling: ShapeTiling(deepestZoom: 4))
    let world = house.root.contents()
    #expect(world.pieces.isEmpty && world.tooSmall == 2)
    var pieces: [ShapeTileContents.Piece] = []
    house.root.forEach(atZoom: 4) { tile in
      #expect(tile.contents().tooSmall == 0)
      pieces += tile.contents().pieces
    }
    #expect(pieces.map(\.feature) == [0, 1])
    #expect(pieces.map(\.geometry.kind) == [.polygon, .line])
    #expect(TileGeometry.doubledArea(of: pieces[0].geometry.parts[0]) == 2)
    #expect(Set(pieces[1].geometry.parts[0]).count == 2)
  }

  @Test func `parts without length or area are counted`() throws {
    let flat = try shapes(
      #"{"type":"LineString","coordinates":[[1,2],[1,2]]}"#,
      #"{"type":"Polygon","coordinates":[[[0,0],[1,1],[2,2],[0,0]]]}"#,
      #"{"type":"MultiLineString","coordinates":[]}"#, #"{"type":"Polygon","coordinates":[]}"#)
    // 0,0 to 2,2 is a line in degrees and hardly one in the plane of the map.
    #expect(flat.partsWithoutExtent == 1)
    let east = try shapes(#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[2,0],[0,0]]]}"#)
    #expect(east.partsWithoutExtent == 1 && east.root.isEmpty)
  }

  @Test func `nothing of a geometry with a bad position is added or counted`() throws {
    let spot = Position(longitude: 1, latitude: 2)
    let bad = Geometry.geometryCollection([
      .lineString([spot, spot]), .point(spot), .point(Position(longitude: 127, latitude: 91)),
    ])
    var flat = try shapes(#"{"type":"LineString","coordinates":[[1,2],[1,2]]}"#)
    #expect(throws: CoordinateError.latitudeOutOfRange(91)) { try flat.add(bad, feature: 1) }
    #expect(flat.partsWithoutExtent == 1 && flat.root.shapes.isEmpty)
  }

  // MARK: Rings that cross themselves

  @Test(arguments: [0, 0.0001, -0.0001])
  func `a bow tie is two triangles from the first zoom on, however much they cancel`(
    difference: Double
  ) throws {
    let tie = try shapes(
      """
      {"type":"Polygon","coordinates":[[[50,0.5],[70,10.5],[70,\(0.5 + difference)],[50,10.5],[50,0.5]]]}
      """)
    #expect(tie.partsWithoutExtent == 0)
    let contents = tie.root.contents()
    let parts = contents.pieces.flatMap(\.geometry.parts)
    #expect(contents.tooSmall == 0 && parts.count == 2)
    #expect(parts.allSatisfy { $0.count == 3 && TileGeometry.doubledArea(of: $0) > 0 })
    let (xs, ys) = (parts.joined().map(\.x).sorted(), parts.joined().map(\.y).sorted())
    // The two have one height, and their widths make up the box's.
    let box = Double(xs[5] - xs[0]) * Double(ys[5] - ys[0])
    #expect(area(contents) * 2 == box && box > 20_000)
  }

  @Test func `a star that winds twice round its middle stays whole`() throws {
    let tips = (0...5).map { tip in
      let angle = Double(tip * 2 % 5) * 2 * Double.pi / 5
      return "[\(20 * cos(angle)),\(20 * sin(angle))]"
    }
    let star = try shapes(
      "{\"type\":\"Polygon\",\"coordinates\":[[\(tips.joined(separator: ","))]]}")
    #expect(star.root.contents().pieces.flatMap(\.geometry.parts).map(\.count) == [5])
  }

  @Test func `a ring that touches itself round a hole leaves the hole out`() throws {
    let outline = "[0,0],[20,0],[20,20],[0,20],[0,0]", hole = "[0,0],[2,19],[19,19],[19,2],[0,0]"
    let joined = outline + hole.dropFirst("[0,0]".count)
    let (one, two) = (
      try shapes("{\"type\":\"Polygon\",\"coordinates\":[[\(joined)]]}"),
      try shapes("{\"type\":\"Polygon\",\"coordinates\":[[\(outline)],[\(hole)]]}")
    )
    #expect(one.partsWithoutExtent == 0)
    #expect(area(one.root.contents()) == area(two.root.contents()))
    #expect(one.root.contents().pieces.flatMap(\.geometry.parts).count == 2)
  }

  @Test func `a ring that only goes out and back encloses nothing`() throws {
    let spur = try shapes(
      #"{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[10,0],[0,0]]]}"#)
    #expect(spur.partsWithoutExtent == 1 && spur.root.isEmpty)
  }

  // MARK: Round the Earth

  @Test func `a line across the antimeridian is on both sides of the world`() throws {
    let line = try shapes(#"{"type":"LineString","coordinates":[[170,10],[-170,20]]}"#)
    let parts = line.root.contents().pieces.map(\.geometry.parts)
    #expect(parts.count == 2)
    let xs = parts.map { Set($0.joined().map(\.x)) }
    #expect(Set(xs) == [[-64, 114], [3982, 4160]])
    var tiles: [String] = []
    line.root.forEach(atZoom: 2) { tiles.append("\($0.address)") }
    #expect(Set(tiles) == ["2/0/1", "2/3/1"])
  }

  @Test func `a step of more than 180 degrees goes the shorter way`() throws {
    // As it does where the place that stands for a feature is found.
    let box = try shapes(
      #"{"type":"Polygon","coordinates":[[[-170,0],[170,0],[170,10],[-170,10],[-170,0]]]}"#)
    var tiles: [String] = []
    box.root.forEach(atZoom: 2) { tiles.append("\($0.address)") }
    #expect(!tiles.contains("2/1/1") && !tiles.contains("2/2/1"))
    #expect(tiles.contains("2/0/1") && tiles.contains("2/3/1"))
  }

  @Test func `a turn counted twice stays one`() throws {
    // Once across, and on: 0° comes after a whole turn, not at once.
    let line = try shapes(#"{"type":"LineString","coordinates":[[170,0],[-100,0],[0,0],[0,5]]}"#)
    let xs = line.root.contents().pieces.flatMap { $0.geometry.parts.joined().map(\.x) }
    #expect(Set(xs) == [-64, 2048, 3982, 4160])
  }

  @Test func `a box round the world is what it says`() throws {
    let world = try shapes(
      #"{"type":"Polygon","coordinates":[[[-180,-85],[180,-85],[180,85],[-180,85],[-180,-85]]]}"#,
      tiling: ShapeTiling(buffer: 0, tolerance: 0))
    #expect(area(world.root.contents()) > 4095 * 4000)
  }

  @Test func `a cap round a pole reaches the edge of the world`() throws {
    let cap = try shapes(
      """
      {"type":"Polygon","coordinates":[[[-180,-90],[-180,-70],[-60,-65],[60,-75],[180,-70],[180,-90],
      [-180,-90]]]}
      """)
    let ys = cap.root.contents().pieces.flatMap { $0.geometry.parts.joined().map(\.y) }
    #expect(ys.max() == 4096)
  }

  @Test func `points far round the Earth are where they are`() throws {
    let points = try shapes(
      #"{"type":"Point","coordinates":[-3680,0]}"#, #"{"type":"Point","coordinates":[540,0]}"#,
      #"{"type":"MultiPoint","coordinates":[[100,-90],[101,90]]}"#)
    let pieces = points.root.contents().pieces
    #expect(
      pieces.filter { $0.feature == 0 }.map(\.geometry.parts) == [
        [[TilePosition(x: 1138, y: 2048)]]
      ])
    // On the antimeridian a point is at both edges.
    #expect(pieces.filter { $0.feature == 1 }.map(\.geometry.parts[0][0].x).sorted() == [0, 4096])
    #expect(pieces.filter { $0.feature == 2 }.map(\.geometry.parts[0].count) == [2])
  }

  @Test func `a longitude of millions of turns is refused`() throws {
    var shapes = TileShapes()
    #expect(throws: CoordinateError.longitudeOutOfRange(1e9)) {
      try shapes.add(.point(Position(longitude: 1e9, latitude: 0)), feature: 0)
    }
    #expect(shapes.root.isEmpty)
  }

  // MARK: The pyramid

  @Test func `tiles come in the order of archives`() throws {
    let land = try shapes(
      #"{"type":"Polygon","coordinates":[[[-100,-50],[150,-60],[120,70],[-100,60],[-100,-50]]]}"#)
    for zoom in 0...6 {
      var ids: [UInt64] = []
      land.root.forEach(atZoom: zoom) { ids.append($0.address.pmtilesID) }
      #expect(!ids.isEmpty && zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test(arguments: UInt64(0)..<10)
  func `one tile cut from the top holds what it holds on the way down`(seed: UInt64) throws {
    var shapes = TileShapes(ShapeTiling(deepestZoom: 8))
    try shapes.add(blob(seed: seed), feature: 0)
    let root = shapes.root
    var count = 0
    root.forEach(atZoom: 8) { tile in
      count += 1
      let direct = root.tile(at: tile.address)
      #expect(direct.shapes.count == tile.shapes.count)
      let (one, other) = (area(direct.contents()), area(tile.contents()))
      // A vertex may round to the next unit.
      #expect(abs(one - other) <= 4160)
    }
    #expect(count > 0)
  }

  // MARK: Real shapes

  @Test(.enabled(if: try SharedFiles.arePresent, "\(SharedFiles.reason)"))
  func `countries keep their area in the tiles of every zoom`() throws {
    let features = try GeoJSONReader().features(
      in: SharedFiles.bytes("data/natural-earth/ne_110m_admin_0_countries.json"))
    var shapes = TileShapes(ShapeTiling(deepestZoom: 6, buffer: 0, tolerance: 0))
    for (number, feature) in features.enumerated() {
      try shapes.add(try #require(feature.geometry), feature: number)
    }
    func areas(atZoom zoom: Int) -> [Int: Double] {
      var areas: [Int: Double] = [:]
      shapes.root.forEach(atZoom: zoom) { tile in
        for shape in tile.shapes { areas[shape.feature, default: 0] += area(shape) }
      }
      return areas
    }
    let whole = areas(atZoom: 0)
    #expect(whole.count == 177)
    for zoom in 1...6 {
      let parts = areas(atZoom: zoom)
      for (feature, area) in whole {
        #expect(abs(parts[feature, default: 0] - area) <= 1e-12, "feature \(feature), zoom \(zoom)")
      }
    }
  }
}
