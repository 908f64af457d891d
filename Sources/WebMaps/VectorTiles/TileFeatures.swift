import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections

/// Annotations on their way into tiles: where they are and what they say.
///
///     var features = TileFeatures()
///     for shop in shops { features.append(shop) }
///     let pyramid = TilePyramid(features, rules: TileRules(zooms: 0...12))
///
/// A feature of a tile has the annotation's properties, and after them its `name` and `kind`, where no
/// property is called so. Its number is the annotation's id, where that is a whole number from 0 to
/// 2⁶⁴ − 2 in canonical form; another id is the property `id`, unless there is one. Whole numbers are
/// integers, other numbers doubles, texts and truth values what they are; arrays and objects are their
/// JSON. Null and empty texts say nothing and are left out.
///
/// - Complexity: 48 bytes an annotation, 4 for each value it has, and each value that is new with its
///   bytes and some 30 more.
public struct TileFeatures: Sendable {
  private(set) var attributes = TileAttributes()
  private(set) var points: [(place: PlanePlace, reference: UInt32)] = []
  private(set) var box: TileBounds?
  /// Lines and polygons, by the numbers of their annotations.
  private(set) var shapes: TileShapes
  /// How many annotations are lines or polygons, or several points.
  public private(set) var shapeCount = 0
  private let fields: Set<String>?

  /// How many annotations were added, placed or not.
  public var count: Int { attributes.count }
  /// How many have no coordinate, or were not to be included; no tile has them.
  public private(set) var absentCount = 0
  /// How many lie beyond ±85.0511°, where there are no tiles: they are at the edge of the last ones.
  public private(set) var movedCount = 0

  /// None yet.
  ///
  /// - Parameters:
  ///   - fields: The properties that tiles hold, besides name and kind; nil for all.
  ///   - tiling: How lines and polygons will be cut: as the rules of their tiles say.
  public init(
    keeping fields: [String]? = nil, shapes tiling: ShapeTiling = TileRules().shapeTiling
  ) {
    self.fields = fields.map(Set.init)
    shapes = TileShapes(tiling)
  }

  /// Where the annotation of a number is, counted as they were added.
  ///
  /// - Precondition: Tiles hold it.
  func place(ofAnnotation number: Int) -> PlanePlace {
    if points.count == count { return points[number].place }
    var lower = 0, upper = points.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if points[middle].reference < UInt32(number) { lower = middle + 1 } else { upper = middle }
    }
    precondition(
      lower < points.count && points[lower].reference == UInt32(number),
      "annotation \(number) is in no tile, but the selection of the clusters has it")
    return points[lower].place
  }

  /// How many lines have no length and how many polygons no area; no tile has them.
  public var partsWithoutExtent: Int { shapes.partsWithoutExtent }

  /// Reserves room for this many more.
  public mutating func reserve(_ count: Int) {
    attributes.reserve(count)
    points.reserveCapacity(count)
  }

  /// Adds an annotation.
  ///
  /// - Parameters:
  ///   - annotation: The annotation.
  ///   - isIncluded: Whether tiles hold it. For a `ClusterIndex`, add the others as well, since it
  ///     counts features by their position in the list.
  public mutating func append(_ annotation: some Annotation, isIncluded: Bool = true) {
    append(annotation, row: nil, isIncluded: isIncluded)
  }

  /// Adds an annotation that tiles show as lines, polygons or several points, not as one.
  ///
  /// It is in no cluster: where the features are those of a `ClusterIndex`, the selection of the
  /// pyramid has to leave it out.
  ///
  /// - Throws: `CoordinateError` for a position that is not on the Earth; then nothing is added.
  public mutating func append(
    _ annotation: some Annotation, shape: Geometry
  ) throws(CoordinateError) {
    precondition(count < 1 << 31, "2,147,483,648 annotations; divide them")
    guard let bounds = try shapes.addMeasured(shape, feature: count) else {
      absentCount += 1
      return attributes.appendAbsent()
    }
    shapeCount += 1
    box = TileBounds(bounds, joined: box)
    attributes.append(annotation, keeping: fields)
  }

  /// Adds an annotation, with the row it was read from, if there is one, and with one more whole number.
  package mutating func append(
    _ annotation: some Annotation, row: TextRow?, isIncluded: Bool = true,
    adding number: (name: String, value: Int)? = nil
  ) {
    guard isIncluded, let coordinate = annotation.coordinate else {
      absentCount += 1
      attributes.appendAbsent()
      return
    }
    precondition(count < 1 << 31, "2,147,483,648 annotations; divide them")
    points.append((PlanePlace(coordinate), UInt32(count)))
    if PlanePlace.isBeyondEdge(coordinate) { movedCount += 1 }
    box = TileBounds(coordinate, joined: box)
    if let row {
      attributes.append(row, keeping: fields, adding: number)
    } else {
      attributes.append(annotation, keeping: fields, adding: number)
    }
  }
}

/// The least and the greatest degrees of what tiles hold, never across ±180°: archives have no word for
/// that.
struct TileBounds: Hashable, Sendable {
  let south: Double, west: Double, north: Double, east: Double

  init(_ position: Coordinate, joined other: TileBounds?) {
    let latitude = min(max(position.latitude, -MercatorEdge.latitude), MercatorEdge.latitude)
    south = min(latitude, other?.south ?? latitude)
    north = max(latitude, other?.north ?? latitude)
    west = min(position.longitude, other?.west ?? position.longitude)
    east = max(position.longitude, other?.east ?? position.longitude)
  }

  /// Of a part of the square of the world.
  init(_ square: ShapeBox, joined other: TileBounds?) {
    let latitudes = (
      MercatorGrid.latitude(ofHeight: min(square.maxY, 1)),
      MercatorGrid.latitude(ofHeight: max(square.minY, 0))
    )
    south = min(latitudes.0, other?.south ?? latitudes.0)
    north = max(latitudes.1, other?.north ?? latitudes.1)
    let west = max(square.minX, 0) * 360 - 180, east = min(square.maxX, 1) * 360 - 180
    self.west = min(west, other?.west ?? west)
    self.east = max(east, other?.east ?? east)
  }
}

/// Where the square of tiles ends.
enum MercatorEdge {
  /// atan(sinh π) in degrees.
  static let latitude = 85.051_128_779_806_59
}
