#if Store
  import GeoJSONCoding
  import Geodesy
  import MapAnnotations

  /// An annotation read from a store.
  ///
  /// Everything is kept in one place, so a store keeps each edit: `feature` is made from `common`, `geometry` and what
  /// only the feature has.
  public struct StoredAnnotation: StorableAnnotation, SpecialAnnotation, Hashable {
    /// The data common to all annotations.
    ///
    /// A point moves to a position that is set here. A line or an area stays where it is, and only its pin moves. A
    /// shape that is set here becomes the geometry, and without a position its middle becomes that; an empty one becomes
    /// a point.
    public var common: BasicAnnotation {
      didSet {
        if common.shape != nil || common.coordinate != oldValue.coordinate { settle() }
      }
    }
    /// The geometry; nil without a position.
    ///
    /// Setting it also moves the position to `Geometry.representativePoint()`.
    public var geometry: Geometry? {
      get { place }
      set {
        place = newValue
        common.coordinate = middle
        hasOwnPin = false
      }
    }
    /// The GeoJSON feature it was read from, with what has been set since; nil for a row of a table.
    public var feature: Feature? {
      guard var feature = source else { return nil }
      feature.geometry = place
      if feature.properties != nil || !properties.isEmpty { feature.properties = properties }
      return feature
    }

    /// The same without a feature that says no more than a row of a table: a client has read it, and sends it back.
    var withoutPlainFeature: StoredAnnotation {
      var row = self
      row.source = nil
      return feature == Feature(row, isStyled: false) ? row : self
    }

    private var place: Geometry? {
      // The box of another geometry.
      didSet { if place != oldValue { source?.bbox = nil } }
    }
    private var middle: Coordinate? { place.flatMap { try? $0.representativePoint() } }
    /// The feature without its geometry and the content of its properties.
    private var source: Feature?
    /// Whether the position is another than the one that represents the line or area.
    private(set) var hasOwnPin = false

    /// Copies any annotation.
    public init(copying other: some StorableAnnotation) {
      if let stored = other as? StoredAnnotation {
        self = stored
        return
      }
      let feature = other.feature
      var common = BasicAnnotation(copying: other)
      if common.properties.isEmpty { common.properties = feature?.properties ?? Properties() }
      // Its shape, with altitudes.
      if feature?.geometry?.isPoint == false { common.shape = nil }
      self.init(common, feature: feature)
      settle()
    }

    /// Pairs what annotations have in common with the feature of one, which has its shape and the same properties.
    package init(_ common: BasicAnnotation, feature: Feature?) {
      self.init(
        common, feature: feature,
        geometry: feature?.geometry ?? common.coordinate.map { .point(Position($0)) })
    }

    init(
      _ common: BasicAnnotation, feature: Feature?, geometry: Geometry?, hasOwnPin: Bool = false
    ) {
      self.common = common
      self.hasOwnPin = hasOwnPin
      place = geometry
      source = feature
      source?.geometry = nil
      // As `feature` has them: null only if there are none.
      if source?.properties != nil || !common.properties.isEmpty {
        source?.properties = Properties()
      }
    }

    /// Makes the geometry follow the shape and the position that were set.
    private mutating func settle() {
      if let shape = common.shape {
        place = shape.isEmpty ? nil : Geometry(shape)
        common.shape = nil
        // A shape has a position, too, as with `geometry`.
        if common.coordinate == nil { common.coordinate = middle }
      }
      let middle = middle
      hasOwnPin = false
      guard common.coordinate != middle else { return }
      if common.coordinate != nil, middle != nil, place?.isPoint == false {
        hasOwnPin = true
      } else {
        place = common.coordinate.map { .point(Position($0)) }
      }
    }

    /// The kind of annotation.
    public var kind: AnnotationKind? { common.kind }
    /// The shape on the ground; nil for a single point.
    public var shape: GroundShape? {
      guard coordinate != nil, let place, !place.isPoint else { return nil }
      return (try? place.groundShape())?.shape
    }
  }
#endif
