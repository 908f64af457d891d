import Geodesy
import MapAnnotations

/// What results are ordered by.
///
/// Ties are broken by further fields, if there are any, then by (distance, id) where there is a distance, otherwise by
/// id; equal ids by source and record number. What is still equal, such as a record that was read twice, keeps the
/// order in which it was given. So pages neither lose nor repeat results.
public struct ResultOrder: Hashable, Sendable {
  /// What results are ordered by first.
  public enum Key: Hashable, Sendable {
    /// The id alone: the default without an origin.
    case id
    /// The distance from the query's origin.
    case distance
    /// The value of a field: numbers by their exact values first, then truth values, then texts by their UTF-8 bytes;
    /// annotations without a value come last in both directions.
    case field(Condition.Field)
  }

  /// A field that breaks ties.
  public struct Tie: Hashable, Sendable {
    /// The field; its values are ordered like those of ``Key/field(_:)``, ids like ``Key/id``.
    public let field: Condition.Field
    /// Whether the greatest values come first.
    public let isDescending: Bool

    /// Makes a rule for ties.
    public init(_ field: Condition.Field, isDescending: Bool = false) {
      self.field = field
      self.isDescending = isDescending
    }
  }

  /// What results are ordered by first.
  public let key: Key
  /// Whether the greatest values come first.
  public let isDescending: Bool
  /// The width of distance bands, each of which is sorted separately: the nearest band first,
  /// `band` · *n* inclusive to `band` · (*n* + 1) exclusive; nil for no bands.
  public let band: Distance?
  /// The fields that break ties, in order.
  public let ties: [Tie]

  /// Makes an order.
  ///
  /// - Parameters:
  ///   - key: What to order by.
  ///   - isDescending: Whether the greatest comes first.
  ///   - band: The width of the distance bands that are ordered one after the other; nil for no bands.
  ///   - ties: The fields that break ties before distance and id do; after the id, those of equal ids. What repeats an
  ///     earlier field is left out.
  /// - Precondition: `band` is at least `leastBand`.
  public init(
    _ key: Key, isDescending: Bool = false, band: Distance? = nil, ties: [Tie] = []
  ) {
    precondition(
      band.map { $0 >= ResultOrder.leastBand } ?? true,
      "bands of \(band?.meters ?? 0) m; take at least \(ResultOrder.leastBand.meters) m")
    self.key = key
    self.isDescending = isDescending
    self.band = band
    // A field that already decided decides nothing more.
    var seen: Set<Condition.Field> = []
    if case .field(let field) = key { seen.insert(field) }
    self.ties = ties.filter { seen.insert($0.field).inserted }
  }

  /// The narrowest band, 1 mm: bands are counted, and no distance is reported more precisely.
  public static let leastBand = Distance.meters(0.001)

  /// By ascending distance, ties by id.
  public static let distance = ResultOrder(.distance)
  /// By ascending id.
  public static let id = ResultOrder(.id)

  /// Whether an origin is needed.
  public var measuresDistance: Bool {
    if band != nil || key == .distance { return true }
    return fields.contains { $0.name == .common(.distance) }
  }

  /// The fields that the order reads.
  var fields: [Condition.Field] {
    var fields = ties.map(\.field)
    if case .field(let field) = key { fields.insert(field, at: 0) }
    return fields
  }
}

extension ResultOrder: CustomStringConvertible {
  /// The order as `--sort` takes it, and the width of its bands: `rating:desc,name in bands of 200 m`.
  public var description: String {
    words + (band.map { " in bands of \(plainDecimal($0.meters)) m" } ?? "")
  }
}

/// The place of a result in an order: everything that decides between two results but the order in which a source has
/// them.
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
    let side = side(of: other, in: order)
    return side != 0 ? side : RecordOrigin.order(origin, other.origin)
  }

  /// The same for a place where a page ended, but 0 for all records of one id: rows that are added to a file or removed
  /// from it change the numbers of those below.
  func side(of other: ResultPlace, in order: ResultOrder) -> Int {
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
    return byID
  }

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

/// The first few of many items behind a cursor, in an order.
struct Leading<Item> {
  private let limit: Int
  /// How many items are kept: those of the page, and before them those with the cursor's place that earlier
  /// pages showed.
  private let count: Int
  private let order: ResultOrder
  private let cursor: PageCursor?
  private var items: [Item] = []
  /// The place of each item, apart from it: to compare two places copies no items.
  private var places: [ResultPlace] = []
  private var isCut = false
  /// The place of the last item that is still among the first; nil while all are.
  private var bound: ResultPlace?

  /// - Parameter cursor: Where the previous page ended; nil for the first page.
  init(count limit: Int, order: ResultOrder, behind cursor: PageCursor?) {
    self.limit = limit
    count = limit + min(cursor?.shownCount ?? 0, .max - limit)
    self.order = order
    self.cursor = cursor
  }

  /// Takes an item; those of equal places in the order in which the source has them.
  mutating func insert(_ item: Item, _ place: ResultPlace) {
    if let cursor, place.side(of: cursor.place, in: order) < 0 { return }
    if let bound, place.order(to: bound, in: order) > 0 { return isCut = true }
    items.append(item)
    places.append(place)
    guard count < .max / 4, items.count >= max(2 * count, 1_024) else { return }
    cut()
  }

  private mutating func cut() {
    // Equal places keep the order in which they were inserted.
    let sorted = places.withUnsafeBufferPointer { [order] places in
      places.indices.sorted {
        let side = places[$0].order(to: places[$1], in: order)
        return side == 0 ? $0 < $1 : side < 0
      }
    }
    if sorted.count > count { isCut = true }
    items = sorted.prefix(count).map { items[$0] }
    places = sorted.prefix(count).map { places[$0] }
    if places.count == count { bound = places.last }
  }

  mutating func sorted() -> (rows: [(item: Item, place: ResultPlace)], hasMore: Bool) {
    cut()
    var rest = zip(items, places).map { (item: $0, place: $1) }[...]
    if let cursor {
      let shown = rest.prefix(cursor.shownCount).prefix {
        $0.place.side(of: cursor.place, in: order) == 0
      }
      rest = rest.dropFirst(shown.count)
    }
    return (Array(rest.prefix(limit)), isCut || rest.count > limit)
  }
}

extension ResultOrder {
  /// The fields as `--sort` takes them: `rating:desc,name`.
  ///
  /// A first field `id` or `distance` is written as `id:value` or `distance:value` where its values are compared, not
  /// the order of ids or distances used.
  package var words: String {
    let name =
      switch key {
      case .id: "id"
      case .distance: "distance"
      case .field(let field): Key(field) == key ? "\(field)" : "\(field):value"
      }
    return name + (isDescending ? ":desc" : "")
      + ties.map { ",\($0.field)" + ($0.isDescending ? ":desc" : "") }.joined()
  }

  /// Reads what `words` writes, also with `:asc`, capital endings and blanks around fields; nil where a field has no name.
  ///
  /// - Precondition: `band` is at least `leastBand`.
  package init?(words: String, band: Distance? = nil) {
    var keys: [(field: Condition.Field, isValue: Bool, isDescending: Bool)] = []
    for word in Condition.Field.names(in: words) {
      var name = trimmed(word)[...]
      let ending = name.utf8.lastIndex(of: UInt8(ascii: ":")).map { name[$0...].lowercased() }
      let isDescending = ending == ":desc"
      if isDescending || ending == ":asc" { name = name.dropLast(ending?.count ?? 0) }
      let isValue = name.hasSuffix(":value")
      if isValue { name = name.dropLast(6) }
      guard !name.isEmpty else { return nil }
      keys.append((Condition.Field(named: String(name)), isValue, isDescending))
    }
    guard let first = keys.first else { return nil }
    self.init(
      first.isValue ? .field(first.field) : Key(first.field), isDescending: first.isDescending,
      band: band,
      ties: keys.dropFirst().map { Tie($0.field, isDescending: $0.isDescending) })
  }
}

extension ResultOrder.Key {
  /// What a field means that an order begins with: the id and the distance themselves, or else the field's values.
  package init(_ field: Condition.Field) {
    self =
      switch field.name {
      case .common(.id): .id
      case .common(.distance): .distance
      default: .field(field)
      }
  }
}

/// The sort key of a field's value.
struct SortValue: Hashable, Sendable {
  enum Rank: UInt8, Comparable, Sendable {
    case number, truth, text, none

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  let rank: Rank
  /// The value as it was written; empty for none.
  let text: String
  private let number: DecimalNumber?

  static let none = SortValue(rank: .none, text: "")

  init(rank: Rank, text: String) {
    self.rank = rank
    self.text = text
    number = rank == .number ? PropertyValue.string(text).decimal : nil
  }

  /// Lists and objects have no order, and count as no value.
  init(_ value: FieldValue) {
    guard let property = value.property, let text = property.text else {
      self = .none
      return
    }
    switch property {
    case .bool: self.init(rank: .truth, text: text)
    default: self.init(rank: property.decimal == nil ? .text : .number, text: text)
    }
  }

  /// −1, 0 or 1; keys without a value come last in both directions.
  func order(to other: SortValue, isDescending: Bool) -> Int {
    if rank != other.rank {
      let isFirst = rank < other.rank
      let isTurned = isDescending && rank != .none && other.rank != .none
      return isFirst == isTurned ? 1 : -1
    }
    let order: Int
    switch rank {
    case .none: return 0
    case .number:
      guard let left = number, let right = other.number else { return 0 }
      order = left < right ? -1 : left == right ? 0 : 1
    case .truth, .text:
      order =
        text.utf8.lexicographicallyPrecedes(other.text.utf8)
        ? -1 : text.utf8.elementsEqual(other.text.utf8) ? 0 : 1
    }
    return isDescending ? -order : order
  }
}
