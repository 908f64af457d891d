/// Which names the features of one tile have with which values, as places in the tile.
///
/// What a feature says is numbers already (`TileAttributes`). A table says which place each of these has
/// in the tile at hand, so that nothing is looked up by its text; an entry counts only if it bears the
/// tile's own stamp, so that no table is cleared between tiles.
struct TileTags {
  /// The number of the tile at hand, from 1, in the upper half.
  private var mark: UInt64 = 0
  private var namePlaces = TilePlaces()
  /// The names of the tile, as places among all.
  private(set) var names: [UInt32] = []
  private var valueCount: UInt64 = 0
  /// The values of the tile, as its layer holds them.
  private(set) var values: [UInt8] = []
  /// What the last feature says.
  private(set) var bytes: [UInt8] = []

  /// Forgets the tile before.
  mutating func begin(nameCount: Int) {
    mark += 1 << 32
    namePlaces.extend(to: nameCount)
    names.removeAll(keepingCapacity: true)
    valueCount = 0
    values.removeAll(keepingCapacity: true)
  }

  /// Says what a feature says.
  ///
  /// - Parameter valuePlaces: Of the values of these attributes.
  mutating func set(
    _ feature: Int, of attributes: TileAttributes, _ valuePlaces: inout TilePlaces
  ) {
    bytes.removeAll(keepingCapacity: true)
    var start = attributes.startOfFeature[feature]
    for name in attributes.forms[Int(attributes.formOfFeature[feature])] {
      let known = namePlaces.entries[Int(name)]
      if known & TilePlaces.marks == mark {
        bytes.appendVarint(known & ~TilePlaces.marks)
      } else {
        namePlaces.entries[Int(name)] = mark | UInt64(names.count)
        bytes.appendVarint(names.count)
        names.append(name)
      }
      let value = Int(attributes.values[start])
      start += 1
      let place = valuePlaces.entries[value]
      if place & TilePlaces.marks == mark {
        bytes.appendVarint(place & ~TilePlaces.marks)
      } else {
        valuePlaces.entries[value] = mark | valueCount
        bytes.appendVarint(valueCount)
        valueCount += 1
        values.append(4 << 3 | 2)
        attributes.texts.append(value, to: &values)
      }
    }
  }
}

/// For each of many things, its place in the tile it was last in, below the mark of that tile.
struct TilePlaces {
  var entries: [UInt64] = []

  /// The bits of an entry that say which tile it is of.
  static let marks: UInt64 = 0xFFFF_FFFF_0000_0000

  /// Makes room for so many things; what has no entry yet has no mark either.
  mutating func extend(to count: Int) {
    if entries.count < count {
      entries.append(contentsOf: repeatElement(0, count: count - entries.count))
    }
  }
}
