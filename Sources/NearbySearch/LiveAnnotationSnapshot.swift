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
  let slots: LiveSlots<LiveAnnotation<Item>>
  /// Has the annotations, by their numbers.
  let shelf: AnnotationShelf<Item>
  let categories: KindCategories
  /// The lines and areas among the annotations; nil for none.
  let shapes: LiveShapes?
  /// How many annotations have no coordinate, those that have expired and were not dropped yet among
  /// them.
  public let unplacedCount: Int

  /// Which version of the index this is; later ones have greater numbers.
  public var version: Int { positions.version }

  /// How many annotations have a coordinate, those that have expired and were not dropped yet among
  /// them.
  public var placedCount: Int { positions.count }

  /// All annotations that have not expired, placed or not, by id.
  ///
  /// - Complexity: O(*n* log *n*).
  public func annotations(now: Double = -.infinity) -> [Item] {
    (0..<slots.end).compactMap { slots[$0] }.filter { $0.expiry > now }.map(\.item)
      .sorted { $0.id < $1.id }
  }

  init(
    positions: LiveSnapshot, slots: LiveSlots<LiveAnnotation<Item>>, categories: KindCategories,
    unplacedCount: Int, shapes: LiveShapes?
  ) {
    self.positions = positions
    self.slots = slots
    self.categories = categories
    self.unplacedCount = unplacedCount
    self.shapes = shapes
    shelf = AnnotationShelf(
      { LiveAnnotationSnapshot.annotation($0, in: slots).item }, address: slots.address)
  }

  /// What stands at a number that an object of the same snapshot has.
  func annotation(_ number: Int) -> LiveAnnotation<Item> {
    LiveAnnotationSnapshot.annotation(number, in: slots)
  }

  private static func annotation(
    _ number: Int, in slots: LiveSlots<LiveAnnotation<Item>>
  ) -> LiveAnnotation<Item> {
    guard let annotation = slots[number] else {
      preconditionFailure("object \(number) is not an annotation of this snapshot")
    }
    return annotation
  }
}
