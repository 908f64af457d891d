import MapAnnotations

extension Properties {
  /// The same entries, each name but the first of its kind with a number after it.
  package var withDistinctNames: Properties {
    guard firstRepeatedName(in: entries[...]) != nil else { return self }
    let written = Set(entries.map { Array($0.name.utf8) })
    var used = Set<[UInt8]>(minimumCapacity: entries.count)
    return Properties(
      entries.map { entry in
        if used.insert(Array(entry.name.utf8)).inserted { return entry }
        var count = 2
        while true {
          let name = "\(entry.name)_\(count)"
          let bytes = Array(name.utf8)
          if !written.contains(bytes), used.insert(bytes).inserted {
            return Entry(name: name, value: entry.value)
          }
          count += 1
        }
      })
  }
}

/// A name that stands twice among members; nil when there is none.
///
/// Names are compared by their bytes: é and e followed by an accent are two names in JSON.
///
/// - Complexity: O(*n*) hashes above 16 members, up to that *n*² / 2 short comparisons.
func firstRepeatedName(in entries: ArraySlice<Properties.Entry>) -> String? {
  if entries.count <= 16 {
    for index in entries.indices {
      let name = entries[index].name
      for earlier in entries[..<index] where isSameName(earlier.name, name) { return name }
    }
    return nil
  }
  var seen = Set<[UInt8]>(minimumCapacity: entries.count)
  return entries.first { !seen.insert(Array($0.name.utf8)).inserted }?.name
}

private func isSameName(_ left: String, _ right: String) -> Bool {
  left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}
