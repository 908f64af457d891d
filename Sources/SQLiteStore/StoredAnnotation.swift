#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// An annotation that a store can keep whole.
  public protocol StorableAnnotation: Annotation {
    /// The GeoJSON feature it was read from, for its shape, its id as it was written and the
    /// members that no annotation has; nil where there is none.
    var feature: Feature? { get }
  }

  extension StorableAnnotation {
    /// Unless given: it was read from no feature, and is a point.
    public var feature: Feature? { nil }
  }

  extension BasicAnnotation: StorableAnnotation {}

  /// An annotation as a store gives it back.
  public struct StoredAnnotation: StorableAnnotation, Hashable {
    /// What every annotation says.
    public var common: BasicAnnotation
    /// The GeoJSON feature that it came as; nil for a row of a table.
    public var feature: Feature?
    /// Its shape; nil when it is unplaced.
    public var geometry: Geometry?

    /// Copies what any annotation says.
    public init(copying other: some StorableAnnotation) {
      common = BasicAnnotation(copying: other)
      feature = other.feature
      geometry = feature?.geometry ?? common.coordinate.map { .point(Position($0)) }
    }

    init(_ common: BasicAnnotation, feature: Feature?, geometry: Geometry?) {
      self.common = common
      self.feature = feature
      self.geometry = geometry
    }

    /// Names it among those of its layer.
    public var id: AnnotationID { common.id }
    /// The spot it shares.
    public var placeID: String? { common.placeID }
    /// What people call it.
    public var name: String? { common.name }
    /// What sort of thing it is.
    public var kind: AnnotationKind? { common.kind }
    /// Where it is, or the position that stands for its shape.
    public var coordinate: Coordinate? { common.coordinate }
    /// What its geometry covers on the ground; nil for one place.
    public var shape: GroundShape? { coordinate == nil ? nil : geometry?.shapeUnlessPoint }
    /// Its opening hours as its source writes them.
    public var openingHours: String? { common.openingHours }
    /// The days on which it holds.
    public var validDates: [DateSpan] { common.validDates }
    /// What else its source says.
    public var properties: Properties { common.properties }
    /// The layer, and its place there.
    public var origin: RecordOrigin? { common.origin }
  }
#endif
