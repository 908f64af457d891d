import MapAnnotations

/// Which color and which sign stand for each kind, the same in a map and the table beside it.
///
/// Cinema, mart and deal have places of their own; other kinds follow in the order of their
/// names' UTF-8 bytes, so that the order of the results does not change the colors.
struct KindPalette: Sendable {
  private let known: [AnnotationKind] = [.cinema, .mart, .deal]
  private var others: [AnnotationKind]

  init(_ kinds: some Sequence<AnnotationKind?>) {
    var others: Set<AnnotationKind> = []
    for case let kind? in kinds where !known.contains(kind) { others.insert(kind) }
    self.others = others.sorted {
      $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8)
    }
  }

  /// A kind's place, from 0; nil for the unknown kind, which has no color.
  func place(of kind: AnnotationKind?) -> Int? {
    guard let kind else { return nil }
    return known.firstIndex(of: kind) ?? others.firstIndex(of: kind).map { $0 + known.count }
  }

  func ink(of kind: AnnotationKind?) -> Ink { place(of: kind).map(Ink.kind) ?? .strong }

  /// The sign of an annotation that has no number.
  func sign(of kind: AnnotationKind?, style: TextMap.Style) -> Unicode.Scalar {
    let signs: [Unicode.Scalar] =
      style == .ascii ? ["o", "x", "#", "%", "&", "$", "?"] : ["●", "▲", "■", "◆", "▼", "★", "◉"]
    guard let place = place(of: kind) else { return style == .ascii ? "*" : "○" }
    return signs[place % signs.count]
  }
}
