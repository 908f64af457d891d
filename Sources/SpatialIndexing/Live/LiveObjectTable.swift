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

/// A moving object in a `LiveIndex`: an id, a position, and optionally categories and an expiry.
public struct LiveObject: Hashable, Sendable, Identifiable {
  /// The caller's id for the object.
  ///
  /// An index holds one object per id, and orders equal distances by id.
  public let id: UInt64
  /// The position of the object.
  public let coordinate: Coordinate
  /// The categories of the object, none by default.
  public let categories: CategorySet
  /// The instant from which the object no longer counts; infinite if it never expires.
  ///
  /// The unit and the origin are those of the caller's clock.
  public let expiry: Double

  /// Describes an object.
  ///
  /// - Precondition: `expiry` is not NaN.
  public init(
    id: UInt64, at coordinate: Coordinate, categories: CategorySet = [],
    expiry: Double = .infinity
  ) {
    precondition(!expiry.isNaN, "object \(id) expires at an instant that is not a number")
    self.id = id
    self.coordinate = coordinate
    self.categories = categories
    self.expiry = expiry
  }
}

/// One change in a batch.
public enum LiveChange: Hashable, Sendable {
  /// Inserts an object, or replaces the one with its id: a move.
  case put(LiveObject)
  /// Removes the object with an id; does nothing if there is none.
  case remove(UInt64)
  /// Removes the object with an id and inserts one with another id, in the time of one move.
  case replace(UInt64, with: LiveObject)
}

/// One answer of a live search: an object and its distance.
public struct LiveNeighbor: Hashable, Sendable {
  /// The object as it was when the snapshot was taken.
  public let object: LiveObject
  /// The geodesic distance on WGS 84.
  public let distance: Distance

  /// Pairs an object with its distance.
  public init(object: LiveObject, distance: Distance) {
    self.object = object
    self.distance = distance
  }
}
