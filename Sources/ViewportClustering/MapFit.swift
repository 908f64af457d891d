import Geodesy
import MapProjections

/// The margins of a picture in points: for bars, a sheet over the map, the height of pins.
public struct MapPadding: Hashable, Sendable {
  /// At the upper edge.
  public var top: Double
  /// At the left edge.
  public var left: Double
  /// At the lower edge.
  public var bottom: Double
  /// At the right edge.
  public var right: Double

  /// Makes a padding for each edge separately.
  public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// Makes the same padding for every edge.
  public init(_ points: Double) {
    self.init(top: points, left: points, bottom: points, right: points)
  }

  /// No padding.
  public static let none = MapPadding(0)
}

/// The center and zoom at which a picture of a given size shows a whole box.
///
///     if let fit = MapFit(of: box, width: 390, height: 844, padding: MapPadding(24)) {
///       map.setCenter(fit.center.latitude, fit.center.longitude, zoom: fit.zoom)
///     }
///
/// Sizes are in points, with a world 512 · 2^zoom points wide, as in MapLibre and Mapbox. For maps
/// whose world is 256 · 2^zoom wide, such as Google's, add 1 to the zoom.
public struct MapFit: Hashable, Sendable {
  /// The zooms that a map supports.
  public enum Zooms: Hashable, Sendable {
    /// Any, such as 13.42.
    case fractional
    /// Whole zooms only, as in maps of raster tiles.
    case whole
  }

  /// The center of the picture.
  public let center: Coordinate
  /// The largest supported zoom that shows the whole box, at least 0 and at most `deepest`.
  public let zoom: Double
  /// Whether the picture shows the whole box inside its padding.
  ///
  /// False if the picture is too small even at zoom 0, or if the padding would need a center beyond
  /// the edge of the map at ±85.0511°.
  public let showsAll: Bool

  /// Finds the center and the zoom for a box.
  ///
  /// The box is shown as large as possible, centered in the area inside the padding. Its center is that in the plane of
  /// Web Mercator, which is nearer to the pole than the mean of its latitudes. Anything beyond ±85.0511° is moved to
  /// that latitude. A box across the antimeridian is shown in one piece.
  ///
  /// - Parameters:
  ///   - box: The box to show. A single position, or a box without width and height, gets the deepest zoom.
  ///   - width: The width of the picture, in points.
  ///   - height: The height of the picture, in points.
  ///   - padding: The margins around the box.
  ///   - deepest: The maximum zoom, 0…24, so that a single shop is shown with its street.
  ///   - zooms: Whether zooms may be fractional.
  /// - Returns: nil if nothing can be shown: the picture is empty or all padding, as before the first layout of a
  ///   screen, or a number is negative, infinite or NaN.
  /// - Complexity: O(1).
  public init?(
    of box: BoundingBox, width: Double, height: Double, padding: MapPadding = .none,
    deepest: Double = 17, zooms: Zooms = .fractional
  ) {
    let lengths = [
      width, height, padding.top, padding.left, padding.bottom, padding.right, deepest,
    ]
    guard lengths.allSatisfy({ $0 >= 0 && $0.isFinite }) else { return nil }
    let roomX = width - padding.left - padding.right
    let roomY = height - padding.top - padding.bottom
    guard roomX > 0, roomY > 0 else { return nil }
    let north = MercatorGrid.heightInSquare(box.north)
    let south = MercatorGrid.heightInSquare(box.south)
    let tile = Double(ClusterRule.tileSize)
    // In units of the world; a size of 0 gives infinity, which the deepest zoom limits.
    let scale = min(roomX / tile / (box.width / 360), roomY / tile / (south - north))
    let exact = scale.isFinite && scale > 0 ? binaryLogarithm(scale) : .infinity
    let limit = min(deepest, Double(ClusterRule.lastZoom))
    let greatest = zooms == .whole ? limit.rounded(.down) : limit
    let wanted = zooms == .whole ? (exact + MapFit.slack).rounded(.down) : exact - MapFit.slack
    zoom = min(max(wanted, 0), greatest)
    let points = tile * powerOfTwo(zoom)
    let y = (north + south) / 2 + (padding.bottom - padding.top) / 2 / points
    center = Coordinate(
      unchecked: MercatorGrid.latitude(ofHeight: min(max(y, 0), 1)),
      Coordinate.wrappedLongitude(
        box.west + box.width / 2 + (padding.right - padding.left) / 2 / points * 360))
    showsAll = exact + MapFit.slack >= zoom && (0...1).contains(y)
  }

  /// The tolerance of a zoom: a millionth of a point across a screen.
  ///
  /// Fractional zooms are reduced by it, so that rounding does not cut off the edge of the box; a
  /// whole zoom that is missed by less still counts.
  private static let slack = 1e-9
}

extension MapViewport {
  /// Makes the viewport of a picture that shows a whole box; see ``MapFit``.
  ///
  ///     let screen = MapViewport(fitting: box, width: 390, height: 844, padding: MapPadding(24))
  ///
  /// - Returns: nil if nothing can be shown; see ``MapFit/init(of:width:height:padding:deepest:zooms:)``.
  public init?(
    fitting box: BoundingBox, width: Double, height: Double, padding: MapPadding = .none,
    deepest: Double = 17, zooms: MapFit.Zooms = .fractional
  ) {
    guard
      let fit = MapFit(
        of: box, width: width, height: height, padding: padding, deepest: deepest, zooms: zooms)
    else { return nil }
    self.init(center: fit.center, zoom: fit.zoom, width: width, height: height)
  }
}
