import MapAnnotations

/// What decides between annotations at the same distance: id, then origin, then the order of the input.
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
    return (RecordOrigin.order(left.origin, right.origin), left.place) < (0, right.place)
  }

  static func == (left: TieKey, right: TieKey) -> Bool {
    left.place == right.place && left.id == right.id && left.origin == right.origin
  }
}
