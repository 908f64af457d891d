import Geodesy
import GeoJSONCoding
import MapAnnotations
import MapProjections

/// Annotations to be written into tiles: their positions and attributes.
///
///     var features = TileFeatures()
///     for shop in shops { features.append(shop) }
///     let pyramid = TilePyramid(features, rules: TileRules(zooms: 0...12))
///
/// A feature of a tile has the annotation's properties, and its `name` and `kind` as texts. Its id
/// is the annotation's id, if that is a whole number from 0 to 2⁶⁴ − 2 in canonical form; any other
/// id becomes the property `id`. A property of such a name that says something else becomes
/// `name_2`. Whole numbers are integers, other numbers doubles; texts and truth values stay as they
/// are; arrays and objects become JSON. Null and empty texts are skipped.
///
/// - Complexity: 48 bytes for each annotation, 4 for each of its values, and about 30 plus its
///   bytes for each new value.
public struct TileFeatures: Sendable {
  private(set) var attributes = TileAttributes()
  private(set) var points: [(place: PlanePlace, reference: UInt32)] = []
  private var bounds = TileBounds()
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

  /// Makes an empty list for what lies in a box: its pyramid describes tiles that are made elsewhere.
  package init(within box: BoundingBox?) {
    self.init()
    guard let box else { return }
    bounds.include(box)
    // What ends at 180° may be a position, which is in the first column of tiles.
    if box.east == 180 { bounds.include(Coordinate(unchecked: box.south, -180)) }
  }

  /// The box around the annotations, across ±180° if that is narrower and leaves out Greenwich; nil if there are none.
  var box: BoundingBox? { bounds.box }

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
    guard let squares = try shapes.addMeasured(shape, feature: count) else {
      absentCount += 1
      return attributes.appendAbsent()
    }
    shapeCount += 1
    for square in squares { bounds.include(square) }
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
    bounds.include(coordinate)
    if let row {
      attributes.append(row, keeping: fields, adding: number)
    } else {
      attributes.append(annotation, keeping: fields, adding: number)
    }
  }
}

/// The box around what comes one by one and is not kept.
///
/// It lies across ±180° if it is narrower so and leaves out Greenwich, as every box across ±180° does that is not wider
/// than half the Earth: the ends of what lies east and of what lies west of Greenwich are enough to find it.
private struct TileBounds: Sendable {
  private var south = 90.0, north = -90.0
  private var west = 180.0, east = -180.0
  private var firstEastOfGreenwich = 180.0, lastWestOfGreenwich = -180.0

  /// The latitude where the square of tiles ends: atan(sinh π) in degrees.
  private static let edge = 85.051_128_779_806_59

  var box: BoundingBox? {
    guard south <= north else { return nil }
    guard lastWestOfGreenwich + 360 - firstEastOfGreenwich < east - west else {
      return BoundingBox(unchecked: south, west, north, east)
    }
    // A position at ±180° is in the first column of tiles, so that a box to −180° crosses.
    return BoundingBox(unchecked: south, firstEastOfGreenwich, north, lastWestOfGreenwich)
  }

  mutating func include(_ position: Coordinate) {
    include(position.latitude, position.longitude, position.latitude, position.longitude)
  }

  mutating func include(_ box: BoundingBox) {
    include(box.south, box.west, box.north, box.crossesAntimeridian ? 180 : box.east)
    if box.crossesAntimeridian { include(box.south, -180, box.north, box.east) }
  }

  /// Extends the box over a part of the unit square of the world, which may reach over its sides.
  mutating func include(_ square: PlaneBox) {
    include(
      MercatorGrid.latitude(ofHeight: min(square.maxY, 1)), max(square.minX, 0) * 360 - 180,
      MercatorGrid.latitude(ofHeight: max(square.minY, 0)), min(square.maxX, 1) * 360 - 180)
  }

  private mutating func include(_ south: Double, _ west: Double, _ north: Double, _ east: Double) {
    self.south = min(self.south, max(south, -TileBounds.edge), TileBounds.edge)
    self.north = max(self.north, min(north, TileBounds.edge), -TileBounds.edge)
    self.west = min(self.west, west)
    self.east = max(self.east, east)
    if east >= 0 { firstEastOfGreenwich = min(firstEastOfGreenwich, max(west, 0)) }
    if west < 0 { lastWestOfGreenwich = max(lastWestOfGreenwich, min(east, 0)) }
  }
}

/// A position on the Web Mercator plane, in units of the world: 0 ≤ x, y < 1 from the northwest corner.
///
/// A `Double` has 53 bits, and tiles of the last zoom need 36. Scaling to a zoom and back by powers of two rounds
/// nothing, so a position is in exactly one tile.
struct PlanePlace: Hashable, Sendable {
  let x: Double, y: Double

  /// Positions beyond ±85.0511° are moved to the edge.
  init(_ position: Coordinate) {
    let column = MercatorGrid.tiles.column(position.longitude)
    let x = position.longitude / 360 + 0.5
    // Just west of a border, also of ±180°, the quotient may be rounded onto the border.
    self.x =
      (x * 0x1p32).rounded(.down) == Double(column)
      ? x : ((Double(column) + 1) * 0x1p-32).nextDown
    y = min(MercatorGrid.heightInSquare(position.latitude), (1.0).nextDown)
  }

  /// A position in the 2³² columns and rows of the grid, with fractions.
  init(column: Double, row: Double) {
    x = min(max(column * 0x1p-32, 0), (1.0).nextDown)
    y = min(max(row * 0x1p-32, 0), (1.0).nextDown)
  }

  /// Whether a position lies outside the square that tiles cover.
  static func isBeyondEdge(_ position: Coordinate) -> Bool {
    let y = MercatorGrid.height(position.latitude)
    return y < 0 || y >= 1
  }

  /// The key on the Hilbert curve of the finest grid.
  var hilbertKey: UInt64 { HilbertCurve.key(x: UInt32(x * 0x1p32), y: UInt32(y * 0x1p32)) }
}
