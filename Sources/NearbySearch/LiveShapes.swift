import Geodesy
import MapAnnotations

/// The lines and areas of a live index, by their numbers.
///
/// Found by their shape once somebody asks: what changes shapes and is not asked about them costs a copy of this list
/// a batch, and the first question after it an index of all shapes.
final class LiveShapes: Sendable {
  /// By number, what the annotation is called and its shape.
  typealias List = [Int: (id: AnnotationID, shape: GroundShape)]

  private let list: List
  private let made = SharedValue<AnnotationShapes?>(nil)

  init(_ list: List) { self.list = list }

  /// By numbers, equal distances in the order of ids.
  var index: AnnotationShapes {
    made.withLock { made in
      if let made { return made }
      let index = AnnotationShapes(
        inOrder: list.sorted { $0.value.id < $1.value.id }.map { ($0.key, $0.value.shape) })
      made = index
      return index
    }
  }
}
