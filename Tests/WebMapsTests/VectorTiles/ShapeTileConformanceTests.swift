import Foundation
import GeoJSONCoding
import MapAnnotations
import MapProjections
import NearbyTestSupport
import Testing

@testable import WebMaps

/// The tiles of geojson-vt, from `../shared/conformance/vector_tiles/tiling`.
///
/// Points have to be where they are there, to a unit. Of lines and polygons the tiles and the
/// features in them are compared, and besides, since ours differ in nothing but where rings begin
/// and end, length and area, to a unit along their length. Each feature has the attributes that it
/// has there, and the id if it has one there: here every annotation has one, its own or its number.
@Suite(.enabled(if: try SharedFiles.arePresent, "\(SharedFiles.reason)"))
struct ShapeTileConformanceTests {
  private static let folder = "conformance/vector_tiles/tiling"

  struct Case: Decodable, Sendable, CustomTestStringConvertible {
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
    let options: [String: PropertyValue]?

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
    /// A property of the feature; objects of these files have one text.
    struct Tag: Decodable {
      let property: PropertyValue

      init(from decoder: any Decoder) throws {
        if let members = try? [String: String](from: decoder) {
          property = .object(
            Properties(members.map { .init(name: $0.key, value: .string($0.value)) }))
        } else {
          property = try PropertyValue(from: decoder)
        }
      }
    }
    let type: UInt8
    let geometry: Geometry
    let id: UInt64?
    let tags: [String: Tag]
  }

  static let cases: [Case] = {
    guard let bytes = try? SharedFiles.bytes("\(folder)/index.json"),
      let cases = try? JSONDecoder().decode([Case].self, from: Data(bytes))
    else { return [] }
    return cases
  }()

  @Test func `there are cases`() {
    #expect(Self.cases.count == 5)
  }

  /// The options of geojson-vt that are obeyed here; any other fails the case that has it.
  ///
  /// `indexMaxPoints` alone needs nothing: it is about tiles below the compared zooms.
  private static let options: Set = [
    "maxZoom", "tolerance", "extent", "buffer", "indexMaxZoom", "indexMaxPoints", "generateId",
  ]

  @Test(arguments: ShapeTileConformanceTests.cases)
  func `tiles hold what those of geojson-vt hold`(_ one: Case) throws {
    let options = one.options ?? [:]
    #expect(Set(options.keys).isSubset(of: Self.options))
    func number(_ name: String, otherwise: Int) -> Int {
      options[name]?.number.map { Int($0) } ?? otherwise
    }
    let rules = TileRules(
      zooms: 0...number("maxZoom", otherwise: 14), buffer: number("buffer", otherwise: 64))
    #expect(number("extent", otherwise: 4096) == rules.shapeTiling.extent)
    #expect(options["tolerance"]?.number ?? 3 == rules.shapeTiling.tolerance)
    let isNumbered = options["generateId"] == .bool(true)

    var features = TileFeatures(shapes: rules.shapeTiling)
    let source = try GeoJSONReader().features(
      in: SharedFiles.bytes("\(Self.folder)/\(one.input)"))
    for (number, feature) in source.enumerated() {
      guard let geometry = feature.geometry else { continue }
      let id = isNumbered ? nil : feature.id?.text
      try features.append(
        BasicAnnotation(
          id: id.map { AnnotationID($0) } ?? AnnotationID(number),
          properties: feature.properties ?? Properties()), shape: geometry)
    }
    let pyramid = TilePyramid(features, rules: rules)
    var addresses: [TileAddress] = []
    for zoom in 0...number("indexMaxZoom", otherwise: 0) {
      features.shapes.root.forEach(atZoom: zoom) { addresses.append($0.address) }
    }
    var tiles: [String: [Measures]] = [:]
    for address in addresses {
      let tile = try #require(try pyramid.tile(address))
      let layer = try #require(
        try VectorTile(decoding: tile.bytes).layers.first { $0.name == rules.layer })
      tiles["z\(address.zoom)-\(address.x)-\(address.y)"] = try layer.features.map {
        try Measures($0, in: layer)
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

  /// What is compared of a feature.
  private struct Measures {
    /// Nil in an expected tile where any id will do.
    let id: UInt64?
    let attributes: [String: VectorTileValue]
    let kind: UInt8
    let points: [TilePosition]
    let parts: Int
    let area: Double
    let length: Double
    let center: (x: Double, y: Double)

    init(_ drawn: Drawn) {
      var parts: [[TilePosition]]
      switch drawn.geometry {
      case .points(let points):
        parts = [points.map { TilePosition(x: $0[0], y: $0[1]) }]
      case .paths(let paths):
        parts = paths.map { path in path.map { TilePosition(x: $0[0], y: $0[1]) } }
        // Ours have no closing position.
        if drawn.type == 3 { parts = parts.map { Array($0.dropLast()) } }
      }
      self.init(
        drawn.id, drawn.tags.compactMapValues { VectorTileValue($0.property) }, drawn.type, parts)
    }

    init(_ feature: VectorTile.Feature, in layer: VectorTile.Layer) throws {
      let geometry = try #require(feature.geometry)
      self.init(
        feature.id,
        Dictionary(uniqueKeysWithValues: layer.attributes(of: feature).map { ($0.name, $0.value) }),
        geometry.kind.rawValue, geometry.parts)
    }

    private init(
      _ id: UInt64?, _ attributes: [String: VectorTileValue], _ kind: UInt8,
      _ parts: [[TilePosition]]
    ) {
      self.id = id
      self.attributes = attributes
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

    func agrees(with expected: Measures) -> Bool {
      (expected.id ?? id) == id && attributes == expected.attributes
        && kind == expected.kind && parts == expected.parts
        && points.count == expected.points.count
        && zip(points, expected.points).allSatisfy {
          abs($0.x - $1.x) <= 1 && abs($0.y - $1.y) <= 1
        }
        && abs(area - expected.area) <= 1 && abs(length - expected.length) <= 1
        && abs(center.x - expected.center.x) <= 1 && abs(center.y - expected.center.y) <= 1
    }
  }
}
