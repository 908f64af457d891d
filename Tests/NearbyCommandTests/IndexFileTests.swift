import Foundation
import TestSupport
import Testing

@testable import NearbyCommand

/// `nearby index`, and index files as sources.
@Suite struct IndexFileTests {
  private let question = ["--lat", "37.57", "--lon", "126.97", "-k", "all"]

  @Test(arguments: ["csv", "json", "geojson", "table"])
  func `an index answers as its sources do, byte for byte`(format: String) throws {
    let folder = try Folder.withShops()
    try folder.write(Fixture.shapes, to: "g.geojson")
    let built = try Program.run(
      ["index", "build", "shops.csv", "g.geojson", "-o", "all.nbx", "--name-field", "name"],
      in: folder)
    #expect((built.status, built.text) == (0, ""))
    let direct = try Program.run(
      question + ["--format", format, "shops.csv", "g.geojson"], in: folder)
    let indexed = try Program.run(question + ["--format", format, "all.nbx"], in: folder)
    #expect(indexed.text == direct.text)
    #expect(indexed.status == 0)
  }

  @Test func `options of the build are remembered, and those of the question win`() throws {
    let folder = try Folder()
    try folder.write("37.57;126.97;x;y\n35.1;129;z;w\n", to: "p.csv")
    _ = try Program.run(
      ["index", "build", "p.csv", "-o", "p.nbx", "--no-header", "--y", "1", "--x", "2"]
        + ["--id-field", "3"], in: folder)
    func ids(_ options: String...) throws -> [String] {
      try Program.run(question + ["p.nbx", "--format", "ids"] + options, in: folder).lines
    }
    #expect(try ids() == ["x", "z"])
    #expect(try ids("--id-field", "4") == ["y", "w"])
    #expect(try ids("--region", "126,37,127,38") == ["x"])
  }

  @Test func `a stale index is refused until it is rebuilt or allowed`() throws {
    let folder = try Folder.withShops()
    let build = ["index", "build", "shops.csv", "-o", "s.nbx"]
    _ = try Program.run(build, in: folder)
    #expect(try Program.run(["index", "verify", "s.nbx"], in: folder).status == 0)
    try folder.write(Fixture.shops + "11,new,deal,37.57,126.97,h,\n", to: "shops.csv")
    let arguments = question + ["--format", "ids", "s.nbx"]
    let stale = try Program.run(arguments, in: folder)
    #expect((stale.status, stale.text) == (65, ""))
    #expect(stale.errors.hasPrefix("error: index-stale: s.nbx was built from shops.csv of "))
    #expect(stale.errors.contains("--allow-stale"))
    #expect(try Program.run(["index", "verify", "s.nbx"], in: folder).status == 65)
    #expect(try Program.run(arguments + ["--allow-stale"], in: folder).lines.count == 6)
    _ = try Program.run(build, in: folder)
    #expect(try Program.run(arguments, in: folder).lines.count == 7)
  }

  /// Every single change to an index file is found, or changes nothing.
  @Test(arguments: UInt64(0)..<4)
  func `a changed byte or a cut is an error or the same answer, never a crash`(seed: UInt64) throws
  {
    let folder = try Folder.withShops()
    _ = try Program.run(["index", "build", "shops.csv", "-o", "s.nbx"], in: folder)
    let whole = try folder.bytes("s.nbx")
    let expected = try answer(whole)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      var bytes = whole
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
      case 1:
        bytes.insert(
          .random(in: 0...255, using: &generator),
          at: bytes.indices.randomElement(using: &generator) ?? 0)
      default:
        let place = bytes.indices.randomElement(using: &generator) ?? 0
        bytes[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
      }
      do throws(CommandError) {
        #expect(try answer(bytes) == expected)
      } catch {
        #expect(["index-damaged", "index-version"].contains(error.code), "\(error)")
        #expect(error.status == .badData)
      }
    }
    // And once through the program itself.
    var bytes = whole
    let place = Int.random(in: whole.count / 2..<whole.count, using: &generator)
    bytes[place] ^= 1
    try folder.write(bytes, to: "s.nbx")
    let outcome = try Program.run(question + ["s.nbx"], in: folder)
    #expect((outcome.status, outcome.text) == (65, ""))
    #expect(outcome.errors.hasPrefix("error: index-damaged: s.nbx: "))
  }

  /// The ids and positions that an index file gives, read in this process.
  private func answer(_ bytes: [UInt8]) throws(CommandError) -> [String] {
    try IndexFile(bytes, named: "s.nbx").read(named: "s.nbx").annotations.map {
      "\($0.id) \(String(describing: $0.coordinate))"
    }
  }
}
