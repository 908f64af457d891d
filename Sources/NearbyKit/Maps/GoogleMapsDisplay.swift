// An example to copy or to use: parsed wherever NearbyKit is built, but compiled only where the Maps SDK
// for iOS is. It has not been compiled against Google's or Apple's SDKs by those who wrote it.

#if canImport(GoogleMaps)
  import Geodesy
  import GoogleMaps
  import MapAnnotations
  import ViewportClustering

  /// Draws the changes of a `MapSession` on a `GMSMapView`.
  ///
  ///     let display = GoogleMapsDisplay<Deal>(mapView)
  ///     func mapView(_ mapView: GMSMapView, idleAt position: GMSCameraPosition) {
  ///       guard let viewport = display.viewport else { return }
  ///       display.draw(session.move(to: viewport))
  ///     }
  @MainActor
  public final class GoogleMapsDisplay<Item: MapAnnotations.Annotation>: @MainActor MapDisplay {
    private weak var map: GMSMapView?
    private var pins: [AnnotationID: GMSMarker] = [:]
    private var clusters: [ClusterID: GMSMarker] = [:]

    /// Draws on a map, which is not kept alive.
    public init(_ map: GMSMapView) { self.map = map }

    /// What the map shows.
    ///
    /// Google's world is 256 · 2^zoom points wide, so one zoom is taken off.
    public var viewport: MapViewport? {
      guard let map else { return nil }
      let region = map.projection.visibleRegion()
      let bounds = GMSCoordinateBounds(region: region)
      return try? MapViewport(
        unwrappedWest: bounds.southWest.longitude, south: bounds.southWest.latitude,
        east: bounds.northEast.longitude, north: bounds.northEast.latitude,
        zoom: Int(map.camera.zoom) - 1)
    }

    /// Takes pins away.
    public func removePins(_ ids: [AnnotationID]) {
      for id in ids { pins.removeValue(forKey: id)?.map = nil }
    }

    /// Takes clusters away.
    public func removeClusters(_ ids: [ClusterID]) {
      for id in ids { clusters.removeValue(forKey: id)?.map = nil }
    }

    /// Redraws pins, which keep their markers.
    public func updatePins(_ pins: [MapPin<Item>]) {
      for pin in pins {
        if let marker = self.pins[pin.annotation.id] { show(pin, on: marker) }
      }
    }

    /// Redraws clusters, which keep their markers.
    public func updateClusters(_ clusters: [MapCluster]) {
      for cluster in clusters {
        if let marker = self.clusters[cluster.id] { show(cluster, on: marker) }
      }
    }

    /// Adds clusters.
    public func addClusters(_ clusters: [MapCluster], from origins: [ClusterID: ClusterID]) {
      for cluster in clusters {
        let marker = GMSMarker()
        show(cluster, on: marker)
        marker.map = map
        self.clusters[cluster.id] = marker
      }
    }

    /// Adds pins.
    public func addPins(_ pins: [MapPin<Item>]) {
      for pin in pins {
        let marker = GMSMarker()
        show(pin, on: marker)
        marker.map = map
        self.pins[pin.annotation.id] = marker
      }
    }

    private func show(_ pin: MapPin<Item>, on marker: GMSMarker) {
      marker.title = pin.annotation.name
      marker.userData = pin.annotation.id.text
      if let position = pin.annotation.coordinate { marker.position = location(position) }
    }

    private func show(_ cluster: MapCluster, on marker: GMSMarker) {
      marker.title = "\(cluster.count)"
      marker.userData = cluster.id.description
      marker.position = location(cluster.coordinate)
    }

    private func location(_ position: Coordinate) -> CLLocationCoordinate2D {
      CLLocationCoordinate2D(latitude: position.latitude, longitude: position.longitude)
    }
  }
#endif
