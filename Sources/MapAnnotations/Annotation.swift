import Geodesy

/// A thing shown on a map: a deal, a cinema, a mart, or an app's own type.
///
/// An annotation is not a place: two deals can share one shop, so `id` identifies the annotation
/// and `placeID` its place. The coordinate is optional: an annotation without a position is
/// *unplaced*; it is kept, listed and counted, and never put at 0,0.
///
/// It is `Identifiable` by its id, so lists in views accept annotations directly.
///
/// Only `id` and `coordinate` have no default, so the smallest conformance is a struct with both:
///
///     struct Cafe: Annotation {
///       var id: AnnotationID
///       var coordinate: Coordinate?
///     }
///
/// Declare the others with the types below, optional where they are: to Swift a `let name: String` is
/// another property, which it does not warn of, and `name` stays nil.
public protocol Annotation: Identifiable, Sendable where ID == AnnotationID {
  /// The id, unique in an index and stable from one load to the next.
  var id: AnnotationID { get }
  /// The id of the place, which several annotations may share; nil if each has its own.
  var placeID: String? { get }
  /// The display name; nil when unknown.
  var name: String? { get }
  /// Cinema, mart, deal, or a kind of the app's own; nil when unknown.
  var kind: AnnotationKind? { get }
  /// The position on WGS 84; nil for an unplaced annotation.
  ///
  /// Without a default, so that a `Coordinate` that is not optional is an error and not unplaced.
  var coordinate: Coordinate? { get }
  /// The shape on the ground, if it is more than a single point: a line, an area, or several of
  /// them; nil or empty for a point.
  ///
  /// An index measures distances to the shape and tests what it intersects; `coordinate` is where
  /// its pin stands. Without a coordinate the annotation is unplaced, whatever its shape;
  /// `Geometry(shape).representativePoint()` of GeoJSONCoding finds one.
  var shape: GroundShape? { get }
  /// The opening hours as the source writes them; nil when not stated.
  var openingHours: String? { get }
  /// The days on which the annotation is valid, in ascending order; empty if it always is.
  var validDates: [DateSpan] { get }
  /// Whether the place is in business, and when it is not; see ``BusinessRecord``.
  var business: BusinessRecord { get }
  /// The text of its closing days, if they are separate from its opening hours; see ``ClosingDayColumns``.
  var closingDays: String? { get }
  /// The days and sessions; by default what ``properties`` and ``validDates`` say, read on each call.
  var calendar: AnnotationCalendar { get }
  /// Further data of the source, in the source's order.
  var properties: Properties { get }
  /// The record it came from; nil when it was made in code.
  var origin: RecordOrigin? { get }
  /// The property with a name; nil if there is none.
  ///
  /// The same as `properties[name]`, for types that find one property faster than all of them.
  func property(_ name: String) -> PropertyValue?
}

extension Annotation {
  /// The default: no shared place.
  public var placeID: String? { nil }
  /// The default: no name.
  public var name: String? { nil }
  /// The default: no kind.
  public var kind: AnnotationKind? { nil }
  /// The default: a point.
  public var shape: GroundShape? { nil }
  /// The default: no hours stated.
  public var openingHours: String? { nil }
  /// The default: always valid.
  public var validDates: [DateSpan] { [] }
  /// The default: no further data.
  public var properties: Properties { Properties() }
  /// The default: made in code.
  public var origin: RecordOrigin? { nil }
  /// The default: the first of `properties` with the name.
  public func property(_ name: String) -> PropertyValue? { properties[name] }

  /// The shape that is measured and searched; nil for a point, which an annotation with an empty shape is, too, and for
  /// an unplaced annotation.
  @inlinable package var searchedShape: GroundShape? {
    guard let shape, !shape.isEmpty, coordinate != nil else { return nil }
    return shape
  }
}

/// The id of an annotation, which also orders results at equal distance.
///
/// Ids in canonical decimal form (`0` or `-?[1-9][0-9]*`, of any length) come first, in numeric
/// order; all others follow in the order of their UTF-8 bytes. `7` comes before `10`, and `007`,
/// which is not canonical, after both. Two ids are equal if their bytes are equal: `é` as one code
/// point and as two are different ids.
public struct AnnotationID: Hashable, Sendable {
  /// A number if the text is canonical and fits, so that a million record numbers need no strings;
  /// each id has only one form, so equality is that of the texts.
  private enum Form: Hashable, Sendable {
    case number(Int)
    case text(ExactText)
  }
  private let form: Form

  /// Makes an id from a number; equal to the one made from its decimal digits.
  public init(_ number: Int) { form = .number(number) }

  /// Makes an id from a text, kept byte for byte.
  public init(_ text: String) {
    let isCanonicalNumber = AnnotationID.isCanonicalDecimal(text.utf8)
    if isCanonicalNumber, let number = Int(text) {
      form = .number(number)
    } else {
      form = .text(ExactText(text))
    }
  }

  /// The id as text; a number in canonical decimal form.
  public var text: String {
    switch form {
    case .number(let number): String(number)
    case .text(let exact): exact.text
    }
  }

  /// Whether the id is in canonical decimal form, and so comes before all others.
  package var isNumber: Bool {
    switch form {
    case .number: true
    case .text(let exact): AnnotationID.isCanonicalDecimal(exact.text.utf8)
    }
  }

  private static func isCanonicalDecimal(_ bytes: String.UTF8View) -> Bool {
    // No slices: every id that is read from a text comes by here.
    var rest = bytes.makeIterator()
    var first = rest.next()
    let isNegative = first == UInt8(ascii: "-")
    if isNegative { first = rest.next() }
    guard let first, first.isASCIIDigit else { return false }
    if first == UInt8(ascii: "0") { return !isNegative && rest.next() == nil }
    while let digit = rest.next() {
      guard digit.isASCIIDigit else { return false }
    }
    return true
  }
}

extension AnnotationID: Comparable {
  /// Whether the left id comes first: numbers by value, then texts by bytes.
  public static func < (left: AnnotationID, right: AnnotationID) -> Bool {
    if case .number(let a) = left.form, case .number(let b) = right.form { return a < b }
    let a = left.text, b = right.text
    switch (isCanonicalDecimal(a.utf8), isCanonicalDecimal(b.utf8)) {
    case (true, false): return true
    case (false, true): return false
    case (false, false): return a.utf8.lexicographicallyPrecedes(b.utf8)
    case (true, true):
      // Too long for an integer: compare lengths first, then digits.
      let aIsNegative = a.hasPrefix("-"), bIsNegative = b.hasPrefix("-")
      if aIsNegative != bIsNegative { return aIsNegative }
      let (small, large) = aIsNegative ? (b, a) : (a, b)
      return small.utf8.count != large.utf8.count
        ? small.utf8.count < large.utf8.count
        : small.utf8.lexicographicallyPrecedes(large.utf8)
    }
  }
}

extension AnnotationID: ExpressibleByIntegerLiteral, ExpressibleByStringInterpolation,
  CustomStringConvertible
{
  /// Makes an id from a number.
  public init(integerLiteral value: Int) { self.init(value) }
  /// Makes an id from a text.
  public init(stringLiteral value: String) { self.init(value) }
  /// The id as text.
  public var description: String { text }
}

/// The kind of an annotation: one of three that the engine knows by name, or any other.
public struct AnnotationKind: RawRepresentable, Hashable, Sendable, ExpressibleByStringInterpolation
{
  /// The kind's name as in sources and `--kind`.
  public let rawValue: String

  /// Makes a kind from its name; names are compared as Unicode text and case matters.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Makes a kind from a literal such as `"bakery"`.
  public init(stringLiteral value: String) { rawValue = value }

  /// A place that shows films.
  public static let cinema: AnnotationKind = "cinema"
  /// A supermarket or large store.
  public static let mart: AnnotationKind = "mart"
  /// An offer at a shop.
  public static let deal: AnnotationKind = "deal"
}

extension AnnotationKind: CustomStringConvertible {
  /// The kind's name.
  public var description: String { rawValue }
}

/// The record that an annotation came from.
public struct RecordOrigin: Hashable, Sendable, Codable {
  /// The source's name: a file, `-` for standard input, `sample`.
  public let source: String
  /// The record's number in its source, from 1, without the header.
  public let record: Int

  /// Makes an origin from a source and a record number.
  public init(source: String, record: Int) {
    self.source = source
    self.record = record
  }

  /// −1, 0 or 1 where an annotation comes before, with or after another one of the same id: those made in code first,
  /// then by the UTF-8 bytes of their sources, then by record.
  package static func order(_ left: RecordOrigin?, _ right: RecordOrigin?) -> Int {
    guard let left, let right else { return left != nil ? 1 : right != nil ? -1 : 0 }
    if left.source.utf8.lexicographicallyPrecedes(right.source.utf8) { return -1 }
    if right.source.utf8.lexicographicallyPrecedes(left.source.utf8) { return 1 }
    return left.record == right.record ? 0 : left.record < right.record ? -1 : 1
  }
}

extension Annotation {
  /// Whether two annotations with the same id are equal: by `==` if the type is `Equatable`,
  /// otherwise by every field of ``Annotation``.
  ///
  /// `AnnotationDiff`, `NearbySession` and `MapSession` use this unless you pass your own `isSame`.
  /// Fields that only the app's type has are compared only by `==`, so make such a type
  /// `Equatable`. If its `==` compares less than is shown, for example only ids, pass `isSame`.
  ///
  /// - Complexity: that of `==`, or O(its properties).
  public func isSame(as other: Self) -> Bool {
    // Checked at run time, because generic code such as that of the sessions cannot choose an overload.
    if let type = Self.self as? any Equatable.Type { return type.areEqual(self, other) }
    return BasicAnnotation(copying: self) == BasicAnnotation(copying: other)
      && business == other.business && closingDays == other.closingDays
      && calendar == other.calendar
  }

  /// Whether two annotations are equal; false if their types differ.
  fileprivate func isSame(asAny other: any Annotation) -> Bool {
    (other as? Self).map { isSame(as: $0) } ?? false
  }
}

extension Equatable {
  /// Compares two values of this type whose static type is unrelated.
  fileprivate static func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    guard let left = left as? Self, let right = right as? Self else { return false }
    return left == right
  }
}

extension AnyAnnotation: Equatable {
  /// Whether both wrap annotations of the same type that are equal; see `isSame(as:)`.
  public static func == (left: AnyAnnotation, right: AnyAnnotation) -> Bool {
    left.base.isSame(asAny: right.base)
  }
}

/// An annotation of any type, for lists that mix deals, cinemas and an app's own types.
///
///     let index = AnnotationIndex([AnyAnnotation(cinema), AnyAnnotation(deal)])
///     if let deal = index.nearest(1, to: here)[0].annotation.base as? Deal { show(deal.terms) }
public struct AnyAnnotation: Annotation {
  /// The wrapped annotation, to be cast back to its type.
  public let base: any Annotation

  /// Wraps an annotation; a wrapped one is not wrapped again.
  public init(_ base: any Annotation) {
    self.base = (base as? AnyAnnotation)?.base ?? base
  }

  /// The id of the wrapped annotation; all other fields are also forwarded.
  public var id: AnnotationID { base.id }
  /// The id of the place.
  public var placeID: String? { base.placeID }
  /// The display name.
  public var name: String? { base.name }
  /// The kind.
  public var kind: AnnotationKind? { base.kind }
  /// The position.
  public var coordinate: Coordinate? { base.coordinate }
  /// The shape on the ground; nil for a single point.
  public var shape: GroundShape? { base.shape }
  /// The opening hours as the source writes them.
  public var openingHours: String? { base.openingHours }
  /// The days on which it is valid.
  public var validDates: [DateSpan] { base.validDates }
  /// Whether the place is in business.
  public var business: BusinessRecord { base.business }
  /// The text of its closing days.
  public var closingDays: String? { base.closingDays }
  /// The days and sessions.
  public var calendar: AnnotationCalendar { base.calendar }
  /// Further data of the source.
  public var properties: Properties { base.properties }
  /// The record it came from.
  public var origin: RecordOrigin? { base.origin }
  /// The property with a name.
  public func property(_ name: String) -> PropertyValue? { base.property(name) }
}

extension AnnotationID: Codable, CodingKeyRepresentable {
  /// Encodes the text, even for a number: JSON readers round long numbers.
  public func encode(to encoder: any Encoder) throws { try encoder.encodeAlone(text) }

  /// Decodes a text, or a whole number from −2⁶³ to 2⁶⁴ − 1.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self.init(number)
    } else if let number = try? container.decode(UInt64.self) {
      self.init(String(number))
    } else {
      self.init(try container.decode(String.self))
    }
  }

  /// The text, so that dictionaries are encoded as objects.
  public var codingKey: any CodingKey { TextKey(stringValue: text) }
  /// Makes the id from a key's text.
  public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}

/// Encodes the name.
extension AnnotationKind: Codable, CodingKeyRepresentable {
  /// The name, so that dictionaries are encoded as objects.
  public var codingKey: any CodingKey { TextKey(stringValue: rawValue) }
  /// Makes the kind from a key's text.
  public init?(codingKey: some CodingKey) { self.init(rawValue: codingKey.stringValue) }
}

/// A member name of an object.
private struct TextKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
