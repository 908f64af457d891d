/// A coarse picture of a ring: its bounding box in 8 by 8 fields, many of which lie wholly inside or outside.
///
/// Where the ring does not pass, a point test reads a few numbers beside each other and no edge: in half of the fields,
/// for a county of 300 vertices.
///
/// A field holds the points whose rounded offsets from the southwest corner fall in it. Rounding preserves order, so all
/// points of an edge lie in the fields between those of its ends, and no point of an unmarked field lies on an edge:
/// answers are exact. Fields at the frame also hold what lies beyond it.
///
/// Source: the interior and boundary cells of a raster approximation, as of G. Zimbrao and J. M. de Souza, "A Raster
/// Approximation for Processing of Spatial Joins", VLDB 1998; filled as sets of squares are on a chess program's boards.
struct PolygonFields: Hashable, Sendable {
  /// The southwest corner: x and latitude.
  private let corner: SIMD2<Double>
  /// The number of fields in one degree, along x and along the latitude.
  private let density: SIMD2<Double>
  /// The fields through which an edge may pass; one bit each, rows from the south, columns from the west.
  private var border = UInt64.max
  /// The other fields that lie inside.
  private var inside: UInt64 = 0

  private static let firstColumn: UInt64 = 0x0101_0101_0101_0101
  private static let lastColumn = firstColumn << 7
  private static let frame = firstColumn | lastColumn | 0xff | 0xff << 56

  /// A picture that tells nothing, in which all fields are border.
  init(west: Double, east: Double, latitudes: ClosedRange<Double>) {
    corner = SIMD2(west, latitudes.lowerBound)
    density = 8 / (SIMD2(east, latitudes.upperBound) - corner)
  }

  /// Draws the ring.
  ///
  /// - Parameter isInside: Whether a point, which lies on no edge, lies inside the ring.
  /// - Complexity: O(*n*) in the vertices: some nanoseconds each.
  mutating func draw(_ vertices: UnrolledVertices, _ isInside: (UnrolledPoint) -> Bool) {
    guard density.x.isFinite, density.y.isFinite else { return }
    border = vertices.withUnsafeVertices { vertices in
      var border: UInt64 = 0
      var start = place(of: vertices[vertices.count - 1])
      for number in 0..<vertices.count {
        let end = place(of: vertices[number])
        border |= PolygonFields.field(end)
        // Between neighbors in a row or a column there is no other field.
        if abs(end.column - start.column) + abs(end.row - start.row) > 1 {
          border |= PolygonFields.fields(start, end)
        }
        start = end
      }
      return border
    }
    // Whatever can be reached from beyond the frame lies outside.
    var left = ~border & ~flooded(from: PolygonFields.frame)
    while left != 0 {
      let field = left.trailingZeroBitCount
      let region = flooded(from: 1 << UInt64(field))
      left &= ~region
      let offset = SIMD2(Double(field & 7) + 0.5, Double(field >> 3) + 0.5) / density + corner
      let middle = UnrolledPoint(longitude: offset.x, latitude: offset.y, turns: 0)
      // In a box hardly wider than what numbers can tell apart, the middle may fall into another field.
      if PolygonFields.field(place(of: middle)) != 1 << UInt64(field) {
        border |= region
      } else if isInside(middle) {
        inside |= region
      }
    }
  }

  /// All unmarked fields that can be reached from some without passing a marked one.
  private func flooded(from start: UInt64) -> UInt64 {
    var region = start & ~border
    while true {
      let eastward = (region & ~PolygonFields.lastColumn) << 1
      let westward = (region & ~PolygonFields.firstColumn) >> 1
      let grown = (region | eastward | westward | region << 8 | region >> 8) & ~border
      if grown == region { return region }
      region = grown
    }
  }

  /// Whether all points between two lie inside the ring; nil if an edge may pass between them.
  ///
  /// - Parameters:
  ///   - southwest, northeast: The corners of a rectangle; one point twice for that point alone.
  @inline(__always)
  func isInside(from southwest: UnrolledPoint, to northeast: UnrolledPoint) -> Bool? {
    let asked = PolygonFields.fields(place(of: southwest), place(of: northeast))
    return asked & border == 0 ? asked & inside != 0 : nil
  }

  /// Whether a point lies inside the ring; nil if an edge may pass near.
  @inline(__always)
  func isInside(_ point: UnrolledPoint) -> Bool? {
    let asked = PolygonFields.field(place(of: point))
    return asked & border == 0 ? asked & inside != 0 : nil
  }

  /// A column, counted from the west, and a row, counted from the south.
  private typealias Place = (column: Int, row: Int)

  /// The field of a point, also of one beyond the frame; monotonic along both axes.
  @inline(__always)
  private func place(of point: UnrolledPoint) -> Place {
    let offset = (SIMD2(point.x, point.latitude) - corner) * density - 0.5
    return (PolygonFields.rounded(offset.x), PolygonFields.rounded(offset.y))
  }

  /// The nearest number from 0 to 7: the last bits of a sum that has no room for a fraction, which takes a third of
  /// the time that `Int(_:)` takes.
  @inline(__always)
  private static func rounded(_ offset: Double) -> Int {
    Int(truncatingIfNeeded: (min(max(offset, 0), 7) + 0x1p52).bitPattern & 7)
  }

  @inline(__always)
  private static func field(_ place: Place) -> UInt64 {
    1 &<< UInt64(truncatingIfNeeded: place.row &* 8 &+ place.column)
  }

  /// The fields of the rectangle between two.
  private static func fields(_ a: Place, _ b: Place) -> UInt64 {
    let row = UInt64((2 << max(a.column, b.column)) - (1 << min(a.column, b.column)))
    let (first, last) = (min(a.row, b.row), max(a.row, b.row))
    return row &* (firstColumn >> UInt64(56 - 8 * (last - first))) << UInt64(8 * first)
  }
}
