import Geodesy
import MapAnnotations
import SpatialIndexing

/// Annotations by number, which any number of threads can read while one thread writes others.
///
/// What a number refers to never changes while a snapshot sees it: a changed annotation gets another number, and the
/// old number is reused once no snapshot sees it. So a change writes one slot and copies nothing else.
final class LiveSlots<Item: Annotation>: @unchecked Sendable {
  private let items = LiveParts<Item>()
  private let keys = LiveParts<LiveKey>()
  private let versions = VersionReclamation()
  /// Numbers that were in use and can be reused, the last one first.
  private var free: [Int] = []
  /// By number, whether the slot is in use or may still be seen by a snapshot.
  private var isHeld: [Bool] = []

  deinit {
    for number in isHeld.indices where isHeld[number] { deinitialize(number) }
    items.deallocate()
    keys.deallocate()
  }

  private func deinitialize(_ number: Int) {
    items.place(number).deinitialize(count: 1)
    keys.place(number).deinitialize(count: 1)
  }

  /// Greater than every number given out so far.
  var end: Int { isHeld.count }

  /// The version being made, to which new insertions belong.
  var version: Int { versions.version }

  /// The annotation with a number that the caller's snapshot has, or that the writer knows.
  subscript(number: Int) -> Item { items.place(number).pointee }

  /// The id and expiry of an annotation.
  func key(_ number: Int) -> LiveKey { keys.place(number).pointee }

  /// The address of an annotation in memory.
  func address(_ number: Int) -> UInt { UInt(bitPattern: items.place(number)) }

  /// For the writer: the key with a number, even if it was removed but may still be seen; nil for an empty slot.
  func heldKey(_ number: Int) -> LiveKey? { isHeld[number] ? key(number) : nil }

  /// Adds an annotation and returns its number.
  func insert(_ item: Item, _ key: LiveKey) -> Int {
    let number = free.popLast() ?? isHeld.count
    if number == isHeld.count {
      items.makeRoom(for: number)
      keys.makeRoom(for: number)
      isHeld.append(true)
    } else {
      isHeld[number] = true
    }
    items.place(number).initialize(to: item)
    keys.place(number).initialize(to: key)
    return number
  }

  /// Removes an annotation, which snapshots may still see.
  ///
  /// - Parameter birth: The version that inserted it.
  func remove(_ number: Int, birth: Int) {
    guard birth < versions.version else { return clear(number) }
    versions.retire(UInt(number), birth: birth)
  }

  private func clear(_ number: Int) {
    deinitialize(number)
    isHeld[number] = false
    free.append(number)
  }

  /// Releases everything that no snapshot sees any more.
  func reap() { versions.reap { clear(Int($0)) } }

  /// Publishes the current annotations as a version, for snapshots to hold.
  func publish() -> LiveSlotsVersion<Item> {
    let version = LiveSlotsVersion(slots: self, number: versions.version)
    versions.publish()
    return version
  }

  fileprivate func bury(_ version: Int) { versions.bury(version) }
}

/// What is stored of an annotation besides the annotation itself.
///
/// The id is the one that it had when it was inserted: an instance of a class might return another one later.
struct LiveKey: Sendable {
  let id: AnnotationID
  let expiry: Double
}

/// The annotations of a version, kept as long as it is referenced.
final class LiveSlotsVersion<Item: Annotation>: Sendable {
  private let slots: LiveSlots<Item>
  private let number: Int
  private let order = SharedValue<[Int]?>(nil)

  fileprivate init(slots: LiveSlots<Item>, number: Int) {
    self.slots = slots
    self.number = number
  }

  deinit { slots.bury(number) }

  /// The annotation with a number that this version has.
  subscript(number: Int) -> Item { slots[number] }

  /// The id and expiry of an annotation of this version.
  func key(_ number: Int) -> LiveKey { slots.key(number) }

  /// The numbers of all annotations of this version, by id.
  ///
  /// - Complexity: O(*n* log *n*) at first; then O(1).
  func numbersByID(of numbers: () -> [Int]) -> [Int] {
    order.kept { numbers().sorted { key($0).id < key($1).id } }
  }

  /// The address of an annotation in memory.
  func address(_ number: Int) -> UInt { slots.address(number) }
}

/// Storage for elements by number, at stable addresses: parts for 64, 64, 128, 256 … elements, each allocated when the
/// one before is full.
private struct LiveParts<Element> {
  private let parts: UnsafeMutablePointer<UnsafeMutablePointer<Element>?>

  /// Enough parts for 2³² numbers.
  private static var count: Int { 27 }

  init() {
    parts = .allocate(capacity: Self.count)
    parts.initialize(repeating: nil, count: Self.count)
  }

  @inline(__always)
  private static func part(of number: Int) -> (index: Int, start: Int) {
    let index = max(Int.bitWidth - 6 - number.leadingZeroBitCount, 0)
    return (index, index == 0 ? 0 : 32 << index)
  }

  /// The address of the element with a number; there must be room for it.
  @inline(__always)
  func place(_ number: Int) -> UnsafeMutablePointer<Element> {
    let (index, start) = Self.part(of: number)
    guard let part = parts[index] else {
      preconditionFailure("number \(number) was never given out")
    }
    return part + (number &- start)
  }

  /// Makes room for the element with a number, which follows all earlier ones.
  func makeRoom(for number: Int) {
    let (index, start) = Self.part(of: number)
    guard parts[index] == nil else { return }
    let capacity = max(start, 64)
    parts[index] = LargePages.allocate(byteCount: capacity * MemoryLayout<Element>.stride)
      .bindMemory(to: Element.self, capacity: capacity)
  }

  /// Frees the memory; the elements are already deinitialized.
  func deallocate() {
    for index in 0..<Self.count { parts[index]?.deallocate() }
    parts.deallocate()
  }
}
