import Geodesy
import MapAnnotations

/// The place of a result in an order: everything that decides between two results.
struct ResultPlace: Hashable, Sendable {
  /// The number of its distance band; 0 without bands.
  let band: Int
  /// The value of the order's field; `none` for orders without one.
  let value: SortValue
  /// The values of the fields that break ties, in order.
  let ties: [SortValue]
  /// In meters; nil where no distance is measured.
  let distance: Double?
  let id: AnnotationID
  let origin: RecordOrigin?

  /// −1, 0 or 1 where this place comes before, is equal to or comes after another.
  func order(to other: ResultPlace, in order: ResultOrder) -> Int {
    if band != other.band { return band < other.band ? -1 : 1 }
    let byValue = value.order(to: other.value, isDescending: order.isDescending)
    if byValue != 0 { return byValue }
    if order.key == .distance {
      let byDistance = byDistance(to: other)
      if byDistance != 0 { return order.isDescending ? -byDistance : byDistance }
    }
    let byID = id == other.id ? 0 : id < other.id ? -1 : 1
    if order.key == .id, byID != 0 { return order.isDescending ? -byID : byID }
    for (tie, (left, right)) in zip(order.ties, zip(ties, other.ties)) {
      let byTie =
        tie.field.name == .common(.id)
        ? (tie.isDescending ? -byID : byID)
        : left.order(to: right, isDescending: tie.isDescending)
      if byTie != 0 { return byTie }
    }
    if order.key != .id {
      let byDistance = byDistance(to: other)
      if byDistance != 0 { return byDistance }
    }
    if byID != 0 { return byID }
    let left = (origin?.source ?? "").utf8, right = (other.origin?.source ?? "").utf8
    if left.lexicographicallyPrecedes(right) { return -1 }
    if right.lexicographicallyPrecedes(left) { return 1 }
    let records = (origin?.record ?? 0, other.origin?.record ?? 0)
    return records.0 == records.1 ? 0 : records.0 < records.1 ? -1 : 1
  }
}

extension ResultPlace {
  /// −1, 0 or 1; 0 where one of the distances is unknown.
  private func byDistance(to other: ResultPlace) -> Int {
    guard let left = distance, let right = other.distance, left != right else { return 0 }
    return left < right ? -1 : 1
  }
}

extension ResultOrder {
  /// A closure that finds an annotation's place in the order.
  ///
  /// - Throws: `ConditionError` where distances are needed and there is no origin.
  func places<Item: Annotation>(
    of type: Item.Type, from origin: Coordinate?
  ) throws(ConditionError) -> @Sendable (Item) -> ResultPlace {
    var read: (@Sendable (Item) -> FieldValue)?
    if case .field(let field) = key { read = try field.reader(of: type, from: origin) }
    var ties: [@Sendable (Item) -> FieldValue] = []
    for tie in self.ties { ties.append(try tie.field.reader(of: type, from: origin)) }
    if measuresDistance, origin == nil {
      throw ConditionError(
        .position, "give `origin`, or there is no distance", column: 1)
    }
    let width = band?.meters
    return { [read, ties] item in
      let distance = origin.flatMap { item.distance(from: $0)?.meters }
      return ResultPlace(
        band: width.flatMap { width in distance.map { Int($0 / width) } } ?? 0,
        value: read.map { SortValue($0(item)) } ?? .none, ties: ties.map { SortValue($0(item)) },
        distance: distance, id: item.id, origin: item.origin)
    }
  }
}
