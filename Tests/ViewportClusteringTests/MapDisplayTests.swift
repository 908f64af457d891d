import Foundation
import Geodesy
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import ViewportClustering

/// A map without pixels, which keeps markers as MapKit, MapLibre and Google Maps do.
private final class StandInDisplay: MapDisplay {
  final class Marker {
    var text: String
    var position: Coordinate?
    init(_ text: String, _ position: Coordinate?) { (self.text, self.position) = (text, position) }
  }
  var pins: [AnnotationID: Marker] = [:]
  var clusters: [ClusterID: Marker] = [:]
  /// Every marker that was ever made, in order.
  var made = 0
  var origins: Set<ClusterID> = []

  func removePins(_ ids: [AnnotationID]) {
    for id in ids { #expect(pins.removeValue(forKey: id) != nil) }
  }
  func removeClusters(_ ids: [ClusterID]) {
    for id in ids { #expect(clusters.removeValue(forKey: id) != nil) }
  }
  func updatePins(_ pins: [MapPin<BasicAnnotation>]) {
    for pin in pins {
      self.pins[pin.annotation.id]?.text = "\(pin.annotation.name ?? "?") \(pin.look)"
      self.pins[pin.annotation.id]?.position = pin.annotation.coordinate
    }
  }
  func updateClusters(_ clusters: [MapCluster]) {
    for cluster in clusters {
      self.clusters[cluster.id]?.text = "\(cluster.count)"
      self.clusters[cluster.id]?.position = cluster.coordinate
    }
  }
  func addClusters(_ clusters: [MapCluster], from origins: [ClusterID: ClusterID]) {
    for cluster in clusters {
      self.clusters[cluster.id] = Marker("\(cluster.count)", cluster.coordinate)
    }
    made += clusters.count
    self.origins.formUnion(origins.values)
  }
  func addPins(_ pins: [MapPin<BasicAnnotation>]) {
    for pin in pins {
      self.pins[pin.annotation.id] = Marker(
        "\(pin.annotation.name ?? "?") \(pin.look)", pin.annotation.coordinate)
      if let origin = pin.origin { origins.insert(origin) }
    }
    made += pins.count
  }
}

@Suite struct `A map display` {
  private let center = PointSet.legal(34.7, 135.5)

  private func items(_ seed: UInt64) -> [BasicAnnotation] {
    var generator = SeededGenerator(seed: seed)
    return (0..<300).map { MapSessionTestItem.make($0, center, &generator) }
  }

  @Test func `is led to what the session shows, with the same markers for what stays`() throws {
    let items = items(1)
    let session = MapSession(
      items,
      status: { item, now in
        PinStatus(look: item.kind == .deal && now >= 22 ? 1 : 0)
      })
    let display = StandInDisplay()
    func screen(_ zoom: Double) -> MapViewport {
      MapViewport(center: center, zoom: zoom, width: 900, height: 700)
    }
    display.draw(session.move(to: screen(15)))
    let shown = display.pins.mapValues(ObjectIdentifier.init)
    let made = display.made
    display.draw(session.move(to: screen(15.5)))
    for (id, marker) in display.pins where shown[id] != nil {
      #expect(ObjectIdentifier(marker) == shown[id])
    }
    #expect(display.made == made, "a smaller screen has nothing new")
    display.draw(session.move(to: screen(13)))
    #expect(!display.clusters.isEmpty)
    let parents = Set(display.clusters.keys)
    display.draw(session.move(to: screen(16)))
    #expect(!display.origins.isEmpty && display.origins.isSubset(of: parents))
    display.draw(session.tick(now: -1))
    display.draw(
      session.apply([.upsert(BasicAnnotation(id: 3, name: "moved", coordinate: center))]))
    #expect(Set(display.pins.keys) == Set(session.pins.map(\.id)))
    #expect(display.pins.values.allSatisfy { $0.position != nil })
    for pin in session.pins { #expect(display.pins[pin.id]?.position == pin.coordinate) }
    for cluster in session.clusters {
      #expect(display.clusters[cluster.id]?.text == "\(cluster.count)")
      #expect(display.clusters[cluster.id]?.position == cluster.coordinate)
    }
  }

  @Test func `draws changes that are made by hand`() throws {
    let (old, new) = (BasicAnnotation(id: 1, name: "a"), BasicAnnotation(id: 1, name: "b"))
    let parent = ClusterID(rawValue: 7)
    var clusters = ClusterDiff()
    clusters.splits = [ClusterSplit(parent: parent, clusters: [], annotations: [1])]
    let display = StandInDisplay()
    let added = MapChange(number: 1, pins: AnnotationDiff(from: [], to: [old]), clusters: clusters)
    display.draw(added)
    #expect(display.pins[1]?.text == "a 0" && display.origins == [parent])
    let updated = MapChange(
      number: 2, pins: AnnotationDiff(from: [old], to: [new]), looks: [1: 3])
    display.draw(updated)
    #expect(display.pins[1]?.text == "b 3" && display.made == 1)
    #expect(added == added && added != updated)
    let pins = [MapPin(annotation: old), MapPin(annotation: new, look: 3, origin: parent)]
    #expect(pins[0] != pins[1] && pins.map(\.id) == [1, 1])
    let id = try #require(ClusterID("c64/12/3405/1580"))
    for place in [center, PointSet.legal(-33, -180), PointSet.legal(85, 179.9)] {
      let cluster = MapCluster(id: id, count: 12, coordinate: place)
      #expect(cluster.coordinate.distance(to: place) < .meters(0.01) && cluster.count == 12)
    }
    let pole = MapCluster(id: id, count: 2, coordinate: PointSet.legal(90, 0))
    #expect(abs(pole.coordinate.latitude - 85.0511) < 1e-4)
  }

  /// What MapLibre GL JS does with a diff: features by the property `id`.
  private struct StandInSource {
    var features: [String: NSDictionary] = [:]

    mutating func updateData(_ bytes: [UInt8]) throws {
      let diff = try #require(
        try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      for id in try #require(diff["remove"] as? [String]) {
        #expect(features.removeValue(forKey: id) != nil)
      }
      for feature in try #require(diff["add"] as? [[String: Any]]) {
        let properties = try #require(feature["properties"] as? [String: Any])
        let id = try #require(properties["id"] as? String)
        let old = features.updateValue(
          ["geometry": feature["geometry"]!, "properties": properties], forKey: id)
        #expect(old == nil, "\(id) is added though it is there")
      }
      for update in try #require(diff["update"] as? [[String: Any]]) {
        let id = try #require(update["id"] as? String)
        let entries = try #require(update["addOrUpdateProperties"] as? [[String: Any]])
        var properties: [String: Any] = [:]
        for entry in entries { properties[try #require(entry["key"] as? String)] = entry["value"] }
        let old = features.updateValue(
          ["geometry": update["newGeometry"]!, "properties": properties], forKey: id)
        #expect(old != nil)
      }
    }
  }

  @Test(arguments: UInt64(0)..<4)
  func `of the web is led there by the diffs alone`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let items = items(seed)
    let status: @Sendable (BasicAnnotation, Instant) -> PinStatus = { item, now in
      let closing = Instant(seconds: (Int64(item.id.text) ?? 0) % 20)
      return PinStatus(look: now < closing ? 0 : 2, validUntil: now < closing ? closing : nil)
    }
    let session = MapSession(items, status: status)
    var source = StandInSource()
    var viewport = MapViewport(.world, zoom: 0)
    var now: Instant = 0
    for step in 0..<30 {
      switch step % 3 {
      case 0:
        viewport = MapViewport(
          center: center, zoom: Double.random(in: 10...17, using: &generator), width: 900,
          height: 700)
        try source.updateData(session.move(to: viewport).geoJSON)
      case 1:
        now = now + 2
        try source.updateData(session.tick(now: now).geoJSON)
      default:
        let item = MapSessionTestItem.make(step, center, &generator)
        try source.updateData(
          session.apply([.upsert(item), .remove(AnnotationID(step + 1))]).geoJSON)
      }
      #expect(
        Set(source.features.keys)
          == Set(session.pins.map(\.id.text) + session.clusters.map(\.id.description)))
      var whole = StandInSource()
      // Alone, pins are features of their own.
      let again = MapSession(session.pins, now: now, status: status, optsOut: { _ in true })
      try whole.updateData(again.move(to: viewport).geoJSON)
      for pin in session.pins {
        #expect(source.features[pin.id.text] == whole.features[pin.id.text])
      }
    }
  }

  @Test(arguments: [
    (2, "2"), (999, "999"), (1_000, "1k"), (1_249, "1.2k"), (9_949, "9.9k"), (9_950, "10k"),
    (12_345, "12k"), (999_499, "999k"), (999_500, "1M"), (1_250_000, "1.3M"), (45_000_000, "45M"),
  ])
  func `has counts that fit into a circle`(count: Int, text: String) {
    let cluster = MapCluster(
      id: ClusterID(rawValue: 0), count: count, column: 0, row: 0, grid: .tiles)
    #expect(cluster.abbreviatedCount == text)
  }
}
