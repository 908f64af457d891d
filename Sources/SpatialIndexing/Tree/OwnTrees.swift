extension KDTreeIndex {
  /// Which categories have a tree of their own beside that of all positions.
  ///
  /// A question for one such category walks its tree, and costs no more than a question for all
  /// positions; every other question walks the tree of all and passes over what it does not want. No
  /// answer depends on it.
  ///
  /// The memory given is for up to 256 different sets of categories; more of them take 7 bytes more.
  public enum OwnTrees: Sendable {
    /// The rarest, as many as find room in a sixteenth of the bytes of the tree of all positions:
    /// some 7 % of the positions. An index with categories takes at most 15.6 bytes a position then
    /// when coordinates are multiples of 10⁻⁷ degrees, 24.1 otherwise.
    ///
    /// None where positions are laid out as they are given, because such an index is asked once.
    case rareCategories
    /// Every category. For positions with one category each: 27.7 bytes a position when coordinates
    /// are multiples of 10⁻⁷ degrees, 43.7 otherwise.
    case everyCategory
    /// None at all: 14.6 bytes a position when coordinates are multiples of 10⁻⁷ degrees, 22.6
    /// otherwise.
    case noCategory

    /// The categories that get a tree, a category that all positions belong to never among them.
    ///
    /// Sizes are reckoned as if coordinates were multiples of 10⁻⁷ degrees; doubles make all trees
    /// greater alike.
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
