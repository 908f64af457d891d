import Geodesy
import MapAnnotations

/// How many annotations have each value of a field.
///
///     var query = NearbyQuery()
///     query.facets = [.common(.kind)]
///     let kinds = try shops.answer(query).facets[0]
///     for count in kinds.counts { print(count.value ?? "-", count.count) }
public struct Facet: Hashable, Sendable, Codable {
  /// One value, and how many annotations have it.
  public struct Count: Hashable, Sendable, Encodable {
    /// The value as text; nil for annotations without a value.
    public let value: String?
    /// The number of annotations with this value.
    public let count: Int

    /// A count made by hand, for previews and tests.
    public init(value: String?, count: Int) {
      self.value = value
      self.count = count
    }
  }

  /// The field that was counted.
  public let field: Condition.Field
  /// By descending count, ties in the order of values; annotations without a value last.
  public let counts: [Count]

  /// A facet made by hand, for previews and tests.
  public init(field: Condition.Field, counts: [Count]) {
    self.field = field
    self.counts = counts
  }
}

/// Counts the values of fields over annotations, exactly.
public struct FacetCounter<Item: Annotation> {
  private let fields: [Condition.Field]
  private let readers: [@Sendable (Item) -> FieldValue]
  private var counts: [[String?: Int]]
  /// The number of annotations counted.
  public private(set) var total = 0

  /// Makes a counter that has counted nothing yet.
  ///
  /// - Throws: `ConditionError` where the distance is counted and there is no origin.
  public init(_ fields: [Condition.Field], from origin: Coordinate?) throws(ConditionError) {
    self.fields = fields
    var readers: [@Sendable (Item) -> FieldValue] = []
    for field in fields { readers.append(try field.reader(of: Item.self, from: origin)) }
    self.readers = readers
    counts = fields.map { _ in [:] }
  }

  /// Counts an annotation under each field's value; lists and objects count as no value.
  public mutating func count(_ annotation: Item) {
    total += 1
    for field in readers.indices { count(annotation, under: field) }
  }

  private mutating func count(_ annotation: Item, under field: Int) {
    counts[field][readers[field](annotation).property?.text, default: 0] += 1
  }

  /// Counts annotations by their columns, making no text of a value that was seen before; false, and nothing counted,
  /// where reading each annotation is faster.
  mutating func count(_ places: [Int], on shelf: AnnotationShelf<Item>) -> Bool {
    let names = fields.compactMap(\.text).map { ColumnName(field: $0, form: .written) }
    guard names.count == fields.count, let columns = shelf.columns,
      places.count > columns.worthwhileCount(Set(names)),
      let read = columns.columns(Set(names))
    else { return false }
    total += places.count
    for (field, name) in names.enumerated() {
      guard let column = read[name] else { continue }
      var cells = CellCounter()
      column.bytes.withUnsafeBytes { bytes in
        column.ends.withUnsafeBufferPointer { ends in
          for place in places {
            let row = shelf.row(of: place)
            if !column.kinds.isEmpty, column.kinds[row] == TextColumn.CellKind.other.rawValue {
              count(shelf[place], under: field)
            } else {
              cells.count(row == 0 ? 0 : Int(ends[row - 1]) + 1, Int(ends[row]), of: bytes)
            }
          }
        }
      }
      if cells.nulls > 0 { counts[field][nil, default: 0] += cells.nulls }
      for (value, number) in cells.numbers {
        counts[field][value, default: 0] += cells.counts[number]
      }
    }
    return true
  }

  /// The counts, field by field.
  public var facets: [Facet] {
    zip(fields, counts).map { field, counts in
      let sorted = counts.map { (value: $0.key, key: FacetCounter.key($0.key), count: $0.value) }
        .sorted { left, right in
          if (left.value == nil) != (right.value == nil) { return right.value == nil }
          if left.count != right.count { return left.count > right.count }
          let order = left.key.order(to: right.key, isDescending: false)
          guard order == 0, let text = left.value, let other = right.value else { return order < 0 }
          // 10 and 10.0 are equal as values.
          return text.utf8.lexicographicallyPrecedes(other.utf8)
        }
      return Facet(
        field: field, counts: sorted.map { Facet.Count(value: $0.value, count: $0.count) })
    }
  }

  private static func key(_ value: String?) -> SortValue {
    value.map { SortValue(FieldValue(.string($0))) } ?? .none
  }
}

/// Counts the cells of a column; a cell with the same bytes as a recent one is not made into a text again.
private struct CellCounter {
  /// A cell that was counted.
  private struct Known {
    var start = 0
    var length = 0
    var number = -1
  }

  private(set) var nulls = 0
  /// The index in `counts` of each text.
  private(set) var numbers: [String: Int] = [:]
  private(set) var counts: [Int] = []
  /// By hash, the last cell with that hash.
  private var known = [Known](repeating: Known(), count: 1 << CellCounter.bits)

  private static let bits = 10

  /// - Parameter bytes: Those of a column, which continue after its last cell.
  @inline(__always)
  mutating func count(_ start: Int, _ end: Int, of bytes: UnsafeRawBufferPointer) {
    let length = end - start
    guard length > 0 else {
      nulls += 1
      return
    }
    func word(_ place: Int) -> UInt64 {
      bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }
    // The first bytes and the last.
    let hash =
      length >= 8
      ? word(start) &+ word(end - 8) &* 31 : word(start) & (1 << UInt64(8 * length) - 1)
    let mixed = (hash &+ UInt64(length)) &* 0x9E37_79B9_7F4A_7C15
    let slot = Int(mixed >> UInt64(64 - CellCounter.bits))
    let cell = known[slot]
    if cell.length == length,
      cell.start == start
        || (0..<length).allSatisfy({ bytes[start + $0] == bytes[cell.start + $0] })
    {
      counts[cell.number] += 1
      return
    }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    let number = numbers[text] ?? counts.count
    if number == counts.count {
      numbers[text] = number
      counts.append(0)
    }
    counts[number] += 1
    known[slot] = Known(start: start, length: length, number: number)
  }
}
