/// An array of numbers or records of one kind, in memory or in a mapped file.
///
/// Pages of a file are checked against their checksums when they are first read. An offset beyond the end, which
/// only a forged file can have, reads the first element: the answer is then wrong, but nothing outside is read.
struct PlainTable<Element: BitwiseCopyable>: @unchecked Sendable {
  private let start: UnsafePointer<Element>
  let count: Int
  private let memory: TreeMemory
  /// nil for the table's own memory, which needs no checks.
  private let checks: PageChecks?

  var isEmpty: Bool { count == 0 }

  /// - Precondition: The offset is in range; in a file any offset will do, if the table is not empty.
  @inline(__always)
  subscript(place: Int) -> Element {
    guard let checks else { return start[place] }
    return read(place, checks)
  }

  @inline(never)
  private func read(_ place: Int, _ checks: PageChecks) -> Element {
    precondition(count > 0, "nothing can be read of an empty table")
    let element = start + (place >= 0 && place < count ? place : 0)
    checks.check(element, count: MemoryLayout<Element>.stride)
    return element.pointee
  }

  /// Calls `body` with the elements of a table in memory.
  @inline(__always)
  func withElements<Result>(_ body: (UnsafePointer<Element>) -> Result) -> Result {
    withExtendedLifetime(memory) { body(start) }
  }

  // MARK: Making

  /// A table filled from front to back.
  struct Builder {
    private let memory: TreeMemory
    private let start: UnsafeMutablePointer<Element>
    private let capacity: Int
    private(set) var count = 0

    /// - Parameter capacity: The maximum number of elements.
    init(capacity: Int) {
      memory = TreeMemory(byteCount: capacity * MemoryLayout<Element>.stride)
      start = UnsafeMutableRawPointer(mutating: memory.bytes.baseAddress!)
        .assumingMemoryBound(to: Element.self)
      self.capacity = capacity
    }

    @inline(__always)
    mutating func append(_ element: Element) {
      precondition(count < capacity, "a table of \(capacity) is full")
      (start + count).initialize(to: element)
      count &+= 1
    }

    /// Appends elements that a function writes.
    ///
    /// - Parameter write: Initializes that number of elements.
    mutating func append(_ more: Int, _ write: (UnsafeMutablePointer<Element>) -> Void) {
      precondition(more <= capacity - count, "a table of \(capacity) has no room for \(more)")
      write(start + count)
      count += more
    }

    /// Sets an element of a table that is filled in another order.
    @inline(__always)
    mutating func set(_ place: Int, _ element: Element) {
      precondition(place >= 0 && place < capacity, "a table of \(capacity) has no place \(place)")
      (start + place).initialize(to: element)
      count = max(count, place + 1)
    }

    /// Calls `body` with the elements so far.
    func withElements<Result>(
      from first: Int, _ body: (UnsafeBufferPointer<Element>) -> Result
    ) -> Result {
      withExtendedLifetime(memory) {
        body(UnsafeBufferPointer(start: start + first, count: count - first))
      }
    }

    func finished() -> PlainTable {
      PlainTable(start: UnsafePointer(start), count: count, memory: memory, checks: nil)
    }
  }

  private init(
    start: UnsafePointer<Element>, count: Int, memory: TreeMemory, checks: PageChecks?
  ) {
    (self.start, self.count, self.memory, self.checks) = (start, count, memory, checks)
  }

  init(_ elements: [Element]) {
    var builder = Builder(capacity: elements.count)
    for element in elements { builder.append(element) }
    self = builder.finished()
  }

  // MARK: Files

  /// The number of bytes a table takes in a file, where tables are aligned to 64.
  static func byteCount(of count: Int) -> Int {
    (count * MemoryLayout<Element>.stride + 63) / 64 * 64
  }

  /// Appends the bytes of the elements, and zeros up to a multiple of 64.
  func append(to bytes: inout [UInt8]) {
    let all = UnsafeRawBufferPointer(
      start: start, count: count * MemoryLayout<Element>.stride)
    checks?.check(start, count: all.count)
    withExtendedLifetime(memory) { bytes += all }
    bytes += repeatElement(0, count: Self.byteCount(of: count) - all.count)
  }

  /// A table in the bytes of a file.
  ///
  /// - Precondition: The bytes suffice, and are aligned to 64.
  init(_ count: Int, at offset: Int, of memory: TreeMemory, _ checks: PageChecks) {
    let start = memory.bytes.baseAddress.unsafelyUnwrapped + offset
    self.init(
      start: start.assumingMemoryBound(to: Element.self), count: count, memory: memory,
      checks: checks)
  }
}
