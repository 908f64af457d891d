import GeoJSONCoding
import MapAnnotations

/// The ids of the features of a source so far.
struct SeenIDs {
  /// Whether each is at least the one before it.
  private(set) var ascend = true
  private var last: AnnotationID?
  /// All of them while each is above the one before it: then none repeats, and none has to be looked for.
  private var ascending: [AnnotationID] = []
  private var all: Set<AnnotationID>?

  /// Adds an id; returns whether it is new.
  mutating func insert(_ id: AnnotationID) -> Bool {
    let isAbove = last.map { $0 < id } ?? true
    if !isAbove, let last, id < last { ascend = false }
    last = id
    if all == nil {
      if isAbove {
        ascending.append(id)
        return true
      }
      all = Set(ascending)
      ascending = []
    }
    return all?.insert(id).inserted ?? true
  }
}

/// The names of the properties of the features of a source so far.
struct SeenNames {
  /// Each once, in the order in which they first appear; repeated names of one feature are numbered.
  private(set) var names: [String] = []
  private var known: Set<ExactText> = []
  /// The lists of names that were read, by their hashes: most features have one of a few.
  private var lists: Set<Int> = []
  private var last: ScannedFeature.NamesMark?

  mutating func read(_ feature: ScannedFeature) {
    let mark = feature.namesMark
    guard mark != last else { return }
    last = mark
    guard lists.insert(feature.namesHash).inserted else { return }
    let own = Properties(feature.propertyNames.map { Properties.Entry(name: $0, value: .null) })
    for entry in own.withDistinctNames.entries where known.insert(ExactText(entry.name)).inserted {
      names.append(entry.name)
    }
  }
}
