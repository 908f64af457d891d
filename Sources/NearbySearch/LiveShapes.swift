import Geodesy
import MapAnnotations

/// The lines and areas of a live index, by their numbers.
///
/// Indexed once they are queried: a batch that changes shapes costs only a copy of this list, and the first query after
/// it an index of all shapes.
final class LiveShapes: Sendable {
  /// By number, the annotation's id and its shape.
  typealias List = [Int: (id: AnnotationID, shape: GroundShape)]

  private let list: List
  private let made = SharedValue<AnnotationShapes?>(nil)

  init(_ list: List) { self.list = list }

  /// The shapes by number, with equal distances in the order of ids.
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
