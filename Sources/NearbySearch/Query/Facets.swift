import Geodesy
import MapAnnotations

/// How many annotations have each value of a field.
///
///     for count in Facet(.common(.kind), of: shops).counts { print(count.value ?? "-", count.count) }
public struct Facet: Hashable, Sendable {
  /// One value, and how many annotations have it.
  public struct Count: Hashable, Sendable {
    /// The value as text; nil for those that have none there.
    public let value: String?
    /// How many have it.
    public let count: Int

    /// A count, as for previews and tests.
    public init(value: String?, count: Int) {
      self.value = value
      self.count = count
    }
  }

  /// The field that was counted.
  public let field: Condition.Field
  /// By descending count, equal ones in the order of values; those without a value last.
  public let counts: [Count]

  /// A facet, as for previews and tests.
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
  /// How many annotations were counted.
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
    for (place, read) in readers.enumerated() {
      let value = read(annotation)
      counts[place][value.isNull ? nil : value.property?.text, default: 0] += 1
    }
  }

  /// What was counted, field by field.
  public var facets: [Facet] {
    zip(fields, counts).map { field, counts in
      let sorted = counts.map { (value: $0.key, key: FacetCounter.key($0.key), count: $0.value) }
        .sorted { left, right in
          if (left.value == nil) != (right.value == nil) { return right.value == nil }
          if left.count != right.count { return left.count > right.count }
          return left.key.order(to: right.key, isDescending: false) < 0
        }
      return Facet(
        field: field, counts: sorted.map { Facet.Count(value: $0.value, count: $0.count) })
    }
  }

  private static func key(_ value: String?) -> SortValue {
    value.map { SortValue(FieldValue(.string($0))) } ?? .none
  }

  /// Checks that annotations have the fields.
  ///
  /// - Throws: `ConditionError` with `where-field`.
  public func check(
    against annotations: some Collection<Item>, columns: [String]
  ) throws(ConditionError) {
    for field in fields {
      try FieldUses(.isNull(field)).check(annotations, columns: columns)
    }
  }
}

extension Condition.Field {
  /// A field by its name, as a list of fields or `--sort` names it: in double quotes a property;
  /// without, one that all annotations have, or else a property.
  public init(named text: String) {
    // By scalars: an accent behind a quote belongs to the name.
    let scalars = text.unicodeScalars
    if scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" {
      let inner = scalars.dropFirst().dropLast()
      var name = String.UnicodeScalarView()
      var isQuote = false
      for scalar in inner {
        isQuote = scalar == "\"" && !isQuote
        if !isQuote { name.append(scalar) }
      }
      self = .property(String(name))
    } else {
      let common = Common(rawValue: ConditionLexer.lowercased(text))
      self = common.map { .common($0) } ?? .property(text)
    }
  }
}
