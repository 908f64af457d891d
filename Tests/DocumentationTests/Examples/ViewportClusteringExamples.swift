import AnnotationImport
import Foundation
import NearbyKit
import NearbyTestSupport
import Testing

@Suite struct `Examples of ViewportClustering` {
  private let shops: ImportedAnnotations
  private let cityHall: Coordinate
  private let corner: Coordinate

  init() throws {
    let parts = try ["cinemas.csv", "deals.csv", "marts.csv"].map { name in
      let file = SharedFiles.packageRoot.appending(path: "Data/\(name)")
      return try AnnotationImporter().read([UInt8](try Data(contentsOf: file)), named: name)
        .annotations
    }
    shops = ImportedAnnotations(joining: parts)
    cityHall = try Coordinate(latitude: 37.5666, longitude: 126.9784)
    corner = try Coordinate(latitude: 37.567, longitude: 126.979)
  }

  private func view() {
    let index = ClusterIndex(shops)
    let screen = MapViewport(center: cityHall, zoom: 12, width: 1280, height: 800)
    let view = index.view(of: screen)
    let inBox = shops.count { $0.coordinate.map(view.box.contains) ?? false }
    print(view.count == inBox)  // true
    if let cluster = view.clusters.first, let zoom = index.expansionZoom(of: cluster.id) {
      print(cluster.id.zoom < zoom)  // true
    }
  }

  @Test func `count what is in the box they name`() {
    #expect(PrintedLines.of(view) == ["true", "true"])
  }

  private func fit() {
    if let box = BoundingBox(around: shops.compactMap(\.coordinate)),
      let fit = MapFit(of: box, width: 390, height: 844, padding: MapPadding(top: 60, bottom: 320)),
      let screen = MapViewport(
        fitting: box, width: 390, height: 844, padding: MapPadding(top: 60, bottom: 320))
    {
      print(fit.center, fit.zoom)
      print(screen.box.contains(box))  // true
    }
  }

  @Test func `show a whole box`() {
    #expect(PrintedLines.of(fit).last == "true")
  }

  private func oneCluster() {
    let index = ClusterIndex(
      shops, aggregates: ClusterAggregates(countsKinds: true, properties: ["price"]))
    let cinemas = index.selection { $0.kind == .cinema }
    let world = MapViewport(.world, zoom: 0)
    for cluster in index.view(of: world, selection: cinemas).clusters {
      let page = index.leaves(of: cluster.id, limit: 3, selection: cinemas) ?? []
      print(page.map { index.annotation(at: $0).name ?? "?" })
      print(index.summary(of: cluster.id)?.kinds[.cinema] == cluster.count)  // true
    }
  }

  @Test func `ask one cluster`() {
    let lines = PrintedLines.of(oneCluster)
    #expect(lines.count >= 2 && lines.count.isMultiple(of: 2))
    for place in stride(from: 1, to: lines.count, by: 2) { #expect(lines[place] == "true") }
    #expect(shops.filter { $0.kind == .cinema }.contains { lines[0].contains($0.name ?? "?") })
  }

  private func drag() {
    let session = MapSession(shops)
    let first = session.move(to: MapViewport(center: cityHall, zoom: 16, width: 800, height: 600))
    let drag = session.move(to: MapViewport(center: corner, zoom: 16, width: 800, height: 600))
    let all = Set(first.pins.added.map(\.id))
    print(drag.pins.kept.allSatisfy { all.contains($0.id) })  // true
    print(drag.pins.removed.allSatisfy { all.contains($0.id) })  // true
  }

  @Test func `keep what stays on screen`() {
    #expect(PrintedLines.of(drag) == ["true", "true"])
  }

  private func web() {
    let session = MapSession([shops[0]])
    let spot = MapViewport(.world, zoom: 17)
    let added = String(decoding: session.move(to: spot).geoJSON, as: UTF8.self)
    print(added.prefix(18))  // {"remove":[],"add"
    let again = String(decoding: session.move(to: spot).geoJSON, as: UTF8.self)
    print(again)  // {"remove":[],"add":[],"update":[]}
  }

  @Test func `lead a web map`() {
    #expect(
      PrintedLines.of(web) == [#"{"remove":[],"add""#, #"{"remove":[],"add":[],"update":[]}"#])
  }
}
