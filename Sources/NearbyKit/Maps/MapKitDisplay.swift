// An example to copy or to use: parsed wherever NearbyKit is built, but compiled only where MapKit is.
// It has not been compiled against Apple's SDKs by those who wrote it.

#if canImport(MapKit)
  import Geodesy
  import MapAnnotations
  import MapKit
  import ViewportClustering

  /// Draws the changes of a `MapSession` on an `MKMapView`.
  ///
  ///     let display = MapKitDisplay<Deal>(mapView)
  ///     func mapViewDidChangeVisibleRegion(_ mapView: MKMapView) {
  ///       guard let viewport = display.viewport else { return }
  ///       display.draw(session.move(to: viewport))
  ///     }
  ///
  /// Clustering is the session's: leave `clusteringIdentifier` of the views nil.
  @MainActor
  public final class MapKitDisplay<Item: MapAnnotations.Annotation>: @MainActor MapDisplay {
    /// What stands on the map for a pin.
    public final class Pin: MKPointAnnotation {
      /// What it stands for.
      public fileprivate(set) var item: Item
      /// The `look` of its status.
      public fileprivate(set) var look: Int

      init(_ pin: MapPin<Item>) {
        item = pin.annotation
        look = pin.look
        super.init()
        show(pin)
      }

      fileprivate func show(_ pin: MapPin<Item>) {
        item = pin.annotation
        look = pin.look
        title = item.name
        if let coordinate = item.coordinate {
          self.coordinate = CLLocationCoordinate2D(coordinate)
        }
      }
    }

    /// What stands on the map for a cluster.
    public final class Cluster: MKPointAnnotation {
      /// The cluster as it is now.
      public fileprivate(set) var cluster: MapCluster

      init(_ cluster: MapCluster) {
        self.cluster = cluster
        super.init()
        show(cluster)
      }

      fileprivate func show(_ cluster: MapCluster) {
        self.cluster = cluster
        title = "\(cluster.count)"
        coordinate = CLLocationCoordinate2D(cluster.coordinate)
      }
    }

    private weak var map: MKMapView?
    private var pins: [AnnotationID: Pin] = [:]
    private var clusters: [ClusterID: Cluster] = [:]

    /// Draws on a map, which is not kept alive.
    public init(_ map: MKMapView) { self.map = map }

    /// What the map shows; nil before it has a size.
    public var viewport: MapViewport? {
      guard let map, map.bounds.width > 0 else { return nil }
      let region = map.region
      // The world is 512 · 2^zoom points wide.
      let turns = region.span.longitudeDelta / 360
      let zoom = (map.bounds.width / (512 * turns)).exponentOfTwo
      return try? MapViewport(
        unwrappedWest: region.center.longitude - region.span.longitudeDelta / 2,
        south: region.center.latitude - region.span.latitudeDelta / 2,
        east: region.center.longitude + region.span.longitudeDelta / 2,
        north: region.center.latitude + region.span.latitudeDelta / 2, zoom: zoom)
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
      let new = clusters.map(Cluster.init)
      for annotation in new { self.clusters[annotation.cluster.id] = annotation }
      map?.addAnnotations(new)
    }

    /// Adds pins.
    public func addPins(_ pins: [MapPin<Item>]) {
      let new = pins.map(Pin.init)
      for annotation in new { self.pins[annotation.item.id] = annotation }
      map?.addAnnotations(new)
    }
  }

  extension CLLocationCoordinate2D {
    /// A position as Core Location has it.
    public init(_ coordinate: Coordinate) {
      self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
  }

  extension CGFloat {
    /// The greatest whole power of two that is not above the number; 0 for numbers below 1.
    fileprivate var exponentOfTwo: Int { self >= 1 && isFinite ? Int(exponent) : 0 }
  }
#endif
