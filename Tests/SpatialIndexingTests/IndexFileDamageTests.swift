import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// Files that are damaged or made up: an error, or answers without a crash.
///
/// Together more than 10,000 of them, each between two pages that may not be touched.
@Suite struct IndexFileDamageTests {
  private static let samples = [0, 1, 17, 300].flatMap(IndexFileSample.all)

  @Test(arguments: samples)
  func `an accident is found, or has no part in the answer`(sample: IndexFileSample) throws {
    let whole = sample.bytes
    let questions = IndexQuestion.answers(sample.index, sample.count)
    var generator = SeededGenerator(seed: 1)
    for round in 0..<90 {
      var bytes = whole
      var name = "round \(round): "
      let place = Int.random(in: 0..<whole.count, using: &generator)
      switch round % 6 {
      case 0:
        bytes[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
        name += "bit at \(place)"
      case 1:
        bytes.removeLast(whole.count - place)
        name += "cut to \(place)"
      case 2:
        for index in place..<min(place + 40, bytes.count) {
          bytes[index] = .random(in: 0...255, using: &generator)
        }
        name += "noise at \(place)"
      case 3:
        bytes.insert(contentsOf: bytes[place..<min(place + 64, bytes.count)], at: place)
        name += "repeated at \(place)"
      case 4:
        bytes.remove(at: place)
        name += "left out at \(place)"
      default:
        // A page that never reached the disk.
        let page = place / 4_096 * 4_096
        for index in page..<min(page + 4_096, bytes.count) { bytes[index] = 0 }
        name += "no page at \(page)"
      }
      guard bytes != whole else { continue }
      #expect(throws: IndexFileError.self, "\(name)") {
        try IndexBytes(guarding: bytes, validation: .everything)
      }
      guard let file = try? IndexBytes(guarding: bytes) else {
        continue
      }
      for question in questions[round / 6 % 6 * 3..<round / 6 % 6 * 3 + 3] {
        let answer = question.ask(file.index)
        #expect(answer == question.expected || file.damage != nil, "\(name), \(question.name)")
        #expect(answer.allSatisfy { $0 >= 0 })
      }
      for row in 0..<file.rowCount where row % 7 == round % 7 {
        if let bytes = try? file.row(row) { #expect(bytes == sample.rows[row], "\(name)") }
      }
    }
  }

  @Test(arguments: samples)
  func `what is made up with right checksums stays within the file`(sample: IndexFileSample) throws
  {
    let whole = sample.bytes
    let tree = Forgery.section(0, of: whole), offsets = Forgery.section(2, of: whole)
    let questions = IndexQuestion.questions(sample.count)
    var generator = SeededGenerator(seed: 2)
    var opened = 0
    for round in 0..<190 {
      var bytes = whole
      let target = round % 5 == 0 ? offsets : round % 5 == 1 ? Forgery.section(1, of: whole) : tree
      if !target.isEmpty {
        for _ in 0..<(round % 3 == 0 ? 40 : 4) {
          let place = Int.random(in: target, using: &generator) & ~3
          let word = Forgery.words.randomElement(using: &generator) ?? 0
          // Numbers of eight bytes have their exponent in the second four.
          let value =
            Bool.random(using: &generator) ? word : .random(in: 0 ... .max, using: &generator)
          if place + 4 <= target.upperBound { Forgery.put(value, at: place, in: &bytes) }
          if place + 8 <= target.upperBound, value == word, round % 2 == 0 {
            Forgery.put(value, at: place + 4, in: &bytes)
          }
        }
      }
      Forgery.seal(&bytes, changedFrom: whole)
      if round % 4 == 0 {
        _ = try? IndexBytes(guarding: bytes, validation: .everything)
      }
      guard let file = try? IndexBytes(guarding: bytes) else {
        continue
      }
      opened += 1
      for (_, ask) in questions[round / 5 % 6 * 3..<round / 5 % 6 * 3 + 3] {
        _ = ask(file.index)
      }
      for position in file.index.positions(in: BoundingBox(unchecked: -90, -180, 90, 180)) {
        #expect((0..<sample.count).contains(position))
      }
      for row in 0..<file.rowCount where row % 7 == round % 7 { _ = try? file.row(row) }
      #expect(file.damage == nil)
    }
    #expect(opened > 20)
  }

  /// A tree full of one value: the worst there is for loops that count on order.
  @Test(arguments: samples.filter { $0.count >= 17 })
  func `a tree of nothing but one value is answered from`(sample: IndexFileSample) throws {
    let whole = sample.bytes
    let questions = IndexQuestion.questions(sample.count)
    for (number, word) in Forgery.words.enumerated() {
      let half = number % 3
      var bytes = whole
      for (tree, shape, sections) in sample.trees(of: bytes) {
        // The whole leaves, or the nodes but for the lanes that must be empty.
        if half != 0 {
          let leafSize = sample.isDecimal ? 192 : 320
          for place in stride(from: 0, to: (shape.leafCount - 1) * leafSize, by: 4) {
            Forgery.put(word, at: tree + sections.leaves + place, in: &bytes)
          }
        }
        if half != 1 {
          for group in 0..<shape.groupCount {
            for place in stride(from: 0, to: 256, by: 4) {
              let start = tree + group * 256 + place
              let stored = bytes.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: start, as: Float.self)
              }
              if stored.isFinite { Forgery.put(word, at: start, in: &bytes) }
            }
          }
        }
      }
      Forgery.seal(&bytes, changedFrom: whole)
      let file = try IndexBytes(guarding: bytes)
      for (_, ask) in questions { _ = ask(file.index) }
      #expect(file.damage == nil)
    }
  }

  @Test(arguments: samples)
  func `a header that is made up is refused`(sample: IndexFileSample) throws {
    let whole = sample.bytes
    var generator = SeededGenerator(seed: 3)
    let questions = IndexQuestion.questions(sample.count)
    let huge: [UInt64] = [
      0, 1, 255, UInt64(whole.count), UInt64(whole.count) - 1, 1 << 31, (1 << 32) - 2,
      (1 << 32) - 1, 1 << 32, 1 << 62, .max / 2, .max - 7, .max, .max - 4_095,
    ]
    var openedCount = 0
    for round in 0..<160 {
      var bytes = whole
      // Numbers of eight bytes, at each of their places, and any byte; numbers of categories.
      let place =
        round % 8 == 1
        ? [192, 256 + 8 * Int.random(in: 0..<32, using: &generator)]
          .randomElement(using: &generator) ?? 0
        : round % 4 == 3
          ? Int.random(in: 0..<4_096, using: &generator)
          : round % 2 == 0
            ? [24, 32, 40].randomElement(using: &generator) ?? 24
            : 96 + 8 * Int.random(in: 0..<12, using: &generator)
      if round % 4 == 3 {
        bytes[place] ^= .random(in: 1...255, using: &generator)
      } else {
        Forgery.put(huge.randomElement(using: &generator) ?? 0, at: place, in: &bytes)
      }
      guard bytes != whole else { continue }
      Forgery.sealHeader(&bytes)
      // The stamp, and what is left free, may say anything.
      if let file = try? IndexBytes(guarding: bytes) {
        #expect(
          place >= 16 && place < 20 || place >= 52 && place < 56 || place >= 72 && place < 92
            || place == 120 || place >= 192, "\(place)")
        openedCount += 1
        // The length of the rows may be another that takes as many pages: rows are then read or refused.
        if place == 120 { for row in 0..<file.rowCount { _ = try? file.row(row) } }
        for (_, ask) in questions.prefix(3) { _ = ask(file.index) }
      }
    }
    #expect(openedCount > 0)
  }

  /// What a file is refused for, each with its own name.
  @Test func `every mistake has its name`() throws {
    let whole = IndexFileSample(count: 17, isDecimal: true, categories: .few).bytes
    func error(_ change: (inout [UInt8]) -> Void) -> IndexFileError? {
      var bytes = whole
      change(&bytes)
      do throws(IndexFileError) {
        _ = try IndexBytes(guarding: bytes)
        return nil
      } catch {
        return error
      }
    }
    #expect(error { _ in } == nil)
    #expect(error { $0 = [] } == .truncated(byteCount: 0, expected: 4_096))
    #expect(error { $0 = Array($0.prefix(7)) } == .truncated(byteCount: 7, expected: 4_096))
    #expect(
      error { $0.removeLast() } == .truncated(byteCount: whole.count - 1, expected: whole.count))
    #expect(error { $0.append(0) } == .invalid("there are 1 bytes too many"))
    #expect(error { $0 = Array("id,lat,lon\n".utf8) } == .notAnIndex)
    #expect(error { $0 = Array("nearby-index 1 123\n{}\n".utf8) } == .version(1))
    #expect(error { $0[8] = 2 } == .version(2))
    #expect(error { $0[8] = 3 } == .version(3))
    #expect(error { $0[8] = 5 } == .version(5))
    #expect(error { $0.replaceSubrange(12..<16, with: [1, 2, 3, 4]) } == .byteOrder)
    #expect(error { $0[200] ^= 1 } == .checksum(offset: 0))
    #expect(error { $0[4_096] ^= 1 } == .checksum(offset: 4_096))
    #expect(
      error {
        Forgery.put(UInt64(1) << 32, at: 32, in: &$0)
        Forgery.sealHeader(&$0)
      } == .tooManyPositions(1 << 32))
    #expect(
      error {
        Forgery.put(UInt64(UInt32.max), at: 32, in: &$0)
        Forgery.sealHeader(&$0)
      }?.description.contains("4294967294 = 2³² − 2") == true)
    // As many as there may be, and far too few bytes for them.
    #expect(
      error {
        Forgery.put(UInt64(UInt32.max) - 1, at: 32, in: &$0)
        Forgery.put(UInt64(0), at: 40, in: &$0)
        Forgery.sealHeader(&$0)
      }?.code == "index-invalid")
    // More positions of a category than there are; a tree of one that nobody is in.
    for (value, place) in [(UInt64(18), 256), (1 << 63, 192)] {
      #expect(
        error {
          Forgery.put(value, at: place, in: &$0)
          Forgery.sealHeader(&$0)
        } == .invalid("its header contradicts itself about categories"))
    }
    // A tree for which there are no bytes.
    #expect(
      error {
        Forgery.put(UInt64(1), at: 192, in: &$0)
        Forgery.sealHeader(&$0)
      } == .invalid("its section 1 is not where it belongs"))
    // None, and bytes for some.
    #expect(
      error {
        Forgery.put(UInt64(0), at: 32, in: &$0)
        Forgery.sealHeader(&$0)
      }?.code == "index-invalid")
  }

  @Test func `a node past the last is refused, and so is a position`() throws {
    let whole = IndexFileSample(count: 17, isDecimal: true, categories: .none).bytes
    let tree = Forgery.section(0, of: whole).lowerBound
    // Two leaves below one root: the third lane of their group, and the second of the last leaf.
    let places = [(256 + 8, "node past the last"), (512 + 192 + 4, "position past the last")]
    for (place, what) in places {
      var bytes = whole
      Forgery.put(UInt32(0), at: tree + place, in: &bytes)
      Forgery.put(UInt32(0), at: tree + place + 64, in: &bytes)
      Forgery.seal(&bytes, changedFrom: whole)
      let error = #expect(throws: IndexFileError.self) {
        try IndexBytes(guarding: bytes)
      }
      #expect(error?.description.contains(what) == true)
    }
  }

  @Test func `full verification finds what checksums cannot`() throws {
    let sample = IndexFileSample(count: 300, isDecimal: true, categories: .few)
    let whole = sample.bytes
    let tree = Forgery.section(0, of: whole).lowerBound
    let sections = TreeSections(
      shape: TreeShape(count: 300), leaves: .decimal, categories: .coded)
    let leaf = tree + sections.leaves
    func error(_ value: UInt32, at place: Int) throws -> String {
      var bytes = whole
      Forgery.put(value, at: place, in: &bytes)
      Forgery.seal(&bytes, changedFrom: whole)
      _ = try IndexBytes(guarding: bytes)
      let error = #expect(throws: IndexFileError.self) {
        try IndexBytes(guarding: bytes, validation: .everything)
      }
      return error?.description ?? ""
    }
    #expect(try error(300, at: leaf + 128).hasPrefix("it names position 300 of 300"))
    let second = whole.withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: leaf + 132, as: UInt32.self)
    }
    #expect(try error(second, at: leaf + 128).hasPrefix("it names position \(second) twice"))
    #expect(try error(UInt32(bitPattern: 910_000_000), at: leaf).contains("is at 91.0,"))
    #expect(try error(0, at: leaf).contains("does not contain what is below it"))
    #expect(try error(0, at: tree + sections.nodeCategories).contains("does not contain"))
    let rows = Forgery.section(2, of: whole).lowerBound
    #expect(try error(.max, at: rows).hasPrefix("row 0 begins at byte 4294967295"))
  }

  @Test func `full verification finds that a tree is not that of its category`() throws {
    let sample = IndexFileSample(count: 300, isDecimal: true, categories: .withTrees)
    let whole = sample.bytes
    let trees = sample.trees(of: whole)
    #expect(trees.count == 6)
    // The tree of category 2: its leaves, the first of them, its first position.
    let leaf = trees[3].start + trees[3].sections.leaves
    func error(_ change: (inout [UInt8]) -> Void) throws -> String {
      var bytes = whole
      change(&bytes)
      Forgery.seal(&bytes, changedFrom: whole)
      let file = try IndexBytes(guarding: bytes)
      // Whatever it says, positions are those of the index.
      let found = file.index.nearest(
        300, to: sample.points[0], categories: CategorySet(category: 2))
      #expect(found.neighbors.allSatisfy { (0..<300).contains($0.offset) })
      let error = #expect(throws: IndexFileError.self) {
        try IndexBytes(guarding: bytes, validation: .everything)
      }
      #expect(throws: IndexFileError.self) { try file.verify() }
      return error?.description ?? ""
    }
    func put(_ value: UInt32, at place: Int) throws -> String {
      try error { Forgery.put(value, at: place, in: &$0) }
    }
    #expect(try put(3, at: leaf + 128).contains("names position 3, which is not in it"))
    #expect(try put(.max, at: leaf + 128).contains("position 4294967295, which is not in it"))
    // The second position in the place of the first, with its coordinates.
    let twice = try error { bytes in
      for place in [leaf, leaf + 64, leaf + 128] {
        bytes.replaceSubrange(place..<place + 4, with: bytes[place + 4..<place + 8])
      }
    }
    #expect(twice.contains("twice"))
    #expect(try put(0, at: leaf).contains("at 0.0 instead of"))
    // The south edge of its first leaf.
    let groups = trees[3].start + 256 * trees[3].shape.groupOffset(level: 0)
    #expect(try put(0x4310_0000, at: groups).contains("does not contain what is below it"))
    // 61 instead of 60 of a category take as many leaves, so that the file is as long.
    #expect(
      try put(61, at: 256 + 4 * 2).contains("a wrong number of positions for a category"))
  }

  @Test func `a damaged page speaks up in every later answer`() throws {
    let sample = IndexFileSample(count: 5_000, isDecimal: true, categories: .none)
    var bytes = sample.bytes
    let tree = Forgery.section(0, of: bytes)
    bytes[tree.upperBound - 8_192] ^= 1
    let index = try IndexBytes(guarding: bytes).index
    #expect(index.damage == nil)
    _ = index.positions(in: BoundingBox(unchecked: -90, -180, 90, 180))
    #expect(index.damage == .checksum(offset: (tree.upperBound - 8_192) / 4_096 * 4_096))
  }
}

extension Forgery {
  /// Floats and integers that loops stumble over: not a number, infinite, huge, tiny, negative.
  static let words: [UInt32] = [
    0x7FC0_0000, 0x7FF8_0000, 0xFFF8_0001, 0x7F80_0000, 0xFF80_0000, 0x7FF0_0000, 0xFFF0_0000,
    0x7F7F_FFFF, 0xFF7F_FFFF, 0x0000_0000, 0x8000_0000, 0xFFFF_FFFF, 0x7FFF_FFFF, 0x0000_0001,
    0x4640_0000, 0xC640_0000,
  ]
}
