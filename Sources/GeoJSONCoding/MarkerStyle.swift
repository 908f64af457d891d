import MapAnnotations

/// How a web map draws the marker of an annotation: `marker-color` and `marker-symbol`.
///
/// The colors are told apart with any kind of color vision. A kind the engine does not know gets
/// the gray that simplestyle gives by default, and no symbol.
///
/// Source: mapbox/simplestyle-spec 1.1.0 for the names of the members; Maki for those of the
/// symbols; M. Okabe and K. Ito, "Color Universal Design", 2008, for the colors.
public struct MarkerStyle: Hashable, Sendable {
  /// `#` and six hexadecimal digits.
  public var color: String
  /// The name of a Maki icon; nil for a plain marker.
  public var symbol: String?

  /// Makes a style of an app's own.
  public init(color: String, symbol: String? = nil) {
    self.color = color
    self.symbol = symbol
  }

  /// The style of a kind of annotation; `nil` stands for an unknown kind.
  public init(for kind: AnnotationKind?) {
    switch kind {
    case .cinema: self.init(color: "#0072b2", symbol: "cinema")  // blue
    case .mart: self.init(color: "#009e73", symbol: "grocery")  // bluish green
    case .deal: self.init(color: "#d55e00", symbol: "shop")  // vermilion
    default: self.init(color: "#7e7e7e")
    }
  }
}
