import Geodesy

extension ClusterIndex {
  /// The view of the whole world at a zoom: the contents of all tiles of that zoom.
  ///
  /// - Parameters:
  ///   - zoom: 0…24; beyond the rule's last zoom with clusters all annotations are single.
  ///   - selection: Only these annotations; nil for all.
  /// - Complexity: O(nonempty cells), and the single annotations.
  public func view(ofZoom zoom: Int, selection: ClusterSelection? = nil) -> ClusterView {
    view(
      of: MapViewport(BoundingBox(unchecked: -90, -180, 90, 180), zoom: zoom), selection: selection)
  }
}
