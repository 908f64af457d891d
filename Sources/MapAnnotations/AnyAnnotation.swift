import Geodesy

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
  /// Further data of the source.
  public var properties: Properties { base.properties }
  /// The record it came from.
  public var origin: RecordOrigin? { base.origin }
  /// The property with a name.
  public func property(_ name: String) -> PropertyValue? { base.property(name) }
}
