import CNearbyKernels
import Geodesy

/// A hash table from id to each object's location: open addressing, 32 bytes per entry, at most two
/// thirds full.
///
/// An object's location leads down the tree to its leaf, so nothing here has to change when the
/// tree is rearranged.
struct LiveObjectTable: ~Copyable {
  struct Entry: BitwiseCopyable {
    var id: UInt64
    /// NaN if the entry is empty.
    var latitude: Double
    var longitude: Double
    /// The operation of the current batch that inserts the object, or an unrelated number.
    var operation: Int

    static let empty = Entry(id: 0, latitude: .nan, longitude: 0, operation: 0)

    @inline(__always)
    var isEmpty: Bool { latitude.isNaN }
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var mask: Int
  private(set) var count = 0

  init() {
    mask = 15
    entries = LiveObjectTable.makeEntries(16)
  }

  private static func makeEntries(_ count: Int) -> UnsafeMutablePointer<Entry> {
    let memory = LargePages.allocate(byteCount: count * MemoryLayout<Entry>.stride)
    return memory.initializeMemory(as: Entry.self, repeating: .empty, count: count)
  }

  deinit { entries.deallocate() }

  /// The slot where an id would be if there were no collisions.
  ///
  /// Multiplying spreads consecutive ids, and the high half of the product depends on all bits.
  @inline(__always)
  private func home(of id: UInt64) -> Int {
    let product = (id ^ (id >> 32)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: product >> 20) & mask
  }

  /// Prefetches the memory that looking up an id will read.
  @inline(__always)
  func prefetch(_ id: UInt64) { nearby_prefetch_later(entries + home(of: id)) }

  /// The entry of an id; nil if there is none.
  ///
  /// Valid until the table changes.
  @inline(__always)
  func find(_ id: UInt64) -> UnsafeMutablePointer<Entry>? {
    var place = home(of: id)
    while true {
      let entry = entries + place
      if entry.pointee.isEmpty { return nil }
      if entry.pointee.id == id { return entry }
      place = (place &+ 1) & mask
    }
  }

  /// Adds an entry for an id that has none.
  mutating func insert(_ entry: Entry) {
    if 3 * (count + 1) > 2 * (mask + 1) { grow() }
    place(entry)
    count += 1
  }

  private func place(_ entry: Entry) {
    var place = home(of: entry.id)
    while !entries[place].isEmpty { place = (place &+ 1) & mask }
    entries[place] = entry
  }

  private mutating func grow() {
    let old = UnsafeMutableBufferPointer(start: entries, count: mask + 1)
    mask = 2 * mask + 1
    entries = LiveObjectTable.makeEntries(mask + 1)
    for entry in old where !entry.isEmpty { place(entry) }
    old.deallocate()
  }

  /// Removes an entry; later entries that it had displaced move up.
  mutating func remove(_ entry: UnsafeMutablePointer<Entry>) {
    var hole = entry - entries
    var next = (hole + 1) & mask
    while !entries[next].isEmpty {
      // An entry may move to the hole unless its home lies behind the hole.
      if (next &- home(of: entries[next].id)) & mask >= (next &- hole) & mask {
        entries[hole] = entries[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    entries[hole] = .empty
    count -= 1
  }
}

extension LiveObjectTable.Entry {
  @inline(__always)
  init(_ object: LiveObject, operation: Int) {
    self.init(
      id: object.id, latitude: object.coordinate.latitude, longitude: object.coordinate.longitude,
      operation: operation)
  }
}
