import Foundation
import Geodesy
import SpatialIndexing
import Testing
import NearbyTestSupport

/// Every row of `conformance/geohash`, computed by independent implementations.
@Suite(.enabled(if: try SharedFiles.arePresent, Comment(rawValue: SharedFiles.reason)))
struct GeohashVectorTests {
  private func number(_ row: [String: String], _ column: String) throws -> Double {
    let text = try #require(row[column])
    return try #require(Double(text))
  }

  @Test func `encoding agrees with every vector`() throws {
    let rows = try SharedFiles.rows("conformance/geohash/encode.csv")
    #expect(rows.count == 2_772)
    for row in rows {
      let cell = try Geohash(
        latitude: number(row, "lat"), longitude: number(row, "lon"),
        precision: Int(number(row, "precision")))
      #expect(cell.text == row["geohash"], "\(row)")
      if let hex = row["uint64_hex"], !hex.isEmpty {
        let position = try Coordinate(latitude: number(row, "lat"), longitude: number(row, "lon"))
        #expect(BinaryGeohash(position, bitCount: 64).bits == UInt64(hex, radix: 16), "\(row)")
      }
    }
  }

  @Test func `decoding agrees with every vector`() throws {
    let rows = try SharedFiles.rows("conformance/geohash/decode_bounds.csv")
    #expect(rows.count == 2_048)
    // The vectors have 12 digits.
    let toleranceInDegrees = 1e-9
    for row in rows {
      let text = try #require(row["geohash"])
      let box = try Geohash(text).box
      for (edge, column) in [
        (box.south, "min_lat"), (box.north, "max_lat"), (box.west, "min_lon"),
        (box.east, "max_lon"),
      ] {
        let expected = try number(row, column)
        #expect(abs(edge - expected) <= toleranceInDegrees, "\(row)")
      }
    }
  }

  private static let columns = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]

  @Test func `neighbors agree with every vector`() throws {
    let rows = try SharedFiles.rows("conformance/geohash/neighbours.csv")
    #expect(rows.count == 515)
    #expect(Self.columns.count == CompassDirection.allCases.count)
    for row in rows {
      let text = try #require(row["geohash"])
      let cell = try Geohash(text)
      for (column, direction) in zip(Self.columns, CompassDirection.allCases) {
        let expected = try #require(row[column])
        // Some sources do not say the corners.
        if expected.isEmpty { continue }
        #expect((cell.neighbor(direction)?.text ?? "NONE") == expected, "\(direction) of \(row)")
      }
    }
  }

  @Test func `neighbors of integers agree with every vector`() throws {
    let rows = try SharedFiles.rows("conformance/geohash/neighbours_int.csv")
    #expect(rows.count == 300)
    for row in rows {
      let position = try Coordinate(latitude: number(row, "lat"), longitude: number(row, "lon"))
      let cell = BinaryGeohash(position, bitCount: Int(try number(row, "bits")))
      #expect(String(cell.bits) == row["cell"], "\(row)")
      for (column, direction) in zip(Self.columns, CompassDirection.allCases) {
        #expect(cell.neighbor(direction).map { String($0.bits) } == row[column], "\(row)")
      }
    }
  }

  private struct NeighborSet: Decodable {
    let geohash: String
    let set: Set<String>
  }

  @Test func `sets of neighbors agree with every vector`() throws {
    let lines = try SharedFiles.text("conformance/geohash/neighbour_sets.jsonl")
      .split(separator: "\n")
    #expect(lines.count == 3)
    for line in lines {
      let expected = try JSONDecoder().decode(NeighborSet.self, from: Data(line.utf8))
      let neighbors = try Geohash(expected.geohash).neighbors.map(\.text)
      #expect(Set(neighbors) == expected.set && neighbors.count == expected.set.count)
    }
  }

  @Test func `every text that is no geohash is refused`() throws {
    let rows = try SharedFiles.rows("conformance/geohash/invalid.csv")
    #expect(rows.count == 8)
    for row in rows {
      let input = try #require(row["input"])
      #expect(throws: GeohashError.self, "\(row)") { try Geohash(input) }
    }
  }

  @Test func `scores agree with those of Valkey`() throws {
    let rows = try SharedFiles.rows("conformance/geohash/score52.csv")
    #expect(rows.count == 4)
    for row in rows {
      let position = try Coordinate(latitude: number(row, "lat"), longitude: number(row, "lon"))
      let score = try #require(BinaryGeohash.sortedSetScore(of: position))
      #expect(String(score) == row["score52"], "\(row)")
      let back = try BinaryGeohash.position(ofSortedSetScore: score)
      #expect(back.distance(to: position) < .meters(0.4), "\(row)")
      #expect(BinaryGeohash.sortedSetScore(of: back) == score, "\(row)")
    }
    #expect(throws: GeohashError.integerOutOfRange(1 << 52, bitCount: 52)) {
      try BinaryGeohash.position(ofSortedSetScore: 1 << 52)
    }
  }
}

/// `Tests/Vectors/geohashes.csv`, by pygeohash.
@Suite struct GeohashOwnVectorTests {
  @Test func `cells agree with pygeohash's, letter by letter and edge by edge`() throws {
    let rows = try Vectors.rows("geohashes.csv")
    #expect(rows.count == 40)
    for row in rows {
      func number(_ column: String) throws -> Double {
        try #require(row[column].flatMap { Double($0) })
      }
      let text = try #require(row["geohash"])
      let cell = try Geohash(
        latitude: number("lat"), longitude: number("lon"), precision: text.count)
      #expect(cell.text == text)
      let box = try Geohash(text).box
      // Edges are halves of halves, and as such exact in both.
      let (south, north) = (try number("south"), try number("north"))
      #expect(box.south == south && box.north == north, "\(text)")
      // 180 has one name, −180.
      let (west, east) = (try number("west"), try number("east"))
      #expect(box.west == west && (box.east == east || east == 180 && box.east == -180), "\(text)")
    }
  }
}
