import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// An index file that another one has attached.
@Suite struct AttachedIndexFileTests {
  private let points: [Coordinate]
  private let part: [Coordinate]
  private let origin: Coordinate
  /// Where the file of the part begins in the attachment.
  private let start = IndexFileFormat.pageSize
  private let partFile: [UInt8]
  private let bytes: [UInt8]

  init() {
    (points, origin) = PointSet.clustered.sample(2_000, seed: 8)
    part = points.enumerated().filter { $0.offset % 7 == 3 }.map(\.element)
    partFile = KDTreeIndex(part).fileBytes(attachment: Array("the part".utf8))
    let attachment = Array(repeating: 9, count: start) + partFile + [1, 2, 3]
    bytes = KDTreeIndex(points).fileBytes(attachment: attachment)
  }

  private var range: Range<Int> { start..<start + partFile.count }

  /// Nearest first, equal distances by position, found by measuring all.
  private func bruteForce(_ limit: Int) -> [Int] {
    part.indices.map { ($0, origin.distance(to: part[$0])) }
      .sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(limit).map(\.0)
  }

  @Test(arguments: [IndexValidation.structure, .everything])
  func `it answers of its own positions, and its attachment is its own`(
    validation: IndexValidation
  ) throws {
    let file = try IndexBytes(guarding: bytes, validation: validation)
    let attached = try file.attachedFile(in: range, validation: validation)
    #expect(attached.index.count == part.count)
    for limit in [1, 10, part.count] {
      #expect(
        attached.index.nearest(limit, to: origin).neighbors.map(\.offset) == bruteForce(limit))
    }
    #expect(try attached.attachment() == Array("the part".utf8))
    try attached.verify()
    try file.verify()
    #expect(file.index.nearest(1, to: origin).neighbors.count == 1)
  }

  @Test func `it keeps the bytes alive`() throws {
    func attached() throws -> IndexBytes {
      return try IndexBytes(guarding: bytes)
        .attachedFile(in: range)
    }
    #expect(try attached().index.nearest(9, to: origin).neighbors.map(\.offset) == bruteForce(9))
  }

  @Test func `a place where there is none is an error`() throws {
    let file = try IndexBytes(guarding: bytes)
    let end = file.attachmentByteCount
    for wrong in [
      0..<0, 0..<start, start..<start, start..<end, start..<end + 1, start + 1..<range.upperBound,
      start + 64..<range.upperBound, start..<range.upperBound - start, end..<end,
      range.lowerBound - 64..<range.upperBound, -64..<range.upperBound,
    ] {
      #expect(throws: IndexFileError.self, "\(wrong)") { try file.attachedFile(in: wrong) }
    }
  }

  @Test func `a change in its pages is its own damage`() throws {
    let file = try IndexBytes(guarding: bytes)
    // Where its leaves stand in the whole.
    var first = 0
    while Array(bytes[first..<first + 8]) != IndexFileFormat.mark || first == 0 { first += 4_096 }
    for offset in stride(from: 4_096, to: partFile.count, by: 1_500) {
      var damaged = bytes
      damaged[first + offset] ^= 4
      let outer = try? IndexBytes(guarding: damaged)
      guard let outer, let attached = try? outer.attachedFile(in: range) else { continue }
      let found = attached.index.nearest(part.count, to: origin).neighbors.map(\.offset)
      #expect(found == bruteForce(part.count) || attached.damage != nil, "\(offset)")
      #expect(throws: IndexFileError.self) {
        try attached.verify()
        try outer.verify()
      }
    }
    #expect(file.damage == nil)
  }

  @Test func `an attachment of any length comes back whole`() throws {
    for count in [0, 1, 4_095, 4_096, 4_097, 262_143, 262_144, 262_145, 1_000_000] {
      let attachment = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }
      let file = try IndexBytes(
        guarding: KDTreeIndex(part).fileBytes(attachment: attachment), validation: .everything)
      #expect(try file.attachment() == attachment)
    }
  }
}
