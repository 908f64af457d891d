/// An id as it lies in the bytes of a source, compared without making text of it.
enum IDKey {
  /// A canonical decimal number that fits.
  case number(Int)
  /// Text in the order of its bytes, given by their offsets.
  case text(Range<Int>)
  /// Text whose order is not that of its bytes: a number too long for `number`, or a cell in which
  /// quotes are doubled.
  case unordered(Range<Int>)

  /// Reads an id from its cell; nil where there is nothing in it.
  init?(_ cell: DelimitedCell?, in bytes: UnsafeBufferPointer<UInt8>) {
    guard let cell, !ContentID.isBlank(bytes[cell.start..<cell.end]) else { return nil }
    let range = cell.start..<cell.end
    if let number = IDKey.canonicalNumber(bytes[range]) {
      self = .number(number)
    } else if cell.hasDoubledQuotes || IDKey.mayBeLongNumber(bytes[range]) {
      self = .unordered(range)
    } else {
      self = .text(range)
    }
  }

  /// The id as a message shows it.
  func text(in bytes: UnsafeBufferPointer<UInt8>) -> String {
    switch self {
    case .number(let number): String(number)
    case .text(let range), .unordered(let range): String(decoding: bytes[range], as: UTF8.self)
    }
  }

  private static func mayBeLongNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    text.count > 18
      && text.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// `0` or `-?[1-9][0-9]*` of at most 18 digits, which always fit.
  private static func canonicalNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? text.dropFirst() : text
    guard let first = digits.first, digits.count <= 18 else { return nil }
    if first == UInt8(ascii: "0") { return digits.count == 1 && !isNegative ? 0 : nil }
    var number = 0
    for byte in digits {
      let digit = byte &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      number = number * 10 + Int(digit)
    }
    return isNegative ? -number : number
  }
}

/// Watches the ids of a source as its rows are kept: whether each comes after the one before.
///
/// While that holds none can repeat, so most sources need no `RepeatedIDs`.
struct IDOrder {
  /// Whether no id so far comes before the one ahead of it, in the order of `AnnotationID`.
  private(set) var ascends = true
  /// Whether, besides, no two in a row are equal.
  private(set) var ascendsStrictly = true

  private let bytes: UnsafeBufferPointer<UInt8>
  private var last: IDKey?

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func add(_ key: IDKey) {
    defer { last = key }
    if case .unordered = key { ascends = false }
    guard ascendsStrictly || ascends, let last else { return }
    if isBefore(last, key) { return }
    ascendsStrictly = false
    if isBefore(key, last) { ascends = false }
  }

  /// Whether one id certainly comes before another.
  private func isBefore(_ left: IDKey, _ right: IDKey) -> Bool {
    switch (left, right) {
    case (.number(let a), .number(let b)): a < b
    case (.number, .text): true
    case (.text, .number): false
    case (.text(let a), .text(let b)): bytes[a].lexicographicallyPrecedes(bytes[b])
    case (.unordered, _), (_, .unordered): false
    }
  }
}

/// Finds the ids of a source that were there before, 12 to 24 bytes an id.
struct RepeatedIDs {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// Open addressing, 24 bits of hash above 40 bits of row + 1; 0 is an empty slot.
  ///
  /// The size is a power of two, of which at most two thirds are taken.
  private var slots: [UInt64]

  /// - Parameter count: How many ids will be entered at most.
  init(_ bytes: UnsafeBufferPointer<UInt8>, count: Int) {
    self.bytes = bytes
    var size = 16
    while size * 2 < count * 3 { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  /// Enters the id of a row, and returns whether an earlier row has the same.
  mutating func enter(_ key: IDKey, row: Int, keyOfRow: (Int) -> IDKey?) -> Bool {
    let hash = hash(of: key)
    let tag = hash & RepeatedIDs.tagBits
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = slots[slot]
      if entry & RepeatedIDs.tagBits == tag,
        let earlier = keyOfRow(Int(entry & ~RepeatedIDs.tagBits) - 1), areEqual(earlier, key)
      {
        return true
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = tag | UInt64(row + 1)
    return false
  }

  private static let tagBits: UInt64 = 0xFFFF_FF00_0000_0000

  /// Seeded anew in every process, so that no source can be made to collide on purpose.
  private func hash(of key: IDKey) -> UInt64 {
    var hasher = Hasher()
    switch key {
    case .number(let number): hasher.combine(number)
    case .text(let range), .unordered(let range):
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[range]))
    }
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  private func areEqual(_ left: IDKey, _ right: IDKey) -> Bool {
    switch (left, right) {
    case (.number(let a), .number(let b)): a == b
    case (.text(let a), .text(let b)), (.unordered(let a), .unordered(let b)):
      a.count == b.count && bytes[a].elementsEqual(bytes[b])
    default: false
    }
  }
}
