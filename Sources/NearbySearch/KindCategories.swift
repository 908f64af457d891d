import MapAnnotations
import SpatialIndexing

/// The bit of each kind in the index's category masks.
///
/// The first 63 kinds get a bit of their own; all others share the last, and a search for some but
/// not all of them also tests each annotation. Annotations without a kind have no bit.
struct KindCategories: Sendable {
  private var bits: [AnnotationKind: Int] = [:]
  /// The bits that are a kind's own.
  private var ownBits: UInt64 = 0
  /// How many kinds share the last bit.
  private var sharingCount = 0
  /// Whether some annotations have no kind.
  private(set) var hasUnnamed: Bool
  private static let sharedBit = 63

  init(_ kinds: some Sequence<AnnotationKind?>) {
    hasUnnamed = false
    var count = 0
    for kind in kinds {
      count += 1
      if let kind { add(kind) } else { hasUnnamed = true }
    }
    // An empty sequence stands for annotations of which none has a kind.
    if count == 0 { hasUnnamed = true }
  }

  /// Gives a kind a bit, if it has none.
  private mutating func add(_ kind: AnnotationKind) {
    guard bits[kind] == nil else { return }
    let bit = min((~ownBits).trailingZeroBitCount, KindCategories.sharedBit)
    bits[kind] = bit
    if bit < KindCategories.sharedBit { ownBits |= 1 << UInt64(bit) } else { sharingCount += 1 }
  }

  /// Whether a further kind would share the last bit.
  var isFull: Bool { ownBits == 1 << UInt64(KindCategories.sharedBit) - 1 }

  /// Forgets kinds that no annotation has, so that others get their bits.
  mutating func forget(allBut used: Set<AnnotationKind>) {
    for (kind, bit) in bits where !used.contains(kind) {
      bits[kind] = nil
      if bit < KindCategories.sharedBit {
        ownBits &= ~(1 << UInt64(bit))
      } else {
        sharingCount -= 1
      }
    }
  }

  /// The category of a kind, which gets a bit if it has none.
  mutating func set(adding kind: AnnotationKind?) -> CategorySet {
    guard let kind else {
      hasUnnamed = true
      return []
    }
    add(kind)
    return set(of: kind)
  }

  func set(of kind: AnnotationKind?) -> CategorySet {
    kind.flatMap { bits[$0] }.map { CategorySet(category: $0) } ?? []
  }

  /// The kinds, in the order of their names' UTF-8 bytes.
  var kinds: [AnnotationKind] {
    bits.keys.sorted { $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8) }
  }

  /// The kinds in the order of their bits; adding them in this order gives the same bits.
  var kindsByBit: [AnnotationKind] {
    bits.sorted { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }.map(\.key)
  }

  /// The categories that hold every annotation of these kinds, and whether they hold no others.
  func categories(of kinds: Set<AnnotationKind>) -> (set: CategorySet, isExact: Bool) {
    let found = kinds.compactMap { bits[$0] }
    let sharing = found.count { $0 == KindCategories.sharedBit }
    let set = CategorySet(found.map { CategorySet(category: $0) })
    // All bits are also the set of annotations without a kind.
    let isExact = sharing == 0 || sharing == sharingCount && set != .any
    return (set, isExact)
  }

  /// Whether a kind has a bit that no other kind may have.
  func hasOwnBit(_ kind: AnnotationKind) -> Bool {
    bits[kind].map { $0 < KindCategories.sharedBit } ?? false
  }
}

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
  func placeTest<Item: Annotation>(
    and isIncluded: ((Int) -> Bool)?, on shelf: AnnotationShelf<Item>
  ) -> ((Int) -> Bool)? {
    guard !isExact else { return isIncluded }
    return { place in includes(shelf[place]) && isIncluded?(place) ?? true }
  }
}
