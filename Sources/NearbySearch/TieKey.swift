import MapAnnotations

/// What decides between annotations at the same distance: id, then source, then record number.
///
/// Sources compare by their UTF-8 bytes; annotations made in code come first. Where all of that is equal, the order of
/// the input decides.
struct TieKey: Comparable {
  let place: Int
  private let id: AnnotationID
  private let origin: RecordOrigin?

  init(_ annotation: some Annotation, place: Int = 0) {
    id = annotation.id
    origin = annotation.origin
    self.place = place
  }

  static func < (left: TieKey, right: TieKey) -> Bool {
    if left.id != right.id { return left.id < right.id }
    let leftSource = (left.origin?.source ?? "").utf8
    let rightSource = (right.origin?.source ?? "").utf8
    if leftSource.lexicographicallyPrecedes(rightSource) { return true }
    if rightSource.lexicographicallyPrecedes(leftSource) { return false }
    return (left.origin?.record ?? 0, left.place) < (right.origin?.record ?? 0, right.place)
  }

  static func == (left: TieKey, right: TieKey) -> Bool {
    left.place == right.place && left.id == right.id && left.origin == right.origin
  }
}
