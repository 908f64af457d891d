import MapAnnotations

extension Properties {
  /// Whether a name occurs twice.
  package var hasRepeatedName: Bool { firstRepeatedName(in: entries[...]) != nil }

  /// The same entries with a number appended to each repeated name.
  ///
  /// - Complexity: O(*n*): numbering of a name continues from its last number.
  package var withDistinctNames: Properties {
    guard hasRepeatedName else { return self }
    let written = Set(entries.map { ExactText($0.name) })
    var lastNumber: [ExactText: Int] = [:]
    return Properties(
      entries.map { entry in
        let key = ExactText(entry.name)
        guard var number = lastNumber[key] else {
          lastNumber[key] = 1
          return entry
        }
        // A numbered name has only one possible base, so no other name gets this one.
        repeat { number += 1 } while written.contains(ExactText("\(entry.name)_\(number)"))
        lastNumber[key] = number
        return Entry(name: "\(entry.name)_\(number)", value: entry.value)
      })
  }
}

/// A name that occurs twice among members; nil if there is none.
///
/// Names are compared by bytes: é and e followed by an accent are two names in JSON.
///
/// - Complexity: O(*n*) hashes above 16 members, up to that *n*² / 2 short comparisons.
func firstRepeatedName(in entries: ArraySlice<Properties.Entry>) -> String? {
  if entries.count <= 16 {
    for index in entries.indices {
      let name = entries[index].name
      for earlier in entries[..<index] where earlier.name.isSameBytes(as: name) { return name }
    }
    return nil
  }
  var seen = Set<ExactText>(minimumCapacity: entries.count)
  return entries.first { !seen.insert(ExactText($0.name)).inserted }?.name
}
