import Geodesy

/// The coasts and borders drawn faintly behind a map's markers.
public struct Basemap: Sendable {
  /// Lines given by the caller.
  let outlines: [Outline]
  /// Whether the coasts that come with this library are drawn too.
  let includesBuiltIn: Bool

  /// Lines of one's own, from a GeoJSON file for example.
  public init(_ outlines: [Outline]) {
    self.outlines = outlines
    includesBuiltIn = false
  }

  private init(includesBuiltIn: Bool) {
    outlines = []
    self.includesBuiltIn = includesBuiltIn
  }

  /// Nothing behind the markers.
  public static let none = Basemap([])

  /// The coasts and borders of the world, from Natural Earth.
  ///
  /// They are right to some 600 m, and so left out of maps on which that would show: those with less than 300 m to a
  /// column.
  public static let world = Basemap(includesBuiltIn: true)
}

/// A coast, a border or a street: positions joined by lines in their order.
///
/// A closed ring repeats its first position at the end, as GeoJSON's do.
public struct Outline: Sendable {
  /// The positions, in order.
  public let positions: [Coordinate]
  /// Southernmost and northernmost latitude, in degrees: what a map looks at first.
  let latitudes: ClosedRange<Double>?

  /// - Complexity: O(*n*) in the count of positions.
  public init(_ positions: [Coordinate]) {
    self.positions = positions
    var range: ClosedRange<Double>?
    for position in positions {
      let south = min(range?.lowerBound ?? position.latitude, position.latitude)
      let north = max(range?.upperBound ?? position.latitude, position.latitude)
      range = south...north
    }
    latitudes = range
  }
}
