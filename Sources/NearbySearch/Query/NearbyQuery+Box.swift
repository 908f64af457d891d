import Geodesy

extension NearbyQuery {
  /// Leaves only what lies in a box, too, its edges included.
  ///
  /// Without an area the box becomes the area, which indexes look up; an area that is there stays, and its
  /// annotations are asked whether they lie in the box.
  public mutating func restrict(to box: BoundingBox) {
    guard area != .everywhere else {
      area = .box(box)
      return
    }
    let test = Condition(inside: box)
    condition = condition.map { .all([$0, test]) } ?? test
  }

  /// Whether the answer's annotations depend on the origin: by limits of distance, a condition on the
  /// distance, or hours on arrival.
  public var choosesByOrigin: Bool {
    if case .arrival? = open?.moment { return true }
    return !distances.isEverything || condition?.measuresDistance ?? false
  }
}

extension Condition {
  /// What is true of the positions in a box, its edges included, and of no others; false of what has no
  /// position.
  ///
  /// It says the same as `BoundingBox.contains`: a box across ±180° has two spans of longitudes, and one that
  /// reaches 180 holds −180, which is the same meridian.
  public init(inside box: BoundingBox) {
    func test(_ field: Field.Common, _ range: ClosedRange<Double>) -> Condition {
      .range(
        .field(.common(field)), .literal(.number(plainDecimal(range.lowerBound))),
        .literal(.number(plainDecimal(range.upperBound))))
    }
    let spans = box.longitudeSpans
    let first = test(.longitude, spans.first)
    self = .all([
      test(.latitude, box.south...box.north),
      spans.second.map { .any([first, test(.longitude, $0)]) } ?? first,
    ])
  }
}
