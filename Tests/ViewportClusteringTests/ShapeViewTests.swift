import Foundation
import GeoJSONCoding
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import ViewportClustering

/// A shape whose edges run along meridians and parallels, so that four comparisons tell what it meets.
private struct Plate {
  let south: Double, west: Double, height: Double, width: Double

  /// A field, or a line along a meridian or a parallel; as large as a house or as a continent.
  init(near center: Coordinate, _ generator: inout SeededGenerator) {
    let size = Double.random(in: -4...1.8, using: &generator)
    func length() -> Double { pow(10, size) * Double.random(in: 0.5...1.5, using: &generator) }
    let kind = Int.random(in: 0..<4, using: &generator)
    (height, width) = (kind == 0 ? 0 : length(), kind == 1 ? 0 : length())
    let spread = min(max(height, width) * 2, 30)
    west = Coordinate.wrappedLongitude(
      center.longitude + Double.random(in: -spread...spread, using: &generator))
    south = min(
      max(center.latitude + Double.random(in: -spread...spread, using: &generator), -89.5),
      89.5 - height)
  }

  private func corner(_ up: Double, _ right: Double) -> Coordinate {
    PointSet.legal(south + up * height, Coordinate.wrappedLongitude(west + right * width))
  }

  /// Stood for by a corner or the middle.
  func annotation(_ number: Int) throws -> BasicAnnotation {
    let shape: GroundShape
    if height == 0 || width == 0 {
      shape = GroundShape(lines: [Polyline([corner(0, 0), corner(1, 1)])])
    } else {
      shape = GroundShape(
        area: MultiPolygon([
          try Polygon(outer: [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)])
        ]))
    }
    return BasicAnnotation(
      id: AnnotationID(number), kind: number % 3 == 0 ? .deal : nil,
      coordinate: number % 2 == 0 ? corner(0, 0) : corner(0.5, 0.5), shape: shape)
  }

  func meets(_ box: BoundingBox) -> Bool {
    guard south <= box.north, box.south <= south + height else { return false }
    return [-360.0, 0, 360].contains { turn in
      west + turn <= box.west + box.width && box.west <= west + turn + width
    }
  }
}

@Suite struct `Lines and areas in a view` {
  private static let centers = [
    PointSet.legal(37.5665, 126.978), PointSet.legal(-17.8, 179.995), PointSet.legal(84.9, -60),
    PointSet.legal(-88, 10), PointSet.legal(0.001, 60.001),
  ]

  @Test(arguments: centers, UInt64(0)..<6)
  func `are those that meet the box, each once, and leave the clusters what they are`(
    center: Coordinate, seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let plates = (0..<400).map { _ in Plate(near: center, &generator) }
    var items = try plates.enumerated().map { try $1.annotation($0) }
    for number in 400..<500 {
      items.append(
        BasicAnnotation(
          id: AnnotationID(number), coordinate: items[number - 400].coordinate,
          shape: number % 2 == 0 ? GroundShape() : nil))
    }
    let rule = ClusterRule(
      minCount: seed % 3 == 2 ? 4 : 2, alignment: seed % 2 == 0 ? .unbroken : .tiles)
    let index = ClusterIndex(items, rule: rule, optsOut: { $0.id == 5 })
    let points = items.map { item in
      var item = item
      item.shape = nil
      return item
    }
    let byPoint = ClusterIndex(points, rule: rule, optsOut: { $0.id == 5 })
    var reaching = 0
    for isSelected in [false, true] {
      let selection = isSelected ? index.selection { $0.kind == .deal } : nil
      for screen in screens(seed, around: center) {
        let view = index.view(of: screen, selection: selection)
        let expected = items.indices.filter { number in
          let item = items[number]
          guard !isSelected || item.kind == .deal else { return false }
          return item.coordinate.map(view.box.contains) == true
            || number < plates.count && plates[number].meets(view.box)
        }
        var shown = view.annotations
        for cluster in view.clusters {
          shown += try #require(index.leaves(of: cluster.id, limit: .max, selection: selection))
        }
        #expect(shown.sorted() == expected, "\(screen) \(view.box)")
        #expect(view.count == expected.count)
        #expect(zip(view.ranks, view.ranks.dropFirst()).allSatisfy { $0 < $1 })
        // Those from outside stand alone, and everything else is as it is without shapes.
        let plain = byPoint.view(
          of: screen, selection: isSelected ? byPoint.selection { $0.kind == .deal } : nil)
        #expect(view.clusters == plain.clusters && view.box == plain.box)
        let outside = Set(view.annotations).subtracting(plain.annotations)
        #expect(
          outside.isDisjoint(
            with: expected.filter { number in
              items[number].coordinate.map(view.box.contains) == true
            }))
        #expect(view.annotations.filter { !outside.contains($0) } == plain.annotations)
        reaching += outside.count
      }
    }
    #expect(reaching > 100)
  }

  @Test func `stay, alone, when a map leaves the cluster that held them`() throws {
    let road = BasicAnnotation(
      id: "road", coordinate: PointSet.legal(37.5, 127),
      shape: GroundShape(lines: [
        Polyline([PointSet.legal(37.5, 127), PointSet.legal(37.5, 127.5)])
      ]))
    let shop = BasicAnnotation(id: "shop", coordinate: PointSet.legal(37.5, 127))
    let session = MapSession([road, shop])
    let west = MapViewport(center: PointSet.legal(37.5, 127), zoom: 14, width: 400, height: 400)
    let east = MapViewport(center: PointSet.legal(37.5, 127.4), zoom: 14, width: 400, height: 400)
    let cluster = try #require(session.move(to: west).clusters.added.first)
    #expect(cluster.count == 2 && session.pins.isEmpty)
    let away = session.move(to: east)
    #expect(away.pins.added == [road] && away.clusters.removed == [cluster])
    #expect(
      away.clusters.splits
        == [ClusterSplit(parent: cluster.id, clusters: [], annotations: ["road"])])
    let back = session.move(to: west)
    #expect(back.pins.removed == [road] && back.clusters.added == [cluster])
    // A road that ends before the window is gone, and so is one that a filter hides.
    _ = session.move(to: east)
    var short = road
    short.shape = GroundShape(lines: [
      Polyline([PointSet.legal(37.5, 127), PointSet.legal(37.5, 127.1)])
    ])
    #expect(session.apply([.upsert(short)]).pins.removed == [road])
    #expect(session.apply([.upsert(road)]).pins.added == [road])
    #expect(session.setFilter { $0.id == "shop" }.pins.removed == [road])
    #expect(session.setFilter(nil).pins.added == [road])
    #expect(session.apply([.remove("road")]).pins.removed == [road])
    #expect(session.pins.isEmpty && session.clusters.isEmpty)
  }

  @Test func `are drawn for the web as the caller draws them`() throws {
    let road = BasicAnnotation(id: 1, coordinate: PointSet.legal(37.5, 127))
    let session = MapSession([road], status: { _, _ in PinStatus(look: 3) })
    let change = session.move(to: MapViewport(.world, zoom: 3))
    let line = Geometry.lineString([
      Position(longitude: 127, latitude: 37.5), Position(longitude: 128, latitude: 38),
    ])
    let bytes = change.geoJSON { _ in Feature(id: 7, geometry: line, properties: nil) }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"remove":[],"add":[{"type":"Feature","id":"1","geometry":{"type":"LineString","coordinates":[[127,37.5],[128,38]]},"properties":{"id":"1","look":3}}],"update":[]}"#
    )
  }
}
