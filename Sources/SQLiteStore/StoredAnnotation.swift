#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// An annotation that a store can keep without loss.
  public protocol StorableAnnotation: Annotation {
    /// The GeoJSON feature it was read from, with its shape, its original id and members that
    /// annotations lack; nil if there is none.
    var feature: Feature? { get }
  }

  extension StorableAnnotation {
    /// The default: no feature, so the annotation is a point.
    public var feature: Feature? { nil }
  }

  extension BasicAnnotation: StorableAnnotation {}

  /// An annotation read from a store.
  public struct StoredAnnotation: StorableAnnotation, SpecialAnnotation, Hashable {
    /// The data common to all annotations.
    public var common: BasicAnnotation
    /// The GeoJSON feature it was read from; nil for a row of a table.
    public var feature: Feature?
    /// The geometry; nil without a position.
    public var geometry: Geometry?

    /// Copies any annotation.
    public init(copying other: some StorableAnnotation) {
      self.init(BasicAnnotation(copying: other), feature: other.feature)
    }

    /// Pairs what annotations have in common with the feature of one, which has its shape.
    package init(_ common: BasicAnnotation, feature: Feature?) {
      self.init(
        common, feature: feature,
        geometry: feature?.geometry ?? common.coordinate.map { .point(Position($0)) })
    }

    init(_ common: BasicAnnotation, feature: Feature?, geometry: Geometry?) {
      self.common = common
      self.feature = feature
      self.geometry = geometry
    }

    /// The kind of annotation.
    public var kind: AnnotationKind? { common.kind }
    /// The shape on the ground; nil for a single point.
    public var shape: GroundShape? { coordinate == nil ? nil : geometry?.shapeUnlessPoint }
  }
#endif
