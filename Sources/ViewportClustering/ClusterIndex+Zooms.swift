import Geodesy

extension ClusterIndex {
  /// What the whole world shows at a zoom: what tiles of that zoom hold together.
  ///
  /// - Parameters:
  ///   - zoom: 0…24; behind the rule's last zoom with clusters all stand alone.
  ///   - selection: Only these; nil for all.
  /// - Complexity: O(cells that hold anything), and the annotations that stand alone.
  public func view(ofZoom zoom: Int, selection: ClusterSelection? = nil) -> ClusterView {
    view(
      of: MapViewport(BoundingBox(unchecked: -90, -180, 90, 180), zoom: zoom), selection: selection)
  }
}
