import MapAnnotations

/// The color and sign of each kind, the same in a map and the table beside it.
///
/// Cinema, mart and deal have fixed indices; other kinds follow in the order of their names' UTF-8
/// bytes, so that colors do not depend on the order of the results.
struct KindPalette: Sendable {
  private var places: [AnnotationKind: Int] = [.cinema: 0, .mart: 1, .deal: 2]

  init(_ kinds: some Sequence<AnnotationKind?>) {
    var others: Set<AnnotationKind> = []
    for case let kind? in kinds where places[kind] == nil { others.insert(kind) }
    let inOrder = others.sorted {
      $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8)
    }
    for kind in inOrder { places[kind] = places.count }
  }

  /// A kind's index, from 0; nil for the unknown kind, which has no color.
  func place(of kind: AnnotationKind?) -> Int? {
    kind.flatMap { places[$0] }
  }

  func ink(of kind: AnnotationKind?) -> Ink { place(of: kind).map(Ink.kind) ?? .strong }

  /// The sign of an annotation without a number.
  func sign(of kind: AnnotationKind?, style: TextMap.Style) -> Unicode.Scalar {
    guard let place = place(of: kind) else { return style == .ascii ? "*" : "○" }
    let signs = style == .ascii ? KindPalette.asciiSigns : KindPalette.signs
    return signs[place % signs.count]
  }

  // Letters follow the signs, so that 28 kinds can be distinguished without color. None is a question mark, which
  // stands for what is not ASCII in the names of kinds.
  private static let asciiSigns = Array("ox#%&$=".unicodeScalars) + letters
  private static let signs = Array("●▲■◆▼★◉".unicodeScalars) + letters
  private static let letters = Array("abcdefghijklmnpqrstuv".unicodeScalars)
}
