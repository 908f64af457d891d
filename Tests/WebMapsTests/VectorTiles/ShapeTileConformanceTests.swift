import Foundation
import GeoJSONCoding
import MapProjections
import NearbyTestSupport
import Testing
import WebMaps

/// The tiles of geojson-vt, from `../shared/conformance/vector_tiles/tiling`.
///
/// Points have to be where they are there, to a unit. Of lines and polygons the tiles and the features in
/// them are compared, and besides, since ours differ in nothing but where rings begin and end, length
/// and area, to a unit along their length.
@Suite(.enabled(if: try SharedFiles.arePresent, "\(SharedFiles.reason)"))
struct ShapeTileConformanceTests {
  private static let folder = "conformance/vector_tiles/tiling"

  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    struct Options: Decodable, Sendable {
      var maxZoom: Int?
      var tolerance: Double?
      var extent: Int?
      var buffer: Int?
      var indexMaxZoom: Int?
    }
    enum Expected: Decodable, Sendable {
      case file(String)
      case nothing

      init(from decoder: any Decoder) throws {
        let name = try? decoder.singleValueContainer().decode(String.self)
        self = name.map(Expected.file) ?? .nothing
      }
    }
    let input: String
    let expected: Expected
    let options: Options?

    var testDescription: String { input }
  }

  /// A feature of an expected tile.
  private struct Drawn: Decodable {
    enum Geometry: Decodable {
      case points([[Int32]])
      case paths([[[Int32]]])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let points = try? container.decode([[Int32]].self) {
          self = .points(points)
        } else {
          self = .paths(try container.decode([[[Int32]]].self))
        }
      }
    }
    let type: UInt8
    let geometry: Geometry
  }

  static let cases: [Case] = {
    guard let bytes = try? SharedFiles.bytes("\(folder)/index.json"),
      let cases = try? JSONDecoder().decode([Case].self, from: Data(bytes))
    else { return [] }
    return cases
  }()

  @Test func `there are cases`() {
    #expect(!Self.cases.isEmpty)
  }

  @Test(arguments: ShapeTileConformanceTests.cases)
  func `tiles hold what those of geojson-vt hold`(_ one: Case) throws {
    let features = try GeoJSONReader().features(
      in: SharedFiles.bytes("\(Self.folder)/\(one.input)"))
    let options = one.options
    var shapes = TileShapes(
      ShapeTiling(
        deepestZoom: options?.maxZoom ?? 14, extent: options?.extent ?? 4096,
        buffer: options?.buffer ?? 64, tolerance: options?.tolerance ?? 3))
    for (number, feature) in features.enumerated() {
      if let geometry = feature.geometry { try shapes.add(geometry, feature: number) }
    }

    var tiles: [String: [Measures]] = [:]
    for zoom in 0...(options?.indexMaxZoom ?? 0) {
      shapes.root.forEach(atZoom: zoom) { tile in
        let address = tile.address
        tiles["z\(address.zoom)-\(address.x)-\(address.y)"] = tile.contents().pieces.map {
          Measures($0.geometry)
        }
      }
    }

    var expected: [String: [Drawn]] = [:]
    if case .file(let name) = one.expected {
      expected = try JSONDecoder().decode(
        [String: [Drawn]].self, from: Data(SharedFiles.bytes("\(Self.folder)/\(name)")))
    }
    #expect(Set(tiles.keys) == Set(expected.keys))
    for (name, drawn) in expected {
      var left = try #require(tiles[name])
      #expect(left.count == drawn.count)
      for one in drawn.map(Measures.init) {
        let match = left.firstIndex { $0.agrees(with: one) }
        #expect(match != nil, "\(name): nothing like \(one) among \(left)")
        if let match { left.remove(at: match) }
      }
    }
  }

  /// What is compared of a geometry.
  private struct Measures {
    let kind: UInt8
    let points: [TilePosition]
    let parts: Int
    let area: Double
    let length: Double
    let center: (x: Double, y: Double)

    init(_ drawn: Drawn) {
      switch drawn.geometry {
      case .points(let points):
        self.init(drawn.type, [points.map { TilePosition(x: $0[0], y: $0[1]) }])
      case .paths(let paths):
        var parts = paths.map { path in path.map { TilePosition(x: $0[0], y: $0[1]) } }
        // Ours have no closing position.
        if drawn.type == 3 { parts = parts.map { Array($0.dropLast()) } }
        self.init(drawn.type, parts)
      }
    }

    init(_ geometry: TileGeometry) { self.init(geometry.kind.rawValue, geometry.parts) }

    private init(_ kind: UInt8, _ parts: [[TilePosition]]) {
      self.kind = kind
      points = kind == 1 ? parts.flatMap(\.self) : []
      self.parts = kind == 1 ? 1 : parts.count
      area = kind == 3 ? parts.reduce(0) { $0 + TileGeometry.doubledArea(of: $1) / 2 } : 0
      var length = 0.0
      for part in parts {
        for (a, b) in zip(part, part.dropFirst()) {
          length += Double((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
        }
      }
      self.length = kind == 2 ? length : 0
      let all = parts.flatMap(\.self)
      center = (
        all.reduce(0) { $0 + Double($1.x) } / Double(all.count),
        all.reduce(0) { $0 + Double($1.y) } / Double(all.count)
      )
    }

    func agrees(with other: Measures) -> Bool {
      kind == other.kind && parts == other.parts
        && zip(points, other.points).allSatisfy { abs($0.x - $1.x) <= 1 && abs($0.y - $1.y) <= 1 }
        && abs(area - other.area) <= 1 && abs(length - other.length) <= 1
        && abs(center.x - other.center.x) <= 1 && abs(center.y - other.center.y) <= 1
    }
  }
}
