import GeoJSONCoding
import Geodesy
import MapAnnotations
import MapProjections

/// Annotations to be written into tiles: their positions and attributes.
///
///     var features = TileFeatures()
///     for shop in shops { features.append(shop) }
///     let pyramid = TilePyramid(features, rules: TileRules(zooms: 0...12))
///
/// A feature of a tile has the annotation's properties, then its `name` and `kind`, unless
/// properties have these names. Its id is the annotation's id, if that is a whole number from 0 to
/// 2⁶⁴ − 2 in canonical form; any other id becomes the property `id`, unless there is one. Whole
/// numbers are integers, other numbers doubles; texts and truth values stay as they are; arrays and
/// objects become JSON. Null and empty texts are skipped.
///
/// - Complexity: 48 bytes for each annotation, 4 for each of its values, and about 30 plus its
///   bytes for each new value.
public struct TileFeatures: Sendable {
  private(set) var attributes = TileAttributes()
  private(set) var points: [(place: PlanePlace, reference: UInt32)] = []
  private(set) var box: TileBounds?
  /// Lines and polygons, by the numbers of their annotations.
  private(set) var shapes: TileShapes
  /// The number of annotations that are lines, polygons or several points.
  public private(set) var shapeCount = 0
  private let fields: Set<String>?

  /// The number of annotations added, whether tiles hold them or not.
  public var count: Int { attributes.count }
  /// The number of annotations without a coordinate or not to be included; no tile has them.
  public private(set) var absentCount = 0
  /// The number of annotations beyond ±85.0511°, where there are no tiles: they are at the edge of the last ones.
  public private(set) var movedCount = 0

  /// Makes an empty list.
  ///
  /// - Parameters:
  ///   - fields: The properties to keep, besides name and kind; nil for all.
  ///   - tiling: How lines and polygons will be cut: the same as in the rules of their tiles.
  public init(
    keeping fields: [String]? = nil, shapes tiling: ShapeTiling = TileRules().shapeTiling
  ) {
    self.fields = fields.map(Set.init)
    shapes = TileShapes(tiling)
  }

  /// The position of an annotation by its number, in the order of adding.
  ///
  /// - Precondition: Tiles hold it.
  func place(ofAnnotation number: Int) -> PlanePlace {
    if points.count == count { return points[number].place }
    let index = points.partitioningCount { $0.reference < UInt32(number) }
    precondition(
      index < points.count && points[index].reference == UInt32(number),
      "annotation \(number) is in no tile, but the selection of the clusters has it")
    return points[index].place
  }

  /// The number of lines without length and polygons without area; no tile has them.
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

  /// Adds an annotation that tiles show as lines, polygons or several points.
  ///
  /// It is in no cluster: if the features belong to a `ClusterIndex`, the selection of the pyramid
  /// must exclude it.
  ///
  /// - Throws: `CoordinateError` for an invalid position; then nothing is added.
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

  /// Adds an annotation, optionally with the row it was read from and with one more whole number.
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

/// The least and greatest degrees of the features in tiles, never across ±180°, which archives
/// cannot express.
struct TileBounds: Hashable, Sendable {
  let south: Double, west: Double, north: Double, east: Double

  /// The latitude where the square of tiles ends: atan(sinh π) in degrees.
  private static let edge = 85.051_128_779_806_59

  init(_ position: Coordinate, joined other: TileBounds?) {
    let latitude = min(max(position.latitude, -TileBounds.edge), TileBounds.edge)
    south = min(latitude, other?.south ?? latitude)
    north = max(latitude, other?.north ?? latitude)
    west = min(position.longitude, other?.west ?? position.longitude)
    east = max(position.longitude, other?.east ?? position.longitude)
  }

  /// The bounds of a part of the unit square of the world, joined with others.
  init(_ square: PlaneBox, joined other: TileBounds?) {
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
