import MapAnnotations
import SpatialIndexing

/// Annotations by number, read by any number of threads while one writes others.
///
/// What a number names never changes while a snapshot sees it: a changed annotation takes another number, and the old
/// number is used again once no snapshot sees it. So a change writes one place and copies nothing else.
final class LiveSlots<Item: Annotation>: @unchecked Sendable {
  private let items = LiveParts<Item>()
  private let keys = LiveParts<LiveKey>()
  private let versions = VersionReclamation()
  /// Numbers that were in use and may be used again, the last first.
  private var free: [Int] = []
  /// By number, whether something stands there: what is in use, or what a snapshot may still see.
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

  /// All numbers that were ever given out are less.
  var end: Int { isHeld.count }

  /// The version that is being made; what is inserted now belongs to it.
  var version: Int { versions.version }

  /// The annotation with a number that the caller's snapshot has, or the writer knows.
  subscript(number: Int) -> Item { items.place(number).pointee }

  /// What an annotation is called and when it expires.
  func key(_ number: Int) -> LiveKey { keys.place(number).pointee }

  /// Where an annotation stands in memory.
  func address(_ number: Int) -> UInt { UInt(bitPattern: items.place(number)) }

  /// For the writer: the key with a number, also of what was given up and may still be seen; nil where nothing stands.
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

  /// Gives up an annotation, which snapshots may still see.
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

  /// Lets go of all that no snapshot sees any more.
  func reap() { versions.reap { clear(Int($0)) } }

  /// What snapshots hold: the annotations as they are now.
  func publish() -> LiveSlotsVersion<Item> {
    let version = LiveSlotsVersion(slots: self, number: versions.version)
    versions.publish()
    return version
  }

  fileprivate func bury(_ version: Int) { versions.bury(version) }
}

/// What is known of an annotation besides what it says itself.
///
/// The id that it had when it came: of a class, it might say another one later.
struct LiveKey: Sendable {
  let id: AnnotationID
  let expiry: Double
}

/// The annotations of a version, for as long as somebody holds it.
final class LiveSlotsVersion<Item: Annotation>: Sendable {
  private let slots: LiveSlots<Item>
  private let number: Int

  fileprivate init(slots: LiveSlots<Item>, number: Int) {
    self.slots = slots
    self.number = number
  }

  deinit { slots.bury(number) }

  /// The annotation with a number that this version has.
  subscript(number: Int) -> Item { slots[number] }

  /// What an annotation of this version is called and when it expires.
  func key(_ number: Int) -> LiveKey { slots.key(number) }

  /// Where an annotation stands in memory.
  func address(_ number: Int) -> UInt { slots.address(number) }
}

/// Room for elements by number, which stay where they are: parts for 64, 64, 128, 256 … of them, each made when the one
/// before is full.
private struct LiveParts<Element> {
  private let parts: UnsafeMutablePointer<UnsafeMutablePointer<Element>?>

  /// For 2³² numbers.
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

  /// Where the element with a number stands; there must be room for it.
  @inline(__always)
  func place(_ number: Int) -> UnsafeMutablePointer<Element> {
    let (index, start) = Self.part(of: number)
    guard let part = parts[index] else {
      preconditionFailure("number \(number) was never given out")
    }
    return part + (number &- start)
  }

  /// Makes room for the element with a number, the next after all before.
  func makeRoom(for number: Int) {
    let (index, start) = Self.part(of: number)
    guard parts[index] == nil else { return }
    let capacity = max(start, 64)
    parts[index] = LargePages.allocate(byteCount: capacity * MemoryLayout<Element>.stride)
      .bindMemory(to: Element.self, capacity: capacity)
  }

  /// Gives back the room; the elements are gone already.
  func deallocate() {
    for index in 0..<Self.count { parts[index]?.deallocate() }
    parts.deallocate()
  }
}
