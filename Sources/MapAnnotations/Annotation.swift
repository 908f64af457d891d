import Geodesy

/// A thing shown on a map: a deal, a cinema, a mart, or an app's own type.
///
/// An annotation is not a place: two deals can share one shop, so `id` names the annotation and
/// `placeID` its spot. The coordinate is optional: an annotation without a position is *unplaced*;
/// it is kept, listed and counted, and never put at 0,0.
///
/// It is `Identifiable` by its id, so lists in views accept annotations directly.
///
/// Only `id` has no default, so the smallest conformance is a struct with an id and a coordinate:
///
///     struct Cafe: Annotation {
///       var id: AnnotationID
///       var coordinate: Coordinate?
///     }
public protocol Annotation: Identifiable, Sendable where ID == AnnotationID {
  /// Names this annotation among all of its index; stable from one load to the next.
  var id: AnnotationID { get }
  /// Names the spot, which several annotations may share; nil where each has its own.
  var placeID: String? { get }
  /// What people call it; nil when unknown.
  var name: String? { get }
  /// Cinema, mart, deal, or a kind of the app's own; nil when unknown.
  var kind: AnnotationKind? { get }
  /// Where it is, on WGS 84; nil for an unplaced annotation.
  var coordinate: Coordinate? { get }
  /// What it covers on the ground, where that is more than one place: a line, an area, several of them; nil for a
  /// place.
  ///
  /// An index asks a shape for its nearest place and for what it meets; `coordinate` is where a pin stands for it,
  /// and must not be nil.
  var shape: GroundShape? { get }
  /// Its opening hours as its source writes them; nil when not stated.
  var openingHours: String? { get }
  /// The days on which it holds, in ascending order; empty when it always does.
  var validDates: [DateSpan] { get }
  /// Whether it is in business, and from when to when it is not; see ``BusinessRecord``.
  var business: BusinessRecord { get }
  /// What else its source says, in the source's order.
  var properties: Properties { get }
  /// The record it came from; nil when it was made in code.
  var origin: RecordOrigin? { get }
  /// What its source says under one name; nil where it says nothing.
  ///
  /// The same as `properties[name]`, for types that find one property sooner than all of them.
  func property(_ name: String) -> PropertyValue?
}

extension Annotation {
  /// Unless given: each has its own spot.
  public var placeID: String? { nil }
  /// Unless given: no name.
  public var name: String? { nil }
  /// Unless given: no kind.
  public var kind: AnnotationKind? { nil }
  /// Unless given: unplaced.
  public var coordinate: Coordinate? { nil }
  /// Unless given: a place.
  public var shape: GroundShape? { nil }
  /// Unless given: no hours stated.
  public var openingHours: String? { nil }
  /// Unless given: always valid.
  public var validDates: [DateSpan] { [] }
  /// Unless given: nothing else to say.
  public var properties: Properties { Properties() }
  /// Unless given: made in code.
  public var origin: RecordOrigin? { nil }
  /// Unless given: the first of `properties` that has the name.
  public func property(_ name: String) -> PropertyValue? { properties[name] }

  /// Whether it is valid on a day: always, if it names no dates.
  public func isValid(on day: CalendarDate) -> Bool {
    validDates.isEmpty || validDates.contains { $0.contains(day) }
  }
}

/// What sort of thing an annotation is: one of the three the engine knows by name, or any other.
public struct AnnotationKind: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The kind's name as sources and `--kind` write it.
  public let rawValue: String

  /// A kind by its name; names are compared as Unicode text, letter case counts.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A kind by its name, so that `"bakery"` is one.
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

/// The record an annotation came from.
public struct RecordOrigin: Hashable, Sendable {
  /// The source's name: a file, `-` for standard input, `sample`.
  public let source: String
  /// The record's number in its source, from 1; a header is not counted.
  public let record: Int

  /// Names a record by its source and its number there.
  public init(source: String, record: Int) {
    self.source = source
    self.record = record
  }
}
