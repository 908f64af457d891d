import Foundation
import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// Index files of every kind, small enough to be damaged by the thousand.
struct IndexFileSample: Sendable, CustomTestStringConvertible {
  enum Categories: CaseIterable { case none, few, many, withTrees }

  let count: Int
  let isDecimal: Bool
  let categories: Categories

  var testDescription: String {
    "\(count) positions, \(isDecimal ? "decimal" : "degrees"), \(categories) categories"
  }

  /// Every way to write a leaf with every way to write categories.
  static func all(of count: Int) -> [IndexFileSample] {
    [true, false].flatMap { isDecimal in
      Categories.allCases.map {
        IndexFileSample(count: count, isDecimal: isDecimal, categories: $0)
      }
    }
  }

  var points: [Coordinate] {
    let points = PointSet.clustered.sample(count, seed: 5).points
    guard isDecimal else { return points }
    return points.map(\.onGrid)
  }

  var sets: [CategorySet] {
    switch categories {
    case .none: []
    case .few, .withTrees: (0..<count).map { CategorySet(category: $0 % 5) }
    case .many: (0..<count).map { CategorySet(rawValue: UInt64($0) &* 0x9E37_79B9 | 1) }
    }
  }

  var index: KDTreeIndex {
    KDTreeIndex(
      points, categories: sets,
      ownTrees: categories == .withTrees ? .everyCategory : .rareCategories)
  }

  /// The trees of a file, the first that of all positions, and where in the file each begins.
  func trees(of bytes: [UInt8]) -> [(start: Int, shape: TreeShape, sections: TreeSections)] {
    let encoding: LeafEncoding = isDecimal ? .decimal : .degrees
    let whole: CategoryEncoding =
      categories == .none ? .none : categories == .many && count > 256 ? .plain : .coded
    let own = index.trees.ownViews.map(\.view.shape)
    var start = Forgery.section(0, of: bytes).lowerBound
    return ([(TreeShape(count: count), whole)] + own.map { ($0, CategoryEncoding.none) }).map {
      let sections = TreeSections(shape: $0, leaves: encoding, categories: $1)
      defer { start += sections.byteCount }
      return (start, $0, sections)
    }
  }

  /// The rows that files in these tests have: two more than positions.
  var rows: [[UInt8]] {
    (0..<count + 2).map { number in
      (0..<number % 23).map { UInt8(truncatingIfNeeded: number &+ $0 &* 7) }
    }
  }

  static let attachment = Array("whatever belongs to the whole".utf8)
  static let source = SourceStamp(byteCount: 12_345, modified: -7, checksum: 0xFEED_BEEF)

  /// The file.
  var bytes: [UInt8] {
    let rows = rows
    return fileBytes(of: index, rowCount: rows.count) { $1 += rows[$0] }
  }

  /// The bytes of a file that holds an index.
  func fileBytes(
    of index: KDTreeIndex, rowCount: Int, row: (Int, inout [UInt8]) -> Void
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: IndexFileFormat.pageSize)
    let first = index.encode(
      rowCount: rowCount, attachment: IndexFileSample.attachment, source: IndexFileSample.source,
      row: row
    ) { bytes += $0 }
    bytes.replaceSubrange(0..<first.count, with: first)
    return bytes
  }
}

/// Index files as somebody would make them who knows the format and means harm.
enum Forgery {
  /// Makes all checksums right again after something between them was changed.
  static func seal(_ bytes: inout [UInt8], changedFrom whole: [UInt8]) {
    let page = IndexFileFormat.pageSize
    let pageChecksums = section(4, of: bytes), tableChecksums = section(5, of: bytes)
    for (sealed, checksums) in [
      (page..<pageChecksums.lowerBound, pageChecksums),
      (pageChecksums.lowerBound..<tableChecksums.lowerBound, tableChecksums),
    ] {
      for (number, start) in stride(from: sealed.lowerBound, to: sealed.upperBound, by: page)
        .enumerated() where differs(bytes, whole, start..<start + page)
      {
        put(
          checksum(bytes, start..<start + page), at: checksums.lowerBound + 4 * number, in: &bytes)
      }
    }
    put(checksum(bytes, tableChecksums.lowerBound..<bytes.count), at: 92, in: &bytes)
    sealHeader(&bytes)
  }

  /// Makes the header's own checksum right again.
  static func sealHeader(_ bytes: inout [UInt8]) {
    guard bytes.count >= IndexFileFormat.pageSize else { return }
    let checksum = bytes.withUnsafeBytes { IndexFileHeader.checksum(ofPage: $0) }
    put(checksum, at: 16, in: &bytes)
  }

  /// Where a section lies, as the header says.
  static func section(_ number: Int, of bytes: [UInt8]) -> Range<Int> {
    let start = integer(at: 96 + 16 * number, of: bytes)
    return start..<start + integer(at: 104 + 16 * number, of: bytes)
  }

  static func put(_ value: some FixedWidthInteger, at place: Int, in bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: value.littleEndian, toByteOffset: place, as: type(of: value))
    }
  }

  private static func integer(at place: Int, of bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: place, as: UInt64.self)) }
  }

  private static func differs(_ left: [UInt8], _ right: [UInt8], _ range: Range<Int>) -> Bool {
    left.withUnsafeBytes { left in
      right.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return false }
        return memcmp(left + range.lowerBound, right + range.lowerBound, range.count) != 0
      }
    }
  }

  private static func checksum(_ bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
    bytes.withUnsafeBytes {
      CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: $0[range]))
    }
  }
}
