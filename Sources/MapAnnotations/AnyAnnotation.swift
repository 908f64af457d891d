import Geodesy

/// An annotation of any type, for lists that mix them: deals, cinemas and an app's own in one index.
///
///     let index = AnnotationIndex([AnyAnnotation(cinema), AnyAnnotation(deal)])
///     if let deal = index.nearest(1, to: here)[0].annotation.base as? Deal { show(deal.terms) }
public struct AnyAnnotation: Annotation {
  /// The annotation itself, to be cast back to its type.
  public let base: any Annotation

  /// Wraps an annotation; one that is wrapped already stays as it is.
  public init(_ base: any Annotation) {
    self.base = (base as? AnyAnnotation)?.base ?? base
  }

  /// That of the annotation itself, as are all that follow.
  public var id: AnnotationID { base.id }
  /// The spot it shares.
  public var placeID: String? { base.placeID }
  /// What people call it.
  public var name: String? { base.name }
  /// What sort of thing it is.
  public var kind: AnnotationKind? { base.kind }
  /// Where it is.
  public var coordinate: Coordinate? { base.coordinate }
  /// Its opening hours as its source writes them.
  public var openingHours: String? { base.openingHours }
  /// The days on which it holds.
  public var validDates: [DateSpan] { base.validDates }
  /// Whether it is in business.
  public var business: BusinessRecord { base.business }
  /// What else its source says.
  public var properties: Properties { base.properties }
  /// The record it came from.
  public var origin: RecordOrigin? { base.origin }
  /// What its source says under one name.
  public func property(_ name: String) -> PropertyValue? { base.property(name) }
}
