extension KDTreeIndex {
  /// The categories that have a tree of their own besides that of all positions.
  ///
  /// A query for one such category walks its tree, and costs no more than a query for all positions;
  /// every other query walks the tree of all positions and skips unwanted ones. No answer depends on
  /// it.
  ///
  /// The memory stated is for up to 256 different sets of categories; with more sets it is 7 bytes
  /// more.
  public enum OwnTrees: Sendable {
    /// The rarest categories, as many as fit in a sixteenth of the bytes of the tree of all
    /// positions.
    ///
    /// They cover about 7 % of the positions. An index with categories then takes at most 15.6
    /// bytes per position if coordinates are multiples of 10⁻⁷ degrees, 24.1 otherwise.
    ///
    /// None if positions are laid out as given, because such an index is queried once.
    case rareCategories
    /// Every category. For positions with one category each: 27.7 bytes per position if coordinates
    /// are multiples of 10⁻⁷ degrees, 43.7 otherwise.
    case everyCategory
    /// No category: 14.6 bytes per position if coordinates are multiples of 10⁻⁷ degrees, 22.6
    /// otherwise.
    case noCategory

    /// The categories that get a tree, never including one that all positions belong to.
    ///
    /// Sizes are computed as if coordinates were multiples of 10⁻⁷ degrees; doubles enlarge all
    /// trees alike.
    func categories(
      of counts: CategoryCounts, positionCount: Int, leafOrder: LeafOrder
    ) -> CategorySet {
      let possible = counts.categories { $0 > 0 && $0 < positionCount }
      switch self {
      case .noCategory: return []
      case .everyCategory: return possible
      case .rareCategories where leafOrder == .asGiven: return []
      case .rareCategories:
        var room =
          TreeSections(
            shape: TreeShape(count: positionCount, isInGeohashOrder: leafOrder == .geohash),
            leaves: .decimal, categories: .coded
          ).byteCount / 16
        var chosen: CategorySet = []
        for category in possible.numbers.sorted(by: { (counts[$0], $0) < (counts[$1], $1) }) {
          room -=
            TreeSections(
              shape: TreeShape(
                count: counts[category], isInGeohashOrder: leafOrder == .geohash), leaves: .decimal,
              categories: .none
            ).byteCount
          guard room >= 0 else { break }
          chosen.insert(CategorySet(category: category))
        }
        return chosen
      }
    }
  }
}
