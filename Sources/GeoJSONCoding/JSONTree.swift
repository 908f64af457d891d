import MapAnnotations

/// The open containers while a value is read, and their elements so far.
///
/// Elements of all open containers share one array each. So a container is allocated once, when it
/// closes and its size is known.
struct JSONTree {
  private struct Container {
    let closing: UInt8
    let start: Int
    /// The index of its first element: in `values` for an array, in `entries` for an object.
    let firstElement: Int
  }

  private var containers: [Container] = []
  private var values: [PropertyValue] = []
  private var entries: [Properties.Entry] = []
  /// The fingerprint of each entry's name.
  private var fingerprints: [UInt64] = []
  /// The names of the members whose values are being read, one for each open object.
  private var names: [(text: String, fingerprint: UInt64)] = []

  var depth: Int { containers.count }
  /// The byte that ends the innermost container; nil if none is open.
  var closing: UInt8? { containers.last?.closing }
  /// Where the innermost container begins; 0 if none is open.
  var start: Int { containers.last?.start ?? 0 }

  /// Clears what an error left behind.
  mutating func removeAll() {
    guard !containers.isEmpty else { return }
    containers.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    fingerprints.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
  }

  mutating func open(_ closing: UInt8, at start: Int) {
    let isObject = closing == UInt8(ascii: "}")
    containers.append(
      Container(
        closing: closing, start: start, firstElement: isObject ? entries.count : values.count))
  }

  /// - Parameter fingerprint: Equal for equal names, and rarely for different ones.
  mutating func name(_ name: String, fingerprint: UInt64) { names.append((name, fingerprint)) }

  /// Adds a value to the innermost container, under the last name if that is an object.
  mutating func append(_ value: PropertyValue) {
    if closing == UInt8(ascii: "}"), let name = names.popLast() {
      entries.append(Properties.Entry(name: name.text, value: value))
      fingerprints.append(name.fingerprint)
    } else {
      values.append(value)
    }
  }

  /// A name that occurs twice in the innermost object; nil if there is none.
  var repeatedName: String? {
    guard let container = containers.last, container.closing == UInt8(ascii: "}") else {
      return nil
    }
    guard mayRepeat(fingerprints[container.firstElement...]) else { return nil }
    return firstRepeatedName(in: entries[container.firstElement...])
  }

  /// Whether two fingerprints are equal.
  private func mayRepeat(_ fingerprints: ArraySlice<UInt64>) -> Bool {
    guard fingerprints.count <= 32 else {
      let sorted = fingerprints.sorted()
      return zip(sorted, sorted.dropFirst()).contains { $0 == $1 }
    }
    for index in fingerprints.indices {
      for earlier in fingerprints.startIndex..<index
      where fingerprints[earlier] == fingerprints[index] { return true }
    }
    return false
  }

  /// Closes the innermost container and returns it as a value.
  mutating func close() -> PropertyValue {
    guard let container = containers.popLast() else { return .null }
    return container.closing == UInt8(ascii: "}")
      ? .object(Properties(takeEntries(from: container.firstElement)))
      : .array(takeValues(from: container.firstElement))
  }

  private mutating func takeEntries(from first: Int) -> [Properties.Entry] {
    fingerprints.removeLast(fingerprints.count - first)
    guard first == 0 else {
      let members = Array(entries[first...])
      entries.removeLast(members.count)
      return members
    }
    // Passed on without a copy; the next object probably has the same size.
    let members = entries
    entries = []
    entries.reserveCapacity(members.count)
    return members
  }

  private mutating func takeValues(from first: Int) -> [PropertyValue] {
    let elements = Array(values[first...])
    values.removeLast(elements.count)
    return elements
  }
}
