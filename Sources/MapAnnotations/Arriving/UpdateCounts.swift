/// The numbers of annotations in an update of a layer, compared by their ids.
public struct UpdateCounts: Hashable, Sendable {
  /// New annotations.
  public var added: Int
  /// Existing annotations that changed.
  public var changed: Int
  /// Existing annotations that did not change.
  public var unchanged: Int
  /// Removed annotations.
  public var removed: Int
  /// Annotations refused because they are denied.
  public var denied = 0
  /// The number of annotations in the layer without a position, if the store counts them.
  public var unplaced = 0

  /// Makes counts; by default nothing has changed.
  public init(added: Int = 0, changed: Int = 0, unchanged: Int = 0, removed: Int = 0) {
    self.added = added
    self.changed = changed
    self.unchanged = unchanged
    self.removed = removed
  }

  /// The number of annotations now.
  public var count: Int { added + changed + unchanged }
}
