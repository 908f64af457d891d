import CNearbyKernels
import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// What a file gives back of what was put in.
@Suite struct IndexFileTests {
  @Test(arguments: [0, 1, 17, 256, 257, 5_000].flatMap(IndexFileSample.all))
  func `an index answers out of a file as it does in memory`(sample: IndexFileSample) throws {
    let memory = sample.index
    for validation in [IndexValidation.structure, .everything] {
      let file = try IndexBytes(guarding: sample.bytes, validation: validation)
      #expect(file.index.count == sample.count)
      for answer in IndexQuestion.answers(memory, sample.count) {
        #expect(answer.ask(file.index) == answer.expected, "\(answer.name)")
      }
      #expect(file.damage == nil)
    }
  }

  @Test(arguments: [0, 1, 300])
  func `rows, attachment and stamp come back as they were written`(count: Int) throws {
    let sample = IndexFileSample(count: count, isDecimal: true, categories: .few)
    let file = try IndexBytes(guarding: sample.bytes)
    #expect(file.rowCount == count + 2)
    for (number, row) in sample.rows.enumerated() {
      #expect(try file.row(number) == row)
    }
    #expect(try file.attachment() == IndexFileSample.attachment)
    #expect(try file.attachment(9..<16) == Array("belongs".utf8))
    #expect(file.source == IndexFileSample.source)
    try file.verify()
  }

  @Test func `an index without rows, attachment or stamp is whole`() throws {
    let bytes = KDTreeIndex([Coordinate]()).fileBytes(attachment: [])
    #expect(bytes.count == IndexFileFormat.pageSize)
    let file = try IndexBytes(guarding: bytes, validation: .everything)
    #expect(file.index.count == 0)
    #expect(file.rowCount == 0)
    #expect(try file.attachment() == [])
    #expect(file.source == nil)
  }

  @Test(arguments: [IndexFileSample.Categories.many, .withTrees])
  func `the index keeps the bytes alive, and writes them again`(
    categories: IndexFileSample.Categories
  ) throws {
    let sample = IndexFileSample(count: 300, isDecimal: false, categories: categories)
    func opened() throws -> KDTreeIndex {
      return try IndexBytes(guarding: sample.bytes).index
    }
    let index = try opened()
    let rows = sample.rows
    let again = sample.fileBytes(of: index, rowCount: rows.count) { $1 += rows[$0] }
    #expect(again == sample.bytes)
    #expect(index.damage == nil)
  }

  @Test func `the rows of neighbors lie side by side`() throws {
    // Along a line, in mixed order: whoever reads a stretch of it reads one run of rows.
    let points = (0..<4_096).map { PointSet.legal(1, Double($0 &* 2_731 & 4_095) / 100) }
    let index = KDTreeIndex(points)
    var order: [Int] = []
    _ = index.encode(rowCount: points.count, row: { number, _ in order.append(number) }) { _ in }
    let leaf = order[..<16].map { points[$0].longitude }
    #expect((leaf.max() ?? 99) - (leaf.min() ?? 0) < 0.2)
    #expect(order.sorted() == Array(points.indices))
  }

  @Test func `the checksum is the one of RFC 3720`() {
    func checksum(_ bytes: [UInt8]) -> UInt32 {
      bytes.withUnsafeBytes { CRC32C.checksum(of: $0) }
    }
    #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(checksum(Array(0..<32)) == 0x46DD_794E)
    #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
  }

  @Test
  func `the processor's own checksum is the plain one, whatever the length and the place`() {
    let bytes = (0..<700).map { UInt8(truncatingIfNeeded: $0 &* 0x9E37 >> 5) }
    bytes.withUnsafeBytes { bytes in
      for start in 0..<9 {
        for end in start..<bytes.count {
          let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
          let plain = ~nearby_plain_checksum(~0, part.baseAddress, part.count)
          #expect(CRC32C.checksum(of: part) == plain)
          var inTwo = CRC32C()
          inTwo.add(UnsafeRawBufferPointer(rebasing: part.prefix(part.count / 3)))
          inTwo.add(UnsafeRawBufferPointer(rebasing: part.dropFirst(part.count / 3)))
          #expect(inTwo.value == plain)
        }
      }
    }
  }
}

/// A question, and what it should be answered.
struct IndexQuestion {
  let name: String
  let ask: (KDTreeIndex) -> [Int]
  let expected: [Int]

  /// Questions of every kind: those by full walks and those by local ones, few and many, with and
  /// without categories.
  static func answers(_ index: KDTreeIndex, _ count: Int) -> [IndexQuestion] {
    questions(count).map { IndexQuestion(name: $0.0, ask: $0.1, expected: $0.1(index)) }
  }

  static func questions(_ count: Int) -> [(String, (KDTreeIndex) -> [Int])] {
    let (points, anywhere) = PointSet.clustered.sample(count, seed: 5)
    let origin = points.first ?? anywhere
    let box =
      BoundingBox(
        unchecked: max(-90, origin.latitude - 0.05), max(-180, origin.longitude - 0.05),
        min(90, origin.latitude + 0.05), min(180, origin.longitude + 0.05))
    let some: CategorySet = [CategorySet(category: 1), CategorySet(category: 3)]
    let one = CategorySet(category: 1)
    // Whoever asks has something for each position, and no more.
    let isOdd = (0..<count).map { $0 % 2 == 1 }
    func found(_ body: (inout QueryBuffer) -> Void) -> [Int] {
      var buffer = QueryBuffer()
      body(&buffer)
      return Array(buffer.positions)
    }
    func positions(_ answer: NearestAnswer) -> [Int] {
      answer.neighbors.map(\.offset) + answer.neighbors.map { Int($0.distance.meters * 1e6) }
    }
    return [
      ("find 3", { index in found { index.findNearest(3, to: origin, into: &$0) } }),
      (
        "find 40 of some",
        { index in found { index.findNearest(40, to: origin, categories: some, into: &$0) } }
      ),
      ("nearest 5", { positions($0.nearest(5, to: origin)) }),
      ("nearest 5 odd", { positions($0.nearest(5, to: origin) { isOdd[$0] }) }),
      (
        "ring",
        {
          positions(
            $0.nearest(
              7, to: anywhere, within: .kilometers(9_000), beyond: .kilometers(1), categories: some)
          )
        }
      ),
      ("box", { index in found { index.find(in: box, into: &$0) }.sorted() }),
      (
        "circle",
        { index in found { index.find(within: .kilometers(3), of: origin, into: &$0) }.sorted() }
      ),
      (
        "whole Earth",
        { $0.positions(in: BoundingBox(unchecked: -90, -180, 90, 180), categories: some) }
      ),
      ("area", { $0.positions(in: IndexQuestion.triangle(around: origin)) }),
      ("counts", { [$0.count(in: box), $0.count(within: .kilometers(2), of: origin)] }),
      ("by distance", { $0.neighborsByDistance(from: anywhere).prefix(9).map(\.offset) }),
      (
        "find 4 of one",
        { index in
          found {
            index.findNearest(4, to: origin, categories: CategorySet(category: 3), into: &$0)
          }
        }
      ),
      (
        "box of one",
        { $0.positions(in: BoundingBox(unchecked: -90, -180, 90, 180), categories: one) }
      ),
      (
        "odd of one",
        { positions($0.nearest(60, to: anywhere, categories: one) { isOdd[$0] }) }
      ),
      ("farthest", { positions($0.nearest(30, to: PointSet.legal(-origin.latitude, 10))) }),
      (
        "find 12 of some",
        { index in found { index.findNearest(12, to: origin, categories: some, into: &$0) } }
      ),
      (
        "batch of some",
        { index in
          index.findNearest(2, toEach: Array(points.prefix(9)), categories: some).flatMap { $0 }
        }
      ),
      (
        "circle and box of some",
        { index in
          found {
            index.find(within: .kilometers(3), of: origin, categories: some, into: &$0)
          }.sorted()
            + found { index.find(in: box, categories: some, into: &$0) }.sorted()
        }
      ),
    ]
  }

  private static func triangle(around center: Coordinate) -> Polygon {
    let latitude = min(89, max(-89, center.latitude)),
      longitude = min(179, max(-179, center.longitude))
    do {
      return try Polygon(
        outer: [
          PolygonVertex(latitude: latitude - 0.1, longitude: longitude - 0.1),
          PolygonVertex(latitude: latitude - 0.1, longitude: longitude + 0.1),
          PolygonVertex(latitude: latitude + 0.1, longitude: longitude),
        ])
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
