import Foundation
import GeoJSONCoding
import Geodesy
import GzipReading
import MapAnnotations
import NearbyTestSupport
import Testing

@testable import WebMaps

/// The file by which a page of tiles searches; `.ci/page.py` searches it in a browser.
@Suite struct PageSearchFileTests {
  /// A block as its description has it.
  private struct Block {
    var numbers: [[Int32]] = []
    var ids: [String] = []
    var texts: [String] = []
    var forms: [[String]] = []
  }

  private func number(_ bytes: ArraySlice<UInt8>) -> Int32 {
    Int32(bitPattern: bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
  }

  private func blocks(_ bytes: [UInt8]) throws -> [Block] {
    var blocks: [Block] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let length = Int(number(rest))
      let unpacked = try GzipInflater.inflate(
        Array(rest.dropFirst(4).prefix(length)), limit: 1 << 24, isOneMember: true)
      rest = rest.dropFirst(4 + length)
      var part = unpacked[...]
      func take(_ count: Int) -> ArraySlice<UInt8> {
        defer { part = part.dropFirst(count) }
        return part.prefix(count)
      }
      func lines(_ bytes: ArraySlice<UInt8>) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(
          separator: "\n", omittingEmptySubsequences: false
        ).dropLast().map(String.init)
      }
      let count = Int(number(take(4))), ids = Int(number(take(4))), texts = Int(number(take(4)))
      var block = Block()
      block.numbers = (0..<5).map { _ in (0..<count).map { _ in number(take(4)) } }
      block.ids = lines(take(ids))
      block.texts = lines(take(texts))
      block.forms = try JSONDecoder().decode([[String]].self, from: Data(part))
      blocks.append(block)
    }
    return blocks
  }

  private func feature(_ properties: Properties) -> Feature {
    Feature(geometry: nil, properties: properties)
  }

  @Test func `a place has its position, its kind, its hours and what it says`() throws {
    var file = PageSearchFile(placeCount: 3)
    let seoul = try Coordinate(latitude: 37.5665, longitude: 126.978)
    file.append(
      feature([
        "상호": "가게\t하나\n", "name": "가게\t하나\n", "price": .number("12.50"), "open": true, "note": "",
      ]), id: AnnotationID("a\nb"), at: seoul, kind: 1, course: 4)
    file.append(
      feature(["kind": "cafe", "title": "Café"]), id: AnnotationID(2),
      at: try Coordinate(latitude: -85, longitude: -180), kind: 0, course: -1)
    file.append(feature([:]), id: AnnotationID(3), at: seoul, kind: 0, course: -1)
    let block = try #require(try blocks(file.takeBytes(isLast: true)).first)
    #expect(block.texts == ["가게 하나 \t12.50", "Café\tcafe", ""])
    #expect(block.ids == ["a b", "2", "3"])
    #expect(block.forms == [["price"], ["kind"], []])
    #expect(
      block.numbers == [
        [375_665_000, -850_000_000, 375_665_000], [1_269_780_000, -1_800_000_000, 1_269_780_000],
        [1, 0, 0], [4, -1, -1], [0, 1, 2],
      ])
    #expect(file.cutCount == 0 && file.takeBytes(isLast: true).isEmpty)
  }

  @Test func `blocks come as they are full, and nothing is empty`() throws {
    var file = PageSearchFile(placeCount: 20_000)
    #expect(file.takeBytes(isLast: true).isEmpty)
    var bytes: [UInt8] = []
    for number in 0..<20_000 {
      file.append(
        feature(["name": .string("shop \(number)")]), id: AnnotationID(number),
        at: try Coordinate(latitude: 0, longitude: 0), kind: 0, course: -1)
      bytes += file.takeBytes(isLast: false)
    }
    #expect(try blocks(bytes).map(\.ids.count) == [16_384])
    bytes += file.takeBytes(isLast: true)
    #expect(try blocks(bytes).flatMap(\.texts) == (0..<20_000).map { "shop \($0)" })
  }

  @Test func `of very many places only the beginnings are searched, and all names`() throws {
    var file = PageSearchFile(placeCount: 10_000_000)
    let text = String(repeating: "x", count: 30)
    file.append(
      feature(["name": .string(text + "name"), "a": "12345", "b": .string(text)]),
      id: AnnotationID(1), at: try Coordinate(latitude: 0, longitude: 0), kind: 0, course: -1)
    let block = try #require(try blocks(file.takeBytes(isLast: true)).first)
    #expect(block.texts == [text + "name\t12345"] && block.forms == [["a"]])
    #expect(file.cutCount == 1)
  }
}
