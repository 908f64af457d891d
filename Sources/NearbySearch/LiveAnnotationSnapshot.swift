import Geodesy
import MapAnnotations
import SpatialIndexing

/// A live index of annotations as it was at one moment: a value that answers questions and never
/// changes.
///
///     let snapshot = friends.snapshot
///     let near = snapshot.nearest(10, to: here, within: .kilometers(2), now: clock.seconds)
///     let shown = snapshot.annotations(in: viewport, now: clock.seconds)
///
/// All questions to one snapshot see the same annotations. Any number of threads may ask.
public struct LiveAnnotationSnapshot<Item: Annotation>: Sendable {
  let positions: LiveSnapshot
  let unplaced: LiveSnapshot
  let slots: LiveSlotsVersion<Item>
  /// Has the annotations, by their numbers.
  let shelf: AnnotationShelf<Item>
  let categories: KindCategories
  /// The lines and areas among the annotations; nil for none.
  let shapes: LiveShapes?

  /// Which version of the index this is; later ones have greater numbers.
  public var version: Int { positions.version }

  /// How many annotations have a coordinate, those that have expired and were not dropped yet among
  /// them.
  public var placedCount: Int { positions.count }

  /// How many annotations have no coordinate, those that have expired and were not dropped yet among
  /// them.
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
