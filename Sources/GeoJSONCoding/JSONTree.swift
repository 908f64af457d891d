import MapAnnotations

/// The containers that are open while a value is read, and what has come into them so far.
///
/// Elements of all open containers share one array each, so that a container is allocated once,
/// when it closes and its size is known.
struct JSONTree {
  private struct Container {
    let closing: UInt8
    let start: Int
    /// Where its elements begin: in `values` for an array, in `entries` for an object.
    let firstElement: Int
  }

  private var containers: [Container] = []
  private var values: [PropertyValue] = []
  private var entries: [Properties.Entry] = []
  /// The names of the members whose values are being read, one for each open object.
  private var names: [String] = []

  var depth: Int { containers.count }
  /// The byte that ends the innermost container; nil when none is open.
  var closing: UInt8? { containers.last?.closing }
  /// Where the innermost container begins; 0 when none is open.
  var start: Int { containers.last?.start ?? 0 }

  mutating func removeAll() {
    containers.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
  }

  mutating func open(_ closing: UInt8, at start: Int) {
    let isObject = closing == UInt8(ascii: "}")
    containers.append(
      Container(
        closing: closing, start: start, firstElement: isObject ? entries.count : values.count))
  }

  mutating func name(_ name: String) { names.append(name) }

  /// Puts a value into the innermost container, under the last name if that is an object.
  mutating func append(_ value: PropertyValue) {
    if closing == UInt8(ascii: "}"), let name = names.popLast() {
      entries.append(Properties.Entry(name: name, value: value))
    } else {
      values.append(value)
    }
  }

  /// A name that the innermost object has twice; nil when there is none.
  var repeatedName: String? {
    guard let container = containers.last, container.closing == UInt8(ascii: "}") else {
      return nil
    }
    return firstRepeatedName(in: entries[container.firstElement...])
  }

  /// Takes the innermost container out, as a value.
  mutating func close() -> PropertyValue {
    guard let container = containers.popLast() else { return .null }
    if container.closing == UInt8(ascii: "}") {
      let members = Array(entries[container.firstElement...])
      entries.removeLast(members.count)
      return .object(Properties(members))
    }
    let elements = Array(values[container.firstElement...])
    values.removeLast(elements.count)
    return .array(elements)
  }
}

/// A name that stands twice among members; nil when there is none.
///
/// Names are compared by their bytes: é and e followed by an accent are two names in JSON.
///
/// - Complexity: O(*n*) hashes from 16 members on, below that *n*² / 2 short comparisons.
func firstRepeatedName(in entries: ArraySlice<Properties.Entry>) -> String? {
  guard entries.count > 16 else {
    for (index, entry) in zip(entries.indices, entries) {
      for earlier in entries[entries.startIndex..<index]
      where isSameName(earlier.name, entry.name) { return entry.name }
    }
    return nil
  }
  var seen = Set<[UInt8]>(minimumCapacity: entries.count)
  return entries.first { !seen.insert(Array($0.name.utf8)).inserted }?.name
}

@inline(__always)
private func isSameName(_ left: String, _ right: String) -> Bool {
  left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}
