import Geodesy
import NearbyTestSupport
import Testing

@testable import SpatialIndexing

/// Shapes whose tables stand in an index file, beside the index in memory that they were written from.
@Suite struct StoredShapeTests {
  private static func sample(
    _ count: Int, seed: UInt64
  ) throws -> (shapes: [GroundShape], origins: [Coordinate]) {
    var generator = SeededGenerator(seed: seed)
    let (points, origin) = PointSet.uniform.sample(count + 8, seed: seed)
    let shapes = points.prefix(count).map { center in
      // Rings round a pole are refused.
      (try? ShapeIndexTests.shape(center, using: &generator)) ?? GroundShape(points: [center])
    }
    let opposite = try Coordinate(
      latitude: -origin.latitude, wrappingLongitude: origin.longitude + 180)
    return (shapes, points.prefix(4) + points.suffix(8) + [origin, opposite])
  }

  /// An index file that has the tables attached, behind some bytes of somebody else.
  private static func file(_ shapes: [GroundShape]) -> (bytes: [UInt8], tables: Range<Int>) {
    let tables = StoredShapeTables.bytes(
      of: ShapeIndex(shapes), labels: shapes.indices.map { UInt32(2 * $0 + 1) })
    let attachment = [UInt8](repeating: 7, count: 128) + tables + [1, 2, 3]
    return (KDTreeIndex([]).fileBytes(attachment: attachment), 128..<128 + tables.count)
  }

  @Test(arguments: [0, 1, 7, 60], UInt64(0)..<2)
  func `an index in a file answers as the one in memory`(count: Int, seed: UInt64) throws {
    let (shapes, origins) = try Self.sample(count, seed: seed)
    let index = ShapeIndex(shapes)
    let (bytes, range) = Self.file(shapes)
    let file = try IndexBytes(guarding: bytes)
    let tables = try file.shapeTables(in: range)
    #expect(tables.count == count)
    #expect((0..<count).map(tables.label) == (0..<count).map { 2 * $0 + 1 })
    let stored = ShapeIndex(tables) { shapes[$0] }
    #expect(stored.count == count)
    for origin in origins {
      #expect(stored.nearest(.max, to: origin) == index.nearest(.max, to: origin))
      #expect(stored.nearest(2, to: origin) == index.nearest(2, to: origin))
      #expect(stored.containing(origin) == index.containing(origin))
      let box = try BoundingBox(
        south: max(-90, origin.latitude - 20), west: origin.longitude,
        north: min(90, origin.latitude + 20),
        east: Coordinate.wrappedLongitude(origin.longitude + 40))
      #expect(stored.meeting(box) == index.meeting(box))
    }
    #expect(file.damage == nil)
    // No byte of it is chance.
    #expect(Self.file(shapes).bytes == bytes)
    // Written again, it is the same.
    #expect(
      StoredShapeTables.bytes(of: stored, labels: (0..<count).map { UInt32(2 * $0 + 1) })
        == Array(bytes[Forgery.section(3, of: bytes)].dropFirst(128).prefix(range.count)))
  }

  @Test(arguments: UInt64(0)..<4)
  func `a page that was changed is damage of the answer that reads it`(seed: UInt64) throws {
    let (shapes, origins) = try Self.sample(60, seed: 1)
    let (whole, range) = Self.file(shapes)
    let index = ShapeIndex(shapes)
    var generator = SeededGenerator(seed: seed)
    var damaged = 0
    let attachment = Forgery.section(3, of: whole)
    for _ in 0..<40 {
      var bytes = whole
      let place = attachment.lowerBound + Int.random(in: range, using: &generator)
      bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
      let file = try IndexBytes(guarding: bytes)
      guard let tables = try? file.shapeTables(in: range) else {
        damaged += 1
        continue
      }
      let stored = ShapeIndex(tables) { shapes[$0] }
      for origin in origins {
        let answer = stored.nearest(3, to: origin)
        if file.damage == nil { #expect(answer == index.nearest(3, to: origin)) }
      }
      if file.damage != nil { damaged += 1 }
    }
    #expect(damaged > 20)
  }

  @Test(arguments: UInt64(0)..<6)
  func `tables that are made up end every question, and read nothing outside`(seed: UInt64) throws {
    let (shapes, origins) = try Self.sample(60, seed: 2)
    let (whole, range) = Self.file(shapes)
    var generator = SeededGenerator(seed: seed)
    let attachment = Forgery.section(3, of: whole)
    let words: [UInt32] = [
      0, 1, 7, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x7fc0_0000, 0x7f80_0000, 0x4049_0fdb,
    ]
    var asked = 0
    for round in 0..<40 {
      var bytes = whole
      // Now and then the header, mostly what follows.
      for _ in 0..<(round % 3 == 0 ? 1 : 400) {
        let place =
          round % 8 == 0
          ? Int.random(in: 0..<32, using: &generator)
          : Int.random(in: 32..<range.count / 4, using: &generator)
        Forgery.put(
          words.randomElement(using: &generator) ?? 0,
          at: attachment.lowerBound + range.lowerBound + 4 * place, in: &bytes)
      }
      Forgery.seal(&bytes, changedFrom: whole)
      let file = try IndexBytes(guarding: bytes)
      guard let tables = try? file.shapeTables(in: range) else { continue }
      asked += 1
      let stored = ShapeIndex(tables) { shapes.indices.contains($0) ? shapes[$0] : GroundShape() }
      for origin in origins {
        #expect(stored.nearest(.max, to: origin).count <= shapes.count)
        _ = stored.containing(origin)
      }
      _ = stored.meeting(BoundingBox.world)
      #expect(file.damage == nil)
    }
    #expect(asked > 20)
    for wrong in [0..<range.lowerBound, 64..<range.upperBound, 128..<range.upperBound - 64] {
      let file = try IndexBytes(guarding: whole)
      #expect(throws: IndexFileError.self) { _ = try file.shapeTables(in: wrong) }
    }
  }

  @Test func `tables of another version are refused, and say so`() throws {
    let (shapes, _) = try Self.sample(5, seed: 3)
    let (whole, range) = Self.file(shapes)
    var bytes = whole
    let layout = Forgery.section(3, of: whole).lowerBound + range.lowerBound + 8
    bytes[layout] -= 1
    Forgery.seal(&bytes, changedFrom: whole)
    let file = try IndexBytes(guarding: bytes)
    #expect(
      throws: IndexFileError.invalid("another version of the program wrote its lines and areas")
    ) { _ = try file.shapeTables(in: range) }
  }
}
