import Geodesy
import MapAnnotations
import SpatialIndexing

/// A live index of annotations at one moment: a value that can be queried and never changes.
///
///     let snapshot = friends.snapshot
///     let near = snapshot.nearest(10, to: here, within: .kilometers(2), now: clock.seconds)
///     let shown = snapshot.annotations(in: viewport, now: clock.seconds)
///
/// All queries of one snapshot see the same annotations. Any number of threads may query it. If `now` is NaN, no
/// annotation counts.
public struct LiveAnnotationSnapshot<Item: Annotation>: Sendable {
  let positions: LiveSnapshot
  let unplaced: LiveSnapshot
  let slots: LiveSlotsVersion<Item>
  /// Gives the annotations, by number.
  let shelf: AnnotationShelf<Item>
  let categories: KindCategories
  /// The lines and areas among the annotations; nil for none.
  let shapes: LiveShapes?

  /// The version of the index; later ones have greater numbers.
  public var version: Int { positions.version }

  /// The number of annotations with a coordinate, including expired ones that were not dropped yet.
  public var placedCount: Int { positions.count }

  /// The number of annotations without a coordinate, including expired ones that were not dropped yet.
  public var unplacedCount: Int { unplaced.count }

  /// All annotations that have not expired, placed or not, by id.
  ///
  /// - Complexity: O(*n* log *n*).
  public func annotations(now: Double = -.infinity) -> [Item] {
    numbers(now: now).map { (id: slots.key($0).id, number: $0) }.sorted { $0.id < $1.id }
      .map { slots[$0.number] }
  }

  /// The numbers of all annotations that have not expired, placed or not, in no particular order.
  func numbers(now: Double) -> [Int] { positions.ids(now: now) + unplaced.ids(now: now) }

  init(
    positions: LiveSnapshot, unplaced: LiveSnapshot, slots: LiveSlotsVersion<Item>,
    categories: KindCategories, shapes: LiveShapes?
  ) {
    self.positions = positions
    self.unplaced = unplaced
    self.slots = slots
    self.categories = categories
    self.shapes = shapes
    shelf = AnnotationShelf({ slots[$0] }, memory: .addresses(slots.address))
  }
}
