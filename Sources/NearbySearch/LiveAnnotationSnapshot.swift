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
  let categories: KindCategories
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

  /// The annotation of an object of the same snapshot.
  func item(_ object: LiveObject) -> Item {
    guard let annotation = slots[Int(object.id)] else {
      preconditionFailure("object \(object.id) of version \(version) is no annotation")
    }
    return annotation.item
  }
}
