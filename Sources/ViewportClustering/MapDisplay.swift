import Geodesy
import MapAnnotations

/// A map that draws changes: MapKit's, MapLibre's, Google's, or a stand-in in a test.
///
/// It keeps its contents by id. `draw(_:)` ensures that only existing items are removed, and that
/// nothing is added twice.
public protocol MapDisplay<Item>: AnyObject {
  /// The type of its annotations.
  associatedtype Item: Annotation
  /// Removes pins.
  func removePins(_ ids: [AnnotationID])
  /// Removes clusters.
  func removeClusters(_ ids: [ClusterID])
  /// Redraws pins whose look, name or position has changed.
  func updatePins(_ pins: [MapPin<Item>])
  /// Redraws clusters whose count or position has changed.
  func updateClusters(_ clusters: [MapCluster])
  /// Adds clusters.
  ///
  /// - Parameters:
  ///   - clusters: The clusters to draw.
  ///   - origins: The cluster that each was part of before.
  func addClusters(_ clusters: [MapCluster], from origins: [ClusterID: ClusterID])
  /// Adds pins.
  func addPins(_ pins: [MapPin<Item>])
}

/// A pin to draw.
public struct MapPin<Item: Annotation>: Sendable {
  /// The annotation of the pin.
  public let annotation: Item
  /// The `look` of its status.
  public let look: Int
  /// The cluster that contained it before, so that a view can animate it from there; nil if it was
  /// not in one.
  public let origin: ClusterID?

  /// Makes a pin, for previews and tests of a display.
  public init(annotation: Item, look: Int = 0, origin: ClusterID? = nil) {
    self.annotation = annotation
    self.look = look
    self.origin = origin
  }
}

extension MapPin: Identifiable {
  /// The annotation's id.
  public var id: AnnotationID { annotation.id }
}

extension MapPin: Equatable where Item: Equatable {}

extension MapDisplay {
  /// Draws a change: first removals, then updates, then additions.
  ///
  /// Empty lists are not passed on.
  public func draw(_ change: MapChange<Item>) {
    var pinOrigins: [AnnotationID: ClusterID] = [:]
    var clusterOrigins: [ClusterID: ClusterID] = [:]
    for split in change.clusters.splits {
      for id in split.annotations { pinOrigins[id] = split.parent }
      for id in split.clusters { clusterOrigins[id] = split.parent }
    }
    func drawn(_ items: [Item]) -> [MapPin<Item>] {
      items.map {
        MapPin(annotation: $0, look: change.looks[$0.id] ?? 0, origin: pinOrigins[$0.id])
      }
    }
    if !change.pins.removed.isEmpty { removePins(change.pins.removed.map(\.id)) }
    if !change.clusters.removed.isEmpty { removeClusters(change.clusters.removed.map(\.id)) }
    if !change.pins.updated.isEmpty { updatePins(drawn(change.pins.updated)) }
    if !change.clusters.updated.isEmpty { updateClusters(change.clusters.updated) }
    if !change.clusters.added.isEmpty {
      addClusters(change.clusters.added, from: clusterOrigins)
    }
    if !change.pins.added.isEmpty { addPins(drawn(change.pins.added)) }
  }
}
