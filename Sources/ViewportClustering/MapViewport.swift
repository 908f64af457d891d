import Geodesy
import MapProjections

/// The visible part of a map: a box of degrees and a zoom.
///
/// Zoom is counted as in `ClusterRule`: the world is 512 · 2^zoom pixels wide. Only the whole part
/// of a fractional zoom counts, so clusters change at whole numbers.
public struct MapViewport: Hashable, Sendable {
  /// The visible part of the Earth.
  public let box: BoundingBox
  /// The zoom, 0…24.
  public let zoom: Int

  /// Makes a viewport from a box and a zoom, limited to 0…24.
  public init(_ box: BoundingBox, zoom: Int) {
    self.box = box
    self.zoom = min(max(zoom, 0), ClusterRule.lastZoom)
  }

  /// Makes the viewport of a screen of a given size around a position.
  ///
  ///     let screen = MapViewport(center: cityHall, zoom: 13.4, width: 1280, height: 800)
  ///
  /// - Parameters:
  ///   - center: The center of the screen; beyond ±85.0511° moved to that latitude.
  ///   - zoom: The map's zoom, with its fraction.
  ///   - width: In pixels, more than 0.
  ///   - height: In pixels, more than 0.
  /// - Precondition: All numbers are finite, and the sizes more than 0.
  public init(center: Coordinate, zoom: Double, width: Double, height: Double) {
    precondition(zoom.isFinite, "a zoom of \(zoom)")
    precondition(
      width > 0 && height > 0 && width.isFinite && height.isFinite,
      "a screen of \(width) × \(height) pixels")
    let scale = Double(ClusterRule.tileSize) * powerOfTwo(min(max(zoom, 0), 30))
    let y = MercatorGrid.heightInSquare(center.latitude)
    func latitude(_ y: Double) -> Double {
      // Anything beyond the square is shown at its edge.
      y <= 0 ? 90 : y >= 1 ? -90 : MercatorGrid.latitude(ofHeight: y)
    }
    let north = latitude(y - height / 2 / scale), south = latitude(y + height / 2 / scale)
    let half = width / 2 / scale * 360
    let box =
      half >= 180
      ? BoundingBox(unchecked: south, -180, north, 180)
      : BoundingBox(
        unchecked: south, Coordinate.wrappedLongitude(center.longitude - half), north,
        Coordinate.wrappedLongitude(center.longitude + half))
    self.init(box, zoom: Int(min(max(zoom, 0), Double(ClusterRule.lastZoom))))
  }

  /// Makes a viewport from the edges in a map library, however often they wrap: longitudes are wrapped, latitudes
  /// clamped, and 360° or more are the whole world.
  ///
  /// - Throws: `CoordinateError` if an edge is not finite, or the south edge is north of the north edge.
  public init(
    unwrappedWest west: Double, south: Double, east: Double, north: Double, zoom: Int
  ) throws(CoordinateError) {
    for edge in [west, south, east, north] where !edge.isFinite {
      throw .notANumber(String(edge))
    }
    let box = try BoundingBox(
      plane: (min(max(south, -90), 90), west, min(max(north, -90), 90), east),
      isWhole: east - west >= 360)
    self.init(box, zoom: zoom)
  }
}

/// Two to a power of 0…30, possibly fractional.
func powerOfTwo(_ exponent: Double) -> Double {
  let whole = exponent.rounded(.down)
  // 2^f = e^(f ln 2), from sinh and cosh, which are available here.
  let fraction = (exponent - whole) * logarithmOfTwo
  return Double(sign: .plus, exponent: Int(whole), significand: 1)
    * (hyperbolicSine(fraction) + hyperbolicCosine(fraction))
}

/// The base-2 logarithm of a positive number; exact for powers of two.
func binaryLogarithm(_ value: Double) -> Double {
  // ln s = 2 artanh((s − 1) / (s + 1)) for the significand of 1..<2.
  let significand = value.significand
  return Double(value.exponent) + 2 * areaHyperbolicTangent((significand - 1) / (significand + 1))
    / logarithmOfTwo
}

private let logarithmOfTwo = 0.693_147_180_559_945_3
