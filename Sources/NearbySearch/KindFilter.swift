import MapAnnotations
import SpatialIndexing

/// Kinds as category masks, and the kinds themselves where the masks include others too.
struct KindFilter {
  let categories: CategorySet
  private let kinds: Set<AnnotationKind>?

  /// - Parameters:
  ///   - kinds: nil for all, with or without a kind.
  ///   - known: The bits of the index's masks; nil where it has none.
  init(kinds: Set<AnnotationKind>?, among known: KindCategories?) {
    guard let kinds, let known else {
      categories = .any
      self.kinds = kinds
      return
    }
    let (set, isExact) = known.categories(of: kinds)
    categories = set
    self.kinds = isExact ? nil : kinds
  }

  /// Whether the masks alone decide.
  var isExact: Bool { kinds == nil }

  func includes(_ item: some Annotation) -> Bool {
    guard let kinds else { return true }
    return item.kind.map(kinds.contains) ?? false
  }

  /// Tests at a place what the masks have not, and a predicate; nil where there is nothing to test.
  func asking<Item: Annotation>(
    _ isIncluded: ((Int) -> Bool)?, on shelf: AnnotationShelf<Item>
  ) -> ((Int) -> Bool)? {
    guard !isExact else { return isIncluded }
    return { place in includes(shelf[place]) && isIncluded?(place) ?? true }
  }
}
