import Geodesy
import MapAnnotations
import Testing
import ViewportClustering

#if canImport(MapKit)
  import MapKit
#else
  // What the example uses of MapKit and Core Location, so that it is compiled and run on Linux, too.
  @MainActor private final class MKMapView {
    struct Rectangle { var width = 512.0 }
    var bounds = Rectangle()
    var region = MKCoordinateRegion()
    var annotations: [MKPointAnnotation] = []

    func addAnnotations(_ more: [MKPointAnnotation]) { annotations += more }
    func removeAnnotations(_ some: [MKPointAnnotation]) {
      annotations.removeAll { kept in some.contains { $0 === kept } }
    }
  }

  private struct MKCoordinateRegion {
    var center = CLLocationCoordinate2D(latitude: 0, longitude: 0)
    var span = (latitudeDelta: 120.0, longitudeDelta: 360.0)
  }

  private struct CLLocationCoordinate2D { var latitude, longitude: Double }

  private final class MKPointAnnotation {
    var title: String?
    var coordinate = CLLocationCoordinate2D(latitude: 0, longitude: 0)
  }
#endif

@MainActor
private final class MapKitDisplay<Item: Annotation>: @MainActor MapDisplay {
  private weak var map: MKMapView?
  private var pins: [AnnotationID: MKPointAnnotation] = [:]
  private var clusters: [ClusterID: MKPointAnnotation] = [:]

  init(_ map: MKMapView) { self.map = map }

  /// What the map shows; nil before it has a size.
  var viewport: MapViewport? {
    guard let map, map.bounds.width > 0 else { return nil }
    let (center, span) = (map.region.center, map.region.span)
    // At a zoom, the world is 512 · 2^zoom points wide.
    let scale = map.bounds.width / (512 * span.longitudeDelta / 360)
    return try? MapViewport(
      unwrappedWest: center.longitude - span.longitudeDelta / 2,
      south: center.latitude - span.latitudeDelta / 2,
      east: center.longitude + span.longitudeDelta / 2,
      north: center.latitude + span.latitudeDelta / 2,
      zoom: scale.isFinite && scale >= 1 ? Int(scale.exponent) : 0)
  }

  func removePins(_ ids: [AnnotationID]) {
    map?.removeAnnotations(ids.compactMap { pins.removeValue(forKey: $0) })
  }

  func removeClusters(_ ids: [ClusterID]) {
    map?.removeAnnotations(ids.compactMap { clusters.removeValue(forKey: $0) })
  }

  func updatePins(_ changed: [MapPin<Item>]) {
    for pin in changed { pins[pin.id].map { show(pin, on: $0) } }
  }

  func updateClusters(_ changed: [MapCluster]) {
    for cluster in changed { clusters[cluster.id].map { show(cluster, on: $0) } }
  }

  func addClusters(_ added: [MapCluster], from origins: [ClusterID: ClusterID]) {
    for cluster in added {
      let marker = MKPointAnnotation()
      show(cluster, on: marker)
      clusters[cluster.id] = marker
    }
    map?.addAnnotations(added.compactMap { clusters[$0.id] })
  }

  func addPins(_ added: [MapPin<Item>]) {
    for pin in added {
      let marker = MKPointAnnotation()
      show(pin, on: marker)
      pins[pin.id] = marker
    }
    map?.addAnnotations(added.compactMap { pins[$0.id] })
  }

  private func show(_ pin: MapPin<Item>, on marker: MKPointAnnotation) {
    marker.title = pin.annotation.name
    if let position = pin.annotation.coordinate { marker.coordinate = location(position) }
  }

  private func show(_ cluster: MapCluster, on marker: MKPointAnnotation) {
    marker.title = "\(cluster.count)"
    marker.coordinate = location(cluster.coordinate)
  }

  private func location(_ position: Coordinate) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: position.latitude, longitude: position.longitude)
  }
}

@Suite @MainActor struct `The example of a map display` {
  @Test func `draws what its session shows, and keeps the markers that stay`() throws {
    let deals = [
      BasicAnnotation(
        id: "1", name: "Tea", coordinate: try Coordinate(latitude: 35, longitude: 135)),
      BasicAnnotation(
        id: "2", name: "Rice", coordinate: try Coordinate(latitude: -20, longitude: -60)),
    ]
    #if canImport(MapKit)
      let map = MKMapView(frame: CGRect(x: 0, y: 0, width: 512, height: 512))
    #else
      let map = MKMapView()
    #endif
    let display = MapKitDisplay<BasicAnnotation>(map)
    let session = MapSession(deals)
    display.draw(session.move(to: try #require(display.viewport)))
    #if !canImport(MapKit)
      #expect(Set(map.annotations.compactMap(\.title)) == ["Tea", "Rice"])
      let tea = try #require(map.annotations.first { $0.title == "Tea" })
      #expect(tea.coordinate.latitude == 35)
      map.region.center = CLLocationCoordinate2D(latitude: 35, longitude: 135)
      map.region.span = (1, 1)
      display.draw(session.move(to: try #require(display.viewport)))
      #expect(map.annotations.contains { $0 === tea })
      #expect(!map.annotations.contains { $0.title == "Rice" })
    #endif
  }
}
