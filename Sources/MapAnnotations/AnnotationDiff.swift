/// The difference between two sets of annotations, by id: what a map must add, remove, redraw and
/// leave alone.
///
///     let diff = AnnotationDiff(from: shown, to: wanted)
///     map.remove(diff.removed)
///     map.add(diff.added)
///
/// An annotation whose id is in both sets is *kept* if it is unchanged, and *updated* if it is not;
/// it is never removed and added again. If several have the same id, the first counts.
///
/// - Complexity: O(*n* + *m*).
public struct AnnotationDiff<Item: Annotation>: Sendable {
  /// Annotations with a new id, in their new order.
  public let added: [Item]
  /// Annotations whose id is gone, in their old order.
  public let removed: [Item]
  /// The new versions of changed annotations, in their new order.
  public let updated: [Item]
  /// Unchanged annotations, in their new order.
  public let kept: [Item]

  /// For a comparison that was made elsewhere.
  package init(added: [Item], removed: [Item], updated: [Item], kept: [Item]) {
    self.added = added
    self.removed = removed
    self.updated = updated
    self.kept = kept
  }

  /// Compares old annotations with new ones.
  ///
  /// - Parameters:
  ///   - old: The annotations before.
  ///   - new: The annotations now.
  ///   - isSame: Whether two annotations with the same id are equal in everything that matters. The default
  ///     ``Annotation/isSame(as:)`` uses `==` for `Equatable` types, otherwise every property of the protocol.
  public init(
    from old: some Sequence<Item>, to new: some Sequence<Item>,
    isSame: (_ old: Item, _ new: Item) -> Bool = { $0.isSame(as: $1) }
  ) {
    let old = Array(old)
    let before = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
    var added: [Item] = [], updated: [Item] = [], kept: [Item] = []
    var seen: Set<AnnotationID> = []
    for item in new where seen.insert(item.id).inserted {
      guard let last = before[item.id] else {
        added.append(item)
        continue
      }
      if isSame(last, item) { kept.append(item) } else { updated.append(item) }
    }
    self.added = added
    self.updated = updated
    self.kept = kept
    removed = old.filter { seen.insert($0.id).inserted }
  }

  /// Whether there is no change.
  public var isEmpty: Bool { added.isEmpty && removed.isEmpty && updated.isEmpty }

  /// The old set after the changes, by id.
  public func applied(to old: some Sequence<Item>) -> [AnnotationID: Item] {
    var items = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
    for item in removed { items[item.id] = nil }
    for item in added + updated { items[item.id] = item }
    return items
  }
}

extension AnnotationDiff: Equatable where Item: Equatable {}
