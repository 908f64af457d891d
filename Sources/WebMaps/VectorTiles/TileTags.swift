/// The tags of one tile's features: pairs of names and values, as indices in the tile.
///
/// Attributes are already numbers (`TileAttributes`). A table maps these to their indices in the
/// current tile, so that nothing is looked up by text. An entry counts only if it has the tile's
/// own stamp, so no table is cleared between tiles.
struct TileTags {
  /// The number of the current tile, from 1, in the upper half.
  private var mark: UInt64 = 0
  private var namePlaces = TilePlaces()
  /// The names in the tile, as indices among all names.
  private(set) var names: [UInt32] = []
  private var valueCount: UInt64 = 0
  /// The values in the tile, encoded as in its layer.
  private(set) var values: [UInt8] = []
  /// The tags of the last feature.
  private(set) var bytes: [UInt8] = []

  /// Starts a new tile.
  mutating func begin(nameCount: Int) {
    mark += 1 << 32
    namePlaces.extend(to: nameCount)
    names.removeAll(keepingCapacity: true)
    valueCount = 0
    values.removeAll(keepingCapacity: true)
  }

  /// Sets the tags of a feature.
  ///
  /// - Parameter valuePlaces: The table for the values of these attributes.
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

/// For each name or value, its index in the last tile that used it, below the stamp of that tile.
struct TilePlaces {
  var entries: [UInt64] = []

  /// The bits of an entry that hold the tile's stamp.
  static let marks: UInt64 = 0xFFFF_FFFF_0000_0000

  /// Makes room for `count` entries; new entries have no stamp.
  mutating func extend(to count: Int) {
    if entries.count < count {
      entries.append(contentsOf: repeatElement(0, count: count - entries.count))
    }
  }
}
