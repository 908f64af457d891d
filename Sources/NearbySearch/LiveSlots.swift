import MapAnnotations
import SpatialIndexing

/// Annotations by number, read by any number of threads while one writes others.
///
/// What a number names never changes while a snapshot sees it: a changed annotation takes another number, and the old
/// number is used again once no snapshot sees it. So a change writes one place and copies nothing else.
///
/// Elements stay where they are: there are parts for 64, 64, 128, 256 … of them, each made when the one before is full.
final class LiveSlots<Item: Annotation>: @unchecked Sendable {
  struct Element: Sendable {
    let item: Item
    let id: AnnotationID
    let expiry: Double
  }

  private let parts: UnsafeMutablePointer<UnsafeMutablePointer<Element>?>
  /// For 2³² numbers.
  private static var partCount: Int { 27 }
  private let versions = VersionReclamation()
  /// Numbers that were in use and may be used again, the last first.
  private var free: [Int] = []
  /// By number, whether an element stands there: one that is in use, or one that a snapshot may still see.
  private var isHeld: [Bool] = []

  init() {
    parts = .allocate(capacity: LiveSlots.partCount)
    parts.initialize(repeating: nil, count: LiveSlots.partCount)
  }

  deinit {
    for number in isHeld.indices where isHeld[number] { place(number).deinitialize(count: 1) }
    for part in 0..<LiveSlots.partCount { parts[part]?.deallocate() }
    parts.deallocate()
  }

  /// All numbers that were ever given out are less.
  var end: Int { isHeld.count }

  /// The version that is being made; what is inserted now belongs to it.
  var version: Int { versions.version }

  private static func part(of number: Int) -> (index: Int, start: Int) {
    let index = max(Int.bitWidth - 6 - number.leadingZeroBitCount, 0)
    return (index, index == 0 ? 0 : 32 << index)
  }

  private func place(_ number: Int) -> UnsafeMutablePointer<Element> {
    let (index, start) = LiveSlots.part(of: number)
    guard let part = parts[index] else { preconditionFailure("number \(number) was never given out") }
    return part + (number - start)
  }

  /// The element with a number that the caller's snapshot has, or the writer knows.
  subscript(number: Int) -> Element { place(number).pointee }

  /// Where an element stands in memory.
  func address(_ number: Int) -> UInt { UInt(bitPattern: place(number)) }

  /// The element with a number; nil where none stands. For the writer, which may find one that was given up.
  func heldElement(_ number: Int) -> Element? { isHeld[number] ? place(number).pointee : nil }

  /// Adds an element and returns its number.
  func insert(_ element: Element) -> Int {
    let number = free.popLast() ?? isHeld.count
    if number == isHeld.count {
      let (index, start) = LiveSlots.part(of: number)
      if parts[index] == nil {
        parts[index] = LargePages.allocate(
        byteCount: max(start, 64) * MemoryLayout<Element>.stride
      ).bindMemory(to: Element.self, capacity: max(start, 64))
      }
      isHeld.append(true)
    } else {
      isHeld[number] = true
    }
    place(number).initialize(to: element)
    return number
  }

  /// Gives up an element, which snapshots may still see.
  ///
  /// - Parameter birth: The version that inserted it.
  func remove(_ number: Int, birth: Int) {
    guard birth < versions.version else { return clear(number) }
    versions.retire(UInt(number), birth: birth)
  }

  private func clear(_ number: Int) {
    place(number).deinitialize(count: 1)
    isHeld[number] = false
    free.append(number)
  }

  /// Lets go of all that no snapshot sees any more.
  func reap() { versions.reap { clear(Int($0)) } }

  /// What snapshots hold: the elements as they are now.
  func publish() -> LiveSlotsVersion<Item> {
    let version = LiveSlotsVersion(slots: self, number: versions.version)
    versions.publish()
    return version
  }

  fileprivate func bury(_ version: Int) { versions.bury(version) }
}

/// The elements of a version, for as long as somebody holds it.
final class LiveSlotsVersion<Item: Annotation>: Sendable {
  private let slots: LiveSlots<Item>
  private let number: Int

  fileprivate init(slots: LiveSlots<Item>, number: Int) {
    self.slots = slots
    self.number = number
  }

  deinit { slots.bury(number) }

  /// The element with a number that this version has.
  subscript(number: Int) -> LiveSlots<Item>.Element { slots[number] }

  /// Where an element stands in memory.
  func address(_ number: Int) -> UInt { slots.address(number) }
}
