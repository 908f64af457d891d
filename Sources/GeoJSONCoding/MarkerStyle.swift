import MapAnnotations

/// The marker of an annotation on a web map: `marker-color` and `marker-symbol`.
///
/// The colors can be distinguished with any kind of color vision. An unknown kind gets
/// simplestyle's default gray and no symbol.
///
/// Source: mapbox/simplestyle-spec 1.1.0 for the names of the members; Maki for those of the
/// symbols; M. Okabe and K. Ito, "Color Universal Design", 2008, for the colors.
public struct MarkerStyle: Hashable, Sendable {
  /// `#` and six hexadecimal digits.
  public var color: String
  /// The name of a Maki icon; nil for a plain marker.
  public var symbol: String?
}

extension MarkerStyle {
  /// The style of a kind of annotation; nil means an unknown kind.
  public init(for kind: AnnotationKind?) {
    switch kind {
    case .cinema: self.init(color: "#0072b2", symbol: "cinema")  // blue
    case .mart: self.init(color: "#009e73", symbol: "grocery")  // bluish green
    case .deal: self.init(color: "#d55e00", symbol: "shop")  // vermilion
    default: self.init(color: "#7e7e7e")
    }
  }
}
