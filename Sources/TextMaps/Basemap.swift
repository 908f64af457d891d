import Geodesy

/// The coasts and borders drawn faintly behind a map's markers.
public struct Basemap: Sendable {
  /// Lines from the caller.
  let outlines: [Outline]
  /// Whether the built-in coasts are drawn too.
  let includesBuiltIn: Bool

  /// Makes a basemap of the caller's lines, from a GeoJSON file for example.
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
  /// They are accurate to about 600 m, so maps with less than 300 m to a column omit them.
  public static let world = Basemap(includesBuiltIn: true)
}

/// A coast, a border or a street: positions joined by lines in their order.
///
/// A closed ring repeats its first position at the end, as in GeoJSON.
public struct Outline: Sendable {
  /// The positions, in order.
  public let positions: [Coordinate]

  /// Makes an outline.
  public init(_ positions: [Coordinate]) { self.positions = positions }
}
