import GeoJSONCoding
import Geodesy
import MapProjections

/// Converts the numbers of a source in a named CRS to degrees of WGS 84.
///
/// By name the column `x` has eastings and the column `y` northings, though Korea and Japan call
/// the northing X. If no option assigns the columns, the numbers may overrule the names: when
/// hardly a row lands in the CRS's area of use, and most do the other way round. For Japan's
/// plane-rectangular zones the numbers cannot decide; there a column called `X座標` in Japanese has
/// what the law calls X.
struct PlaneReading: Sendable {
  /// The CRS's name in messages.
  let name: String
  private let box: TransformBox
  /// Whether the column named for the easting has the northing.
  private(set) var isExchanged = false

  init(name: String, transform: any CoordinateTransform) {
    self.name = name
    box = TransformBox(transform: transform)
  }

  var transform: any CoordinateTransform { box.transform }

  /// The position of two numbers.
  func coordinate(x: Double, y: Double) throws(CRSError) -> Coordinate {
    try transform.coordinate(
      of: isExchanged ? PlanePosition(x: y, y: x) : PlanePosition(x: x, y: y))
  }

  /// Whether a pair of meters is 0,0, with which Korean files fill rows without a position.
  func isOrigin(x: Double, y: Double) -> Bool { x == 0 && y == 0 && !transform.startsFromDegrees }

  /// The remark about the conversion.
  func remark(_ source: String) -> String {
    "\(source): read from \(name) by \(transform.operation)"
  }
}

/// A box for data that would make the structs around it too large to pass in registers.
private final class TransformBox: Sendable {
  let transform: any CoordinateTransform

  init(transform: any CoordinateTransform) { self.transform = transform }
}

extension PlaneReading {
  /// Decides from a sample of pairs which number is the easting.
  ///
  /// - Parameters:
  ///   - areChosen: Whether options name the columns, so that their order is fixed.
  ///   - column: The name of the column of eastings.
  /// - Returns: A remark, if the names alone did not decide it.
  mutating func chooseOrder(
    _ sample: [PlanePosition], areChosen: Bool, column: String, source: String
  ) -> String? {
    guard !transform.startsFromDegrees, !areChosen, !sample.isEmpty, let area = transform.areaOfUse
    else { return nil }
    func landing(_ isExchanged: Bool) -> [Coordinate] {
      var reading = self
      reading.isExchanged = isExchanged
      return sample.compactMap { try? reading.coordinate(x: $0.x, y: $0.y) }
        .filter { area.contains($0) }
    }
    let named = landing(false)
    let exchanged = landing(true)
    if exchanged.count * 2 > sample.count, named.count * 10 < exchanged.count {
      isExchanged = true
      return
        "\(source): the column named for the easting (x) holds northings: \(exchanged.count) of "
        + "\(sample.count) rows land in \(area.name) so, and \(named.count) as named; "
        + "say `longitudeField` (x) and `latitudeField` (y) to read it otherwise"
    }
    guard !CoordinateNames.saysEasting(column), exchanged.count * 2 > sample.count,
      let here = named.first,
      let there = try? transform.coordinate(of: PlanePosition(x: sample[0].y, y: sample[0].x))
    else { return nil }
    isExchanged =
      column.contains("座標") && CRSName.epsgCode(in: name).map(CRS.isJapanesePlane) == true
    let apart = roughLength(here.distance(to: there))
    if isExchanged {
      return "\(source): column \(column) is read as the northing, which Japan's plane-rectangular "
        + "zones call X; as the easting the first row would land in \(area.name), too, \(apart) "
        + "away; say `longitudeField` (x) and `latitudeField` (y) to settle it"
    }
    return "\(source): the column x is read as the easting; as the northing the first row would "
      + "land in \(area.name), too, \(apart) away; say `longitudeField` (x) and `latitudeField` (y) to settle it"
  }

  /// Whether all pairs of a sample are degrees though the CRS is in meters.
  func areDegrees(_ sample: [PlanePosition]) -> Bool {
    !transform.startsFromDegrees && !sample.isEmpty
      && sample.allSatisfy { pair in
        let (small, large) = (min(abs(pair.x), abs(pair.y)), max(abs(pair.x), abs(pair.y)))
        return small <= 90 && large <= 180 && large > 0
      }
  }
}

extension Geometry {
  /// The first position; nil if there is none.
  var firstPosition: Position? {
    var first: Position?
    _ = contains {
      first = $0
      return true
    }
    return first
  }

  /// The geometry with every position transformed to WGS 84; altitudes stay unchanged.
  ///
  /// - Throws: `CRSError` for the first position that cannot be transformed.
  func transformed(by plane: PlaneReading) throws(CRSError) -> Geometry {
    do throws(CRSError) {
      return try mapped(by: plane)
    } catch {
      // As without a CRS, a path that runs on past ±180° crosses the antimeridian.
      guard case .degrees(.longitudeOutOfRange(_)) = error else { throw error }
      return try wrapped.mapped(by: plane)
    }
  }

  private func mapped(by plane: PlaneReading) throws(CRSError) -> Geometry {
    try mapPositions { (position) throws(CRSError) in
      let coordinate = try plane.coordinate(x: position.longitude, y: position.latitude)
      return Position(
        longitude: coordinate.longitude, latitude: coordinate.latitude, altitude: position.altitude)
    }
  }
}
