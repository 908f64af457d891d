import Geodesy
import MapAnnotations

/// A GeoJSON feature (RFC 7946 §3.2).
public struct Feature: Hashable, Sendable {
  /// A string or a number, as written; nil if the feature has none.
  public var id: PropertyValue?
  /// The geometry; nil for `null`, a feature without a position.
  public var geometry: Geometry?
  /// The properties; nil for `null`, which differs from empty properties.
  public var properties: Properties?
  /// Four or six numbers, west and south first; nil if the feature has none.
  public var bbox: [Double]?
  /// The members outside RFC 7946, in the order of the source.
  public var foreignMembers: Properties

  /// Makes a feature; RFC 7946 requires geometry and properties, even if null.
  public init(
    id: PropertyValue? = nil, geometry: Geometry?, properties: Properties?,
    bbox: [Double]? = nil, foreignMembers: Properties = Properties()
  ) {
    self.id = id
    self.geometry = geometry
    self.properties = properties
    self.bbox = bbox
    self.foreignMembers = foreignMembers
  }
}

/// An annotation that a store can keep without loss.
///
/// The annotation's own fields are kept, and its ``feature`` adds what annotations lack. The feature's properties are
/// kept if the annotation has none, and its geometry if that is a line, an area or several parts, or a point at the
/// annotation's position. What a type computes in its own `business`, `closingDays` or `calendar` is not kept, as in
/// `BasicAnnotation(copying:)`: have it in the properties, such as `closing_days`, from which it is read.
public protocol StorableAnnotation: Annotation {
  /// The GeoJSON feature it was read from, with its shape, its original id and members that
  /// annotations lack; nil if there is none.
  var feature: Feature? { get }
}

extension StorableAnnotation {
  /// The default: no feature.
  public var feature: Feature? { nil }
}

extension BasicAnnotation: StorableAnnotation {}
extension Deal: StorableAnnotation {}
extension Cinema: StorableAnnotation {}
extension Mart: StorableAnnotation {}

extension Feature {
  /// Makes the feature of an annotation, optionally as the result of a query.
  ///
  /// Its geometry is the annotation's shape, or the point at its coordinate. Its properties are the annotation's own,
  /// followed by `name`, `kind`, `place_id`, `opening_hours`, `valid_from` and `valid_until` if known, by `dates` for
  /// several spans of days if the source names no days or sessions itself (otherwise the gaps between the spans are
  /// lost), and `marker-color` and `marker-symbol` if it has a position; each of these only if the source has no property
  /// of that name. A query's `distance` in meters and its `bearing` come in between and replace
  /// properties with these names. If the source repeats a name, the later ones get `_2`, `_3`, … appended. The
  /// annotation's `origin` is left out, and so is the coordinate of one with a shape. `BasicAnnotation(_:number:)` is the
  /// way back from a feature without the marker's style.
  ///
  /// - Parameters:
  ///   - annotation: Without a coordinate, the geometry is null.
  ///   - id: The id as the source wrote it, a string or a number; nil for the text of the annotation's id.
  ///   - distance: The distance from the query's origin; nil without one.
  ///   - bearing: Degrees clockwise from north, 0 ≤ b < 360; nil if there is none, at distance 0 or at a pole, and then
  ///     written as null. Without a distance it is omitted.
  ///   - isStyled: Whether to add a marker's style, for a map; false for plain data.
  /// - Precondition: `distance` and `bearing` are finite.
  public init(
    _ annotation: some Annotation, id: PropertyValue? = nil, distance: Distance? = nil,
    bearing: Double? = nil, isStyled: Bool = true
  ) {
    var properties = annotation.properties
    if distance != nil {
      properties["distance"] = nil
      properties["bearing"] = nil
    }
    properties = properties.withDistinctNames
    properties.appendIfNew("name", annotation.name)
    properties.appendIfNew("kind", annotation.kind?.rawValue)
    properties.appendIfNew("place_id", annotation.placeID)
    properties.appendIfNew("opening_hours", annotation.openingHours)
    let spans = annotation.validDates
    properties.appendIfNew("valid_from", spans.first?.first?.description)
    properties.appendIfNew("valid_until", spans.last?.last?.description)
    if spans.count > 1, properties["dates"] == nil {
      // Beside the source's own days or sessions, `dates` would be read in their place.
      let read = AnnotationCalendar(reading: annotation.properties, validDates: [])
      if read.dates == nil, read.timetable == nil {
        properties.append("dates", .array(spans.map(\.value)))
      }
    }
    if let distance {
      properties.append("distance", .double(distance.meters))
      properties.append("bearing", bearing.map(PropertyValue.double) ?? .null)
    }
    if isStyled, annotation.coordinate != nil {
      let style = MarkerStyle(for: annotation.kind)
      properties.appendIfNew("marker-color", style.color)
      properties.appendIfNew("marker-symbol", style.symbol)
    }
    self.init(
      id: id ?? .string(annotation.id.text),
      geometry: annotation.coordinate.map { coordinate in
        annotation.shape.flatMap { $0.isEmpty ? nil : Geometry($0) } ?? .point(Position(coordinate))
      }, properties: properties)
  }
}

extension BasicAnnotation {
  /// Makes the annotation of a feature: the way back from `Feature(_:)`, if that is not `isStyled`.
  ///
  /// The properties `name`, `kind`, `place_id`, `opening_hours`, `valid_from` and `valid_until` become fields, and stay
  /// properties, too. The position of a line or an area is ``Geometry/representativePoint()``. `AnnotationImport`
  /// knows many more names, and checks what it reads.
  ///
  /// - Parameters:
  ///   - feature: A feature whose id is its own, or else the property `id`.
  ///   - number: The id of a feature that has none, such as the number of its record.
  /// - Throws: `CoordinateError` if a position is not on the Earth.
  public init(_ feature: Feature, number: Int) throws(CoordinateError) {
    let properties = feature.properties ?? Properties()
    func text(_ name: String) -> String? {
      properties[name]?.text.flatMap { NullText.isNull($0) ? nil : $0 }
    }
    let id = feature.id?.text ?? text("id")
    let coordinate = try feature.geometry?.representativePoint()
    var shape: GroundShape?
    if let geometry = feature.geometry, coordinate != nil, !geometry.isPoint {
      shape = try geometry.groundShape().shape
    }
    self.init(
      id: id.map { AnnotationID($0) } ?? AnnotationID(number), placeID: text("place_id"),
      name: text("name"), kind: text("kind").map { AnnotationKind(rawValue: $0) },
      coordinate: coordinate, shape: shape, openingHours: text("opening_hours"),
      validDates: ValidDates(from: text("valid_from"), until: text("valid_until")).spans,
      properties: properties)
  }
}

extension DateSpan {
  /// The days as `AnnotationDates` reads them.
  fileprivate var value: PropertyValue {
    .string("\(first?.description ?? "")~\(last?.description ?? "")")
  }
}

extension Properties {
  /// Appends a text, if there is one, unless the name is taken.
  fileprivate mutating func appendIfNew(_ name: String, _ text: String?) {
    if let text, self[name] == nil { append(name, .string(text)) }
  }
}

/// The marker of an annotation on a web map: `marker-color` and `marker-symbol`.
///
/// The colors can be distinguished with any kind of color vision. An unknown kind gets
/// simplestyle's default gray and no symbol.
///
/// Source: mapbox/simplestyle-spec 1.1.0 for the names of the members; Maki for those of the
/// symbols; M. Okabe and K. Ito, "Color Universal Design", 2008, for the colors.
public struct MarkerStyle: Hashable, Sendable {
  /// `#` and six hexadecimal digits.
  public var color: String
  /// The name of a Maki icon; nil for a plain marker.
  public var symbol: String?

  /// The style of a kind of annotation; nil means an unknown kind.
  public init(for kind: AnnotationKind?) {
    switch kind {
    case .cinema: (color, symbol) = ("#0072b2", "cinema")  // blue
    case .mart: (color, symbol) = ("#009e73", "grocery")  // bluish green
    case .deal: (color, symbol) = ("#d55e00", "shop")  // vermilion
    default: color = "#7e7e7e"
    }
  }
}
