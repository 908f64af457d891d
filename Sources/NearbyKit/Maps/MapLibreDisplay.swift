// An example to copy or to use: parsed wherever NearbyKit is built, but compiled only where MapLibre
// Native is. It has not been compiled against Apple's SDKs by those who wrote it.

#if canImport(MapLibre)
  import Geodesy
  import MapAnnotations
  import MapLibre
  import ViewportClustering

  /// Draws the changes of a `MapSession` on an `MLNMapView`.
  ///
  ///     let display = MapLibreDisplay<Deal>(mapView)
  ///     func mapViewRegionIsChanging(_ mapView: MLNMapView) {
  ///       guard let viewport = display.viewport else { return }
  ///       display.draw(session.move(to: viewport))
  ///     }
  @MainActor
  public final class MapLibreDisplay<Item: MapAnnotations.Annotation>: @MainActor MapDisplay {
    /// What stands on the map for a pin or a cluster.
    public final class Marker: MLNPointAnnotation {
      /// The annotation; nil for a cluster.
      public fileprivate(set) var pin: MapPin<Item>?
      /// The cluster; nil for an annotation.
      public fileprivate(set) var cluster: MapCluster?

      fileprivate func show(_ pin: MapPin<Item>) {
        self.pin = pin
        title = pin.annotation.name
        if let position = pin.annotation.coordinate { move(to: position) }
      }

      fileprivate func show(_ cluster: MapCluster) {
        self.cluster = cluster
        title = "\(cluster.count)"
        move(to: cluster.coordinate)
      }

      private func move(to position: Coordinate) {
        coordinate = CLLocationCoordinate2D(
          latitude: position.latitude, longitude: position.longitude)
      }
    }

    private weak var map: MLNMapView?
    private var pins: [AnnotationID: Marker] = [:]
    private var clusters: [ClusterID: Marker] = [:]

    /// Draws on a map, which is not kept alive.
    public init(_ map: MLNMapView) { self.map = map }

    /// What the map shows; MapLibre counts zoom as `ClusterRule` does.
    public var viewport: MapViewport? {
      guard let map else { return nil }
      let bounds = map.visibleCoordinateBounds
      return try? MapViewport(
        unwrappedWest: bounds.sw.longitude, south: bounds.sw.latitude,
        east: bounds.ne.longitude, north: bounds.ne.latitude, zoom: Int(map.zoomLevel))
    }

    /// Takes pins away.
    public func removePins(_ ids: [AnnotationID]) {
      map?.removeAnnotations(ids.compactMap { pins.removeValue(forKey: $0) })
    }

    /// Takes clusters away.
    public func removeClusters(_ ids: [ClusterID]) {
      map?.removeAnnotations(ids.compactMap { clusters.removeValue(forKey: $0) })
    }

    /// Redraws pins, which keep their markers.
    public func updatePins(_ pins: [MapPin<Item>]) {
      for pin in pins { self.pins[pin.annotation.id]?.show(pin) }
    }

    /// Redraws clusters, which keep their markers.
    public func updateClusters(_ clusters: [MapCluster]) {
      for cluster in clusters { self.clusters[cluster.id]?.show(cluster) }
    }

    /// Adds clusters.
    public func addClusters(_ clusters: [MapCluster], from origins: [ClusterID: ClusterID]) {
      let new = clusters.map { cluster in
        let marker = Marker()
        marker.show(cluster)
        self.clusters[cluster.id] = marker
        return marker
      }
      map?.addAnnotations(new)
    }

    /// Adds pins.
    public func addPins(_ pins: [MapPin<Item>]) {
      let new = pins.map { pin in
        let marker = Marker()
        marker.show(pin)
        self.pins[pin.annotation.id] = marker
        return marker
      }
      map?.addAnnotations(new)
    }
  }
#endif
