import Geodesy

/// The coasts and borders drawn faintly behind a map's markers.
public struct Basemap: Sendable {
  /// Lines from the caller.
  let outlines: [[Coordinate]]
  /// Whether the built-in coasts are drawn too.
  let includesBuiltIn: Bool

  /// Makes a basemap of the caller's lines, from a GeoJSON file for example.
  ///
  /// - Parameter outlines: Coasts, borders or streets, each through its positions in order; a closed ring repeats its
  ///   first position at the end, as in GeoJSON.
  public init(_ outlines: [[Coordinate]]) {
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
